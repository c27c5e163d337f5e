"""Light that is found on the screen: reflections of the rest of the picture, and light that surfaces send to each
other.
"""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.effects import Preset, with_preset
from kinetree.engine.scene.options import ToneMapping, VisOptions
from kinetree.engine.scene.scene import linear
from kinetree.renderer.frame import GRAPH
from kinetree.renderer.graph import FrameContext
from kinetree.renderer.viewpoint import of
from tests.renderer.test_render import DARK, world

SLANTED = '<camera pos="0 -4 2" xyaxes="1 0 0 0 0.447 0.894" {}/>'
PERSPECTIVE, ORTHOGRAPHIC = SLANTED.format('fovy="40"'), SLANTED.format('fovy="3" orthographic="true"')
FLOOR = '<geom type="box" size="3 3 0.1" pos="0 0 -0.1" material="floor"/>'
LAMP = '<geom type="box" size="0.3 0.1 0.3" pos="0 1 0.3" material="lamp"/>'
ASSETS = (
    DARK + '<statistic extent="4"/><asset><material name="floor" rgba="1 1 1 1" metallic="{}" roughness="{}"/>'
    '<material name="lamp" rgba="0 1 0 1" emission="{}" specular="0"/><material name="matte" specular="0"/>'
    '<texture name="sky" type="skybox" builtin="flat" rgb1="0 0 0" rgb2="0 0 0" width="8" height="48"/></asset>'
)
SSGI = '<visual><ssgi active="{}" resolutionscale="{}" {}/></visual>'
CALM = {"haze": False, "shadow": False, "bloom": False, "occlusion": "off", "tonemap": ToneMapping.NONE}
SIZE = 320, 240


def load(text: str):
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    return model, data


def shown(text: str, **flags) -> np.ndarray:
    """The linear light of a picture."""
    return linear(kinetree.render(*load(text), *SIZE, 0, VisOptions(**CALM | flags)) / 255)


def mirrored(camera: str = PERSPECTIVE, roughness: float = 0.0, body: str = LAMP, **flags) -> np.ndarray:
    """A metal floor below a black sky, with a green thing on it."""
    return shown(world(camera + FLOOR + body, ASSETS.format(1, roughness, 0.5)), **flags)


@pytest.mark.parametrize("camera", [PERSPECTIVE, ORTHOGRAPHIC], ids=["perspective", "orthographic"])
@pytest.mark.parametrize("quality", ["half", "full"])
def test_a_glossy_floor_shows_what_stands_on_it(camera, quality):
    """As bright as the thing itself, on its own side of the edge, and nowhere else."""
    off, on = (mirrored(camera, screenreflections=value)[:, :, 1] for value in ("off", quality))
    thing = off > 0.2
    rows, columns = np.nonzero(thing)
    bottom, middle = int(rows.max()), int(columns.mean())
    below = on[bottom + 6 : bottom + 18, middle - 10 : middle + 10]
    np.testing.assert_allclose(below, off[bottom - 12 : bottom - 4, middle].mean(), rtol=0.08)
    np.testing.assert_allclose(off[bottom + 6 : bottom + 18, middle], 0, atol=0.01)
    aside = on[bottom + 6 : bottom + 18, [columns.min() - 12, columns.max() + 12]]
    np.testing.assert_allclose(aside, 0, atol=0.01)
    np.testing.assert_array_equal(on[: bottom - 3], off[: bottom - 3])  # no halo around the thing


def test_reflections_keep_light_beyond_white():
    """A reflection is light, not the colours of the screen: exposed less, it is still bright."""
    text = world(PERSPECTIVE + FLOOR + LAMP, ASSETS.format(1, 0, 8))
    dark = shown(text, screenreflections="full", exposure=-3.0)[:, :, 1]
    thing = shown(text, screenreflections="off", exposure=-3.0)[:, :, 1] > 0.5
    assert dark.max() == pytest.approx(1.0, abs=0.05)
    bottom, middle = int(np.nonzero(thing)[0].max()), int(np.nonzero(thing)[1].mean())
    assert dark[bottom + 10, middle] > 0.9


