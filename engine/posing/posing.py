"""Read first: inverse kinematics. A body is drawn to a place, and the joints that carry it follow.

    posing = Posing(model, data, body)
    posing.aim(Aim(pos=(0.4, 0.0, 1.2)))
    while posing.improve():
        ...                              # data.qpos is a little better each time

With `contacts=True` the moving bodies do not penetrate others (engine/posing/touching.py).

Damped least squares (Levenberg-Marquardt) on the engine's own Jacobians. Each step is the best one within the limits of
joints and tendons that keeps the equalities; a step is taken only where the equalities hold after it and the body is
nearer. The pose in which the drag began draws back a little, in the metric of the inertia: so the arm moves before the
trunk does, and dragging back gives the same pose again. Near the target this ceases, and the target is reached exactly.

The result depends on nothing but the arguments, to the bit.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics.forward import run_list
from kinetree.engine.dynamics.query.jac import jac
from kinetree.engine.geometry.orientation import conj, from_rotation_vector, mul, rotation_vector, unit
from kinetree.engine.model import enums
from kinetree.engine.model.arguments import object_id
from kinetree.engine.model.data import Data, check_pair
from kinetree.engine.model.kinds import JOINT_NV
from kinetree.engine.model.model import Model
from kinetree.engine.posing.aim import Aim
from kinetree.engine.posing.bounded import minimize
from kinetree.engine.posing.mechanism import PoseLimits, moving_dofs, residual
from kinetree.engine.posing.touching import Touching, may_touch
from kinetree.engine.translation import tr

TOLERANCE = 1e-8
"""To which equalities hold, m and rad, unless they did not when the drag began."""
REACHED = 1e-9
"""Distance from the target, in lengths of the limb, at which it is reached."""
BACK = 3e-3
"""How strongly the pose of the beginning draws back: square root of its weight beside the distance from the target."""
LIGHTEST = 1e-2
"""Smallest weight of a dof in the metric, of the largest: that of light parts would let nothing else move."""
STEP = 0.4
"""Most that a dof changes in a step: rad, or lengths of the limb."""
DAMPING = (1e-7, 1e-3, 1e5)
"""Least damping, that of the first step, and that at which it is given up."""
STALLED = 1e-7
"""Relative improvement of a step below which the search ends."""


class NotPosable(ValueError):
    """A body that cannot be posed; str() says why."""


class Posing:
    """The search for the pose of one body, from the moment at which it is made. Writes `data.qpos` and what the stages
    "pose" compute; all else in the data is stale afterwards. Raises NotPosable.

    dofs        those that move, ascending
    distance    of the point from the target, m
    angle       of the body from the orientation that is aimed at, rad
    is_done     whether `improve` has nothing more to do: the target is reached, or as near as it gets
    """

    def __init__(self, model: Model, data: Data, body: int, contacts: bool = False):
        check_pair(model, data)
        self.model, self.data, self.body = model, data, object_id(model, "body", body)
        self._touching: Touching | None = None
        self.dofs = moving_dofs(model, data, body)
        if not len(self.dofs):
            raise NotPosable(tr("no joint moves this body"))
        if not np.isfinite(data.qpos).all():
            raise NotPosable(tr("the simulation has diverged: reset it first"))
        self._limits = PoseLimits(model, self.dofs)
        self._start = data.qpos.copy()
        self._joints = list(_joints(model, self.dofs))
        inertia = np.asarray(model.dof_M0, float)[self.dofs]
        self._metric = np.clip(inertia / max(float(inertia.max()), 1e-12), LIGHTEST, 1.0)
        self._run()
        self._length = self._limb()
        is_length = _is_length(model, self.dofs)
        self._unit = np.where(is_length, self._length, 1.0)
        if contacts and may_touch(model):
            self._touching = Touching(model, data, self.dofs, is_length)
        self._aim = Aim()
        self._damping, self._back = DAMPING[1], BACK
        self.distance = self.angle = 0.0
        self.is_done = True
        self._tolerance = TOLERANCE
        self._tolerance = max(TOLERANCE, self._hold())
        self._last = data.qpos.copy()

    def aim(self, aim: Aim) -> None:
        """Go for another target, from the present pose."""
        self._aim = aim
        self._damping, self._back = DAMPING[1], BACK
        self.is_done = False
        self._measure()

    @property
    def is_current(self) -> bool:
        """Whether nobody else has changed the position since."""
        return bool(np.array_equal(self._last, self.data.qpos))

    @property
    def at_limit(self) -> list[int]:
        """Joints that are at an end of their range."""
        return self._limits.reached(self.data)

    def improve(self, steps: int = 6) -> bool:
        """Take at most so many steps towards the target. Returns whether there is more to do."""
        for _ in range(steps):
            if self.is_done:
                break
            self._step()
        self._last = self.data.qpos.copy()
        return not self.is_done

    # ---- a step ------------------------------------------------------------------------------------------

    def _step(self) -> None:
        errors, jacobian = self._measure()
        away = self._away()
        merit = self._merit(errors, away)
        if errors @ errors < REACHED**2:
            self.is_done = True
            return
        hessian = jacobian.T @ jacobian
        gradient = jacobian.T @ errors - self._back**2 * self._metric * away
        before = self.data.qpos.copy()
        while self._damping <= DAMPING[2]:
            weight = (self._back**2 + self._damping) * self._metric
            change = self._best(hessian + np.diag(weight), gradient)
            self._move(change)
            if self._hold() <= self._tolerance:
                found = self._measure()[0]
                after = self._merit(found, self._away())
                if after < merit:
                    self._damping = max(0.2 * self._damping, DAMPING[0])
                    if merit - after < STALLED * merit:
                        self._end_phase()
                    return
            self._put(before)
            self._damping = max(8.0 * self._damping, DAMPING[1])
        self._measure()
        self._end_phase()

    def _end_phase(self) -> None:
        """The search got as far as it can: first with the pose of the beginning drawing back, then without."""
        self.is_done = self._back == 0.0
        self._back, self._damping = 0.0, DAMPING[1]

    def _best(self, hessian: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """(dofs,) the step that makes the model of the error least and keeps the constraints, at most STEP."""
        rows, values = residual(self.model, self.data, self.dofs)
        return self._shortened(minimize(hessian, gradient, (rows, -values), self._room()))

    def _shortened(self, change: np.ndarray) -> np.ndarray:
        """Scale a change down to the largest allowed step."""
        share = min(1.0, STEP / max(float(np.abs(change / self._unit).max()), 1e-12))
        return change * (share if self._touching is None else min(share, self._touching.share(change)))

    def _hold(self) -> float:
        """Bring the equalities back, within the limits; returns what is left of them, m or rad."""
        self._run()
        left = np.inf
        for _ in range(8):
            rows, values = residual(self.model, self.data, self.dofs)
            size = float(np.abs(values).max(initial=0.0)) + self._excess()
            if size <= TOLERANCE or size > 0.9 * left:
                return size
            left = size
            change = minimize(np.diag(self._metric), np.zeros(len(self.dofs)), (rows, -values), self._room())
            self._move(self._shortened(change))
            self._run()
        return left

    def _excess(self) -> float:
        """Largest violation of limits and largest penetration of contacts, m or rad."""
        found = self._limits.excess(self.data)
        return found if self._touching is None else found + self._touching.excess(self.data)

    def _room(self) -> tuple[np.ndarray, np.ndarray]:
        rows, room = self._limits.rows(self.data)
        if self._touching is None:
            return rows, room
        more_rows, more_room = self._touching.rows(self.data)
        return np.concatenate([rows, more_rows]), np.concatenate([room, more_room])

    def _measure(self) -> tuple[np.ndarray, np.ndarray]:
        """(errors (m,), their Jacobian (m, dofs)) of the aim, in lengths of the limb and rad."""
        data, body, aim = self.data, self.body, self._aim
        pos, mat = data.xpos[body], data.xmat[body].reshape(3, 3)
        point = pos + mat @ np.asarray(aim.point, float)
        linear, angular = jac(self.model, data, point, body)
        errors, rows = [np.zeros(0)], [np.zeros((0, len(self.dofs)))]
        self.distance = self.angle = 0.0
        if aim.pos is not None:
            away = np.asarray(aim.pos, float) - point
            self.distance = float(np.linalg.norm(away))
            errors.append(away / self._length)
            rows.append(linear[:, self.dofs] / self._length)
        if aim.quat is not None:
            turn = np.array(rotation_vector(mul(unit(aim.quat), conj(data.xquat[body]))))
            self.angle = float(np.linalg.norm(turn))
            errors.append(turn)
            rows.append(angular[:, self.dofs])
        return np.concatenate(errors), np.concatenate(rows)

    def _merit(self, errors: np.ndarray, away: np.ndarray) -> float:
        return float(errors @ errors + self._back**2 * (away @ (self._metric * away)))

    # ---- positions ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        if self._touching is None:
            run_list(self.model, self.data, "pose")
        else:
            self._touching.run(self.data)

    def _put(self, qpos: np.ndarray) -> None:
        self.data.qpos[:] = qpos
        self._run()

    def _move(self, change: np.ndarray) -> None:
        """Change the position; hinges and slides stay exactly within limits that they were within."""
        qpos = self.data.qpos
        for kind, address, at in self._joints:
            if kind == enums.JNT_FREE:
                qpos[address : address + 3] += change[at : at + 3]
                address, at = address + 3, at + 3
            if kind in (enums.JNT_FREE, enums.JNT_BALL):
                quat = qpos[address : address + 4]
                qpos[address : address + 4] = unit(mul(unit(quat), from_rotation_vector(change[at : at + 3])))
            else:
                qpos[address] += change[at]
        for _joint, address, _at, low, high in self._limits.joints:
            near = 1e-7
            if low - near < qpos[address] < low or high < qpos[address] < high + near:
                qpos[address] = min(max(qpos[address], low), high)

    def _away(self) -> np.ndarray:
        """(dofs,) how far the pose is from that of the beginning."""
        found, qpos, start = np.zeros(len(self.dofs)), self.data.qpos, self._start
        for kind, address, at in self._joints:
            if kind == enums.JNT_FREE:
                found[at : at + 3] = qpos[address : address + 3] - start[address : address + 3]
                address, at = address + 3, at + 3
            if kind in (enums.JNT_FREE, enums.JNT_BALL):
                turned = mul(conj(unit(start[address : address + 4])), unit(qpos[address : address + 4]))
                found[at : at + 3] = rotation_vector(turned)
            else:
                found[at] = qpos[address] - start[address]
        return found / self._unit

    def _limb(self) -> float:
        """The length of the limb, m: from the body to the farthest joint that carries it."""
        joints = sorted({int(self.model.dof_jntid[dof]) for dof in self.dofs})
        away = np.linalg.norm(self.data.xanchor[joints] - self.data.xpos[self.body], axis=1)
        return max(float(away.max()), 0.05 * float(self.model.stat.extent), 1e-3)


def pose(model: Model, data: Data, body: int, aim: Aim, steps: int = 400, contacts: bool = False) -> Posing:
    """Pose a body as well as so many steps can; `distance` and `angle` of the result say how well. Raises
    NotPosable."""
    posing = Posing(model, data, body, contacts)
    posing.aim(aim)
    posing.improve(steps)
    return posing


def _joints(model: Model, dofs: np.ndarray):
    """(type, address in qpos, place among the dofs) of the joints of some dofs."""
    number = 0
    while number < len(dofs):
        joint = int(model.dof_jntid[dofs[number]])
        yield int(model.jnt_type[joint]), int(model.jnt_qposadr[joint]), number
        number += JOINT_NV[int(model.jnt_type[joint])]


def _is_length(model: Model, dofs: np.ndarray) -> np.ndarray:
    """(dofs,) whether a dof is a length: slides, and the first three of a free joint."""
    joints = model.dof_jntid[dofs]
    kinds = model.jnt_type[joints]
    return (kinds == enums.JNT_SLIDE) | ((kinds == enums.JNT_FREE) & (dofs - model.jnt_dofadr[joints] < 3))
