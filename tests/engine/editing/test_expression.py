"""Arithmetic typed into number fields."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.editing.expression import InvalidExpression, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5*pi", 0.5 * math.pi),
        (" -3 ", -3.0),
        ("1e-3", 0.001),
        ("sqrt(2)/2", math.sqrt(2) / 2),
        ("2**-1", 0.5),
        ("rad(180)", math.pi),
        ("min(3, 2) % 2", 0.0),
        ("-(1 + 2) * 3", -9.0),
    ],
)
def test_arithmetic(text, value):
    assert evaluate(text) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(("text", "value"), [("+= 1", 3.0), ("-=.5", 1.5), ("*= 2", 4.0), ("/=4", 0.5)])
def test_a_change_of_the_value_before(text, value):
    assert evaluate(text, current=2.0) == value
    with pytest.raises(InvalidExpression, match="no single value"):
        evaluate(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "+=", "1 +", "one", "sin", "pi()", "1/0", "9**9**9", "(-1)**0.5", "1 if 2 else 3", "[1]", "'a'", "True",
        "__import__('os')", "pi.real", "x := 1", "lambda: 1", "1" * 400, "(" * 150, "1e999", "sin(1, 2)", "max()",
        "sqrt(-1)", "round(1, ndigits=2)", "1\n2", "\0",
    ],
)  # fmt: skip
def test_everything_else_is_refused_with_a_reason(text):
    with pytest.raises(InvalidExpression) as caught:
        evaluate(text)
    assert str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_a_finite_number_or_refused(text):
    with contextlib.suppress(InvalidExpression):
        assert math.isfinite(evaluate(text))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_plain_number_is_itself(number):
    assert evaluate(repr(number)) == number


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1/0", "division by zero"), ("0/0", "division by zero"), ("1%0", "division by zero"),
        ("0**-1", "division by zero"), ("(-1)**0.5", "not a real number"), ("sqrt(-1)", "not a real number"),
        ("log(0)", "not a finite number"), ("exp(1000)", "too large"), ("9**9**9", "too large"),
        ("one", "not known"), ("one(1)", "not a function"), ("1 & 2", "only numbers"),
    ],
)  # fmt: skip
def test_the_reason_says_what_is_wrong(text, reason):
    with pytest.raises(InvalidExpression, match=reason):
        evaluate(text)
