"""Light and materials of MuJoCo's own model, measured: sums, pools of spots, highlights, emission, textures and fog are
what its renderer shows (sRGB-encoded numbers, added and multiplied), and photometric lights are linear."""

import numpy as np
import pytest

from kinetree.engine.scene.lighting import DAYLIGHT
from kinetree.engine.scene.options import ToneMapping
from kinetree.engine.scene.scene import encoded, linear
from tests.renderer.test_render import DARK, FRONT, MATERIAL, TOP, at, picture, world

ALBEDO = np.array([0.6, 0.5, 0.4])  # of MATERIAL
FLOOR = '<geom type="plane" size="9 9 1" material="matte"/>'
DIM = '<visual><headlight ambient="0.1 0.1 0.1" diffuse="0 0 0" specular="0 0 0"/></visual>'


def floor(lamps: str, head: str = DARK + MATERIAL, **flags) -> np.ndarray:
    """A matte floor from 4 m above, 4 tan(22.5 deg) = 1.657 m from the middle to the upper edge of 101 rows."""
    return picture(world(TOP + FLOOR + lamps, head), 101, 101, shadow=False, bloom=False, **flags).astype(int)


def profile(image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances from the middle and the colours there."""
    away = (np.arange(51, 101) - 50) / 50.5 * 4 * np.tan(np.radians(22.5))
    return away, image[50, 51:]


def test_two_lights_add_up_as_the_screen_shows_them():
    sun = '<light type="directional" dir="0 0 -1" diffuse="{0} {0} {0}" specular="0 0 0"/>'
    image = floor(sun.format(0.3) + sun.format(0.5), DIM + MATERIAL)
    np.testing.assert_allclose(at(image, 0.5, 0.5), 255 * ALBEDO * (0.1 + 0.3 + 0.5), atol=2.5)


@pytest.mark.parametrize("exponent", [0, 10, 40])
def test_pool_of_a_spot(exponent):
    image = floor(
        f'<light pos="0 0 2" dir="0 0 -1" cutoff="30" exponent="{exponent}" diffuse="1 1 1" specular="0 0 0"/>'
    )
    away, shown = profile(image)
    cosine = 2 / np.hypot(2, away)
    inside, outside = cosine > np.cos(np.radians(28)), cosine < np.cos(np.radians(31))
    expected = 255 * ALBEDO * (cosine ** (exponent + 1))[:, None]
    np.testing.assert_allclose(shown[inside], expected[inside], atol=3)
    assert shown[outside].max() == 0  # the rim is not wider than two degrees


def test_attenuation():
    image = floor('<light type="point" pos="0 0 1" diffuse="1 1 1" specular="0 0 0" attenuation="0.5 0.2 0.3"/>')
    away, shown = profile(image)
    distance = np.hypot(1, away)
    expected = 255 * ALBEDO * (1 / distance / (0.5 + 0.2 * distance + 0.3 * distance**2))[:, None]
    np.testing.assert_allclose(shown, expected, atol=3)


@pytest.mark.parametrize("shininess", [0.05, 0.5, 1.0])
def test_highlight_has_blinn_and_phongs_profile(shininess):
    head = DARK + f'<asset><material name="matte" specular="0.8" shininess="{shininess}" rgba="0 0 0 1"/></asset>'
    image = floor('<light type="directional" dir="0 0 -1" diffuse="0 0 0" specular="1 1 1"/>', head)
    away, shown = profile(image)
    half = np.cos(0.5 * np.arctan2(away, 4))  # between the light from above and the viewer
    np.testing.assert_allclose(shown[:, 0], 255 * 0.8 * half ** (128 * shininess), atol=4)


@pytest.mark.parametrize("emission", [0.25, 1.0])
def test_emission_is_a_part_of_the_colour(emission):
    head = DARK + f'<asset><material name="matte" specular="0" emission="{emission}" rgba="0.6 0.5 0.4 1"/></asset>'
    np.testing.assert_allclose(at(floor("", head), 0.5, 0.5), 255 * emission * ALBEDO, atol=2)


def test_a_texture_dims_the_highlight():
    head = DARK + (
        '<asset><texture name="t" type="2d" builtin="flat" rgb1="0.5 0.5 0.5" width="8" height="8"/>'
        '<material name="matte" texture="t" specular="0.8" shininess="1"/></asset>'
    )
    image = floor('<light type="directional" dir="0 0 -1" diffuse="0 0 0" specular="1 1 1"/>', head)
    np.testing.assert_allclose(at(image, 0.5, 0.5), 255 * 0.5 * 0.8, atol=3)


def test_fog_is_mixed_as_the_screen_shows_it():
    head = DARK.replace("<headlight", '<map fogstart="0" fogend="8"/><rgba fog="1 1 1 1"/><headlight') + (
        '<statistic extent="1"/><asset><material name="matte" specular="0" emission="1" rgba="0 0 0 1"/></asset>'
    )
    np.testing.assert_allclose(at(floor("", head, fog=True), 0.5, 0.5), 255 * 4 / 8, atol=3)


class TestPhotometric:
    def shown(self, lamp: str, head: str = MATERIAL, **flags) -> np.ndarray:
        """The default headlight is off beside a photometric light."""
        return floor(lamp, head, tonemap=ToneMapping.NONE, skybox=False, **flags)

    def expected(self, light) -> np.ndarray:
        return 255 * encoded(linear(ALBEDO) * light)

    def test_lux_of_a_directional_light(self):
        image = self.shown(
            '<light type="directional" dir="0 0 -1" diffuse="0.5 0.5 0.5" intensity="60000" specular="0 0 0"/>'
        )
        np.testing.assert_allclose(at(image, 0.5, 0.5), self.expected(0.5 * 60000 / DAYLIGHT[1]), atol=2)

    def test_candela_fall_off_with_the_square_of_the_distance_and_end_at_the_range(self):
        image = self.shown(
            '<light type="point" pos="0 0 1" diffuse="1 1 1" intensity="20000" range="1.4" specular="0 0 0"/>'
        )
        away, shown = profile(image)
        distance = np.hypot(1, away)
        window = np.clip(1 - (distance / 1.4) ** 4, 0, 1) ** 2
        light = 20000 / DAYLIGHT[0] / distance**3 * window
        np.testing.assert_allclose(shown, [self.expected(value) for value in light], atol=2)
        assert shown[-1].max() == 0


@pytest.mark.parametrize("metallic", [0.0, 1.0])
def test_metals_emit_too(metallic):
    head = DARK + f'<asset><material name="m" metallic="{metallic}" emission="0.5" rgba="0 1 0 1"/></asset>'
    image = picture(world(FRONT + '<geom type="sphere" size="0.5" material="m"/>', head), skybox=False, haze=False)
    np.testing.assert_allclose(at(image, 0.5, 0.5), 255 * encoded([0.0, 0.5, 0.0]), atol=1)


def test_small_highlights_do_not_flicker():
    """Shiny balls of a few pixels, seen from places a fraction of a pixel apart: their highlights stay as bright, and as
    bright as the mean over many more pixels says."""
    balls = "".join(
        f'<geom size="0.05" pos="{x / 5} 0 {z / 5}" material="m"/>' for x in range(-2, 3) for z in (-1, 0, 1)
    )
    distance, width, height, finer = 11.0, 80, 50, 6
    pixel = 2 * distance * np.tan(np.radians(4)) / height

    def light(offset: float, scale: int = 1) -> np.ndarray:
        text = world(
            f'<camera pos="{offset * pixel} {-distance} 0" xyaxes="1 0 0 0 0 1" fovy="8"/>{balls}'
            '<light type="directional" dir="-0.2 1 -0.5" diffuse="0 0 0" specular="0.9 0.9 0.9" castshadow="false"/>',
            DARK + '<asset><material name="m" rgba="0 0 0 1" specular="1" shininess="1"/></asset>',
        )
        image = picture(text, width * scale, height * scale, skybox=False, bloom=False)[:, :, 0]
        return linear(image / 255).reshape(height, scale, width, scale).mean(axis=(1, 3))

    brightest, exact = [light(step / 4).max() for step in range(4)], light(0, finer).max()
    assert np.ptp(brightest) < 0.15 * np.mean(brightest)
    assert np.mean(brightest) == pytest.approx(exact, rel=0.4)
