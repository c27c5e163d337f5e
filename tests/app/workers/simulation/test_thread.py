"""The simulation thread on its own: commands in, immutable snapshots out."""

import contextlib
import copy
import math
import time

import numpy as np
import pytest

import kinetree
from kinetree.app.workers.simulation import requests
from kinetree.app.workers.simulation.thread import SimulationThread
from kinetree.engine.run.noise import Noise
from kinetree.engine.run.perturb import Active, Perturb
from kinetree.engine.run.recorder import Recorder, prepare
from kinetree.engine.run.signals import ControlSeries, Signal
from kinetree.engine.run.until import read
from kinetree.engine.scene import drag
from kinetree.engine.scene.camera import default_free, view_of
from tests.app.conftest import MODEL, wait_for
from tests.patience import LIMIT

WEIGHT = '<worldbody><body name="weight" pos="5 5 9"><freejoint/><geom size=".1"/></body>'
HEAVIER = MODEL.replace("<worldbody>", WEIGHT).replace('qpos="-1', 'qpos="5 5 9 1 0 0 0 -1')


@contextlib.contextmanager
def simulation():
    failures = []
    thread = SimulationThread(lambda: None, lambda message, details: failures.append(message))
    thread.failures = failures
    thread.start()
    try:
        yield thread
    finally:
        thread.stop()
        thread.join(LIMIT)
        assert not thread.is_alive()


def settle(thread, condition=lambda s: True):
    """The first snapshot made after everything that was asked for, that meets the condition."""
    done = []
    thread.post(requests.Ask(lambda model, data: done.append(True)))
    wait_for(lambda: done)
    serial = thread.latest.serial if thread.latest else 0
    thread.post(requests.Publish())
    return wait_for(lambda: (s := thread.take()) and s.serial > serial and condition(s) and s)


@pytest.fixture
def paused(rig):
    with simulation() as thread:
        thread.post(requests.Load(rig.copy(), 1, keep=False, ready=True))
        yield thread
        assert thread.failures == []


def test_a_loaded_model_stands_still_and_is_computed(paused):
    snapshot = settle(paused)
    assert snapshot.time == 0 and not snapshot.running and snapshot.ready
    box = kinetree.name2id(snapshot.model, "body", "box")
    np.testing.assert_allclose(snapshot.xpos[box], [0, 1, 0.5])


def test_play_follows_the_clock_and_pause_stops(paused):
    before, start = settle(paused).time, time.perf_counter()
    paused.post(requests.Play())
    wait_for(lambda: paused.latest.time > before + 0.5)
    paused.post(requests.Pause())
    snapshot = settle(paused, lambda s: not s.running)
    elapsed = time.perf_counter() - start
    assert snapshot.time - before <= elapsed + 0.1
    again = settle(paused)
    assert again.time == snapshot.time


def test_idle_costs_nothing(paused):
    settle(paused)
    before, start = paused.latest.serial, time.process_time()
    time.sleep(0.5)
    assert time.process_time() - start < 0.1
    assert paused.latest.serial == before


def test_steps_go_one_by_one_and_back(paused):
    step = settle(paused).model.opt.timestep
    paused.post(requests.StepRequest(3))
    assert settle(paused).time == pytest.approx(3 * step)
    paused.post(requests.StepBack())
    snapshot = settle(paused)
    assert snapshot.time == pytest.approx(2 * step) and snapshot.behind == 1
    paused.post(requests.StepRequest())
    snapshot = settle(paused)
    assert snapshot.time == pytest.approx(3 * step) and snapshot.behind == 0
    for _ in range(10):
        paused.post(requests.StepBack())
    assert settle(paused).time == 0


def test_reset_and_keyframes(paused):
    paused.post(requests.StepRequest(5))
    paused.post(requests.LoadKeyframe("up", generation=1))
    snapshot = settle(paused)
    assert snapshot.qpos[0] == -1 and snapshot.time == 0
    paused.post(requests.Reset())
    np.testing.assert_array_equal(settle(paused).qpos, snapshot.model.qpos0)


def test_a_keyframe_that_does_not_exist_is_told(rig):
    with simulation() as thread:
        thread.post(requests.Load(rig.copy(), 1, keep=False, ready=True))
        thread.post(requests.LoadKeyframe("nowhere", generation=1))
        wait_for(lambda: thread.failures)
        assert "nowhere" in thread.failures[0]
        assert settle(thread).time == 0  # the thread lives


