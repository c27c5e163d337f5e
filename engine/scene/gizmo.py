"""The handles of a gizmo: where they are in the window, which one is under the mouse, and what dragging one means.

    frame = GizmoFrame(pos, axes, view, width, height)
    found = figures("move", frame)              what to draw, in pixels
    handle = hit(found, x, y)                   the handle under the mouse, None without one
    shift(handle, frame, x, y)                  where the mouse is along its axes; `angle`: by how much it turned

A gizmo has the same size in the window wherever it is. Lengths in pixels are those of the window, y downwards;
everything else is in metres and radians in the world. Nothing here knows of elements or texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene.camera import View
from kinetree.engine.scene.rotation import quat_mat, unit

MOVE, TURN, SIZE = "move", "turn", "size"
LENGTH = 92.0  # of an arrow, pixels
START = 16.0  # where an arrow begins, from the middle
SQUARE = (26.0, 44.0)  # a square for two directions begins and ends here, along both
RING = 78.0  # radius of the rings
OUTER = 94.0  # radius of the ring that faces the viewer
NEAREST_SIZE = 24.0  # a handle of a size is at least so far from the middle
REACH = 8.0  # how near the mouse must be
EDGE_ON = 0.2  # sine of the angle below which a plane or ring is too steep to be dragged in
SHORT = 14.0  # an arrow that is shorter in the window cannot be dragged
STEPS = 64  # corners of a ring
FACING = 3  # the axis that points at the viewer


class Handle(NamedTuple):
    """A part of a gizmo that can be dragged.

    tool   "move", "turn", "size", or "limit" for an end of a joint's range
    axes   what it moves along, or turns about: numbers of axes, (3,) for the viewing direction
    side   of a size or limit: which end, 1 or -1; 0 for a position
    """

    tool: str
    axes: tuple[int, ...]
    side: int = 0


@dataclass(frozen=True)
class Figure:
    """A handle as it is drawn.

    points   (n, 2) pixels: a line, or the corners of an area
    shape    "arrow", "square", "ring", "cube", "disc"; not to be dragged: "arc", "rod", "cone"
    faded    (n,) bool: parts of a ring on the far side; None without
    depth    distance from the viewer
    """

    handle: Handle
    points: np.ndarray
    shape: str
    depth: float
    faded: np.ndarray | None = field(default=None)


class GizmoFrame:
    """Where a gizmo is, and the view that it is seen in.

    pos     (3,) its middle
    axes    (3, 3) unit vectors in columns
    pixel   metres that a pixel is there; 0 behind the viewer
    middle  (2,) pixels
    """

    def __init__(self, pos, axes, view: View, width: float, height: float):
        self.pos, self.axes = np.asarray(pos, float), np.asarray(axes, float).reshape(3, 3)
        self.view, self.width, self.height = view, width, height
        self.depth = view.depth(self.pos)
        self.seen = self.depth > view.near or view.orthographic
        self.pixel = view.height_at(max(self.depth, view.near)) / height if self.seen else 0.0
        self.middle = self.project(self.pos)[0]

    def project(self, points) -> np.ndarray:
        """(n, 2) pixels of world points."""
        found = self.view.project(np.asarray(points, float).reshape(-1, 3))
        return found[:, :2] * (self.width, self.height)

    def towards(self) -> np.ndarray:
        """Unit vector from the gizmo to the viewer."""
        if self.view.orthographic:
            return -self.view.forward
        away = self.view.pos - self.pos
        return away / max(float(np.linalg.norm(away)), 1e-12)

    def axis(self, number: int) -> np.ndarray:
        """A unit vector of the world."""
        return self.towards() if number == FACING else self.axes[:, number]

    def ray(self, x: float, y: float) -> np.ndarray:
        """(2, 3) origin and unit direction of the ray through a pixel."""
        return self.view.ray(x / self.width, y / self.height)


# ---- what there is to draw -------------------------------------------------------------------------------


def figures(tool: str, frame: GizmoFrame, reaches: Mapping[tuple[int, int], float] | None = None) -> list[Figure]:
    """The handles of a gizmo, the far ones first. `reaches`: for sizes, (axis, 1 or -1) -> how far the shape
    reaches to that side, in metres."""
    if not frame.seen:
        return []
    match tool:
        case "move":
            found = _arrows(frame)
        case "turn":
            found = _rings(frame)
        case "size":
            found = _cubes(frame, reaches or {})
        case _:
            found = []
    return sorted(found, key=lambda figure: -figure.depth)


def _arrows(frame: GizmoFrame) -> list[Figure]:
    found = []
    for axis in range(3):
        along = frame.axis(axis)
        ends = frame.pos + np.outer((START * frame.pixel, LENGTH * frame.pixel), along)
        points = frame.project(ends)
        if np.linalg.norm(points[1] - points[0]) >= SHORT:
            found.append(Figure(Handle(MOVE, (axis,)), points, "arrow", frame.view.depth(ends[1])))
        j, k = (axis + 1) % 3, (axis + 2) % 3
        if abs(along @ frame.towards()) >= EDGE_ON:
            a, b = (length * frame.pixel for length in SQUARE)
            corners = [frame.pos + p * frame.axis(j) + q * frame.axis(k) for p, q in ((a, a), (b, a), (b, b), (a, b))]
            depth = frame.view.depth(np.mean(corners, axis=0))
            found.append(Figure(Handle(MOVE, (min(j, k), max(j, k))), frame.project(corners), "square", depth))
    return found


def _rings(frame: GizmoFrame) -> list[Figure]:
    angles = np.linspace(0.0, 2 * math.pi, STEPS + 1)
    towards = frame.towards()
    found = []
    for axis in (0, 1, 2, FACING):
        normal = frame.axis(axis)
        u, v = across(normal)
        radius = (OUTER if axis == FACING else RING) * frame.pixel
        away = np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * v
        points = frame.project(frame.pos + radius * away)
        faded = away @ towards < -0.02 if axis != FACING else None
        depth = frame.depth + (frame.pixel if axis == FACING else 0.0)
        found.append(Figure(Handle(TURN, (axis,)), points, "ring", depth, faded))
    return found


def _cubes(frame: GizmoFrame, reaches: Mapping[tuple[int, int], float]) -> list[Figure]:
    found = []
    for (axis, side), reach in reaches.items():
        end = frame.pos + side * max(reach, NEAREST_SIZE * frame.pixel) * frame.axis(axis)
        points = frame.project([frame.pos, end])
        if np.linalg.norm(points[1] - points[0]) >= 0.5 * NEAREST_SIZE:
            found.append(Figure(Handle(SIZE, (axis,), side), points, "cube", frame.view.depth(end)))
    return found


@dataclass(frozen=True)
class JointRange:
    """The range of a hinge, slide or ball, as it stands in the world.

    pos, axis   anchor and unit axis; of a ball an axis across `start`
    start       of a hinge: unit vector across the axis, to which the range is drawn from the anchor; of a ball: the
                axis of the cone in which it lets the body swing
    low, high   ends of the range, relative to the present position of the joint; of a ball 0 and the half angle of the
                cone
    is_cone     whether it is that of a ball
    """

    pos: np.ndarray
    axis: np.ndarray
    start: np.ndarray | None
    low: float
    high: float
    is_cone: bool = False

    def point(self, value: float, length: float) -> np.ndarray:
        """World point of a position; `length`: radius of the arc."""
        if self.start is None:
            return self.pos + value * self.axis
        side = np.cross(self.axis, self.start)
        return self.pos + length * (math.cos(value) * self.start + math.sin(value) * side)


def anchor_of(model, state, joint: int) -> np.ndarray:
    """(3,) the anchor of a joint in the world, now: of a slide where it has moved to."""
    pos = np.array(state.xanchor[joint], float)
    if int(model.jnt_type[joint]) == enums.JNT_SLIDE:
        address = int(model.jnt_qposadr[joint])
        moved = float(state.qpos[address] - model.qpos0[address])
        pos += moved * np.asarray(state.xaxis[joint], float)
    return pos


def joint_range(model, state, joint: int) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, float]:
    """(anchor, unit axis, of a hinge the unit vector to which its range is drawn, position) of a hinge or slide: the
    vector points from the anchor to the centre of mass of all that the joint moves."""
    pos, axis = anchor_of(model, state, joint), np.array(state.xaxis[joint], float)
    now = float(state.qpos[model.jnt_qposadr[joint]])
    if int(model.jnt_type[joint]) != enums.JNT_HINGE:
        return pos, axis, None, now
    body = int(model.jnt_bodyid[joint])
    away = np.asarray(state.subtree_com[body], float) - pos
    away -= (away @ axis) * axis
    length = float(np.linalg.norm(away))
    if length < 1e-6:
        turned = np.asarray(state.xmat[body], float).reshape(3, 3)
        away = turned @ across(turned.T @ axis)[0]
        length = float(np.linalg.norm(away))
    return pos, axis, away / length, now


def ball_cone(model, state, joint: int) -> tuple[np.ndarray, np.ndarray]:
    """(anchor, unit vector) of a ball joint: the vector points from the anchor to where the centre of mass of all that
    the joint moves would be at the joint's reference orientation."""
    body, pos = int(model.jnt_bodyid[joint]), np.array(state.xanchor[joint], float)
    away = np.asarray(state.subtree_com[body], float) - pos
    turned = np.asarray(state.xmat[body], float).reshape(3, 3)
    length = float(np.linalg.norm(away))
    away = away / length if length >= 1e-6 else turned[:, 2]
    address = int(model.jnt_qposadr[joint])
    own = quat_mat(unit(state.qpos[address : address + 4]))
    return pos, turned @ own.T @ turned.T @ away  # no joint that turns can follow a ball in its body


