"""Bloom and automatic exposure."""

import numpy as np
import pytest

from kinetree.engine.scene.options import ToneMapping
from kinetree.engine.scene.scene import encoded, linear
from tests.renderer.test_render import DARK, FRONT, TOP, picture, world

LAMP = '<geom type="sphere" size="0.3" material="lamp"/>'
MATERIAL = '<asset><material name="lamp" emission="{}" specular="0" rgba="1 0.5 0.2 1"/></asset>'


def lamp(emission: float, **flags) -> np.ndarray:
    text = world(FRONT + LAMP, DARK + MATERIAL.format(emission))
    return picture(text, 240, 160, skybox=False, **flags).astype(int)


def test_light_spreads_around_a_lamp_and_gets_less_with_the_distance():
    image = lamp(1.0)
    row = image[80, 120:, 0]
    edge = int(np.flatnonzero(row < 200)[0])
    assert row[edge + 3] > 15
    assert (np.diff(row[edge + 2 :]) <= 1).all()  # no bands and no squares
    assert row[edge + 60] < row[edge + 3] / 2
    assert image[:, :, 0].sum() > image[:, :, 2].sum()  # in the lamp's colour


@pytest.mark.parametrize("flags", [{"bloom": False}, {"segment": True}, {"wireframe": True}])
def test_without_bloom_nothing_spreads(flags):
    image = lamp(1.0, **flags)
    assert image[:, :60].max() <= 1


def test_what_hardly_emits_does_not_glow():
    assert lamp(0.3)[:, :60].max() <= 1


def test_what_is_lit_does_not_glow():
    text = world(
        FRONT + '<geom type="sphere" size="0.3" rgba="1 1 1 1"/>' + LAMP.replace("/>", ' pos="0 0 -9"/>'),
        MATERIAL.format(1),
    )
    assert picture(text, 240, 160, skybox=False)[:, :60].max() <= 1


def test_transparent_surfaces_do_not_glow():
    pane = '<geom type="box" size="2 0.01 2" pos="0 -1 0" rgba="0 0 0 0.5"/>'
    text = world(FRONT + pane + LAMP.replace("/>", ' pos="0 9 0"/>'), DARK + MATERIAL.format(1))
    assert picture(text, 240, 160, skybox=False)[:20, :20].max() <= 2


@pytest.mark.parametrize("light", [0.02, 0.3, 1.0])
def test_automatic_exposure_shows_any_light_as_a_grey_card(light):
    head = f'<visual><headlight ambient="{light} {light} {light}" diffuse="0 0 0" specular="0 0 0"/></visual>'
    text = world(
        TOP + '<geom type="plane" size="9 9 1" material="m"/>',
        head + '<asset><material name="m" specular="0"/></asset>',
    )
    image = picture(text, 64, 64, skybox=False, autoexposure=True, tonemap=ToneMapping.NONE, occlusion="off")
    least = float(linear(light)) * 16  # how far it goes
    np.testing.assert_allclose(image.mean(), 255 * encoded(min(0.16, least)), atol=6)
