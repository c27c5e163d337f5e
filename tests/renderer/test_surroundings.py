"""Light from all around: what physically based materials reflect, from the sky, an image light, a probe or the studio."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.lighting import NIGHT
from kinetree.engine.scene.options import ToneMapping, VisOptions
from kinetree.engine.scene.scene import linear
from kinetree.renderer import offscreen
from kinetree.renderer.surroundings import DEGREE, HARMONICS_SIDE, basis, directions, harmonics, studio
from tests.renderer.test_render import DARK, FRONT, TOP, at, picture, world

SKY = '<texture name="sky" type="skybox" builtin="{}" rgb1="{}" rgb2="{}" width="64" height="384"/>'
BALL = '<geom type="sphere" size="1" material="m"/>'
MATERIAL = '<material name="m" metallic="{}" roughness="{}" rgba="{} 1"/>'


def ball(sky: str, material: str, body: str = BALL, **flags) -> np.ndarray:
    """A ball under a sky and no lamp."""
    flags = {"haze": False, "tonemap": ToneMapping.NONE} | flags
    return picture(world(FRONT + body, DARK + f"<asset>{sky}{material}</asset>"), 200, 200, **flags).astype(int)


@pytest.mark.parametrize("roughness", [0.0, 0.2, 0.5, 1.0])
def test_a_white_metal_under_a_white_sky_is_as_bright_as_the_sky(roughness):
    """It loses no energy, however rough it is."""
    image = ball(SKY.format("flat", "0.5 0.5 0.5", "0.5 0.5 0.5"), MATERIAL.format(1, roughness, "1 1 1"))
    middle = image[80:120, 80:120].reshape(-1, 3).mean(axis=0)
    np.testing.assert_allclose(middle, 127.5, atol=3)
    assert np.ptp(image[80:120, 80:120], axis=(0, 1)).max() < 6


def test_reflections_blur_with_roughness():
    """The contrast of a sky of two colours in a ball falls, and the picture of a mirror is sharp."""
    sky = SKY.format("checker", "1 1 1", "0 0 0")
    contrast = []
    for roughness in (0.0, 0.3, 0.6, 1.0):
        image = ball(sky, MATERIAL.format(1, roughness, "1 1 1"))[70:130, 70:130, 0]
        contrast.append(float(np.abs(np.diff(image, axis=1)).mean()))
    assert contrast == sorted(contrast, reverse=True)
    assert contrast[-1] < 0.3 * contrast[0]


def test_metals_tint_what_they_reflect():
    image = ball(SKY.format("flat", "1 1 1", "1 1 1"), MATERIAL.format(1, 0.3, "1 0.5 0"))
    shown = at(image, 0.5, 0.5)
    assert shown[0] > 250 and shown[2] < 20
    assert shown[1] == pytest.approx(127.5, abs=10)


PROBE = """<mujoco><visual><probe texture="env" position="0 0 0" scale="4 4 4"/><map envmapintensity="1"/>
<headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/></visual>
<asset><texture name="sky" type="skybox" builtin="flat" rgb1="1 0 0" rgb2="1 0 0" width="8" height="48"/>
<texture name="env" type="{}" builtin="flat" rgb1="0 1 0" rgb2="0 1 0" width="8" height="48"/>
<material name="m" metallic="1" roughness="{}"/></asset>
<worldbody>{}<geom type="sphere" size="0.3" pos="{} 0 0" material="m"/></worldbody></mujoco>"""


@pytest.mark.parametrize("kind", ["cube", "probe"])
@pytest.mark.parametrize("roughness", [0.0, 0.5])
@pytest.mark.parametrize(("where", "seen"), [("0", 1), ("3", 0)])
def test_a_probe_is_reflected_in_its_box_only(where, seen, roughness, kind):
    camera = FRONT.replace("0 -4 0", f"{where} -1.5 0")
    model = kinetree.load_string(PROBE.format(kind, roughness, camera, where))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    shown = at(kinetree.render(model, data, 101, 101, 0, VisOptions(shadow=False)), 0.5, 0.5)
    assert shown[seen] > 200 and shown[1 - seen] < 30


def test_an_image_light_lights_matte_surfaces_by_its_intensity():
    text = """<mujoco><asset><texture name="white" type="cube" builtin="flat" rgb1="1 1 1" rgb2="1 1 1" width="8" height="48"/>
    <material name="m" metallic="0" roughness="1" rgba="0.5 0.5 0.5 1"/></asset>
    <worldbody>{}<light type="image" texture="white" intensity="{}"/><geom type="sphere" size="1" material="m"/></worldbody></mujoco>"""
    shown = []
    for intensity in (5000, 10000):
        model = kinetree.load_string(text.format(FRONT, intensity))
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        image = kinetree.render(model, data, 101, 101, 0, VisOptions(tonemap=ToneMapping.NONE))
        shown.append(at(image, 0.5, 0.5)[0] / 255)
    light = [((value + 0.055) / 1.055) ** 2.4 for value in shown]
    assert light[1] == pytest.approx(2 * light[0], rel=0.1)


@pytest.mark.parametrize(("space", "light"), [("auto", 0.5), ("linear", 0.5), ("sRGB", 0.21404)])
def test_an_image_light_shines_with_the_numbers_of_its_image(space, light):
    """As Filament's, unless the image says that they are sRGB. 0.21404: the light of sRGB 0.5."""
    text = f"""<mujoco><asset><texture name="grey" type="cube" builtin="flat" rgb1=".5 .5 .5" rgb2=".5 .5 .5" width="8" height="48"
      colorspace="{space}"/><material name="m" metallic="0" roughness="1" rgba="1 1 1 1"/></asset>
    <worldbody>{FRONT}<light type="image" texture="grey" intensity="38400"/><geom type="sphere" size="1" material="m"/></worldbody></mujoco>"""
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    image = kinetree.render(model, data, 101, 101, 0, VisOptions(tonemap=ToneMapping.NONE, occlusion="off"))
    assert linear(at(image, 0.5, 0.5)[0] / 255) == pytest.approx(light, rel=0.12)


