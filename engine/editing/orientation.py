"""Orientations in the forms of a text: quat, axisangle, euler, xyaxes, zaxis, read and written.

    convention = Convention(degree=True, sequence="xyz")     of compiler/angle and compiler/eulerseq
    form = form_of(values)                                   the form in force among the values of an element
    quat = read(values, convention)                          a unit quaternion
    numbers = write(quat, "euler", convention, near=old)     the numbers of a form; None where it has none for it

Several lists of numbers say the same rotation: `write` gives the one that is nearest to `near`, so that no angle
jumps by a turn and no sign flips while something is dragged. Source: XML reference, "Frame orientations".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kinetree.engine.geometry.orientation import (
    IDENTITY,
    Quat,
    conj,
    from_axisangle,
    from_euler,
    from_xyaxes,
    from_zaxis,
    matrix,
    mul,
    rotate,
    unit,
)

FORMS = ("axisangle", "xyaxes", "zaxis", "euler", "quat")
"""In the order in which the compiler looks for them: the first one that an element has counts."""
COUNTS = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3, "quat": 4}
SAME = 1e-9
"""Rotations that differ by less, in every number of their quaternions, are the same."""
STEEP = 1e-7
"""Sine of the angle below which two of three Euler angles turn about the same axis."""


class Convention(NamedTuple):
    """How a text writes rotations.

    degree    angles are degrees
    sequence  axes of Euler angles: lower case letters turn with the frame, upper case ones are fixed
    inverse   a quaternion rotates vectors of the frame around into the element's (x_xy)
    """

    degree: bool = True
    sequence: str = "xyz"
    inverse: bool = False


URDF = Convention(False, "XYZ")
X_XY = Convention(True, "XYZ", True)


def form_of(values: Mapping[str, object]) -> str | None:
    """The form in force among the values of an element, its own and those of its class; None without any."""
    return next((form for form in FORMS if form in values), None)


def read(values: Mapping[str, Sequence[float]], convention: Convention) -> Quat:
    """The rotation that an element's values say; the identity without any. Raises BadOrientation."""
    form = form_of(values)
    if form is None:
        return IDENTITY
    numbers = [float(value) for value in values[form]]
    match form:
        case "axisangle":
            return from_axisangle(numbers, convention.degree)
        case "xyaxes":
            return from_xyaxes(numbers)
        case "zaxis":
            return from_zaxis(numbers)
        case "euler":
            return from_euler(numbers, convention.sequence, convention.degree)
    return conj(unit(numbers)) if convention.inverse else unit(numbers)


def same(a: Quat, b: Quat, tolerance: float = SAME) -> bool:
    """Whether two quaternions are the same rotation."""
    return any(all(abs(x - sign * y) <= tolerance for x, y in zip(a, b, strict=True)) for sign in (1.0, -1.0))


def write(
    quat: Quat, form: str, convention: Convention, near: Sequence[float] | None = None
) -> tuple[float, ...] | None:
    """The numbers of a rotation in a form, those nearest to `near` where there are several; None where the
    form cannot say it: zaxis with a twist, or Euler angles of a sequence such as "xxy"."""
    match form:
        case "axisangle":
            return _axisangle(quat, convention.degree, near)
        case "xyaxes":
            rows = matrix(quat)
            return (rows[0][0], rows[1][0], rows[2][0], rows[0][1], rows[1][1], rows[2][1])
        case "zaxis":
            z = rotate(quat, (0.0, 0.0, 1.0))
            return z if same(from_zaxis(z), quat, 1e-6) else None
        case "euler":
            scale = math.pi / 180 if convention.degree else 1.0
            start = None if near is None else [scale * angle for angle in near]
            angles = euler(quat, convention.sequence, start)
            return None if angles is None else tuple(angle / scale for angle in angles)
    found = conj(quat) if convention.inverse else quat
    if near is not None and len(near) == 4:
        flip = sum(a * b for a, b in zip(found, near, strict=True)) < 0
    else:
        flip = next((value < 0 for value in found if abs(value) > 1e-12), False)
    return tuple(-value for value in found) if flip else found


def convert(
    numbers: Sequence[float], form: str, other: str, convention: Convention, into: Convention | None = None
) -> tuple[float, ...] | None:
    """The numbers of one form in another one, and in another convention if `into` is given; None if the other form
    cannot express the rotation. Raises BadOrientation for invalid numbers.
    """
    return write(read({form: numbers}, convention), other, into or convention)


