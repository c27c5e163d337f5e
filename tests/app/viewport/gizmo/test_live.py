"""Handles that pose the running state: mocap bodies, free bodies, limbs and joints; the text stays as it is."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import kinetree
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.engine.scene.gizmo import MOVE, TURN, Handle
from tests.app.conftest import MODEL
from tests.app.test_window import settled

NONE = Qt.KeyboardModifier.NoModifier
BALL = (
    '<body name="swing" pos="-1 0 1"><joint name="socket" type="ball" range="0 40"/><geom type="capsule" fromto="0 0 0 .4 0 0" '
    'size=".04"/></body><body name="drawer" pos="0 -1 1"><joint name="slide" type="slide" axis="0 0 1" range="-.2 .2"/>'
    '<geom size=".1"/></body>'
)


@pytest.fixture
def poser(hand):
    """A hand that poses; the text must be the same afterwards."""
    text = hand.text
    hand.window.workspace.set_poses(True)
    yield hand
    assert hand.text == text and hand.window.project.texts.undo_name is None


def choose(hand, kind: str, name: str) -> int:
    number = kinetree.name2id(hand.window.simulation.model, kind, name)
    hand.window.selection.select(Selection(kind, number))
    hand.qtbot.waitUntil(lambda: bool(hand.gizmo.targets or hand.gizmo.reason))
    hand.qtbot.waitUntil(lambda: not hand.gizmo._soon.isActive())
    return number


def now(hand):
    """The state when the body that was dragged has arrived: the search for its pose goes on after the release."""
    settled(hand.window, hand.qtbot)
    mouse = hand.window.simulation._thread._core.mouse
    hand.qtbot.waitUntil(lambda: not mouse.is_searching(True))
    return settled(hand.window, hand.qtbot)


def test_a_mocap_body_is_moved_and_turned_paused_and_running(poser) -> None:
    body = choose(poser, "body", "target")
    before = now(poser).xpos[body].copy()
    poser.drag(Handle(MOVE, (2,)), 0, -40)
    after = now(poser)
    assert after.mocap_pos[0, 2] > before[2] + 0.05
    np.testing.assert_array_equal(after.mocap_pos[0, :2], before[:2])
    poser.window.simulation.post(requests.Play())
    poser.qtbot.waitUntil(lambda: poser.window.simulation.snapshot.running)
    poser.gizmo.set_tool(TURN)
    poser.drag(Handle(TURN, (2,)), 30, 10)
    assert abs(now(poser).mocap_quat[0, 0]) < 0.9999


def test_a_free_body_is_placed_while_paused_and_put_back_by_escape(poser) -> None:
    body = choose(poser, "body", "box")
    start = now(poser).qpos.copy()
    poser.drag(Handle(MOVE, (0,)), 40, 0)
    moved = now(poser).qpos.copy()
    assert abs(moved - start).max() > 0.05
    at = poser.press(Handle(MOVE, (2,)))
    poser.move(at + type(at)(0, -50))
    poser.qtbot.waitUntil(lambda: not np.array_equal(now(poser).qpos, moved))
    QTest.keyClick(poser.viewport, Qt.Key.Key_Escape)
    np.testing.assert_array_equal(now(poser).qpos, moved)
    poser.window.actions_["sim.undo_pose"].trigger()
    np.testing.assert_array_equal(now(poser).qpos, start)
    assert body


def test_a_limb_follows_a_handle_and_says_to_pause_while_running(poser) -> None:
    choose(poser, "site", "tip")
    hinge = int(poser.window.simulation.model.jnt_qposadr[0])
    start = float(now(poser).qpos[hinge])
    poser.gizmo.set_tool(TURN)
    poser.drag(Handle(TURN, (1,)), 10, 25)
    poser.qtbot.waitUntil(lambda: abs(float(now(poser).qpos[hinge]) - start) > 0.02)
    poser.window.simulation.post(requests.Play())
    poser.qtbot.waitUntil(lambda: "pause" in poser.gizmo.reason)
    assert not poser.gizmo.targets


def test_a_hinge_is_set_within_its_range(poser) -> None:
    joint = choose(poser, "joint", "hinge")
    model = poser.window.simulation.model
    address = int(model.jnt_qposadr[joint])
    at = poser.press(Handle("limit", (2,)))
    poser.move(at + type(at)(3, 3))
    QTest.keyClicks(poser.viewport, "3")
    QTest.keyClicks(poser.window.frame.gizmo_layer.field, "0")
    poser.qtbot.waitUntil(lambda: now(poser).qpos[address] == pytest.approx(np.radians(30)))
    QTest.keyClicks(poser.window.frame.gizmo_layer.field, "0")  # 300 degrees: beyond the range
    poser.qtbot.waitUntil(lambda: now(poser).qpos[address] == model.jnt_range[joint, 1])
    QTest.keyClick(poser.window.frame.gizmo_layer.field, Qt.Key.Key_Return)


def test_the_mode_is_left_by_a_key_and_shown_by_the_action_and_the_panel(hand) -> None:
    action, workspace = hand.window.actions_["sim.pose"], hand.window.workspace
    hand.viewport.setFocus()
    QTest.keyClick(hand.viewport, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert workspace.poses and action.isChecked()
    QTest.keyClick(hand.viewport, Qt.Key.Key_T)
    assert hand.gizmo.tool == MOVE and not hand.window.workspace.view.options.transparent
    QTest.keyClick(hand.viewport, Qt.Key.Key_Escape)
    assert not workspace.poses and not action.isChecked()


def test_a_ball_joint_is_turned_and_a_slide_moved(open_paused, tmp_path, rig, qtbot) -> None:
    from tests.app.viewport.gizmo.conftest import Hand

    path = tmp_path / "joints.xml"
    path.write_text(
        MODEL.replace('<body name="box"', BALL + '<body name="box"').replace('qpos="-1 0 1', 'qpos="-1 1 0 0 0 0 0 1')
    )
    hand = Hand(open_paused(path), qtbot)
    hand.window.workspace.set_poses(True)
    joint = choose(hand, "joint", "socket")
    address = int(hand.window.simulation.model.jnt_qposadr[joint])
    hand.drag(Handle(TURN, (2,)), 30, 10)
    quat = now(hand).qpos[address : address + 4]
    assert abs(quat[0]) < 0.9999 and np.linalg.norm(quat) == pytest.approx(1.0)
    at = hand.press(Handle(TURN, (0,)))
    hand.move(at + type(at)(3, 3))
    QTest.keyClicks(hand.viewport, "9")
    QTest.keyClicks(hand.window.frame.gizmo_layer.field, "0")
    QTest.keyClick(hand.window.frame.gizmo_layer.field, Qt.Key.Key_Return)
    hand.qtbot.waitUntil(
        lambda: now(hand).qpos[address] == pytest.approx(np.cos(np.radians(20)))
    )  # turned as far as its range allows
    slide = choose(hand, "joint", "slide")
    at = int(hand.window.simulation.model.jnt_qposadr[slide])
    hand.drag(Handle("limit", (2,)), 0, -20)
    assert 0.01 < now(hand).qpos[at] <= 0.2
