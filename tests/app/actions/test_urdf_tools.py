"""The menu Tools on the shapes and links of URDF."""

from __future__ import annotations

from kinetree.app.panels.dialogs.decomposition import DecompositionDialog
from kinetree.app.workspace.selection import Selection, select_object
from tests.app.actions.conftest import message, select, trigger
from tests.engine.editing.tools.test_decompose import bar, written

FILE = "arm.urdf"
TEXT = """<robot name="arm">
  <link name="base">
    <visual><geometry><box size="1 1 1"/></geometry></visual>
    <collision name="hull"><geometry><mesh filename="bar.obj"/></geometry></collision>
  </link>
  <link name="tip">
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint>
</robot>
"""


def test_a_collision_picked_in_the_viewport_is_fitted_and_cut(tmp_path, qtbot, make_window):
    written([bar((0, 0, 0), (0.1, 0.2, 0.4))], tmp_path, "bar")[0].rename(tmp_path / "bar.obj")
    path = tmp_path / FILE
    path.write_text(TEXT)
    window = make_window(path, physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    model = window.simulation.model
    window.selection.select(select_object(model, "geom", model.names["geom"].index("hull")))
    window.actions_["tools.fit_box"].trigger()
    qtbot.waitUntil(lambda: bool(window.project.modified))
    text = window.project.texts.text(window.project.path)
    assert 'name="hull"><origin' in text.replace("\n", "").replace("  ", "") and "<mesh" not in text
    window.project.undo()
    select(window, "hull")
    window.actions_["tools.decompose"].trigger()
    qtbot.waitUntil(lambda: window.findChild(DecompositionDialog) is not None)
    dialog = window.findChild(DecompositionDialog)
    assert not dialog.keep.isChecked() and dialog.folder.text() == str(tmp_path)  # the link has a visual
    dialog.threshold.setValue(0.8)
    dialog.start.click()
    qtbot.waitUntil(lambda: not dialog.decomposer.is_running)
    dialog.insert.click()
    qtbot.waitUntil(lambda: bool(window.project.modified))
    text = window.project.texts.text(window.project.path)
    (made,) = map(window.project.document.node, window.selection.elements)
    assert made.tag == "collision" and made.get("name") == "hull_hull0"
    assert '<mesh filename="bar_hull0.obj"/>' in text and 'filename="bar.obj"' not in text
    window.project.undo()
    assert window.project.texts.text(window.project.path) == TEXT


def test_the_inertia_of_a_link_is_written_and_removed(make_window, tmp_path, qtbot):
    path = tmp_path / FILE
    path.write_text(TEXT.replace('<mesh filename="bar.obj"/>', '<sphere radius="1"/>'))
    window = make_window(path, physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    select(window, "tip")
    window.actions_["tools.write_inertia"].trigger()
    qtbot.waitUntil(lambda: bool(window.project.modified))
    assert '<mass value="1000"/>' in window.project.texts.text(window.project.path)
    window.actions_["tools.from_geoms"].trigger()
    qtbot.waitUntil(lambda: not window.project.modified)
    window.selection.select(Selection(element=window.project.document.root.id))
    window.actions_["tools.write_inertia"].trigger()
    assert "no link" in message(window, qtbot)


def test_a_limb_is_mirrored_and_selected(make_window, tmp_path, qtbot):
    path = tmp_path / FILE
    path.write_text(TEXT.replace('<mesh filename="bar.obj"/>', '<sphere radius="1"/>').replace('"tip"', '"left_tip"'))
    window = make_window(path, physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    select(window, "left_tip")
    trigger(window, "tools.mirror_y")
    (made,) = map(window.project.document.node, window.selection.elements)
    assert made.get("name") == "right_tip" and window.project.texts.undo_names == ["Mirror Limb"]
    qtbot.waitUntil(lambda: "right_tip" in window.project.compiled.model.names["body"])
