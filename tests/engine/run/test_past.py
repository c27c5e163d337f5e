"""The past that a history keeps is computed again to the bit, and goes into a Series beside what was recorded."""

import math

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums
from kinetree.engine.run.capture import Capture
from kinetree.engine.run.expression import parse
from kinetree.engine.run.history import History
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.past import PIECE, PastSteps
from kinetree.engine.run.recorder import step
from kinetree.engine.run.series import BLOCK, Series
from kinetree.engine.run.timeline import RESET

TEXT = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
  <body name="box" pos="0 0 .5"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body>
</worldbody><actuator><motor name="m" joint="hinge"/></actuator>
<sensor><jointvel joint="hinge"/></sensor></mujoco>"""
TEXTS = ("qpos", "norm(qvel)", "sum(efc_force)", "sensordata")


class Run:
    """A simulation with a history, all of whose steps are recorded in `series` under TEXTS."""

    def __init__(self, text=TEXT, **limits):
        self.shared = kinetree.load_string(text)
        self.model, self.data = self.shared.with_own_options(), kinetree.Data(self.shared)
        self.history, self.series = History(**limits), Series()
        self.record(TEXTS)

    def record(self, texts):
        self.quantities = {text: parse(self.shared, text) for text in texts}
        self.capture = Capture(self.shared, self.quantities)
        self.series.set_columns(self.capture.widths)

    def go(self, steps, batch=7, cost=1e-4, records=True):
        done = 0
        while done < steps:
            count = min(batch, steps - done)
            self.history.before_step(self.model, self.data, cost)
            self.capture.recorder.step = self.history.position
            step(self.model, self.data, count, [self.capture.recorder] if records else [])
            self.history.after_step(self.data, count)
            done += count
        self.drain()

    def drain(self):
        rows = self.capture.read()
        self.series.append(rows.times, rows.steps, rows.values, resets=self.resets)

    def reset(self):
        kinetree.reset(self.model, self.data)
        self.history.append(self.model, self.data)

    @property
    def resets(self):
        return [mark.step for mark in self.history.course.marks if mark.kind == RESET]

    def past(self):
        return PastSteps(self.shared.with_own_options(), self.history.copy())

    def fill(self, texts=None, series=None):
        texts, series = texts or self.quantities, self.series if series is None else series
        quantities = {text: parse(self.shared, text) for text in texts}
        past = self.past()
        wanted = series.missing(list(texts), past.first + 1, past.last)
        widths = {text: each.width for text, each in quantities.items()}
        for rows in past.rows(quantities, wanted):
            series.fill(widths, *rows, resets=self.resets)
        return wanted


def columns(series, text, column=0):
    """Runs, steps and values of a column, where it has values."""
    found = [
        (rows.run, number, value)
        for rows in series.rows()
        if text in rows.columns
        for number, value in zip(
            rows.steps.tolist(), rows.values[:, rows.columns[text].start + column].tolist(), strict=True
        )
    ]
    return found


def test_the_past_is_the_same_to_the_bit_as_what_was_recorded():
    run = Run()
    run.go(800)
    run.data.ctrl[0] = 1.5  # from outside: a change of inputs within a keyframe
    run.go(1700)
    again = Series()
    run.fill(series=again)
    for text, expression in run.quantities.items():
        for column in range(expression.width):
            recorded, filled = columns(run.series, text, column), columns(again, text, column)
            assert [row[1:] for row in filled] == [row[1:] for row in recorded]
    assert again.end == run.data.time


def test_a_curve_that_is_added_later_goes_beside_those_that_are_there():
    run = Run()
    run.go(BLOCK + 500)
    before = columns(run.series, "qpos", 2)
    run.record([*TEXTS, "qacc[0]"])
    run.go(300)
    run.fill()
    late = columns(run.series, "qacc[0]")
    assert [row[1] for row in late] == list(range(1, BLOCK + 801))
    assert not np.isnan([row[2] for row in late]).any()
    assert columns(run.series, "qpos", 2)[: len(before)] == before
    x, y = run.series.curve("qacc[0]", 0, 0.0, 1e9, 100_000)
    assert len(x) == BLOCK + 800 and np.isfinite(y).all()
    assert run.series.missing([*TEXTS, "qacc[0]"], 1, run.history.last) == []


def test_a_gap_is_closed_and_until_then_no_line_goes_over_it():
    run = Run()
    run.go(400)
    run.go(300, records=False)  # the panel is closed
    run.go(400)
    _, y = run.series.curve("qpos", 2, 0.0, 1e9, 100_000)
    assert np.isnan(y).sum() == 1
    assert run.fill() == [(401, 700)]
    x, y = run.series.curve("qpos", 2, 0.0, 1e9, 100_000)
    assert len(x) == 1100 and np.isfinite(y).all() and (np.diff(x) > 0).all()


def test_runs_before_a_reset_stay_apart_also_where_nobody_recorded_the_reset():
    run = Run()
    run.go(400)
    run.go(100, records=False)
    run.reset()
    run.go(900, records=False)
    run.go(200)
    assert len(run.series.timelines()) == 2
    run.fill()
    lines = run.series.timelines()
    ends = [sum(block.number for each in line for block in each.blocks) for line in lines]
    assert ends == [500, 1100]
    assert run.series.curve("qpos", 0, 0.0, 1e9, 100_000)[0][0] == pytest.approx(0.002)


def test_the_past_of_nothing_recorded_has_all_runs():
    run = Run()
    for count in (300, 200, 100):
        run.go(count)
        run.reset()
    run.go(50)
    empty = Series()
    run.fill(series=empty)
    assert [[len(each.blocks) > 0 for each in line] for line in empty.timelines()] == [[True]] * 4
    assert [line[0].step for line in empty.timelines()] == [1, 301, 501, 601]
    lengths = [sum(b.number for b in line[0].blocks) for line in empty.timelines()]
    assert lengths == [300, 200, 100, 50]


def test_a_recording_goes_on_after_the_past_that_came_first():
    run = Run()
    run.go(300, records=False)
    run.fill()
    run.go(100)
    assert [row[1] for row in columns(run.series, "norm(qvel)")] == list(range(1, 401))
    run.history.seek(run.model, run.data, 200)
    run.go(10)
    (line,) = run.series.timelines()
    assert len(line) == 2  # the seek was seen
    x, _ = run.series.curve("norm(qvel)", 0, 0.0, 1e9, 100_000)
    assert len(x) == 210 or len(x) == 211  # up to the moment that was sought


def test_energy_is_there_although_its_flag_was_off():
    run = Run()
    run.go(200)
    assert not run.model.opt.enableflags & enums.ENBL_ENERGY
    run.record(["energy"])
    run.fill()
    values = np.array([row[2] for row in columns(run.series, "energy", 0)])
    assert (values != 0.0).all()
    assert not run.model.opt.enableflags & enums.ENBL_ENERGY


def test_earlier_versions_of_the_model_compute_their_own_steps():
    run = Run()
    run.go(500)
    recorded = columns(run.series, "qpos", 7)
    text = TEXT.replace('<body pos="1 0 1">', '<body pos="2 0 2"><joint name="new" type="slide"/><geom size=".1"/></body>'
                        '<body pos="1 0 1">')  # fmt: skip
    new = kinetree.load_string(text)
    matching = Matching(run.shared, new)
    data = kinetree.Data(new)
    kinetree.engine.run.transfer.transfer(run.shared, run.data, new, data, matching, follow_text=False)
    run.shared, run.model, run.data = new, new.with_own_options(), data
    run.history.follow(matching, run.model, run.data)
    run.record(['joint("hinge").qpos', 'joint("new").qpos'])
    run.go(100)
    run.fill()
    hinge = columns(run.series, 'joint("hinge").qpos')
    assert [row[1:] for row in hinge[:500]] == [row[1:] for row in recorded]
    new_joint = [row[2] for row in columns(run.series, 'joint("new").qpos')]
    assert all(map(math.isnan, new_joint[:500])) and not any(map(math.isnan, new_joint[500:]))


def test_the_newest_steps_come_first_and_in_pieces():
    run = Run()
    run.go(3 * PIECE, batch=50)
    pieces = list(run.past().rows(run.quantities, [(1, 3 * PIECE)]))
    assert len(pieces) >= 3
    assert [int(rows.steps[-1]) for rows in pieces] == sorted((int(rows.steps[-1]) for rows in pieces), reverse=True)
    assert pieces[-1].steps[0] == 1


def test_values_of_a_key_can_be_let_go_and_come_back():
    run = Run()
    run.go(100)
    run.series.forget("qpos")
    assert run.series.missing(["qpos"], 1, 100) == [(1, 100)]
    assert run.series.begin_of("qpos") is None
    run.fill()
    assert len(columns(run.series, "qpos")) == 100


def test_the_past_keeps_to_the_limit_of_memory():
    run = Run()
    run.go(3 * BLOCK, batch=64)
    small = Series(limit=200_000)
    run.fill(series=small)
    assert small.is_full
    assert small.nbytes < 600_000
