"""The window offers what a crash has left."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from tests.app.conftest import MODEL


def leave(settings, name: str, path, text: str, base: str | None) -> None:
    """Leave a journal, as after a crash."""
    folder = settings.journal / name
    folder.mkdir(parents=True)
    (folder / "text.txt").write_text(text)
    (folder / "base.txt").write_text(base or "")
    files = [{"path": str(path), "text": "text.txt", "base": None if base is None else "base.txt"}]
    state = {"format": 1, "main": str(path), "time": 1.7e9, "files": files}
    (folder / "state.json").write_text(json.dumps(state))


def test_one_is_recovered_and_one_is_discarded(make_window, settings, model_file, tmp_path, qtbot):
    leave(settings, "one", model_file, MODEL.replace('name="hub"', 'name="renamed"'), MODEL)
    leave(settings, "two", tmp_path / "Untitled.xml", "<mujoco/>", None)
    window = make_window()
    qtbot.waitUntil(lambda: window.documents.left is not None)
    dialog = window.documents.left
    rows = [dialog.list.topLevelItem(row).text(0) for row in range(2)]
    dialog.list.setCurrentItem(dialog.list.topLevelItem(rows.index("Untitled.xml")))
    qtbot.mouseClick(dialog.discard_button, Qt.MouseButton.LeftButton)
    box = next(each for each in dialog.children() if isinstance(each, QMessageBox))
    box.button(QMessageBox.StandardButton.Discard).click()
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 1)
    qtbot.mouseClick(dialog.recover_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.project.modified == [str(model_file)])
    assert 'name="renamed"' in window.project.texts.text(model_file)
    assert window.isWindowModified() and window.documents.left is None
    qtbot.waitUntil(lambda: not (settings.journal / "one").exists() and not (settings.journal / "two").exists())
    window.workspace.opening.close()


def test_later_keeps_it_for_the_next_start(make_window, settings, model_file, qtbot):
    leave(settings, "one", model_file, "<mujoco/>", MODEL)
    window = make_window()
    qtbot.waitUntil(lambda: window.documents.left is not None)
    qtbot.mouseClick(window.documents.left.later_button, Qt.MouseButton.LeftButton)
    assert window.documents.left is None
    window.close()
    assert (settings.journal / "one" / "state.json").exists()


def test_long_names_leave_room_for_the_time(make_window, settings, tmp_path, qtbot):
    folder = tmp_path / ("a_folder_with_a_long_name_" * 5)
    leave(settings, "one", folder / ("a_robot_with_a_long_name_" * 8 + ".xml"), "<mujoco/>", None)
    window = make_window()
    qtbot.waitUntil(lambda: window.documents.left is not None)
    view = window.documents.left.list
    qtbot.waitUntil(lambda: view.viewport().width() > 500)
    assert view.header().length() <= view.viewport().width()
    assert view.header().sectionSize(3) >= view.sizeHintForColumn(3)
    window.documents.left.later_button.click()
