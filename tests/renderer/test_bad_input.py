"""Bad input that must not break a picture: invalid numbers, triangles without area, windows without size, images that
are too large, and drivers that refuse samples.
"""

import moderngl
import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer import context as gl
from kinetree.renderer import offscreen
from kinetree.renderer.frame import Renderer
from kinetree.renderer.pool import Pool
from kinetree.renderer.resources import GpuAssets
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
    fine = kinetree.render(model, data, 120, 80, 0).astype(int)
    getattr(data, field)[0 if field.startswith("light") else 1] = wrong  # the second geom: the first one is the plane
    with np.errstate(all="ignore"):
        image = kinetree.render(model, data, 120, 80, 0).astype(int)
    left, right = at(image, 0.34, 0.5), at(image, 0.66, 0.5)
    assert right[1] > 60 > right[0] and at(fine, 0.34, 0.5)[0] > 60
    if field.startswith("light"):
        assert left[0] > 60  # the headlight still shines


def test_every_pose_is_no_number():
    model, data = load(PRIMITIVES)
    for field in ("geom_xpos", "geom_xmat", "site_xpos", "light_xpos", "light_xdir", "xpos", "xmat"):
        getattr(data, field)[:] = np.nan
    assert kinetree.render(model, data, 60, 40, 0).shape == (40, 60, 3)


def test_triangles_without_area_show_nothing():
    """A box as a mesh, once with triangles that are lines and points between the others."""
    corners = "-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"
    faces = "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5"

    def shown(more: str) -> np.ndarray:
        mesh = f'<mesh name="m" vertex="{corners}" face="{more} {faces} {more}" inertia="shell" smoothnormal="false"/>'
        model = kinetree.load_string(
            world(FRONT + '<geom type="mesh" mesh="m" euler="20 30 0"/>', f"<asset>{mesh}</asset>")
        )
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        return kinetree.render(model, data, 120, 80, 0)

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


def fresh(text: str, samples: int = 1, width: int = 90, height: int = 60, **flags) -> tuple[np.ndarray, list[str]]:
    """A picture by a renderer of its own, and what it says about it."""
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    context = gl.headless()
    with context:
        drawer = Renderer(context)
        scene = build(
            model, data, VisOptions(samples=samples, **flags), Camera(FIXED, fixedcamid=0), size=(width, height)
        )
        [image] = drawer.read(scene, width, height)
        remarks = list(drawer.remarks)
        drawer.release()
    context.release()
    return image, remarks


@pytest.mark.parametrize("most", [1, 2])
def test_a_driver_that_refuses_samples(monkeypatch, most):
    """It gets as many as it takes."""
    text = world(FRONT + '<geom type="box" size="0.5 0.5 0.5" euler="20 30 10"/>')
    make = Pool._make

    def refuse(pool, spec):
        if spec.samples > most:
            raise moderngl.Error("the framebuffer is not complete")
        return make(pool, spec)

    wanted, _ = fresh(text, most)
    monkeypatch.setattr(Pool, "_make", refuse)
    image, _ = fresh(text, 8)
    np.testing.assert_array_equal(image, wanted)


@pytest.mark.parametrize("kind", ["2d", "cube"])
def test_an_image_larger_than_the_driver_takes(monkeypatch, kind):
    """It is shown smaller, and that is said once."""
    size = 'width="64" height="64"' if kind == "2d" else 'width="64"'
    head = (
        f'<asset><texture name="t" type="{kind}" builtin="flat" rgb1="0.9 0.2 0.1" rgb2="0.9 0.2 0.1" {size}/>'
        '<material name="m" texture="t" emission="1" specular="0"/></asset>'
    )
    text = world(FRONT + '<geom type="box" size="1 0.1 1" material="m"/><geom size="0.1" material="m"/>', head)
    whole, nothing = fresh(text)
    monkeypatch.setattr(GpuAssets, "limit", lambda assets, name: 24)
    image, remarks = fresh(text)
    assert not nothing and len(remarks) == 1 and "64 x 64" in remarks[0] and "24" in remarks[0]
    assert np.abs(image.astype(int) - whole).max() <= 2


def test_means_of_pixels(monkeypatch):
    """Of an image twice as large as may be, each pixel is the mean of four."""
    monkeypatch.setattr(GpuAssets, "limit", lambda assets, name: 8)
    context = gl.headless()
    with context:
        assets = GpuAssets(context, None)
        pixels = np.random.default_rng(0).integers(0, 256, (16, 10, 3)).astype(np.uint8)
        small = assets.fitting(pixels, "GL_MAX_TEXTURE_SIZE")
        np.testing.assert_allclose(small, pixels.reshape(8, 2, 5, 2, 3).mean(axis=(1, 3)), atol=0.51)
        assert assets.fitting(pixels[:8, :8], "GL_MAX_TEXTURE_SIZE") is not None and len(assets.remarks) == 1
        assert assets.fitting(pixels[:1].repeat(2, axis=1), "GL_MAX_TEXTURE_SIZE").shape == (1, 6, 3)
        assets.release()
    context.release()
