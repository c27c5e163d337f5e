"""Vectors without fused multiply-add, for convex collision.

Touching, nearly touching and aligned shapes are decided by the last bit. Without fused operations that bit is the
reference's. Operations that cannot be fused are those of `engine/jit/vec.py`.
"""

from __future__ import annotations

import math

from kinetree.engine.jit.kernel import exact_small
from kinetree.engine.jit.vec import MINVAL


@exact_small
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@exact_small
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@exact_small
def det(a, b, c):
    """a . (b x c)"""
    return dot(a, cross(b, c))


@exact_small
def minus(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@exact_small
def plus(a, b, s):
    """a + s b"""
    return a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s


@exact_small
def times(a, s):
    return a[0] * s, a[1] * s, a[2] * s


@exact_small
def norm(a):
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@exact_small
def unit(a):
    """The unit vector; (1, 0, 0) where the length is below MINVAL."""
    n = norm(a)
    if n < MINVAL:
        return 1.0, 0.0, 0.0
    s = 1.0 / n
    return a[0] * s, a[1] * s, a[2] * s


@exact_small
def to_world(R, k, v, p):
    """R[k] v + p[k], with a matrix and a position in row k of two arrays."""
    return (
        R[k, 0] * v[0] + R[k, 1] * v[1] + R[k, 2] * v[2] + p[k, 0],
        R[k, 3] * v[0] + R[k, 4] * v[1] + R[k, 5] * v[2] + p[k, 1],
        R[k, 6] * v[0] + R[k, 7] * v[1] + R[k, 8] * v[2] + p[k, 2],
    )


@exact_small
def to_local(R, k, v):
    """transpose(R[k]) v"""
    return (
        R[k, 0] * v[0] + R[k, 3] * v[1] + R[k, 6] * v[2],
        R[k, 1] * v[0] + R[k, 4] * v[1] + R[k, 7] * v[2],
        R[k, 2] * v[0] + R[k, 5] * v[1] + R[k, 8] * v[2],
    )


@exact_small
def turned(R, k, v):
    """R[k] v"""
    return (
        R[k, 0] * v[0] + R[k, 1] * v[1] + R[k, 2] * v[2],
        R[k, 3] * v[0] + R[k, 4] * v[1] + R[k, 5] * v[2],
        R[k, 6] * v[0] + R[k, 7] * v[1] + R[k, 8] * v[2],
    )


@exact_small
def rotated_back(m, v):
    """transpose(m) v, with a matrix as a tuple"""
    return (
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    )
