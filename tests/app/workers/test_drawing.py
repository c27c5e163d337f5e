"""Pictures and videos from the process that draws."""

import itertools
import os
import threading

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

import kinetree
from kinetree.app.pictures.content import PictureRequest
from kinetree.app.pictures.content import draw as draw_here
from kinetree.app.pictures.packing import pack
from kinetree.app.pictures.process import PictureJob
from kinetree.app.workers.drawing import CannotDraw, draw, moment
from kinetree.engine.progress import Cancelled, reported
from kinetree.engine.run.snapshot import Snapshot
from kinetree.engine.scene.camera import default_free
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer.offscreen import Offscreen
from tests.app.conftest import MODEL, wait_for
from tests.patience import LIMIT


@pytest.fixture(scope="module")
def rig_state():
    model = kinetree.load_string(MODEL)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    return model, Snapshot(model, data)


def job(model, path, **more) -> PictureJob:
    return PictureJob(pack(model), PictureRequest(96, 64, VisOptions()), str(path), **more)


def test_the_picture_is_that_of_this_process(tmp_path, rig_state):
    model, snapshot = rig_state
    path = tmp_path / "a.png"
    assert draw(job(model, path), [moment(snapshot, default_free(model))]) == [str(path)]
    offscreen = Offscreen()
    here = draw_here(offscreen, model, snapshot, default_free(model), PictureRequest(96, 64, VisOptions())).pixels
    offscreen.release()
    with Image.open(path) as picture:
        np.testing.assert_array_equal(np.array(picture), here)
    assert snapshot.model is model


def test_a_packed_model_is_the_model(rig_state):
    model, _ = rig_state
    other = pack(model).unpack()
    for name, array in model._arrays.items():
        np.testing.assert_array_equal(other._arrays[name], array, err_msg=name)
    assert other.opt.timestep == model.opt.timestep and other.names == model.names
    assert other.vis.global_.fovy == model.vis.global_.fovy


def test_a_video_has_as_many_frames_as_moments(tmp_path, rig_state):
    model, snapshot = rig_state
    path = tmp_path / "a.mp4"
    fractions = []
    with reported(fractions.append):
        draw(job(model, path, frames=7, fps=25.0), [moment(snapshot, default_free(model)) for _ in range(7)])
    assert imageio_ffmpeg.count_frames_and_secs(str(path))[0] == 7
    assert fractions == sorted(fractions) and fractions[-1] <= 1.0
    assert os.listdir(tmp_path) == ["a.mp4"]


def test_a_cancelled_video_leaves_nothing(tmp_path, rig_state):
    model, snapshot = rig_state
    seen, cancelled = threading.Event(), threading.Event()

    def moments():
        for number in itertools.count():
            if number == 3:
                seen.set()
            yield moment(snapshot, default_free(model))

    def report(_fraction):
        if cancelled.is_set():
            raise Cancelled

    def work():
        with pytest.raises(Cancelled), reported(report):
            draw(job(model, tmp_path / "a.webm", frames=1000, fps=25.0), moments())

    thread = threading.Thread(target=work)
    thread.start()
    wait_for(seen.is_set)
    cancelled.set()
    thread.join(LIMIT)
    assert not thread.is_alive() and os.listdir(tmp_path) == []


def test_what_cannot_be_written_is_told(tmp_path, rig_state):
    model, snapshot = rig_state
    path = tmp_path / "no" / "a.png"
    with pytest.raises(CannotDraw, match=r"a\.png cannot be written: No such file"):
        draw(job(model, path), [moment(snapshot, default_free(model))])


def test_what_cannot_be_drawn_is_told(tmp_path, rig_state):
    model, snapshot = rig_state
    camera = default_free(model)
    camera.type, camera.fixedcamid = "fixed", 77
    with pytest.raises(CannotDraw, match="camera 77 does not exist"):
        draw(job(model, tmp_path / "a.png"), [moment(snapshot, camera)])
    assert os.listdir(tmp_path) == []
