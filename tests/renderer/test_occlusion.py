"""Ambient occlusion: darker where little of the surroundings is free, and nowhere else."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import linear
from kinetree.renderer.frame import GRAPH
from kinetree.renderer.graph import FrameContext
from kinetree.renderer.viewpoint import of
from tests.engine.scene.worlds import load
from tests.renderer.test_render import DARK, MATERIAL, picture, world

AMBIENT = '<visual><headlight ambient="0.7 0.7 0.7" diffuse="0 0 0" specular="0 0 0"/></visual><statistic extent="4"/>'
SLANTED = '<camera pos="0 -4 2" xyaxes="1 0 0 0 0.447 0.894" fovy="40"/>'
FLOOR = '<geom type="plane" size="9 9 1" material="matte"/>'
WALL = '<geom type="box" size="9 0.1 2" pos="0 0.1 2" material="matte"/>'
CALM = {"haze": False, "skybox": False, "shadow": False}


def profile(text: str, quality: str) -> np.ndarray:
    """The light of each row of pixels, as a share of that without the effect."""
    off, on = (linear(picture(text, 480, 320, occlusion=value, **CALM)[:, 200:280] / 255) for value in ("off", quality))
    return (on[:, :, 1] / off[:, :, 1]).mean(axis=1)


@pytest.mark.parametrize("quality", ["half", "full"])
def test_a_corner_is_darker_than_open_floor(quality):
    """Along a line down the wall and over the floor: darkest at the corner, untouched far away from it."""
    text = world(SLANTED + FLOOR + WALL, AMBIENT + MATERIAL)
    share = profile(text, quality)
    corner = int(share.argmin())
    assert 0.5 < share[corner] < 0.8
    assert share[corner] < share[corner + 6] < share[corner + 14] and share[-40:].min() > 0.99
    assert share.max() < 1.01


def test_open_surfaces_keep_their_light():
    """A ball in the air and a floor far below do not darken each other, nor themselves."""
    text = world(SLANTED + FLOOR + '<geom size="0.3" pos="0 0 1.4" material="matte"/>', AMBIENT + MATERIAL)
    off, on = (picture(text, occlusion=value, **CALM).astype(float) for value in ("off", "half"))
    assert np.quantile(np.abs(on - off), 0.995) <= 3


def test_lamps_are_not_darkened():
    lamp = '<light type="directional" dir="0 0.6 -0.8" diffuse="0.7 0.7 0.7" specular="0 0 0"/>'
    text = world(SLANTED + lamp + FLOOR + WALL, DARK + MATERIAL)
    off, on = (picture(text, occlusion=value, **CALM) for value in ("off", "half"))
    np.testing.assert_array_equal(on, off)


def test_a_model_can_ask_for_it():
    """In the preset for speed, it is drawn for models that say so, and then only."""
    text = world(SLANTED + FLOOR + WALL, AMBIENT + MATERIAL)
    asking = text.replace("<visual>", '<visual><ssao active="true"/>')
    pictures = []
    for source in (text, asking):
        model = kinetree.load_string(source)
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        options = VisOptions(occlusion="model", **CALM)
        pictures.append(kinetree.render(model, data, 240, 160, 0, options))
    np.testing.assert_array_equal(pictures[0], picture(text, occlusion="off", **CALM))
    np.testing.assert_array_equal(pictures[1], picture(text, occlusion="half", **CALM))


@pytest.mark.parametrize(("flags", "runs"), [({}, True), ({"occlusion": "off"}, False), ({"wireframe": True}, False)])
def test_what_is_off_costs_no_pass(flags, runs):
    model, data = load(world(SLANTED + FLOOR + WALL, AMBIENT + MATERIAL))
    scene = build(model, data, VisOptions(**flags), Camera(FIXED, fixedcamid=0))
    steps = [step.name for step, _ in GRAPH.plan(FrameContext(scene, of(scene.view), 64, 64, 4, True), ("image",))]
    assert ("occlusion" in steps) == runs


def test_orthographic_views_have_it_too():
    camera = '<camera pos="0 -4 2" xyaxes="1 0 0 0 0.447 0.894" orthographic="true" fovy="3"/>'
    text = world(camera + FLOOR + WALL, AMBIENT + MATERIAL)
    share = profile(text, "half")
    assert 0.5 < share.min() < 0.8 and share[-40:].min() > 0.99
