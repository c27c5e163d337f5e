"""One frame, from a Scene to a framebuffer: the table of contents of the renderer.

    renderer = Renderer(context)             # an adopted context (Qt's), or None: headless, made by this call
    renderer.load(model)                     # another model (or the same one, changed in place): assets are dropped
    renderer.draw(scene, framebuffer, width, height)   # sizes in device pixels
    pixels = renderer.read(width, height)    # after draw(scene, None, width, height): (height, width, 3) uint8
    renderer.release()                       # every GL handle; the context too if the renderer made it

`framebuffer` is a moderngl framebuffer; in a QOpenGLWidget it is
`context.detect_framebuffer(widget.defaultFramebufferObject())`, anew at each paint. The widget needs no samples of its
own: the renderer multisamples (`VisOptions.samples`) in its own target and resolves into the framebuffer. When Qt
replaces the context (`QOpenGLContext.aboutToBeDestroyed`), call `release` while the old one is current, then
`use_context` with the new one: programs, targets and assets are made again as they are needed.
All methods need the context to be current in the calling thread.
"""

from __future__ import annotations

import moderngl
import numpy as np

from engine.scene import scene as S
from engine.scene.scene import Scene
from renderer import context as gl
from renderer import graph
from renderer.instances import InstanceTexture
from renderer.passes import mirror, opaque, resolve, shadow, sky, transparent
from renderer.resources import Assets
from renderer.shader import BLOCKS, SAMPLERS, Programs
from renderer.targets import Targets

PASSES = (
    graph.Pass("shadow", (), ("shadow map",), shadow.wanted, shadow.draw),
    graph.Pass("mirror", (), ("mirror image",), mirror.wanted, mirror.draw),
    graph.Pass("opaque", ("shadow map", "mirror image"), ("color",), opaque.wanted, opaque.draw),
    graph.Pass("sky", ("color",), ("color",), sky.wanted, sky.draw),
    graph.Pass("transparent", ("color", "shadow map"), ("color",), transparent.wanted, transparent.draw),
    graph.Pass("resolve", ("color",), ("output",), resolve.wanted, resolve.draw),
)
OUTPUT = "output"
BLOCK_BYTES = {
    "Frame": 13 * 16,
    "Lights": S.MAXLIGHT * S.NLIGHT_FIELD * 4,
    "Shadows": 8 * (64 + 16 + 16 + 16),
}


