"""Pictures that can be foretold: colours under known lights, areas, depth order, shadows, mirror images."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import encoded
from tests.engine.scene.worlds import PRIMITIVES, load

W, H = 240, 160
TOP = '<camera name="top" pos="0 0 4" xyaxes="1 0 0 0 1 0" fovy="45"/>'
FRONT = '<camera name="front" pos="0 -4 0" xyaxes="1 0 0 0 0 1" fovy="45"/>'
DARK = '<visual><headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/></visual>'
MATTE = '<default><geom rgba="0.5 0.5 0.5 1" material="matte"/></default>'
MATERIAL = '<asset><material name="matte" specular="0" rgba="0.6 0.5 0.4 1"/></asset>'


def world(body: str, head: str = "") -> str:
    return f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>"


def picture(text: str, width: int = W, height: int = H, camera=0, **flags) -> np.ndarray:
    return kinetree.render(*load(text), width, height, camera, VisOptions(**flags))


def at(image: np.ndarray, x: float, y: float) -> np.ndarray:
    """The pixel at fractions of the width and height, as int."""
    return image[int(y * image.shape[0]), int(x * image.shape[1])].astype(int)


def test_shape_type_and_repetition():
    image = picture(PRIMITIVES)
    assert image.shape == (H, W, 3) and image.dtype == np.uint8
    np.testing.assert_array_equal(image, picture(PRIMITIVES))


def test_headlight_on_a_matte_plane():
    image = picture(
        world(TOP + '<geom type="plane" size="5 5 1" material="matte"/>', MATERIAL), haze=False, skybox=False
    )
    expected = np.array([0.6, 0.5, 0.4]) * (0.4 + 0.1) * 255
    np.testing.assert_allclose(at(image, 0.5, 0.5), expected, atol=2)


def test_directional_light_by_its_angle():
    text = world(
        TOP
        + '<light type="directional" dir="0 0.8 -0.6" diffuse="0.7 0.5 0.3" specular="0 0 0" castshadow="false"/>'
        + '<geom type="plane" size="5 5 1" material="matte"/>',
        DARK + MATERIAL,
    )
    expected = np.array([0.6, 0.5, 0.4]) * [0.7, 0.5, 0.3] * 0.6 * 255
    np.testing.assert_allclose(at(picture(text), 0.5, 0.5), expected, atol=2)


def test_point_light_falls_off():
    text = world(
        TOP
        + '<light type="point" pos="0 0 2" diffuse="0.8 0.8 0.8" specular="0 0 0" attenuation="0 0 1"/>'
        + '<geom type="plane" size="5 5 1" material="matte"/>',
        DARK + MATERIAL,
    )
    image = picture(text)
    full = np.array([0.6, 0.5, 0.4]) * 0.8 * 255
    np.testing.assert_allclose(at(image, 0.5, 0.5), full / 4, atol=2)
    # a metre aside: half of the picture's height shows 4 tan(22.5 deg)
    aside = 0.5 - 0.5 / (4 * np.tan(np.radians(22.5)))
    np.testing.assert_allclose(at(image, 0.5, aside), full / 5 * 2 / np.sqrt(5), atol=3)


def test_spot_is_a_disc():
    text = world(
        TOP
        + '<light pos="0 0 2" dir="0 0 -1" cutoff="20" exponent="0" diffuse="1 1 1" castshadow="false"/>'
        + '<geom type="plane" size="5 5 1" material="matte"/>',
        DARK + MATERIAL,
    )
    image = picture(text, 300, 300).astype(int)[:, :, 0]
    lit = image > 0.5 * image.max()
    radius = np.sqrt(lit.sum() / np.pi) / 150 * 4 * np.tan(np.radians(22.5))
    assert radius == pytest.approx(2 * np.tan(np.radians(20)), rel=0.06)
    assert image[0, 0] == 0


@pytest.mark.parametrize("distance", [2.0, 4.0, 30.0])
def test_a_sphere_covers_its_disc(distance):
    text = world(
        f'<camera pos="0 {-distance} 0" xyaxes="1 0 0 0 0 1" fovy="45"/><geom type="sphere" size="0.5" rgba="0 1 0 1"/>'
    )
    image = picture(text, 400, 400, segment=True, idcolor=True)
    angle = np.arcsin(0.5 / distance)
    radius = 200 * np.tan(angle) / np.tan(np.radians(22.5))
    assert image.any(axis=2).sum() == pytest.approx(np.pi * radius**2, rel=0.01 if distance < 10 else 0.1)


def test_panes_blend_in_the_order_of_depth():
    def pane(y, rgba):
        return f'<geom type="box" size="1 0.01 1" pos="0 {y} 0" rgba="{rgba}" material="self"/>'

    head = DARK + '<asset><material name="self" emission="1" specular="0"/></asset>'
    wall = pane(1, "0 0 1 1")
    near_green = picture(world(FRONT + wall + pane(0, "1 0 0 0.5") + pane(-1, "0 1 0 0.5"), head), bloom=False)
    near_red = picture(world(FRONT + wall + pane(0, "0 1 0 0.5") + pane(-1, "1 0 0 0.5"), head), bloom=False)
    np.testing.assert_allclose(at(near_green, 0.5, 0.5), 255 * encoded([0.25, 0.5, 0.25]), atol=2)
    np.testing.assert_allclose(at(near_red, 0.5, 0.5), 255 * encoded([0.5, 0.25, 0.25]), atol=2)


def test_opaque_hides_transparent():
    text = world(
        FRONT
        + '<geom type="box" size="1 0.01 1" pos="0 1 0" rgba="1 0 0 0.5" material="matte"/>'
        + '<geom type="box" size="1 0.01 1" rgba="0 0 1 1" material="matte"/>',
        MATERIAL,
    )
    assert at(picture(text), 0.5, 0.5)[0] < 5


SHADOWED = world(
    '<camera name="side" pos="0 -6 3" xyaxes="1 0 0 0 0.447 0.894" fovy="45"/>'
    + '<light {light} diffuse="0.8 0.8 0.8" specular="0 0 0"/>'
    + '<geom type="plane" size="4 4 1" material="matte"/>'
    + '<geom type="box" size="0.5 0.5 {half}" pos="0 0 {height}" material="matte" rgba="0.9 0.2 0.2 1"/>',
    DARK + MATERIAL,
)
LAMPS = {
    "directional": 'type="directional" pos="0 0 5" dir="0.5 -0.3 -1"',
    "spot": 'pos="-2.5 1.5 5" dir="0.5 -0.3 -1" cutoff="40" exponent="0"',
}


@pytest.mark.parametrize("lamp", LAMPS)
def test_shadow_lies_where_the_light_says(lamp):
    text = SHADOWED.format(light=LAMPS[lamp], half=0.05, height=1.0)
    model, data = load(text)
    lit = kinetree.render(model, data, 480, 320, 0, VisOptions(shadow=False)).astype(int)
    image = kinetree.render(model, data, 480, 320, 0, VisOptions()).astype(int)
    view = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), size=(480, 320)).view
    if lamp == "directional":
        centre = np.array([0.5, -0.3, 0.0])
    else:
        centre = np.array([-2.5, 1.5, 5]) + 5 / 4 * np.array([2.5, -1.5, -4])
    x, y, _ = view.project(centre)[0]
    assert at(image, x, y).max() < 12 < at(lit, x, y).max()
    # outside the shadow nothing darkens: no acne, no rim of the map
    changed = np.abs(image - lit).max(axis=2) > 6
    corners = [[-3.5, -2, 0], [3.5, -2, 0], [3.5, 3, 0], [-3.5, 3, 0], [-1.2, 0.9, 0], [1.6, -1.2, 0]]
    for x, y, _ in view.project(np.array(corners, float)):
        if 0 <= x < 1 and 0 <= y < 1:
            assert not changed[int(y * 320), int(x * 480)]
    assert 0.01 < changed.mean() < 0.12


@pytest.mark.parametrize("lamp", LAMPS)
def test_no_gap_between_a_box_and_its_shadow(lamp):
    """Along the box's shadowed foot, the floor is dark within two pixels."""
    model, data = load(SHADOWED.format(light=LAMPS[lamp], half=0.4, height=0.4))
    image = kinetree.render(model, data, 960, 640, 0, VisOptions()).astype(int)
    view = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), size=(960, 640)).view
    foot = np.array([[x, -0.5, 0.0] for x in np.linspace(-0.3, 0.4, 15)])
    for x, y, _ in view.project(foot):
        column = image[int(y * 640) + 3, int(x * 960)]
        assert column.max() < 14


