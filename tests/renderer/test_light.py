"""Linear light from the surfaces to the screen: tone mapping, exposure, edges, the mirror, depth and normals."""

import numpy as np
import pytest

from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import MOST_EXPOSURE, ToneMapping, VisOptions
from kinetree.engine.scene.scene import encoded, linear
from kinetree.renderer import offscreen
from tests.engine.scene.worlds import load
from tests.renderer.test_render import DARK, FRONT, TOP, at, picture, world

ALBEDO = np.array([0.9, 0.5, 0.2])


def glowing(emission: float, **flags) -> np.ndarray:
    """The mean colour of a wall that shines by itself."""
    text = world(
        TOP + '<geom type="plane" size="9 9 1" material="m"/>',
        DARK
        + f'<asset><material name="m" emission="{emission}" metallic="0" specular="0" rgba="{" ".join(map(str, ALBEDO))} 1"/></asset>',
    )
    image = picture(text, 64, 64, skybox=False, bloom=False, **flags)
    return image[8:-8, 8:-8].reshape(-1, 3).mean(axis=0)


def knee(color: np.ndarray) -> np.ndarray:
    peak = color.max()
    if peak <= 0.8:
        return color
    squeezed = 1 - 0.04 / (peak - 0.6)
    white = 1 - 1 / (0.15 * max(peak - 3, 0) + 1)
    return color * squeezed / peak * (1 - white) + squeezed * white


def reinhard(color: np.ndarray) -> np.ndarray:
    light = color @ [0.2126, 0.7152, 0.0722]
    return np.minimum(color * (1 + light / 16) / (1 + light), 1)


def aces(color: np.ndarray) -> np.ndarray:
    return np.clip(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14), 0, 1)


def neutral(color: np.ndarray) -> np.ndarray:
    low = color.min()
    color = color - (low - 6.25 * low * low if low < 0.08 else 0.04)
    peak = color.max()
    if peak < 0.76:
        return color
    squeezed = 1 - 0.24 * 0.24 / (peak + 0.24 - 0.76)
    part = 1 / (0.15 * (peak - squeezed) + 1)
    return color * squeezed / peak * part + squeezed * (1 - part)


def agx(color: np.ndarray) -> np.ndarray:
    inset = np.array(
        [
            [0.842479062, 0.0784336, 0.079223745],
            [0.042328242, 0.878468636, 0.079166127],
            [0.042375655, 0.0784336, 0.879142974],
        ]
    )
    x = np.clip((np.log2(np.maximum(inset @ color, 1e-10)) + 12.47393) / (4.026069 + 12.47393), 0, 1)
    curved = np.polyval([15.5, -40.14, 31.96, -6.868, 0.4298, 0.1191, -0.00232], x)
    return np.clip(np.linalg.inv(inset) @ curved, 0, 1) ** 2.2


OPERATORS = {
    ToneMapping.NONE: lambda color: np.minimum(color, 1),
    ToneMapping.KNEE: knee,
    ToneMapping.REINHARD: reinhard,
    ToneMapping.ACES: aces,
    ToneMapping.AGX: agx,
    ToneMapping.NEUTRAL: neutral,
}


@pytest.mark.parametrize("emission", [0.3, 1.0, 6.0])
@pytest.mark.parametrize("tonemap", OPERATORS)
def test_tone_mapping_operators(tonemap, emission):
    expected = 255 * encoded(OPERATORS[tonemap](linear(ALBEDO) * emission))
    np.testing.assert_allclose(glowing(emission, tonemap=tonemap), expected, atol=0.6)


def test_every_operator_is_tested():
    assert set(OPERATORS) | {ToneMapping.MODEL} == set(ToneMapping)


@pytest.mark.parametrize("stops", [-2.0, 0.0, 1.5])
def test_a_stop_doubles_the_light(stops):
    expected = 255 * encoded(np.minimum(linear(ALBEDO) * 0.4 * 2**stops, 1))
    shown = glowing(0.4, tonemap=ToneMapping.NONE, exposure=stops)
    np.testing.assert_allclose(shown, expected, atol=0.6)


def test_exposure_is_limited():
    most = glowing(1.0, exposure=MOST_EXPOSURE)
    np.testing.assert_array_equal(glowing(1.0, exposure=1e9), most)
    assert glowing(1.0, exposure=-1e9).max() < 1 < most.min()


def test_dithering_keeps_the_mean():
    """Between two levels of an 8-bit screen, the mean of many pixels is right, not rounded."""
    exact = linear(77.4 / 255)
    shown = glowing(float(exact / linear(ALBEDO)[1]), tonemap=ToneMapping.NONE)
    assert shown[1] == pytest.approx(77.4, abs=0.12)


def test_edges_are_averaged_in_linear_light():
    """An edge through the middle of pixels has half of the light; a very bright side does not eat it up."""
    text = world(
        FRONT + '<geom type="box" size="1 0.01 1" pos="1 0 0" euler="0 3 0" material="m"/>',
        DARK + '<asset><material name="m" emission="50" specular="0" rgba="1 1 1 1"/></asset>',
    )
    image = picture(text, 200, 200, skybox=False, shadow=False, bloom=False)[70:130].astype(int)
    levels = {int(value) for value in np.unique(image) if 5 < value < 250}
    quarters = 255 * encoded(np.array([0.25, 0.5, 0.75]))
    assert levels
    assert all(np.abs(quarters - level).min() < 3 for level in levels)
    assert {int(np.abs(quarters - level).argmin()) for level in levels} == {0, 1, 2}