def test_controls_and_coordinates(paused):
    paused.post(requests.SetControl(0, 1.5, generation=1))
    paused.post(requests.SetControl(0, 9.0, generation=7))  # for another model: dropped
    paused.post(requests.SetValues("qpos", 0, [0.25], generation=1))
    snapshot = settle(paused)
    assert snapshot.ctrl[0] == 1.5 and snapshot.qpos[0] == 0.25 and snapshot.qvel[0] == 0
    assert snapshot.actuator_force[0] == 1.5
    paused.post(requests.ClearControls())
    assert settle(paused).ctrl[0] == 0


def test_the_speed_is_kept_and_the_rate_measured(paused):
    paused.post(requests.SetSpeed(0.25))
    paused.post(requests.Play())
    wait_for(lambda: paused.latest and paused.latest.rate)
    begin = paused.latest.time
    wait_for(lambda: paused.latest.time > begin + 0.2)
    snapshot = settle(paused)
    assert snapshot.speed == 0.25 and snapshot.rate <= 0.25 * 1.2
    paused.post(requests.SetSpeed(math.inf))
    wait_for(lambda: (s := paused.latest) and s.rate and s.rate > 1)


def test_what_is_heavier_than_real_time_is_told_and_commands_still_come_through(rig):
    model = rig.copy()
    model.opt.timestep = 1e-7
    with simulation() as thread:
        thread.post(requests.Load(model, 1, keep=False, ready=True))
        thread.post(requests.Play())
        wait_for(lambda: (s := thread.latest) and s.overloaded)
        thread.post(requests.Pause())
        settle(thread, lambda s: not s.running)
        assert thread.failures == []


def grab(thread, body, active=Active.TRANSLATE):
    """A Perturb that holds a body, and the view it is held in."""
    snapshot = settle(thread)
    perturb = Perturb()
    perturb.select = kinetree.name2id(snapshot.model, "body", body)
    view = view_of(default_free(snapshot.model), snapshot.model, snapshot, 1.5)
    drag.begin(perturb, active, snapshot.model, snapshot, view)
    return perturb, snapshot


def test_a_mocap_body_is_posed_while_paused_and_while_running(paused):
    perturb, _ = grab(paused, "target")
    perturb.refpos = np.array([0.5, 0.25, 1.0])
    paused.post(requests.ApplyPerturb(copy.copy(perturb), generation=1))
    snapshot = settle(paused)
    np.testing.assert_allclose(snapshot.mocap_pos[0], [0.5, 0.25, 1.0])
    np.testing.assert_allclose(snapshot.xpos[perturb.select], [0.5, 0.25, 1.0])
    paused.post(requests.Play())
    perturb.refpos = np.array([0.0, 0.0, 2.0])
    paused.post(requests.ApplyPerturb(copy.copy(perturb), generation=1))
    wait_for(lambda: np.allclose(paused.latest.xpos[perturb.select], [0, 0, 2.0]))
    paused.post(requests.ReleasePerturb())
    begin = settle(paused).time
    wait_for(lambda: paused.latest.time > begin + 0.05)
    np.testing.assert_allclose(settle(paused).mocap_pos[0], [0, 0, 2.0])


def test_a_free_body_is_posed_while_paused(paused):
    perturb, _ = grab(paused, "box")
    perturb.refpos = np.array([0.0, 1.0, 1.5])
    paused.post(requests.ApplyPerturb(copy.copy(perturb), generation=1))
    snapshot = settle(paused, lambda s: np.allclose(s.qpos[1:4], [0.0, 1.0, 1.5], atol=1e-6))
    assert not snapshot.xfrc_applied.any()


@pytest.mark.parametrize("minds", [True, False])
def test_a_free_body_that_is_posed_stays_on_what_it_touches_if_contacts_count(paused, minds):
    paused.post(requests.SetContactsBlockPoses(minds))
    perturb, before = grab(paused, "box")
    below = before.xpos[perturb.select].copy()
    below[2] = -1.0
    perturb.refpos = below
    paused.post(requests.ApplyPerturb(copy.copy(perturb), generation=1))
    if minds:
        still = settle(paused, lambda s: abs(s.xpos[perturb.select, 2] - 0.2) < 1e-3)
        assert still.ncon > 0
    else:
        settle(paused, lambda s: abs(s.xpos[perturb.select, 2] + 1.0) < 1e-6)


