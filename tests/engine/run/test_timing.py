"""Stages timed inside the compiled call: the figures add up, and timed steps are the same steps."""

import time

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics import forward
from kinetree.engine.run.timing import StageTimer, step_times, work
from tests.engine.run.test_recorder import TEXT


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(TEXT)


def test_timed_steps_are_the_same_to_the_bit(model):
    data, other = kinetree.Data(model), kinetree.Data(model)
    timer = StageTimer(model)
    for each in (data, other):
        kinetree.step(model, each)
    timer.step(model, data, 30)
    kinetree.step(model, other, 30)
    assert data.block("history").tobytes() == other.block("history").tobytes() and data.time == other.time
    assert data.timer == 0


def test_times_are_those_of_the_stages(model):
    data = kinetree.Data(model)
    kinetree.step(model, data)
    timer = StageTimer(model)
    assert timer.names == forward.pipeline(model).names
    timer.step(model, data, 1)
    start = time.perf_counter()
    times = timer.step(model, data, 2000)
    spent = (time.perf_counter() - start) / 2000
    assert times.shape == (len(timer.names),) and (times >= 0).all()
    assert 0.2 * spent < times.sum() < 1.01 * spent
    assert times[timer.names.index("solve")] > times[timer.names.index("camlight" if model.ncam else "com_pos")]


def test_they_go_on_where_memory_runs_out_and_over_a_reset(model):
    data = kinetree.Data(model)
    kinetree.step(model, data)
    for name in ("nconmax", "njmax"):
        data.resize(name, 1)
    data.qvel[0] = np.nan
    times = StageTimer(model).step(model, data, 20)
    assert np.isfinite(times).all() and data.nreset == 1


def test_stages_and_the_rest_are_the_whole_step(model):
    data = kinetree.Data(model)
    times = step_times(model, data, 5000)
    assert [name for name, _ in times.stages] == list(forward.pipeline(model).names)
    assert sum(value for _, value in times.stages) + times.other == pytest.approx(times.step)
    assert abs(times.other) < times.step


def test_the_work_of_a_step_is_what_data_says(model):
    data = kinetree.Data(model)
    kinetree.step(model, data, 50)
    done = work(data)
    assert (done.contacts, done.rows, done.islands) == (data.ncon, data.nefc, data.nisland)
    assert done.rows > 0 and done.iterations == data.solver_niter.sum() > 0
    assert all(0 <= one.contacts <= 100 for one in step_times(model, data, 500).work)
