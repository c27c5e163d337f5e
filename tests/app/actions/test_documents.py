"""New models and other names, in the window."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from kinetree.app.actions.templates import templates
from kinetree.app.widgets.mnemonics import plain
from kinetree.engine.document.change import set_attribute
from tests.app.conftest import MODEL


@pytest.fixture
def window(make_window, model_file, qtbot):
    made = make_window(model_file, physics=False)
    qtbot.waitUntil(lambda: made.simulation.model is not None)
    return made


def edit(window, value: str, merge=None) -> None:
    hub = next(node for node in window.project.document.root.iter("geom") if node.get("name") == "hub")
    window.project.apply("Set Size", set_attribute(hub, "size", value), merge)


def choose(window, path) -> None:
    """Answer the file dialog."""
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(path))
    dialog.close()


def test_a_new_model_has_no_file_until_it_is_saved(window, tmp_path, qtbot):
    window.settings.folder = str(tmp_path)
    (tmp_path / "Untitled.xml").write_text("another file")
    window.actions_["file.new"].trigger()
    path = tmp_path / "Untitled 2.xml"
    qtbot.waitUntil(lambda: window.project.path == str(path))
    assert window.project.is_new and window.isWindowModified() and not path.exists()
    assert window.simulation.model.names["body"] == ["world", "box"]
    window.actions_["file.save"].trigger()
    target = tmp_path / "sub" / "robot.xml"
    target.parent.mkdir()
    with qtbot.waitSignal(window.workspace.saving.saved):
        choose(window, target)
    assert target.read_text() == window.project.texts.text(target) and not window.isWindowModified()
    assert window.project.path == str(target) and window.settings.recent()[0] == str(target)
    assert not path.exists()


def test_save_asks_for_a_place_where_the_folder_is_lost(make_window, tmp_path, qtbot):
    path = tmp_path / "robots" / "rig.xml"
    path.parent.mkdir()
    path.write_text(MODEL)
    window = make_window(path, physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    edit(window, ".3")
    shutil.rmtree(path.parent)
    qtbot.waitUntil(lambda: window.workspace.disk.obstructed == [str(path)])
    window.actions_["file.save"].trigger()
    target = tmp_path / "elsewhere.xml"
    with qtbot.waitSignal(window.workspace.saving.moved):
        choose(window, target)
    assert 'size=".3"' in target.read_text() and not window.project.modified and not window.workspace.disk.obstructed


def test_every_template_is_offered(window):
    window.documents.templates_menu.aboutToShow.emit()
    assert [plain(each.text()) for each in window.documents.templates_menu.actions()] == [
        each.title for each in templates()
    ]


def test_save_as_goes_on_with_the_state_the_selection_and_the_history(window, model_file, tmp_path, qtbot):
    edit(window, ".3")
    qtbot.waitUntil(lambda: window.simulation.model.geom_size[1, 0] == 0.3)
    hub = next(node for node in window.project.document.root.iter("geom") if node.get("name") == "hub")
    other = tmp_path / "other" / "name.xml"
    other.parent.mkdir()
    window.actions_["file.save_as"].trigger()
    with qtbot.waitSignal(window.workspace.saving.moved):
        choose(window, other)
    assert model_file.read_text() == MODEL and 'size=".3" mass="1"' in other.read_text()
    assert window.project.document.node(hub.id) is not None and window.windowTitle().startswith("name.xml")
    window.project.undo()
    assert window.project.texts.text(other) == MODEL and window.project.modified == [str(other)]
    qtbot.waitUntil(lambda: window.simulation.model.geom_size[1, 0] == 0.1)
    other.write_text(MODEL.replace('range="-90 90"', 'range="-80 80"'))  # it is watched there
    qtbot.waitUntil(lambda: "-80 80" in window.project.texts.text(other))


def test_save_as_where_it_cannot_be_written_changes_nothing(window, tmp_path, qtbot):
    told = []
    window.workspace.failed.disconnect(window.report)
    window.workspace.failed.connect(lambda message, _details: told.append(message))
    before = window.project.path
    window.workspace.saving.save_as(str(tmp_path / "no" / "such" / "folder.xml"))
    qtbot.waitUntil(lambda: bool(told))
    assert window.project.path == before and not window.project.modified and window.project.texts.undo_name is None
    assert window.project.texts.text(before) == MODEL


def test_a_copy_has_the_text_and_the_window_stays(window, model_file, tmp_path, qtbot):
    edit(window, ".3")
    window.actions_["file.save_copy_as"].trigger()
    with qtbot.waitSignal(window.workspace.saving.saved):
        choose(window, tmp_path / "copy.xml")
    assert (tmp_path / "copy.xml").read_text() == window.project.texts.text(model_file)
    assert window.project.path == str(model_file) and window.project.modified
    window.workspace.opening.close()


def test_included_files_that_would_be_lost_are_copied_after_a_question(make_window, tmp_path, qtbot):
    path = tmp_path / "old" / "model.xml"
    (path.parent / "parts").mkdir(parents=True)
    path.write_text('<mujoco><worldbody><include file="parts/arm.xml"/></worldbody></mujoco>')
    (path.parent / "parts" / "arm.xml").write_text('<x><include file="parts/hand.xml"/></x>')
    (path.parent / "parts" / "hand.xml").write_text('<x><geom name="hand" size="1"/></x>')
    (tmp_path / "new").mkdir()
    window = make_window(path, physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    for choice, name in ((QMessageBox.StandardButton.Cancel, "no.xml"), (QMessageBox.StandardButton.Save, "yes.xml")):
        window.actions_["file.save_as"].trigger()
        choose(window, tmp_path / "new" / name)
        box = window.findChild(QMessageBox)
        assert str(tmp_path / "new" / "parts" / "arm.xml") in box.informativeText()
        box.button(choice).click()
        qtbot.waitUntil(lambda: window.findChild(QMessageBox) is None)
        if choice == QMessageBox.StandardButton.Cancel:
            assert not list((tmp_path / "new").iterdir()) and window.project.path == str(path)
    target = tmp_path / "new" / "yes.xml"
    qtbot.waitUntil(lambda: window.project.path == str(target))
    qtbot.waitUntil(lambda: window.compiler.compiling_since is None and not window.compiler.failed)
    assert window.simulation.model.names["geom"] == ["hand"] and target.read_text() == path.read_text()
    assert '"../old/parts/hand.xml"' in (tmp_path / "new" / "parts" / "arm.xml").read_text()


def test_the_question_about_unsaved_edits_says_what_is_lost_and_names_its_buttons(window, qtbot):
    edit(window, ".2")
    window.documents.unless_unsaved(lambda: None)
    box = window.findChild(QMessageBox)
    choices = QMessageBox.StandardButton
    assert box.text() == "Save the changes to rig.xml before it is closed?"
    assert box.informativeText() == "Changes that you do not save are lost."
    texts = [plain(box.button(each).text()) for each in (choices.Save, choices.Discard, choices.Cancel)]
    assert texts == ["Save", "Don't Save", "Cancel"]
    box.reject()


def test_a_model_that_was_never_saved_is_saved_as(window, qtbot):
    window.actions_["file.new"].trigger()
    qtbot.waitUntil(lambda: window.project.is_new)
    window.documents.unless_unsaved(lambda: None)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    box = window.findChild(QMessageBox)
    assert plain(box.button(QMessageBox.StandardButton.Save).text()) == "Save As…"
    box.reject()


def test_a_copy_is_never_a_file_of_the_model(window, model_file):
    told = []
    window.workspace.failed.disconnect(window.report)
    window.workspace.failed.connect(lambda message, _details: told.append(message))
    for save in (window.workspace.saving.save_copy_as, window.workspace.converting.save_copy):
        save(str(model_file))
    assert len(told) == 2 and all("part of the model" in text for text in told)


def test_the_history_panel_shows_the_steps_and_goes_to_them(window, qtbot):
    window.docks["history"].show()
    panel = window.history
    for value in (".2", ".3", ".4"):
        edit(window, value)
    model = panel.model
    assert [model.index(row).data() for row in range(model.rowCount())] == ["Opened", *["Set Size"] * 3]
    assert model.present == 3
    for row, size in ((1, ".2"), (0, ".1"), (3, ".4")):
        place = panel.view.visualRect(model.index(row)).center()
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert model.present == row
        assert f'size="{size}" mass="1"' in window.project.texts.text(window.project.path)
    window.project.undo()
    edit(window, ".5")
    assert model.rowCount() == 4 and model.present == 3
    window.workspace.opening.close()


def test_a_lost_folder_is_told_and_the_text_is_saved_elsewhere(window, model_file, tmp_path, qtbot):
    lost = tmp_path / "lost" / "rig.xml"
    lost.parent.mkdir()
    window.workspace.saving.save_as(str(lost))
    qtbot.waitUntil(lambda: window.project.path == str(lost))
    lost.unlink()
    lost.parent.rmdir()
    bar = window.frame.files_bar
    qtbot.waitUntil(lambda: bar.isVisible() and "folder of rig.xml is gone" in bar.text())
    bar.buttons[0].click()
    with qtbot.waitSignal(window.workspace.saving.saved):
        choose(window, tmp_path / "again.xml")
    assert (tmp_path / "again.xml").read_text() == MODEL and not bar.isVisible()
