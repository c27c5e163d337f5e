"""What must not break a picture: numbers that are none, triangles without area, windows without size, images that are
too large, and drivers that refuse samples."""

import numpy as np
import pytest

import engine
import renderer
from engine.scene.build import build
from engine.scene.camera import FIXED, Camera
from engine.scene.options import VisOptions
from renderer import offscreen
from tests.engine.scene.worlds import PRIMITIVES, load
from tests.renderer.test_render import FRONT, MATERIAL, at, world

TWO = (
    FRONT
    + '<light pos="0 -2 3"/><body pos="-0.8 0 0"><freejoint/><geom size="0.4" rgba="1 0 0 1"/></body>'
    + '<body name="other" pos="0.8 0 0"><freejoint/><geom size="0.4" rgba="0 1 0 1"/></body>'
    + '<geom type="plane" size="0 0 1" pos="0 0 -0.5" material="matte"/>'
)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1e300])
@pytest.mark.parametrize("field", ["geom_xpos", "geom_xmat", "light_xpos", "light_xdir"])
def test_a_pose_that_is_no_number_spoils_nothing_else(field, wrong):
    model, data = load(world(TWO, MATERIAL))
    fine = renderer.render(model, data, 120, 80, 0).astype(int)
    getattr(data, field)[0 if field.startswith("light") else 1] = wrong  # the second geom: the first one is the plane
    with np.errstate(all="ignore"):
        image = renderer.render(model, data, 120, 80, 0).astype(int)
    left, right = at(image, 0.34, 0.5), at(image, 0.66, 0.5)
    assert right[1] > 60 > right[0] and at(fine, 0.34, 0.5)[0] > 60
    if field.startswith("light"):
        assert left[0] > 60  # the headlight still shines


def test_every_pose_is_no_number():
    model, data = load(PRIMITIVES)
    for field in ("geom_xpos", "geom_xmat", "site_xpos", "light_xpos", "light_xdir", "xpos", "xmat"):
        getattr(data, field)[:] = np.nan
    assert renderer.render(model, data, 60, 40, 0).shape == (40, 60, 3)


def test_triangles_without_area_show_nothing():
    """A box as a mesh, once with triangles that are lines and points between the others."""
    corners = "-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"
    faces = "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5"

    def shown(more: str) -> np.ndarray:
        mesh = f'<mesh name="m" vertex="{corners}" face="{more} {faces} {more}" inertia="shell" smoothnormal="false"/>'
        model = engine.load_string(
            world(FRONT + '<geom type="mesh" mesh="m" euler="20 30 0"/>', f"<asset>{mesh}</asset>")
        )
        data = engine.Data(model)
        engine.kinematics(model, data)
        return renderer.render(model, data, 120, 80, 0)

    plain = shown("")
    assert np.ptp(plain) > 50
    np.testing.assert_array_equal(shown("0 0 1 3 3 3 0 7 0"), plain)


@pytest.mark.parametrize("size", [(0, 0), (0, 40), (60, 0), (1, 1), (1, 300), (-5, 10)])
def test_windows_without_size(size):
    model, data = load(PRIMITIVES)
    drawer = offscreen.shared()
    with drawer.renderer.device.context as context:
        scene = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), size=size)
        target = context.simple_framebuffer((max(size[0], 1), max(size[1], 1)))
        target.clear(0.5, 0.5, 0.5)
        for scale in (1.0, 0.5):
            drawer.renderer.draw(scene, target, *size, scale=scale)
        if min(size) <= 0:
            assert set(target.read()) == {127} or set(target.read()) == {128}
        target.release()
