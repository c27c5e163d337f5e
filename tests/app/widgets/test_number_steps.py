"""Steps of numbers follow the numbers."""

import math

import pytest

from kinetree.app.widgets.number_steps import DEGREES_FROM_ZERO, moved, outgrown, step_of, whole_step_of


@pytest.mark.parametrize(
    ("value", "low", "high", "step"),
    [
        (0.435, 0, 100, 0.005),  # damping of a joint: not 1 % of the useful range
        (0.0356, 0, 10, 0.0005),  # armature
        (-0.611, None, None, 0.005),
        (300, None, None, 2),
        (5, 0, 1, 0.01),  # not more than 1 % of the range
        (0, None, None, 0.01),
        (0, 0, 0.1, 0.001),
        (1e-9, 0, 0.01, 1e-11),
    ],
)
def test_a_step_is_about_a_hundredth_of_the_number_or_of_its_range(value, low, high, step):
    assert step_of(value, low, high) == pytest.approx(step)


@pytest.mark.parametrize("value", [10.0**n * digit for n in range(-8, 8) for digit in (1, 1.7, 2.9, 4.4, 7.3, 9.8)])
def test_every_size_of_number_has_a_short_step_in_proportion(value):
    step = step_of(value)
    assert 0.0063 < step / value < 0.0159
    assert f"{step:.0e}"[0] in "125" and float(f"{step:.0e}") == step


def test_a_zero_takes_the_size_of_the_numbers_around_it():
    assert step_of(0.0, around=(0.3, -0.02)) == pytest.approx(0.002)
    assert step_of(0.0, around=(0.0, 0.0), from_zero=DEGREES_FROM_ZERO) == DEGREES_FROM_ZERO
    assert step_of(0.02, around=(1.0,)) == pytest.approx(0.0002)  # solref: each number has its own size
    assert step_of(math.inf) == step_of(0.0) == step_of(1e-200)


@pytest.mark.parametrize(
    ("start", "pixels", "result"),
    [(-0.611, 0, -0.611), (-0.611, 1, -0.606), (0.435, 3, 0.45), (0.0356, 10, 0.0406), (1 / 3, 1, 0.33833)],
)
def test_a_drag_counts_from_where_it_began(start, pixels, result):
    step = step_of(start)
    assert moved(start, pixels * step, step) == pytest.approx(result, abs=1e-15)


def test_digits_that_no_step_can_reach_are_not_written():
    assert repr(moved(0.43512341234, 0.005, 0.005)) == "0.44012"
    assert repr(moved(123456.0, 1000.0, 1000.0)) == "124456.0"
    assert repr(moved(0.1, 0.2, 0.001)) == "0.3"
    assert repr(moved(-0.01, 0.01, 0.0001)) == "0.0"


def test_whole_numbers_go_one_by_one_until_they_are_large():
    assert whole_step_of(0) == whole_step_of(4) == 0.125 and whole_step_of(4096) == 50
    assert moved(4, 0.6, 0.125, whole=True) == 5


def test_a_number_outgrows_its_step():
    step = step_of(0.435)
    assert not outgrown(0.435, step) and not outgrown(4.9, step) and outgrown(5.0, step)
