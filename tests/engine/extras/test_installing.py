"""Extras are fetched by real pip from a folder, without a network; what goes wrong leaves nothing."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kinetree.engine import progress
from kinetree.engine.extras import installing, places
from kinetree.engine.extras.places import ExtraError, ExtraSource, MissingExtra
from tests.engine.extras.conftest import MODULE, NAME, Index, make_wheel, pin
from tests.patience import LIMIT, wait_for


def left(index: Index) -> list[str]:
    """The files and folders below the folder of the extras."""
    return sorted(path.name for path in places.home().glob("*")) if places.home().exists() else []


def test_an_extra_is_installed_found_imported_and_removed(index: Index) -> None:
    with pytest.raises(MissingExtra, match=r"'tiny' \(kinetree-tiny-extra, 1 kB to download\)"):
        places.activate(NAME)
    before = list(sys.path)
    folder = installing.install(index.extra)
    assert folder == places.folder(index.extra) and left(index) == [folder.name]
    assert folder.parent.stat().st_mode & 0o077 == 0
    assert places.found(index.extra) == (ExtraSource.FETCHED, str(folder))
    assert sys.path == before, "nothing is on the path before a feature asks"
    places.activate(NAME)
    places.activate(NAME)
    assert sys.path == [*before, str(folder)], "the last place, once"
    assert importlib.import_module(MODULE).ANSWER == 42
    assert installing.install(index.extra) == folder
    assert places.remove(index.extra) and left(index) == []
    assert not places.remove(index.extra)


def test_another_process_sees_it(index: Index) -> None:
    """As the processes that draw videos and decompose meshes do."""
    installing.install(index.extra)
    code = (
        "import sys; from kinetree.engine.extras import places; from tests.engine.extras.conftest import *;"
        "from pathlib import Path; places.wheels.pins = lambda extra: [pin(Path(sys.argv[1]))];"
        f"EXTRAS[NAME] = Extra(NAME, '', '', ('x',), {MODULE!r}, {{}}); places.activate(NAME);"
        f"import {MODULE}; print({MODULE}.ANSWER)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(index.wheel)], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("42\n", 0), done.stderr


def test_a_file_that_is_not_the_pinned_one_is_refused(index: Index) -> None:
    index.pins["kinetree-tiny-extra"] = pin(index.wheel, sha256=hashlib.sha256(b"another file").hexdigest())
    with pytest.raises(ExtraError, match="has other files than those that Kinetree was released with"):
        installing.install(index.extra)
    assert left(index) == []


def test_other_pins_ask_again_and_the_old_extra_goes(index: Index) -> None:
    old = installing.install(index.extra)
    index.pins["kinetree-tiny-extra"] = pin(make_wheel(index.folder, "2.0", "ANSWER = 43\n"), "2.0")
    assert places.found(index.extra) is None
    with pytest.raises(MissingExtra):
        places.activate(NAME)
    new = installing.install(index.extra)
    assert new != old and left(index) == [new.name]


def test_an_install_that_is_cancelled_leaves_nothing(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = [sys.executable, "-c", "import time; print('started', flush=True); time.sleep(1000)", "pip"]
    monkeypatch.setattr(installing, "installer", lambda: waiting)
    started: list[subprocess.Popen] = []
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: started.append(popen(*a, **k)) or started[-1])
    cancelled, ended = threading.Event(), []

    def report(_fraction: float) -> None:
        if cancelled.is_set():
            raise progress.Cancelled

    def work() -> None:
        try:
            with progress.reported(report):
                installing.install(index.extra)
        except progress.Cancelled:
            ended.append("cancelled")

    thread = threading.Thread(target=work)
    thread.start()
    wait_for(lambda: started)
    cancelled.set()
    thread.join(LIMIT)
    assert ended == ["cancelled"] and left(index) == []
    assert started[0].poll() is not None, "pip runs on"


def test_what_a_killed_install_left_is_removed_later(index: Index) -> None:
    old, new = places.home() / ".staging-old", places.home() / ".staging-new"
    for path in (old, new):
        path.mkdir(parents=True)
    os.utime(old, (1e9, 1e9))
    installing.install(index.extra)
    assert left(index) == [".staging-new", places.folder(index.extra).name]


def test_no_room_is_said_before_anything_is_fetched(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=500_000))
    monkeypatch.setattr(subprocess, "Popen", pytest.fail)
    with pytest.raises(ExtraError, match=r"'tiny' needs 1\.0 MB in .*extras.* and 0\.5 MB are free"):
        installing.install(index.extra)


def test_a_folder_that_cannot_be_written_is_named(index: Index, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(ExtraError, match=r"data.* cannot be written"):
        installing.install(index.extra)


def test_a_package_that_the_index_lacks_is_named(index: Index) -> None:
    index.wheel.unlink()
    with pytest.raises(ExtraError, match=r"no kinetree-tiny-extra 1\.0 for this system"):
        installing.install(index.extra)
    assert left(index) == []


def test_without_a_network_it_says_so(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port of this machine at which nobody listens: pip's messages are real, and no other machine is asked."""
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(ExtraError, match="no connection to the package index"):
        installing.install(index.extra)
    assert left(index) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        ("WARNING: Retrying (Retry(total=0)): Failed to establish a new connection", "no connection"),
        ("no such option: --x\nERROR: something new\n", "ERROR: something new"),
        ("a plain last line\n", "a plain last line"),
        ("", "pip gave no reason"),
    ],
)
def test_reasons(index: Index, monkeypatch: pytest.MonkeyPatch, said: str, expected: str) -> None:
    code = f"import sys; print({said!r}); sys.exit(1)"
    monkeypatch.setattr(installing, "installer", lambda: [sys.executable, "-c", code, "pip"])
    with pytest.raises(ExtraError, match=expected):
        installing.install(index.extra)


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("uv-receipt.toml", "uv tool install 'kinetree[tiny]'"),
        ("pipx_metadata.json", "pipx inject kinetree kinetree-tiny-extra"),
        ("", "python -m pip install 'kinetree[tiny]'"),
    ],
)
def test_without_pip_and_uv_the_command_is_given(
    index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str, command: str
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pip" else find(name))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    if file:
        (tmp_path / file).touch()
    with pytest.raises(ExtraError) as refused:
        installing.install(index.extra)
    assert str(refused.value).endswith(f"there is no pip; type: {command}")


def test_uv_does_it_where_there_is_no_pip(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not installed")
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pip" else find(name))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(index.folder))
    folder = installing.install(index.extra)
    assert (folder / f"{MODULE}.py").exists()
    assert left(index) == [folder.name]
