"""Glossy things reflect the model around them, as it was seen from their middle."""

import copy

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import ToneMapping, VisOptions
from kinetree.engine.scene.scene import Scene, linear
from kinetree.renderer import offscreen
from kinetree.renderer.captured import CapturePolicy
from kinetree.renderer.frame import Renderer
from tests.renderer.test_render import DARK, world

HEAD = (
    DARK + '<statistic extent="4"/><asset><material name="chrome" metallic="1" roughness="{}" rgba="1 1 1 1"/>'
    '<material name="lamp" rgba="0 1 0 1" emission="0.5" specular="0"/><material name="matte" specular="0"/>'
    '<texture name="sky" type="skybox" builtin="flat" rgb1="0 0 0.5" rgb2="0 0 0.5" width="8" height="48"/></asset>'
)
CAMERA = '<camera pos="0 -4 1" xyaxes="1 0 0 0 0 1" fovy="30"/>'
BALL = '<geom size="0.5" pos="0 0 1" material="chrome"/>'
BEHIND = '<geom type="box" size="4 0.1 4" pos="0 -8 1" material="lamp"/>'  # behind the camera: only a mirror shows it
SIZE = 160, 160
CALM = {"haze": False, "shadow": False, "bloom": False, "occlusion": "off", "tonemap": ToneMapping.NONE}


def model_of(body: str, roughness: float = 0.0):
    model = kinetree.load_string(world(CAMERA + body, HEAD.format(roughness)))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    return model, data


def shown(body: str = BALL + BEHIND, roughness: float = 0.0, captures: int | str = 4) -> np.ndarray:
    model, data = model_of(body, roughness)
    return linear(kinetree.render(model, data, *SIZE, 0, VisOptions(**CALM, captures=captures)) / 255)


def middle(image: np.ndarray) -> np.ndarray:
    return image[78:83, 78:83].reshape(-1, 3).mean(axis=0)


def test_a_ball_shows_what_stands_behind_the_camera():
    """As bright as it is; without the effect the ball shows the sky alone."""
    off, on = (middle(shown(captures=value)) for value in (0, 4))
    np.testing.assert_allclose(off, linear([0, 0, 0.5]), atol=0.02)
    np.testing.assert_allclose(on, linear([0, 0.5, 0]), atol=0.02)


@pytest.mark.parametrize(("x", "z"), [(-3, 1), (3, 1), (0, 4), (0, -2)])
def test_things_are_reflected_on_their_side(x, z):
    """A lamp at one side of the ball is seen on that side of it."""
    lamp = f'<geom size="0.7" pos="{x} -0.5 {z}" material="lamp"/>'
    on = shown(BALL + lamp)[:, :, 1]
    inside = np.hypot(*(np.indices(SIZE) - 79.5)) < 33
    rows, columns = np.nonzero((on > 0.1) & inside)
    assert len(rows) > 20
    assert np.sign(np.round((columns.mean() - 79.5) / 8)) == np.sign(x)
    assert np.sign(np.round((79.5 - rows.mean()) / 8)) == np.sign(z - 1)


def test_near_things_are_reflected_where_they_are():
    """The lower edge of a wall close to the ball: a ray from the ball's middle meets it at another height than one from
    the surface. The reflection agrees with that of a ray from the surface."""
    wall = '<geom type="box" size="4 0.02 2" pos="0 -1.2 3.6" material="lamp"/>'
    on = shown(BALL + wall)[:, 79, 1]
    edge = int(np.nonzero(on[50:79] > 0.1)[0].max()) + 50
    model, data = model_of(BALL)
    view = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), size=SIZE).view
    heights = {}
    for row in range(50, 79):
        origin, ray = view.ray(0.5, (row + 0.5) / SIZE[1])
        offset = origin - [0, 0, 1]
        along = offset @ ray
        where = origin + ray * (-along - np.sqrt(along**2 - offset @ offset + 0.25))
        normal = (where - [0, 0, 1]) / 0.5
        out = ray - 2 * (ray @ normal) * normal
        heights[row] = (where + out * ((-1.2 - where[1]) / out[1]))[2]
    expected = min(heights, key=lambda row: abs(heights[row] - 1.6))
    assert edge == pytest.approx(expected, abs=2)


def test_reflections_blur_with_roughness():
    """The edge of a reflection gets wider; a matte ball needs no view."""
    half = '<geom type="box" size="4 0.1 4" pos="4 -8 1" material="lamp"/>'
    steepest = [np.abs(np.diff(shown(BALL + half, roughness)[79, 50:110, 1])).max() for roughness in (0.0, 0.2, 0.4)]
    assert steepest == sorted(steepest, reverse=True) and steepest[2] < 0.3 * steepest[0]
    np.testing.assert_array_equal(shown(BALL + half, 0.8), shown(BALL + half, 0.8, captures=0))


def test_small_things_and_matte_ones_cost_no_view():
    device = offscreen.shared().renderer.device
    shown('<geom size="0.05" pos="0 0 1" material="chrome"/>' + BEHIND)
    assert device.captured.count == 0
    shown('<geom size="0.5" pos="0 0 1" material="matte"/>' + BEHIND)
    assert device.captured.count == 0
    shown()
    assert device.captured.count == 1


@pytest.mark.parametrize(("size", "count"), [("0 0 1", 1), ("9 9 1", 0)], ids=["endless", "finite"])
def test_with_the_effect_floor_views_are_for_endless_floors(size, count):
    """A ball that shows the floor shows what stands on it; one that shows the sky alone goes on doing so."""
    floor = f'<geom type="plane" size="{size}" pos="0 0 -3" material="matte"/>'
    views = {}
    for captures in (0, "floor", 4):
        shown(BALL + BEHIND + floor, captures=captures)
        views[captures] = offscreen.shared().renderer.device.captured.count
    assert views == {0: 0, "floor": count, 4: 1}