@pytest.mark.parametrize(("head", "part"), [(0.25, 0.5), (0.05, NIGHT), (0.0, NIGHT)])
def test_the_default_background_is_as_bright_as_the_light(head, part):
    """Light of 0.5 from everywhere and from far away is the default; a lamp near by does not count."""
    text = '<mujoco><visual><headlight ambient="0 0 0" diffuse="{0} {0} {0}"/></visual><worldbody>{1}{2}</worldbody></mujoco>'
    lamp = '<light pos="0 0 9" diffuse="1 1 1"/>'
    usual = at(picture(text.format("0.5", FRONT, lamp), 64, 64, tonemap=ToneMapping.NONE), 0.5, 0.5)
    shown = at(picture(text.format(head, FRONT, lamp), 64, 64, tonemap=ToneMapping.NONE), 0.5, 0.5)
    np.testing.assert_allclose(linear(shown / 255), part * linear(usual / 255), rtol=0.05)


def test_a_map_is_made_once_for_an_image():
    text = world(
        FRONT + BALL, DARK + f"<asset>{SKY.format('flat', '1 1 1', '1 1 1')}{MATERIAL.format(1, 0, '1 1 1')}</asset>"
    )
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    kinetree.render(model, data, 40, 40)
    surroundings = offscreen.shared().renderer.device.surroundings
    before = dict(surroundings._maps)
    kinetree.render(model, data, 40, 40)
    assert dict(surroundings._maps) == before and before


def test_harmonics_of_even_light_are_even():
    light = np.ones((HARMONICS_SIDE, HARMONICS_SIDE, 3))
    toward = directions(HARMONICS_SIDE)
    np.testing.assert_allclose(basis(toward) @ harmonics(light), 1.0, atol=0.02)
    assert DEGREE.shape == (9,)


def test_harmonics_of_light_from_above():
    """A floor gets all of it, a ceiling hardly any."""
    light = np.ones((HARMONICS_SIDE, HARMONICS_SIDE, 3))
    up, down = basis(np.array([[0.0, 0, 1], [0, 0, -1]])) @ harmonics(light, above=True)
    np.testing.assert_allclose(up, 1.0, atol=0.05)
    np.testing.assert_allclose(down, 0.0, atol=0.05)


def test_the_studio_has_lamps_and_no_darkness():
    light = studio(32)[..., :3]
    assert light.shape == (192, 32, 3)
    assert light.max() > 2 and light.min() > 0.01


@pytest.mark.parametrize("intensity", [0, 20000])
def test_an_image_light_reaches_legacy_materials_too(intensity):
    """A white legacy plane is as bright as a rough physically based one under an image light with an intensity, and dark
    under one without: those only give reflections their picture."""
    shown = []
    for kind in ("", 'metallic="0" roughness="1"'):
        assets = f'<asset>{SKY.format("flat", "0.5 0.5 0.5", "0.5 0.5 0.5")}<material name="m" rgba="1 1 1 1" {kind}/></asset>'
        light = f'<light type="image" texture="sky" intensity="{intensity}" castshadow="false"/>'
        text = world(TOP + light + '<geom type="plane" size="9 9 1" material="m"/>', DARK + assets)
        model = kinetree.load_string(text)
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        flags = {"haze": False, "tonemap": ToneMapping.NONE, "occlusion": "off"}
        shown.append(at(kinetree.render(model, data, 64, 64, 0, VisOptions(**flags)), 0.5, 0.5).astype(float))
    if intensity:
        assert shown[0].min() > 80
        np.testing.assert_allclose(shown[0], shown[1], atol=6)
    else:
        assert shown[0].max() < 5
