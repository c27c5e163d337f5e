"""Extras in the window: offered when a feature first needs one, fetched only by Install, and the feature goes on."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QDialog

from kinetree.app.panels.dialogs.decomposition import DecompositionDialog
from kinetree.app.panels.dialogs.extra import ExtraDialog, ExtrasDialog
from kinetree.app.panels.dialogs.pictures.video import VideoDialog
from kinetree.app.workspace.selection import Selection
from kinetree.engine.extras import installing, places
from kinetree.engine.extras.table import EXTRAS
from tests.app.conftest import wait_for as wait_for
from tests.engine.editing.tools.test_decompose import MODEL as TEXT  # noqa: F401 - of the window
from tests.engine.extras.conftest import Index, index, pin  # noqa: F401 - a fixture

NAMES = ("video", "decompose", "parquet")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines of installers that were started."""
    lines: list[list[str]] = []
    popen = subprocess.Popen

    def start(command, *arguments, **more):
        if "--require-hashes" in command:
            lines.append(command)
        return popen(command, *arguments, **more)

    monkeypatch.setattr(subprocess, "Popen", start)
    return lines


@pytest.fixture
def missing(index: Index, monkeypatch: pytest.MonkeyPatch, started) -> Index:  # noqa: F811
    """A machine without extras and without an ffmpeg; each of them is the tiny one of the index."""
    for name in NAMES:
        monkeypatch.setitem(EXTRAS, name, replace(index.extra, name=name, elsewhere=EXTRAS[name].elsewhere))
    monkeypatch.setattr("shutil.which", lambda name: None)
    return index


def shown(window, kind: type[QDialog]) -> list:
    return [each for each in window.findChildren(kind) if each.isVisible()]


def use(window, name: str) -> None:
    """Use the feature that needs an extra."""
    if name == "decompose":
        node = next(node for node in window.project.document.root.iter("geom") if node.get("name") == "g")
        window.selection.select(Selection(element=node.id))
    window.actions_[{"video": "file.video", "decompose": "tools.decompose"}[name]].trigger()


RESULT = {"video": VideoDialog, "decompose": DecompositionDialog}


@pytest.mark.parametrize("name", ["video", "decompose"])
def test_nothing_is_fetched_before_the_user_agrees_and_the_feature_goes_on_then(
    window, qtbot, missing: Index, started: list, name: str
) -> None:
    use(window, name)
    qtbot.waitUntil(lambda: bool(shown(window, ExtraDialog)))
    (dialog,) = shown(window, ExtraDialog)
    assert dialog.size_.text() == "1 kB, 1 MB on the disk"
    assert dialog.command.text().endswith(f"extras install {name}") and dialog.install.isDefault()
    dialog.later.click()
    qtbot.waitUntil(lambda: not window.findChildren(ExtraDialog))
    assert not window.workspace.extras.tasks.is_busy and not shown(window, RESULT[name])
    assert started == [] and not places.home().exists(), "nothing was fetched, and nothing written"

    use(window, name)
    qtbot.waitUntil(lambda: bool(shown(window, ExtraDialog)))
    shown(window, ExtraDialog)[0].install.click()
    qtbot.waitUntil(lambda: bool(shown(window, RESULT[name])))
    assert len(started) == 1 and places.found(EXTRAS[name]) is not None
    shown(window, RESULT[name])[0].reject()
    use(window, name)
    qtbot.waitUntil(lambda: bool(shown(window, RESULT[name])))
    assert not shown(window, ExtraDialog) and len(started) == 1


def test_an_ffmpeg_of_the_system_is_enough(window, qtbot, missing: Index, started: list, monkeypatch) -> None:
    monkeypatch.setitem(EXTRAS, "video", replace(EXTRAS["video"], elsewhere=lambda: "/usr/bin/ffmpeg"))
    use(window, "video")
    qtbot.waitUntil(lambda: bool(shown(window, VideoDialog)))
    assert not shown(window, ExtraDialog) and started == []


def test_a_recording_asks_too(window, qtbot, missing: Index) -> None:
    window.actions_["file.film"].trigger()
    qtbot.waitUntil(lambda: bool(shown(window, ExtraDialog)))
    assert not window.actions_["file.film"].isChecked()
    shown(window, ExtraDialog)[0].reject()


