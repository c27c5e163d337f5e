"""Several windows: the list of all, no model twice, titles that differ."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from kinetree.app.running import client, message
from kinetree.app.running.listener import Listener
from kinetree.app.running.neighbours import Neighbours
from kinetree.app.widgets.mnemonics import plain
from tests.app.conftest import FLAWED, MODEL
from tests.app.running.conftest import windows as windows


@pytest.fixture
def window(make_window, model_file, qtbot):
    made = make_window(model_file, physics=False)
    qtbot.waitUntil(lambda: made.simulation.model is not None)
    return made


@pytest.fixture
def other(window, windows, tmp_path):
    """Another window, which shows another model of the same name. `requests`: what it was asked."""
    (tmp_path / "other").mkdir()
    path = tmp_path / "other" / "rig.xml"
    path.write_text(MODEL)
    own = Listener(windows, lambda request: message.DONE)
    requests = []

    def take(request):
        requests.append(request)
        return message.DONE

    made = Listener(windows, take)
    made.requests, made.path = requests, str(path)
    made.show(str(path))
    window.handlers.windows.meet(Neighbours(windows, own.place, window))
    yield made
    made.end()
    own.end()


@pytest.fixture
def started(monkeypatch):
    """The command lines of new windows."""
    lines = []
    monkeypatch.setattr(client.subprocess, "Popen", lambda line, **_: lines.append(line[line.index("--new-window") :]))
    return lines


def entries(window):
    menu = window.handlers.windows.menu
    menu.aboutToShow.emit()
    return {plain(action.text()): action for action in menu.actions()}


def test_the_menu_names_the_model_of_each_window_and_raises_it(window, other, qtbot):
    found = entries(window)
    folder = window.project.path.split("/")[-2]
    assert set(found) == {f"{folder}/rig.xml", "other/rig.xml"}
    assert found[f"{folder}/rig.xml"].isChecked() and not found["other/rig.xml"].isChecked()
    found["other/rig.xml"].trigger()
    qtbot.waitUntil(lambda: [each.path for each in other.requests] == [""])
    other.show("")
    assert set(entries(window)) == {"rig.xml", "No model"}


def test_the_title_has_the_folder_where_two_windows_show_one_name(window, other, qtbot, tmp_path):
    qtbot.waitUntil(lambda: window.windowTitle() == f"{tmp_path.name}/rig.xml[*] - Kinetree")
    other.end()
    qtbot.waitUntil(lambda: window.windowTitle() == "rig.xml[*] - Kinetree")


def test_a_name_that_says_nothing_has_its_folder_in_the_title(window, tmp_path, qtbot):
    path = tmp_path / "spot" / "scene.xml"
    path.parent.mkdir()
    path.write_text(FLAWED)
    window.open(str(path))
    qtbot.waitUntil(lambda: window.project.path == str(path))
    assert window.windowTitle() == "spot/scene.xml[*] - Kinetree"


def ask(window, path, qtbot):
    window.open(path)
    qtbot.waitUntil(lambda: window.handlers.windows.question is not None)
    box = window.handlers.windows.question
    assert "open in another window" in box.text()
    return {plain(button.text()): button for button in box.buttons()}


def test_a_model_of_another_window_is_not_opened_twice_unasked(window, other, started, qtbot):
    before = window.project.path
    ask(window, other.path, qtbot)["Cancel"].click()
    qtbot.waitUntil(lambda: window.handlers.windows.question is None)
    ask(window, other.path, qtbot)["Go to Window"].click()
    qtbot.waitUntil(lambda: len(other.requests) == 1)
    assert window.project.path == before and started == []
    ask(window, other.path, qtbot)["Open Here Too"].click()
    qtbot.waitUntil(lambda: window.project.path == other.path)


def test_a_model_of_a_window_that_has_ended_is_opened_here(window, other, qtbot):
    buttons = ask(window, other.path, qtbot)
    other.end()
    buttons["Go to Window"].click()
    qtbot.waitUntil(lambda: window.project.path == other.path)


def test_in_a_new_window(window, other, started, tmp_path, qtbot):
    window.actions_["file.new_window"].trigger()
    assert started.pop() == ["--new-window"]
    path = tmp_path / "third.xml"
    path.write_text(FLAWED)
    window.actions_["file.open_apart"].trigger()
    dialog = window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.close()
    assert started.pop() == ["--new-window", str(path)]
    window.start.open_apart.emit(str(path))
    assert started.pop() == ["--new-window", str(path)]
    window.documents.open_apart(other.path)  # it has a window
    qtbot.waitUntil(lambda: len(other.requests) == 1)
    window.documents.open_apart(window.project.path)
    assert started == [] and window.findChild(QMessageBox) is None


def test_recent_files_are_told_apart_and_open_in_a_new_window_with_ctrl(window, started, settings, monkeypatch):
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication

    settings.clear_recent()
    settings.add_recent("/robots/go2/scene.xml")
    settings.add_recent("/robots/spot/scene.xml")
    menu = window.handlers._recent_menu
    menu.aboutToShow.emit()
    actions = menu.actions()
    assert [plain(each.text()) for each in actions[:2]] == ["spot/scene.xml\t/robots", "go2/scene.xml\t/robots"]
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", lambda: Qt.KeyboardModifier.ControlModifier)
    actions[1].trigger()
    assert started == [["--new-window", "/robots/go2/scene.xml"]]