class Renderer:
    """Owns every GL handle that is needed to draw scenes of one model at a time."""

    def __init__(self, context: moderngl.Context | None = None):
        self._own_context = context is None
        self.model = None
        self.context = None
        self.use_context(gl.headless() if context is None else context)

    def use_context(self, context: moderngl.Context) -> None:
        """Draw with `context` from now on; handles of the former one must have been released."""
        self.context = context
        self.programs = Programs(context)
        self.targets = Targets(context)
        self.instances = InstanceTexture(context)
        self.assets = Assets(context, self.model)
        self.buffers = {
            name: context.buffer(reserve=size, dynamic=True) for name, size in BLOCK_BYTES.items()
        }
        self._sky_arrays: dict[int, tuple] = {}
        self.software = gl.is_software(context)
        self.shadows = self.mirror = self.color = self.output = None
        self.shadow_texel = (1.0, 1.0, 1.0, 1.0)
        self.width = self.height = self.calls = 0

    def load(self, model) -> None:
        """Draw scenes of `model` from now on. Its assets are uploaded when they are first seen."""
        self.assets.release()
        self.model = model
        self.assets = Assets(self.context, model)

    def draw(self, scene: Scene, framebuffer: moderngl.Framebuffer | None, width: int, height: int) -> None:
        """Draw `scene`, which must be of the loaded model, into `framebuffer` (None: an own one, for `read`)."""
        width, height = int(width), int(height)
        if width <= 0 or height <= 0:
            return
        if scene.model is not self.model:
            self.load(scene.model)
        self.width, self.height, self.calls = width, height, 0
        self.shadows = self.mirror = None
        self.output = self.targets.output(width, height) if framebuffer is None else framebuffer
        samples = 0 if scene.segment else min(scene.samples, self.context.max_samples)
        if samples > 1 or framebuffer is not None:
            self.color = self.targets.color(width, height, samples if samples > 1 else 0)
        else:
            self.color = self.output
        gl.prepare(self.context)
        self.instances.upload(scene)
        self.assets.follow(scene.surfaces)
        self.matrix = opaque.camera_matrix(scene)
        self.viewer = (*scene.view.pos, 1.0 if scene.view.orthographic else 0.0)
        self._fill_blocks(scene)
        self._bind()
        for step in graph.plan(PASSES, scene, OUTPUT):
            step.draw(self, scene)
            self._bind_results()
        gl.prepare(self.context)

    def read(self, width: int, height: int) -> np.ndarray:
        """(height, width, 3) uint8 of the last frame drawn without a framebuffer, top row first."""
        data = self.targets.output(width, height).read(components=3, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(height, width, 3)[::-1].copy()

    def sky_array(self, program: moderngl.Program) -> moderngl.VertexArray:
        """A vertex array without attributes for `program`."""
        entry = self._sky_arrays.get(program.glo)
        if entry is None or entry[0] is not program:
            entry = self._sky_arrays[program.glo] = (program, self.context.vertex_array(program, []))
        return entry[1]

    def _bind(self) -> None:
        for name, binding in BLOCKS.items():
            self.buffers[name].bind_to_uniform_block(binding)
        self.instances.bind(SAMPLERS["instances"])

    def _bind_results(self) -> None:
        """Textures that later passes read; a blank one where there is none, as a sampler may not be left empty."""
        if self.shadows is not None:
            self.shadows.depth_attachment.use(SAMPLERS["shadow_map"])
        (self.mirror or self.assets.blank_2d()).use(SAMPLERS["mirror_map"])

    def _fill_blocks(self, scene: Scene) -> None:
        environment = scene.environment
        block = np.zeros((13, 4), np.float32)
        block[0, :3] = environment.ambient
        block[1, :3], block[1, 3] = environment.fog_color, float(environment.fog)
        block[2, 0] = environment.fog_start
        block[2, 1] = 1.0 / (environment.fog_end - environment.fog_start)
        block[3, :3] = environment.haze_color
        block[3, 3] = 1.0 / environment.haze if environment.haze > 0 else 0.0
        block[4] = (self.width, self.height, 1.0 / self.width, 1.0 / self.height)
        if scene.mirror is not None:
            block[5] = scene.mirror.plane
        block[6, 0] = environment.env_intensity
        if environment.sky >= 0:
            texture = self.assets.texture(environment.sky)
            texture.use(SAMPLERS["sky_map"])
            block[6, 1] = np.log2(texture.size[0])
            block[6, 2] = 1.0
        else:
            self.assets.blank_cube().use(SAMPLERS["sky_map"])
        self._fill_ground(scene, block)
        self.assets.blank_2d().use(SAMPLERS["mirror_map"])
        counts = np.array([scene.ndirectional, scene.nlight, environment.tone, 0], np.int32)
        block[12] = counts.view(np.float32)
        self.buffers["Frame"].write(block.tobytes())
        self.buffers["Lights"].write(np.ascontiguousarray(scene.lights).tobytes())

    def _fill_ground(self, scene: Scene, block: np.ndarray) -> None:
        """The infinite plane as metals see it: its texture, under the light that falls on it."""
        if scene.ground is None:
            self.assets.blank_2d().use(SAMPLERS["ground_map"])
            return
        texture, plane, row, axes = scene.ground
        light = np.array(scene.environment.ambient, float)
        for lamp in scene.lights[: scene.ndirectional]:
            light += lamp[S.L_DIFFUSE : S.L_DIFFUSE + 3] * max(
                -float(lamp[S.L_DIR : S.L_DIR + 3] @ plane[:3]), 0.0
            )
        if scene.nlight > scene.ndirectional:
            light += 0.15 * scene.lights[
                scene.ndirectional : scene.nlight, S.L_DIFFUSE : S.L_DIFFUSE + 3
            ].max(axis=0)
        block[7] = plane
        block[8, :2], block[8, 2:] = row[S.TEXTURE : S.TEXTURE + 2], row[S.TEXTURE + 2 : S.TEXTURE + 4]
        block[9, :3] = row[S.COLOR : S.COLOR + 3] * light
        centre = row[S.POS : S.POS + 3].astype(float)
        block[10, :3], block[10, 3] = axes[:, 0], float(axes[:, 0] @ centre)
        block[11, :3], block[11, 3] = axes[:, 1], float(axes[:, 1] @ centre)
        (self.assets.texture(texture) if texture >= 0 else self.assets.blank_2d()).use(SAMPLERS["ground_map"])

    def release(self) -> None:
        """Delete every GL handle, and the context if this renderer made it. Safe to call twice."""
        if self.context is None:
            return
        for _, array in self._sky_arrays.values():
            array.release()
        self._sky_arrays.clear()
        self.assets.release()
        self.instances.release()
        self.targets.release()
        self.programs.release()
        for buffer in self.buffers.values():
            buffer.release()
        self.buffers = {}
        self.shadows = self.mirror = self.color = self.output = None
        if self._own_context:
            self.context.release()
        self.context = None
