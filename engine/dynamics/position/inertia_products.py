"""Products and solutions with the joint-space inertia, for callers. Like mj_mulM and mj_solveM."""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics.position import inertia
from kinetree.engine.jit.kernel import kernel, takes
from kinetree.engine.model.arguments import numbers
from kinetree.engine.model.data import Data, check_computed
from kinetree.engine.model.model import Model


@takes("Model", "Data", "f8[1]", "f8[1]")
@kernel
def _multiply(model, data, x, result):
    inertia.mul_m(model, data.M, x, result)


@takes("Model", "Data", "f8[1]")
@kernel
def _solve(model, data, x):
    inertia.solve(model, data.qLD, data.qLDiagInv, x)


def _check(model: Model, data: Data) -> None:
    check_computed(model, data)
    if model.nv and not data.qLDiagInv.any():  # after `kinetree.kinematics`
        raise ValueError("the inertia has not been computed yet: call kinetree.forward(model, data) first")


def _vectors(model: Model, x) -> np.ndarray:
    """A copy of x as rows of nv numbers."""
    return numbers(x, (-1, model.nv) if np.ndim(x) == 2 else (model.nv,), "x")


def full_m(model: Model, data: Data) -> np.ndarray:
    """Return the joint-space inertia M of the present positions as a dense symmetric array (nv, nv), kg, kg m or kg
    m^2.

    Raises ValueError where no inertia was computed (`kinetree.forward` or a step) and for a Data of another model.

    Source: specification, Computation, "General framework"; API reference, mj_fullM.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        assert kinetree.full_m(model, data).shape == (model.nv, model.nv)
    """
    _check(model, data)
    dense = np.zeros((model.nv, model.nv))
    rows = np.repeat(np.arange(model.nv), model.M_rownnz)
    dense[rows, model.M_colind] = data.M
    dense[model.M_colind, rows] = data.M
    return dense


def mul_m(model: Model, data: Data, x) -> np.ndarray:
    """Return M x, with the joint-space inertia M of the present positions: the joint forces, N or N m, of accelerations
    x.

    x   (nv,), or (n, nv) for n products

    Raises ValueError for another shape, where no inertia was computed (`kinetree.forward` or a step) and for a Data of
    another model.

    Source: specification, API reference, mj_mulM.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        assert np.allclose(kinetree.mul_m(model, data, data.qacc), kinetree.full_m(model, data) @ data.qacc)
    """
    from kinetree.engine.jit.compiler import caller

    _check(model, data)
    given = _vectors(model, x)
    result, multiply = np.empty_like(given), caller(_multiply)
    for row, product in zip(np.atleast_2d(given), np.atleast_2d(result), strict=True):
        multiply(model, data, row, product)
    return result


def solve_m(model: Model, data: Data, x) -> np.ndarray:
    """Return inverse(M) x: the accelerations, m/s^2 or rad/s^2, that joint forces x alone cause.

    x   (nv,), or (n, nv) for n solutions

    Raises ValueError for another shape, where no inertia was computed (`kinetree.forward` or a step) and for a Data of
    another model.

    Source: specification, API reference, mj_solveM.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        acceleration = kinetree.solve_m(model, data, np.ones(model.nv))
        assert np.allclose(kinetree.mul_m(model, data, acceleration), 1.0)
    """
    from kinetree.engine.jit.compiler import caller

    _check(model, data)
    result, solve = _vectors(model, x), caller(_solve)
    for row in np.atleast_2d(result):
        solve(model, data, row)
    return result
