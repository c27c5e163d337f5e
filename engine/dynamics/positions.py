"""Differences and sums of positions and velocities, for callers. Like mj_integratePos and mj_differentiatePos.

Positions (nq,) have quaternions where velocities (nv,) have angular velocities: the difference of two positions is a
velocity, and a position moved by a velocity is a position.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics import integrate
from engine.jit.vec import mulquat, negquat, normalize4, quat2vel
from engine.model.enums import JNT_BALL, JNT_FREE
from engine.model.model import Model


def _numbers(values, count: int, what: str) -> np.ndarray:
    found = np.array(values, float)
    if found.shape != (count,):
        raise ValueError(f"expected {count} {what}, not {np.shape(values)}")
    return found


def integrate_pos(model: Model, qpos, qvel, dt: float) -> np.ndarray:
    """(nq,) the positions qpos (nq,) moved by the velocities qvel (nv,) for dt, s. Raises ValueError for other shapes.

    Quaternions come out as unit ones.
    """
    moved = _numbers(qpos, model.nq, "positions")
    integrate.integrate_pos(model, moved, _numbers(qvel, model.nv, "velocities"), dt)
    return moved


def differentiate_pos(model: Model, qpos1, qpos2, dt: float = 1.0) -> np.ndarray:
    """(nv,) the velocities that move the positions qpos1 (nq,) to qpos2 (nq,) within dt, s, along the shorter way.

    Raises ValueError for other shapes, and ZeroDivisionError for a dt of 0.
    """
    start, end = _numbers(qpos1, model.nq, "positions"), _numbers(qpos2, model.nq, "positions")
    result = np.zeros(model.nv)
    scalar = np.flatnonzero((model.jnt_type != JNT_FREE) & (model.jnt_type != JNT_BALL))
    at = model.jnt_qposadr[scalar]
    result[model.jnt_dofadr[scalar]] = (end[at] - start[at]) / dt
    for j in np.flatnonzero((model.jnt_type == JNT_FREE) | (model.jnt_type == JNT_BALL)):
        q, dof = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
        if model.jnt_type[j] == JNT_FREE:
            result[dof : dof + 3] = (end[q : q + 3] - start[q : q + 3]) / dt
            q, dof = q + 3, dof + 3
        one, other = normalize4(tuple(start[q : q + 4].tolist())), normalize4(tuple(end[q : q + 4].tolist()))
        result[dof : dof + 3] = quat2vel(mulquat(negquat(one), other), dt)
    return result
