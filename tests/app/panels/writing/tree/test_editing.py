"""Editing the text in the tree, with real clicks, keys and drags: what lands in the text, and one step undoes it."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from kinetree.app.panels.writing.tree.delete_dialog import DeleteDialog
from kinetree.app.workspace.selection import Selection
from kinetree.engine.document.edit import difference
from tests.app import pointer
from tests.app.conftest import MODEL, wait_for
from tests.app.panels.writing.tree.test_panel import node_named, opened, pick, row_named, texts

KEY, CONTROL, SHIFT, NONE = (
    Qt.Key,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)
__all__ = ["opened"]


@pytest.fixture
def panel(opened):
    opened.tree.view.setFocus()
    return opened.tree


def text_of(panel) -> str:
    return panel.project.texts.text(panel.project.path)


def press(panel, key, modifier=NONE):
    QTest.keyClick(panel.view, key, modifier)
    edited(panel)


def edited(panel):
    """Wait until the edits are made or refused: their results are compiled first."""
    wait_for(lambda: not panel.commands._tasks.is_busy, pump=QApplication.processEvents)


def drag(panel, name, target, part=0.5, held=()):
    """Drag a row to a part of the height of another one, with real events of the mouse."""
    view = panel.view
    model, viewport = view.tree_model, view.viewport()
    start = view.visualRect(model.index_of(row_named(panel, name))).center()
    area = view.visualRect(model.index_of(row_named(panel, target)))
    end = QPoint(start.x(), round(area.top() + part * area.height()))
    steps = [start + (end - start) * step / 6 for step in range(7)]
    seen = {}

    def look():
        seen.update(place=view._place, allowed=view._allowed, hint=panel.message.text())

    pointer.drag([viewport.mapToGlobal(place) for place in [start, *steps, end]], held, look)
    edited(panel)
    return seen


needs_mouse = pytest.mark.skipif(not pointer.is_available(), reason="libXtst, which moves the mouse, is not installed")


# ---- drags ---------------------------------------------------------------------------------------------------


@needs_mouse
def test_rows_are_dragged_into_and_between_others(panel):
    seen = drag(panel, "tip", "base")
    assert seen["allowed"] and seen["place"].where == "into" and "Shift keeps" in seen["hint"]
    tip = node_named(panel, "tip")
    assert tip.parent.get("name") == "base" and panel.selection.elements == (tip.id,)
    drag(panel, "tip", "hub", 0.05)
    assert [child.tag for child in node_named(panel, "base").children] == ["site", "geom", "body"]
    drag(panel, "floor", "above", 0.95)
    assert [child.get("name") for child in node_named(panel, "worldbody").children][:4] == [
        "sun",
        "front",
        "above",
        "floor",
    ]
    for _ in range(3):
        panel.project.undo()
    assert text_of(panel) == MODEL


@needs_mouse
def test_shift_keeps_the_pose_and_control_copies(panel):
    for name in ("arm", "box"):  # which move, and need a mass without their geoms
        inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        data = QMimeData()
        data.setText(inertial)
        panel.commands.paste_at(node_named(panel, name).id, None, data)
    wait_for(lambda: texts(panel).count("inertial") == 2, pump=QApplication.processEvents)
    drag(panel, "rod", "base", held=(pointer.SHIFT,))
    rod = node_named(panel, "rod")
    assert rod.parent.get("name") == "base" and rod.get("fromto") == "0 0 0 .5 0 0"  # arm stands in the origin of base
    drag(panel, "cube", "base", held=(pointer.SHIFT,))
    assert (
        node_named(panel, "cube").get("pos").split() == ["0", "1", "-0.5"]
        or node_named(panel, "cube").get("pos") == "0 1 -.5"
    )
    panel.project.undo()
    drag(panel, "tip", "box", held=(pointer.CONTROL,))
    assert node_named(panel, "tip").parent.get("name") == "arm"
    assert node_named(panel, "tip_2").parent.get("name") == "box"


def settle(panel):
    """Wait until the rows are those of the text, all of them expanded."""
    wait_for(lambda: "red" in texts(panel) or not panel.expand_all(True), pump=QApplication.processEvents)
    wait_for(lambda: "red" in texts(panel), pump=QApplication.processEvents)


CLASSES = """<mujoco>
  <default>
    <default class="red"><geom rgba="1 0 0 1" density="700"/></default>
    <default class="hard"><geom friction="2" rgba="1 0 0 1"/></default>
  </default>
  <worldbody><geom name="a" class="red" size="1"/></worldbody>