def test_soft_edge_of_a_shadow():
    image = picture(SHADOWED.format(light=LAMPS["directional"], half=0.05, height=1.0), 960, 640).astype(int)
    values = np.unique(image[:, :, 1])
    assert len(values[(values > values.min() + 10) & (values < values.max() - 10)]) > 8


def test_glass_casts_a_lighter_shadow():
    def darkest(alpha):
        text = SHADOWED.format(light=LAMPS["directional"], half=0.05, height=1.0)
        model, data = load(text.replace("0.9 0.2 0.2 1", f"0.9 0.2 0.2 {alpha}"))
        image = kinetree.render(model, data, 480, 320, 0, VisOptions())
        view = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), size=(480, 320)).view
        x, y, _ = view.project(np.array([0.5, -0.3, 0.0]))[0]
        return at(image, x, y)[1]

    assert darkest(1) < darkest(0.5) < darkest(0.25)


def test_mirror_image():
    text = world(
        FRONT.replace("0 -4 0", "0 -4 1")
        + '<geom type="plane" size="4 4 1" material="mirror"/>'
        + '<geom type="sphere" size="0.2" pos="0 0 0.5" rgba="0 1 0 1"/>'
        + '<geom type="sphere" size="0.2" pos="0.8 0 -0.5" rgba="1 0 1 1"/>',
        '<asset><material name="mirror" rgba="0.1 0.1 0.1 1" reflectance="0.6" specular="0"/></asset>',
    )
    slope = np.tan(np.radians(22.5))
    below = 0.5 + 0.5 * (1.5 / 4) / slope  # the image lies as deep as the ball is high
    on, off = picture(text), picture(text, reflection=False)
    assert at(on, 0.5, below)[1] > at(off, 0.5, below)[1] + 60
    # what is below the plane is not seen in it
    aside = 0.5 + 0.5 * (0.8 / 4) / slope * H / W
    assert abs(at(on, aside, below) - at(off, aside, below)).max() < 25
    assert at(on, aside, below)[0] < 100


