"""The frame graph: what it refuses, what it leaves out, and the textures that passes are handed."""

from typing import Any

import moderngl
import numpy as np
import pytest

from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import default_free
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer import context as gl
from kinetree.renderer import viewpoint
from kinetree.renderer.device import Device
from kinetree.renderer.frame import GRAPH, IMAGES, PASSES, TARGETS, Renderer
from kinetree.renderer.graph import FrameContext, Graph, GraphError, Pass, RenderTarget
from kinetree.renderer.pool import KEPT_FRAMES, Pool, Sampling, TargetFormat, TextureSpec
from tests.engine.scene.worlds import PRIMITIVES, load


def target(name, **changes: Any) -> RenderTarget:
    settings: dict[str, Any] = {"format": TargetFormat.RGBA8} | changes
    return RenderTarget(name, **settings)


def step(name, reads=(), writes=(), wanted=True, draw=lambda job: None) -> Pass:
    return Pass(name, tuple(reads), tuple(writes), lambda frame: wanted, draw)


NOTHING: Any = None
FRAME = FrameContext(NOTHING, NOTHING, 8, 6, 4, True)


@pytest.fixture
def device():
    made = gl.headless()
    with made:
        device = Device(made, None)
        yield device
        device.release()
        assert made.error == "GL_NO_ERROR"
    made.release()


WRONG = {
    "pass 'late' reads 'glow', which no pass writes": (["glow", "out"], [step("late", ["glow"], ["out"])]),
    "pass 'a' reads 'x' before it is written": (["x", "y"], [step("a", ["x"], ["y"]), step("b", [], ["x"])]),
    "pass 'a' uses 'typo', which is no target": (["x"], [step("a", ["typo"], ["x"])]),
    "pass 'b' both reads and writes 'x'": (["x"], [step("a", [], ["x"]), step("b", ["x"], ["x"])]),
    "no pass writes the target 'spare'": (["x", "spare"], [step("a", [], ["x"])]),
    "two targets have the same name": (["x", "x"], [step("a", [], ["x"])]),
}


@pytest.mark.parametrize("message", WRONG)
def test_declarations_that_cannot_work_are_refused_by_name(message):
    names, passes = WRONG[message]
    with pytest.raises(GraphError, match=message):
        Graph([target(name) for name in names], passes)


def test_attachments_must_fit_together():
    with pytest.raises(GraphError, match="'a' attaches targets with and without multisampling"):
        Graph([target("x", multisampled=True), target("y")], [step("a", [], ["x", "y"])])
    deep = [target(name, format=TargetFormat.DEPTH24) for name in "xy"]
    with pytest.raises(GraphError, match="'a' attaches more than one depth target"):
        Graph(deep, [step("a", [], ["x", "y"])])
    with pytest.raises(GraphError, match="the multisampled target 'x' can have one level"):
        Graph([target("x", multisampled=True, levels=3)], [step("a", [], ["x"])])


def test_passes_that_no_output_needs_do_not_run():
    graph = Graph(
        [target(name) for name in ("map", "image", "alone", "color", "out")],
        [
            step("shadow", [], ["map"]),
            step("unwanted", [], ["image"], wanted=False),
            step("orphan", [], ["alone"]),
            step("main", ["map", "image"], ["color"]),
            step("last", ["color"], ["out"]),
        ],
    )
    assert [item.name for item, _ in graph.plan(FRAME, ["out"])] == ["shadow", "main", "last"]
    with pytest.raises(GraphError, match="no pass of this frame writes 'image'"):
        graph.plan(FRAME, ["image"])


def test_optional_targets_are_attached_only_when_read():
    graph = Graph(
        [target("color"), target("normal", optional=True), target("occlusion")],
        [step("draw", [], ["color", "normal"]), step("ao", ["normal"], ["occlusion"])],
    )
    assert graph.plan(FRAME, ["color"])[0][1] == ("color",)
    assert graph.plan(FRAME, ["color", "occlusion"])[0][1] == ("color", "normal")


def test_a_pass_gets_what_it_declared_and_nothing_else(device):
    seen = {}

    def draw(job):
        seen["map"] = job.texture("map")
        seen["absent"] = job.texture("absent")
        seen["size"] = job.target.size
        with pytest.raises(GraphError, match="pass 'main' did not declare that it reads 'out'"):
            job.texture("out")
        with pytest.raises(GraphError, match="pass 'main' did not declare that it writes 'map'"):
            job.writes("map")

    graph = Graph(
        [target("map", size=lambda frame: (3, 5)), target("absent"), target("out")],
        [
            step("first", [], ["map"], draw=lambda job: job.target.clear(0.2, 0.4, 0.6, 1.0)),
            step("never", [], ["absent"], wanted=False),
            step("main", ["map", "absent"], ["out"], draw=draw),
        ],
    )
    with graph.run(FRAME, device, ["out"]) as images:
        assert set(images) == {"out"} and images["out"].size == (8, 6)
    assert seen["map"].size == (3, 5) and seen["absent"] is None and seen["size"] == (8, 6)


def test_targets_share_textures_when_their_lives_do_not_overlap(device):
    used = []

    def draw(job):
        used.append(job.target.color_attachments[0].glo)

    names = ["a", "b", "c"]
    graph = Graph(
        [target(name) for name in names],
        [
            step("1", [], ["a"], draw=draw),
            step("2", ["a"], ["b"], draw=draw),
            step("3", ["b"], ["c"], draw=draw),
        ],
    )
    for _ in range(2):
        with graph.run(FRAME, device, ["c"]):
            pass
    assert used[0] == used[2] != used[1]
    assert set(used[3:]) == set(used[:3])