def test_a_body_is_pulled_while_running_and_let_go(paused):
    paused.post(requests.Play())
    perturb, _ = grab(paused, "box")
    perturb.refselpos = perturb.refselpos + np.array([0.0, 0.0, 1.0])
    paused.post(requests.ApplyPerturb(copy.copy(perturb), generation=1))
    wait_for(lambda: paused.latest.xfrc_applied[perturb.select, 2] > 0)
    wait_for(lambda: paused.latest.xpos[perturb.select, 2] > 0.8)
    paused.post(requests.ReleasePerturb())
    wait_for(lambda: not paused.latest.xfrc_applied.any())


def test_another_model_goes_on_from_the_state(paused):
    paused.post(requests.StepRequest(20))
    before = settle(paused)
    paused.post(requests.SetControl(0, 0.5, generation=1))
    model = kinetree.load_string(MODEL.replace('damping=".1"', 'damping=".3"'))
    paused.post(requests.Load(model, 2, keep=True, ready=True))
    snapshot = settle(paused)
    assert snapshot.model is model and snapshot.generation == 2
    assert snapshot.time == pytest.approx(before.time)
    np.testing.assert_allclose(snapshot.qpos, before.qpos)
    assert snapshot.ctrl[0] == 0.5
    assert (snapshot.first, snapshot.step, snapshot.last) == (0, 20, 20)  # the history goes on
    paused.post(requests.Seek(5))
    assert settle(paused).time == pytest.approx(before.time / 4)
    paused.post(requests.StepRequest())
    assert settle(paused).behind == 14
    paused.post(requests.Load(model, 3, keep=False, ready=True))
    snapshot = settle(paused)
    assert (snapshot.time, snapshot.first, snapshot.step, snapshot.last) == (0, 0, 0, 0)


@pytest.mark.parametrize("text", [MODEL.replace('damping=".1"', 'damping=".3"'), HEAVIER])
def test_recorders_go_on_with_the_next_version(paused, text):
    model = settle(paused).model
    prepare()
    recorder = Recorder(model, ["qpos[0]", "sum(qvel)"])
    paused.post(requests.Record(recorder, generation=1))
    paused.post(requests.StepRequest(3))
    paused.post(requests.Load(kinetree.load_string(text), 2, keep=True, ready=True))
    paused.post(requests.SetValues("qpos", 0 if "weight" not in text else 7, [0.7], generation=2))
    paused.post(requests.StepRequest(3))
    settle(paused)
    chunk = recorder.read()
    assert chunk.steps.tolist() == [1, 2, 3, 4, 5, 6]
    np.testing.assert_allclose(chunk.values[3:, 0], 0.7, atol=0.05)
    assert np.isfinite(chunk.values).all()


def test_before_the_kernels_are_ready_only_the_pose_is_shown(rig):
    with simulation() as thread:
        model = rig.copy()
        thread.post(requests.Load(model, 4, keep=False, ready=False))
        thread.post(requests.Play())
        snapshot = settle(thread)
        assert not snapshot.ready and snapshot.running and snapshot.time == 0
        np.testing.assert_allclose(snapshot.xpos[kinetree.name2id(model, "body", "box")], [0, 1, 0.5])
        thread.post(requests.SetValues("qpos", 0, [0.5], generation=4))
        turned = settle(thread)
        assert turned.geom_xpos[kinetree.name2id(model, "geom", "rod"), 2] < 1.0
        thread.post(requests.MakeReady(generation=3))  # of an older model
        assert not settle(thread).ready
        thread.post(requests.MakeReady(generation=4))
        wait_for(lambda: thread.latest.ready and thread.latest.time > 0)
        assert thread.failures == []


def test_a_diverging_model_does_not_end_the_thread(rig):
    model = rig.copy()
    with simulation() as thread:
        thread.post(requests.Load(model, 1, keep=False, ready=True))
        thread.post(requests.SetValues("qpos", 0, [math.nan], generation=1))
        thread.post(requests.Play())
        snapshot = wait_for(lambda: (s := thread.latest) and s.time > 0 and s)
        assert np.isfinite(wait_for(lambda: (s := thread.latest) and s.serial > snapshot.serial and s).qpos).all()


