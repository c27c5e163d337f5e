"""Recorded motions are saved, and shown in place of the simulation."""

import contextlib
import math

import numpy as np
import pytest

import kinetree
from kinetree.app.workers.simulation import requests
from kinetree.app.workers.simulation.thread import SimulationThread
from kinetree.engine.posing.aim import Aim
from kinetree.engine.run.capture import Capture
from kinetree.engine.run.expression import parse
from kinetree.engine.run.motion import Motion
from kinetree.engine.run.noise import Noise
from kinetree.engine.run.perturb import Active, Perturb
from kinetree.engine.run.playback import Playback
from kinetree.engine.run.until import read
from tests.app.conftest import MODEL, wait_for
from tests.app.workers.simulation.test_thread import settle
from tests.patience import LIMIT


@contextlib.contextmanager
def simulation():
    failures = []
    thread = SimulationThread(lambda: None, lambda message, details: failures.append(message))
    thread.start()
    try:
        yield thread
    finally:
        thread.stop()
        thread.join(LIMIT)
        assert not thread.is_alive() and not failures


@pytest.fixture
def paused(rig):
    with simulation() as thread:
        thread.post(requests.Load(rig.copy(), 1, keep=False, ready=True))
        yield thread


def replay(thread):
    found = []
    thread.post(requests.TakeReplay(found.append))
    wait_for(lambda: found)
    return found[0]


def test_what_the_history_keeps_is_a_motion(paused):
    paused.post(requests.StepRequest(50))
    end = settle(paused)
    motion = replay(paused).motion()
    assert len(motion.times) == 51 and motion.times[-1] == end.time
    places = motion.places(end.model)
    indices, columns = places.fields["qpos"]
    assert motion.values[-1, columns].tolist() == end.qpos[indices].tolist()


def test_a_motion_is_shown_scrubbed_and_left_again(paused):
    paused.post(requests.StepRequest(40))
    before = settle(paused)
    playback = Playback(replay(paused).motion(), before.model, "walk.npz")
    paused.post(requests.SetValues("qpos", 0, [0.6], generation=1))
    paused.post(requests.PlayMotion(playback, generation=1))
    paused.post(requests.Pause())
    paused.post(requests.Seek(10))
    shown = settle(paused)
    assert (shown.motion, shown.first, shown.step, shown.last) == ("walk.npz", 0, 10, 40)
    assert shown.course.time(10) == pytest.approx(shown.time)
    paused.post(requests.StepRequest(3))
    paused.post(requests.StepBack(1))
    assert settle(paused).step == 12
    paused.post(requests.SetSpeed(math.inf))
    paused.post(requests.Play())
    over = settle(paused, lambda s: not s.running and s.said[0])
    assert over.step == 40 and over.said[1] == "walk.npz has ended"
    assert over.qpos.tobytes() == before.qpos.tobytes()
    paused.post(requests.EndMotion(goes_on=False))
    back = settle(paused)
    assert back.motion == "" and (back.step, back.last) == (40, 40) and back.qpos[0] == 0.6


def test_the_simulation_goes_on_from_a_motion(paused):
    paused.post(requests.StepRequest(20))
    model = settle(paused).model
    motion = replay(paused).motion()
    paused.post(requests.PlayMotion(Playback(motion, model, "walk"), generation=1))
    paused.post(requests.Pause())
    paused.post(requests.Seek(5))
    shown = settle(paused)
    paused.post(requests.EndMotion(goes_on=True))
    paused.post(requests.StepRequest(1))
    after = settle(paused)
    assert after.motion == "" and after.last == 21
    data = kinetree.Data(model)
    motion.show(motion.places(model), data, 5)
    assert data.time == shown.time
    kinetree.step(model, data)
    assert after.qpos.tobytes() == data.qpos.tobytes()
    paused.post(requests.Seek(19))
    assert settle(paused).step == 19


def test_nothing_is_posed_or_pushed_while_a_motion_is_shown(paused):
    paused.post(requests.StepRequest(20))
    model = settle(paused).model
    paused.post(requests.PlayMotion(Playback(replay(paused).motion(), model, "walk"), generation=1))
    paused.post(requests.Pause())
    paused.post(requests.Seek(5))
    before = settle(paused)
    body = model.nbody - 1
    perturb = Perturb(select=body, active=Active.TRANSLATE)
    for attempt in (
        lambda: paused.post(requests.ApplyPerturb(perturb, generation=1)),
        lambda: paused.post(requests.DragBody(body, Aim(pos=(0.0, 0.0, 1.0)), generation=1)),
        lambda: paused.post(requests.SetPose([("qpos", 0, [0.3])], generation=1)),
        lambda: paused.post(requests.SetValues("qpos", 0, [0.3], generation=1)),
    ):
        attempt()
        after = settle(paused)
        assert after.qpos.tobytes() == before.qpos.tobytes() and not after.xfrc_applied.any()
    assert after.said[0] == before.said[0] + 1 and "Go On From Here" in after.said[1]  # told once for a drag
    paused.post(requests.ReleasePerturb())
    paused.post(requests.EndMotion(goes_on=True))
    paused.post(requests.SetValues("qpos", 0, [0.3], generation=1))
    assert settle(paused).qpos[0] == 0.3


