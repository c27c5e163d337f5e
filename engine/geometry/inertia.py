"""Mass and moments of inertia of shapes and bodies.

Solids are homogeneous; a shell has its mass spread evenly over the surface (for an
ellipsoid, a thin layer of constant thickness). Formulas: classical mechanics; the area of an ellipsoid is Thomsen's
approximation, as in MuJoCo.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from kinetree.engine.geometry.orientation import IDENTITY, Quat, Vec, matrix, mul, unit
from kinetree.engine.model import enums

Symmetric = tuple[float, float, float, float, float, float]
"""xx, yy, zz, xy, xz, yz"""
Mass = tuple[float, Vec, Vec, Quat]
"""(mass, centre, principal moments, orientation of their axes) of a body, in its frame."""


def volume(kind: int, size: Sequence[float], shell: bool = False) -> float:
    """Volume (m^3) of a primitive, or the area (m^2) of its surface; 0 for shapes without either."""
    a, b, c = size
    if kind == enums.GEOM_SPHERE:
        return 4 * math.pi * a * a if shell else 4 / 3 * math.pi * a**3
    if kind == enums.GEOM_CAPSULE:
        return 4 * math.pi * a * (a + b) if shell else math.pi * a * a * (2 * b + 4 / 3 * a)
    if kind == enums.GEOM_CYLINDER:
        return 2 * math.pi * a * (a + 2 * b) if shell else 2 * math.pi * a * a * b
    if kind == enums.GEOM_ELLIPSOID:
        if shell:
            p = 1.6075
            return 4 * math.pi * (((a * b) ** p + (b * c) ** p + (c * a) ** p) / 3) ** (1 / p)
        return 4 / 3 * math.pi * a * b * c
    if kind in (enums.GEOM_BOX, enums.GEOM_HFIELD):  # a height field counts as the box of its geom's size
        return 8 * (a * b + b * c + c * a) if shell else 8 * a * b * c
    return 0.0


def moments(kind: int, size: Sequence[float], mass: float, shell: bool = False) -> Vec:
    """Moments of inertia of a primitive about its own axes, kg m^2."""
    a, b, c = size
    if kind == enums.GEOM_SPHERE:
        i = 2 * mass * a * a / (3 if shell else 5)
        return (i, i, i)
    if kind == enums.GEOM_CAPSULE:
        return _capsule(a, b, mass, shell)
    if kind == enums.GEOM_CYLINDER:
        if not shell:
            i = mass * (3 * a * a + 4 * b * b) / 12
            return (i, i, mass * a * a / 2)
        whole = a + 2 * b
        caps, side = mass * a / whole, mass * 2 * b / whole
        i = caps * (a * a / 4 + b * b) + side * (3 * a * a + 2 * b * b) / 6
        return (i, i, caps * a * a / 2 + side * a * a)
    if kind == enums.GEOM_ELLIPSOID:
        if not shell:
            return (mass * (b * b + c * c) / 5, mass * (a * a + c * c) / 5, mass * (a * a + b * b) / 5)
        return _ellipsoid_shell(a, b, c, mass)
    if kind in (enums.GEOM_BOX, enums.GEOM_HFIELD):
        if not shell:
            return (mass * (b * b + c * c) / 3, mass * (a * a + c * c) / 3, mass * (a * a + b * b) / 3)
        return _box_shell(a, b, c, mass)
    return (0.0, 0.0, 0.0)


def _capsule(r: float, h: float, mass: float, shell: bool) -> Vec:
    if shell:
        if r + h == 0:
            return (0.0, 0.0, 0.0)
        ball, side = mass * r / (r + h), mass * h / (r + h)
        # a hemispherical shell has its centre of mass half a radius from the flat side
        i = ball * (2 / 3 * r * r + h * h + h * r) + side * (3 * r * r + 2 * h * h) / 6
        return (i, i, ball * 2 / 3 * r * r + side * r * r)
    whole = 4 / 3 * r + 2 * h
    if whole == 0:
        return (0.0, 0.0, 0.0)
    ball, side = mass * 4 / 3 * r / whole, mass * 2 * h / whole
    # a solid hemisphere has its centre of mass 3/8 of a radius from the flat side
    i = ball * (2 / 5 * r * r + h * h + 3 / 4 * h * r) + side * (3 * r * r + 4 * h * h) / 12
    return (i, i, ball * 2 / 5 * r * r + side * r * r / 2)


SHELL = 1e-6
"""Thickness of the layer that stands for the shell of an ellipsoid, m."""


def _ellipsoid_shell(a: float, b: float, c: float, mass: float) -> Vec:
    inner, outer = a * b * c, (a + SHELL) * (b + SHELL) * (c + SHELL)
    # mean squares of the coordinates in the layer
    x, y, z = ((outer * (s + SHELL) ** 2 - inner * s * s) / (5 * (outer - inner)) for s in (a, b, c))
    return (mass * (y + z), mass * (x + z), mass * (x + y))


def _box_shell(a: float, b: float, c: float, mass: float) -> Vec:
    ab, bc, ca = a * b, b * c, c * a
    area = ab + bc + ca
    if area == 0:
        return (0.0, 0.0, 0.0)
    # mean squares of the coordinates: on the two faces across an axis it is the half side squared, else a third
    x = a * a * (bc + (ab + ca) / 3) / area
    y = b * b * (ca + (ab + bc) / 3) / area
    z = c * c * (ab + (bc + ca) / 3) / area
    return (mass * (y + z), mass * (x + z), mass * (x + y))


def full(principal: Vec, quat: Quat) -> Symmetric:
    """Inertia matrix from principal moments and the orientation of their axes."""
    i, j, k = principal
    if quat == IDENTITY:
        return (i, j, k, 0.0, 0.0, 0.0)
    a, b, c = matrix(quat)
    return (
        i * a[0] * a[0] + j * a[1] * a[1] + k * a[2] * a[2],
        i * b[0] * b[0] + j * b[1] * b[1] + k * b[2] * b[2],
        i * c[0] * c[0] + j * c[1] * c[1] + k * c[2] * c[2],
        i * a[0] * b[0] + j * a[1] * b[1] + k * a[2] * b[2],
        i * a[0] * c[0] + j * a[1] * c[1] + k * a[2] * c[2],
        i * b[0] * c[0] + j * b[1] * c[1] + k * b[2] * c[2],
    )


def offset(mass: float, v: Vec) -> Symmetric:
    """Inertia matrix of a point mass at v (what the parallel axis theorem adds)."""
    x, y, z = v
    return (
        mass * (y * y + z * z),
        mass * (x * x + z * z),
        mass * (x * x + y * y),
        -mass * x * y,
        -mass * x * z,
        -mass * y * z,
    )


SETTLED = 1e-12
"""Off-diagonal entries below this count as zero, and rotations by less than its root are not made: a stricter bound
would give other axes than the reference's."""
_PAIRS = ((1, 2), (0, 2), (0, 1))
ORDERED = 1e-12
"""Moments that differ by less are not put into order."""


