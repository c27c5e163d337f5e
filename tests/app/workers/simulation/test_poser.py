"""Posing in the simulation thread: limbs follow the mouse while paused, and poses are taken back."""

import copy
import time

import numpy as np
import pytest

import kinetree
from kinetree.app.workers.simulation import requests
from kinetree.engine.posing.aim import Aim
from kinetree.engine.run.perturb import Active, Perturb
from kinetree.engine.scene import drag
from kinetree.engine.scene.camera import default_free, view_of
from tests.app.conftest import wait_for
from tests.app.workers.simulation.test_thread import settle, simulation

TEXT = """
<mujoco>
  <worldbody>
    <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" range="-90 90"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      <body name="lower" pos=".5 0 0"><joint name="elbow" axis="0 1 0" range="-120 120"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/></body></body>
    <body name="fixed" pos="0 3 0"><geom size=".1"/></body>
    <body name="box" pos="0 1 1"><freejoint/><geom size=".1"/></body>
    <body name="cargo" pos="0 -1 1"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <equality><connect body1="cargo" anchor="0 0 .5"/></equality>
</mujoco>"""


@pytest.fixture(scope="module")
def model():
    found = kinetree.load_string(TEXT)
    kinetree.forward(found, kinetree.Data(found))
    return found


@pytest.fixture
def paused(model):
    with simulation() as thread:
        thread.post(requests.Load(model, 1, keep=False, ready=True))
        yield thread
        assert thread.failures == []


def grab(thread, name: str, localpos, active=Active.TRANSLATE) -> Perturb:
    """A Perturb that holds a point of a body."""
    snapshot = settle(thread)
    perturb = Perturb(select=kinetree.name2id(snapshot.model, "body", name), localpos=np.array(localpos, float))
    drag.begin(
        perturb, active, snapshot.model, snapshot, view_of(default_free(snapshot.model), snapshot.model, snapshot, 1)
    )
    return perturb


def pull_to(thread, perturb: Perturb, to) -> None:
    perturb.refselpos = np.array(to, float)
    thread.post(requests.ApplyPerturb(copy.copy(perturb), generation=1))


def test_a_limb_follows_the_mouse_while_paused(paused):
    perturb = grab(paused, "lower", (0.4, 0.0, 0.0))
    pull_to(paused, perturb, (0.5, 0.0, 1.4))
    snapshot = wait_for(lambda: (s := settle(paused)) and np.linalg.norm(perturb.point(s) - (0.5, 0, 1.4)) < 1e-6 and s)
    assert not snapshot.xfrc_applied.any() and not snapshot.qvel.any()
    assert snapshot.time == 0 and snapshot.poses == (1, 0)
    pull_to(paused, perturb, (0.6, 0.0, 0.7))
    wait_for(lambda: np.linalg.norm(perturb.point(settle(paused)) - (0.6, 0, 0.7)) < 1e-6)
    assert settle(paused).poses == (1, 0)  # one drag


def test_a_limb_gets_there_however_soon_the_mouse_lets_go(paused):
    perturb = grab(paused, "lower", (0.4, 0.0, 0.0))
    pull_to(paused, perturb, (0.5, 0.0, 1.4))
    paused.post(requests.ReleasePerturb())
    wait_for(lambda: np.linalg.norm(perturb.point(settle(paused)) - (0.5, 0, 1.4)) < 1e-6)
    assert settle(paused).poses == (1, 0)
    lower = kinetree.name2id(settle(paused).model, "body", "lower")
    paused.post(requests.DragBody(lower, Aim((0.4, 0.0, 1.3)), generation=1))
    paused.post(requests.EndDrag())
    wait_for(lambda: np.linalg.norm(settle(paused).xpos[lower] - (0.4, 0, 1.3)) < 1e-6)
    paused.post(requests.DragBody(lower, Aim((0.3, 0.0, 1.2)), generation=1))
    paused.post(requests.CancelDrag())
    before = settle(paused).qpos.copy()
    assert np.linalg.norm(settle(paused).xpos[lower] - (0.4, 0, 1.3)) < 1e-6
    np.testing.assert_array_equal(settle(paused).qpos, before)


def test_a_limb_that_cannot_come_says_which_joint_holds_it_back(paused):
    perturb = grab(paused, "upper", (0.5, 0.0, 0.0))
    pull_to(paused, perturb, (-0.5, 0.0, 1.1))
    snapshot = wait_for(lambda: (s := settle(paused)) and s.at_limit and s)
    assert snapshot.at_limit == (0,)
    paused.post(requests.ReleasePerturb())
    assert settle(paused).at_limit == ()


def test_what_nothing_moves_stays(paused):
    perturb = grab(paused, "fixed", (0, 0, 0))
    pull_to(paused, perturb, (0, 2, 2))
    before = settle(paused).xpos.copy()
    time.sleep(0.05)
    np.testing.assert_array_equal(settle(paused).xpos, before)


def test_a_body_that_an_equality_holds_swings_about_it(paused):
    perturb = grab(paused, "cargo", (0, 0, 0))
    pull_to(paused, perturb, (0.6, -1.0, 1.5))
    pivot = np.array([0.0, -1.0, 1.5])
    snapshot = wait_for(lambda: (s := settle(paused)) and abs(s.xpos[perturb.select, 0] - 0.5) < 1e-3 and s)
    assert np.linalg.norm(snapshot.xpos[perturb.select] - pivot) == pytest.approx(0.5, abs=1e-6)


def test_poses_are_taken_back_until_the_simulation_goes_on(paused):
    start = settle(paused).qpos.copy()
    box = int(kinetree.name2id(settle(paused).model, "body", "box"))
    paused.post(requests.SetValues("qpos", 0, [0.3], generation=1))
    for height in (1.5, 2.0):
        perturb = grab(paused, "box", (0, 0, 0))
        perturb.refpos = np.array([0.0, 1.0, height])
        paused.post(requests.ApplyPerturb(copy.copy(perturb), generation=1))
        paused.post(requests.ReleasePerturb())
        assert settle(paused).xpos[box, 2] == pytest.approx(height)
    snapshot = settle(paused)
    assert snapshot.poses == (3, 0)
    paused.post(requests.UndoPose())
    assert settle(paused).xpos[box, 2] == pytest.approx(1.5)
    paused.post(requests.UndoPose())
    paused.post(requests.UndoPose())
    paused.post(requests.UndoPose())
    snapshot = settle(paused)
    np.testing.assert_array_equal(snapshot.qpos, start)
    assert snapshot.poses == (0, 3)
    paused.post(requests.RedoPose())
    snapshot = settle(paused)
    assert snapshot.qpos[0] == 0.3 and snapshot.poses == (1, 2)
    paused.post(requests.StepRequest())
    assert settle(paused).poses == (0, 0)


def test_a_pose_of_handles_and_the_end_of_its_drag(paused):
    body = kinetree.name2id(settle(paused).model, "body", "lower")
    turned = (np.cos(0.4), 0.0, np.sin(0.4), 0.0)
    paused.post(requests.DragBody(body, Aim(quat=turned), generation=1))
    paused.post(requests.DragBody(body, Aim(quat=turned), generation=9))  # of another model
    wait_for(lambda: abs(settle(paused).xquat[body] @ turned) > 1 - 1e-12)
    paused.post(requests.EndDrag())
    paused.post(requests.Play())
    paused.post(requests.DragBody(body, Aim(quat=(1, 0, 0, 0)), generation=1))  # running bodies are pulled, not posed
    wait_for(lambda: settle(paused).time > 0.01)
