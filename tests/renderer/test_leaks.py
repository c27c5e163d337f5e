"""Models that are loaded again and contexts that are replaced leave the objects of OpenGL and the memory where they were."""

import ctypes
import ctypes.util
import gc
import os
import sys
import weakref
from collections.abc import Callable

import moderngl
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.options import Label, VisOptions
from kinetree.engine.scene.scene import Scene
from kinetree.renderer import context as gl
from kinetree.renderer.frame import Renderer
from kinetree.renderer.shader import KEPT_FRAMES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks EGL and /proc")
RELOADS, REPLACEMENTS = 200, 50
SIZE = 32, 24
KINDS = ("Texture", "Buffer", "Renderbuffer", "Framebuffer", "VertexArray", "Program", "Query")
TEXT = """
<mujoco><asset>
  <texture name="sky" type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 1" width="16" height="16"/>
  <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="{color} 1 0" width="16" height="16"/>
  <material name="t" texture="t" reflectance=".2"/><material name="p" metallic="1" roughness=".3"/>
  <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 {color}"/></asset>
<worldbody><light pos="0 0 3" dir="0 0 -1"/><geom type="plane" size="0 0 1" material="t"/>
  <body pos="0 0 1"><freejoint/><geom type="mesh" mesh="m" material="p"/><geom size=".2" rgba="1 0 0 .5"/></body>
  <body pos="0 0 1.2"><freejoint/><geom size=".3" rgba="0 1 0 .5"/></body>
  <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".02" pos="0 0 2"/>
</worldbody></mujoco>"""

SMALL = "<mujoco><worldbody><geom size='.2'/></worldbody></mujoco>"


def rig(color: float, text: str = TEXT):
    model = kinetree.load_string(text.format(color=color))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    return model, data


def objects() -> dict[str, int]:
    """How many objects of each kind the current context has."""
    egl = ctypes.CDLL(ctypes.util.find_library("EGL"))
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    found = {}
    for kind in KINDS:
        exists = ctypes.CFUNCTYPE(ctypes.c_ubyte, ctypes.c_uint)(egl.eglGetProcAddress(f"glIs{kind}".encode()))
        found[kind] = sum(exists(name) for name in range(1, 6000))
    return found


def memory() -> float:
    """Resident memory of the process, MB."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def growth(work: Callable[[], None]) -> float:
    """By how much memory grows while work is done, MB: the least of three times. A leak grows each time; what other tests
    have left in this process may still move when it is done first."""
    found = []
    while len(found) < 3 and (not found or found[-1] >= 1.0):
        used = memory()
        work()
        found.append(memory() - used)
    return min(found)


def frame(drawer: Renderer, model, data, scene: Scene | None = None) -> Scene:
    scene = build(model, data, VisOptions(label=Label.BODY), initial(model), None, scene, SIZE)
    drawer.read(scene, *SIZE, ("image", "distance", "normal"))
    return scene


@pytest.mark.slow("loads models again and again")
def test_reloads_leave_nothing_behind():
    drawer = Renderer()
    try:
        with drawer.device.context:
            scene, rigs = None, [rig(0.2), rig(0.9)]
            for number in range(20):
                scene = frame(drawer, *rigs[number % 2], scene)
            before = objects()

            def reload_again() -> None:
                nonlocal scene
                for number in range(RELOADS):
                    scene = frame(drawer, *rigs[number % 2], scene)

            assert growth(reload_again) < 8.0
            assert objects() == before
    finally:
        drawer.release()


@pytest.mark.slow("makes tens of contexts")
def test_replaced_contexts_leave_nothing_behind():
    large, small = rig(0.5), rig(0.5, SMALL)  # programs for all of the large one are compiled for some contexts only
    scene, used, context = None, 0.0, gl.headless()
    empty = {kind: count for kind, count in objects().items() if kind not in ("Program", "Query")}
    drawer = Renderer(context)
    for number in range(REPLACEMENTS):
        scene = frame(drawer, *(small if number % 10 else large), scene)
        drawer.release()
        left = objects()
        # OpenGL deletes a program that is in use, and moderngl a query, only with the context
        assert left.pop("Program") <= 1 and left.pop("Query") <= 1
        assert left == empty, f"after {number + 1} contexts"
        context.release()
        if number == 10:
            used = memory()
        context = gl.headless()
        drawer.use_context(context)
    drawer.release()
    context.release()
    assert memory() - used < 40.0


def test_memory_that_is_left_is_counted():
    left = []
    assert growth(lambda: left.append(bytes([1]) * (40 << 20))) > 8.0  # so large that no freed memory is reused
    assert growth(lambda: None) < 1.0


def test_an_object_that_is_left_is_counted():
    context = gl.headless()
    before = objects()
    left = context.texture((1, 1), 4)
    assert objects()["Texture"] == before["Texture"] + 1
    left.release()
    assert objects() == before
    context.release()


def test_programs_that_go_take_their_vertex_arrays_along(monkeypatch):
    monkeypatch.setattr("kinetree.renderer.device.MOST_PROGRAMS", 0)
    monkeypatch.setattr("kinetree.renderer.device.MOST_ON_SOFTWARE", 0)
    context = gl.headless()
    before = objects()["VertexArray"]
    drawer = Renderer(context)
    with context:
        frame(drawer, *rig(0.5))
        assert objects()["VertexArray"] > before + 5
        for _ in range(KEPT_FRAMES + 2):
            drawer.device.begin_frame(False)
        left = objects()
        assert left["VertexArray"] == before and left["Program"] <= 1  # OpenGL deletes one that is in use later
        frame(drawer, *rig(0.5))
    drawer.release()
    context.release()


def test_the_other_model_goes_when_a_comparison_ends():
    drawer = Renderer()
    with drawer.device.context:
        model, data = rig(0.5)
        scene = frame(drawer, model, data)
        before = objects()["Buffer"]
        other, state = rig(0.9)
        alive = weakref.ref(other)
        scene.ghost = build(other, state, VisOptions(), initial(other), None, None, SIZE)
        drawer.read(scene, *SIZE)
        assert objects()["Buffer"] > before
        scene.ghost = other = state = None
        drawer.read(scene, *SIZE)
        assert objects()["Buffer"] == before
        gc.collect()
        assert alive() is None
    drawer.release()


def test_maps_of_the_surroundings_go_with_their_image():
    drawer = Renderer()
    with drawer.device.context:
        frame(drawer, *rig(0.5))
        maps = drawer.device.surroundings._maps
        sources = [made.source for made in maps.values()]
        assert sources
        frame(drawer, *rig(0.5, SMALL))
        assert not [made for made in maps.values() if isinstance(made.source.mglo, moderngl.InvalidObject)]
        assert any(isinstance(source.mglo, moderngl.InvalidObject) for source in sources)
    drawer.release()


def test_shadows_of_many_sizes_leave_no_tiles():
    drawer = Renderer()
    with drawer.device.context:
        model, data = rig(0.5)
        seen = []
        for size in (SIZE, (640, 480)) * 3:  # the larger the picture, the larger the shadow maps
            for _ in range(4):  # until the target of the size before is deleted
                scene = build(model, data, VisOptions(), initial(model), None, None, size)
                drawer.read(scene, *size)
            seen += [tile.target for tile in drawer.device.casters._drawn]
        assert any(isinstance(target.mglo, moderngl.InvalidObject) for target in seen)
        targets = [tile.target for tile in drawer.device.casters._drawn]
        assert targets and not any(isinstance(target.mglo, moderngl.InvalidObject) for target in targets)
    drawer.release()
