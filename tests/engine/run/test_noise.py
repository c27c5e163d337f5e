"""Noise on controls: its statistics, its limits, and that it repeats to the bit."""

import math

import numpy as np
import pytest

import kinetree
from kinetree.engine.run.noise import Noise, NoiseSource, normal
from kinetree.engine.run.signals import Drive, Signal

TEXT = """<mujoco><option timestep="0.01"/><worldbody>
  <body><joint name="a"/><joint name="b" axis="1 0 0"/><geom size=".1"/></body></worldbody>
  <actuator><motor joint="a" ctrlrange="-1 3" ctrllimited="true"/><motor joint="b"/></actuator></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(TEXT)


def run(model, noise, steps, free=(True, True)):
    """The controls of so many steps."""
    data, source, rows = kinetree.Data(model), NoiseSource(model, noise), []
    for number in range(steps):
        data.time = number * 0.01
        source.apply(model, data, np.array(free))
        rows.append(data.ctrl.copy())
    return np.array(rows)


def test_the_numbers_are_normal_and_independent():
    numbers = np.array([normal(7, k, 2) for k in range(20_000)])
    assert abs(numbers.mean()) < 0.02 and numbers.std() == pytest.approx(1.0, abs=0.02)
    assert abs(np.corrcoef(numbers.T)[0, 1]) < 0.03
    assert abs(np.corrcoef(numbers[1:, 0], numbers[:-1, 0])[0, 1]) < 0.03
    assert (normal(7, 3, 2) == normal(7, 3, 2)).all() and (normal(8, 3, 2) != normal(7, 3, 2)).all()


@pytest.mark.parametrize("rate", [0.0, 0.05])
def test_it_swings_around_the_middle_and_is_forgotten_over_its_rate(model, rate):
    rows = run(model, Noise(0.2, rate, 1), 20_000)[200:]
    assert rows.mean(axis=0) == pytest.approx([1.0, 0.0], abs=0.03)
    assert rows.std(axis=0) == pytest.approx([0.4, 0.2], rel=0.06)
    expected = math.exp(-0.01 / rate) if rate else 0.0
    assert np.corrcoef(rows[1:, 1], rows[:-1, 1])[0, 1] == pytest.approx(expected, abs=0.03)


def test_it_stays_within_the_range(model):
    rows = run(model, Noise(5.0, 0.0), 500)
    assert rows[:, 0].min() == -1.0 and rows[:, 0].max() == 3.0 and rows[:, 1].max() > 3.0


def test_what_something_else_drives_has_no_noise(model):
    data, drive = kinetree.Data(model), Drive()
    drive.set_noise(model, Noise(1.0))
    drive.set_signal(1, Signal("sine", 0.25, 0.0), 0.0)
    assert drive
    drive.apply(model, data)
    assert data.ctrl[1] == 0.25 and data.ctrl[0] != 0.0
    drive.stop()
    assert not drive


@pytest.mark.parametrize("wrong", [{"std": -1.0}, {"std": math.nan}, {"rate": -0.1}, {"rate": math.inf}])
def test_numbers_without_meaning_are_refused(wrong):
    with pytest.raises(ValueError, match="noise"):
        Noise(**wrong)
