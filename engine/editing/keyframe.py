"""Poses in a keyframe: where it puts a free body, a mocap body or a joint, and how to say another place in its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kinetree.engine.document.element_edit import ElementEdit
from kinetree.engine.editing import orientation
from kinetree.engine.editing.orientation import Convention
from kinetree.engine.editing.pose import EXACT, NotPlaced, Numbers, Precision
from kinetree.engine.geometry.orientation import START, Pose, unit
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node


@dataclass(frozen=True)
class KeyPlacement:
    """The pose of one body or ball joint in a keyframe; it has what the gizmo uses of a Placement.

    node   the <key>
    pose   in `frame`, which counts in the world
    pos    (attribute, where the three numbers of the position begin); None where the keyframe has none
    quat   the same of the quaternion
    """

    node: Node
    pose: Pose
    pos: tuple[Numbers, int] | None
    quat: tuple[Numbers, int]
    frame: Pose = START
    moves: bool = True
    turns: bool = True
    grows: bool = False

    def move(self, pose: Pose, precision: Precision = EXACT) -> list[ElementEdit]:
        """Edits for another pose."""
        fine = orientation.fine("quat", precision.turn, Convention())
        old = self.quat[0].values[self.quat[1] : self.quat[1] + 4]
        same = orientation.same(pose[1], self.pose[1])
        quat = old if same else orientation.write(pose[1], "quat", Convention(), old)
        assert quat is not None
        if self.pos is None:
            return [_write(*self.quat, quat, fine)]
        if self.pos[0].name == self.quat[0].name:
            part, at = self.pos
            return [_write(part, at, (*pose[0], *quat), [*[precision.length] * 3, *fine])]
        return [
            _write(self.pos[0], self.pos[1], pose[0], [precision.length] * 3),
            _write(self.quat[0], self.quat[1], quat, fine),
        ]

    def restore(self) -> list[ElementEdit]:
        """Edits that restore the keyframe."""
        places = [self.quat] if self.pos is None else [self.pos, self.quat]
        return [part.restore() for part in {part.name: part for part, _ in places}.values()]


@dataclass(frozen=True)
class KeyValue:
    """The position of a hinge or slide in a keyframe; it has what the gizmo uses of Limits, with both ends in one.

    part   qpos
    index  which of its numbers
    turns  whether it is an angle
    """

    part: Numbers
    index: int
    turns: bool

    @property
    def low(self) -> float:
        """The position, in radians or metres."""
        return self.part.values[self.index]

    high = low

    def set(self, side: int, value: float, precision: float) -> list[ElementEdit]:
        """Edits for another position."""
        return [_write(self.part, self.index, [value], [precision])]

    def restore(self) -> list[ElementEdit]:
        """Edits that restore the keyframe."""
        return [self.part.restore()]


def joint_value(key: Node, qpos: Sequence[float], address: int, turns: bool) -> KeyValue:
    """The position of a joint in a keyframe (see `free_body`). Raises NotPlaced."""
    return KeyValue(_part(key, "qpos", qpos), address, turns)


def anchor(key: Node, pos: Sequence[float]) -> KeyPlacement:
    """The place of a joint whose position a keyframe says: it is not moved by that."""
    part = Numbers.of(key, "qpos", ())
    return KeyPlacement(key, (tuple(map(float, pos)), START[1]), None, (part, 0), moves=False, turns=False)


def ball(key: Node, qpos: Sequence[float], address: int, frame: Pose) -> KeyPlacement:
    """How a keyframe turns a ball joint. `frame`: its anchor, and how it is turned where its quaternion is 1 0 0 0, in
    the world; see `free_body` for the others. Raises NotPlaced."""
    part = _part(key, "qpos", qpos)
    quat = unit(part.values[address : address + 4])
    return KeyPlacement(key, (START[0], quat), None, (part, address), frame, moves=False)


def _write(part: Numbers, at: int, values: Sequence[float], fine: Sequence[float]) -> ElementEdit:
    """Edit that replaces some numbers of an attribute."""
    result, digits = list(part.values), [1e-12] * len(part.values)
    result[at : at + len(values)] = values
    digits[at : at + len(values)] = fine
    return part.write(result, digits)


def free_body(key: Node, qpos: Sequence[float], address: int) -> KeyPlacement:
    """Where a keyframe puts a free body. `qpos`: all positions of the keyframe, as compiled; `address`: where those of
    the body begin. Raises NotPlaced for a keyframe that was put together from several texts."""
    part = _part(key, "qpos", qpos)
    pos, quat = part.values[address : address + 3], part.values[address + 3 : address + 7]
    return KeyPlacement(key, (pos, unit(quat)), (part, address), (part, address + 3))


def mocap_body(key: Node, mpos: Sequence[float], mquat: Sequence[float], number: int) -> KeyPlacement:
    """Where a keyframe puts a mocap body, from all mpos and mquat of the keyframe. Raises NotPlaced."""
    pos, quat = _part(key, "mpos", mpos), _part(key, "mquat", mquat)
    pose = pos.values[3 * number : 3 * number + 3], unit(quat.values[4 * number : 4 * number + 4])
    return KeyPlacement(key, pose, (pos, 3 * number), (quat, 4 * number))


def _part(key: Node, name: str, values: Sequence[float]) -> Numbers:
    part = Numbers.of(key, name, values)
    written = (part.text or "").split()
    if written and len(written) != len(part.values):
        raise NotPlaced(
            tr("the {name} of this keyframe is put together from several models: edit it in the text", name=name)
        )
    return part
