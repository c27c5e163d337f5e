"""The gizmo in a real window: what a drag does to the text, the model and the undo history."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

import kinetree
from kinetree.app.viewport.gizmo.drag import PARENT, WORLD
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection, select_object
from kinetree.engine.document.edit import Edit
from kinetree.engine.scene.gizmo import FACING, MOVE, SIZE, TURN, Handle
from tests.app.test_window import place_of
from tests.app.viewport.gizmo.conftest import LEFT, NONE, Hand
from tests.engine.editing.test_size import MESH, WEDGE

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def body_pos(hand, name):
    return np.array(hand.model.body_pos[kinetree.name2id(hand.model, "body", name)])


def test_a_body_is_moved_along_one_axis_as_one_step(hand) -> None:
    before = hand.text
    hand.select(("body", "base"))
    hand.drag(Handle(MOVE, (2,)), 0, -60)
    x, y, z = body_pos(hand, "base")
    assert (x, y) == (0, 0)
    assert z > 1.05
    assert hand.text == before.replace('name="base" pos="0 0 1"', f'name="base" pos="0 0 {z:g}"')
    assert hand.window.project.texts.undo_names == ["Move body"]
    hand.window.project.undo()
    assert hand.text == before


def test_the_gizmo_follows_at_once_and_the_text_soon(hand, qtbot) -> None:
    hand.select(("body", "base"))
    start = hand.press(Handle(MOVE, (2,)))
    for way in range(1, 41, 3):
        hand.move(start - QPoint(0, way))
    pose = hand.gizmo.place()[1]
    assert pose[0][2] > 1.02, "the gizmo is there before the text is compiled"
    qtbot.waitUntil(lambda: body_pos(hand, "base")[2] == pytest.approx(pose[0][2], abs=0.02))
    hand.release(start - QPoint(0, 40))
    hand.settle()
    assert len(hand.window.project.texts.undo_names) == 1


def test_the_simulation_runs_on_through_a_drag_and_its_undo(hand, qtbot) -> None:
    simulation, before = hand.window.simulation, hand.text
    hand.select(("geom", "hub"))
    simulation.post(requests.Play())
    qtbot.waitUntil(lambda: simulation.snapshot.time > 0.05)
    times = [simulation.snapshot.time]
    hand.drag(Handle(MOVE, (2,)), 0, -40)
    assert hand.text != before
    times.append(simulation.snapshot.time)
    QTest.keyClick(hand.viewport, Qt.Key.Key_Z, CONTROL)
    assert hand.text == before
    hand.settle()
    qtbot.waitUntil(lambda: simulation.snapshot.time > times[-1])
    assert times[1] > times[0]
    assert simulation.running


def test_a_press_means_the_handles_of_what_was_selected_just_before(hand) -> None:
    """A click in the pass of the event loop in which what is placed nowhere is selected."""
    hand.select(("body", "base"))
    at = hand.grip(Handle(MOVE, (2,)))
    hand.window.selection.select(Selection("actuator", 0))
    QTest.mousePress(hand.viewport, LEFT, NONE, at)
    assert hand.gizmo.targets == () and hand.gizmo.drag is None
    hand.release(at)


@pytest.mark.parametrize(("key", "held"), [(Qt.Key.Key_Escape, NONE), (Qt.Key.Key_Z, CONTROL)])
def test_escape_or_undo_takes_the_drag_back(hand, key, held) -> None:
    before = hand.text
    hand.select(("body", "base"))
    start = hand.press(Handle(MOVE, (2,)))
    hand.move(start - QPoint(0, 40))
    assert hand.text != before
    QTest.keyClick(hand.viewport, key, held)
    assert hand.gizmo.drag is None
    assert hand.text == before
    hand.release(start)
    assert hand.window.project.texts.undo_names == []


def test_a_typed_number_replaces_the_mouse(hand) -> None:
    hand.select(("body", "base"))
    start = hand.press(Handle(MOVE, (2,)))
    hand.move(start - QPoint(0, 20))
    QTest.keyClicks(hand.viewport, ".")
    field = hand.window.frame.gizmo_layer.field
    QTest.keyClicks(field, "125")
    assert field.text() == ".125"
    QTest.keyClick(field, Qt.Key.Key_Tab)
    QTest.keyClicks(field, "-2")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert hand.gizmo.drag is None
    hand.release(start)
    hand.settle()
    assert 'name="base" pos="-2 0 1.125"' in hand.text
    assert hand.window.project.texts.undo_names == ["Move body"]


def test_a_key_keeps_the_drag_to_an_axis(hand) -> None:
    hand.gizmo.set_space(WORLD)
    hand.select(("body", "base"))
    start = hand.press(Handle(MOVE, (1, 2)))
    QTest.keyClick(hand.viewport, Qt.Key.Key_X)
    assert hand.gizmo.drag.handle == Handle(MOVE, (0,))
    along = hand.gizmo.place()[0]
    points = along.project([along.pos, along.pos + along.axis(0)])
    direction = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
    hand.move(start)
    hand.move(start + QPoint(*(40 * direction).round().astype(int).tolist()))
    hand.release(start)
    hand.settle()
    x, y, z = body_pos(hand, "base")
    assert x > 0.02
    assert (y, z) == (0, 1)
    assert not hand.window.view.options.convexhull, "the keys of the drag are not those of flags"


def test_control_snaps(hand) -> None:
    hand.gizmo.set_space(PARENT)
    hand.select(("body", "base"))
    hand.drag(Handle(MOVE, (2,)), 0, -37, CONTROL)
    z = body_pos(hand, "base")[2]
    assert z != 1
    assert round(z * 1000) % 10 == 0, "a multiple of a round step"
    hand.gizmo.set_tool(TURN)
    hand.drag(Handle(TURN, (2,)), 40, 10, CONTROL)
    quat = hand.model.body_quat[kinetree.name2id(hand.model, "body", "base")]
    angle = math.degrees(2 * math.atan2(quat[3], quat[0]))
    assert abs(angle) > 1
    assert abs(angle / 5 - round(angle / 5)) < 1e-3


def test_a_turn_writes_the_form_of_the_author(hand) -> None:
    hand.gizmo.set_tool(TURN)
    hand.window.view.camera.distance = 12.0
    hand.select(("camera", "front"))
    hand.press(Handle(TURN, (FACING,)))
    QTest.keyClicks(hand.viewport, "9")
    field = hand.window.frame.gizmo_layer.field
    QTest.keyClicks(field, "0")
    QTest.keyClick(field, Qt.Key.Key_Return)
    hand.settle()
    line = next(line for line in hand.text.splitlines() if 'name="front"' in line)
    assert 'pos="0 -3 1" xyaxes="' in line
    assert "quat" not in line


def test_the_size_of_a_shape(hand) -> None:
    before = hand.text
    hand.gizmo.set_tool(SIZE)
    hand.select(("geom", "cube"))
    hand.drag(Handle(SIZE, (2,), 1), 0, -30)
    assert hand.model.geom_size[kinetree.name2id(hand.model, "geom", "cube")][2] > 0.21
    assert hand.text.replace(" ", "")[:50] == before.replace(" ", "")[:50]
    assert 'type="box" size=".2 .2 .' in hand.text
    hand.select(("geom", "rod"))
    hand.press(Handle(SIZE, (2,), -1))
    hand.gizmo.type("1")
    assert hand.gizmo.drag.reaches()[2, -1] == 1
    assert hand.gizmo.drag.reaches()[2, 1] == pytest.approx(0.3), "the other end stays"
    QTest.keyClicks(hand.viewport, "1")
    QTest.keyClick(hand.window.frame.gizmo_layer.field, Qt.Key.Key_Return)
    hand.settle()
    assert 'fromto="0 0 0 1.2 0 0"' in hand.text, "the dragged end moves, to half a length of 1 m from the middle"


def test_the_range_of_a_joint_is_dragged_in_degrees(hand) -> None:
    hand.select(("joint", "hinge"))
    hand.press(Handle("limit", (2,), 1))
    QTest.keyClicks(hand.viewport, "4")
    field = hand.window.frame.gizmo_layer.field
    QTest.keyClicks(field, "5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    hand.settle()
    assert 'range="-90 45"' in hand.text
    hand.drag(Handle("limit", (2,), -1), 25, 25)
    low, high = hand.model.jnt_range[0]
    assert high == pytest.approx(math.radians(45))
    assert low > math.radians(-90)
    assert hand.window.project.texts.undo_names == ["Set range of joint"] * 2


def test_several_elements_move_together_and_what_stands_in_them_once(hand) -> None:
    hand.gizmo.set_space(WORLD)
    hand.select(("body", "arm"), ("body", "box"), ("body", "base"))
    assert [target.node.get("name") for target in hand.gizmo.targets] == ["box", "base"]
    hand.press(Handle(MOVE, (2,)))
    QTest.keyClicks(hand.viewport, "1")
    QTest.keyClick(hand.window.frame.gizmo_layer.field, Qt.Key.Key_Return)
    hand.settle()
    assert body_pos(hand, "base")[2] == 2
    assert body_pos(hand, "box")[2] == 1.5
    assert body_pos(hand, "arm")[2] == 0
    assert hand.window.project.texts.undo_names == ["Move 2 elements"]


def test_a_displaced_parent_s_frame_of_this_moment_counts(hand) -> None:
    address = int(hand.model.jnt_qposadr[0])
    hand.window.simulation.post(requests.SetValues("qpos", address, [math.pi / 2]))
    hand.qtbot.waitUntil(lambda: abs(hand.window.simulation.snapshot.qpos[address] - math.pi / 2) < 1e-6)
    hand.gizmo.set_space(WORLD)
    hand.select(("site", "tip"))
    hand.press(Handle(MOVE, (2,)))
    QTest.keyClicks(hand.viewport, "1")
    QTest.keyClick(hand.window.frame.gizmo_layer.field, Qt.Key.Key_Return)
    hand.settle()
    line = next(line for line in hand.text.splitlines() if 'name="tip"' in line)
    assert 'pos="-.5 0 0"' in line, "up in the world is against X of the arm that hangs down"


def test_edit_mode_owns_its_keys_and_gives_them_back(hand) -> None:
    options = hand.window.view.options
    hand.select(("body", "base"))
    QTest.keyClick(hand.viewport, Qt.Key.Key_T)
    assert options.transparent
    QTest.keyClick(hand.viewport, Qt.Key.Key_N)
    assert hand.gizmo.edit_mode
    QTest.keyClick(hand.viewport, Qt.Key.Key_R)
    assert hand.gizmo.tool == TURN
    assert options.reflection
    QTest.keyClick(hand.viewport, Qt.Key.Key_T)
    assert hand.gizmo.tool == MOVE
    assert options.transparent
    assert hand.window.actions_["edit.mode"].isChecked()
    QTest.mouseClick(hand.viewport, Qt.MouseButton.LeftButton, pos=place_of(hand.window, (0, 1, 0.5)))
    assert hand.window.selection.current == Selection("body", 3)
    QTest.keyClick(hand.viewport, Qt.Key.Key_Escape)
    assert not hand.gizmo.edit_mode
    QTest.keyClick(hand.viewport, Qt.Key.Key_T)
    assert not options.transparent


def test_the_axes_are_chosen_by_a_key_and_on_the_shelf(hand) -> None:
    hand.select(("body", "base"))
    QTest.keyClick(hand.viewport, Qt.Key.Key_N)
    QTest.keyClick(hand.viewport, Qt.Key.Key_A)
    assert hand.gizmo.space == PARENT
    assert "parent's axes" in hand.window.frame.gizmo_layer.facts()
    hand.window.actions_["edit.axes"].trigger()
    assert hand.gizmo.space == WORLD


def test_the_camera_looks_at_what_is_selected(hand) -> None:
    hand.select(("light", "sun"))
    hand.window.actions_["camera.look"].trigger()
    assert hand.window.view.camera.lookat == pytest.approx((0, 0, 4))
    frame = hand.gizmo.place()[0]
    assert frame.middle == pytest.approx((hand.viewport.width() / 2, hand.viewport.height() / 2), abs=1)


def test_a_position_of_the_mouse_counts_while_the_new_model_has_no_state(hand, monkeypatch) -> None:
    hand.select(("body", "base"))
    start = hand.press(Handle(MOVE, (2,)))
    hand.move(start - QPoint(0, 10))
    simulation, shown = hand.window.simulation, hand.gizmo.place()[1][0][2]
    monkeypatch.setattr(simulation, "snapshot", None)
    hand.move(start - QPoint(0, 60))
    assert hand.gizmo.place()[1][0][2] > shown + 0.05
    monkeypatch.undo()
    hand.release(start - QPoint(0, 60))
    hand.settle()
    assert body_pos(hand, "base")[2] > shown + 0.05


def test_double_click_selects_a_body_then_its_geom_and_control_adds(hand) -> None:
    selection = hand.window.selection
    at = place_of(hand.window, (0, 1, 0.5))
    QTest.mouseDClick(hand.viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert selection.current.kind == "body"
    QTest.mouseDClick(hand.viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert selection.current.kind == "geom"
    other = place_of(hand.window, (1, 0, 0.5))
    QTest.mouseDClick(hand.viewport, Qt.MouseButton.LeftButton, CONTROL, other)
    assert [each.kind for each in selection.selections] == ["geom", "body"]
    QTest.mouseDClick(hand.viewport, Qt.MouseButton.LeftButton, CONTROL, other)
    assert [each.kind for each in selection.selections] == ["geom"]


def test_a_text_with_errors_keeps_the_gizmo_on_the_last_good_model(hand, qtbot) -> None:
    project = hand.window.project
    hand.select(("body", "base"))
    text = hand.text
    at = text.index('pos="0 0 4" dir') + len('pos="0 0 4')
    from kinetree.engine.document.edit import Edit

    project.apply("Type", {project.path: [Edit(at, at, " nonsense")]})
    qtbot.waitUntil(lambda: hand.window.compiler.failed)
    hand.drag(Handle(MOVE, (2,)), 0, -30)
    assert 'name="base" pos="0 0 1"' not in hand.text
    assert project.texts.undo_names[0] == "Move body"


def test_a_free_body_and_a_hinge_are_moved_in_a_keyframe(hand, qtbot) -> None:
    window, before = hand.window, hand.text
    hand.window.selection.select_several([Selection("key", 0), Selection("body", 3)])
    qtbot.waitUntil(lambda: "not shown" in hand.gizmo.reason)
    window.simulation.post(requests.LoadKeyframe(0))
    qtbot.waitUntil(lambda: window.simulation.snapshot.qpos[0] == -1)
    hand.select(("key", "up"), ("body", "box"))
    hand.press(Handle(MOVE, (2,)))
    QTest.keyClicks(hand.viewport, "2")
    QTest.keyClick(window.frame.gizmo_layer.field, Qt.Key.Key_Return)
    hand.settle()
    assert hand.text == before.replace('qpos="-1 0 1 .5 1 0 0 0"', 'qpos="-1 0 1 2.5 1 0 0 0"')
    qtbot.waitUntil(lambda: window.simulation.snapshot.qpos[3] == 2.5)
    hand.select(("key", "up"), ("joint", "hinge"))
    hand.press(Handle("limit", (2,)))
    QTest.keyClicks(hand.viewport, "3")
    field = window.frame.gizmo_layer.field
    QTest.keyClicks(field, "0")
    QTest.keyClick(field, Qt.Key.Key_Return)
    hand.settle()
    assert 'qpos=".5236 0 1 2.5 1 0 0 0"' in hand.text


JOINTS = """<mujoco>
  <worldbody>
    <body name="a" pos="0 0 1"><joint name="h" axis="0 1 0"/><geom size=".1"/>
      <body name="b" pos=".5 0 0" euler="0 0 90"><joint name="ball" type="ball" pos="0 0 .1" range="0 60"/>
        <geom name="g" type="box" size=".1 .2 .05" pos="0 0 .2"/>
      </body>
    </body>
    <body name="s" pos="0 1 .5"><joint name="slide" type="slide" axis="1 0 0" range="-.1 .5"/><geom size=".1"/></body>
  </worldbody>
  <keyframe><key name="k" qpos="1.5708 1 0 0 0 .25"/></keyframe>