def _axisangle(quat: Quat, degree: bool, near: Sequence[float] | None) -> tuple[float, ...]:
    w, *v = quat
    sine = math.sqrt(sum(value * value for value in v))
    if sine < 1e-12:
        axis, angle = (0.0, 0.0, 1.0), 0.0
        if near is not None:
            length = math.sqrt(sum(value * value for value in near[:3]))
            axis = tuple(value / length for value in near[:3]) if length > 1e-7 else axis
    else:
        axis, angle = tuple(value / sine for value in v), 2 * math.atan2(sine, w)
    flip = angle > math.pi
    if near is not None:
        flip = sum(a * b for a, b in zip(axis, near, strict=False)) < 0
    if flip:
        axis, angle = tuple(-value for value in axis), -angle
    scale, turn = (180 / math.pi, 360.0) if degree else (1.0, 2 * math.pi)
    angle *= scale
    middle = near[3] if near is not None else 0.0
    return (*axis, angle + turn * round((middle - angle) / turn))


def product(sequence: str) -> list[tuple[int, int]]:
    """The order in which the turns of a sequence are multiplied: (axis, which of the angles)."""
    result: list[tuple[int, int]] = []
    for number, letter in enumerate(sequence):
        turn = ("xyz".index(letter.lower()), number)
        if letter.islower():
            result.append(turn)
        else:
            result.insert(0, turn)
    return result


def euler(quat: Quat, sequence: str, near: Sequence[float] | None = None) -> tuple[float, ...] | None:
    """Euler angles in radians, those nearest to `near`; None if the sequence cannot say every rotation."""
    order = product(sequence)
    (i, first), (j, second), (k, third) = order
    if i == j or j == k:
        return None
    near = (0.0, 0.0, 0.0) if near is None else near
    rows = matrix(quat)
    symmetric = i == k
    other = 3 - i - j
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    if symmetric:
        sine = math.hypot(rows[i][j], rows[i][other])
        middle = math.atan2(sine, rows[i][i])
        steep = sine < STEEP
        last = near[third] if steep else math.atan2(rows[i][j], sign * rows[i][other])
    else:
        cosine = math.hypot(rows[i][i], rows[i][j])
        middle = math.atan2(sign * rows[i][k], cosine)
        steep = cosine < STEEP
        last = near[third] if steep else math.atan2(-sign * rows[i][j], rows[i][i])
    # Without the last turn the remaining rotation shows the first one, also if both turn about the same axis.
    axis = [0.0, 0.0, 0.0]
    axis[k] = -math.sin(0.5 * last)
    left = matrix(mul(quat, (math.cos(0.5 * last), *axis)))
    start = math.atan2(sign * left[other][j], left[j][j])
    found = [0.0, 0.0, 0.0]
    found[first], found[second], found[third] = start, middle, last
    twin = [0.0, 0.0, 0.0]
    twin[first], twin[third] = start + math.pi, last + math.pi
    twin[second] = -middle if symmetric else math.pi - middle
    both = [_nearest(found, near), _nearest(twin, near)]
    away = [sum((a - b) ** 2 for a, b in zip(angles, near, strict=True)) for angles in both]
    return both[0] if away[0] <= away[1] + 1e-12 else both[1]


def _nearest(angles: Sequence[float], near: Sequence[float]) -> tuple[float, ...]:
    turn = 2 * math.pi
    return tuple(angle + turn * round((to - angle) / turn) for angle, to in zip(angles, near, strict=True))


def between(a: Sequence[float], b: Sequence[float]) -> Quat:
    """The smallest rotation from the direction of one vector to that of another."""
    x, y = (tuple(value / math.sqrt(sum(v * v for v in vector)) for value in vector) for vector in (a, b))
    w = 1 + sum(p * q for p, q in zip(x, y, strict=True))
    if w < 1e-12:  # opposite: half a turn about anything across
        across = (0.0, x[2], -x[1]) if abs(x[0]) < 0.9 else (-x[2], 0.0, x[0])
        return unit((0.0, *across))
    return unit((w, x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]))


def fine(form: str, turn: float, convention: Convention) -> list[float]:
    """How precise each number of a form is to be for rotations that are precise to `turn` radians."""
    angle = math.degrees(turn) if convention.degree else turn
    small = 10.0 ** math.floor(math.log10(turn / 30))
    match form:
        case "axisangle":
            return [small, small, small, angle]
        case "euler":
            return [angle] * 3
    return [small] * COUNTS[form]
