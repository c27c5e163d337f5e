"""Orientations and poses as tuples of Python floats: unit quaternions from all forms of MJCF.

The order of the operations is MuJoCo 3.3.4's, so that compiled models have its bits.

A vector is (x, y, z), a quaternion (w, x, y, z), a pose (position, quaternion). Source: XML reference, "Frame
orientations".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from kinetree.engine.translation import tr

if TYPE_CHECKING:
    import numpy as np

Vec = tuple[float, ...]
Quat = tuple[float, ...]
Pose = tuple[Vec, Quat]
Components: TypeAlias = "Sequence[float] | np.ndarray"
"""Of a vector or quaternion that is read."""

IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)
ORIGIN: Vec = (0.0, 0.0, 0.0)
START: Pose = ORIGIN, IDENTITY
SMALL = 1e-14
SINE = 1e-12
"""Sines of half an angle that are smaller are taken for the half angle itself."""
SHORT = 1e-7
"""Vectors that are shorter have no direction."""


class BadOrientation(ValueError):
    """An orientation or direction that cannot be used; str() says what to do."""


def mul(a: Components, b: Components) -> Quat:
    """Quaternion product: b first, then a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conj(q: Components) -> Quat:
    return (q[0], -q[1], -q[2], -q[3])


def unit(q: Components) -> Quat:
    """q normalized; the identity for the zero quaternion. Unit quaternions are returned unchanged."""
    w, x, y, z = q
    n = math.sqrt(w * w + x * x + y * y + z * z)
    if n < SMALL:
        return IDENTITY
    if abs(n - 1) <= 1e-15:
        return (w, x, y, z)
    return (w / n, x / n, y / n, z / n)


def rotate(q: Quat, v: Sequence[float]) -> Vec:
    """v rotated by the unit quaternion q."""
    a, b, c = v
    if q[1] == 0 and q[2] == 0 and q[3] == 0:
        return (a, b, c)
    r, s, t = matrix(q)
    return (
        r[0] * a + r[1] * b + r[2] * c,
        s[0] * a + s[1] * b + s[2] * c,
        t[0] * a + t[1] * b + t[2] * c,
    )


def matrix(q: Components) -> tuple[Vec, Vec, Vec]:
    """Rotation matrix by rows; its columns are the axes of the rotated frame."""
    w, x, y, z = q
    return (
        (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z),
    )


def rotation_vector(q: Components) -> Vec:
    """Axis times angle of a unit quaternion, rad; the angle is at most pi. Small angles keep their digits."""
    w, x, y, z = q if q[0] >= 0 else (-q[0], -q[1], -q[2], -q[3])
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 if sine < SINE else 2.0 * math.atan2(sine, w) / sine
    return (scale * x, scale * y, scale * z)


def from_rotation_vector(v: Components) -> Quat:
    """The unit quaternion of an axis times angle, rad: the inverse of `rotation_vector`."""
    x, y, z = v
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < SINE:
        return unit((1.0, 0.5 * x, 0.5 * y, 0.5 * z))
    scale = math.sin(0.5 * angle) / angle
    return (math.cos(0.5 * angle), scale * x, scale * y, scale * z)


def from_axes(x: Vec, y: Vec, z: Vec) -> Quat:
    """The quaternion of the frame with these orthonormal axes."""
    xx, yy, zz = x[0], y[1], z[2]
    if xx + yy + zz > 0:
        w = 0.5 * math.sqrt(1 + xx + yy + zz)
        q = (w, 0.25 * (y[2] - z[1]) / w, 0.25 * (z[0] - x[2]) / w, 0.25 * (x[1] - y[0]) / w)
    elif xx > yy and xx > zz:
        a = 0.5 * math.sqrt(1 + xx - yy - zz)
        q = (0.25 * (y[2] - z[1]) / a, a, 0.25 * (y[0] + x[1]) / a, 0.25 * (z[0] + x[2]) / a)
    elif yy > zz:
        a = 0.5 * math.sqrt(1 - xx + yy - zz)
        q = (0.25 * (z[0] - x[2]) / a, 0.25 * (y[0] + x[1]) / a, a, 0.25 * (z[1] + y[2]) / a)
    else:
        a = 0.5 * math.sqrt(1 - xx - yy + zz)
        q = (0.25 * (x[1] - y[0]) / a, 0.25 * (z[0] + x[2]) / a, 0.25 * (z[1] + y[2]) / a, a)
    return unit(q)


