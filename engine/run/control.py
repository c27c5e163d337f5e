"""The view of a simulation that a controller gets: time, state and sensors, as arrays and by the names of the model.

    view = ControlView(layout(model))      # in the process of the controller: no Model is needed
    view.take(block)                       # numbers that `pack` made of a Data
    view.joint("knee").qpos, view.sensor("gyro").data, view.qvel

The layout is plain data, and the numbers are one array: both go to another process as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    ]
    sensors = [
        [name, int(model.sensor_adr[i]), int(model.sensor_dim[i])] for i, name in enumerate(model.names["sensor"])
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
    """Position and velocity of a joint: arrays, of length 1 for a hinge or slide."""

    qpos: np.ndarray
    qvel: np.ndarray


class SensorView(NamedTuple):
    """data: the numbers of a sensor, an array."""

    data: np.ndarray


class ActuatorView(NamedTuple):
    """ctrl: the control as it is, an array of length 1; ctrlrange: its limits, 0 0 without."""

    ctrl: np.ndarray
    ctrlrange: np.ndarray


class ControlView:
    """The argument `data` of a controller: names and shapes are those of Data and of its views of objects
    (engine/model/views.py). Everything in it is read; the value that the controller returns is the control.

    time        simulation time, s
    timestep    of the simulation, s
    qpos, qvel, act, ctrl, sensordata    as in Data; sensordata is that of the step before
    nu          the number of actuators
    names       "joint", "sensor", "actuator" -> names by id, "" where one has none
    """

    def __init__(self, plain: Mapping[str, Any]):
        self.timestep: float = plain["timestep"]
        self.nu: int = plain["sizes"][3]
        self._joints = [places for _, *places in plain["joints"]]
        self._sensors = [places for _, *places in plain["sensors"]]
        self._ranges = np.reshape(np.array(plain["ranges"], float), (-1, 2))
        self.names: dict[str, list[str]] = {
            "joint": [name for name, *_ in plain["joints"]],
            "sensor": [name for name, *_ in plain["sensors"]],
            "actuator": list(plain["actuators"]),
        }
        self._ids = {
            kind: {name: number for number, name in enumerate(names) if name} for kind, names in self.names.items()
        }
        ends = np.cumsum([1, *plain["sizes"]]).tolist()
        self._slices = [slice(begin, end) for begin, end in pairwise(ends)]
        self.time = 0.0
        self.take(np.zeros(ends[-1]))

    def take(self, block: np.ndarray) -> None:
        """Show other numbers."""
        self.time = float(block[0])
        self.qpos, self.qvel, self.act, self.ctrl, self.sensordata = (block[each] for each in self._slices)

    def joint(self, which: str | int) -> JointView:
        """A joint by its name or id. Raises KeyError and IndexError."""
        position, velocity, nq, nv = self._joints[self._id("joint", which)]
        return JointView(self.qpos[position : position + nq], self.qvel[velocity : velocity + nv])

    def sensor(self, which: str | int) -> SensorView:
        """A sensor by its name or id. Raises KeyError and IndexError."""
        first, count = self._sensors[self._id("sensor", which)]
        return SensorView(self.sensordata[first : first + count])

    def actuator(self, which: str | int) -> ActuatorView:
        """An actuator by its name or id. Raises KeyError and IndexError."""
        number = self._id("actuator", which)
        return ActuatorView(self.ctrl[number : number + 1], self._ranges[number])

    def controls(self, returned: Any) -> np.ndarray:
        """The controls of all actuators from the value that a controller returned: numbers for all, numbers by the
        names of actuators (others keep theirs), or None for those that are there. Raises KeyError, TypeError and
        ValueError."""
        ctrl = np.array(self.ctrl, float)
        if returned is None:
            pass
        elif isinstance(returned, Mapping):
            for which, value in returned.items():
                number = self._id("actuator", which)
                ctrl[number : number + 1] = self._numbers(value, 1)
        else:
            ctrl[:] = self._numbers(returned, ctrl.size)
        wrong = np.flatnonzero(~np.isfinite(ctrl))
        if wrong.size:
            number = int(wrong[0])
            name = self.names["actuator"][number] or number
            raise ValueError(tr("returned {value} for the actuator {name}", value=float(ctrl[number]), name=name))
        return ctrl

    @staticmethod
    def _numbers(given: Any, wanted: int) -> np.ndarray:
        """Numbers from a number, an array, or a list of both: a joint of one number has arrays of length 1."""
        parts = given if isinstance(given, list | tuple) else [given]
        numbers = np.concatenate([np.ravel(np.asarray(part, float)) for part in parts] or [np.zeros(0)])
        if numbers.size != wanted:
            raise ValueError(tr("returned {count} numbers for {wanted} actuators", count=numbers.size, wanted=wanted))
        return numbers

    def _id(self, kind: str, which: str | int) -> int:
        names, ids = self.names[kind], self._ids[kind]
        if not isinstance(which, str):
            if 0 <= which < len(names):
                return int(which)
            raise IndexError(f"there is no {kind} {which}: there are {len(names)}")
        if which in ids:
            return ids[which]
        raise KeyError(f"no {kind} is named {which!r}{meant(which, ids)}")