def test_reflections_blur_with_roughness_and_end_where_it_is_great():
    """The edge of a reflection is the wider the rougher the floor; a matte floor has no ray to follow."""
    steepest = []
    for roughness in (0.0, 0.2, 0.4):
        image = mirrored(roughness=roughness, screenreflections="full")[:, :, 1]
        off = mirrored(roughness=roughness, screenreflections="off")[:, :, 1]
        rows = np.nonzero(off > 0.2)[0]
        line = (image - off)[int(rows.max()) + 12]
        steepest.append(float(np.abs(np.diff(line)).max() / max(line.max(), 1e-6)))
    assert steepest == sorted(steepest, reverse=True) and steepest[2] < 0.3 * steepest[0]
    off, on = (mirrored(roughness=0.7, screenreflections=value) for value in ("off", "full"))
    np.testing.assert_array_equal(on, off)


def test_reflections_fade_towards_the_edge_of_the_picture():
    """A wall that leaves the picture at its top is reflected the weaker the higher up it is hit, without a step."""
    wall = '<geom type="box" size="3 0.1 3" pos="0 1.5 3" material="lamp"/>'
    off, on = (mirrored(body=wall, screenreflections=value)[:, SIZE[0] // 2, 1] for value in ("off", "full"))
    floor = int(np.nonzero(off > 0.2)[0].max()) + 4
    line = on[floor:]
    assert line[2] == pytest.approx(off[: floor - 8].mean(), rel=0.1)
    assert np.abs(np.diff(line)).max() < 0.15 * line[2]
    assert line[-1] < 0.05 * line[2]


def test_what_is_hidden_is_not_invented():
    """A ball in front of a lamp hides it: the floor before the ball shows the ball, not the lamp behind."""
    ball = '<geom size="0.5" pos="0 0 0.5" material="matte" rgba="0 0 0 1"/>'
    image = mirrored(body=LAMP + ball, screenreflections="full")[:, :, 1]
    assert image[int(0.8 * SIZE[1]) :, SIZE[0] // 2 - 20 : SIZE[0] // 2 + 20].max() < 0.02


def corner(head: str = "", **flags) -> np.ndarray:
    """A lit green wall beside a white floor that no lamp lights, under a dark sky."""
    wall = '<geom type="box" size="0.1 0.8 0.4" pos="-0.9 0 0.4" material="matte" rgba="0 1 0 1"/>'
    floor = '<geom type="box" size="3 3 0.1" pos="0 0 -0.1" material="matte" rgba="1 1 1 1"/>'
    lamp = '<light type="directional" dir="-1 0 0" diffuse="0.8 0.8 0.8" specular="0 0 0"/>'
    return shown(world(PERSPECTIVE + lamp + floor + wall, ASSETS.format(0, 1, 0) + head), **flags)


ROW = 140  # of the picture, which the wall begins left of


def form_factor(column: int) -> float:
    """Share of the light from around that the wall sends to the floor at a pixel: cosines, integrated over the wall."""
    model, data = load(world(PERSPECTIVE))
    view = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), size=SIZE).view
    origin, ray = view.ray((column + 0.5) / SIZE[0], (ROW + 0.5) / SIZE[1])
    x, y, _ = origin - ray * (origin[2] / ray[2])
    ys, zs = np.meshgrid(np.linspace(-0.8, 0.8, 401), np.linspace(0, 0.8, 401))
    r2 = (x + 0.8) ** 2 + (ys - y) ** 2 + zs**2
    return float((zs * (x + 0.8) / (np.pi * r2 * r2)).mean() * 1.6 * 0.8)


def shares(head: str = "", **flags) -> np.ndarray:
    """Light gained by the floor at three distances from the wall, as a share of the geometric prediction."""
    off, on = corner(indirect="off"), corner(head, **flags)
    gain = on - off
    assert gain[:, :, [0, 2]].max() < 0.01 and gain.min() > -0.01
    edge = int(np.nonzero(off[ROW, :, 1] > 0.2)[0].max())
    columns = edge + np.array([8, 22, 36])
    found = np.array([gain[ROW - 2 : ROW + 3, c - 2 : c + 3, 1].mean() for c in columns])
    return found / [off[ROW, edge - 3, 1] * form_factor(c) for c in columns]


def test_a_wall_lights_the_floor_as_geometry_says():
    """With many rays, the share of the floor's hemisphere that the wall covers, in the wall's colour."""
    many = SSGI.format("true", 1, 'raycount="8" stepcount="64" gidenoiseoffset="1"')
    np.testing.assert_allclose(shares(many), 1.0, atol=0.1)


@pytest.mark.parametrize("quality", ["half", "full"])
def test_few_rays_find_most_of_the_light(quality):
    share = shares(indirect=quality)
    assert share.min() > 0.82 and share.max() < 1.15


def plan(text: str, **flags) -> list[str]:
    """The passes of a frame."""
    model, data = load(text)
    scene = build(model, data, VisOptions(**flags), Camera(FIXED, fixedcamid=0))
    return [step.name for step, _ in GRAPH.plan(FrameContext(scene, of(scene.view), 64, 64, 4, True), ("image",))]


GLOSSY, MATTE = (world(PERSPECTIVE + FLOOR + LAMP, ASSETS.format(1, roughness, 0)) for roughness in (0.1, 0.9))


@pytest.mark.parametrize(
    ("text", "flags", "reflects", "lights"),
    [
        (GLOSSY, {}, False, False),
        (GLOSSY, {"screenreflections": "half"}, True, False),
        (MATTE, {"screenreflections": "half", "indirect": "full"}, False, True),
        (GLOSSY, {"screenreflections": "half", "indirect": "half", "wireframe": True}, False, False),
        (GLOSSY, {"screenreflections": "half", "reflection": False}, False, False),
    ],
)
def test_what_is_off_costs_no_pass(text, flags, reflects, lights):
    steps = plan(text, **flags)
    assert ("reflection" in steps, "indirect" in steps) == (reflects, lights)
    assert ("seen" in steps) == (reflects or lights)


def test_presets():
    """Off where speed counts; on in 'quality'."""
    fast, best = (with_preset(VisOptions(), preset) for preset in (Preset.PERFORMANCE, Preset.QUALITY))
    assert fast.screenreflections == fast.indirect == "off"
    assert best.screenreflections != "off" and best.indirect != "off"


def asked(settings: str, active: str = "true", scale: int = 4, **flags):
    """The scene of a model that asks by itself."""
    model, data = load(GLOSSY.replace("<worldbody>", SSGI.format(active, scale, settings) + "<worldbody>"))
    return build(model, data, VisOptions(**flags), Camera(FIXED, fixedcamid=0))


def test_a_model_can_ask_for_both():
    scene = asked('raycount="3" stepcount="5" thickness="0.2" intensity="2" gidenoiseoffset="3" rraycount="30"')
    light, mirror = scene.indirect, scene.reflections
    assert light is not None and mirror is not None
    assert (light.smaller, light.rays, light.steps, light.intensity, light.spread) == (4, 3, 5, 2.0, 3)
    assert light.thickness == mirror.thickness == 0.2
    assert (mirror.smaller, mirror.steps, mirror.spread) == (4, 30, 0)
    assert asked("", active="false").indirect is None
    assert asked("", indirect="off", screenreflections="off").indirect is None
    unsaid = asked("").indirect
    assert unsaid is not None and min(unsaid.rays, unsaid.steps, unsaid.intensity, unsaid.thickness) > 0


def test_its_intensity_and_its_filter_are_seen():
    """Twice the intensity is twice the light; the filter takes noise away."""
    lights = [
        corner(SSGI.format("true", 1, settings))[120:160, 140:180, 1]
        for settings in ('intensity="0.5"', 'intensity="1"', 'intensity="1" gidenoiseoffset="1"')
    ]
    weak, noisy, smooth = lights
    assert noisy.mean() == pytest.approx(2 * weak.mean(), rel=0.1)
    assert smooth.mean() == pytest.approx(noisy.mean(), rel=0.1)
    assert np.abs(np.diff(smooth)).mean() < 0.5 * np.abs(np.diff(noisy)).mean()