</mujoco>
"""


@pytest.fixture
def joints(open_paused, tmp_path, rig, qtbot):
    path = tmp_path / "joints.xml"
    path.write_text(JOINTS)
    return Hand(open_paused(path), qtbot)


def type_number(hand, text: str) -> None:
    QTest.keyClicks(hand.viewport, text[0])
    field = hand.window.frame.gizmo_layer.field
    QTest.keyClicks(field, text[1:])
    QTest.keyClick(field, Qt.Key.Key_Return)
    hand.settle()


def test_the_cone_of_a_ball_joint_is_dragged_in_degrees(joints, qtbot) -> None:
    hand = joints
    hand.select(("joint", "ball"))
    hand.press(Handle("limit", (2,), 1))
    type_number(hand, "45")
    assert 'range="0 45"' in hand.text
    hand.drag(Handle("limit", (2,), 1), 0, 20)
    low, high = hand.model.jnt_range[int(hand.model.names["joint"].index("ball"))]
    assert low == 0 and 0 < high < math.pi and high != pytest.approx(math.radians(45), abs=0.01)
    assert hand.window.project.texts.undo_names == ["Set range of joint"] * 2


def test_a_ball_joint_is_turned_in_a_keyframe(joints, qtbot) -> None:
    hand, window = joints, joints.window
    window.simulation.post(requests.LoadKeyframe(0))
    qtbot.waitUntil(lambda: window.simulation.snapshot.qpos[0] == 1.5708)
    hand.select(("key", "k"), ("geom", "g"))  # what the ball carries stands for it
    assert hand.gizmo.reason.startswith("a keyframe only turns")
    hand.gizmo.set_tool(TURN)
    hand.gizmo.set_space(WORLD)
    hand.settle()
    frame = hand.gizmo.frames()[-1]
    assert frame[0] == pytest.approx(window.simulation.snapshot.xanchor[1])
    before = np.array(window.simulation.snapshot.xmat[2]).reshape(3, 3)
    hand.press(Handle(TURN, (2,)))
    type_number(hand, "30")
    assert window.project.texts.undo_names == ["Turn joint of key"]
    qtbot.waitUntil(lambda: abs(window.simulation.snapshot.qpos[1] - math.cos(math.pi / 12)) < 1e-4)
    after = np.array(window.simulation.snapshot.xmat[2]).reshape(3, 3)
    turn = after @ before.T
    assert math.degrees(math.atan2(turn[1, 0], turn[0, 0])) == pytest.approx(30, abs=0.01), "about Z of the world"
    assert turn[2, 2] == pytest.approx(1)
    line = next(line for line in hand.text.splitlines() if "<key " in line)
    assert 'qpos="1.5708 ' in line
    assert line.endswith(' .25"/></keyframe>')


def test_the_range_of_a_slide_is_drawn_where_the_body_has_moved_to(joints, qtbot) -> None:
    hand, window = joints, joints.window
    window.simulation.post(requests.LoadKeyframe(0))
    qtbot.waitUntil(lambda: window.simulation.snapshot.qpos[5] == 0.25)
    hand.select(("joint", "slide"))
    span = hand.gizmo.span()
    assert span.pos == pytest.approx((0.25, 1, 0.5))
    assert span.point(span.low, 0) == pytest.approx((-0.1, 1, 0.5))
    assert span.point(span.high, 0) == pytest.approx((0.5, 1, 0.5))
    assert hand.gizmo.middle() == pytest.approx((0.25, 1, 0.5))
    hand.select(("key", "k"), ("joint", "slide"))
    assert hand.gizmo.place()[1][0] == pytest.approx((0.25, 1, 0.5))
    hand.press(Handle("limit", (2,)))
    type_number(hand, ".4")
    assert hand.text.count('qpos="1.5708 1 0 0 0 .4"') == 1
    qtbot.waitUntil(lambda: window.simulation.snapshot.xpos[3][0] == pytest.approx(0.4))


def test_anchors_and_axes_of_joints(joints) -> None:
    hand = joints
    hand.gizmo.set_space(PARENT)
    hand.select(("joint", "ball"))
    hand.press(Handle(MOVE, (2,)))
    type_number(hand, ".25")
    assert '<joint name="ball" type="ball" pos="0 0 .35" range="0 60"/>' in hand.text
    hand.gizmo.set_tool(TURN)
    assert "no direction" in hand.gizmo.reason
    hand.select(("joint", "slide"))
    hand.press(Handle(TURN, (2,)))
    type_number(hand, "90")
    assert 'type="slide" axis="0 1 0"' in hand.text
    hand.gizmo.set_tool(MOVE)
    hand.press(Handle(MOVE, (0,)))
    type_number(hand, "1")
    assert 'type="slide" axis="0 1 0" range="-.1 .5" pos="1 0 0"' in hand.text


def test_a_mesh_that_others_show_is_copied_when_it_is_resized(open_paused, tmp_path, rig, qtbot) -> None:
    (tmp_path / "wedge.obj").write_text(WEDGE)
    path = tmp_path / "m.xml"
    path.write_text(MESH)
    hand = Hand(open_paused(path), qtbot)
    hand.gizmo.set_tool(SIZE)
    model = hand.model
    hand.window.selection.select(select_object(model, "geom", 0))
    qtbot.waitUntil(lambda: len(hand.gizmo.targets) == 1)
    assert "a mesh of its own, as 2 geoms" in hand.window.frame.gizmo_layer.facts()
    start = hand.press(Handle(SIZE, (2,), 1))
    for step in range(1, 5):
        hand.move(start - QPoint(0, 10 * step))
        hand.settle()
    hand.release(start - QPoint(0, 40))
    hand.settle()
    assert hand.model.nmesh == 2
    assert hand.window.project.texts.undo_names == ["Resize geom"]
    line = next(line for line in hand.text.splitlines() if "wedge_2" in line)
    scale = [float(word) for word in line.split('scale="')[1].split('"')[0].split()]
    assert scale[:2] == [0.5, 0.5]
    assert scale[2] > 2
    hand.window.project.undo()
    assert hand.text == MESH
    hand.settle()
    hand.window.selection.select(select_object(hand.model, "mesh", 0))
    qtbot.waitUntil(lambda: [each.node.tag for each in hand.gizmo.targets] == ["mesh"])
    assert "all 2 geoms" in hand.window.frame.gizmo_layer.facts()
    hand.press(Handle(SIZE, (2,), 1), SHIFT)
    type_number(hand, "4")
    assert '<mesh file="wedge.obj" scale="1 1 4"/>' in hand.text


def test_a_height_field_is_resized(open_paused, tmp_path, rig, qtbot) -> None:
    (tmp_path / "wedge.obj").write_text(WEDGE)
    path = tmp_path / "m.xml"
    path.write_text(MESH)
    hand = Hand(open_paused(path), qtbot)
    hand.gizmo.set_tool(SIZE)
    hand.window.view.camera.distance = 8.0
    hand.window.selection.select(select_object(hand.model, "geom", 2))
    qtbot.waitUntil(lambda: len(hand.gizmo.targets) == 1)
    hand.press(Handle(SIZE, (2,), 1))
    type_number(hand, "1")
    assert 'size="1 2 1 .1"' in hand.text
    assert hand.model.hfield_size[0][2] == 1


def paint(hand) -> None:
    """Paint the handles now, and ask what a mouse that moves and a picture ask."""
    hand.gizmo.hover_at(5, 5)
    hand.gizmo.move(30, 30, False)
    hand.gizmo.middle()
    hand.gizmo.figures()
    hand.window.frame.gizmo_layer.facts()
    hand.window.frame.gizmo_layer.grab()


SMALL = """<mujoco model="rig">
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
  </worldbody>
