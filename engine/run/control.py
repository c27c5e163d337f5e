"""The view of a simulation that a controller gets: time, state and sensors, as arrays and by the names of the model.

    view = ControlView(layout(model))      # in the process of the controller: no Model is needed
    view.take(block)                       # numbers that `pack` made of a Data
    view.joint("knee").qpos, view.sensor("gyro"), view.qvel

The layout is plain data, and the numbers are one array: both go to another process as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kinetree.engine.model.arguments import meant
from kinetree.engine.model.kinds import JOINT_NQ, JOINT_NV
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

FIELDS = ("qpos", "qvel", "act", "ctrl", "sensordata")
"""Arrays of Data that a controller sees."""


def layout(model: Model) -> dict[str, Any]:
    """Sizes, names and places of the numbers of a model, as plain data."""
    joints = [
        [name, int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i]), JOINT_NQ[kind], JOINT_NV[kind]]
        for i, (name, kind) in enumerate(zip(model.names["joint"], model.jnt_type.tolist(), strict=True))
        if name
    ]
    sensors = [
        [name, int(model.sensor_adr[i]), int(model.sensor_dim[i])]
        for i, name in enumerate(model.names["sensor"])
        if name
    ]
    return {
        "timestep": float(model.opt.timestep),
        "sizes": [model.nq, model.nv, model.na, model.nu, model.nsensordata],
        "joints": joints,
        "sensors": sensors,
        "actuators": list(model.names["actuator"]),
        "ranges": model.actuator_ctrlrange.tolist(),
    }


def pack(data: Any) -> np.ndarray:
    """Time and the arrays of a Data that a controller sees, as one array."""
    return np.concatenate([[float(data.time)], *(getattr(data, name).ravel() for name in FIELDS)])


class JointView(NamedTuple):
    """Position and velocity of a joint: numbers of a hinge or slide, arrays of a ball or free joint."""

    qpos: Any
    qvel: Any


class ActuatorView(NamedTuple):
    """ctrl: the control as it is; range: its limits, 0 0 without."""

    ctrl: float
    range: tuple[float, float]


class ControlView:
    """The argument `data` of a controller. Everything in it is read; what the controller returns is the control.

    time        simulation time, s
    timestep    of the simulation, s
    qpos, qvel, act, ctrl, sensordata    as in Data; sensordata is that of the step before
    nu          the number of actuators
    names       "joint", "sensor", "actuator" -> names
    """

    def __init__(self, plain: Mapping[str, Any]):
        self.timestep: float = plain["timestep"]
        self.nu: int = plain["sizes"][3]
        self._joints = {name: places for name, *places in plain["joints"]}
        self._sensors = {name: places for name, *places in plain["sensors"]}
        self._actuators = {name: number for number, name in enumerate(plain["actuators"]) if name}
        self._ranges: Sequence[Sequence[float]] = plain["ranges"]
        self.names = {
            "joint": list(self._joints), "sensor": list(self._sensors), "actuator": list(self._actuators),
        }  # fmt: skip
        ends = np.cumsum([1, *plain["sizes"]]).tolist()
        self._slices = [slice(begin, end) for begin, end in pairwise(ends)]
        self.time = 0.0
        self.take(np.zeros(ends[-1]))

    def take(self, block: np.ndarray) -> None:
        """Show other numbers."""
        self.time = float(block[0])
        self.qpos, self.qvel, self.act, self.ctrl, self.sensordata = (block[each] for each in self._slices)

    def joint(self, name: str) -> JointView:
        """A joint by its name. Raises KeyError."""
        position, velocity, nq, nv = self._found(self._joints, "joint", name)
        return JointView(_value(self.qpos, position, nq), _value(self.qvel, velocity, nv))

    def sensor(self, name: str) -> Any:
        """A sensor by its name: a number, or an array where it has several. Raises KeyError."""
        return _value(self.sensordata, *self._found(self._sensors, "sensor", name))

    def actuator(self, name: str) -> ActuatorView:
        """An actuator by its name. Raises KeyError."""
        number = self._found(self._actuators, "actuator", name)
        low, high = self._ranges[number]
        return ActuatorView(float(self.ctrl[number]), (low, high))

    def controls(self, returned: Any) -> np.ndarray:
        """The controls of all actuators from the value that a controller returned: numbers for all, numbers by the
        names of actuators (others keep theirs), or None for those that are there. Raises TypeError and ValueError."""
        ctrl = np.array(self.ctrl, float)
        if returned is None:
            return ctrl
        if isinstance(returned, Mapping):
            for name, value in returned.items():
                ctrl[self._found(self._actuators, "actuator", name)] = float(value)
        else:
            given = np.asarray(returned, float).ravel()
            if given.size != ctrl.size:
                raise ValueError(
                    tr("returned {count} numbers for {wanted} actuators", count=given.size, wanted=ctrl.size)
                )
            ctrl[:] = given
        wrong = np.flatnonzero(~np.isfinite(ctrl))
        if wrong.size:
            number = int(wrong[0])
            name = next((name for name, each in self._actuators.items() if each == number), number)
            raise ValueError(tr("returned {value} for the actuator {name}", value=float(ctrl[number]), name=name))
        return ctrl

    def _found(self, places: Mapping[str, Any], kind: str, name: str) -> Any:
        try:
            return places[name]
        except KeyError:
            raise KeyError(f"no {kind} is named {name!r}{meant(name, places)}") from None


def _value(array: np.ndarray, first: int, count: int) -> Any:
    return float(array[first]) if count == 1 else array[first : first + count]