def test_options_belong_to_the_simulation_and_not_to_the_model(paused):
    model = settle(paused).model
    paused.post(requests.SetOption("timestep", 0.01))
    paused.post(requests.SetOption("gravity", [0, 0, 0]))
    paused.post(requests.StepRequest(3))
    snapshot = settle(paused)
    assert snapshot.time == pytest.approx(0.03)
    assert snapshot.opt.timestep == 0.01 and not snapshot.opt.gravity.any()
    assert snapshot.model is model and model.opt.timestep != 0.01 and model.opt.gravity[2] == -9.81
    paused.post(requests.StepBack(3))
    paused.post(requests.SetOption("timestep", 0.005))
    paused.post(requests.StepRequest())
    assert settle(paused).time == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("name", "value"),
    [("timestep", 0), ("timestep", math.nan), ("gravity", [0, math.inf, 0]), ("nothing", 1)],
)
def test_an_option_that_cannot_be_is_refused_and_the_simulation_goes_on(rig, name, value):
    with simulation() as thread:
        thread.post(requests.Load(rig.copy(), 1, keep=False, ready=True))
        before = settle(thread).opt
        thread.post(requests.SetOption(name, value))
        wait_for(lambda: thread.failures)
        assert name in thread.failures[0]
        thread.post(requests.StepRequest(2))
        after = settle(thread)
        assert after.step == 2 and after.opt.timestep == before.timestep
        np.testing.assert_array_equal(after.opt.gravity, before.gravity)


def test_options_changed_while_running_outlive_a_reload_unless_the_text_changes_them(paused):
    paused.post(requests.SetOption("timestep", 0.01))
    paused.post(requests.SetOption("gravity", [0, 0, -3]))
    text = MODEL.replace("<worldbody>", '<option gravity="0 0 -1"/><worldbody>', 1)
    assert text != MODEL
    paused.post(requests.Load(kinetree.load_string(text), 2, keep=True, ready=True))
    opt = settle(paused).opt
    assert opt.timestep == 0.01 and opt.gravity[2] == -1
    paused.post(requests.Load(kinetree.load_string(text), 3, keep=False, ready=True))
    assert settle(paused).opt.timestep != 0.01


def test_any_step_can_be_sought_and_resumed_from(paused):
    paused.post(requests.StepRequest(10))
    paused.post(requests.SetControl(0, 1.0, generation=1))
    paused.post(requests.StepRequest(10))
    end = settle(paused)
    assert (end.first, end.step, end.last, end.behind) == (0, 20, 20, 0)
    paused.post(requests.Seek(5))
    middle = settle(paused)
    assert (middle.step, middle.last, middle.behind) == (5, 20, 15) and middle.ctrl[0] == 0
    paused.post(requests.StepRequest(15))
    again = settle(paused)
    assert again.step == 20 and again.qpos.tobytes() == end.qpos.tobytes() and again.ctrl[0] == 1
    paused.post(requests.Seek(5))
    settle(paused)
    paused.post(requests.Play())
    wait_for(lambda: paused.latest.time > middle.time + 0.02)
    paused.post(requests.Pause())
    resumed = settle(paused, lambda s: not s.running)
    assert resumed.last == resumed.step > 5 and resumed.ctrl[0] == 0


def test_what_was_posed_by_hand_can_be_gone_back_to(paused):
    paused.post(requests.StepRequest(4))
    paused.post(requests.SetValues("qpos", 0, [0.7], generation=1))
    paused.post(requests.StepBack())
    assert settle(paused).step == 3
    paused.post(requests.StepRequest())
    assert settle(paused).qpos[0] == 0.7


def test_the_history_has_the_limit_that_is_set(paused):
    paused.post(requests.SetHistoryLimit(1))
    paused.post(requests.StepRequest(50))
    assert settle(paused).first > 40
    paused.post(requests.Load(settle(paused).model, 2, keep=False, ready=True))
    paused.post(requests.StepRequest(50))
    assert settle(paused).first > 40


def test_every_step_is_recorded(paused):
    model = settle(paused).model
    prepare()
    recorder = Recorder(model, ["qpos[0]", "ctrl[0]"])
    late = Recorder(model, ["time"])
    paused.post(requests.Record(recorder, generation=1))
    paused.post(requests.Record(late, generation=9))  # for another model: dropped
    paused.post(requests.Play())
    wait_for(lambda: len(recorder.read().times) > 100)
    paused.post(requests.Pause())
    snapshot = settle(paused, lambda s: not s.running)
    chunk = recorder.read()
    np.testing.assert_array_equal(chunk.steps, np.arange(1, snapshot.step + 1))
    assert chunk.times[-1] == snapshot.time and chunk.values[-1, 0] == snapshot.qpos[0]
    paused.post(requests.StepBack(10))
    paused.post(requests.SetControl(0, 1.0, generation=1))
    paused.post(requests.StepRequest())
    settle(paused)
    after = recorder.read(chunk.next)
    assert after.steps.tolist() == [snapshot.step - 9] and after.values[0, 1] == 1
    paused.post(requests.StopRecording(recorder))
    paused.post(requests.StepRequest())
    settle(paused)
    assert len(recorder.read(after.next).times) == 0 == len(late.read().times)