def test_an_error_in_a_pass_gives_every_texture_back(device):
    def fail(job):
        raise RuntimeError("broken pass")

    graph = Graph([target("a"), target("b")], [step("1", [], ["a"]), step("2", ["a"], ["b"], draw=fail)])
    spec = graph.targets["a"].spec(FRAME)
    with pytest.raises(RuntimeError, match="broken pass"), graph.run(FRAME, device, ["b"]):
        pass
    first, second = device.pool.acquire(spec), device.pool.acquire(spec)
    assert len({first.glo, second.glo}) == 2
    for texture in (first, second):
        device.pool.give_back(spec, texture)


def test_mip_levels_are_filled_after_the_last_write(device):
    graph = Graph(
        [target("a", format=TargetFormat.RGBA16F, size=lambda frame: (8, 8), levels=4), target("b")],
        [
            step("1", [], ["a"], draw=lambda job: job.target.clear(1.0, 2.0, 4.0, 1.0)),
            step("2", ["a"], ["b"], draw=lambda job: _show_level(job, 3)),
        ],
    )
    with graph.run(FRAME, device, ["b"]) as images:
        pixel = np.frombuffer(device.pool.framebuffer([images["b"]]).read(components=3), np.uint8)[:3]
    np.testing.assert_allclose(pixel, [64, 128, 255], atol=1)


def _show_level(job, level: int) -> None:
    """Fill the target with a quarter of one texel of a mip level."""
    context = job.device.context
    program = context.program(
        vertex_shader="""#version 410 core
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }""",
        fragment_shader="""#version 410 core
uniform sampler2D image; uniform int level; out vec4 color;
void main() { color = 0.25 * texelFetch(image, ivec2(0), level); }""",
    )
    job.texture("a").use(0)
    program["image"].value, program["level"].value = 0, level
    context.enable_only(moderngl.NOTHING)
    array = context.vertex_array(program, [])
    array.render(moderngl.TRIANGLES, vertices=3)
    array.release()
    program.release()


@pytest.mark.parametrize("form", TargetFormat)
@pytest.mark.parametrize("samples", [0, 4])
def test_every_format_can_be_drawn_into(device, form, samples):
    pool = Pool(device.context)
    spec = TextureSpec(form, 8, 6, samples)
    texture = pool.acquire(spec)
    pool.framebuffer([texture]).clear(0.5, 0.25, 1.0, 1.0)
    assert isinstance(texture, moderngl.Texture) and texture.samples == samples and texture.size == (8, 6)
    pool.give_back(spec, texture)
    pool.release()
    assert device.context.error == "GL_NO_ERROR"


def test_layers_are_attached_as_a_whole(device):
    spec = TextureSpec(TargetFormat.RGBA16F, 4, 4, layers=3, sampling=Sampling.LINEAR)
    texture = device.pool.acquire(spec)
    device.pool.framebuffer([texture]).clear(0.5, 1.0, 0.0, 1.0)
    values = np.frombuffer(texture.read(), np.float16).reshape(3, -1, 4)
    np.testing.assert_array_equal(values[:, 0], [[0.5, 1.0, 0.0, 1.0]] * 3)
    device.pool.give_back(spec, texture)


def test_textures_that_no_frame_uses_are_deleted(device):
    pool = device.pool
    kept, dropped = TextureSpec(TargetFormat.RGBA8, 8, 8), TextureSpec(TargetFormat.RGBA8, 9, 9)
    for spec in (kept, dropped):
        pool.give_back(spec, pool.acquire(spec))
    first = pool.acquire(kept)
    pool.give_back(kept, first)
    for _ in range(KEPT_FRAMES + 1):
        pool.begin_frame()
        texture = pool.acquire(kept)
        assert texture is first
        pool.give_back(kept, texture)
    assert list(pool._idle) == [(kept, "")]


def test_the_renderers_own_tables():
    assert {name for name, *_ in IMAGES.values()} <= {item.name for item in TARGETS}
    names = [item.name for item in PASSES]
    assert names[0] == "clusters" and names[-1] == "outline" and len(set(names)) == len(names)
    images = [item.name for item in PASSES if item.writes == ("image",)]
    assert images == ["output", "depth picture", "smooth", "outline"]


def test_what_a_plain_frame_runs():
    def names(images=("image",), **flags):
        model, data = load(PRIMITIVES)
        scene = build(model, data, VisOptions(**flags), default_free(model), size=(80, 50))
        frame = FrameContext(scene, viewpoint.of(scene.view), 80, 50, 4, True)
        return [item.name for item, _ in GRAPH.plan(frame, images)]

    darkened = ["occluders", "occlusion", "occlusion blur"]
    assert names() == ["shadow", "shadow tint", *darkened, "opaque", "transparent", "output"]
    assert names(occlusion="off") == ["shadow", "shadow tint", "opaque", "transparent", "output"]
    assert names(shadow=False, skybox=False, occlusion="off") == ["opaque", "transparent", "output"]
    assert names(["distance"], shadow=False, occlusion="off") == ["opaque", "geometry"]


def test_times_of_passes():
    made = gl.headless()
    with made:
        renderer = Renderer(made)
        model, data = load(PRIMITIVES)
        scene = build(model, data, VisOptions(occlusion="off", captures="0"), default_free(model), size=(80, 50))
        renderer.read(scene, 80, 50)
        assert renderer.timing.passes == {}
        renderer.timing.enabled = True
        for _ in range(5):
            renderer.read(scene, 80, 50)
        times = renderer.timing.passes
        assert list(times) == ["shadow", "shadow tint", "opaque", "transparent", "output"]
        assert all(item.cpu > 0 and item.gpu is not None and item.gpu >= 0 for item in times.values())
        renderer.release()
    made.release()