def direction(v: Sequence[float], what: str) -> Vec:
    """v normalized. Raises BadOrientation for the zero vector."""
    x, y, z = v
    n = math.sqrt(x * x + y * y + z * z)
    if n <= SHORT:
        raise BadOrientation(tr("{what} is too short to give a direction: give a vector that is not zero", what=what))
    return (x / n, y / n, z / n)


def from_axisangle(v: Sequence[float], degree: bool) -> Quat:
    axis = direction(v[:3], tr("the axis of axisangle"))
    half = 0.5 * (_radians(v[3]) if degree else v[3])
    s = math.sin(half)
    return (math.cos(half), s * axis[0], s * axis[1], s * axis[2])


def from_xyaxes(v: Sequence[float]) -> Quat:
    """x as given, y made orthogonal to it."""
    x = direction(v[:3], tr("the X axis of xyaxes"))
    d = sum(x[i] * v[3 + i] for i in range(3))
    try:
        y = direction([v[3 + i] - d * x[i] for i in range(3)], "y")
    except BadOrientation:
        raise BadOrientation(tr("the two axes of xyaxes are parallel: give two different directions")) from None
    return from_axes(x, y, _cross(x, y))


def from_zaxis(v: Sequence[float]) -> Quat:
    """The smallest rotation that brings (0, 0, 1) to v."""
    x, y, z = direction(v, "zaxis")
    s = math.sqrt(x * x + y * y)
    if s < 1e-10:
        axis = (1.0, 0.0)
    else:
        axis = (-y / s, x / s)
    half = 0.5 * math.atan2(s, z)
    s = math.sin(half)
    return (math.cos(half), s * axis[0], s * axis[1], 0.0)


def from_ends(ends: Sequence[float]) -> tuple[Pose, float]:
    """(pose, half length) of a shape between two points (fromto): its Z axis points to the first.

    Raises BadOrientation where the points are the same.
    """
    axis = [ends[i] - ends[3 + i] for i in range(3)]
    half = math.sqrt(sum(v * v for v in axis)) / 2
    middle = tuple((ends[i] + ends[3 + i]) / 2 for i in range(3))
    return (middle, from_zaxis(axis)), half


def from_euler(v: Sequence[float], sequence: str, degree: bool) -> Quat:
    """Three rotations; lower case letters turn about the moving axes, upper case about the fixed ones."""
    q = IDENTITY
    for letter, angle in zip(sequence, v, strict=True):
        half = 0.5 * (_radians(angle) if degree else angle)
        part = [math.cos(half), 0.0, 0.0, 0.0]
        part["xyz".index(letter.lower()) + 1] = math.sin(half)
        q = mul(q, tuple(part)) if letter.islower() else mul(tuple(part), q)
    return unit(q)


def orientation(values: dict, degree: bool, sequence: str) -> Quat:
    """The orientation from the values of an element; an alternative form overrides quat.

    Raises BadOrientation.
    """
    if "axisangle" in values:
        return from_axisangle(_list(values["axisangle"]), degree)
    if "xyaxes" in values:
        return from_xyaxes(_list(values["xyaxes"]))
    if "zaxis" in values:
        return from_zaxis(_list(values["zaxis"]))
    if "euler" in values:
        return from_euler(_list(values["euler"]), sequence, degree)
    quat = values.get("quat")
    return IDENTITY if quat is None else unit(_list(quat))


def compose(outer: Pose, inner: Pose) -> Pose:
    """The pose `inner`, given in the frame `outer`, in outer's parent."""
    (px, py, pz), q = outer
    x, y, z = rotate(q, inner[0])
    return (px + x, py + y, pz + z), mul(q, inner[1])


def invert(pose: Pose) -> Pose:
    q = conj(pose[1])
    x, y, z = rotate(q, pose[0])
    return (-x, -y, -z), q


def _radians(degrees: float) -> float:
    return degrees / 180 * math.pi  # math.radians rounds differently from MuJoCo


def _list(v) -> list[float]:
    return v.tolist() if hasattr(v, "tolist") else list(v)


def _cross(a: Vec, b: Vec) -> Vec:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
