"""Drag: from the positions of the mouse, or typed numbers, to edits about the text.

What is measured are numbers along the axes of the gizmo: offsets in metres, an angle, a half length, the end of a
range. They count from the placement that the text had when the drag began, in the frame of the primary target as
that stands now, so that a body that moves meanwhile does not change what is written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kinetree.app.viewport.gizmo.live import LiveTarget
from kinetree.app.viewport.gizmo.target import GizmoTarget
from kinetree.engine import editing
from kinetree.engine.document.element_edit import ElementEdit
from kinetree.engine.geometry.orientation import Pose, Vec, compose, conj, mul, rotate, unit
from kinetree.engine.scene import gizmo
from kinetree.engine.scene.gizmo import FACING, MOVE, SIZE, TURN, GizmoFrame, Handle, JointRange
from kinetree.engine.scene.rotation import quat_mat
from kinetree.engine.translation import counted, tr

LOCAL, PARENT, WORLD = "local", "parent", "world"
ANGLE_STEP = math.radians(5)  # that Ctrl snaps to
FINE_ANGLE = math.radians(0.1)
TYPED_ANGLE = 1e-5  # how precise a typed angle is, radians
NAMES = "XYZ"


def axes_of(space: str, target: GizmoTarget, frame: Pose) -> np.ndarray:
    """(3, 3) the axes of the gizmo in the world, in columns; `frame`: that of the target, now."""
    if space == WORLD:
        return np.eye(3)
    around = quat_mat(frame[1])
    return around @ quat_mat(target.placement.pose[1]) if space == LOCAL else around


class Drag:
    """One drag of one handle, from press to release.

    handle   what is dragged; `constrain` changes it
    targets  what moves, the primary one last
    space    "local", "parent" or "world" axes
    even     whether a size keeps its proportions
    typed    the text that was typed in place of the mouse, None while the mouse counts
    """

    def __init__(
        self,
        handle: Handle,
        targets: Sequence[GizmoTarget],
        space: str,
        start: tuple[float, float],
        limits: editing.limit.JointLimits | editing.keyframe.KeyValue | None = None,
        even: bool = False,
    ):
        self.even = even
        self.handle, self.targets, self.space, self.limits = handle, tuple(targets), space, limits
        self.primary = targets[-1]
        self.typed: str | None = None
        self.precision = editing.pose.Precision(1e-3, FINE_ANGLE)
        self._press = start
        self._offsets = np.zeros(3)
        self._angle = 0.0
        self._length = 0.0
        self._zero: np.ndarray | float | None = None
        self._kept: dict[int, float] = {}  # typed offsets of other axes
        self._active = handle.axes[0]
        self.changed = False

    # ---- measuring ---------------------------------------------------------------------------------------

    @property
    def is_live(self) -> bool:
        """Whether it moves the running state, and not the text."""
        return isinstance(self.primary, LiveTarget)

    def constrain(self, axis: int) -> None:
        """Move along, or turn about, one axis only."""
        if self.handle.tool in (MOVE, TURN):
            self.handle = Handle(self.handle.tool, (axis,))
            self._active = axis
            self._zero = None
            self._offsets, self._angle = np.zeros(3), 0.0
            self._kept = {}

    def follow(self, frame: GizmoFrame, x: float, y: float, snap: bool) -> None:
        """Take a position of the mouse. `frame`: the gizmo where it was at the press, as it stands now."""
        step = gizmo.fine_step(frame.pixel)
        self.precision = editing.pose.Precision(step, FINE_ANGLE)
        if self.typed is not None:
            return
        tool = self.handle.tool
        if tool == MOVE:
            self._follow_shift(frame, x, y, snap)
        elif tool == TURN:
            found = gizmo.angle(self.handle, frame, self._press, x, y)
            if found is not None:
                turn = 2 * math.pi
                found += turn * round((self._angle - found) / turn)
                self._angle = _rounded(found, ANGLE_STEP if snap else FINE_ANGLE)
        elif tool == SIZE:
            found = self._along(frame, frame.axis(self.handle.axes[0]), x, y)
            if found is not None:
                reach = self._reach() + self.handle.side * found
                self._length = _rounded(reach, gizmo.snap_step(frame.pixel) if snap else step) - self._reach()
        self.changed = True

    def follow_limit(self, frame: GizmoFrame, span: JointRange, x: float, y: float, snap: bool) -> None:
        """Take a position of the mouse for the end of a range; `span`: the range as it is shown."""
        assert self.limits is not None
        self.precision = editing.pose.Precision(gizmo.fine_step(frame.pixel), FINE_ANGLE)
        if self.typed is not None:
            return
        old = self.limits.low if self.handle.side < 0 else self.limits.high
        if span.start is not None:
            found = gizmo.angle_about(frame, span.axis, self._press, x, y)
            if found is None:
                return
            found += 2 * math.pi * round((self._length - found) / (2 * math.pi))
            if span.is_cone:
                found = min(max(found, -old), math.pi - old)
            step = ANGLE_STEP if snap else FINE_ANGLE
        else:
            found = self._along(frame, span.axis, x, y)
            if found is None:
                return
            step = gizmo.snap_step(frame.pixel) if snap else self.precision.length
        self._length = _rounded(old + found, step) - old
        self.changed = True

    def _along(self, frame: GizmoFrame, axis: np.ndarray, x: float, y: float) -> float | None:
        """How far along an axis the mouse has gone since the press, in metres."""
        found = gizmo.along(frame, axis, x, y)
        if found is None:
            return None
        if self._zero is None:
            start = gizmo.along(frame, axis, *self._press)
            self._zero = found if start is None else start
        return found - float(self._zero)

    def _follow_shift(self, frame: GizmoFrame, x: float, y: float, snap: bool) -> None:
        found = gizmo.shift(self.handle, frame, x, y)
        if found is None:
            return
        if self._zero is None:
            start = gizmo.shift(self.handle, frame, *self._press)
            self._zero = found if start is None else start
        offsets = found - self._zero
        if snap:
            step = gizmo.snap_step(frame.pixel)
            base = np.array(self.primary.placement.pose[0]) if self.space == PARENT else np.zeros(3)
            used = range(3) if self.handle.axes == (FACING,) else self.handle.axes
            for axis in used:
                offsets[axis] = _rounded(base[axis] + offsets[axis], step) - base[axis]
        self._offsets = offsets

    def _reach(self) -> float:
        shape = self.primary.shape
        assert shape is not None
        return shape.reaches[self.handle.axes[0], self.handle.side]

    # ---- typed numbers -----------------------------------------------------------------------------------

    @property
    def axis_name(self) -> str:
        """The name of the axis that the field shows."""
        if self.handle.tool == TURN:
            return tr("Turn") if self.handle.axes == (FACING,) else tr("Turn {axis}", axis=NAMES[self.handle.axes[0]])
        if self.handle.tool == SIZE:
            return tr("Size") if self.even else tr("Size {axis}", axis=NAMES[self._active])
        if self.handle.tool == "limit":
            if isinstance(self.limits, editing.limit.JointLimits) and self.limits.is_ball:
                return tr("Limit")
            return {-1: tr("Lower limit"), 0: tr("Position"), 1: tr("Upper limit")}[self.handle.side]
        return tr("Move {axis}", axis=NAMES[self._active]) if self._active != FACING else tr("Move X")

    @property
    def unit(self) -> str:
        turns = self.handle.tool == TURN or (self.handle.tool == "limit" and self._in_degrees)
        return "°" if turns else "m"

    @property
    def _in_degrees(self) -> bool:
        return self.limits is not None and self.limits.turns

    @property
    def value(self) -> float:
        """The number that the field shows: an offset, an angle in degrees, a half length or the end of a range."""
        tool = self.handle.tool
        if tool == MOVE:
            return float(self.offsets[0 if self._active == FACING else self._active])
        if tool == TURN:
            return math.degrees(self._angle)
        if tool == SIZE:
            return self._reach() + self._length
        assert self.limits is not None
        old = self.limits.low if self.handle.side < 0 else self.limits.high
        return math.degrees(old + self._length) if self._in_degrees else old + self._length

    @property
    def shown(self) -> str:
        """The text of the field."""
        fine = 0.1 if self.unit == "°" else self.precision.length
        return self.typed if self.typed is not None else editing.numbers.number(self.value, precision=fine)

    def type(self, text: str) -> bool:
        """Take a typed number in place of the mouse. False for invalid input: the last number stays."""
        self.typed = text
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            return False
        if not math.isfinite(value):
            return False
        digits = len(text.replace(",", ".").partition(".")[2])
        step = 10.0**-digits
        tool = self.handle.tool
        if tool == MOVE:
            self._kept[0 if self._active == FACING else self._active] = value
        elif tool == TURN:
            self._angle = math.radians(value)
        elif tool == SIZE:
            self._length = value - self._reach()
        else:
            assert self.limits is not None
            old = self.limits.low if self.handle.side < 0 else self.limits.high
            self._length = (math.radians(value) if self._in_degrees else value) - old
        turn = min(TYPED_ANGLE, math.radians(step)) if self.unit == "°" else self.precision.turn
        length = min(self.precision.length, step) if self.unit == "m" else self.precision.length
        self.precision = editing.pose.Precision(length, turn)
        self.changed = True
        return True

    def next_axis(self) -> None:
        """Go to the number of the next axis (Tab)."""
        tool = self.handle.tool
        if tool == MOVE:
            now = 0 if self._active == FACING else self._active
            self._kept.setdefault(now, float(self.offsets[now]))
            if len(self.handle.axes) == 1 and self.handle.axes != (FACING,):
                self.handle = Handle(MOVE, (FACING,))
            self._active = (now + 1) % 3
            self.typed = None if self._active not in self._kept else editing.numbers.number(self._kept[self._active])
            self.typed = self.typed if self.typed is not None else "0"
            self._kept.setdefault(self._active, 0.0)
        elif tool == TURN and self.typed is None:
            self.constrain((self.handle.axes[0] + 1) % 3)

    @property
    def offsets(self) -> np.ndarray:
        """(3,) metres along the axes of the gizmo."""
        found = self._offsets.copy()
        for axis, value in self._kept.items():
            found[axis] = value
        return found

    # ---- what comes of it --------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the action, for the undo history."""
        if self.handle.tool == "limit" and not self.handle.side:
            return tr("Set joint of key")
        sentence = {
            MOVE: tr("Move {what}"),
            TURN: tr("Turn {what}"),
            SIZE: tr("Resize {what}"),
            "limit": tr("Set range of {what}"),
        }[self.handle.tool]
        count = 1 if self.handle.tool == "limit" else len(self.targets)
        if self.primary.node.tag == "key" and self.handle.tool != "limit" and count == 1:
            return sentence.format(what=tr("{kind} of key", kind=self.primary.selection.kind))
        several = counted("{count} element", "{count} elements", count)
        return sentence.format(what=self.primary.node.tag if count == 1 else several)

    def poses(self, frames: Sequence[Pose], towards: np.ndarray) -> list[Pose]:
        """The new pose of each target in its frame. `frames`: those frames in the world, now; `towards`: unit
        vector to the viewer."""
        old = [target.placement.pose for target in self.targets]
        axes = axes_of(self.space, self.primary, frames[-1])
        if self.handle.tool == MOVE:
            away = tuple(map(float, axes @ self.offsets))
            return [
                (_plus(pose[0], rotate(conj(frame[1]), away)), pose[1]) if target.placement.moves else pose
                for target, pose, frame in zip(self.targets, old, frames, strict=True)
            ]
        if self.handle.tool == TURN:
            which = self.handle.axes[0]
            axis = tuple(map(float, towards if which == FACING else axes[:, which]))
            pivot = compose(frames[-1], old[-1])[0]
            return [
                _turned(target, pose, frame, axis, self._angle, pivot)
                for target, pose, frame in zip(self.targets, old, frames, strict=True)
            ]
        return old

    def edits(self, frames: Sequence[Pose], towards: np.ndarray) -> list[ElementEdit]:
        """The element edits."""
        if self.handle.tool == SIZE:
            return self._resize()
        if self.handle.tool == "limit":
            assert self.limits is not None
            old = self.limits.low if self.handle.side < 0 else self.limits.high
            turns = self.unit == "°"
            fine = self.precision.turn if turns else self.precision.length
            return self.limits.set(self.handle.side, old + self._length, fine)
        found: list[ElementEdit] = []
        for target, pose in zip(self.targets, self.poses(frames, towards), strict=True):
            found += target.placement.move(pose, self.precision)
        return found

    def _resize(self) -> list[ElementEdit]:
        """The dragged size, and the same in proportion for the other targets."""
        axis, side, old = self.handle.axes[0], self.handle.side, self._reach()
        factor = (old + self._length) / old
        found: list[ElementEdit] = []
        copies: dict[int, str] = {}
        for target in self.targets:
            reaches = {} if target.shape is None else target.shape.reaches
            if target.shape is not None and self.even:
                found += target.shape.scale(factor, self.precision.length, copies)
            elif target.shape is not None and (axis, side) in reaches:
                reach = reaches[axis, side] * factor
                found += target.shape.resize(axis, side, reach, self.precision.length, copies)
        return found

    def reaches(self) -> dict[tuple[int, int], float]:
        """How far the shape of the primary target reaches to each side, as dragged."""
        shape = self.primary.shape
        found = {} if shape is None else shape.reaches
        if self.handle.tool != SIZE or shape is None:
            return found
        axis, side, old = self.handle.axes[0], self.handle.side, self._reach()
        factor = max(old + self._length, 0.0) / old
        same = shape.lengths[axis, side]
        both = not (axis == 2 and shape.ends is not None)  # of fromto one end is moved
        return {
            key: reach * factor if self.even or key == (axis, side) or (both and shape.lengths[key] == same) else reach
            for key, reach in found.items()
        }


def _turned(target: GizmoTarget, pose: Pose, frame: Pose, axis: Vec, angle: float, pivot: Vec) -> Pose:
    """A pose in its frame after a turn about an axis of the world through a point of the world."""
    if not target.placement.turns or not angle:
        return pose
    local = rotate(conj(frame[1]), axis)
    sine = math.sin(0.5 * angle)
    turn = (math.cos(0.5 * angle), *(sine * value for value in local))
    back = conj(frame[1])
    middle = rotate(back, tuple(a - b for a, b in zip(pivot, frame[0], strict=True)))
    pos = pose[0]
    if target.placement.moves and any(abs(a - b) > 1e-9 for a, b in zip(pos, middle, strict=True)):
        away = rotate(turn, tuple(a - b for a, b in zip(pos, middle, strict=True)))
        pos = _plus(middle, away)
    return pos, unit(mul(turn, pose[1]))


def _plus(a: Vec, b: Vec) -> Vec:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _rounded(value: float, step: float) -> float:
    return round(round(value / step) * step, editing.numbers.decimals(step) + 6)
