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
    """Return the positions (nq,), m or rad, after a motion at constant velocity. Quaternions come out as unit ones.

    qpos   (nq,) positions at the start
    qvel   (nv,) velocities, m/s or rad/s
    dt     duration, s

    Raises ValueError for other shapes and for a dt that is not finite.

    Source: specification, API reference, mj_integratePos.

    Example:
        model = kinetree.load("walker.xml")
        qpos = kinetree.integrate_pos(model, model.qpos0, np.ones(model.nv), 0.1)
        assert np.allclose(kinetree.differentiate_pos(model, model.qpos0, qpos, 0.1), 1.0)
    """
    check_model(model)
    moved, velocities = numbers(qpos, (model.nq,), "qpos"), numbers(qvel, (model.nv,), "qvel")
    uncompiled(integrate.integrate_pos)(model, moved, velocities, number(dt, "dt"))
    return moved


def differentiate_pos(model: Model, qpos1, qpos2, dt: float = 1.0) -> np.ndarray:
    """Return the velocities (nv,), m/s or rad/s, that lead from one position to another along the shorter way.

    qpos1   (nq,) positions at the start
    qpos2   (nq,) positions at the end
    dt      duration, s

    Raises ValueError for other shapes, ZeroDivisionError for a dt of 0.

    Source: specification, API reference, mj_differentiatePos.

    Example:
        model = kinetree.load("walker.xml")
        assert not kinetree.differentiate_pos(model, model.qpos0, model.qpos0).any()
    """
    check_model(model)
    result, seconds = np.zeros(model.nv), number(dt, "dt")
    if seconds == 0.0:
        raise ZeroDivisionError("dt must not be 0: the velocities would be infinite")
    start, end = numbers(qpos1, (model.nq,), "qpos1"), numbers(qpos2, (model.nq,), "qpos2")
    uncompiled(integrate.differentiate_pos)(model, result, start.tolist(), end.tolist(), seconds)
    return result