def test_texture_corners():
    """A 2 x 2 checker: rgb1 where x < 0 < y and 0 > y, x > 0 (image top left at -x, +y)."""
    text = world(
        TOP + '<geom type="plane" size="1 1 1" material="tex"/>',
        '<asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>'
        '<material name="tex" texture="t" specular="0"/></asset>',
    )
    image = picture(text)
    for x, y, red in ((0.45, 0.4, True), (0.55, 0.4, False), (0.45, 0.6, False), (0.55, 0.6, True)):
        pixel = at(image, x, y)
        assert (pixel[0] > 60 > pixel[2]) if red else (pixel[2] > 60 > pixel[0])


def test_texuniform_counts_in_metres():
    def edges(uniform, size):
        text = world(
            TOP + f'<geom type="plane" size="{size} {size} 1" material="tex"/>',
            '<asset><texture name="t" type="2d" builtin="checker" rgb1="1 1 1" rgb2="0 0 0" width="64" height="64"/>'
            f'<material name="tex" texture="t" texrepeat="2 2" texuniform="{uniform}" specular="0"/></asset>',
        )
        height = int(200 - 0.3 * size * 200 / (4 * np.tan(np.radians(22.5))))
        row = picture(text, 400, 400, skybox=False)[height, :, 0] > 90
        return np.count_nonzero(row[1:] != row[:-1])

    assert edges("false", 0.5) == edges("false", 1.0)
    assert edges("true", 1.0) > edges("true", 0.5)