def test_the_model_that_was_loaded_is_never_changed(paused):
    """Other threads use it too."""
    model = settle(paused).model

    def content():
        return b"".join(array.tobytes() for _, array in [*model._arrays.items(), *model._cells.items()])

    before = content()
    paused.post(requests.SetOption("timestep", 0.004))
    paused.post(requests.SetOption("disableflags", 1))
    paused.post(requests.SetOption("wind", [1, 2, 3]))
    paused.post(requests.StepRequest(5))
    paused.post(requests.Seek(2))
    paused.post(requests.SetValues("qpos", 0, [0.3], generation=1))
    paused.post(requests.SetControl(0, 0.3, generation=1))
    paused.post(requests.LoadKeyframe("up", generation=1))
    paused.post(requests.Play())
    wait_for(lambda: paused.latest.time > 0.1)
    paused.post(requests.Load(kinetree.load_string(MODEL), 2, keep=True, ready=True))
    settle(paused)
    assert content() == before


# ---- signals and series ------------------------------------------------------------------------------------


def test_signals_drive_controls_at_every_step_and_again_after_a_step_back(paused):
    signal = Signal("noise", 0.2, 0.5, frequency=333.0, seed=5)
    recorder = Recorder(settle(paused).model, ["ctrl[0]", "qpos[0]"])
    paused.post(requests.Record(recorder, generation=1))
    paused.post(requests.SetSignals({0: signal}, generation=1))
    paused.post(requests.StepRequest(20))
    last = wait_for(lambda: paused.latest.steps == 20 and paused.latest)
    first = recorder.read()
    assert first.values[:, 0].tolist() == [signal.value(float(t)) for t in [0.0, *first.times[:-1]]]
    paused.post(requests.StepBack(10))
    wait_for(lambda: paused.latest.behind == 10)
    paused.post(requests.Play())
    wait_for(lambda: paused.latest.step > 25)
    paused.post(requests.Pause())
    wait_for(lambda: not paused.latest.running)
    again = recorder.read(first.next)
    assert np.array_equal(again.values[:10], first.values[10:20])
    paused.post(requests.SetControl(0, 1.25, generation=1))
    paused.post(requests.StepRequest(1))
    assert wait_for(lambda: paused.latest.ctrl[0] == 1.25) and last.ctrl[0] == first.values[-1, 0]


def test_what_is_played_back_moves_as_what_was_recorded(paused):
    recorder = Recorder(settle(paused).model, ["ctrl[0]", "qpos[0]"])
    paused.post(requests.Record(recorder, generation=1))
    paused.post(requests.SetSignals({0: Signal("chirp", 0.0, 2.0, 1.0)}, generation=1))
    paused.post(requests.StepRequest(30))
    wait_for(lambda: paused.latest.steps == 30)
    made = recorder.read()
    paused.post(requests.SetSignals({0: None}, generation=1))
    paused.post(requests.Reset())
    begins = np.concatenate([[0.0], made.times[:-1]])
    paused.post(requests.PlaySeries(ControlSeries(begins, made.values[:, :1], ["motor"]), False, generation=1))
    paused.post(requests.StepRequest(30))
    wait_for(lambda: paused.latest.steps == 60)
    assert np.array_equal(recorder.read(made.next).values, made.values)


def test_what_was_before_a_reset_can_be_gone_back_to(paused):
    paused.post(requests.StepRequest(8))
    before = settle(paused)
    paused.post(requests.LoadKeyframe("up", generation=1))
    paused.post(requests.StepRequest(4))
    after = settle(paused)
    assert (after.first, after.last) == (0, 12) and after.time == pytest.approx(4 * after.opt.timestep)
    assert [mark.step for mark in after.course.marks if mark.kind == "reset"] == [8]
    for step in (3, 5, 7):
        paused.post(requests.Seek(step))  # of seeks that come faster than they are done, the last one counts
    sought = settle(paused)
    assert sought.step == 7 and sought.behind == 5 and sought.time == pytest.approx(before.time - before.opt.timestep)
    paused.post(requests.Reset())  # from the past
    assert settle(paused).last == 12 and settle(paused).behind == 0


