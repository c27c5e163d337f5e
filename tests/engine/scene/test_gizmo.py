"""Handles of a gizmo: where they are, which one is under the mouse, what dragging one means."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinetree
from kinetree.engine.scene import gizmo
from kinetree.engine.scene.camera import View
from kinetree.engine.scene.gizmo import FACING, MOVE, SIZE, TURN, GizmoFrame, Handle, JointRange
from kinetree.engine.scene.rotation import quat_mat, unit

WIDTH, HEIGHT = 800, 600

REACHES = {(axis, side): 0.3 + 0.1 * axis for axis in range(3) for side in (1, -1)}


def looking(at=(0.0, 0.0, 0.0), distance=5.0, azimuth=30.0, elevation=-25.0, orthographic=False) -> View:
    a, e = math.radians(azimuth), math.radians(elevation)
    forward = np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
    right = np.array([math.sin(a), -math.cos(a), 0.0])
    up = np.cross(right, forward)
    half = 2.0 if orthographic else 0.01 * math.tan(math.radians(22.5))
    wide = half * WIDTH / HEIGHT
    return View(
        np.array(at) - distance * forward, forward, up, right, -half, half, -wide, wide, 0.01, 100.0, orthographic
    )


def frame(view: View, pos=(0.0, 0.0, 0.0), axes=None) -> GizmoFrame:
    return GizmoFrame(pos, np.eye(3) if axes is None else axes, view, WIDTH, HEIGHT)


views = st.builds(looking, azimuth=st.floats(-180, 180), elevation=st.floats(-80, 80), orthographic=st.booleans())
turns = (
    st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: math.hypot(*q) > 0.1).map(lambda q: quat_mat(unit(np.array(q))))
)


@given(views, turns, st.sampled_from([MOVE, TURN, SIZE]))
def test_the_size_in_the_window_does_not_depend_on_the_distance(view, axes, tool) -> None:
    near, far = frame(view, axes=axes), frame(view, 3.0 * view.forward, axes)
    reach = [
        max(
            (
                np.linalg.norm(figure.points - place.middle, axis=1).max()
                for figure in gizmo.figures(tool, place, {(0, 1): 0.0, (0, -1): 0.0})
            ),
            default=0.0,
        )
        for place in (near, far)
    ]
    assert reach[0] == pytest.approx(reach[1], rel=0.25, abs=4)
    assert reach[0] < 140


@given(views, turns, st.sampled_from([0, 1, 2]), st.floats(-0.5, 0.5))
def test_a_drag_along_an_axis_ends_under_the_mouse(view, axes, axis, way) -> None:
    place = frame(view, axes=axes)
    along = place.axis(axis)
    if abs(along @ place.towards()) > 0.95:
        return
    x, y = place.project(way * along)[0]
    found = gizmo.shift(Handle(MOVE, (axis,)), place, x, y)
    assert found is not None
    assert found[axis] == pytest.approx(way, abs=1e-6)
    assert np.count_nonzero(found) <= 1


@given(views, turns, st.floats(-0.4, 0.4), st.floats(-0.4, 0.4), st.sampled_from([(0, 1), (0, 2), (1, 2)]))
def test_a_drag_in_a_plane_ends_under_the_mouse(view, axes, a, b, used) -> None:
    place = frame(view, axes=axes)
    if abs(place.axis(3 - sum(used)) @ place.towards()) < 0.25:
        return
    x, y = place.project(a * place.axis(used[0]) + b * place.axis(used[1]))[0]
    found = gizmo.shift(Handle(MOVE, used), place, x, y)
    assert found is not None
    assert (found[used[0]], found[used[1]]) == pytest.approx((a, b), abs=1e-6)


@given(views, turns, st.sampled_from([0, 1, 2, FACING]), st.floats(-3, 3), st.floats(-3, 3))
def test_a_turn_is_the_angle_between_two_points_of_the_ring(view, axes, axis, start, turn) -> None:
    place = frame(view, axes=axes)
    normal = place.axis(axis)
    if abs(normal @ place.towards()) < 0.3:
        return
    u, v = gizmo.across(normal)

    def at(angle):
        return place.project(0.3 * (math.cos(angle) * u + math.sin(angle) * v))[0]

    found = gizmo.angle(Handle(TURN, (axis,)), place, tuple(at(start)), *at(start + turn))
    assert found is not None
    assert math.cos(found - turn) == pytest.approx(1.0, abs=1e-6)


def test_a_ring_from_the_side_turns_along_its_tangent() -> None:
    view = looking(azimuth=0.0, elevation=0.0)
    place = frame(view)
    middle = tuple(place.middle)
    found = gizmo.angle(Handle(TURN, (2,)), place, middle, middle[0] + gizmo.RING / 2, middle[1])
    assert found == pytest.approx(0.5, rel=0.05)


@given(views, turns, st.sampled_from([MOVE, TURN, SIZE]))
def test_what_is_drawn_can_be_hit(view, axes, tool) -> None:
    found = gizmo.figures(tool, frame(view, axes=axes), REACHES)
    hits = 0
    for figure in found:
        points = figure.points if figure.faded is None else figure.points[~figure.faded]
        for x, y in points if figure.shape == "ring" else [points[-1], points.mean(0)]:
            if gizmo.hit(found, x, y) == figure.handle:
                hits += 1
                break
    assert hits >= len(found) - 2, "at most two are wholly behind others"
    assert gizmo.hit(found, -500.0, -500.0) is None


def test_behind_the_viewer_there_is_nothing() -> None:
    view = looking()
    assert gizmo.figures(MOVE, frame(view, -10.0 * view.forward)) == []


def test_the_range_of_a_hinge_is_an_arc() -> None:
    span = JointRange(np.zeros(3), np.array((0.0, 0, 1)), np.array((1.0, 0, 0)), 0.0, math.pi / 2)
    assert span.point(math.pi / 2, 2.0) == pytest.approx((0, 2, 0))
    found = gizmo.limits(span, frame(looking()))
    assert [figure.shape for figure in found] == ["arc", "disc", "disc"]
    low = found[1]
    assert gizmo.hit(found, *low.points[-1]) == Handle("limit", (2,), -1)


@given(views, st.floats(0.2, 3.0), st.floats(-0.15, 0.15))
def test_the_cone_of_a_ball_follows_the_mouse(view, half, more) -> None:
    place = frame(view)
    start = np.array((0.6, 0.0, 0.8))
    span = gizmo.cone(place.pos, start, half, place)
    assert abs(span.axis @ start) < 1e-9 and span.point(0.0, 1.0) == pytest.approx(place.pos + start)
    found = gizmo.limits(span, place)
    assert [figure.shape for figure in found] == ["cone", "rod", "disc"]
    handle = found[-1].points[-1]
    assert gizmo.hit(found, *handle) == Handle("limit", (2,), 1)
    if abs(start @ place.towards()) > 0.9:
        return  # seen from the tip: the mouse moves it across
    there = place.project(span.point(half + more, gizmo.OUTER * place.pixel))[0]
    assert gizmo.angle_about(place, span.axis, tuple(handle), *there) == pytest.approx(more, abs=1e-6)


BALL = """<mujoco><worldbody><body pos="0 0 1">{}<geom size=".1" pos=".5 .2 0"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("joints", ["{}", '<joint type="slide"/>{}', '{}<joint type="slide"/>'])
def test_the_cone_stays_while_the_ball_turns(joints) -> None:
    model = kinetree.load_string(BALL.format(joints.format('<joint name="b" type="ball" range="0 60"/>')))
    data = kinetree.Data(model)
    joint = kinetree.name2id(model, "joint", "b")
    address = int(model.jnt_qposadr[joint])
    kinetree.forward(model, data)
    pos, start = gizmo.ball_cone(model, data, joint)
    assert start == pytest.approx((data.subtree_com[1] - pos) / np.linalg.norm(data.subtree_com[1] - pos))
    data.qpos[address : address + 4] = (0.8, 0.3, -0.4, 0.2)
    kinetree.forward(model, data)
    assert gizmo.ball_cone(model, data, joint)[1] == pytest.approx(start)
    away = data.subtree_com[1] - pos
    assert away / np.linalg.norm(away) != pytest.approx(start, abs=0.1)


def test_steps_are_round() -> None:
    assert [gizmo.snap_step(pixel) for pixel in (0.001, 0.003, 0.01)] == [0.02, 0.05, 0.2]
    assert gizmo.fine_step(0.0023) == pytest.approx(0.001)
