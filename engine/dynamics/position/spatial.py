"""Spatial vectors and inertias as tuples: motion (angular, linear), force (torque, force), about one point.

An inertia is ten numbers: Ixx Iyy Izz Ixy Ixz Iyz, mass times offset of the centre of mass (3), mass.
Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2.
"""

from __future__ import annotations

from kinetree.engine.jit.kernel import exact_small, small
from kinetree.engine.jit.vec import loads, stores


@exact_small
def inert_com(inertia, mat, offset, mass):
    """Inertia about a point from principal inertia (3), its axes mat (9), centre of mass - point, mass."""
    i, j, k = inertia
    x, y, z = offset
    a, b, c = mat[0] * i, mat[1] * j, mat[2] * k
    d, e, f = mat[3] * i, mat[4] * j, mat[5] * k
    g, h, l = mat[6] * i, mat[7] * j, mat[8] * k
    return (
        a * mat[0] + b * mat[1] + c * mat[2] + mass * (y * y + z * z),
        d * mat[3] + e * mat[4] + f * mat[5] + mass * (x * x + z * z),
        g * mat[6] + h * mat[7] + l * mat[8] + mass * (x * x + y * y),
        d * mat[0] + e * mat[1] + f * mat[2] - mass * x * y,
        g * mat[0] + h * mat[1] + l * mat[2] - mass * x * z,
        g * mat[3] + h * mat[4] + l * mat[5] - mass * y * z,
        mass * x,
        mass * y,
        mass * z,
        mass,
    )


@loads
@small
def load10(a, i):
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5], a[i, 6], a[i, 7], a[i, 8], a[i, 9]


@stores
@small
def store10(a, i, v):
    a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4] = v[0], v[1], v[2], v[3], v[4]
    a[i, 5], a[i, 6], a[i, 7], a[i, 8], a[i, 9] = v[5], v[6], v[7], v[8], v[9]


@small
def add10(a, b):
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4],
        a[5] + b[5], a[6] + b[6], a[7] + b[7], a[8] + b[8], a[9] + b[9],
    )  # fmt: skip


@small
def mul_inert(i, v):
    """Inertia times motion: momentum."""
    return (
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    )


@small
def cross_motion(v, s):
    """Rate of change of the motion s fixed to a frame that moves with v."""
    return (
        v[1] * s[2] - v[2] * s[1],
        v[2] * s[0] - v[0] * s[2],
        v[0] * s[1] - v[1] * s[0],
        v[1] * s[5] - v[2] * s[4] + v[4] * s[2] - v[5] * s[1],
        v[2] * s[3] - v[0] * s[5] + v[5] * s[0] - v[3] * s[2],
        v[0] * s[4] - v[1] * s[3] + v[3] * s[1] - v[4] * s[0],
    )


@small
def cross_force(v, f):
    """Rate of change of the force f fixed to a frame that moves with v."""
    return (
        v[1] * f[2] - v[2] * f[1] + v[4] * f[5] - v[5] * f[4],
        v[2] * f[0] - v[0] * f[2] + v[5] * f[3] - v[3] * f[5],
        v[0] * f[1] - v[1] * f[0] + v[3] * f[4] - v[4] * f[3],
        v[1] * f[5] - v[2] * f[4],
        v[2] * f[3] - v[0] * f[5],
        v[0] * f[4] - v[1] * f[3],
    )


@small
def dot6(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@small
def add6(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@small
def addscale6(a, b, s):
    """a + s b"""
    return (
        a[0] + b[0] * s,
        a[1] + b[1] * s,
        a[2] + b[2] * s,
        a[3] + b[3] * s,
        a[4] + b[4] * s,
        a[5] + b[5] * s,
    )
