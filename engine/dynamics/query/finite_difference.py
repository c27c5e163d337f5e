"""Derivatives of a step and of the inverse dynamics by finite differences. Like mjd_transitionFD and mjd_inverseFD.

Nudges of controls and activations evaluate only what follows from them, nudges of velocities all but what positions
determine. What a model's integrator factors stays that of the nominal step where the nudge comes after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kinetree.engine.dynamics.forward import run_list, table_of
from kinetree.engine.dynamics.query import nudges
from kinetree.engine.dynamics.query.positions import integrate_pos
from kinetree.engine.jit.uncompiled import uncompiled
from kinetree.engine.jit.vec import integrate_quat
from kinetree.engine.model import enums
from kinetree.engine.model.arguments import flag, number
from kinetree.engine.model.data import Data, check_pair
from kinetree.engine.model.model import Model


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


class _Nudges:
    """Runs of lists of stages from one start, on a Data of its own, with one number of the start nudged in each.

    results   what a run results in: pairs of an array of that Data and of one that is subtracted from it, or None
    moves     whether the first result is qpos
    after     a list of stages that follows each list
    kept      arrays of the Data that are set before each run, beside the state and the inputs
    """

    def __init__(self, model: Model, data: Data, after: tuple[str, ...] = (), kept: tuple[str, ...] = ()):
        self.model, self.time, self.after = model, data.time, after
        self.data = twin = Data(model)
        twin.hooks = data.hooks
        twin.block("history")[...] = data.block("history")
        for name in kept:
            setattr(twin, name, getattr(data, name))
        self.kept = [getattr(twin, name) for name in kept]
        self.start = self.copies()
        self.moves = False
        self.results = np.zeros((0, 3), np.int64)
        self.nominal = np.zeros(0)

    def copies(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """Start state of a run, from the present Data: the table of `nudges.py`, and its sources."""
        targets = [self.data.block("history"), *self.kept]
        sources = [target.copy() for target in targets]
        rows = [
            (source.ctypes.data, target.ctypes.data, target.size)
            for source, target in zip(sources, targets, strict=True)
        ]
        return np.array(rows, np.int64), sources

    def run_nominal(self, stages: str, moves: bool, *results: tuple[np.ndarray, np.ndarray | None]) -> None:
        """Run the start itself, and keep what it results in."""
        self.moves = moves
        self.results = np.array([[_address(part), part.size, _address(minus)] for part, minus in results], np.int64)
        self.nominal = np.zeros(int(self.results[:, 1].sum()))
        self.go_back()
        self.run(stages)
        _caller("read_results")(self.results, self.nominal)

    def run(self, stages: str) -> None:
        """Run a list of stages, and what follows it, as the Data is now."""
        for name in (stages, *self.after):
            run_list(self.model, self.data, name)

    def rows(self, stages: str, places: np.ndarray, values: np.ndarray, widths: np.ndarray, start=None) -> np.ndarray:
        """Derivatives of the results by each of n numbers, a row for each.

        places (2 n, 2), values (2 n, 4), widths (n,) are those of `nudges.py`. start: other `copies`
        to start from.
        """
        size = self.nominal.size + (self.model.nv - self.model.nq if self.moves else 0)
        rows, ends = np.zeros((len(widths), size)), np.zeros((2, self.nominal.size))
        begin = self.time, (start or self.start)[0], places, values
        end = self.results, self.nominal, ends, widths, self.moves, rows
        if self.data.hooks is None:
            tables = [table_of(self.model, self.data, name) for name in (stages, *self.after)]
            loop, stage_table, done = _caller("run_nudges"), np.concatenate(tables), 0
            while True:
                done = loop(self.model, self.data, stage_table, *begin, done, *end)
                if done == len(places):
                    return rows
                self.data.grow()
        start_run, end_run = _caller("start_run"), _caller("end_run")
        for k in range(len(places)):
            is_run = start_run(self.data, *begin, k)
            if is_run:
                self.run(stages)
            end_run(self.model, is_run, *end, k)
        return rows

    def by(self, stages: str, numbers: np.ndarray, eps: float, sides: np.ndarray) -> np.ndarray:
        """`rows` by the numbers of an array of the Data. sides (n, 2): may each be nudged up, may it be nudged down."""
        n = numbers.size
        places, values = np.zeros((n, 2, 2), np.int64), np.zeros((n, 2, 4))
        places[:, :, 0] = _address(numbers) + 8 * np.arange(n)[:, None]
        places[:, :, 1] = np.where(sides, 1, -1)
        self.go_back()
        values[:, :, 0] = numbers[:, None] + [eps, -eps]
        return self.rows(stages, places.reshape(-1, 2), values.reshape(-1, 4), eps * sides.sum(1))

    def go_back(self) -> None:
        """Write the start into the Data."""
        _caller("start_run")(self.data, self.time, self.start[0], np.zeros((1, 2), np.int64), np.zeros((1, 4)), 0)

    def by_position(self, stages: str, eps: float, centered: bool) -> np.ndarray:
        """`rows` by positions, as tangent vectors: each is nudged by a velocity of size eps over 1 s."""
        model, data = self.model, self.data
        self.go_back()
        places, values = np.zeros((model.nv, 2, 2), np.int64), np.zeros((model.nv, 2, 4))
        steps = np.array([eps, -eps])
        has_quat = (model.jnt_type == enums.JNT_FREE) | (model.jnt_type == enums.JNT_BALL)
        straight = [(model.jnt_dofadr[~has_quat], model.jnt_qposadr[~has_quat])]
        for j in np.flatnonzero(has_quat):
            q, dof = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
            if model.jnt_type[j] == enums.JNT_FREE:
                straight.append((np.arange(dof, dof + 3), np.arange(q, q + 3)))
                q, dof = q + 3, dof + 3
            quat = tuple(data.qpos[q : q + 4].tolist())
            places[dof : dof + 3] = q, 4
            for side, step in enumerate(steps.tolist()):
                values[dof, side] = uncompiled(integrate_quat)(quat, (step, 0.0, 0.0), 1.0)
                values[dof + 1, side] = uncompiled(integrate_quat)(quat, (0.0, step, 0.0), 1.0)
                values[dof + 2, side] = uncompiled(integrate_quat)(quat, (0.0, 0.0, step), 1.0)
        dofs, at = (np.concatenate(parts) for parts in zip(*straight, strict=True))
        places[dofs, :, 0], places[dofs, :, 1] = at[:, None], 1
        values[dofs, :, 0] = data.qpos[at][:, None] + steps
        places[:, :, 0] = _address(data.qpos) + 8 * places[:, :, 0]
        if not centered:
            places[:, 1, 1] = -1
        data.qpos = integrate_pos(model, data.qpos, np.zeros(model.nv), 1.0)  # quaternions become unit ones
        widths = np.full(model.nv, eps * (1 + centered))
        return self.rows(stages, places.reshape(-1, 2), values.reshape(-1, 4), widths, self.copies())


def _address(array: np.ndarray | None) -> int:
    return 0 if array is None else array.ctypes.data


def _caller(name: str) -> Callable:
    from kinetree.engine.jit.compiler import caller

    return caller(getattr(nudges, name))


def transition_fd(model: Model, data: Data, eps: float = 1e-6, centered: bool = False) -> Transition:
    """Return the derivatives of `kinetree.step` at the present state by finite differences. The data is not changed.

    A state has 2 nv + na numbers: positions as tangent vectors, velocities, activations, in SI units. The result has A
    (2 nv + na, 2 nv + na) and B (2 nv + na, nu), the derivatives of the next state by the state and by the controls,
    and C (nsensordata, 2 nv + na) and D (nsensordata, nu), those of the sensors.

    eps        size of a nudge: of a control, activation or velocity, or of a position by a velocity over 1 s
    centered   differences of two nudges, up and down: twice the work, and an error of second order in eps

    A control with a ctrlrange is nudged within it only, to one side if need be; outside of its range its derivatives
    are 0. Unlike mujoco 3.3.4, which gives D the opposite sign with `centered`, D is the derivative.

    Raises ValueError for the integrator RK4 and for an eps that is not positive, ModelError as `step` does.

    Source: specification, API reference, mjd_transitionFD.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        A, B, C, D = kinetree.transition_fd(model, data)
        assert A.shape == (2 * model.nv + model.na,) * 2 and B.shape == (len(A), model.nu)
    """
    _check(model, data, eps, "the derivatives of a step")
    centered = flag(centered, "centered")

    runs = _Nudges(model, data)
    twin = runs.data
    runs.run_nominal(
        "step_from_position", True, (twin.qpos, None), (twin.qvel, None), (twin.act, None), (twin.sensordata, None)
    )
    both = np.array([True, centered])
    by_ctrl = runs.by("step_from_actuation", twin.ctrl, eps, _sides(model, data, eps, centered))
    by_act = runs.by("step_from_actuation", twin.act, eps, np.tile(both, (model.na, 1)))
    by_velocity = runs.by("step_from_velocity", twin.qvel, eps, np.tile(both, (model.nv, 1)))
    by_position = runs.by_position("step_from_position", eps, centered)
    n = 2 * model.nv + model.na
    by_state = np.concatenate([by_position, by_velocity, by_act])
    return Transition(*(part.T.copy() for part in (by_state[:, :n], by_ctrl[:, :n], by_state[:, n:], by_ctrl[:, n:])))


def inverse_fd(model: Model, data: Data, eps: float = 1e-6, actuation: bool = False) -> InverseDerivatives:
    """Return the derivatives of `kinetree.inverse` at the present state and data.qacc by forward differences. The data
    is not changed.

    The result has DfDq, DfDv, DfDa (nv, nv) of the forces, N or N m, by positions, velocities and accelerations in SI
    units; DsDq, DsDv, DsDa (nv, nsensordata) of the sensors by the same; DmDq (nv, nC) of the joint-space inertia by
    positions. As in MuJoCo a row belongs to an input, a column to a result.

    eps         size of a nudge: of an acceleration or velocity, or of a position by a velocity over 1 s
    actuation   subtract the forces of actuators, data.qfrc_actuator, from qfrc_inverse

    Raises ValueError for the integrator RK4, for noslip iterations and for an eps that is not positive, ModelError as
    `step` does.

    Source: specification, API reference, mjd_inverseFD.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        derivatives = kinetree.inverse_fd(model, data)
        assert derivatives.DfDa.shape == (model.nv, model.nv)
    """
    _check(model, data, eps, "the derivatives of the inverse dynamics")
    actuation = flag(actuation, "actuation")
    if model.opt.noslip_iterations > 0:
        raise ValueError("there are no derivatives of the inverse dynamics with noslip iterations: set them to 0")

    runs = _Nudges(model, data, ("actuation",) if actuation else (), ("qacc",))
    twin = runs.data
    force = twin.qfrc_inverse, twin.qfrc_actuator if actuation else None
    runs.run("forward")  # sensors of actuator forces
    runs.run_nominal("inverse", False, force, (twin.sensordata, None), (twin.M, None))
    up = np.tile([True, False], (model.nv, 1))
    by_acceleration = runs.by("inverse_from_acceleration", twin.qacc, eps, up)
    by_velocity = runs.by("inverse_from_velocity", twin.qvel, eps, up)
    by_position = runs.by_position("inverse", eps, False)
    ends = np.cumsum([model.nv, model.nsensordata])
    (fq, sq, mq), (fv, sv, _), (fa, sa, _) = (
        [part.copy() for part in np.split(rows, ends, 1)] for rows in (by_position, by_velocity, by_acceleration)
    )
    return InverseDerivatives(fq, fv, fa, sq, sv, sa, mq)


def _check(model: Model, data: Data, eps: float, what: str) -> None:
    check_pair(model, data)
    if model.opt.integrator == enums.INT_RK4:
        raise ValueError(f"there are no finite differences for {what} with the integrator RK4: use another one")
    number(eps, "eps, the size of a nudge,", positive=True)


def _sides(model: Model, data: Data, eps: float, centered: bool) -> np.ndarray:
    """(nu, 2) Whether each control may be nudged up, and whether down: within its range, to both sides only if asked
    for.
    """
    limited = model.actuator_ctrllimited != 0
    low, high = np.where(limited[:, None], model.actuator_ctrlrange, [-np.inf, np.inf]).T
    value = data.ctrl
    up = (low <= value) & (value <= high) & (value + eps <= high)
    down = (low <= value) & (value <= high) & (low <= value - eps)
    return np.stack([up, down & (centered | ~up)], 1)