</mujoco>
"""


@needs_mouse
def test_default_classes_are_moved_and_merged_by_drags(panel):
    project = panel.project
    project.apply("Other Text", {project.path: difference(text_of(panel), CLASSES)})
    settle(panel)
    seen = drag(panel, "red", "hard", held=(pointer.ALT,))
    assert seen["allowed"] and "Alt merges" in seen["hint"]
    assert '<geom name="a" class="hard" size="1" friction="1 0.005 0.0001" density="700"/>' in text_of(panel)
    assert "red" not in text_of(panel) and project.texts.undo_name == "Merge default classes"
    project.undo()
    settle(panel)
    drag(panel, "red", "hard", held=(pointer.SHIFT,))
    assert node_named(panel, "hard").find("default").find("geom").get("friction") == "1 0.005 0.0001"


@needs_mouse
def test_a_drag_that_is_not_allowed_says_why_and_does_nothing(panel):
    seen = drag(panel, "base", "arm", 0.5)
    assert not seen["allowed"] and "cannot be moved into itself" in seen["hint"]
    seen = drag(panel, "hinge", "worldbody")
    assert "cannot stand in" in seen["hint"]
    assert text_of(panel) == MODEL and panel.message.isHidden()


# ---- keys ----------------------------------------------------------------------------------------------------


def edit_name(panel, name):
    editor = next(each for each in panel.view.findChildren(QLineEdit) if each.isVisible())
    wait_for(editor.hasFocus, pump=QApplication.processEvents)
    QTest.keyClicks(editor, name)
    QTest.keyClick(editor, KEY.Key_Return)
    wait_for(lambda: panel.view.state() != panel.view.State.EditingState, pump=QApplication.processEvents)
    wait_for_answer(panel)


def wait_for_answer(panel):
    """Wait until a rename has looked at the models around the file."""
    wait_for(lambda: not panel.commands._questions._asked, pump=QApplication.processEvents)


def test_f2_renames_with_all_that_refers(panel):
    pick(panel, "hinge")
    press(panel, KEY.Key_F2)
    edit_name(panel, "elbow")
    assert 'joint name="elbow"' in text_of(panel) and 'motor" joint="elbow"' in text_of(panel)
    assert "elbow" in texts(panel) and panel.view.currentIndex().data() == "elbow"
    assert panel.project.texts.undo_name == "Rename elbow"
    pick(panel, "box")
    press(panel, KEY.Key_F2)
    edit_name(panel, "arm")
    assert "'arm' cannot be the name" in panel.message.text() and "box" in texts(panel)
    panel.project.undo()
    assert text_of(panel) == MODEL


def test_return_takes_the_name_before_the_rows_change(panel):
    pick(panel, "hinge")
    press(panel, KEY.Key_F2)
    editor = next(each for each in panel.view.findChildren(QLineEdit) if each.isVisible())
    editor.setText("elbow")
    QTest.keyClick(editor, KEY.Key_Return)
    panel.view.change(lambda: None)
    wait_for_answer(panel)
    assert 'joint name="elbow"' in text_of(panel)


def test_escape_leaves_the_name(panel):
    pick(panel, "hinge")
    press(panel, KEY.Key_F2)
    editor = next(each for each in panel.view.findChildren(QLineEdit) if each.isVisible())
    QTest.keyClicks(editor, "elbow")
    QTest.keyClick(editor, KEY.Key_Escape)
    assert text_of(panel) == MODEL


def test_ctrl_d_duplicates_and_selects_the_copies(panel):
    pick(panel, "box", "target")
    press(panel, KEY.Key_D, CONTROL)
    assert [panel.view.tree_model.describe(panel.outline.row_of(each)).name for each in panel.view.selected_ids] == [
        "box_2",
        "target_2",
    ]
    assert 'name="float_2"' in text_of(panel) and 'name="cube_2"' in text_of(panel)
    panel.project.undo()
    assert text_of(panel) == MODEL


def test_the_clipboard_has_the_xml_and_takes_it_from_any_editor(panel):
    pick(panel, "box")
    press(panel, KEY.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text().startswith('<body name="box" pos="0 1 .5"><freejoint')
    press(panel, KEY.Key_X, CONTROL)
    assert "box" not in texts(panel) and panel.view.currentIndex().data() == "target"
    press(panel, KEY.Key_V, CONTROL)  # into the mocap body, where a free joint cannot stand
    assert "free joint" in panel.message.text()
    pick(panel, "worldbody")
    press(panel, KEY.Key_V, CONTROL)
    assert panel.view.currentIndex().data() == "box"
    QGuiApplication.clipboard().setText('  <geom name="hub" size="1"/>\n  <site name="tip"/>\n')
    pick(panel, "rod")  # beside it
    press(panel, KEY.Key_V, CONTROL)
    assert '\n        <geom name="hub_2" size="1"/>\n        <site name="tip_2"/>\n' in text_of(panel)
    QGuiApplication.clipboard().setText("no XML")
    press(panel, KEY.Key_V, CONTROL)
    assert "no XML" in panel.message.text()


def dialog_of(panel, qtbot) -> DeleteDialog:
    qtbot.waitUntil(lambda: any(isinstance(each, DeleteDialog) for each in QApplication.topLevelWidgets()))
    return next(each for each in QApplication.topLevelWidgets() if isinstance(each, DeleteDialog) and each.isVisible())


def test_del_deletes_and_asks_about_what_refers(panel, qtbot):
    pick(panel, "hub", "tip")
    press(panel, KEY.Key_Delete)
    assert "hub" not in texts(panel) and "tip" not in texts(panel)
    assert panel.project.texts.undo_name == "Delete 2 elements"
    panel.project.undo()
    pick(panel, "arm")
    press(panel, KEY.Key_Delete)
    dialog = dialog_of(panel, qtbot)
    assert [dialog.list.item(i).text() for i in range(dialog.list.count())] == [
        "<motor> \"motor\", rig.xml:20: joint='hinge'"
    ]
    QTest.keyClick(dialog, KEY.Key_Escape)
    assert text_of(panel) == MODEL
    press(panel, KEY.Key_Delete)
    QTest.mouseClick(dialog_of(panel, qtbot).only, Qt.MouseButton.LeftButton)
    assert "arm" not in texts(panel) and "<motor" in text_of(panel)
    panel.project.undo()
    pick(panel, "arm")
    press(panel, KEY.Key_Delete)
    QTest.mouseClick(dialog_of(panel, qtbot).both, Qt.MouseButton.LeftButton)
    edited(panel)
    assert "arm" not in texts(panel) and "<motor" not in text_of(panel)
    panel.project.undo()
    assert text_of(panel) == MODEL


def test_an_edit_that_would_not_compile_is_refused_with_the_reason(panel, qtbot):
    """Errors that only the compiler finds: a keyframe that would need numbers for the joints of a <composite>."""
    window = panel.window()
    key = '<keyframe><key qpos="{}"/></keyframe>'.format(" ".join(["0"] * window.simulation.model.nq))
    QGuiApplication.clipboard().setText(key)
    pick(panel, "worldbody")
    press(panel, KEY.Key_V, CONTROL)
    text = text_of(panel)
    assert "<keyframe>" in text
    panel.commands.insert(node_named(panel, "worldbody").id, None, "composite")
    edited(panel)
    assert text_of(panel) == text and panel.project.texts.undo_name == "Paste"
    assert "keyframe" in panel.message.text() and "delete it first" in panel.message.text()


# ---- menu ----------------------------------------------------------------------------------------------------


def test_the_menu_inserts_what_may_stand_here_and_the_name_is_edited_at_once(panel, qtbot):
    pick(panel, "box")
    menu = panel.menus.menu()
    insert = menu.actions()[0].menu()
    offered = {action.text(): action for action in insert.actions()}
    assert {"geom", "body", "site"} <= set(offered) and "motor" not in offered
    assert not offered["joint"].isEnabled() and "free already" in offered["joint"].toolTip()
    offered["site"].trigger()
    edited(panel)
    assert '<site name="site" pos="0 0 0" size=".02"/>' in text_of(panel)
    edit_name(panel, "handle")
    assert node_named(panel, "handle").parent.get("name") == "box"
    assert panel.project.texts.undo_names[:2] == ["Rename handle", "Insert site"]
    pick(panel, "motor" if "motor" in texts(panel) else "actuator")
    menu = panel.menus.menu()
    offered = {action.text(): action for action in menu.actions()[0].menu().actions()}
    offered["position"].trigger()
    edited(panel)
    assert '<position name="position" joint="hinge" kp="10"/>' in text_of(panel)


def test_hidden_elements_are_not_drawn_until_all_are_shown(panel, qtbot):
    view = panel.workspace.view
    pick(panel, "arm")
    press(panel, KEY.Key_H, CONTROL)
    model = panel.simulation.model
    assert {(each.kind, model.names[each.kind][each.id]) for each in view.options.hidden} == {
        ("geom", "rod"),
        ("site", "tip"),
    }
    assert ("hidden", "dim") in panel.view.tree_model.badges(row_named(panel, "arm"))
    assert panel.view.tree_model.is_faint(row_named(panel, "rod"))
    old = panel.simulation.model
    panel.commands.insert(node_named(panel, "worldbody").id, 0, "geom")
    qtbot.waitUntil(lambda: panel.simulation.model is not old)
    model = panel.simulation.model
    assert {(each.kind, model.names[each.kind][each.id]) for each in view.options.hidden} == {
        ("geom", "rod"),
        ("site", "tip"),
    }
    pick(panel, "arm")
    press(panel, KEY.Key_H, CONTROL)
    assert not view.options.hidden
    pick(panel, "cube")
    press(panel, KEY.Key_I, CONTROL)
    shown = {each for each in range(model.ngeom) if ("geom", each) not in view.options.hidden}
    assert [model.names["geom"][each] for each in shown] == ["cube"]
    press(panel, KEY.Key_H, CONTROL | SHIFT)
    assert not view.options.hidden and not view.visibility.hides


# ---- what expansion made, and files without text -------------------------------------------------------------


def test_what_expansion_made_is_shown_and_edits_go_to_its_maker(make_window, tmp_path, qtbot):
    path = tmp_path / "made.xml"
    path.write_text(
        '<mujoco><worldbody><replicate count="3" offset="1 0 0" sep="-"><body name="a"><freejoint/><geom size=".1"/>'
        "</body></replicate></worldbody></mujoco>"
    )
    window = make_window(path, physics=False)
    panel = window.tree
    qtbot.waitUntil(lambda: len(panel.outline) > 10)
    panel.expand_all(True)
    assert "a-1" in texts(panel)
    pick(panel, "a-1")
    current = window.selection.current
    assert window.simulation.model.names["body"][current.id] == "a-1" and panel.view.currentIndex().data() == "a-1"
    panel.view.setFocus()
    press(panel, KEY.Key_Delete)
    assert "was made by <replicate>" in panel.message.text() and window.project.texts.undo_name is None
    window.selection.select(Selection("body", 3))
    assert panel.view.currentIndex().data() == "a"


def test_a_binary_file_shows_its_objects(make_window, tmp_path, qtbot):
    import kinetree
    from kinetree.engine.storage.saving import save

    path = tmp_path / "rig.kmodel"
    save(kinetree.load_string(MODEL), str(path))
    window = make_window(path, physics=False)
    panel = window.tree
    qtbot.waitUntil(lambda: len(panel.outline) > 5)
    assert texts(panel)[0] == "world" and "tip" in texts(panel)
    pick(panel, "hub")
    assert window.selection.current == Selection("geom", 1)
    panel.view.setFocus()
    press(panel, KEY.Key_Delete)
    assert "no text" in panel.message.text()
    window.workspace.opening.close()
    assert texts(panel) == []


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("r.urdf", '<robot name="r"><link name="a"/></robot>', ["r", "a"]),
        (
            "x.xml",
            '<x_xy model="m"><worldbody><body name="b" joint="free"/></worldbody></x_xy>',
            ["m", "worldbody", "b"],
        ),
        ("empty.xml", "<mujoco/>", ["mujoco"]),
    ],
)
def test_other_formats_are_edited_the_same_way(make_window, tmp_path, qtbot, name, text, shown):
    path = tmp_path / name
    path.write_text(text)
    window = make_window(path, physics=False)
    panel = window.tree
    qtbot.waitUntil(lambda: texts(panel) == shown)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    panel.view.setFocus()
    pick(panel, shown[-1])
    if len(shown) > 1:
        press(panel, KEY.Key_D, CONTROL)
        assert texts(panel)[-1] == f"{shown[-1]}_2"
        press(panel, KEY.Key_F2)
        edit_name(panel, "other")
        assert texts(panel)[-1] == "other"
    else:
        press(panel, KEY.Key_Delete)
        assert "root" in panel.message.text()


INCLUDING = """<mujoco>
  <worldbody>
    <body name="a"><freejoint/><geom size=".1"/>
      <body name="b"><include file="part.xml"/></body>
    </body>
  </worldbody>