def test_infinite_plane_stands_still():
    """A world point keeps its colour when the camera moves along."""
    text = PRIMITIVES.replace('name="front" pos="0 -6 1" xyaxes="1 0 0 0 0.1 1"', 'name="front" pos="0 -6 1"').replace(
        'material name="tex" texture="t"', 'material name="tex" texture="t" texuniform="true" specular="0"'
    )
    model, data = load(text)
    options = VisOptions(geomgroup=[True] * 6, shadow=False)
    point = np.array([7.3, 8.4, 0.0])
    colours = []
    for azimuth, distance in ((90, 3.0), (30, 4.0), (200, 5.0), (-60, 3.3)):
        camera = Camera(lookat=point, distance=distance, azimuth=azimuth, elevation=-60)
        colours.append(at(kinetree.render(model, data, W, H, camera, options), 0.5, 0.5))
    assert len({(pixel[0] > 60, pixel[2] > 60) for pixel in colours}) == 1


def test_no_aliasing_at_the_horizon():
    text = world(
        '<camera pos="0 0 1" xyaxes="1 0 0 0 0 1" fovy="45"/><geom type="plane" size="0 0 1" material="tex"/>'
        '<light type="directional" dir="0 0 -1"/>',
        '<asset><texture name="t" type="2d" builtin="checker" rgb1="1 1 1" rgb2="0 0 0" width="64" height="64"/>'
        '<material name="tex" texture="t" texrepeat="5 5" texuniform="true" specular="0"/></asset>',
    )
    image = picture(text, 320, 240).astype(int)[:, :, 1]
    near, far = image[-40:], image[124:140]
    assert np.abs(np.diff(near, axis=1)).max() > 60
    assert np.abs(np.diff(far, axis=1)).max() < 12


def test_segment_ids():
    model, data = load(PRIMITIVES)
    options = VisOptions(segment=True, idcolor=True)
    image = kinetree.render(model, data, W, H, 0, options).astype(int)
    scene = build(model, data, options, Camera(FIXED, fixedcamid=0), size=(W, H))
    codes = image[:, :, 0] + 256 * image[:, :, 1] + 65536 * image[:, :, 2]
    seen = {model.geom(scene.segments[code - 1, 1]).name for code in np.unique(codes[codes > 0])}
    assert {"sphere", "ellipsoid", "cylinder", "box", "floor", "tetra", "hill"} <= seen
    x, y, _ = scene.view.project(data.geom_xpos[model.geom("ellipsoid").id])[0]
    assert scene.segments[codes[int(y * H), int(x * W)] - 1, 1] == model.geom("ellipsoid").id


@pytest.mark.parametrize("kind", ["sphere", "capsule", "ellipsoid", "cylinder", "box"])
def test_faces_look_outwards(kind):
    """Under the headlight alone every primitive is brightest where it faces the viewer, and has no holes."""
    text = world(FRONT + f'<geom type="{kind}" size="0.5 0.5 0.5" euler="30 20 10" rgba="1 1 1 1"/>')
    image = picture(text, skybox=False).astype(int)
    assert at(image, 0.5, 0.5)[0] > 105
    covered = picture(text, segment=True, idcolor=True).any(axis=2)
    assert image[covered].min() > 5
    np.testing.assert_array_equal(covered, picture(text, segment=True, idcolor=True, cullface=False).any(axis=2))


def test_metal_is_not_black_and_rougher_means_blurrier():
    def ball(roughness):
        text = world(
            FRONT
            + '<light type="directional" dir="0 0 -1"/><geom type="plane" size="0 0 1" pos="0 0 -1"/><geom type="sphere" size="0.8" material="m"/>',
            '<asset><texture type="skybox" builtin="gradient" rgb1="0.3 0.5 0.9" rgb2="0.9 0.9 0.9" width="64" '
            f'height="384"/><material name="m" metallic="1" roughness="{roughness}" rgba="0.9 0.9 0.9 1"/></asset>',
        )
        return picture(text, shadow=False).astype(int)[40:120, 100:140].mean(axis=(1, 2))

    sharp, blurred = ball(0.02), ball(0.9)
    assert sharp.min() > 20 and blurred.min() > 20
    assert np.abs(np.diff(sharp)).max() > 1.5 * np.abs(np.diff(blurred)).max()