</mujoco>
"""
NAMED = [("geom", "ghost"), ("body", "target"), ("joint", "hinge"), ("body", "box"), ("site", "tip")]


def become(hand, text, qtbot) -> None:
    """Edit the text, with handles that are found again late: the state of the new model comes first, and is painted."""
    window, path = hand.window, hand.window.project.path
    hand.gizmo._soon.setInterval(60_000)
    window.project.apply("Type", {path: [Edit(0, len(hand.text), text)]})
    qtbot.waitUntil(lambda: window.compiler.compiling_since is None)
    qtbot.waitUntil(lambda: window.simulation.snapshot.model is window.simulation.model)


@pytest.mark.parametrize("dragged", [False, True], ids=["selected", "dragged"])
@pytest.mark.parametrize("poses", [False, True], ids=["text", "state"])
@pytest.mark.parametrize("named", NAMED)
def test_handles_go_with_what_is_gone_from_the_model(hand, qtbot, named, poses, dragged) -> None:
    window, simulation = hand.window, hand.window.simulation
    window.workspace.set_poses(poses)
    hand.select(named)
    if dragged:
        hand.press(hand.gizmo.figures()[-1].handle)
    become(hand, SMALL, qtbot)
    assert simulation.model.nbody == 1
    paint(hand)
    assert hand.gizmo.targets == () and hand.gizmo.drag is None and hand.gizmo.limits is None
    assert not window.selection.current.kind
    hand.gizmo._soon.setInterval(0)


def test_handles_stay_with_what_has_another_number_in_the_next_version(hand, qtbot) -> None:
    """The bodies before it are gone: its old number is that of no body, and another joint has that of its joint."""
    text = hand.text
    start, end = text.index('    <body name="base"'), text.index('    <body name="box"')
    less = text[:start] + text[end:]
    less = less[: less.index("  <actuator>")] + "</mujoco>\n"
    hand.select(("body", "target"))
    hand.press(Handle(MOVE, (2,)))
    become(hand, less, qtbot)
    number = kinetree.name2id(hand.model, "body", "target")
    paint(hand)
    assert [target.selection.id for target in hand.gizmo.targets] == [number] == [2]
    assert hand.gizmo.drag is not None and hand.gizmo.drag.primary.selection.id == number
    assert hand.gizmo.frames()[-1][0] == (0.0, 0.0, 0.0)
    QTest.keyClick(hand.viewport, Qt.Key.Key_Escape)
    hand.gizmo._soon.setInterval(0)


def test_a_drag_of_the_state_ends_where_its_numbers_are_others(hand, qtbot) -> None:
    hand.window.workspace.set_poses(True)
    hand.select(("body", "target"))
    hand.press(Handle(MOVE, (2,)))
    assert [target.number for target in hand.gizmo.targets] == [0]
    more = hand.text.replace('    <body name="base"', '    <body name="first" mocap="true"/>\n    <body name="base"', 1)
    become(hand, more, qtbot)
    assert hand.model.nmocap == 2 and hand.gizmo.drag is None
    assert [target.number for target in hand.gizmo.targets] == [1]
    paint(hand)
    hand.gizmo._soon.setInterval(0)


def test_the_selection_is_named_once_in_the_viewport(hand) -> None:
    hand.select(("body", "base"))
    frame = hand.window.frame
    assert frame.selected.text() == "body 1: base"
    assert frame.gizmo_layer.facts() == "Pose in the file"


def test_a_remark_about_a_selection_outside_the_picture_fades(hand, monkeypatch) -> None:
    layer = hand.window.frame.gizmo_layer
    hand.select(("body", "base"))
    assert layer.note_opacity == 0.0
    camera = hand.window.view.camera.copy()
    camera.lookat = camera.lookat + [100.0, 0.0, 0.0]
    hand.window.view.set_camera(camera)
    hand.qtbot.waitUntil(lambda: layer.note_opacity == 1.0)
    layer._fading.setCurrentTime(layer._fading.duration())
    layer.grab()
    assert layer.note_opacity == 0.0  # and stays away while nothing else is selected
    hand.window.view.set_camera(camera.copy())
    layer.grab()
    assert layer.note_opacity == 0.0
