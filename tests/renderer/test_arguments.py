"""Arguments of pictures: wrong kinds, sizes and cameras, another model's data, and data without poses."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import kinetree
from kinetree.engine.model.data import has_poses
from kinetree.engine.run.snapshot import Snapshot
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer import offscreen
from kinetree.renderer.frame import Renderer

TEXT = """<mujoco><worldbody><light pos="0 0 3"/><camera name="front" pos="0 -4 0" xyaxes="1 0 0 0 0 1"/>
  <geom type="plane" size="3 3 .1" pos="0 0 -.5"/><body name="b" pos=".5 0 .5">
  <joint name="j" axis="0 1 0"/><geom size=".4" rgba="1 0 0 1"/></body></worldbody>{}</mujoco>"""
KEY = '<keyframe><key qpos="1"/></keyframe>'


@pytest.fixture(scope="module")
def pair() -> tuple[kinetree.Model, kinetree.Data]:
    model = kinetree.load_string(TEXT.format(KEY))
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    return model, data


WRONG: list[tuple[str, Any, type[Exception]]] = [
    *(("model", value, TypeError) for value in (None, 1, "model.xml", VisOptions())),
    *(("data", value, TypeError) for value in (None, 1.5, "x", {}, VisOptions())),
    *(
        (name, value, TypeError)
        for name in ("width", "height")
        for value in (None, 60.0, "60", [60], True, np.zeros(2))
    ),
    *((name, value, ValueError) for name in ("width", "height") for value in (0, -1, 10**6, 10**30)),
    *(("camera", value, TypeError) for value in (0.0, [0], {}, b"front", True, VisOptions())),
    *(("camera", value, IndexError) for value in (-1, 1, 10**30)),
    *(("camera", value, KeyError) for value in ("side", "")),
    *(("options", value, TypeError) for value in (1, "wireframe", {}, {"wireframe": True}, False)),
]


@pytest.mark.parametrize(("name", "value", "error"), WRONG)
def test_wrong_arguments(name: str, value: Any, error: type[Exception], pair) -> None:
    right = {"model": pair[0], "data": pair[1], "width": 60, "height": 40}
    with pytest.raises(error) as found:
        kinetree.render(**{**right, name: value})
    assert len(str(found.value).split()) >= 4


def test_model_and_data_the_wrong_way_round(pair) -> None:
    model, data = pair
    with pytest.raises(TypeError, match="swapped"):
        kinetree.render(data, model, 60, 40)


def test_the_state_of_another_model(pair) -> None:
    _, data = pair
    more = "<body><freejoint/><geom size='1'/></body></worldbody>"
    other = kinetree.load_string(TEXT.format("").replace("</worldbody>", more))
    for state in (data, Snapshot(*pair)):
        with pytest.raises(ValueError, match="another model"):
            kinetree.render(other, state, 60, 40)


def test_a_picture_before_forward_shows_the_state() -> None:
    """At qpos0, and at a keyframe after a reset. The data stays as it is."""
    model = kinetree.load_string(TEXT.format(KEY))
    for key in (None, 0):
        data = kinetree.Data(model)
        kinetree.reset(model, data, key)
        before = pickle.dumps(data)
        image = kinetree.render(model, data, 60, 40, "front")
        assert pickle.dumps(data) == before and not has_poses(data)
        kinetree.forward(model, data)
        np.testing.assert_array_equal(image, kinetree.render(model, data, 60, 40, "front"))
        assert np.ptp(image) > 50


def test_poses_that_were_computed_are_shown_as_they_are(pair) -> None:
    """As in MuJoCo: a picture computes nothing again."""
    model, data = pair
    image = kinetree.render(model, data, 60, 40, "front")
    moved = data.copy()
    moved.qpos[0] = 1.0
    np.testing.assert_array_equal(kinetree.render(model, moved, 60, 40, "front"), image)
    kinetree.kinematics(model, moved)
    assert (kinetree.render(model, moved, 60, 40, "front") != image).any()


def test_a_world_without_bodies_is_drawn() -> None:
    model = kinetree.load_string("<mujoco/>")
    assert kinetree.render(model, kinetree.Data(model), 1, 1).shape == (1, 1, 3)


def test_a_renderer_reads_what_there_is(pair) -> None:
    drawer: Renderer = offscreen.shared().renderer
    kinetree.render(*pair, 60, 40)
    scene = offscreen.shared().scene
    with drawer.device.context:
        for size in ((0, 40), (60, -1), (10**6, 40)):
            with pytest.raises(ValueError, match="of a picture must be at"):
                drawer.read(scene, *size)
        with pytest.raises(KeyError, match="there is no image 'colour': there are image, cutout"):
            drawer.read(scene, 60, 40, ["colour"])
        nothing: Any = None
        with pytest.raises(TypeError, match=r"a renderer draws a kinetree\.engine"):
            drawer.read(nothing, 60, 40)
        assert drawer.read(scene, 60, 40)[0].shape == (40, 60, 3)
