"""Things of the shelf, mesh files and models that are dropped on the viewport."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDrag, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QToolButton

from kinetree.app.viewport.dropping import MIME
from kinetree.app.viewport.shelf import TOOLS, mime_of
from kinetree.engine.editing.shelf import SHELF
from tests.app.test_window import place_of
from tests.app.viewport.gizmo.conftest import Hand, hand  # noqa: F401

SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
URDF = """<robot name="r">
  <link name="base">
    <visual><geometry><box size=".4 .4 .2"/></geometry></visual>
    <collision><geometry><box size=".4 .4 .2"/></geometry></collision>
  </link>
  <joint name="j" type="fixed"><parent link="base"/><child link="far"/><origin xyz="1 0 0"/></joint>
  <link name="far">
    <visual><geometry><box size=".4 .4 .4"/></geometry></visual>
    <collision><geometry><box size=".4 .4 .4"/></geometry></collision>
  </link>
</robot>
"""
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def drop(hand: Hand, data: QMimeData, at, modifiers=NONE) -> None:  # noqa: F811
    frame = hand.window.frame
    hand.window.view.camera.distance = 6.0
    place = QPointF(place_of(hand.window, at))
    action, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(place.toPoint(), action, data, left, modifiers)
    frame.dragEnterEvent(enter)
    assert enter.isAccepted()
    frame.dropEvent(QDropEvent(place, action, data, left, modifiers))
    QApplication.processEvents()


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def answer(hand: Hand, words: str) -> None:  # noqa: F811
    box = hand.window.frame.drops.question
    assert isinstance(box, QMessageBox)
    button = next(each for each in box.buttons() if words in each.text())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def test_a_box_stands_on_the_side_of_the_body_that_was_hit(hand) -> None:  # noqa: F811
    before = hand.text
    drop(hand, mime_of("box"), (0, 0.95, 0.7))  # the top of the cube
    hand.settle()
    model = hand.model
    assert model.ngeom == 6
    new = next(i for i in range(model.ngeom) if not model.names["geom"][i])
    assert model.names["body"][model.geom_bodyid[new]] == "box"
    size = model.geom_size[new][0]
    assert model.geom_pos[new] == pytest.approx((0, -0.05, 0.2 + size), abs=0.02)
    assert hand.window.selection.current.kind == "geom"
    assert hand.window.project.texts.undo_names == ["Add box"]
    hand.window.project.undo()
    assert hand.text == before


def test_with_shift_it_goes_into_the_world_and_a_body_is_free_there(hand) -> None:  # noqa: F811
    drop(hand, mime_of("body"), (0, 0.95, 0.7), SHIFT)
    hand.settle()
    model = hand.model
    assert not hand.window.compiler.failed, (hand.text, hand.window.compiler.diagnostics)
    assert model.nbody == 6
    assert model.njnt == 3
    new = model.names["body"].index("") if "" in model.names["body"] else model.nbody - 1
    assert model.body_parentid[new] == 0


def test_a_joint_on_the_world_is_refused_in_words(hand) -> None:  # noqa: F811
    before, said = hand.text, []
    hand.window.frame.drops.said.connect(said.append)
    drop(hand, mime_of("joint"), (-0.5, -0.5, 0))
    assert hand.text == before
    assert "onto a body" in said[0]


def test_a_joint_is_added_to_the_keyframes_as_one_step(hand) -> None:  # noqa: F811
    before = hand.text
    drop(hand, mime_of("joint"), (0, 0, 1.1))  # the hub, in the body before those with joints
    hand.settle()
    assert not hand.window.compiler.failed, (hand.text, hand.window.compiler.diagnostics)
    assert hand.model.njnt == 3
    assert hand.model.key_qpos[0] == pytest.approx([0, -1, 0, 1, 0.5, 1, 0, 0, 0])
    assert hand.window.selection.current.kind == "joint"
    hand.window.project.undo()
    assert hand.text == before


def test_the_shelf_of_urdf(open_paused, tmp_path, rig, qtbot) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(URDF)
    window = open_paused(path)
    hand = Hand(window, qtbot)  # noqa: F811
    assert list(window.frame.shelf.things) == list(SHELF["URDF"])
    drop(hand, mime_of("box"), (1, 0, 0.2))  # the top of the fixed link, which is fused into the base
    hand.settle()
    link = next(node for node in window.project.document.root.iter("link") if node.get("name") == "far")
    assert [child.tag for child in link.children] == ["visual", "collision", "visual", "collision"]
    box = link.children[2].find("geometry").find("box").get("size").split()
    height = float(link.children[2].find("origin").get("xyz").split()[2])
    assert height - float(box[2]) / 2 == pytest.approx(0.2), "it stands on the surface"
    selected = [selection.element for selection in window.selection.selections]
    assert selected == [link.children[2].id, link.children[3].id]
    drop(hand, mime_of("revolute"), (0, 0, 0.1))
    hand.settle()
    assert hand.model.njnt == 1
    joint = list(window.project.document.root.iter("joint"))[-1]
    assert joint.find("parent").get("link") == "base"
    assert window.project.texts.undo_names[:2] == ["Add link on a hinge", "Add box"]


def test_the_shelf_is_one_column_with_the_new_things_by_name_under_one_button(hand) -> None:  # noqa: F811
    shelf = hand.window.frame.shelf
    buttons = [each for each in shelf.findChildren(QToolButton) if each.isVisible()]
    assert len(buttons) == len(TOOLS) + 1 and len({each.x() for each in buttons}) == 1
    assert all(each.toolTip() for each in buttons) and shelf.add.accessibleName() == "Add"
    assert [each.text() for each in shelf.things.values()] == [thing.name for thing in SHELF["MJCF"].values()]
    assert all(each.toolTip() and not each.icon().isNull() for each in shelf.things.values())


def test_a_thing_is_chosen_in_the_menu_with_mouse_or_keyboard_and_put_into_the_middle(hand) -> None:  # noqa: F811
    menu = hand.window.frame.shelf.menu
    QTest.mouseClick(hand.window.frame.shelf.add, Qt.MouseButton.LeftButton)
    hand.qtbot.waitUntil(menu.isVisible)
    QTest.mouseClick(
        menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(hand.window.frame.shelf.things["site"]).center()
    )
    hand.settle()
    assert hand.model.nsite == 2
    hand.window.viewport.setFocus()
    QTest.keyClick(hand.window.viewport, Qt.Key.Key_A, SHIFT)
    hand.qtbot.waitUntil(menu.isVisible)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    hand.settle()
    assert hand.window.project.texts.undo_names[:1] == ["Add box"]


def test_a_thing_is_dragged_out_of_the_menu(hand, monkeypatch) -> None:  # noqa: F811
    dragged = []
    monkeypatch.setattr(QDrag, "exec", lambda drag, _actions: dragged.append(bytes(drag.mimeData().data(MIME))))
    shelf = hand.window.frame.shelf
    shelf.open_menu()
    place = shelf.menu.actionGeometry(shelf.things["sphere"]).center()
    QTest.mousePress(shelf.menu, Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseMove(shelf.menu, place + QPoint(60, 0))
    hand.qtbot.waitUntil(lambda: dragged == [b"sphere"])
    assert not shelf.menu.isVisible()


def test_a_mesh_beside_the_model_is_added_at_once(hand, tmp_path) -> None:  # noqa: F811
    path = tmp_path / "cup.obj"
    path.write_text(TETRAHEDRON)
    drop(hand, files(path), (-0.5, -0.5, 0))
    hand.settle()
    assert '<mesh file="cup.obj"/>' in hand.text
    assert hand.model.nmesh == 1
    assert hand.window.project.texts.undo_names == ["Add mesh"]


@pytest.mark.parametrize("words", ["Copy", "Refer", "Cancel"])
def test_a_mesh_from_elsewhere_is_asked_about(hand, tmp_path, qtbot, words) -> None:  # noqa: F811
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "cup.obj").write_text(TETRAHEDRON)
    model_folder = Path(hand.window.project.path).parent
    path = elsewhere / "cup.obj"
    if model_folder == tmp_path:
        outside = tmp_path.parent / f"{tmp_path.name}_outside"
        outside.mkdir()
        path = path.rename(outside / "cup.obj")
    before = hand.text
    drop(hand, files(path), (-0.5, -0.5, 0))
    answer(hand, words)
    if words == "Cancel":
        assert hand.text == before
        return
    qtbot.waitUntil(lambda: hand.text != before)
    hand.settle()
    assert hand.model.nmesh == 1
    assert (model_folder / "cup.obj").exists() == (words == "Copy")


def test_a_model_is_attached_or_opened(hand, tmp_path, qtbot) -> None:  # noqa: F811
    path = tmp_path / "part.xml"
    path.write_text('<mujoco><worldbody><body name="p"><geom size=".1"/></body></worldbody></mujoco>')
    drop(hand, files(path), (-0.5, -0.5, 0))
    answer(hand, "Attach")
    hand.settle()
    assert "part/p" in hand.model.names["body"]
    assert np.allclose(hand.model.body_pos[hand.model.names["body"].index("part/p")], (-0.5, -0.5, 0), atol=0.02)
    assert hand.window.project.texts.undo_names == ["Attach model"]
    hand.window.project.undo()
    hand.settle()
    drop(hand, files(path), (-0.5, -0.5, 0))
    answer(hand, "Open")
    qtbot.waitUntil(lambda: hand.window.project.path == str(path))