# ---- runs that stop, noise ----------------------------------------------------------------------------------


@pytest.mark.parametrize("noisy", [False, True])
def test_a_run_stops_at_the_very_step(paused, noisy):
    model = settle(paused).model
    if noisy:
        paused.post(requests.SetNoise(Noise(0.3, 0.05, 4)))
    paused.post(requests.SetSpeed(math.inf))
    paused.post(requests.RunUntil(read(model, "0.4 s"), generation=1))
    stopped = settle(paused, lambda s: not s.running)
    assert stopped.step == round(0.4 / stopped.opt.timestep) and stopped.until == ""
    assert stopped.said[0] == 1 and "0.4 s" in stopped.said[1]
    seen = Recorder(model, ["qvel[0]"])
    prepare()
    paused.post(requests.Record(seen, generation=1))
    paused.post(requests.Seek(0))
    paused.post(requests.StepRequest(stopped.step))  # through what is known
    paused.post(requests.Reset())
    paused.post(requests.StepRequest(400))
    settle(paused)
    speeds = seen.read()
    limit = float(np.sort(np.abs(speeds.values[:, 0]))[-40])
    first = next(k for k in range(1, 400) if abs(speeds.values[k, 0]) > limit and abs(speeds.values[k - 1, 0]) <= limit)
    paused.post(requests.Reset())
    paused.post(requests.RunUntil(read(model, f"abs(qvel[0]) > {limit!r}"), generation=1))
    again = settle(paused, lambda s: not s.running)
    assert again.time == speeds.times[first] and again.qvel[0] == speeds.values[first, 0]


def test_a_run_that_is_to_stop_outlives_a_pause_and_an_edit(paused):
    model = settle(paused).model
    paused.post(requests.RunUntil(read(model, "qpos[0] > 1e9"), generation=1))
    paused.post(requests.Pause())
    assert settle(paused, lambda s: not s.running).until == "qpos[0] > 1e9"
    paused.post(requests.Load(kinetree.load_string(MODEL.replace("0.5", "0.6")), 2, keep=True, ready=True))
    assert settle(paused).until == "qpos[0] > 1e9"
    paused.post(requests.RunUntil(None, generation=2))
    assert settle(paused).until == ""


def test_noise_is_the_same_after_a_step_back(paused):
    recorder = Recorder(settle(paused).model, ["ctrl[0]", "qpos[0]"])
    prepare()
    paused.post(requests.Record(recorder, generation=1))
    paused.post(requests.SetNoise(Noise(0.5, 0.1, 2)))
    paused.post(requests.StepRequest(60))
    settle(paused)
    first = recorder.read()
    assert len(np.unique(first.values[:, 0])) > 50
    paused.post(requests.StepBack(25))
    settle(paused)
    paused.post(requests.Play())
    wait_for(lambda: paused.latest.step > 65)
    paused.post(requests.Pause())
    settle(paused, lambda s: not s.running)
    again = recorder.read(first.next)
    assert np.array_equal(again.values[:25], first.values[35:])


# ---- failures ----------------------------------------------------------------------------------------------

BALL = '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'


def started():
    """(thread, failures) with a model that runs with two threads for a step."""
    failures: list[str] = []
    thread = SimulationThread(lambda: None, lambda message, _details: failures.append(message))
    thread.start()
    thread.post(requests.SetThreads(2))
    thread.post(requests.Load(kinetree.load_string(BALL), 1, keep=False, ready=True))
    thread.post(requests.Play())
    wait_for(lambda: thread.latest is not None and thread.latest.time > 0.01)
    return thread, failures


def test_a_failure_while_the_program_ends_is_not_told():
    """The program may end while a step waits: its pool of threads is closed by then."""
    thread, failures = started()
    core = thread._core
    assert core.threads is not None

    def end(_model, _data) -> None:
        thread.stop()
        core.threads.close()
        core.compute(core.loaded)

    thread.post(requests.Ask(end))
    thread.join(LIMIT)
    assert not thread.is_alive() and failures == []


def test_a_failure_is_told_and_the_thread_goes_on():
    thread, failures = started()
    thread.post(requests.Ask(lambda _model, _data: 1 / 0))
    wait_for(lambda: failures)
    assert failures == ["ZeroDivisionError: division by zero"]
    thread.post(requests.Play())
    before = thread.latest.time
    wait_for(lambda: thread.latest.time > before)
    thread.stop()
    thread.join(LIMIT)
    assert not thread.is_alive()