def cone(pos: np.ndarray, start: np.ndarray, half_angle: float, frame: GizmoFrame) -> JointRange:
    """The range of a ball joint; its handle stands where the cone seems widest."""
    axis = np.cross(start, np.cross(frame.towards(), start))
    length = float(np.linalg.norm(axis))
    axis = across(start)[0] if length < 1e-3 else axis / length
    return JointRange(pos, axis, start, 0.0, min(half_angle, math.pi), is_cone=True)


def limits(span: JointRange, frame: GizmoFrame) -> list[Figure]:
    """The range of a joint: the arc of a hinge, the rod of a slide or the cone of a ball, and a handle at each end that
    can be dragged; one handle where the ends are the same, for a position."""
    if not frame.seen:
        return []
    length = OUTER * frame.pixel
    low, high = span.low, span.high
    if span.is_cone:
        return _cone(span, frame, length)
    if low == high:
        end = frame.project(span.point(low, length if span.start is not None else 0.0))
        return [Figure(Handle("limit", (2,)), np.vstack([frame.middle, end]), "disc", frame.depth)]
    if span.start is not None:
        high = min(high, low + 2 * math.pi)
    values = np.linspace(low, high, 48 if span.start is not None else 2)
    points = frame.project([span.point(float(value), length) for value in values])
    shape = "arc" if span.start is not None else "rod"
    found = [Figure(Handle("limit", (2,)), points, shape, frame.depth)]
    for side, value in ((-1, low), (1, high)):
        end = frame.project(span.point(value, length))
        found.append(Figure(Handle("limit", (2,), side), np.vstack([frame.middle, end]), "disc", frame.depth))
    return found


