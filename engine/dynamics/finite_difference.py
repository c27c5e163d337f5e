"""Derivatives of a step and of the inverse dynamics by finite differences. Like mjd_transitionFD and mjd_inverseFD.

Nudges of controls and activations evaluate only what follows from them, nudges of velocities all but what positions
determine. What a model's integrator factors stays that of the nominal step where the nudge comes after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.dynamics.forward import run_list
from engine.dynamics.positions import differentiate_pos, integrate_pos
from engine.model.data import Data
from engine.model.enums import INT_RK4
from engine.model.model import Model


class Transition(NamedTuple):
    """Derivatives of one step: of the next state y by the state x and the controls u, and of the sensors s.

    A state has the 2 nv + na numbers: positions as tangent vectors (nv), velocities (nv), activations (na).

    A   dy/dx (2 nv + na, 2 nv + na)
    B   dy/du (2 nv + na, nu)
    C   ds/dx (nsensordata, 2 nv + na)
    D   ds/du (nsensordata, nu)
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray


class InverseDerivatives(NamedTuple):
    """Derivatives of the inverse dynamics. As in MuJoCo a row belongs to an input, a column to a result.

    DfDq, DfDv, DfDa   of the forces qfrc_inverse by positions (tangent vectors), velocities, accelerations (nv, nv)
    DsDq, DsDv, DsDa   of the sensors by the same (nv, nsensordata)
    DmDq               of the joint-space inertia, in the order of data.M, by positions (nv, nC)
    """

    DfDq: np.ndarray
    DfDv: np.ndarray
    DfDa: np.ndarray
    DsDq: np.ndarray
    DsDv: np.ndarray
    DsDa: np.ndarray
    DmDq: np.ndarray


Arrays = tuple[np.ndarray, ...]


class _Nudges:
    """Runs of a list of stages from one start, on a Data of its own, with one number of the start changed.

    read    what a run results in, from that Data
    minus   (first result, second result) -> their difference
    """

    def __init__(
        self,
        model: Model,
        data: Data,
        read: Callable[[Data], Arrays],
        minus: Callable[[Arrays, Arrays], Arrays],
    ):
        self.model, self.read, self.minus = model, read, minus
        self.time, self.start = data.time, data.block("history").copy()
        self.data = Data(model)
        self.data.hooks, self.qacc = data.hooks, data.qacc.copy()

    def run(self, stages: str, change: Callable[[Data], None] | None = None) -> Arrays:
        """Results of one run."""
        self.data.time, self.data.block("history")[...] = self.time, self.start
        if stages.startswith("inverse"):
            self.data.qacc = self.qacc
        if change is not None:
            change(self.data)
        run_list(self.model, self.data, stages)
        return self.read(self.data)

    def column(
        self, stages: str, change: Callable[[Data, float], None], nominal: Arrays, eps: float, sides: tuple[bool, bool]
    ) -> Arrays:
        """Derivatives of both results by one number. sides: may it be nudged up, may it be nudged down."""
        up, down = (
            self.run(stages, lambda data, step=step: change(data, step)) if may else nominal
            for may, step in zip(sides, (eps, -eps), strict=True)
        )
        width = eps * sum(sides)
        return tuple(part / width if width else np.zeros_like(part) for part in self.minus(up, down))


def _nudge(name: str, i: int) -> Callable[[Data, float], None]:
    def change(data: Data, step: float) -> None:
        getattr(data, name)[i] += step

    return change


def _nudge_position(model: Model, i: int) -> Callable[[Data, float], None]:
    def change(data: Data, step: float) -> None:
        velocity = np.zeros(model.nv)
        velocity[i] = step
        data.qpos = integrate_pos(model, data.qpos, velocity, 1.0)

    return change


