"""The sliders of joints: one for a hinge or a slide, three angles for a ball, position and angles for a free joint."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kinetree.app.panels.live.rows import LiveRow, entries
from kinetree.app.panels.live.sliders import SliderRow
from kinetree.app.panels.writing.tree.objects import JOINTS
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.engine.geometry.orientation import from_euler
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.workspace.simulation_controller import SimulationController
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.snapshot import Snapshot

ANGLES = (marked("roll"), marked("pitch"), marked("yaw"))
SEQUENCE = "XYZ"
"""About the fixed axes x, y, z in turn: what roboticists call roll, pitch and yaw."""
ALONG = 1e-9  # deviation of a unit axis from x, y or z that is rounding
ROOM = 2.0  # reach of the sliders of positions, in extents of the model
_CLOSE = 1e-6


def joint_title(model: Model, joint: int) -> str:
    """The name of a joint; one without is called by its body."""
    names = model.names.get("joint", [])
    if joint < len(names) and names[joint]:
        return names[joint]
    body = name_of(model, "body", int(model.jnt_bodyid[joint]))
    return f"{body} ({tr(JOINTS.get(int(model.jnt_type[joint]), 'joint'))}{_axis(model, joint)})"


def _axis(model: Model, joint: int) -> str:
    """The axis of a hinge or slide along x, y or z, to end a title. Points of a flex have three without names."""
    if int(model.jnt_type[joint]) not in (enums.JNT_SLIDE, enums.JNT_HINGE):
        return ""
    place = int(np.abs(model.jnt_axis[joint]).argmax())
    value = float(model.jnt_axis[joint, place])
    return "" if abs(abs(value) - 1.0) > ALONG else f" {'−' if value < 0.0 else ''}{'xyz'[place]}"


def joint_rows(model: Model, simulation: SimulationController) -> Iterator[SliderRow]:
    """The sliders of all joints, in the order of the model."""
    for joint in range(model.njnt):
        kind, first = int(model.jnt_type[joint]), int(model.jnt_qposadr[joint])
        about = LiveRow(
            joint_title(model, joint), selection=Selection("joint", joint), help=tr(JOINTS[kind].capitalize())
        )
        if kind == enums.JNT_FREE:
            yield from positions(simulation, "qpos", first, model.qpos0[first : first + 3], reach_of(model), about)
            yield from angles(simulation, "qpos", first + 3, model.qpos0[first + 3 : first + 7], about)
        elif kind == enums.JNT_BALL:
            yield from angles(simulation, "qpos", first, model.qpos0[first : first + 4], about)
        else:
            yield _single(model, simulation, joint)


def reach_of(model: Model) -> float:
    """How far the sliders of a position go to either side, m."""
    return ROOM * max(float(model.stat.extent), 0.1)


def range_of(model: Model, joint: int) -> tuple[float, float, bool]:
    """The ends of the slider of a hinge or slide, and whether they are limits."""
    low, high = (float(value) for value in model.jnt_range[joint])
    if model.jnt_limited[joint] and low < high:
        return low, high, True
    reach = math.pi if int(model.jnt_type[joint]) == enums.JNT_HINGE else 1.0
    return -reach, reach, False


def _single(model: Model, simulation: SimulationController, joint: int) -> SliderRow:
    address, is_hinge = int(model.jnt_qposadr[joint]), int(model.jnt_type[joint]) == enums.JNT_HINGE
    low, high, limited = range_of(model, joint)
    return SliderRow(
        joint_title(model, joint), entries("qpos", address), "rad" if is_hinge else "m", Selection("joint", joint),
        f"qpos[{address}]", help=tr("Hinge") if is_hinge else tr("Slide"), low=low, high=high, limited=limited,
        rest=float(model.qpos0[address]),
        write=lambda value: simulation.post(requests.SetValues("qpos", address, [value])),
    )  # fmt: skip


def positions(
    simulation: SimulationController, field: str, first: int, start: Sequence[float], reach: float, about: LiveRow
) -> Iterator[SliderRow]:
    """Sliders for a position: three numbers from flat index `first` on in an array of the state or the inputs.

    about  a row whose object, title (`name`) and help the sliders take over; `quantity` is the row of the array with
           a comma, "3,", "" in an array of one dimension
    start  where they rest, in the middle of their reach, m
    """
    for axis, name in enumerate("xyz"):
        address, rest = first + axis, float(start[axis])
        place = f"{about.quantity}{axis}" if about.quantity else str(address)
        yield SliderRow(
            name, entries(field, address), "m", about.selection, f"{field}[{place}]", about.name,
            tr("{joint}: position", joint=about.help), (about.identity, name), rest - reach, rest + reach, rest=rest,
            write=lambda value, address=address: simulation.post(requests.SetValues(field, address, [value])),
        )  # fmt: skip


def angles(
    simulation: SimulationController, field: str, first: int, start: np.ndarray, about: LiveRow
) -> Iterator[SliderRow]:
    """Sliders for an orientation: roll, pitch and yaw of the quaternion from flat index `first` on. `start`: the
    quaternion at which they rest."""
    held, rest = _Angles(), roll_pitch_yaw(start)

    def quat(snapshot: Snapshot) -> np.ndarray:
        return getattr(snapshot, field).reshape(-1)[first : first + 4]

    def write(axis: int, value: float) -> None:
        snapshot = simulation.snapshot
        if snapshot is not None and snapshot.model is simulation.model:
            simulation.post(requests.SetValues(field, first, held.turned(quat(snapshot), snapshot.serial, axis, value)))

    for axis, name in enumerate(ANGLES):
        yield SliderRow(
            tr(name),
            lambda snapshot, axis=axis: held.of(quat(snapshot))[axis],
            "rad",
            about.selection,
            "",
            about.name,
            tr("{joint}: angle about the fixed {axis} axis", joint=about.help, axis="xyz"[axis]),
            (about.identity, name),
            -math.pi,
            math.pi,
            rest=rest[axis],
            write=lambda value, axis=axis: write(axis, value),
        )


class _Angles:
    """The angles of one joint. Those that were set stay as they are while they describe the orientation: one
    orientation has several sets of angles, and a slider must not jump to another one while it is dragged."""

    def __init__(self) -> None:
        self._set: tuple[float, float, float] | None = None
        self._quat = np.zeros(4)
        self._serial = -1  # of the snapshot in which they were set

    def of(self, quat: np.ndarray) -> tuple[float, float, float]:
        """Roll, pitch and yaw of an orientation, rad."""
        if self._set is not None and 1.0 - abs(float(quat @ self._quat)) < _CLOSE * _CLOSE:
            return self._set
        return roll_pitch_yaw(quat)

    def turned(self, quat: np.ndarray, serial: int, axis: int, angle: float) -> list[float]:
        """The orientation with one angle set. `serial`: of the snapshot that `quat` is from; what was set since then
        is not yet in it."""
        angles = list(self._set if self._set is not None and serial == self._serial else self.of(quat))
        angles[axis] = angle
        self._set, self._serial = (angles[0], angles[1], angles[2]), serial
        self._quat = np.array(from_euler(angles, SEQUENCE, False))
        return self._quat.tolist()


def roll_pitch_yaw(quat: np.ndarray) -> tuple[float, float, float]:
    """Angles about the fixed axes x, y and z, in turn, that give an orientation (w, x, y, z), rad. At pitch 90° roll
    is 0."""
    w, x, y, z = (float(each) for each in quat / (np.linalg.norm(quat) or 1.0))
    sine = min(max(2.0 * (w * y - z * x), -1.0), 1.0)
    if abs(sine) > 1.0 - 1e-9:
        return 0.0, math.copysign(math.pi / 2.0, sine), -math.copysign(2.0, sine) * math.atan2(x, w)
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    return roll, math.asin(sine), math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
