"""Updates are told, never taken. No test reaches beyond 127.0.0.1."""

import json
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtNetwork import QNetworkAccessManager

from kinetree.app.panels.dialogs.updates import UpdatesDialog
from kinetree.app.updates import check, installation, source
from kinetree.app.updates.check import UpdateCheck
from kinetree.app.updates.source import MOST, Nonsense, ReleaseSource, newest
from kinetree.app.updates.version import Version
from tests.conftest import ROOT
from tests.patience import LIMIT

ORDER = (
    "0.2.0.dev1", "0.2.0a1", "0.2.0b2", "0.2.0rc1", "0.2.0rc2", "0.2", "0.2.0.post1", "0.2.1", "0.3", "0.10", "1.0", "10.0",
)  # fmt: skip


def version(text: str) -> Version:
    found = Version.of(text)
    assert found is not None, text
    return found


def test_versions_are_in_order() -> None:
    versions = [version(text) for text in ORDER]
    assert all(one < other for one, other in pairwise(versions))
    assert version("0.2") == version("0.2.0") == version("v0.2.0.0") and hash(version("0.2")) == hash(version("0.2.0"))
    assert [text for text in ORDER if version(text).is_preview] == list(ORDER[:5])
    for text in ("", "1.x", "latest", "1..2", "1.0-", "9" * 50):
        assert Version.of(text) is None


@pytest.fixture
def serve():
    """serve(answer): a page on this computer that answers so; its source, and the requests that came."""
    servers: list[HTTPServer] = []

    def start(status: int = 200, body: bytes = b"", wait: threading.Event | None = None):
        asked: list[dict[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append({"path": self.path, **self.headers})
                if wait is not None:
                    wait.wait(LIMIT)
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # the program has given up

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        servers.append(server)
        server.thread = thread  # pyright: ignore
        return ReleaseSource(f"http://127.0.0.1:{server.server_port}/json", "the page"), asked

    yield start
    for server in servers:
        server.shutdown()
        server.thread.join()  # pyright: ignore
        server.server_close()


def answer(*versions: str, yanked: tuple[str, ...] = ()) -> bytes:
    releases = {each: [{"yanked": each in yanked}] for each in versions}
    return json.dumps({"info": {"version": versions[0]}, "releases": releases}).encode()


def test_the_newest_release_is_no_preview_and_not_withdrawn() -> None:
    assert str(newest(answer("0.2.0", "0.4.0", "0.5.0rc1", "0.6.0", yanked=("0.6.0",)))) == "0.4.0"
    assert str(newest(b'{"info": {"version": "1.0"}}')) == "1.0"
    for data in (
        b"",
        b"<html>",
        b"[]",
        b"{}",
        b'{"info": 3}',
        b'{"info": {"version": "x"}}',
        b"[" * 100_000,
        b'{"info": {"version": "1"}, "releases": [1]}',
    ):
        with pytest.raises(Nonsense):
            newest(data)


def test_one_request_that_says_nothing(qtbot, serve) -> None:
    page, asked = serve(200, answer("99.0"))
    ask = UpdateCheck(page)
    with qtbot.waitSignal(ask.found) as found:
        ask.start()
    assert str(found.args[0]) == "99.0" and check.is_newer(found.args[0])
    [request] = asked
    assert request["path"] == "/json" and request["User-Agent"] == "Kinetree"
    assert set(request) <= {"path", "Host", "User-Agent", "Accept", "Accept-Encoding", "Accept-Language", "Connection"}
    assert request["Accept-Language"] == "*"


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (404, b"", "knows no release"),
        (500, b"", r"an error \(500\)"),
        (200, b"<html>", "no answer that Kinetree understands"),
        (200, b"x" * (MOST + 100), "no answer that Kinetree understands"),
    ],
)
def test_wrong_answers(qtbot, serve, status: int, body: bytes, reason: str) -> None:
    page, _ = serve(status, body)
    ask = UpdateCheck(page)
    with qtbot.waitSignal(ask.failed) as failed:
        ask.start()
    import re

    assert re.search(reason, failed.args[0]), failed.args[0]