</mujoco>
"""


def test_the_menu_of_an_include_in_a_body_offers_what_the_body_takes(open_paused, tmp_path, qtbot):
    (tmp_path / "part.xml").write_text("<mujocoinclude>\n    <geom size='.1'/>\n</mujocoinclude>\n")
    (tmp_path / "main.xml").write_text(INCLUDING)
    window = open_paused(tmp_path / "main.xml")
    panel = window.tree
    failures = []
    window.workspace.failed.connect(lambda message, details: failures.append(f"{message}\n{details}"))
    for node in [each for root in panel.project.document.trees.values() for each in root.iter()]:
        panel.selection.select(Selection(element=node.id))
        assert next(action.menu() is not None for action in panel.menus.menu().actions())
    include = next(panel.project.document.root.iter("include"))
    panel.selection.select(Selection(element=include.id))
    window.actions_["edit.insert"].trigger()
    menu = QApplication.activePopupWidget()
    assert menu is not None and not failures
    offered = {action.text().replace("&", ""): action for action in menu.actions()}
    assert offered["joint"].isEnabled() and not offered["freejoint"].isEnabled()
    offered["joint"].trigger()
    edited(panel)
    menu.close()
    part = next(path for path in panel.project.document.trees if path.endswith("part.xml"))
    assert "<joint" in panel.project.texts.text(part) and not failures


ROBOT = """<mujoco>
  <default><default class="red"><geom rgba="1 0 0 1" size=".3"/></default></default>
  <worldbody>
    <body name="a" childclass="red"><geom name="ball"/></body>
    <body name="b"><geom name="box" type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""


def test_copies_bring_their_classes_into_another_model_and_that_is_said(open_paused, tmp_path, qtbot):
    (tmp_path / "robot.xml").write_text(ROBOT)
    (tmp_path / "scene.xml").write_text('<mujoco>\n  <worldbody>\n    <body name="b"/>\n  </worldbody>\n</mujoco>\n')
    window = open_paused(tmp_path / "robot.xml")
    panel = window.tree
    pick(panel, "ball")
    panel.actions_["copy"].trigger()
    pick(panel, "b")
    panel.actions_["paste"].trigger()
    edited(panel)
    assert '<geom name="ball_2" class="red"/>' in text_of(panel) and panel.message.text() == ""
    panel.project.undo()
    panel.workspace.opening.open(str(tmp_path / "scene.xml"))
    qtbot.waitUntil(lambda: "ball" not in texts(panel) and "b" in texts(panel))
    pick(panel, "b")
    panel.actions_["paste"].trigger()
    edited(panel)
    assert '<default class="red">' in text_of(panel) and '<geom name="ball" class="red"/>' in text_of(panel)
    assert panel.message.text() == "The default class 'red' came along."
    assert panel.selection.elements == (node_named(panel, "ball").id,)