def transition_fd(model: Model, data: Data, eps: float = 1e-6, centered: bool = False) -> Transition:
    """Derivatives of `engine.step` at the present state by finite differences. The data is not changed.

    eps        size of a nudge: of a control, activation or velocity, or of a position by a velocity over 1 s
    centered   differences of two nudges, up and down: twice the work, and an error of second order in eps

    A control with a ctrlrange is nudged within it only, to one side if need be; outside of its range its derivatives
    are 0. Unlike mujoco 3.3.4, which gives D the opposite sign with `centered`, D is the derivative.

    Raises ValueError for the integrator RK4 and for an eps that is not positive, ModelError as `step` does.
    """
    _check(model, eps, "the derivatives of a step")

    def read(twin: Data) -> Arrays:
        return np.concatenate([twin.qpos, twin.qvel, twin.act]), twin.sensordata.copy()

    def minus(one: Arrays, other: Arrays) -> Arrays:
        (state, sensors), (from_state, from_sensors) = one, other
        rest = state[model.nq :] - from_state[model.nq :]
        moved = differentiate_pos(model, from_state[: model.nq], state[: model.nq])
        return np.concatenate([moved, rest]), sensors - from_sensors

    nudges = _Nudges(model, data, read, minus)
    nominal = nudges.run("step_from_position")
    both = (True, centered)
    by_ctrl = [
        nudges.column("step_from_actuation", _nudge("ctrl", i), nominal, eps, _sides(model, data, i, eps, centered))
        for i in range(model.nu)
    ]
    by_act = [nudges.column("step_from_actuation", _nudge("act", i), nominal, eps, both) for i in range(model.na)]
    by_velocity = [nudges.column("step_from_velocity", _nudge("qvel", i), nominal, eps, both) for i in range(model.nv)]
    by_position = [
        nudges.column("step_from_position", _nudge_position(model, i), nominal, eps, both) for i in range(model.nv)
    ]
    sizes = (2 * model.nv + model.na, model.nsensordata)
    (a, c), (b, d) = (
        (_columns([y for y, _ in found], sizes[0]), _columns([s for _, s in found], sizes[1]))
        for found in ([*by_position, *by_velocity, *by_act], by_ctrl)
    )
    return Transition(a, b, c, d)


def inverse_fd(model: Model, data: Data, eps: float = 1e-6, actuation: bool = False) -> InverseDerivatives:
    """Derivatives of `engine.inverse` at the present state and data.qacc by forward differences.

    eps         size of a nudge: of an acceleration or velocity, or of a position by a velocity over 1 s
    actuation   subtract the forces of actuators, data.qfrc_actuator, from qfrc_inverse

    The data is not changed. Raises ValueError for the integrator RK4, for noslip iterations and for an eps that is not
    positive, ModelError as `step` does.
    """
    _check(model, eps, "the derivatives of the inverse dynamics")
    if model.opt.noslip_iterations > 0:
        raise ValueError("there are no derivatives of the inverse dynamics with noslip iterations: set them to 0")

    def read(twin: Data) -> Arrays:
        force = twin.qfrc_inverse.copy()
        if actuation:
            run_list(model, twin, "actuation")
            force -= twin.qfrc_actuator
        return force, twin.sensordata.copy(), twin.M.copy()

    def minus(one: Arrays, other: Arrays) -> Arrays:
        return tuple(after - before for after, before in zip(one, other, strict=True))

    nudges = _Nudges(model, data, read, minus)
    nudges.run("forward")  # sensors of actuator forces
    nominal = nudges.run("inverse")
    changes = {
        "inverse_from_acceleration": lambda i: _nudge("qacc", i),
        "inverse_from_velocity": lambda i: _nudge("qvel", i),
        "inverse": lambda i: _nudge_position(model, i),
    }
    sizes = (model.nv, model.nsensordata, model.nC)
    found = {}
    for stages, change in changes.items():
        columns = [nudges.column(stages, change(i), nominal, eps, (True, False)) for i in range(model.nv)]
        found[stages] = [_columns([column[k] for column in columns], size).T for k, size in enumerate(sizes)]
    by_acceleration, by_velocity, by_position = found.values()
    return InverseDerivatives(
        by_position[0], by_velocity[0], by_acceleration[0],
        by_position[1], by_velocity[1], by_acceleration[1],
        by_position[2],
    )  # fmt: skip


def _check(model: Model, eps: float, what: str) -> None:
    if model.opt.integrator == INT_RK4:
        raise ValueError(f"there are no finite differences for {what} with the integrator RK4: use another one")
    if not eps > 0:
        raise ValueError(f"eps is the size of a nudge: positive, not {eps}")


def _sides(model: Model, data: Data, i: int, eps: float, centered: bool) -> tuple[bool, bool]:
    """Whether a control may be nudged up, and whether down: within its range, to both sides only if asked for."""
    low, high = model.actuator_ctrlrange[i] if model.actuator_ctrllimited[i] else (-np.inf, np.inf)
    value = data.ctrl[i]
    up = bool(low <= value <= high and value + eps <= high)
    down = bool(low <= value <= high and value - eps >= low)
    return up, down and (centered or not up)


def _columns(found: list[np.ndarray], size: int) -> np.ndarray:
    """Vectors of a size as the columns of a matrix."""
    return np.array(found).reshape(len(found), size).T.copy()
