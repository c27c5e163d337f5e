"""Differences and sums of positions and velocities, for callers. Like mj_integratePos and mj_differentiatePos.

Positions (nq,) have quaternions where velocities (nv,) have angular velocities: the difference of two positions is a
velocity, and a position moved by a velocity is a position.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics.integrate import integrate
from kinetree.engine.jit.uncompiled import uncompiled
from kinetree.engine.model.arguments import number, numbers
from kinetree.engine.model.model import Model, check_model


def integrate_pos(model: Model, qpos, qvel, dt: float) -> np.ndarray:
    """(nq,) the positions qpos (nq,) moved by the velocities qvel (nv,) for dt, s. Raises ValueError for other shapes.

    Quaternions come out as unit ones.
    """
    check_model(model)
    moved, velocities = numbers(qpos, (model.nq,), "qpos"), numbers(qvel, (model.nv,), "qvel")
    uncompiled(integrate.integrate_pos)(model, moved, velocities, number(dt, "dt"))
    return moved


def differentiate_pos(model: Model, qpos1, qpos2, dt: float = 1.0) -> np.ndarray:
    """(nv,) the velocities that move the positions qpos1 (nq,) to qpos2 (nq,) within dt, s, along the shorter way.

    Raises ValueError for other shapes, and ZeroDivisionError for a dt of 0.
    """
    check_model(model)
    result, seconds = np.zeros(model.nv), number(dt, "dt")
    if seconds == 0.0:
        raise ZeroDivisionError("dt must not be 0: the velocities would be infinite")
    start, end = numbers(qpos1, (model.nq,), "qpos1"), numbers(qpos2, (model.nq,), "qpos2")
    uncompiled(integrate.differentiate_pos)(model, result, start.tolist(), end.tolist(), seconds)
    return result