def principal(inertia: Iterable[float]) -> tuple[Vec, Quat]:
    """Principal moments, largest first, and the orientation of their axes.

    Jacobi's method with the rotations collected in a quaternion (Numerical Recipes, 11.1): of the many equivalent
    orientations this gives the one that is reached from the identity by the largest off-diagonal entries first,
    which is also MuJoCo's choice.
    """
    xx, yy, zz, xy, xz, yz = (float(v) for v in inertia)
    columns = d = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    q = IDENTITY
    for _ in range(500):
        if q is not IDENTITY:
            r = matrix(q)
            rm = [[x * a + y * b + z * c for a, b, c in columns] for x, y, z in zip(*r, strict=True)]
            d = [[a * x + b * y + c * z for x, y, z in zip(*r, strict=True)] for a, b, c in rm]
        i, j = max(_PAIRS, key=lambda at: abs(d[at[0]][at[1]]))
        if abs(d[i][j]) < SETTLED:
            break
        tau = (d[j][j] - d[i][i]) / (2 * d[i][j])
        tangent = math.copysign(1.0, tau) / (abs(tau) + math.sqrt(1 + tau * tau))
        cosine = 1 / math.sqrt(1 + tangent * tangent)
        if cosine > 1 - SETTLED:
            break
        half = math.sqrt(0.5 - 0.5 * cosine)
        if tau >= 0:
            half = -half
        axis = 3 - i - j
        step = [0.0, 0.0, 0.0, 0.0]
        step[axis + 1] = -half if axis == 1 else half
        step[0] = math.sqrt(1 - half * half)
        q = unit(mul(q, unit(step)))
    values = [d[0][0], d[1][1], d[2][2]]
    right = 0.707106781186548  # with the digits of the reference
    for k in (0, 1, 0):
        if values[k] + ORDERED < values[k + 1]:
            values[k], values[k + 1] = values[k + 1], values[k]
            step = [right, 0.0, 0.0, 0.0]
            step[(k + 2) % 3 + 1] = right
            q = mul(q, tuple(step))
    return (values[0], values[1], values[2]), q


def combine(parts: Sequence[tuple[float, Vec, Vec, Quat]]) -> tuple[float, Vec, Vec, Quat]:
    """One mass from several: each and the result are (mass, centre, principal moments, orientation).

    A single part is returned as it is.
    """
    if len(parts) == 1:
        return parts[0]
    mass = sum(p[0] for p in parts)
    centre = tuple(sum(p[0] * p[1][i] for p in parts) / mass for i in range(3))
    total = [0.0] * 6
    for m, at, inertia, quat in parts:
        away = tuple(at[i] - centre[i] for i in range(3))
        for k, (own, moved) in enumerate(zip(full(inertia, quat), offset(m, away), strict=True)):
            total[k] = total[k] + own + moved
    values, quat = principal(total)
    return mass, centre, values, quat
