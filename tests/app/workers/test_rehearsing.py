"""The process that compiles programs beside the window: when it starts, and that it ends."""

import subprocess

import numpy as np

import kinetree
from kinetree.app.workers.rehearsing import Rehearsal
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.storage.loading import load_string
from kinetree.renderer.offscreen import posed
from tests.patience import LIMIT


def _process(rehearsal: Rehearsal) -> subprocess.Popen[bytes]:
    assert rehearsal.process is not None
    return rehearsal.process


def test_it_starts_once_for_a_version_and_a_driver(tmp_path) -> None:
    model = load_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    scene = build(model, posed(model, kinetree.Data(model)), VisOptions(), initial(model), None, None, (90, 70))
    scene.radii = np.resize(scene.radii, 50_000)  # beyond the counts: not sent
    first = Rehearsal(tmp_path)
    first.begin()
    first.meet("driver 1")
    assert _process(first).poll() is None and first.is_listening
    first.rehearse(scene, 90, 70)
    first.rehearse(scene, 90, 70)  # of the first scene only
    first.finish("driver 1", [(scene, 70, 90)])
    assert _process(first).wait(LIMIT) == 0
    assert not first.is_listening
    first.finish("driver 1", [])

    again = Rehearsal(tmp_path)
    again.begin()
    again.meet("driver 1")
    again.rehearse(scene, 90, 70)
    again.finish("driver 1", [])
    assert again.process is None

    updated = Rehearsal(tmp_path)
    updated.begin()
    assert updated.process is None
    updated.meet("driver 2")
    updated.rehearse(scene, 90, 70)
    updated.finish("driver 2", [])
    assert _process(updated).wait(LIMIT) == 0
    assert updated.note.read_text(encoding="utf-8") == "driver 2"


def test_it_ends_with_a_window_that_drew_nothing(tmp_path) -> None:
    rehearsal = Rehearsal(tmp_path)
    rehearsal.begin()
    process = _process(rehearsal)
    assert process.stdin is not None
    process.stdin.close()  # as the end of the program does
    assert process.wait(LIMIT) == 0
    assert not rehearsal.note.exists()


def test_it_ends_in_the_middle_of_its_work_with_the_window(tmp_path) -> None:
    rehearsal = Rehearsal(tmp_path)
    rehearsal.end()  # it was not started
    rehearsal.begin()
    rehearsal.end()
    process = _process(rehearsal)
    assert process.poll() not in (None, 0)
    assert process.stdin is not None
    process.stdin.close()


def test_a_process_that_is_gone_is_no_problem(tmp_path) -> None:
    model = load_string("<mujoco/>")
    scene = build(model, posed(model, kinetree.Data(model)), VisOptions(), initial(model), None, None, (90, 70))
    rehearsal = Rehearsal(tmp_path)
    rehearsal.begin()
    process = _process(rehearsal)
    process.kill()
    process.wait(LIMIT)
    rehearsal.rehearse(scene, 90, 70)
    rehearsal.finish("driver", [(scene, 90, 70)])
    assert rehearsal.note.exists()
