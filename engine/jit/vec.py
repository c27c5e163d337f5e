"""Small vectors, quaternions and 3x3 matrices as tuples, for kernels.

A vector is (x, y, z), a quaternion (w, x, y, z), a 3x3 matrix its nine entries row by row.

No operation is fused: contacts at ties depend on the last bit of a pose. With these sums it is MuJoCo 3.3.4's.
"""

from __future__ import annotations

import math

from kinetree.engine.jit.kernel import compiled_as, exact_small, small

MINVAL = 1e-15
MAXVAL = 1e10  # state beyond this has gone bad


def loads(form):
    """Row i of an array, or of a list of rows, as a tuple; compiled, it is `form`."""

    @compiled_as(form)
    def load(a, i):
        return list.__getitem__(a, i) if isinstance(a, list) else tuple(a[i])

    return load


def stores(form):
    """Set row i of an array, or of a list of rows, to a tuple; compiled, it is `form`."""

    @compiled_as(form)
    def store(a, i, v):
        if isinstance(a, list):
            list.__setitem__(a, i, v)
        else:
            a[i] = v

    return store


@loads
@small
def load3(a, i):
    return a[i, 0], a[i, 1], a[i, 2]


@loads
@small
def load4(a, i):
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3]


@loads
@small
def load6(a, i):
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5]


@loads
@small
def load9(a, i):
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5], a[i, 6], a[i, 7], a[i, 8]


@stores
@small
def store3(a, i, v):
    a[i, 0] = v[0]
    a[i, 1] = v[1]
    a[i, 2] = v[2]


@stores
@small
def store4(a, i, v):
    a[i, 0] = v[0]
    a[i, 1] = v[1]
    a[i, 2] = v[2]
    a[i, 3] = v[3]


@stores
@small
def store6(a, i, v):
    a[i, 0] = v[0]
    a[i, 1] = v[1]
    a[i, 2] = v[2]
    a[i, 3] = v[3]
    a[i, 4] = v[4]
    a[i, 5] = v[5]


@stores
@small
def store9(a, i, v):
    a[i, 0] = v[0]
    a[i, 1] = v[1]
    a[i, 2] = v[2]
    a[i, 3] = v[3]
    a[i, 4] = v[4]
    a[i, 5] = v[5]
    a[i, 6] = v[6]
    a[i, 7] = v[7]
    a[i, 8] = v[8]


@small
def add3(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@small
def sub3(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@small
def scale3(a, s):
    return a[0] * s, a[1] * s, a[2] * s


@exact_small
def addscale3(a, b, s):
    """a + s b"""
    return a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s


@exact_small
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@exact_small
def cross3(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@exact_small
def norm3(a):
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@exact_small
def normalize3(a):
    """(unit vector, length); (1, 0, 0) where the length is below MINVAL."""
    n = norm3(a)
    if n < MINVAL:
        return (1.0, 0.0, 0.0), n
    s = 1.0 / n
    return (a[0] * s, a[1] * s, a[2] * s), n


@exact_small
def mulmat3(m, v):
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


@exact_small
def mulmatT3(m, v):
    """transpose(m) v"""
    return (
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    )


@small
def transpose3(m):
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]


@exact_small
def mulquat(a, b):
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@small
def negquat(q):
    return q[0], -q[1], -q[2], -q[3]


@exact_small
def rotate(q, v):
    """v rotated by the unit quaternion q: v + 2 u x (w v + u x v), with u the vector part of q"""
    w, x, y, z = q
    a, b, c = v
    d, e, f = w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a
    return a + 2.0 * (y * f - z * e), b + 2.0 * (z * d - x * f), c + 2.0 * (x * e - y * d)


@exact_small
def normalize4(q):
    """Unit quaternion; the identity where q has no length."""
    n = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if n < MINVAL:
        return 1.0, 0.0, 0.0, 0.0
    if abs(n - 1.0) <= MINVAL:
        return q
    s = 1.0 / n
    return q[0] * s, q[1] * s, q[2] * s, q[3] * s


@small
def axisangle(axis, angle):
    """Quaternion of the rotation by angle (rad) about the unit axis."""
    s = math.sin(0.5 * angle)
    return math.cos(0.5 * angle), axis[0] * s, axis[1] * s, axis[2] * s


@exact_small
def quat2mat(q):
    w, x, y, z = q
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    return (
        ww + xx - yy - zz,
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        ww - xx + yy - zz,
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        ww - xx - yy + zz,
    )


@small
def quat2vel(q, dt):
    """Angular velocity that turns the identity into q within dt, along the shorter way."""
    axis, s = normalize3((q[1], q[2], q[3]))
    speed = 2.0 * math.atan2(s, q[0])
    if speed > math.pi:
        speed -= 2.0 * math.pi
    return scale3(axis, speed / dt)


@small
def subquat(a, b):
    """The rotation vector, in b's frame, that takes b to a."""
    return quat2vel(mulquat(negquat(b), a), 1.0)


@small
def integrate_quat(q, omega, dt):
    """q turned by the local angular velocity omega (rad/s) for dt."""
    axis, speed = normalize3(omega)
    return normalize4(mulquat(q, axisangle(axis, dt * speed)))
