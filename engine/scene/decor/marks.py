"""Marks of the selected objects, drawn over the scene in lengths of the screen: axes and ranges of joints, paths of
tendons, targets of actuators and sensors, equality constraints, pairs, cameras, lights, frames of sites.

An object that acts on others brings their marks, an actuator those of its joint: `engine/scene/related.py` finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.scene.decor.constraints import equality_ends
from kinetree.engine.scene.decor.look import Look, matrices, vectors
from kinetree.engine.scene.decor.rows import IDENTITY, Decor, frames_along
from kinetree.engine.scene.decor.tendons import PULLEY
from kinetree.engine.scene.gizmo import OUTER, JointRange, across, ball_cone, joint_range
from kinetree.engine.scene.scene import Layer, ShapeKind

MOST = 200
"""Marks that are drawn at most: of thousands of joints none could be told from another."""
AXIS = np.array([0.36, 0.86, 1.0, 1.0])
RANGE = np.array([1.0, 0.7, 0.28, 1.0])
POSITION = np.array([1.0, 1.0, 1.0, 1.0])
PATH = np.array([1.0, 0.5, 0.85, 1.0])
FORCE = np.array([0.55, 1.0, 0.4, 1.0])
TORQUE = np.array([1.0, 0.9, 0.3, 1.0])
BOND = np.array([0.75, 0.6, 1.0, 1.0])
THIN, LINE, KNOB = 0.8, 1.3, 4.5  # radii, pixels
AXIS_AHEAD, AXIS_BEHIND = 74.0, 40.0  # how far a joint's axis reaches to both sides of its anchor, pixels
TRIAD = 44.0  # length of the axes of a frame, pixels
ARROW = 70.0  # length of an arrow for the direction of a force, pixels
FRUSTUM = 90.0  # from a camera to the end of its drawn field of view, pixels
STEPS = 48  # pieces of a whole turn


def draw(decor: Decor, look: Look, objects: Iterable[ObjectId]) -> None:
    """Draw the marks of objects."""
    drawn = 0
    for kind, id in objects:
        mark = MARKS.get(kind)
        if mark is not None and drawn < MOST:
            mark(decor, look, id)
            drawn += 1


# ---- parts of marks ----------------------------------------------------------------------------------------


def _knob(decor: Decor, look: Look, pos, rgba, radius: float = KNOB) -> None:
    pos = vectors(pos)
    decor.add(ShapeKind.SPHERE, pos, IDENTITY, look.pixels(pos, radius)[:, None], rgba, layer=Layer.MARK)


def _line(decor: Decor, look: Look, points, rgba, radius: float = LINE) -> None:
    """Draw a line through points (n, 3)."""
    points = vectors(points)
    if len(points) > 1:
        middle = 0.5 * (points[1:] + points[:-1])
        decor.capsules(points[:-1], points[1:], look.pixels(middle, radius), rgba, layer=Layer.MARK)


def _arrow(decor: Decor, look: Look, start, vector, rgba, radius: float = LINE) -> None:
    decor.arrows(start, vector, float(look.pixels(start, 1.5 * radius)[0]), rgba, layer=Layer.MARK)


def _triad(decor: Decor, look: Look, pos, mat) -> None:
    length, width = (look.pixels(pos, pixels)[0] for pixels in (TRIAD, LINE))
    decor.frames(pos, mat, length, width, layer=Layer.MARK)


# ---- marks of objects --------------------------------------------------------------------------------------


def _joint(decor: Decor, look: Look, id: int) -> None:
    """Draw axis and anchor; of a hinge the arc of its range with a pointer at the position, of a slide the way, of a
    ball the cone in which it lets the body swing."""
    model, state = look.model, look.state
    kind = int(model.jnt_type[id])
    anchor = np.asarray(state.xanchor[id], float)
    if kind in (enums.JNT_FREE, enums.JNT_BALL):
        _triad(decor, look, anchor, np.asarray(state.xmat[model.jnt_bodyid[id]], float).reshape(3, 3))
        if kind == enums.JNT_BALL and model.jnt_limited[id]:
            _cone(decor, look, id)
        _knob(decor, look, anchor, POSITION)
        return
    pixel = float(look.pixels(anchor, 1.0)[0])
    pos, axis, start, now = joint_range(model, state, id)
    _line(decor, look, [pos - AXIS_BEHIND * pixel * axis, pos], AXIS)
    _arrow(decor, look, pos, AXIS_AHEAD * pixel * axis, AXIS)
    if model.jnt_limited[id]:
        low, high = (float(end) - now for end in model.jnt_range[id])
        _range(decor, look, JointRange(pos, axis, start, low, high), OUTER * pixel, turns=kind == enums.JNT_HINGE)
    _knob(decor, look, pos, POSITION)


def _cone(decor: Decor, look: Look, id: int) -> None:
    pos, start = ball_cone(look.model, look.state, id)
    radius = OUTER * float(look.pixels(pos, 1.0)[0])
    half = min(float(np.max(look.model.jnt_range[id])), np.pi)
    u, v = across(start)
    angles = np.linspace(0.0, 2 * np.pi, STEPS + 1)[:, None]
    rim = pos + radius * (np.cos(half) * start + np.sin(half) * (np.cos(angles) * u + np.sin(angles) * v))
    _line(decor, look, rim, RANGE)
    for corner in rim[: -1 : STEPS // 4]:
        _line(decor, look, [pos, corner], RANGE, THIN)
    _line(decor, look, [pos, pos + radius * start], RANGE, THIN)


def _range(decor: Decor, look: Look, span: JointRange, radius: float, turns: bool) -> None:
    low, high = span.low, span.high
    if not turns:
        ends = np.array([span.point(value, 0.0) for value in (low, high)])
        _line(decor, look, ends, RANGE)
        _knob(decor, look, ends, RANGE, 0.7 * KNOB)
        return
    high = min(high, low + 2 * np.pi)
    values = np.linspace(low, high, 2 + int(STEPS * (high - low) / (2 * np.pi)))
    arc = [span.point(float(value), radius) for value in values]
    _line(decor, look, arc, RANGE)
    for end in (arc[0], arc[-1]):
        _line(decor, look, [span.pos, end], RANGE, THIN)
    _line(decor, look, [span.pos, span.point(0.0, 1.08 * radius)], POSITION, THIN)


def _tendon(decor: Decor, look: Look, id: int) -> None:
    """Draw the path of a spatial tendon."""
    state = look.state
    first, count = int(state.ten_wrapadr[id]), int(state.ten_wrapnum[id])
    points = vectors(state.wrap_xpos)[first : first + count]
    wrapped = np.asarray(state.wrap_obj).reshape(-1)[first : first + count]
    pulleys = [-1, *np.flatnonzero(wrapped == PULLEY).tolist(), count]
    for before, after in pairwise(pulleys):
        _line(decor, look, points[before + 1 : after], PATH, 1.4 * LINE)
        _knob(decor, look, points[before + 1 : after], PATH, 0.8 * KNOB)


def _actuator(decor: Decor, look: Look, id: int) -> None:
    """Draw the marks of an actuator: the direction of force and torque at a site, the rod of a slider-crank. Joints,
    tendons and bodies have separate marks."""
    model, state = look.model, look.state
    kind = int(model.actuator_trntype[id])
    first, second = (int(i) for i in model.actuator_trnid[id])
    if kind == enums.TRN_SLIDERCRANK and second >= 0:
        _line(decor, look, vectors(state.site_xpos)[[second, first]], PATH, 1.4 * LINE)
    elif kind == enums.TRN_SITE:
        pos = np.asarray(state.site_xpos[first], float)
        mat = matrices(state.site_xmat)[second if second >= 0 else first]
        gear = np.asarray(model.actuator_gear[id], float)
        length = float(look.pixels(pos, ARROW)[0])
        for part, rgba in ((gear[:3], FORCE), (gear[3:], TORQUE)):
            size = np.linalg.norm(part)
            if size > 0:
                _arrow(decor, look, pos, length / size * (mat @ part), rgba, 1.3 * LINE)


def _site(decor: Decor, look: Look, id: int) -> None:
    _triad(decor, look, np.asarray(look.state.site_xpos[id], float), matrices(look.state.site_xmat)[id])


def _body(decor: Decor, look: Look, id: int) -> None:
    """Draw the frame of a body that has no geoms."""
    if id > 0 and look.model.body_geomnum[id] == 0:
        _triad(decor, look, np.asarray(look.state.xpos[id], float), matrices(look.state.xmat)[id])


def _sensor(decor: Decor, look: Look, id: int) -> None:
    """Draw the ray of a range finder."""
    model, state = look.model, look.state
    if int(model.sensor_type[id]) == enums.SENS_RANGEFINDER:
        site, distance = int(model.sensor_objid[id]), float(state.sensordata[model.sensor_adr[id]])
        start = np.asarray(state.site_xpos[site], float)
        along = matrices(state.site_xmat)[site][:, 2]
        if distance >= 0:
            _line(decor, look, [start, start + distance * along], FORCE)
            _knob(decor, look, start + distance * along, FORCE, 0.8 * KNOB)
        else:
            _arrow(decor, look, start, float(look.pixels(start, ARROW)[0]) * along, FORCE)


def _equality(decor: Decor, look: Look, id: int) -> None:
    """Draw the two points that a connect or weld constraint holds together."""
    ends = equality_ends(look.model, look.state, id)
    if ends is not None:
        _line(decor, look, ends, BOND)
        _knob(decor, look, ends, BOND)


def _between(positions: str, ids: Callable[..., tuple[int, int]]) -> Callable[[Decor, Look, int], None]:
    """A line between two objects whose places are in an array of the state."""

    def mark(decor: Decor, look: Look, id: int) -> None:
        ends = vectors(getattr(look.state, positions))[list(ids(look.model, id))]
        _line(decor, look, ends, BOND)
        _knob(decor, look, ends, BOND, 0.8 * KNOB)

    return mark


def _paired(model, id: int) -> tuple[int, int]:
    return int(model.pair_geom1[id]), int(model.pair_geom2[id])


def _excluded(model, id: int) -> tuple[int, int]:
    signature = int(model.exclude_signature[id])
    return signature >> 16, signature & 0xFFFF


def _camera(decor: Decor, look: Look, id: int) -> None:
    """Draw the axes of a camera and the edges of its field of view."""
    model, state = look.model, look.state
    pos, mat = np.asarray(state.cam_xpos[id], float), matrices(state.cam_xmat)[id]
    depth = float(look.pixels(pos, FRUSTUM)[0])
    up = np.tan(0.5 * np.radians(float(model.cam_fovy[id])))
    width, height = (float(number) for number in model.cam_resolution[id])
    across = up * (width / height if width > 1 and height > 1 else 4 / 3)
    corners = pos + depth * np.array([(x * across, y * up, -1.0) for x, y in _AROUND]) @ mat.T
    for corner in corners:
        _line(decor, look, [pos, corner], AXIS)
    _line(decor, look, [*corners, corners[0]], AXIS)
    _arrow(decor, look, corners[2:].mean(axis=0), 0.3 * depth * mat[:, 1], AXIS)  # which way is up


def _light(decor: Decor, look: Look, id: int) -> None:
    pos = np.asarray(look.state.light_xpos[id], float)
    direction = np.asarray(look.state.light_xdir[id], float)
    length = float(look.pixels(pos, ARROW)[0])
    _knob(decor, look, pos, TORQUE, 1.8 * KNOB)
    _arrow(decor, look, pos, length * direction, TORQUE)
    ring = frames_along(direction[None])[0]
    angles = np.linspace(0.0, 2 * np.pi, STEPS // 2)
    circle = 0.18 * length * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    _line(decor, look, pos + circle @ ring.T, TORQUE, THIN)


_AROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))
MARKS: dict[str, Callable[[Decor, Look, int], None]] = {
    "joint": _joint,
    "tendon": _tendon,
    "actuator": _actuator,
    "site": _site,
    "body": _body,
    "sensor": _sensor,
    "equality": _equality,
    "pair": _between("geom_xpos", _paired),
    "exclude": _between("xpos", _excluded),
    "camera": _camera,
    "light": _light,
}
