"""The renderer as an owner of GL handles: calls, sizes, contexts that come and go."""

import ctypes
import ctypes.util
import subprocess
import sys
import threading

import moderngl
import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import default_free
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer import context as gl
from kinetree.renderer import offscreen
from kinetree.renderer.frame import Renderer
from tests.engine.scene.worlds import PRIMITIVES, load
from tests.patience import LIMIT


@pytest.fixture
def context():
    made = gl.headless()
    with made:
        yield made
    made.release()  # while it is not current: Qt could not make its own current otherwise


def draw(drawer, text=PRIMITIVES, size=(160, 100), **flags) -> np.ndarray:
    model, data = load(text)
    scene = build(model, data, VisOptions(**flags), default_free(model), size=size)
    return drawer.read(scene, *size)[0]


def living(context) -> dict[str, int]:
    """How many objects of each kind the driver holds in the current context."""
    library = ctypes.CDLL(ctypes.util.find_library("EGL"))
    library.eglGetProcAddress.restype = ctypes.c_void_p
    counts = {}
    for kind in ("Buffer", "Texture", "Renderbuffer", "Framebuffer", "VertexArray", "Program", "Shader"):
        address = library.eglGetProcAddress(f"glIs{kind}".encode())
        exists = ctypes.CFUNCTYPE(ctypes.c_ubyte, ctypes.c_uint)(address)
        counts[kind] = sum(exists(name) for name in range(1, 2000))
    return counts


def test_release_leaves_nothing(context):
    before = living(context)
    drawer = Renderer(context)
    draw(drawer, contactpoint=True)
    draw(drawer, size=(200, 120))
    assert living(context) != before
    drawer.release()
    drawer.release()
    # OpenGL keeps the program that was used last until another one is
    assert living(context) in (
        before,
        before | {"Program": before["Program"] + 1, "Shader": before["Shader"] + 2},
    )
    assert context.error == "GL_NO_ERROR"


CLOTH = """<mujoco><worldbody><light pos="0 0 3" dir="0 0 -1"/><geom type="plane" size="2 2 .1"/>
<flexcomp name="cloth" type="grid" dim="2" count="9 9 1" spacing=".1 .1 .1" pos="0 0 .5" radius=".01" rgba="1 .1 0 1"/>
</worldbody></mujoco>"""


