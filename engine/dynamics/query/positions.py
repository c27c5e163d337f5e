"""Differences and sums of positions and velocities, for callers. Like mj_integratePos and mj_differentiatePos.

Positions (nq,) have quaternions where velocities (nv,) have angular velocities: the difference of two positions is a
velocity, and a position moved by a velocity is a position.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.integrate import integrate
from engine.jit.uncompiled import uncompiled
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
    uncompiled(integrate.integrate_pos)(model, moved, _numbers(qvel, model.nv, "velocities"), dt)
    return moved


def differentiate_pos(model: Model, qpos1, qpos2, dt: float = 1.0) -> np.ndarray:
    """(nv,) the velocities that move the positions qpos1 (nq,) to qpos2 (nq,) within dt, s, along the shorter way.

    Raises ValueError for other shapes, and ZeroDivisionError for a dt of 0.
    """
    result = np.zeros(model.nv)
    start, end = _numbers(qpos1, model.nq, "positions"), _numbers(qpos2, model.nq, "positions")
    if dt == 0.0:
        raise ZeroDivisionError("a dt of 0 leaves the velocities undefined")
    uncompiled(integrate.differentiate_pos)(model, result, start.tolist(), end.tolist(), float(dt))
    return result
