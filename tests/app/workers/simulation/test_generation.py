"""Requests that name something by its number reach the model for which they were made, and no other one."""

import copy

import numpy as np
import pytest

import kinetree
from kinetree.app.workers.simulation import requests
from kinetree.engine.posing.aim import Aim
from kinetree.engine.run.perturb import Active, Perturb
from kinetree.engine.run.recorder import Recorder, prepare
from kinetree.engine.run.signals import Signal
from tests.app.conftest import wait_for
from tests.app.workers.simulation.test_thread import settle, simulation

TEXT = """
<mujoco>
  <worldbody>{first}<body name="b" pos="0 2 0"><joint name="y" type="slide"/><geom size=".1"/></body></worldbody>
  <actuator>{motor}<motor name="old" joint="y"/></actuator>
  <keyframe>{key}<key name="one" qpos="{zeros}1"/><key name="two" qpos="{zeros}2"/></keyframe>
</mujoco>"""
BODY = '<body name="a"><joint name="x" type="slide"/><geom size=".1"/></body>'


@pytest.fixture(scope="module")
def models():
    """A model, and its next version, with a body, an actuator and a keyframe more in front of the others."""
    old = kinetree.load_string(TEXT.format(first="", motor="", key="", zeros=""))
    new = TEXT.format(first=BODY, motor='<motor name="new" joint="x"/>', key='<key name="nil" qpos="5 5"/>', zeros="0 ")
    return old, kinetree.load_string(new)


@pytest.fixture
def paused(models):
    with simulation() as thread:
        thread.post(requests.Load(models[0], 1, keep=False, ready=True))
        yield thread


def perturb() -> Perturb:
    return Perturb(select=1, active=Active.TRANSLATE, refselpos=np.array([0.0, 0.0, 0.5]))


NUMBERED = {
    "keyframe": lambda g: requests.LoadKeyframe(0, generation=g),
    "control": lambda g: requests.SetControl(0, 0.5, generation=g),
    "values": lambda g: requests.SetValues("qpos", 0, [0.5], generation=g),
    "pose": lambda g: requests.SetPose([("qpos", 0, [0.5])], generation=g),
    "state": lambda g: requests.SetState({"qpos": 0.5, "ctrl": 0.5}, generation=g),
    "signals": lambda g: requests.SetSignals({0: Signal("sine", 0.5, 1.0, 1.0)}, generation=g),
    "drag": lambda g: requests.DragBody(1, Aim((0.0, 0.0, 0.5)), generation=g),
    "perturb": lambda g: requests.ApplyPerturb(perturb(), generation=g),
}


def state(snapshot):
    return snapshot.qpos.tolist(), snapshot.ctrl.tolist(), snapshot.poses, snapshot.time


@pytest.mark.parametrize("name", NUMBERED)
def test_what_was_made_for_the_model_before_is_dropped(paused, models, name):
    paused.post(requests.Load(models[1], 2, keep=True, ready=True))
    before = state(settle(paused))
    paused.post(NUMBERED[name](1))
    assert state(settle(paused)) == before
    paused.post(requests.StepRequest())
    assert settle(paused).ctrl.tolist() == [0, 0]
    assert paused.failures == []


@pytest.mark.parametrize("name", sorted(set(NUMBERED) - {"drag", "perturb"}))
def test_what_was_made_for_a_model_to_come_waits_for_it(paused, models, name):
    """The window shows another model before the thread has it: for that moment its numbers are not those of the
    thread."""
    before = state(settle(paused))
    paused.post(NUMBERED[name](2))
    assert state(settle(paused)) == before
    paused.post(requests.Load(models[1], 2, keep=True, ready=True))
    waited = settle(paused)
    paused.post(requests.StepRequest())
    stepped = settle(paused)
    with simulation() as other:  # the same, posted afterwards
        other.post(requests.Load(models[0], 1, keep=False, ready=True))
        other.post(requests.Load(models[1], 2, keep=True, ready=True))
        other.post(NUMBERED[name](2))
        expected = settle(other)
        other.post(requests.StepRequest())
        assert state(settle(other)) == state(stepped)
    assert state(waited) == state(expected)