def _cone(span: JointRange, frame: GizmoFrame, length: float) -> list[Figure]:
    assert span.start is not None
    u = np.cross(span.axis, span.start)
    angles = np.linspace(0.0, 2 * math.pi, STEPS + 1)
    around = np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * span.axis
    rim = span.pos + length * (math.cos(span.high) * span.start + math.sin(span.high) * around)
    end = frame.project(span.point(span.high, length))
    return [
        Figure(Handle("limit", (2,)), frame.project(rim), "cone", frame.depth),
        Figure(Handle("limit", (2,)), frame.project([span.pos, span.pos + length * span.start]), "rod", frame.depth),
        Figure(Handle("limit", (2,), 1), np.vstack([frame.middle, end]), "disc", frame.depth),
    ]


# ---- what is under the mouse -----------------------------------------------------------------------------


def hit(found: list[Figure], x: float, y: float, reach: float = REACH) -> Handle | None:
    """The handle under a pixel: the nearest line or area within reach, near ones before far ones."""
    best, nearest = None, math.inf
    mouse = np.array((x, y), float)
    for figure in found:
        if figure.shape in ("arc", "rod", "cone"):
            continue
        distance = _distance(figure, mouse)
        if distance > reach:
            continue
        if figure.shape == "ring" and figure.handle.axes == (FACING,):
            distance += 1.0  # an axis of its own comes first
        if distance <= nearest + 0.5:  # the later one is nearer to the viewer
            best, nearest = figure.handle, distance
    return best


def _distance(figure: Figure, mouse: np.ndarray) -> float:
    points = figure.points
    if figure.shape in ("cube", "disc"):
        return max(0.0, float(np.linalg.norm(points[-1] - mouse)) - 3.0)
    if figure.shape == "square":
        return 0.0 if _inside(points, mouse) else _to_lines(np.vstack([points, points[:1]]), mouse)
    if figure.faded is not None:
        near = ~figure.faded
        pieces = near[:-1] & near[1:]
        if not pieces.any():
            return math.inf
        return _to_lines(points, mouse, pieces)
    return _to_lines(points, mouse)