def test_every_row_that_is_played_is_recorded(paused):
    paused.post(requests.StepRequest(30))
    model = settle(paused).model
    motion = replay(paused).motion()
    capture = Capture(model, {"q": parse(model, "qpos"), "f": parse(model, "qfrc_bias")})
    paused.post(requests.Record(capture.recorder, generation=1))
    paused.post(requests.SetSpeed(math.inf))
    paused.post(requests.PlayMotion(Playback(motion, model, "walk"), generation=1))
    settle(paused, lambda s: not s.running and s.said[0])
    rows = capture.read()
    assert rows.steps.tolist() == list(range(-31, 0)) and rows.times.tobytes() == motion.times.tobytes()
    data, places = kinetree.Data(model), motion.places(model)
    for row, values in enumerate(rows.values):
        motion.show(places, data, row)
        kinetree.forward(model, data)
        np.testing.assert_array_equal(values, np.concatenate([data.qpos, data.qfrc_bias]))
    paused.post(requests.EndMotion(goes_on=False))
    paused.post(requests.StepRequest(2))
    settle(paused)
    assert capture.read().steps.tolist() == [31, 32]


@pytest.mark.parametrize("end", ["reset", "edit", "unload"])
def test_a_motion_ends_where_something_else_begins(paused, end):
    model = settle(paused).model
    rows = np.zeros((100, 1))
    paused.post(
        requests.PlayMotion(
            Playback(Motion(np.arange(100.0), rows, ["qpos[0]"]), model, "zero", loops=True), generation=1
        )
    )
    settle(paused, lambda s: s.motion == "zero" and s.running)
    if end == "reset":
        paused.post(requests.Reset())
    elif end == "edit":
        paused.post(requests.Load(kinetree.load_string(MODEL.replace("0.5", "0.6")), 2, keep=True, ready=True))
    else:
        paused.post(requests.Unload())
        paused.post(requests.Load(model, 3, keep=False, ready=True))
    assert settle(paused).motion == ""


def test_a_motion_that_repeats_begins_again(paused):
    model = settle(paused).model
    motion = Motion(np.arange(5) * 0.01, np.arange(5.0)[:, None] * 0.1, ["qpos[0]"])
    paused.post(requests.PlayMotion(Playback(motion, model, "short", loops=True), generation=1))
    seen = set()
    wait_for(lambda: seen.add(paused.latest.step) or (4 in seen and 0 in seen and len(seen) > 2 and seen))
    assert settle(paused).running
    paused.post(requests.Pause())
    settle(paused)


def test_the_window_saves_and_plays(make_window, model_file, qtbot, tmp_path):
    window = make_window(model_file)
    simulation, bar = window.simulation, window.timeline
    simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: (s := simulation.snapshot) is not None and s.ready and not s.running)
    simulation.post(requests.StepRequest(30))
    last = simulation.snapshot.last + 30
    qtbot.waitUntil(lambda: simulation.snapshot.last == last)
    handlers = window.handlers.motions
    path = str(tmp_path / "walk.npz")
    handlers.save(path)
    qtbot.waitUntil(lambda: window.status.file.text().startswith("Saved") or (tmp_path / "walk.npz").exists())
    qtbot.waitUntil(lambda: not window.workspace.tasks.is_busy)
    assert len(Motion.load(path).times) == last + 1
    handlers.play(path)
    qtbot.waitUntil(lambda: simulation.snapshot.motion == "walk.npz")
    qtbot.waitUntil(lambda: bar.motion.isVisible())
    bar.go_on.click()
    qtbot.waitUntil(lambda: simulation.snapshot.motion == "" and not bar.motion.isVisible())
    for name in ("sim.save_motion", "sim.play_motion"):
        window.actions_[name].trigger()


def test_noise_goes_on_as_it_was_where_a_motion_ends(paused):
    paused.post(requests.SetNoise(Noise(0.5, 0.1, 2)))
    paused.post(requests.StepRequest(30))
    settle(paused)
    paused.post(requests.StepBack(10))
    model = settle(paused).model
    paused.post(
        requests.PlayMotion(Playback(Motion([0.0, 1.0], np.zeros((2, 1)), ["qpos[0]"]), model, "zero"), generation=1)
    )
    paused.post(requests.EndMotion(goes_on=False))
    before = settle(paused)
    assert before.step == 20
    paused.post(requests.StepRequest(10))
    known = settle(paused)
    paused.post(requests.StepBack(10))
    paused.post(requests.SetSpeed(math.inf))
    paused.post(requests.RunUntil(read(model, f"{known.time!r}"), generation=1))
    again = settle(paused, lambda s: not s.running and s.step == 30)
    assert again.qpos.tobytes() == known.qpos.tobytes()