def test_fog_swallows_the_distance():
    text = world(
        FRONT + '<geom type="sphere" size="1" pos="0 20 0"/><geom type="sphere" size="0.2" pos="-1 0 0"/>',
        '<statistic extent="1"/><visual><map fogstart="5" fogend="10"/><rgba fog="0.2 0.6 0.3 1"/></visual>',
    )
    image = picture(text, fog=True)
    np.testing.assert_allclose(at(image, 0.5, 0.5), np.array([0.2, 0.6, 0.3]) * 255, atol=3)
    np.testing.assert_allclose(at(image, 0.9, 0.1), np.array([0.2, 0.6, 0.3]) * 255, atol=3)


def test_orthographic_camera_keeps_size():
    text = world(
        '<camera pos="0 -4 0" xyaxes="1 0 0 0 0 1" orthographic="true" fovy="4"/>'
        '<geom type="sphere" size="0.5" pos="-1 0 0"/><geom type="sphere" size="0.5" pos="1 9 0"/>'
    )
    covered = picture(text, 400, 300, segment=True, idcolor=True)
    near, far = (np.count_nonzero(covered[:, :, 0] == code) for code in (1, 2))
    assert near == pytest.approx(far, rel=0.02) and near == pytest.approx(np.pi * 37.5**2, rel=0.02)


def test_sky_directions():
    text = world(
        '<camera name="up" pos="0 0 0" xyaxes="1 0 0 0 1 0"/><camera name="level" pos="0 0 0" xyaxes="1 0 0 0 0 1"/>'
        '<camera name="down" pos="0 0 0" xyaxes="1 0 0 0 1 0"/>',
        '<asset><texture type="skybox" builtin="gradient" rgb1="1 0 0" rgb2="0 0 1" width="128" height="768"/></asset>',
    ).replace('name="up" pos="0 0 0" xyaxes="1 0 0 0 1 0"', 'name="up" pos="0 0 0" xyaxes="1 0 0 0 -1 0"')
    up, level, down = (at(picture(text, camera=name), 0.5, 0.5) for name in ("up", "level", "down"))
    assert up[0] > level[0] > down[0] and down[2] > level[2] > up[2]


def test_wireframe_shows_what_is_behind():
    model, data = load(PRIMITIVES)
    solid = kinetree.render(model, data, W, H, 0, VisOptions(segment=True)).any(axis=2).mean()
    wire = kinetree.render(model, data, W, H, 0, VisOptions(segment=True, wireframe=True)).any(axis=2).mean()
    assert wire < 0.5 * solid


def test_many_lights_all_shine():
    lights = "".join(
        f'<light pos="{x} {y} 0.3" dir="0 0 -1" cutoff="30" exponent="0" diffuse="1 1 1" castshadow="false"/>'
        for x in range(-4, 5)
        for y in range(-4, 5)
    )
    text = world(
        '<camera pos="0 0 12" xyaxes="1 0 0 0 1 0" fovy="45"/><geom type="plane" size="9 9 1" material="matte"/>'
        + lights,
        DARK + MATERIAL,
    )
    image = picture(text, 400, 400).astype(int)[:, :, 0]
    scale = 200 / (12 * np.tan(np.radians(22.5)))
    pools = [image[int(200 - y * scale), int(200 + x * scale)] for x in range(-4, 5) for y in range(-4, 5)]
    assert min(pools) > 100


def test_cameras_by_name_and_number():
    model, data = load(PRIMITIVES)
    by_name = kinetree.render(model, data, 60, 40, "front")
    np.testing.assert_array_equal(by_name, kinetree.render(model, data, 60, 40, 0))
    with pytest.raises(KeyError, match="no camera 'back'; the model has: front"):
        kinetree.render(model, data, 60, 40, "back")
    with pytest.raises(IndexError, match="camera 4 does not exist: the model has 1"):
        kinetree.render(model, data, 60, 40, 4)


