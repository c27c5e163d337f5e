"""The tools that write a model in another way, in the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from kinetree.app.panels.dialogs.conversion import ConversionDialog
from kinetree.app.workers.converting import Conversion, checked
from kinetree.app.workspace.selection import Selection
from kinetree.engine.document.element_edit import Insert
from tests.app.actions.conftest import message, select, settle, trigger

TEXT = """<mujoco>
  <worldbody>
    <geom name="a" size="0.1" pos="0 0 1" euler="0 0 90"/>
    <geom name="b" type="capsule" size="0.1" fromto="0 0 0 0 0 1"/>
  </worldbody>
</mujoco>
"""


def test_units_and_forms_are_one_step_each(window, qtbot):
    texts = window.project.texts
    trigger(window, "tools.radians")
    assert 'angle="radian"' in texts.text(window.project.path) and texts.undo_names == ["Angles in Radians"]
    trigger(window, "tools.radians")
    assert "already" in message(window, qtbot)
    trigger(window, "tools.quat")
    assert "Select the elements" in message(window, qtbot)
    select(window, "a")
    trigger(window, "tools.quat")
    select(window, "b")
    trigger(window, "tools.without_fromto")
    text = texts.text(window.project.path)
    assert "euler" not in text and "fromto" not in text and 'zaxis="0 0 -1"' in text and len(texts.undo_names) == 3
    window.project.go_to(3)
    assert texts.text(window.project.path) == TEXT and not window.project.modified


def test_elements_are_split_to_a_file_saved_and_put_back(window, qtbot, tmp_path):
    project, actions = window.project, window.actions_

    def compiled() -> None:
        qtbot.waitUntil(lambda: project.compiled.document is project.document)

    def split(name: str) -> None:
        actions["tools.split"].trigger()
        dialog = window.findChild(QInputDialog)
        assert dialog.textValue() == "b.xml"
        dialog.setTextValue(name)
        dialog.accept()
        qtbot.waitUntil(lambda: window.findChild(QInputDialog) is None)
        settle(window)

    select(window, "b")
    split("model.xml")
    assert "choose another name" in message(window, qtbot)
    split("b")
    part = tmp_path / "b.xml"
    compiled()
    assert project.compiled.model is not None
    assert project.modified == [str(tmp_path / "model.xml"), str(part)] and not project.gone and not part.exists()
    project.undo()
    compiled()
    assert not project.modified and not project.gone
    project.redo()
    compiled()
    window.workspace.saving.save_all()
    qtbot.waitUntil(lambda: not project.modified)
    assert "fromto" in part.read_text() and "include" in (tmp_path / "model.xml").read_text()
    include = next(project.document.root.iter("include"))
    window.selection.select(Selection(element=include.id))
    trigger(window, "tools.merge")
    compiled()
    assert project.texts.text(project.path) == TEXT and project.modified == [str(tmp_path / "model.xml")]
    window.workspace.opening.close()


def test_inertia_is_written_and_removed(window, qtbot):
    project = window.project
    select(window, "b")
    trigger(window, "tools.write_inertia")
    assert "is no body" in message(window, qtbot)
    project.apply("Wrap", [Insert(project.document.root.find("worldbody"), '<body name="c"><geom size="1"/></body>')])
    select(window, "c")
    trigger(window, "tools.write_inertia")
    assert "is not compiled yet" in message(window, qtbot)
    qtbot.waitUntil(lambda: project.compiled.document is project.document)
    before = project.texts.text(project.path)
    trigger(window, "tools.write_inertia")
    assert '<inertial pos="0 0 0" mass="4188.79' in project.texts.text(project.path)
    trigger(window, "tools.from_geoms")
    assert project.texts.text(project.path) == before and project.texts.undo_names[0] == "Inertia from Geoms"
    window.workspace.opening.close()


ROBOT = """<robot name="arm">
  <link name="base"/>
  <link name="tip">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint>
</robot>
"""


def test_a_urdf_is_shown_as_mjcf_and_opened(make_window, tmp_path, qtbot):
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    window = make_window(path, physics=False)
    project = window.project
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    window.actions_["tools.convert"].trigger()
    dialog = window.findChild(ConversionDialog)
    assert not dialog.open_button.isEnabled() and dialog.original.text == ROBOT
    qtbot.waitUntil(dialog.open_button.isEnabled)
    assert "<mujoco" in dialog.converted.text and 'name="turn"' in dialog.converted.edit.toPlainText()
    assert dialog.problems.item(0).text() == "The converted text compiles to the same model."
    assert dialog.original.edit.isReadOnly() and "URDF" in dialog.original.label.text()
    target = tmp_path / "arm.xml"
    converted = dialog.converted.text
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: project.path == str(target) and project.compiled is not None)
    assert project.texts.text(project.path) == converted and project.is_new and not target.exists()
    assert path.read_text() == ROBOT
    window.workspace.opening.close()


def test_a_conversion_is_compiled_before_it_is_taken(window, qtbot):
    """The compiler's findings are listed with their lines, in either text."""
    compiled = window.project.compiled
    dialog = ConversionDialog(window.project.path, TEXT, "MJCF", 10, window)
    qtbot.addWidget(dialog)
    dialog.show()
    text = "<mujoco>\n  <worldbody>\n    <geom size='0'/>\n  </worldbody>\n</mujoco>\n"
    dialog.show_conversion(Conversion(compiled, text))
    assert dialog.converted.text == text and not dialog.open_button.isEnabled() and dialog.progress.isVisible()
    dialog.show_conversion(checked(Conversion(compiled, text)))
    shown = [dialog.problems.item(row).text() for row in range(dialog.problems.count())]
    assert shown[0] == "The converted text does not compile." and shown[1].startswith("MJCF, line 3: ")
    assert dialog.open_button.isEnabled() and not dialog.progress.isVisible()
    dialog.problems.setCurrentRow(1)
    assert dialog.converted.edit.textCursor().selectedText().strip() == "<geom size='0'/>"
    other = text.replace("size='0'", "size='1'")
    dialog.show_conversion(checked(Conversion(compiled, other)))
    assert "not quite the same: ngeom" in dialog.problems.item(0).text() and dialog.converted.text == other
