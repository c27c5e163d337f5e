"""Series keep every step to the bit while memory lasts, every peak after that, and take no more memory than allowed."""

import math

import numpy as np
import pytest

import kinetree
from kinetree.engine.run.capture import Capture
from kinetree.engine.run.expression import parse
from kinetree.engine.run.recorder import step
from kinetree.engine.run.series import BLOCK, Series

TEXT = """<mujoco><option><flag energy="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


def fill(series: Series, number: int, first: int = 1, dt: float = 0.001, chunk: int = 700):
    """Steps from `first` on, of a column that is sin(time) and one that counts steps."""
    for start in range(first, first + number, chunk):
        steps = np.arange(start, min(start + chunk, first + number))
        times = steps * dt
        series.append(times, steps, np.stack([np.sin(times), steps.astype(float)], axis=1))


@pytest.fixture
def series():
    series = Series()
    series.set_columns({"sine": 1, "count": 1})
    return series


def test_what_is_recorded_is_what_the_engine_computed_at_each_step():
    model = kinetree.load_string(TEXT)
    quantities = {text: parse(model, text) for text in ("qpos", "norm(qvel)", "energy[0] + energy[1]", "ncon")}
    capture, series, data = Capture(model, quantities), Series(), kinetree.Data(model)
    series.set_columns(capture.widths)
    expected = []
    for number in range(3 * BLOCK // 2):
        step(model, data, 1, [capture.recorder])
        expected.append(np.concatenate([each.of_state(data) for each in quantities.values()]))
        if number % 97 == 0:
            series.append(*capture.read()[:3])
    times, steps, values, lost = capture.read()
    series.append(times, steps, values)
    rows = list(series.rows())
    assert lost == 0
    assert np.concatenate([each.values for each in rows]).tobytes() == np.array(expected).tobytes()
    np.testing.assert_array_equal(np.concatenate([each.steps for each in rows]), np.arange(1, 3 * BLOCK // 2 + 1))
    assert series.end == data.time


@pytest.mark.parametrize("number", [1, 5, 1000, BLOCK, BLOCK + 1, 50_000])
@pytest.mark.parametrize("most", [10, 100, 2000])
def test_a_curve_shows_the_extremes_in_few_points(series, number, most):
    fill(series, number)
    x, y = series.curve("sine", 0, 0.0, 1e9, most)
    exact = np.sin(np.arange(1, number + 1) * 0.001)
    assert y.min() == exact.min()
    assert y.max() == exact.max()
    assert (np.diff(x) >= 0).all()
    assert len(x) <= max(most, 1) + 4 * (1 + number // BLOCK)


def test_a_curve_of_few_steps_is_the_steps(series):
    fill(series, 10_000)
    x, y = series.curve("sine", 0, 5.0, 5.5, 2000)
    inside = (x >= 5.0) & (x <= 5.5)
    assert inside.sum() == 501
    assert (y == np.sin(x)).all()


def test_peaks_stay_when_memory_runs_out_and_memory_stays_flat():
    """An hour of 2 ms steps, with a peak in each minute, in 4 MB; another hour takes no more."""
    series, limit, hour = Series(4_000_000), 4_000_000, 1_800_000
    series.set_columns({"peaks": 1})
    sizes = []
    for start in range(0, 2 * hour, 20_000):
        steps = np.arange(start + 1, start + 20_001)
        series.append(steps * 0.002, steps, (steps % 30_000 == 0).astype(float)[:, None])
        sizes.append(series.nbytes)
    block = BLOCK * 24 + 1000
    assert max(sizes) <= limit + 2 * block + 250 * len(series.runs[0].blocks)
    assert max(sizes[len(sizes) // 2 :]) < 1.05 * max(sizes[: len(sizes) // 2])
    x, y = series.curve("peaks", 0, 0.0, 1e9, 4000)
    assert len(x) < 5000
    assert 100 <= (y == 1.0).sum() <= 125  # each of the 120 peaks, some of which share a bin
    newest = list(series.rows())[-1]
    assert newest.steps[-1] == 2 * hour


def test_a_reset_begins_a_timeline_and_the_one_before_stays(series):
    fill(series, 3000)
    fill(series, 1000)
    first, second = series.timelines()
    assert [len(first), len(second)] == [1, 1]
    _, y = series.curve("count", 0, 0.0, 10.0, 100_000)
    assert y.tolist() == list(range(1, 1001))
    _, y = series.curve("count", 0, 0.0, 10.0, 100_000, first)
    assert y.tolist() == list(range(1, 3001))
    assert [(event.kind, event.time) for event in series.events] == [("reset", 3.0)]


def test_a_seek_replaces_what_came_after_the_moment(series):
    fill(series, 3000)
    fill(series, 500, first=1001)  # the history was sought to step 1000
    assert len(series.timelines()) == 1
    _, y = series.curve("count", 0, 0.0, 10.0, 100_000)
    assert y.tolist() == list(range(1, 1501))
    assert series.events[-1].kind == "seek"
    assert series.value_at("count", 0, 1.2) == 1200.0
    assert sum(len(rows.steps) for rows in series.rows()) == 3500  # nothing is lost for an export


def test_a_reset_amid_a_chunk(series):
    steps = np.array([1, 2, 3, 4, 5])
    series.append(np.array([0.1, 0.2, 0.3, 0.1, 0.2]), steps, np.zeros((5, 2)))
    assert [len(rows.steps) for rows in series.rows()] == [3, 2]
    assert len(series.timelines()) == 2


def test_columns_that_come_and_go(series):
    fill(series, 100)
    series.set_columns({"count": 1})
    steps = np.arange(101, 201)
    series.append(steps * 0.001, steps, steps[:, None].astype(float))
    assert len(series.curve("count", 0, 0.0, 1.0, 10_000)[0]) == 200
    assert len(series.curve("sine", 0, 0.0, 1.0, 10_000)[0]) == 100
    assert len(series.curve("other", 0, 0.0, 1.0, 10_000)[0]) == 0


def test_where_a_count_grows_there_is_an_event(series):
    steps = np.arange(1, 7)
    counts = np.array([0, 0, 2, 2, 1, 2])
    series.append(steps * 0.1, steps, np.zeros((6, 2)), {"contact": counts})
    series.append(np.array([0.7]), np.array([7]), np.zeros((1, 2)), {"contact": np.array([3])})
    assert [(event.kind, round(event.time, 3)) for event in series.events] == [
        ("contact", 0.3),
        ("contact", 0.6),
        ("contact", 0.7),
    ]


def test_numbers_that_are_not_there_do_not_hide_others(series):
    steps = np.arange(1, BLOCK + 1)
    values = np.full((BLOCK, 2), np.nan)
    values[100, 0] = 3.0
    series.append(steps * 0.001, steps, values)
    _, y = series.curve("sine", 0, 0.0, 10.0, 50)
    assert np.nanmax(y) == 3.0
    assert np.isnan(y).any()
    assert math.isnan(series.value_at("count", 0, 1.0))
    assert math.isnan(series.value_at("count", 0, -1.0))


def test_empty_series(series):
    assert series.curve("sine", 0, 0.0, 1.0, 100)[0].size == 0
    assert series.end == 0.0
    assert list(series.rows()) == []
    fill(series, 10)
    series.clear()
    assert series.timelines() == []
    assert series.raw("sine", 0, 0.0, 1.0)[0].size == 0


def test_a_seek_to_before_a_reset_goes_on_with_the_timeline_before_it():
    """The steps after it were not: neither a jump in time nor the reset are left."""
    series = Series()
    series.set_columns({"a": 1})
    for first, number, start in ((1, 100, 0.0), (101, 50, 0.0), (81, 30, 0.08)):
        steps = np.arange(first, first + number)
        times = start + np.arange(1, number + 1) * 0.001
        series.append(times, steps, steps[:, None].astype(float))
    assert [event.kind for event in series.events] == ["reset", "reset", "seek"][-len(series.events) :]
    assert len(series.timelines()) == 1
    x, y = series.raw("a", 0, 0.0, 1.0)
    np.testing.assert_allclose(x, np.arange(1, 111) * 0.001)
    np.testing.assert_array_equal(y, np.arange(1, 111))


def test_a_motion_that_is_played_is_a_timeline_of_its_own():
    series = Series()
    series.set_columns({"q": 1})

    def add(times, steps):
        series.append(np.array(times, float), np.array(steps), np.array(times, float)[:, None])

    add(range(1, 11), range(1, 11))
    add([0.0, 1.0, 2.0, 3.0], [-4, -3, -2, -1])
    add([2.0, 3.0], [-2, -1])  # scrubbed back
    add([0.0, 1.0], [-4, -3])  # begun again
    add([11.0, 12.0], [11, 12])  # the simulation goes on, at a later time than that of the motion
    lines = [[(run.start, run.end) for run in line] for line in series.timelines()]
    assert lines == [[(1.0, 10.0)], [(0.0, 3.0), (2.0, 3.0)], [(0.0, 1.0)], [(11.0, 12.0)]]
    assert [event.kind for event in series.events] == ["motion", "seek", "reset", "motion"]
    assert series.raw("q", 0, 0.0, 1e9)[0].tolist() == [11.0, 12.0]


def test_columns_that_are_not_there_any_more_are_forgotten_with_their_blocks():
    series, steps = Series(limit=600_000), np.arange(1, 1001)
    for number in range(60):
        series.set_columns({"kept": 1, f"other {number}": 2} if number % 2 else {f"alone {number}": 3})
        series.append((steps + 1000 * number) * 0.01, steps + 1000 * number, np.full((1000, 3), number))
    series.set_columns({"kept": 1})
    series.forget_all_but(())
    keys = {key for rows in series.rows() for key in rows.columns}
    assert keys == {"kept"}
    assert series.nbytes == sum(block.nbytes for run in series.runs for block in run.blocks) <= series.limit
    _, values = series.curve("kept", 0, 0.0, series.end, 100_000)
    assert set(np.unique(values[np.isfinite(values)])) == set(range(1, 60, 2)), (
        "what is there still goes back to the beginning"
    )
    for _ in range(3):  # the counts of blocks without numbers are right: they go on
        series.append((steps + 60_000) * 0.01, steps + 60_000, np.zeros((1000, 1)))
        steps = steps + 1000
    assert series.nbytes <= series.limit + 4096 * 3 * 8 + 200
    series.set_columns({"new": 1})
    series.forget_all_but({"kept"})
    assert {key for rows in series.rows() for key in rows.columns} == {"kept"}
    series.forget_all_but(())
    assert not list(series.rows()) and len(series.runs) == 1
    assert series.nbytes == 0
