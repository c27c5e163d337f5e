"""Numbers as the author writes them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.document.document import Document
from kinetree.engine.editing.numbers import Style, decimals, number, numbers, style, style_at


@pytest.mark.parametrize(
    ("value", "like", "precision", "text"),
    [
        (0.30000000000000004, "0.1", None, "0.3"),
        (1.0, "2", 0.001, "1"),
        (0.5, ".25 .1", 0.01, ".5"),
        (-0.5, ".25", 0.01, "-.5"),
        (0.5, "0.25 0.1", 0.01, "0.5"),
        (1.5, "0.500 1.250", 0.01, "1.500"),
        (1.0, "1.0 2.0", 1.0, "1.0"),
        (0.12345, "0.1", 0.001, "0.123"),
        (0.12345678, "0.12345", 0.001, "0.12346"),
        (2e-5, "1e-3", 1e-6, "2e-5"),
        (2e-5, "1E-03", 1e-6, "2E-05"),
        (2e-5, "0.001", 1e-6, "0.00002"),
        (-1e-9, "0.1", 0.001, "0"),
        (1234.5, "1e-3", 0.1, "1234.5"),
        (1e20, "1", None, "100000000000000000000"),
    ],
)
def test_a_number_is_written_like_the_others(value, like, precision, text) -> None:
    assert number(value, style(like), precision) == text


def test_separators_and_unchanged_numbers_stay() -> None:
    assert numbers((1, 2.5, 3), "1.000,"[:5] + "\t 2\n 3e0 ", style("1.0 2 3e0"), 0.1) == "1.000\t 2.5\n 3e0 "
    assert numbers((1, 2), "", style(""), 1) == "1 2"
    assert numbers((1, 2, 3), "1", style("1"), 1) == "1 2 3"
    assert numbers((0.10004, 2), "0.1 1", style("0.1 1"), 0.001) == "0.1 2"


def test_the_text_around_says_what_the_attribute_does_not() -> None:
    node = Document.from_string('<a><b size=".1 .25"/><b pos="0 0 1"/></a>').root.children[1]
    assert number(0.5, style_at(node, "pos"), 0.1) == ".5"
    assert number(0.5, style_at(node, "quat"), 0.1) == ".5"


@given(st.floats(-1e6, 1e6), st.sampled_from(["1", "0.5", ".25", "1.50 2.00", "1e-3", "3.14159265"]), st.integers(0, 8))
def test_a_number_is_as_precise_as_asked(value: float, like: str, digits: int) -> None:
    precision = 10.0**-digits
    text = number(value, style(like), precision)
    assert abs(float(text) - value) <= 0.5 * precision + 1e-9
    assert float(number(float(text), style(like), precision)) == float(text)


@given(st.floats(-1e9, 1e9, allow_subnormal=False))
def test_a_number_without_precision_keeps_its_digits(value: float) -> None:
    assert math.isclose(float(number(value, Style())), value, rel_tol=1e-14, abs_tol=1e-300)


def test_decimals_of_a_step() -> None:
    assert [decimals(step) for step in (1, 0.25, 0.001, 5, 0.05)] == [0, 2, 3, 0, 2]
