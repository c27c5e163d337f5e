"""Read-outs: what is read from them is the value, to the digits that are shown."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from kinetree.app.widgets.readouts import (
    DIGITS,
    ELLIPSIS,
    SPACE,
    beginning,
    beginnings,
    number_text,
    numbers_text,
    tick_texts,
    time_text,
)

POWERS = range(-14, 15)
MANTISSAS = (1.0, 1.934, 4.5, -9.9, 9.99999, -9.999949, 3.3333333333, -2.718281828)
VALUES = [mantissa * 10.0**power for power in POWERS for mantissa in MANTISSAS]


def error_of(text: str) -> float:
    """Half of the last digit that is shown."""
    mantissa, _, power = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 0.5000001 * 10.0 ** (int(power or 0) - decimals)


def significant(text: str) -> int:
    return len(text.partition("e")[0].lstrip("-0.").replace(".", ""))


@pytest.mark.parametrize("value", VALUES)
def test_a_number_has_five_digits_and_is_the_value(value):
    text = number_text(value)
    assert significant(text) >= DIGITS, text
    assert abs(float(text) - value) <= max(error_of(text), 1e-15 * abs(value)), text
    assert abs(float(text) - value) <= 0.50001e-4 * abs(value), "whatever its size"
    assert len(text) <= len("-0.0012345") + 1


def test_special_numbers():
    assert [number_text(x) for x in (0.0, -0.0, 1 / 3, -12.34567, 123.45678, 1234.5, 2e7, 3e-6)] == [
        "0", "0", "0.33333", "-12.346", "123.46", "1234.5", "2.0000e+07", "3.0000e-06",
    ]  # fmt: skip
    assert [number_text(x) for x in (0.1934, 0.00045, -9.9e-14, 999999.99)] == [
        "0.19340", "4.5000e-04", "-9.9000e-14", "1.0000e+06",
    ]  # fmt: skip
    assert [number_text(x) for x in (math.nan, math.inf, -math.inf)] == ["nan", "inf", "-inf"]


@pytest.mark.parametrize("places", [0, 2, 3, 4])
@pytest.mark.parametrize("value", VALUES)
def test_a_beginning_is_one(value, places):
    text, whole = beginning(value, places), number_text(value)
    if "e-" in whole:
        whole = f"{value:.15f}"
    assert whole.startswith(text), "cut off behind, and neither rounded nor cut in front"
    assert text == whole or abs(float(text)) <= abs(value) * (1 + 1e-4)


def test_an_ellipsis_says_that_there_is_more():
    assert beginnings([0.98765, -0.012345, 3.4e-6, -0.15], 2) == f"0.98{SPACE}-0.01{SPACE}0.00{SPACE}-0.15{ELLIPSIS}"
    assert beginnings([1.0, 0.0, -0.5], 2) == f"1.00{SPACE}0.00{SPACE}-0.50"
    assert numbers_text([0.0, 1e-14]) == f"0{SPACE}1.0000e-14"


@pytest.mark.parametrize("step", [1.0, 2.0, 5.0])
@pytest.mark.parametrize("offset", [0.0, 1.0, -1.0])
@pytest.mark.parametrize("power", POWERS)
def test_ticks_are_the_values_and_differ(power, offset, step):
    spacing = step * 10.0**power
    first = math.floor(offset * 1234.0)
    values = [(first + k) * spacing for k in range(-3, 6)]
    texts = tick_texts(values, spacing)
    assert len(set(texts)) == len(values)
    for text, value in zip(texts, values, strict=True):
        assert float(text) == pytest.approx(value, abs=1e-6 * spacing)
    assert len({"e" in text for text in texts if text != "0"}) == 1, "all with a power of ten, or none"


def test_ticks_of_any_range_are_the_values():
    rng = random.Random(7)
    for _ in range(3000):
        spacing = rng.choice((1, 2, 2.5, 5)) * 10.0 ** rng.randint(-14, 13)
        first = rng.randint(-(10**6), 10**6)
        values = [(first + k) * spacing for k in range(6)]
        texts = tick_texts(values, spacing)
        assert np.allclose([float(text) for text in texts], values, rtol=0, atol=1e-6 * spacing + 1e-15), texts


def test_times_are_as_fine_as_the_step():
    assert [time_text(1.23456789, step) for step in (0.0, 0.002, 1e-3, 5e-4, 1e-5, 2e-7)] == [
        "1.235 s", "1.235 s", "1.235 s", "1.2346 s", "1.23457 s", "1.2345679 s",
    ]  # fmt: skip