def test_empty_model_is_a_background():
    image = picture("<mujoco/>", camera=None)
    assert image.std() > 0 and image.max() < 160


def test_a_section_shows_the_inside_as_if_it_was_cut():
    from kinetree.engine.scene.section import across

    model = kinetree.load_string(
        '<mujoco><worldbody><geom name="ball" size=".5" rgba="1 0 0 1"/><geom name="core" size=".1" rgba="0 0 1 1"/>'
        '<camera pos="0 -3 0" xyaxes="1 0 0 0 0 1" fovy="30"/></worldbody></mujoco>'
    )
    data = kinetree.Data(model)
    kinetree.forward(model, data)

    def middle(section):
        picture = kinetree.render(model, data, 64, 64, camera=0, options=VisOptions(shadow=False, section=section))
        return picture[30:34, 24:40].astype(int)

    whole, cut, away = middle(None), middle(across((0, 0, 0), (0, -1, 0))), middle(across((0, 5, 0), (0, -1, 0)))
    assert (whole[..., 0] > whole[..., 2] + 60).all()
    assert (cut[:, :3, 0] > cut[:, :3, 2] + 30).all(), "the cut ball is red inside"
    assert (cut[:, 6:10, 2] > cut[:, 6:10, 0]).all(), "the core in it is blue"
    assert (np.abs(away[..., 0] - away[..., 2]) < 80).all() and not np.allclose(away, cut)


CUT_OPEN = """<mujoco><worldbody><geom type="{type}" size="{size}" rgba="1 0 0 1"/>
  <geom pos="0 {y} 0" size=".1" rgba="0 0 1 1"/><camera pos="0 -3 0" xyaxes="1 0 0 0 0 1" {lens}/></worldbody></mujoco>"""


@pytest.mark.parametrize("lens", ['fovy="30"', 'orthographic="true" fovy="2"'])
@pytest.mark.parametrize("segment", [False, True])
@pytest.mark.parametrize(
    ("type", "size"),
    [("sphere", ".5"), ("ellipsoid", ".5 .4 .3"), ("capsule", ".4 .2"), ("cylinder", ".4 .3"), ("box", ".4 .5 .3")],
)
def test_a_cut_hides_what_is_inside_behind_it(type, size, segment, lens):
    from kinetree.engine.scene.section import across

    def middle(y: float):
        """The middle of the picture, with a ball so far behind the plane."""
        model = kinetree.load_string(CUT_OPEN.format(type=type, size=size, y=y, lens=lens))
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        options = VisOptions(shadow=False, segment=segment, section=across((0, 0, 0), (0, -1, 0)))
        return kinetree.render(model, data, 64, 64, camera=0, options=options)[32, 32].astype(int)

    alone = middle(50.0)
    np.testing.assert_allclose(middle(0.15), alone, atol=3, err_msg="it is inside, behind the cut")
    assert np.abs(middle(0.05) - alone).max() > 20, "the plane cuts it too"


MESHES = """<mujoco><asset>
  <mesh name="block" vertex="{block}"/>
  <mesh name="open" vertex="-.4 -.4 -.4 .4 -.4 -.4 .4 .4 -.4 -.4 .4 -.4 -.4 -.4 .4 .4 -.4 .4 .4 .4 .4 -.4 .4 .4"
        face="0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7" inertia="shell"/>
  <hfield name="hill" nrow="8" ncol="8" size=".45 .45 .1 .4" elevation="{hill}"/></asset><worldbody>
  {geoms} <camera pos="0 -3 0" xyaxes="1 0 0 0 0 1" {lens}/></worldbody></mujoco>"""
BLOCK = " ".join(f"{x} {y} {z}" for x in (-0.4, 0.4) for y in (-0.4, 0.4) for z in (-0.4, 0.4))
RED, BLUE, GREEN = (f'rgba="{rgb} 1"' for rgb in ("1 0 0", "0 0 1", "0 1 0"))