def test_offline(qtbot, serve) -> None:
    page, _ = serve()
    closed = ReleaseSource(page.address.rpartition(":")[0] + ":9/json", "the page")
    ask = UpdateCheck(closed)
    with qtbot.waitSignal(ask.failed) as failed:
        ask.start()
    assert failed.args[0] == "the page cannot be reached; see whether this computer is online"


def test_no_answer(qtbot, serve) -> None:
    wait = threading.Event()
    page, _ = serve(200, answer("1.0"), wait)
    ask = UpdateCheck(page, patience=300)
    try:
        with qtbot.waitSignal(ask.failed) as failed:
            ask.start()
    finally:
        wait.set()
    assert failed.args[0] == "the page did not answer in time; try again later"


def test_the_dialog_tells_a_newer_version_and_the_command(qtbot, serve, settings, monkeypatch) -> None:
    monkeypatch.setattr("kinetree.app.panels.dialogs.updates.way", lambda: installation.PIPX)
    page, _ = serve(200, answer("99.0"))
    dialog = UpdatesDialog(settings, source=page)
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitUntil(dialog.command.isVisible)
    assert dialog.text.text().startswith("Kinetree 99.0 is there") and "pipx" in dialog.text.text()
    assert dialog.command.text() == "pipx upgrade kinetree"
    assert time.time() - settings.update_check < 100
    dialog.weekly.click()
    assert settings.value("updates.ask") == "weekly"


def test_the_dialog_with_the_newest_version_and_without_an_answer(qtbot, serve, settings) -> None:
    for status, text in ((200, "is the newest version"), (500, "It is not known whether there is a newer version")):
        page, _ = serve(status, answer("0.0.1"))
        dialog = UpdatesDialog(settings, source=page)
        qtbot.addWidget(dialog)
        dialog.open()
        qtbot.waitUntil(dialog.bar.isHidden)
        assert text in dialog.text.text() and not dialog.command.isVisible()
        dialog.close()


@pytest.fixture
def requests(monkeypatch):
    """The requests of this program; they are recorded and not sent."""
    sent: list[str] = []
    monkeypatch.setattr(QNetworkAccessManager, "get", lambda manager, request: sent.append(request.url().toString()))
    monkeypatch.setattr(UpdateCheck, "start", lambda ask: sent.append(ask._source.address))
    return sent


def test_a_start_asks_nobody(make_window, settings, requests) -> None:
    assert settings.value("updates.ask") == "never"
    make_window()
    assert requests == []


def test_a_start_asks_once_a_week_where_the_settings_say_so(make_window, settings, requests) -> None:
    settings.set("updates.ask", "weekly")
    make_window()
    assert requests == [source.SOURCE.address]
    settings.note_update_check()
    make_window()
    assert len(requests) == 1


def test_one_address_in_one_place() -> None:
    assert source.SOURCE.address.startswith("https://")
    done = subprocess.run(
        ["grep", "-rlE", "QNetworkAccessManager|urlopen|http.client", "app", "engine", "renderer"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    files = [each for each in done.stdout.split() if each.endswith(".py")]
    assert files == ["app/updates/check.py"], "other parts of the program use the network"


@pytest.mark.parametrize(
    ("files", "environment", "installer", "expected"),
    [
        (("site/packaging/bootstrap.py",), {}, "pip", installation.CHECKOUT),
        ((), {"FLATPAK_ID": "x"}, "pip", installation.FLATPAK),
        (("prefix/pipx_metadata.json",), {}, "pip", installation.PIPX),
        (("prefix/uv-receipt.toml",), {}, "uv", installation.UV_TOOL),
        ((), {}, "uv", installation.UV),
        ((), {}, "pip", installation.PIP),
        ((), {}, "", installation.ARCHIVE),
    ],
)
def test_how_an_installation_is_updated(tmp_path: Path, files, environment, installer: str, expected) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert installation.way_of(tmp_path / "site", str(tmp_path / "prefix"), environment, installer) == expected


def test_a_package_of_the_system_is_updated_as_one(tmp_path: Path) -> None:
    assert installation.way_of(tmp_path, "/usr/lib/kinetree/env", {}, "pip") == installation.APT
    assert installation.way() == installation.CHECKOUT