def test_views_are_drawn_again_only_where_something_moved_and_rests():
    """While the lamp moves the ball shows where it was; then where it is. The camera does not count."""
    moving = '<body mocap="true" pos="-3 -0.5 1"><geom size="0.7" material="lamp"/></body>'
    model, data = model_of(BALL + moving + '<camera pos="0 -3.5 1" xyaxes="1 0 0 0 0 1" fovy="30"/>')
    drawing, scene = offscreen.shared().renderer, Scene()
    options = VisOptions(**CALM, captures=4)

    def sides(still: bool, camera: int = 0) -> tuple[float, float, int]:
        with drawing.device.context:
            build(model, data, options, Camera(FIXED, fixedcamid=camera), None, scene, SIZE)
            scene.still = still
            image = drawing.read(scene, *SIZE)[0][60:100, 50:110, 1].astype(float)
        return image[:, :25].mean(), image[:, 35:].mean(), drawing.calls

    left, right, first = sides(False)  # a model that is seen the first time
    assert left > 10 * (right + 0.1)
    data.mocap_pos[0, 0] = 3
    kinetree.kinematics(model, data)
    left, right, late = sides(False)
    assert left > 10 * (right + 0.1) and late < first
    left, right, fresh = sides(True)
    assert right > 10 * (left + 0.1) and fresh == first
    assert sides(True)[2] == sides(True, camera=1)[2] == late


def test_two_mirrors_side_by_side_see_each_other_without_end():
    """Each has a view of its own; a frame has a fixed number of them."""
    balls = "".join(f'<geom size="0.3" pos="{x} 0 1" material="chrome"/>' for x in (-1.4, -0.7, 0, 0.7, 1.4))
    image = shown(balls + BEHIND)
    assert offscreen.shared().renderer.device.captured.count == 4
    assert np.isfinite(image).all()


def test_the_first_picture_is_that_of_later_ones():
    """Making views leaves the maps of the surroundings where they were: a mirror shows the sky, not another's view."""
    stripes = DARK + '<statistic extent="4"/><asset><material name="chrome" metallic="1" roughness="0" rgba="1 1 1 1"/>'
    stripes += '<material name="lamp" rgba="0 1 0 1" emission="0.5" specular="0"/><texture name="sky" type="skybox" '
    stripes += 'builtin="checker" rgb1="1 1 1" rgb2="0 0 0" width="64" height="384"/></asset>'
    box = '<geom type="box" size="0.5 0.5 0.5" pos="0 0 1" euler="0 0 35" material="chrome"/>'
    model = kinetree.load_string(world(CAMERA + box + BEHIND, stripes))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    first, later = (kinetree.render(model, data, *SIZE, 0, VisOptions(**CALM, captures=4)) for _ in range(2))
    assert offscreen.shared().renderer.device.captured.count == 1
    np.testing.assert_array_equal(first, later)


def test_a_window_draws_views_after_its_picture():
    """The first picture shows the sky, then each view is drawn by itself; the picture after them is the usual one."""
    ball = '<geom size="0.3" pos="{} 0 1" material="chrome"/>'
    model, data = model_of(ball.format(-0.6) + ball.format(0.6) + BEHIND)
    expected = kinetree.render(model, data, *SIZE, 0, VisOptions(**CALM, captures=4))
    plain = kinetree.render(model, data, *SIZE, 0, VisOptions(**CALM, captures=0))
    drawing, scene = Renderer(), Scene()
    drawing.views = CapturePolicy.LATER
    with drawing.device.context:
        build(model, data, VisOptions(**CALM, captures=4), Camera(FIXED, fixedcamid=0), None, scene, SIZE)
        target = drawing.device.context.simple_framebuffer(SIZE)

        def picture() -> np.ndarray:
            drawing.draw(scene, target, *SIZE)
            return np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(*SIZE, 3)[::-1]

        first = picture()
        assert drawing.views_wait
        waiting = [drawing.views_wait, drawing.draw_view(scene, *SIZE), drawing.views_wait]
        waiting += [drawing.draw_view(scene, *SIZE), drawing.views_wait, drawing.draw_view(scene, *SIZE)]
        last = picture()
        target.release()
    drawing.release()
    np.testing.assert_array_equal(first, plain)
    assert waiting == [True, True, True, True, False, False]
    np.testing.assert_array_equal(last, expected)


def test_views_outlast_frames_without_them_and_of_other_things():
    """Frames with fewer effects, and pictures that hide things, cost no views of the next usual frame."""
    model, data = model_of(BALL + BEHIND)
    drawing, scene = offscreen.shared().renderer, Scene()
    options = VisOptions(**CALM, captures=4)

    def calls(wanted: CapturePolicy = CapturePolicy.ALL, **changes) -> int:
        drawing.views = wanted
        with drawing.device.context:
            changed = copy.copy(options)
            for name, value in changes.items():
                setattr(changed, name, value)
            build(model, data, changed, Camera(FIXED, fixedcamid=0), None, scene, SIZE)
            target = drawing.device.context.simple_framebuffer(SIZE)
            drawing.draw(scene, target, *SIZE)
            target.release()
        drawing.views = CapturePolicy.ALL
        return drawing.calls

    first, usual = calls(), calls()
    assert usual < first
    assert calls(captures=0) < first and calls() == usual
    assert calls(CapturePolicy.KEPT, geomgroup=[False] * 6) < first and calls() == usual
    assert calls(geomgroup=[False] * 6) < first and calls() == first