def cut_middle(geoms: str, segment: bool = False, lens: str = 'fovy="30"', size: int = 64):
    """The middle of a picture of meshes that are cut open at y = 0."""
    from kinetree.engine.scene.section import across

    model = kinetree.load_string(MESHES.format(geoms=geoms, lens=lens, block=BLOCK, hill=" ".join(["1"] * 64)))
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    options = VisOptions(shadow=False, segment=segment, section=across((0, 0, 0), (0, -1, 0)))
    picture = kinetree.render(model, data, size, size, camera=0, options=options)
    return picture[size // 2, size // 2].astype(int)


@pytest.mark.parametrize("lens", ['fovy="30"', 'orthographic="true" fovy="2"'])
@pytest.mark.parametrize("segment", [False, True])
@pytest.mark.parametrize(
    "shape", ['type="mesh" mesh="block"', 'type="hfield" hfield="hill" pos="0 0 .2"'], ids=["mesh", "hfield"]
)
def test_a_cut_mesh_hides_what_is_inside_behind_it(shape, segment, lens):
    def middle(inner: str):
        return cut_middle(f"<geom {shape} {RED}/>{inner}", segment, lens)

    alone = middle("")
    for inner in (f'<geom pos="0 .15 0" size=".1" {BLUE}/>', f'<geom type="mesh" mesh="block" pos="0 .5 0" {BLUE}/>'):
        np.testing.assert_allclose(middle(inner), alone, atol=3, err_msg="it is inside, or behind the cut")
    assert np.abs(middle(f'<geom pos="0 .05 0" size=".1" {BLUE}/>') - alone).max() > 20, "the plane cuts it too"


def test_of_meshes_in_one_another_the_inner_cut_is_seen():
    """The plane cuts the red block and, in it, the green one; the blue one lies inside behind the cut."""
    small = f'<mesh name="small" scale=".25 .25 .25" vertex="{BLOCK}"/></asset>'
    scene = MESHES.replace("</asset>", small)
    import kinetree.engine.scene.section as section

    def middle(geoms: str):
        model = kinetree.load_string(
            scene.format(geoms=geoms, lens='fovy="30"', block=BLOCK, hill=" ".join(["1"] * 64))
        )
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        options = VisOptions(shadow=False, section=section.across((0, 0, 0), (0, -1, 0)))
        return kinetree.render(model, data, 64, 64, camera=0, options=options)[32, 32].astype(int)

    red, green, blue = (
        f'<geom type="mesh" mesh="{name}" pos="0 {y} 0" {colour}/>'
        for name, y, colour in (("block", 0, RED), ("small", 0.05, GREEN), ("small", 0.25, BLUE))
    )
    both = middle(red + green)
    assert both[1] > both[0] + 30
    np.testing.assert_allclose(middle(red + green + blue), both, atol=3)
    alone = middle(red)
    np.testing.assert_allclose(middle(red + blue), alone, atol=3)
    np.testing.assert_allclose(middle(red + red + blue), alone, atol=3, err_msg="two in the same place")


def test_an_open_mesh_still_shows_what_is_in_it():
    """A box without a lid has no inside: what lies in it is seen."""
    bowl = f'<geom type="mesh" mesh="open" {RED}/>'
    inner = cut_middle(f'{bowl}<geom pos="0 .15 0" size=".1" {BLUE}/>')
    assert inner[2] > inner[0] + 30


def test_what_is_made_transparent_lets_through_what_is_behind():
    from kinetree.engine.model.kinds import ObjectId

    model = kinetree.load_string(
        '<mujoco><worldbody><geom size=".5" rgba="1 0 0 1"/><geom size=".3" pos="0 2 0" rgba="0 0 1 1"/>'
        '<camera pos="0 -3 0" xyaxes="1 0 0 0 0 1" fovy="30"/></worldbody></mujoco>'
    )
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    pictures = [
        kinetree.render(model, data, 64, 64, camera=0, options=VisOptions(shadow=False, faded=faded))[32, 32].astype(
            int
        )
        for faded in (frozenset(), frozenset({ObjectId("geom", 0)}))
    ]
    assert pictures[1][2] > pictures[0][2] + 40
