"""Orientations in the forms of a text, into each other."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.editing.orientation import (
    COUNTS,
    FORMS,
    Convention,
    between,
    convert,
    euler,
    product,
    read,
    same,
    write,
)
from kinetree.engine.geometry.orientation import from_euler, rotate, unit

SEQUENCES = ["".join(letters) for letters in itertools.product("xyzXYZ", repeat=3)]
quats = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: math.hypot(*q) > 0.01).map(unit)
special = st.sampled_from([unit(q) for q in itertools.product((-1.0, 0.0, 1.0), repeat=4) if any(q)])


@given(quats | special, st.sampled_from(SEQUENCES), st.tuples(*[st.floats(-7, 7)] * 3))
def test_euler_angles_of_every_sequence(quat, sequence, near) -> None:
    angles = euler(quat, sequence, near)
    if angles is None:
        order = "".join("xyz"[axis] for axis, _ in product(sequence))
        assert order[0] == order[1] or order[1] == order[2]
    else:
        assert same(from_euler(angles, sequence, False), quat, 1e-6)


@given(st.sampled_from(["xyz", "XYZ", "zxz", "xYz", "ZXY"]), st.tuples(*[st.floats(-3, 3)] * 3))
def test_angles_do_not_jump(sequence, angles) -> None:
    again = euler(from_euler(angles, sequence, False), sequence, angles)
    assert again is not None
    assert max(abs(a - b) for a, b in zip(again, angles, strict=True)) < 1e-5


@given(quats | special, st.sampled_from(FORMS), st.booleans(), st.booleans())
def test_every_form_says_the_same_rotation(quat, form, degree, inverse) -> None:
    convention = Convention(degree, "xyz", inverse)
    numbers = write(quat, form, convention)
    if numbers is None:
        assert form == "zaxis"
        return
    assert len(numbers) == COUNTS[form]
    assert same(read({form: numbers}, convention), quat, 1e-6)


def test_axisangle_and_quat_stay_on_their_side() -> None:
    convention = Convention(True)
    near = (0.0, 0.0, -1.0, 350.0)
    found = write(read({"axisangle": (0.0, 0.0, -1.0, 355.0)}, convention), "axisangle", convention, near)
    assert found == pytest.approx((0, 0, -1, 355))
    assert write((0.6, 0.8, 0.0, 0.0), "quat", convention, (-0.6, -0.8, 0, 0)) == (-0.6, -0.8, 0.0, 0.0)


def test_convert_between_conventions() -> None:
    degrees, radians = Convention(True), Convention(False)
    assert convert((90, 0, 0), "euler", "euler", degrees, radians) == pytest.approx((math.pi / 2, 0, 0))
    assert convert((0, 0, 1, 90), "axisangle", "zaxis", degrees) is None


@given(st.tuples(*[st.floats(-1, 1)] * 3), st.tuples(*[st.floats(-1, 1)] * 3))
def test_between_two_directions(a, b) -> None:
    if math.hypot(*a) > 0.01 and math.hypot(*b) > 0.01:
        turned = rotate(between(a, b), a)
        assert turned == pytest.approx([math.hypot(*a) / math.hypot(*b) * value for value in b], abs=1e-5)