def _to_lines(points: np.ndarray, mouse: np.ndarray, pieces: np.ndarray | None = None) -> float:
    a, b = points[:-1], points[1:]
    if pieces is not None:
        a, b = a[pieces], b[pieces]
    along = b - a
    length = np.maximum(np.einsum("ij,ij->i", along, along), 1e-12)
    t = np.clip(np.einsum("ij,ij->i", mouse - a, along) / length, 0.0, 1.0)
    return float(np.linalg.norm(a + t[:, None] * along - mouse, axis=1).min())


def _inside(corners: np.ndarray, mouse: np.ndarray) -> bool:
    edge = np.roll(corners, -1, axis=0) - corners
    to = mouse - corners
    cross = edge[:, 0] * to[:, 1] - edge[:, 1] * to[:, 0]
    return bool((cross >= 0).all() or (cross <= 0).all())


# ---- what dragging means ---------------------------------------------------------------------------------


def along(frame: GizmoFrame, axis: np.ndarray, x: float, y: float) -> float | None:
    """How far along an axis through the gizmo the mouse is, in metres; None where the axis points at the
    viewer."""
    origin, direction = frame.ray(x, y)
    across_ = 1.0 - float(axis @ direction) ** 2
    if across_ < 1e-3:
        return None
    away = origin - frame.pos
    return float((away @ axis - (away @ direction) * (direction @ axis)) / across_)


def in_plane(frame: GizmoFrame, normal: np.ndarray, x: float, y: float) -> np.ndarray | None:
    """(3,) the point of the plane through the gizmo under the mouse, from its middle; None where the mouse
    misses it."""
    origin, direction = frame.ray(x, y)
    steep = float(normal @ direction)
    if abs(steep) < 1e-3:
        return None
    distance = float(normal @ (frame.pos - origin)) / steep
    if distance <= 0 and not frame.view.orthographic:
        return None
    return origin + distance * direction - frame.pos


def shift(handle: Handle, frame: GizmoFrame, x: float, y: float) -> np.ndarray | None:
    """(3,) where the mouse is along the axes of a "move" handle, in metres; 0 along the others."""
    result = np.zeros(3)
    if len(handle.axes) == 1 and handle.axes[0] != FACING:
        found = along(frame, frame.axis(handle.axes[0]), x, y)
        if found is None:
            return None
        result[handle.axes[0]] = found
        return result
    used = range(3) if handle.axes == (FACING,) else handle.axes
    normal = frame.towards() if handle.axes == (FACING,) else frame.axis(3 - sum(handle.axes))
    point = in_plane(frame, normal, x, y)
    if point is None:
        return None
    for axis in used:
        result[axis] = point @ frame.axis(axis)
    return result


def angle(handle: Handle, frame: GizmoFrame, start: tuple[float, float], x: float, y: float) -> float | None:
    """Angle by which the mouse has turned about the axis of a "turn" handle since `start`, within half a turn."""
    return angle_about(frame, frame.axis(handle.axes[0]), start, x, y)


def angle_about(frame: GizmoFrame, axis: np.ndarray, start: tuple[float, float], x: float, y: float) -> float | None:
    """Angle by which the mouse has turned about any axis through the gizmo since `start`, rad; None where the mouse
    gives no angle."""
    if abs(float(axis @ frame.towards())) < EDGE_ON:  # seen from the side: along its tangent
        tangent = np.cross(axis, frame.towards())
        points = frame.project([frame.pos, frame.pos + RING * frame.pixel * tangent])
        direction = points[1] - points[0]
        length = float(direction @ direction)
        moved = np.array((x - start[0], y - start[1]))
        return None if length < 1e-9 else float(moved @ direction) / length
    a, b = in_plane(frame, axis, *start), in_plane(frame, axis, x, y)
    if a is None or b is None:
        return None
    return math.atan2(float(np.cross(a, b) @ axis), float(a @ b))


def across(normal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors across a unit vector, and across each other."""
    other = np.array((0.0, 0.0, 1.0)) if abs(normal[2]) < 0.9 else np.array((1.0, 0.0, 0.0))
    u = np.cross(other, normal)
    u /= np.linalg.norm(u)
    return u, np.cross(normal, u)


def snap_step(pixel: float, pixels: float = 12.0) -> float:
    """A round length (1, 2 or 5 times a power of ten) of at least so many pixels."""
    least = max(pixel * pixels, 1e-9)
    power = 10.0 ** math.floor(math.log10(least))
    return next(round(times * power, 12) for times in (1, 2, 5, 10) if times * power >= least * (1 - 1e-9))


def fine_step(pixel: float) -> float:
    """The power of ten that is at most a pixel: how precise a drag is."""
    return 10.0 ** math.floor(math.log10(max(pixel, 1e-9)))