def test_moving_meshes_are_followed_and_freed(context):
    before = living(context)
    drawer = Renderer(context)
    model, data = load(CLOTH)
    scene, size = None, (160, 100)
    pictures, buffers = [], []
    for step in range(4):
        data.qpos.reshape(-1, 3)[:, 2] = 0.1 * (step // 2)
        mujoco.mj_forward(model, data)
        scene = build(model, data, VisOptions(), default_free(model), None, scene, size)
        pictures.append(drawer.read(scene, *size)[0].astype(int))
        buffers.append(living(context)["Buffer"])
    assert abs(pictures[0] - pictures[1]).max() == 0
    assert abs(pictures[1] - pictures[2]).max() > 50
    assert len(set(buffers)) == 1
    scene = build(model, data, VisOptions(flexskin=False), default_free(model), None, scene, size)
    drawer.read(scene, *size)
    assert not scene.surfaces
    draw(drawer)  # another model
    drawer.release()
    assert living(context)["Buffer"] == before["Buffer"]
    assert context.error == "GL_NO_ERROR"


def test_a_new_context_shows_the_same(context):
    drawer = Renderer(context)
    first = draw(drawer)
    drawer.release()
    other = gl.headless()
    with other:
        drawer.use_context(other)
        np.testing.assert_array_equal(draw(drawer), first)
        drawer.release()
    other.release()


def test_models_and_sizes_change(context):
    drawer = Renderer(context)
    first = draw(drawer)
    draw(drawer, "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", (33, 57))
    np.testing.assert_array_equal(draw(drawer), first)
    assert draw(drawer, size=(1, 1)).shape == (1, 1, 3)
    target = context.framebuffer([context.renderbuffer((4, 4))])
    drawer.draw(build(*load(), VisOptions(), default_free(load()[0])), target, 0, 10)
    drawer.release()


def test_draws_into_a_given_framebuffer(context):
    drawer = Renderer(context)
    expected = draw(drawer)
    target = context.framebuffer([context.renderbuffer((160, 100))], context.depth_renderbuffer((160, 100)))
    model, data = load()
    scene = build(model, data, VisOptions(), default_free(model), size=(160, 100))
    for samples in (4, 0):
        scene.effects.samples, scene.effects.fxaa = samples, False
        drawer.draw(scene, target, 160, 100)
        image = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(100, 160, 3)[::-1]
        if samples:
            np.testing.assert_array_equal(image, expected)
        else:
            assert np.abs(image.astype(int) - expected).mean() < 6
            np.testing.assert_array_equal(image, drawer.read(scene, 160, 100)[0])
    drawer.release()


@pytest.mark.parametrize("size", [(160, 100), (161, 99), (1, 1)])
def test_draws_fewer_pixels_and_enlarges_them(context, size):
    drawer = Renderer(context)
    expected = draw(drawer, size=size, texture=False).astype(int)
    width, height = size
    target = context.framebuffer([context.renderbuffer(size)])
    model, data = load()
    scene = build(model, data, VisOptions(texture=False), default_free(model), size=size)
    drawer.draw(scene, target, width, height, 0.5)
    image = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(height, width, 3)[::-1]
    assert np.abs(image - expected).mean() < 8
    np.testing.assert_array_equal(draw(drawer, size=size, texture=False), expected)
    drawer.release()


def test_foreign_state_does_not_matter(context):
    """Others leave blending, culling, scissors and wireframe as they like."""
    drawer = Renderer(context)
    expected = draw(drawer)
    context.enable_only(moderngl.BLEND | moderngl.CULL_FACE | moderngl.RASTERIZER_DISCARD)
    context.front_face, context.cull_face, context.wireframe = "cw", "front", True
    context.depth_func, context.polygon_offset = ">", (4.0, 4.0)
    context.enable_direct(gl.GL_SCISSOR_TEST)
    context.enable_direct(gl.GL_FRAMEBUFFER_SRGB)
    context.blend_equation = moderngl.MAX
    np.testing.assert_array_equal(draw(drawer), expected)
    drawer.release()


def test_calls_depend_on_kinds_not_on_bodies(context):
    drawer = Renderer(context)

    def calls(count):
        balls = "".join(f'<geom type="sphere" size="0.05" pos="{i * 0.2} 0 0"/>' for i in range(count))
        draw(drawer, f'<mujoco><statistic extent="300"/><worldbody><light/>{balls}</worldbody></mujoco>')
        return drawer.calls

    assert calls(400) == calls(3)
    drawer.release()


def test_samples_smooth_edges(context):
    drawer = Renderer(context)
    text = '<mujoco><worldbody><geom size="1 1 1" type="box" euler="0 0 12" rgba="1 1 1 1"/></worldbody></mujoco>'
    smooth, hard = (len(np.unique(draw(drawer, text, samples=samples, fxaa=False, skybox=False))) for samples in (4, 0))
    assert smooth > hard
    drawer.release()


def test_pictures_from_several_threads():
    model, data = load()
    expected = kinetree.render(model, data, 80, 50)
    results = []

    def work():
        results.append(kinetree.render(model, data, 80, 50))
        offscreen.release()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert len(results) == 2
    for result in results:
        np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(kinetree.render(model, data, 80, 50), expected)


def test_a_process_that_rendered_ends_cleanly():
    code = (
        "import kinetree; from tests.engine.scene.worlds import load;"
        "m, d = load(); x = kinetree.render(m, d, 64, 48); assert x.std() > 0;"
        "import sys; assert 'PySide6' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0 and done.stderr == ""


EDITS = (
    ("0 0 1", "0 0 0.8"),  # a corner of the mesh; further places in the world may have the same numbers
    ('size="0.5 0.4 0.2 0.05"', 'size="0.5 0.4 0.4 0.05"'),
    ('nrow="5" ncol="6"', 'nrow="6" ncol="5"'),
    ('mesh="tetra"/>', 'mesh="tetra" rgba="1 0 0 1"/>'),
)


@pytest.mark.parametrize("edit", EDITS)
def test_the_next_version_of_a_model_is_drawn_as_if_it_were_the_first(context, edit):
    """Parts that two versions have in common stay on the graphics card; the picture does not show it."""
    size = (160, 100)
    (before, _), (after, data) = load(PRIMITIVES), load(PRIMITIVES.replace(*edit))
    first, second = Renderer(context), Renderer(context)
    first.load(before)
    first.read(build(*load(PRIMITIVES), VisOptions(), default_free(before), size=size), *size)
    kept = dict(first.device.assets._geometry)
    scene = build(after, data, VisOptions(), default_free(after), size=size)
    first.load(after)
    assert any(kept[number] is geometry for number, geometry in first.device.assets._geometry.items())
    second.load(after)
    np.testing.assert_array_equal(first.read(scene, *size)[0], second.read(scene, *size)[0])
    first.release()
    second.release()


def test_a_model_that_was_changed_in_place_is_uploaded_again(context):
    model, data = load(PRIMITIVES)
    drawer = Renderer(context)
    scene = build(model, data, VisOptions(), default_free(model), size=(160, 100))
    drawer.load(model)
    before = drawer.read(scene, 160, 100)[0]
    model.tex_data[:] = 255 - model.tex_data
    drawer.load(model)
    assert not drawer.device.assets._geometry
    assert (drawer.read(scene, 160, 100)[0] != before).any()
    drawer.release()


def test_a_renderer_leaves_no_context_current():
    """Qt could not make its own current in this thread, and a first window would stay empty."""
    egl = ctypes.CDLL(ctypes.util.find_library("EGL"))
    egl.eglGetCurrentContext.restype = ctypes.c_void_p
    offscreen.release()
    before = egl.eglGetCurrentContext()
    made = offscreen.Offscreen()
    assert egl.eglGetCurrentContext() == before
    made.render(*load(), 8, 8)
    assert egl.eglGetCurrentContext() == before
    made.release()
    assert egl.eglGetCurrentContext() == before