def test_the_mirror_has_no_halo():
    """Around the image of a dark ball under a bright sky, the floor is nowhere brighter than beside it."""
    text = world(
        FRONT.replace("0 -4 0", "0 -4 1")
        + '<geom type="plane" size="40 40 1" material="mirror"/>'
        + '<geom type="sphere" size="0.3" pos="0 0 0.5" rgba="0.02 0.02 0.02 1"/>',
        '<asset><texture type="skybox" builtin="flat" rgb1="1 1 1" width="8" height="48"/>'
        '<material name="mirror" rgba="0.2 0.2 0.2 1" reflectance="1" specular="0"/></asset>',
    )
    image = picture(text, 240, 160, haze=False, shadow=False).astype(int)[:, :, 0]
    below = int(160 * (0.5 + 0.5 * (1.5 / 4) / np.tan(np.radians(22.5))))
    row, beside = image[below, 90:150], image[below, 30:60]
    assert row.min() < beside.min() - 10  # the ball is seen
    assert row.max() <= beside.max() + 2


def test_the_mirror_shows_what_is_brighter_than_white():
    def shown(emission):
        text = world(
            FRONT.replace("0 -4 0", "0 -4 1")
            + '<geom type="plane" size="4 4 1" material="mirror"/>'
            + '<geom type="sphere" size="0.3" pos="0 0 0.5" rgba="1 1 1 1" material="lamp"/>',
            DARK + f'<asset><material name="lamp" metallic="0" emission="{emission}"/>'
            '<material name="mirror" rgba="0 0 0 1" reflectance="0.1" specular="0"/></asset>',
        )
        below = 0.5 + 0.5 * (1.5 / 4) / np.tan(np.radians(22.5))
        return at(picture(text, skybox=False, bloom=False, tonemap=ToneMapping.NONE), 0.5, below)

    # encoded colours add up, as in MuJoCo's renderer; beyond white, light counts as much as just below it
    np.testing.assert_allclose(shown(1.0), 255 * 0.1, atol=2)
    np.testing.assert_allclose(shown(6.0), 255 * 0.1 * (1 + 5 / 2.2), atol=2)


BALL = world(
    '<camera pos="0 -5 0" xyaxes="1 0 0 0 0 1" fovy="45"/><camera pos="0 -5 0" xyaxes="1 0 0 0 0 1" fovy="4" orthographic="true"/>'
    '<geom type="sphere" size="1"/><geom type="box" size="0.5 0.5 0.5" pos="0 -1.5 0" rgba="1 0 0 0.5"/>'
)


@pytest.mark.parametrize("samples", [0, 4])
@pytest.mark.parametrize("camera", [0, 1])
def test_distance_and_normals(camera, samples):
    """A ball's distances and normals are those of the rays through the pixels; glass in front does not count."""
    model, data = load(BALL)
    drawer = offscreen.shared()
    with drawer.renderer.context:
        options = VisOptions(samples=samples)
        scene = build(model, data, options, Camera(FIXED, fixedcamid=camera), size=(121, 101))
        image, distance, normal = drawer.renderer.read(scene, 121, 101, ["image", "distance", "normal"])
        np.testing.assert_array_equal(image, drawer.renderer.read(scene, 121, 101)[0])
    assert distance.shape == (101, 121) and normal.shape == (101, 121, 3)
    assert np.isinf(distance[0, 0]) and not normal[0, 0].any()
    for x, y in ((60, 50), (70, 50), (60, 35), (52, 60)):
        origin, direction = scene.view.ray((x + 0.5) / 121, (y + 0.5) / 101)
        along = -(origin @ direction) - np.sqrt((origin @ direction) ** 2 - origin @ origin + 1)
        point = origin + along * direction
        assert distance[y, x] == pytest.approx(scene.view.depth(point), abs=0.03)
        np.testing.assert_allclose(normal[y, x], point, atol=0.05)


def test_unknown_images_are_refused():
    model, data = load(BALL)
    drawer = offscreen.shared()
    with drawer.renderer.context:
        scene = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), size=(12, 10))
        with pytest.raises(KeyError, match="albedo"):
            drawer.renderer.read(scene, 12, 10, ["albedo"])


HAZY = """<mujoco><statistic extent="1" center="0 0 0"/><visual>
<headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/><rgba haze="0 1 0 1"/><map haze="{}" zfar="10"/></visual>
<asset><texture type="skybox" builtin="flat" rgb1="0 0 1" rgb2="0 0 1" width="8" height="48"/><material name="m" rgba="1 0 0 1"/>
</asset><worldbody><camera name="c" pos="0 0 1" xyaxes="1 0 0 0 0 1" fovy="90"/><geom type="plane" size="0 0 1" material="m"/>
</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("part", "covered"),
    [
        (0.3, {1.09: 0.765, 1.24: 0.420, 1.53: 0.0}),
        (0.6, {1.24: 0.773, 1.53: 0.537, 1.97: 0.259, 2.55: 0.0}),
        (1.0, {1.24: 0.894, 1.97: 0.675, 2.99: 0.502, 5.91: 0.290}),
    ],
)
def test_haze_covers_as_much_of_the_floor_as_in_the_reference(part, covered):
    """Also where it covers all of it: it is thin underfoot. `covered`: the haze's share of pixels of mujoco 3.3.4, by the
    slope of the view in slopes of the floor's end. Ours begins and ends more softly."""
    look = VisOptions(bloom=False, tonemap=ToneMapping.NONE)
    image = offscreen.shared().render(*load(HAZY.format(part)), 32, 400, "c", look)
    slope = (np.arange(400) + 0.5 - 200) / 200 * (0.7 * 10)
    ours = np.interp(list(covered), slope, image[:, 16, 1] / 255)
    np.testing.assert_allclose(ours, list(covered.values()), atol=0.11)
