"""Any recorded step can be sought and resumed from, to the bit, within a limit of memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinetree
from kinetree.engine.run.history import History

TEXT = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .4"><freejoint/><geom type="box" size=".1 .1 .1"/>
    <body pos=".3 0 0"><joint name="j" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></body>
  <body pos="0 .05 .8"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body name="target" mocap="true" pos="1 0 1"><geom size=".05" contype="0" conaffinity="0"/></body>
</worldbody><actuator><general joint="j" dyntype="filter" dynprm=".1" gainprm="3"/></actuator></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(TEXT)


def state(data):
    return data.time, data.block("history").tobytes()


class Recorded:
    """A simulation with a history, and the state after each step as it was when it was computed."""

    def __init__(self, model, **limits):
        self.model, self.data, self.history = model.with_own_options(), kinetree.Data(model), History(**limits)
        self.states = {0: state(self.data)}

    def run(self, steps, cost=1e-5):
        for _ in range(steps):
            self.history.before_step(self.model, self.data, cost)
            self.states[self.history.position] = state(self.data)
            kinetree.step(self.model, self.data)
            self.history.after_step(self.data, 1)
            self.states[self.history.position] = state(self.data)

    def seek(self, step):
        found = self.history.seek(self.model, self.data, step)
        assert state(self.data) == self.states[found]
        fresh = kinetree.Data(self.model)
        fresh.qpos = self.data.qpos
        kinetree.forward(self.model, fresh)
        np.testing.assert_array_equal(self.data.geom_xpos[:4], fresh.geom_xpos[:4])
        return found


@pytest.mark.parametrize("cost", [0.0, 1e-5, 1e-3])
def test_every_step_comes_back_to_the_bit(model, cost):
    run = Recorded(model)
    run.run(60, cost)
    run.data.ctrl[0] = 2.0
    run.run(40, cost)
    assert len(run.history) == {0.0: 100, 1e-5: 1, 1e-3: 10}[cost]
    for step in (100, 99, 60, 61, 59, 0, 37, 37, 100):
        assert run.seek(step) == step
        assert run.history.behind == 100 - step


def test_resumed_from_the_past_it_goes_the_same_way_again(model):
    """Across a change of inputs and of options."""
    run = Recorded(model)
    run.run(20)
    run.data.ctrl[0], run.data.xfrc_applied[1, 2] = 1.0, 4.0
    run.run(20)
    run.model.opt.timestep, run.model.opt.gravity[0] = 0.004, 3.0
    run.model.opt.integrator = 3
    run.run(20)
    before = dict(run.states)
    run.seek(10)
    assert run.model.opt.timestep == 0.002 and run.data.ctrl[0] == 0
    assert run.data.actuator_force[0] == 0
    run.run(10)
    run.data.ctrl[0], run.data.xfrc_applied[1, 2] = 1.0, 4.0
    run.run(20)
    run.model.opt.timestep, run.model.opt.gravity[0] = 0.004, 3.0
    run.model.opt.integrator = 3
    run.run(20)
    assert run.states == before and run.history.last == 60
    assert model.opt.timestep == 0.002 and model.opt.gravity[0] == 0
    assert run.seek(39) and run.model.opt.timestep == 0.002
    assert run.seek(41) and run.model.opt.timestep == 0.004 and run.model.opt.integrator == 3


def test_stepping_from_the_past_forgets_what_came_after(model):
    run = Recorded(model)
    run.run(30, 0.0)
    run.seek(12)
    run.data.qvel[0] = 9.0
    run.run(3)
    assert (run.history.last, run.history.position, run.history.behind) == (15, 15, 0)
    assert run.seek(99) == 15
    run.seek(12)
    assert run.data.qvel[0] == 9.0


def test_a_pose_set_by_hand_is_kept(model):
    run = Recorded(model)
    run.run(5)
    run.data.mocap_pos[0], run.data.qpos[0] = 7.0, 0.5
    assert not run.history.is_current(run.model, run.data)
    run.run(5)
    run.seek(5)
    assert run.data.qpos[0] == 0.5 and (run.data.mocap_pos[0] == 7.0).all()
    assert run.history.is_current(run.model, run.data)


def test_automatic_resets_are_in_the_history_and_counted_once(model):
    run = Recorded(model)
    run.run(10)
    run.data.qvel[0] = np.nan
    run.run(10)
    assert run.data.nreset == 1 and run.data.time == pytest.approx(10 * 0.002)
    warnings = run.data.warning.copy()
    for step in (3, 15, 10, 12):
        run.history.seek(run.model, run.data, step)
        assert run.history.time_of(step) == pytest.approx(run.data.time) or step == 10
    np.testing.assert_array_equal(run.data.warning, warnings)
    assert run.data.nreset == 1


def test_memory_has_a_limit_that_can_be_changed(model):
    run = Recorded(model, limit=20_000)
    run.run(300, 0.0)
    history = run.history
    assert 2 < len(history) < 300 and history.nbytes <= 20_000
    assert history.nbytes == sum(map(history._size, range(len(history))))
    assert run.seek(0) == history.first > 250
    run.seek(300)
    history.limit = 4_000
    assert history.nbytes <= 4_000 and history.first < 300
    history.limit = 0
    assert len(history) == 1 and run.seek(0) == 299


def test_equal_inputs_are_kept_once(model):
    run = Recorded(model)
    run.run(3, 0.0)
    run.data.ctrl[0] = 1.0
    run.run(3, 0.0)
    inputs = [keyframe.inputs for keyframe in run.history._keyframes]
    assert len({id(words) for words in inputs}) == 2
    assert run.history._keyframes[0].options is run.history._keyframes[-1].options


def test_times_for_a_timeline(model):
    run = Recorded(model)
    assert run.history.course.segments == () and run.history.first == 0
    run.run(10)
    run.model.opt.timestep = 0.01
    run.run(5)
    course = run.history.course
    assert len(course.segments) == 2
    for step, time in ((0, 0.0), (7, 0.014), (10, 0.02), (12, 0.04), (15, 0.07)):
        assert course.time(step) == pytest.approx(time) == course.elapsed(step)
        assert course.step_at(time) == step
        assert run.history.time_of(step) == pytest.approx(time)


def reset(run):
    kinetree.reset(run.model, run.data)
    run.history.append(run.model, run.data)
    run.states[run.history.position] = state(run.data)


def test_the_steps_before_a_reset_can_be_sought_and_resumed_from(model):
    run = Recorded(model)
    run.run(30)
    reset(run)
    run.run(20)
    course = run.history.course
    assert [(mark.step, mark.kind) for mark in course.marks if mark.kind == "reset"] == [(30, "reset")]
    assert course.time(40) == pytest.approx(0.02) and course.elapsed(40) == pytest.approx(0.08)
    assert {kind: list(found) for kind, found in course.moments.items() if kind != "contact"} == {
        "edit": [],
        "reset": [pytest.approx(0.06)],
    }
    assert all(np.all(np.diff(found) >= 0) for found in course.moments.values())
    for step in (50, 30, 29, 0, 41, 12):
        assert run.seek(step) == step
        assert run.history.time_of(step) == pytest.approx(run.data.time)
    reset(run)  # from the past: nothing recorded is lost
    run.run(5)
    assert run.history.last == 55 and run.seek(49) == 49
    run.seek(12)
    run.run(3)
    assert run.history.last == 15 and not any(mark.step > 15 for mark in run.history.course.marks)


def test_inputs_that_change_at_every_step_take_little_memory(model):
    driven, still = Recorded(model), Recorded(model)
    still.run(200)
    for k in range(200):
        driven.data.ctrl[0] = np.sin(k)
        driven.run(1)
    assert len(driven.history) < 6
    assert driven.history.nbytes < still.history.nbytes + 200 * 500
    for step in (200, 0, 150, 3, 199):
        driven.seek(step)
        if step < 200:
            assert driven.data.ctrl[0] == np.sin(step)
    driven.seek(100)
    driven.run(2)
    assert driven.data.ctrl[0] == np.sin(100) and driven.seek(101) == 101


def test_no_more_simulated_time_is_kept_than_the_limit(model):
    run = Recorded(model, seconds=0.1)
    run.run(300, 1e-3)
    assert 50 <= run.history.last - run.history.first <= 72
    run.seek(run.history.first)
    run.history.seconds = 0.02
    assert run.history.last - run.history.first <= 21


def test_a_mark_of_a_contact_leads_to_the_state_that_has_it_first(model):
    """Also where many steps were taken in one call."""
    alone, many = Recorded(model), Recorded(model)
    alone.run(160)
    exact = next(mark for mark in alone.history.course.marks if mark.kind == "contact")
    assert exact.since == exact.step
    while many.history.position < 160:
        many.history.before_step(many.model, many.data, 1e-5)
        kinetree.step(many.model, many.data, 40)
        many.history.after_step(many.data, 40)
    mark = many.history.course.mark_after(-1)
    assert mark.since < mark.step
    assert many.history.seek_mark(many.model, many.data, mark) == exact.step
    assert many.data.ncon > 0
    alone.seek(exact.step - 1)
    assert alone.data.ncon == 0 and state(many.data) == alone.states[exact.step]
    assert many.history.course.mark_before(mark.step + 1) == mark
    assert many.history.course.mark_before(mark.since) is None


def test_cleared_it_starts_again_with_another_model(model):
    run = Recorded(model)
    run.run(4)
    run.history.clear()
    assert (len(run.history), run.history.nbytes, run.history.last, run.history.behind) == (0, 0, 0, 0)
    assert run.history.seek(run.model, run.data, 3) == 0
    other = kinetree.load_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
    data = kinetree.Data(other)
    run.history.before_step(other, data)
    kinetree.step(other, data)
    run.history.after_step(data, 1)
    assert run.history.seek(other, data, 0) == 0 and data.time == 0


@settings(max_examples=25)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("run"), st.integers(1, 12)),
            st.tuples(st.just("seek"), st.integers(0, 80)),
            st.tuples(st.just("ctrl"), st.floats(-3, 3)),
            st.tuples(st.just("timestep"), st.sampled_from([0.001, 0.002, 0.003])),
            st.tuples(st.just("limit"), st.integers(3_000, 60_000)),
            st.tuples(st.just("reset"), st.none()),
            st.tuples(st.just("pose"), st.floats(-1, 1)),
        ),
        max_size=25,
    )
)
def test_whatever_is_done_a_sought_state_is_the_one_that_was(model, actions):
    run = Recorded(model)
    run.run(1)
    for what, value in actions:
        if what == "run":
            run.run(value, 1e-3)
        elif what == "seek":
            assert run.history.first <= run.seek(value) <= run.history.last
        elif what == "ctrl":
            run.data.ctrl[0] = value
        elif what == "timestep":
            run.model.opt.timestep = value
        elif what == "reset":
            reset(run)
        elif what == "pose":
            run.data.qpos[0] = value
        else:
            run.history.limit = value
        history, course = run.history, run.history.course
        assert history.nbytes <= history.limit or len(history) == 1
        assert history._bytes == sum(map(history._size, range(len(history))))
        assert [mark.step for mark in course.marks] == sorted(mark.step for mark in course.marks)
        elapsed = [course.elapsed(step) for step in range(history.first, history.last + 1)]
        assert elapsed == sorted(elapsed)

        assert run.history.nbytes <= run.history.limit or len(run.history) == 1


def test_a_copy_seeks_without_moving_the_original(model):
    recorded = Recorded(model)
    recorded.run(40)
    twin, own, data = recorded.history.copy(), model.with_own_options(), kinetree.Data(model)
    recorded.run(25)
    for step in (0, 13, 40):
        assert twin.seek(own, data, step) == step
        assert state(data) == recorded.states[step]
    assert twin.last == 40 and recorded.history.position == recorded.history.last == 65
    recorded.seek(50)
    assert twin.position == 40


def test_steps_at_equal_times(model):
    recorded = Recorded(model)
    recorded.run(100)
    recorded.model.opt.timestep = 0.004  # it was 0.002
    recorded.run(100)
    history = recorded.history
    assert history.steps_every(0.04, 0, 200) == [*range(0, 100, 20), *range(100, 201, 10)]
    assert history.steps_every(0.042, 85, 104) == [85, 103]
    assert history.steps_every(0.04, 150, 500) == [150, 160, 170, 180, 190, 200]
    assert history.steps_every(0.001, 0, 2) == [0, 0, 1, 2, 2]  # slow motion shows a step several times
    assert History().steps_every(0.1, 0, 10) == []
