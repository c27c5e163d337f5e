"""Coefficients of the ellipsoid fluid model for a geom (XML reference, geom/fluidshape).

Added mass and inertia of an ellipsoid in potential flow: Lamb, Hydrodynamics, section 114 and 115. The integral in
them is taken with the 15-point Kronrod rule (Kronrod 1965) after the substitution x^3/(1-x)^2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kinetree.engine.model import enums

EPS = 1e-14
"""Smallest denominators and half axes: of very flat shapes the integral may come out beyond its limit of 2."""
_NODES = (
    0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993944, 0.5860872354676911,
    0.4058451513773972, 0.2077849550078985, 0.0,
)  # fmt: skip
_WEIGHTS = (
    0.0229353220105292, 0.0630920926299786, 0.1047900103222502, 0.1406532597155259, 0.1690047266392679,
    0.1903505780647854, 0.2044329400752989, 0.2094821410847278,
)  # fmt: skip
# The reference's nodes and weights have eight digits; flat shapes, where 2 - kappa is small, show it.
_X = np.round((1 + np.array([*(-v for v in _NODES), *reversed(_NODES[:-1])])) / 2, 8)
_W = np.round(np.array([*_WEIGHTS, *reversed(_WEIGHTS[:-1])]) / 2, 8)
_LAMBDA = _X**3 / (1 - _X) ** 2
_STEP = _W * _X**2 * (3 - _X) / (1 - _X) ** 3


def semiaxes(kind: int, size: Sequence[float]) -> tuple[float, float, float]:
    """Half axes of the ellipsoid that stands for a geom, m."""
    a, b, c = size
    if kind == enums.GEOM_SPHERE:
        return a, a, a
    if kind == enums.GEOM_CAPSULE:
        return a, a, a + b
    if kind == enums.GEOM_CYLINDER:
        return a, a, b
    return a, b, c


def _kappa(axes: Sequence[float], i: int) -> float:
    """Integral over l from 0 of abc / ((r_i^2 + l) sqrt((a^2 + l) (b^2 + l) (c^2 + l)))."""
    a, b, c = axes
    product = a * b * c
    scale = (product * axes[i] ** 2) ** 0.4
    at = scale * _LAMBDA
    below = np.sqrt((a * a + at) * (b * b + at) * (c * c + at)) * (axes[i] ** 2 + at)
    return float(product * scale * (_STEP / below).sum())


def coefficients(kind: int, size: Sequence[float], given: Sequence[float]) -> list[float]:
    """geom_fluid: 1, the five coefficients given, added mass over density along x, y, z (m^3), added inertia (m^5)."""
    axes = semiaxes(kind, size)
    if min(axes) < EPS:
        return [1.0, *given] + [0.0] * 6
    volume = 4 / 3 * math.pi * axes[0] * axes[1] * axes[2]
    kappa = [_kappa(axes, i) for i in range(3)]
    mass = [volume * k / max(2 - k, EPS) for k in kappa]
    inertia = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        less, more = axes[j] ** 2 - axes[k] ** 2, axes[j] ** 2 + axes[k] ** 2
        below = 2 * less + more * (kappa[j] - kappa[k])
        inertia.append(volume / 5 * less * less * abs(kappa[k] - kappa[j]) / max(abs(below), EPS))
    return [1.0, *given, *mass, *inertia]