def test_a_refusal_is_shown_with_another_try(window, qtbot, missing: Index) -> None:
    right = missing.pins["kinetree-tiny-extra"]
    missing.pins["kinetree-tiny-extra"] = pin(missing.wheel, sha256=hashlib.sha256(b"another file").hexdigest())
    use(window, "video")
    qtbot.waitUntil(lambda: bool(shown(window, ExtraDialog)))
    first = shown(window, ExtraDialog)[0]
    assert first.problem.isHidden()
    first.install.click()
    qtbot.waitUntil(lambda: any(each is not first for each in shown(window, ExtraDialog)))
    (second,) = (each for each in shown(window, ExtraDialog) if each is not first)
    assert second.problem.label.text().startswith("The extra 'video' was refused: the package index has other files")
    missing.pins["kinetree-tiny-extra"] = right
    second.install.click()
    qtbot.waitUntil(lambda: bool(shown(window, VideoDialog)))


def test_cancel_ends_pip_and_leaves_nothing(window, qtbot, missing: Index, monkeypatch) -> None:
    waiting = [sys.executable, "-c", "import time; time.sleep(1000)", "pip"]
    monkeypatch.setattr(installing, "installer", lambda: waiting)
    extras, status = window.workspace.extras, window.status
    use(window, "video")
    qtbot.waitUntil(lambda: bool(shown(window, ExtraDialog)))
    shown(window, ExtraDialog)[0].install.click()
    qtbot.waitUntil(lambda: extras.tasks.progress is not None)
    assert status.doing.toolTip() == "Installing the extra 'video' (1 kB)" and extras.is_being_installed("video")
    thread = extras.tasks._thread
    use(window, "video")  # does not ask again while it is being installed
    assert not shown(window, ExtraDialog)
    status.cancel.click()
    qtbot.waitUntil(lambda: not thread.is_alive())
    assert not list(places.home().iterdir()) and not extras.is_being_installed("video")
    assert not shown(window, VideoDialog)


def test_a_window_that_closes_ends_pip(window, qtbot, missing: Index, monkeypatch) -> None:
    monkeypatch.setattr(installing, "installer", lambda: [sys.executable, "-c", "import time; time.sleep(1000)", "pip"])
    window.workspace.extras.install(EXTRAS["video"], lambda: None)
    qtbot.waitUntil(lambda: any(places.home().glob(".staging-*/output")))
    window.close_anyway()
    assert not list(places.home().iterdir())


def test_a_system_without_pip_gets_the_command(window, qtbot, missing: Index, monkeypatch) -> None:
    monkeypatch.setattr(installing, "installer", lambda: None)
    use(window, "decompose")
    qtbot.waitUntil(lambda: bool(shown(window, ExtraDialog)))
    (dialog,) = shown(window, ExtraDialog)
    assert not dialog.install.isEnabled() and dialog.command.text() == "python -m pip install 'kinetree[decompose]'"
    assert "has no pip" in dialog.problem.label.text()
    dialog.reject()


def test_a_system_without_a_wheel_is_told(window, qtbot, missing: Index) -> None:
    missing.pins["kinetree-tiny-extra"] = missing.pins["kinetree-tiny-extra"]._replace(wheels=())
    use(window, "decompose")
    qtbot.waitUntil(lambda: bool(shown(window, ExtraDialog)))
    (dialog,) = shown(window, ExtraDialog)
    assert not dialog.install.isEnabled() and not dialog.command.isVisible()
    assert dialog.problem.label.text() == "It does not exist for this system and this version of Python."
    dialog.reject()


def test_the_list_installs_and_removes(window, qtbot, missing: Index) -> None:
    window.actions_["help.extras"].trigger()
    (dialog,) = shown(window, ExtrasDialog)
    row = dialog.rows["parquet"]
    qtbot.waitUntil(row.button.isEnabled)
    assert row.state.toolTip() == "Not installed: 1 kB to download, 1 MB on the disk"
    row.button.click()
    qtbot.waitUntil(lambda: bool(shown(window, ExtraDialog)))
    shown(window, ExtraDialog)[0].install.click()
    qtbot.waitUntil(lambda: row.is_fetched)
    assert row.state.toolTip() == f"Installed in {places.folder(EXTRAS['parquet'])}" and row.button.text() == "Remove"
    row.button.click()
    qtbot.waitUntil(lambda: not row.is_fetched and row.button.isEnabled())
    assert not list(places.home().iterdir())
    dialog.reject()
