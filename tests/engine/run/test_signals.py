"""Control signals and recorded controls."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinetree
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.signals import SHAPES, ControlSeries, Drive, Signal, actuator_names

MODEL = """<mujoco><worldbody><body><joint name="a"/><joint name="b" axis="1 0 0"/><geom size=".1"/></body></worldbody>
<actuator><motor name="first" joint="a"/><motor name="second" joint="b"/></actuator></mujoco>"""

frequencies = st.floats(0.01, 100.0)
times = st.floats(0.0, 1000.0)


@given(st.sampled_from(sorted(SHAPES)), st.floats(-5, 5), st.floats(0, 3), frequencies, frequencies, times)
def test_signals_stay_within_their_amplitude(shape, mean, amplitude, frequency, end, time):
    signal = Signal(shape, mean, amplitude, frequency, end)
    assert abs(signal.value(time) - mean) <= amplitude + 1e-9


def test_shapes():
    sine, square = Signal("sine", 1.0, 2.0, 0.5), Signal("square", 1.0, 2.0, 0.5)
    assert sine.value(0.0) == 1.0 and sine.value(0.5) == 3.0 and abs(sine.value(1.0) - 1.0) < 1e-12
    assert [square.value(t) for t in (0.0, 0.9, 1.1, 2.1)] == [3.0, 3.0, -1.0, 3.0]
    chirp = Signal("chirp", frequency=1.0, end_frequency=3.0, duration=4.0)
    crossings = np.diff(np.sign([chirp.value(t) for t in np.linspace(1e-6, 4.0 - 1e-6, 20_001)]))
    assert np.count_nonzero(crossings) == 15  # 8 swings of the mean frequency 2 Hz
    assert chirp.value(5.0) == chirp.value(1.0)


def test_noise_is_uniform_held_and_repeatable():
    noise = Signal("noise", frequency=100.0, seed=3)
    values = np.array([noise.value(k / 100 + 0.001) for k in range(20_000)])
    assert abs(values.mean()) < 0.02 and abs(values.std() - 1 / math.sqrt(3)) < 0.01
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.03
    assert noise.value(0.001) == noise.value(0.009) != noise.value(0.011)
    other = np.array([Signal("noise", frequency=100.0, seed=4).value(k / 100 + 0.001) for k in range(20_000)])
    assert abs(np.corrcoef(values, other)[0, 1]) < 0.03


@pytest.mark.parametrize(
    "wrong", [{"shape": "saw"}, {"frequency": 0.0}, {"duration": -1.0}, {"mean": math.nan}, {"amplitude": math.inf}]
)
def test_signals_without_meaning_are_refused(wrong):
    with pytest.raises(ValueError):
        Signal(**wrong)


@pytest.mark.parametrize("name", ["controls.csv", "controls.npz"])
def test_a_series_is_the_same_after_saving_and_loading(tmp_path, name):
    rng = np.random.default_rng(1)
    series = ControlSeries(np.cumsum(rng.random(50)), rng.normal(size=(50, 2)), ["a, b", "ü"])
    series.save(tmp_path / name)
    again = ControlSeries.load(tmp_path / name)
    assert again.names == series.names
    assert np.array_equal(again.times, series.times) and np.array_equal(again.values, series.values)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "first line"), ("time\n0\n", "first line"), ("time,a\n0\n", "line 2"), ("time,a\n0,x\n", "line 2"),
        ("time,a\n1,0\n0,0\n", "must rise"), ("time,a\n0,nan\n", "nan"), ("time,a\n", "one row"),
    ],
)  # fmt: skip
def test_what_is_no_series_is_refused(tmp_path, text, why):
    file = tmp_path / "controls.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match=why):
        ControlSeries.load(file)


def test_a_series_is_played_by_name_and_holds_its_rows():
    model = kinetree.load_string(MODEL)
    data = kinetree.Data(model)
    drive = Drive()
    drive.play(ControlSeries([0.0, 1.0], [[1.0, 10.0], [2.0, 20.0]], ["second", "other"]), actuator_names(model), 5.0)
    seen = []
    for data.time in (5.0, 5.9, 6.0, 9.0):
        drive.apply(None, data)
        seen.append(tuple(data.ctrl))
    assert seen == [(0.0, 1.0), (0.0, 1.0), (0.0, 2.0), (0.0, 2.0)]


def test_signals_stay_with_their_actuators_over_edits():
    model = kinetree.load_string(MODEL)
    edited = kinetree.load_string(
        MODEL.replace('<motor name="first"', '<motor name="zero" joint="b"/><motor name="first"')
    )
    drive = Drive()
    signal = Signal("square")
    drive.set_signal(1, signal, 0.0)
    drive.follow(Matching(model, edited))
    assert drive.signals == {2: signal}
    drive.set_signal(2, None, 0.0)
    assert not drive