@pytest.mark.parametrize("name", ["drag", "perturb"])
def test_a_body_that_is_drawn_is_one_of_its_model(paused, models, name):
    """Body 1 of the model before is another one: 2 in the next version."""
    before = state(settle(paused))
    paused.post(NUMBERED[name](2))
    assert state(settle(paused)) == before
    paused.post(requests.Load(models[1], 2, keep=True, ready=True))
    wait_for(lambda: np.allclose(settle(paused).qpos, [0.5, 0.0], atol=1e-3))


def test_the_number_of_a_keyframe_is_the_one_of_its_model(paused, models):
    paused.post(requests.LoadKeyframe(0, generation=2))  # "nil" of the next version, not "one"
    assert settle(paused).qpos.tolist() == [0]
    paused.post(requests.Load(models[1], 2, keep=True, ready=True))
    assert settle(paused).qpos.tolist() == [5, 5]


def test_what_waits_for_a_model_that_never_came_is_dropped(paused, models):
    paused.post(requests.LoadKeyframe(0, generation=2))
    paused.post(requests.Load(models[1], 3, keep=True, ready=True))
    assert settle(paused).qpos.tolist() == [0, 0]
    paused.post(requests.LoadKeyframe(0, generation=4))
    paused.post(requests.Unload())
    paused.post(requests.Load(models[1], 4, keep=False, ready=True))
    assert settle(paused).qpos.tolist() == [0, 0]


def test_one_request_that_fails_does_not_cost_the_others_that_wait(paused, models):
    paused.post(requests.LoadKeyframe("nowhere", generation=2))
    paused.post(requests.SetControl(0, 0.5, generation=2))
    paused.post(requests.Load(models[1], 2, keep=True, ready=True))
    wait_for(lambda: paused.failures)
    assert settle(paused).ctrl.tolist() == [0.5, 0]
    assert len(paused.failures) == 1 and "nowhere" in paused.failures[0]


def test_a_recorder_of_a_model_to_come_records_it_unless_it_is_stopped(paused, models):
    prepare()
    kept, stopped = (Recorder(models[1], ["qpos[1]"]) for _ in range(2))
    for recorder in (kept, stopped):
        paused.post(requests.Record(recorder, generation=2))
    paused.post(requests.StepRequest(3))
    paused.post(requests.StopRecording(stopped))
    paused.post(requests.Load(models[1], 2, keep=True, ready=True))
    paused.post(requests.StepRequest(2))
    settle(paused)
    assert kept.read().steps.tolist() == [4, 5] and not len(stopped.read().times)


def test_recorders_of_the_other_model_wait_with_the_comparison(paused, models):
    prepare()
    recorder = Recorder(models[0], ["qpos[0]"])
    paused.post(requests.Compare(models[0], generation=2))
    paused.post(requests.RecordOther(recorder, generation=2))
    paused.post(requests.Load(models[1], 2, keep=True, ready=True))
    paused.post(requests.StepRequest(2))
    settle(paused)
    assert len(recorder.read().times) == 2
    paused.post(requests.StopRecording(recorder))
    paused.post(requests.StepRequest(2))
    settle(paused)
    assert len(recorder.read().times) == 2


def test_letting_go_is_for_any_model(paused, models):
    held = perturb()
    paused.post(requests.Play())
    paused.post(requests.ApplyPerturb(copy.copy(held), generation=1))
    paused.post(requests.ReleasePerturb())
    settle(paused)
    wait_for(lambda: not paused.latest.xfrc_applied.any())


def test_of_seeks_that_wait_only_the_newest_is_done(paused):
    paused.post(requests.StepRequest(9))
    settle(paused)
    for step in (2, 5, 7):
        paused.post(requests.Seek(step))
    assert settle(paused).step == 7
