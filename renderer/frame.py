"""One frame, from a Scene to a framebuffer: the table of contents of the renderer.

    renderer = Renderer(context)              # Qt's context, or None: a headless one, made by this call
    renderer.load(model)                      # another model, or the same one changed in place
    renderer.draw(scene, framebuffer, width, height)      # sizes in device pixels
    [pixels] = renderer.read(scene, width, height)        # without a framebuffer: (height, width, 3) uint8
    kinetree.renderer.timing.enabled = True            # kinetree.renderer.timing.passes: time of each pass
    renderer.release()                        # every GL handle; the context too if the renderer made it

`framebuffer` is a moderngl framebuffer; in a QOpenGLWidget it is
`context.detect_framebuffer(widget.defaultFramebufferObject())`, fetched at each paint. The widget needs no samples of
its own: the renderer multisamples (the effect `samples`) in its own targets and resolves into the framebuffer. When Qt
replaces the context (`QOpenGLContext.aboutToBeDestroyed`), call `release` while the old one is current, then
`use_context` with the new one: programs, targets and assets are made again as they are needed. All methods need the
context to be current in the calling thread.

Colours are linear light, not limited to 1, in every target but the last: `passes/output.py` alone converts them for the
screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

import moderngl
import numpy as np

from kinetree.engine.model.arguments import kind_of, whole
from kinetree.engine.scene.scene import Scene
from kinetree.renderer import context as gl
from kinetree.renderer import viewpoint
from kinetree.renderer.blocks import Blocks
from kinetree.renderer.captured import CapturePolicy
from kinetree.renderer.device import Device
from kinetree.renderer.graph import FrameContext, Graph, Pass, RenderTarget
from kinetree.renderer.passes import (
    bloom,
    capture,
    clusters,
    cut,
    depth_picture,
    exposure,
    geometry,
    ghost,
    indirect,
    mirror,
    occlusion,
    opaque,
    outline,
    output,
    overlay,
    peel,
    reflection,
    seen,
    shadow,
    sky,
    smooth,
    transparent,
)
from kinetree.renderer.pool import Image, Sampling, TargetFormat
from kinetree.renderer.shader import SAMPLERS
from kinetree.renderer.timing import Timing

TARGETS = (
    RenderTarget("clusters", TargetFormat.RGBA32UI, clusters.size),
    RenderTarget("shadow", TargetFormat.DEPTH24, shadow.size, sampling=Sampling.COMPARE, kept=True),
    RenderTarget("shadow tint", TargetFormat.RGBA16F, shadow.size, sampling=Sampling.LINEAR, kept=True),
    RenderTarget("captured side", TargetFormat.RGBA16F, capture.size),
    RenderTarget("captured depth", TargetFormat.DEPTH24, capture.size),
    RenderTarget("mirror samples", TargetFormat.RGBA16F, mirror.size, multisampled=mirror.smooth),
    RenderTarget("mirror depth", TargetFormat.DEPTH24, mirror.size, multisampled=mirror.smooth),
    RenderTarget("mirror", TargetFormat.RGBA16F, mirror.size, levels=mirror.levels, sampling=Sampling.LINEAR),
    RenderTarget("occluders", TargetFormat.DEPTH24, occlusion.size),
    RenderTarget("raw occlusion", TargetFormat.RG16F, occlusion.size),
    RenderTarget("occlusion", TargetFormat.RG16F, occlusion.size),
    RenderTarget("seen", TargetFormat.RGBA16F, seen.size, levels=seen.levels, sampling=Sampling.LINEAR),
    RenderTarget("seen normal", TargetFormat.RGBA16F, seen.size),
    RenderTarget("seen depth", TargetFormat.DEPTH24, seen.size),
    RenderTarget("raw reflection", TargetFormat.RGBA32F, reflection.size),
    RenderTarget("reflection", TargetFormat.RGBA32F, reflection.size),
    RenderTarget("raw indirect", TargetFormat.RGBA32F, indirect.size),
    RenderTarget("indirect", TargetFormat.RGBA32F, indirect.size),
    RenderTarget("cuts", TargetFormat.RGBA32F),
    RenderTarget("color", TargetFormat.RGBA16F, multisampled=True),
    RenderTarget("normal", TargetFormat.RGBA16F, multisampled=True, optional=True),
    RenderTarget("depth", TargetFormat.DEPTH24, multisampled=True),
    RenderTarget("layers", TargetFormat.RGBA16F, multisampled=True),
    RenderTarget("layer depth", TargetFormat.DEPTH24, multisampled=True),
    RenderTarget("distance", TargetFormat.R32F),
    RenderTarget("surface normal", TargetFormat.RGBA16F),
    RenderTarget("emitted", TargetFormat.R11G11B10F, bloom.size, levels=bloom.LEVELS, sampling=Sampling.LINEAR),
    RenderTarget("glow", TargetFormat.R11G11B10F, bloom.size, sampling=Sampling.LINEAR),
    RenderTarget("brightness", TargetFormat.RG16F, exposure.size, levels=exposure.LEVELS, sampling=Sampling.LINEAR),
    RenderTarget("mask", TargetFormat.RGBA8, multisampled=True),
    RenderTarget("silhouette", TargetFormat.RGBA8),
    RenderTarget("toned", TargetFormat.RGBA8, sampling=Sampling.LINEAR),
    RenderTarget("image", TargetFormat.RGBA8, sampling=Sampling.LINEAR),
)
SEEN = "seen", "seen normal", "seen depth"
PASSES = (
    Pass("clusters", (), ("clusters",), clusters.wanted, clusters.draw),
    Pass("shadow", (), ("shadow",), shadow.wanted, shadow.draw),
    Pass("shadow tint", (), ("shadow tint",), shadow.tint_wanted, shadow.draw_tint, tests=("shadow",)),
    Pass(
        "capture",
        ("clusters", "shadow", "shadow tint"),
        ("captured side", "captured depth"),
        capture.wanted,
        capture.draw,
    ),
    Pass(
        "mirror",
        ("clusters", "shadow", "shadow tint", "captured side"),
        ("mirror samples", "mirror depth"),
        mirror.wanted,
        mirror.draw,
    ),
    Pass("mirror image", ("mirror samples",), ("mirror",), mirror.wanted, mirror.resolve),
    Pass("occluders", (), ("occluders",), occlusion.wanted, occlusion.draw_depth),
    Pass("occlusion", ("occluders",), ("raw occlusion",), occlusion.wanted, occlusion.draw),
    Pass("occlusion blur", ("raw occlusion",), ("occlusion",), occlusion.wanted, occlusion.blur),
    Pass("cuts", (), ("cuts",), cut.wanted, cut.draw),
    Pass(
        "seen",
        ("clusters", "shadow", "shadow tint", "mirror", "occlusion", "captured side"),
        ("seen", "seen normal", "seen depth"),
        seen.wanted,
        seen.draw,
    ),
    Pass("raw reflection", SEEN, ("raw reflection",), reflection.wanted, reflection.draw),
    Pass("reflection", ("raw reflection", "seen normal"), ("reflection",), reflection.wanted, reflection.spread),
    Pass("raw indirect", SEEN, ("raw indirect",), indirect.wanted, indirect.draw),
    Pass("indirect", ("raw indirect",), ("indirect",), indirect.wanted, indirect.spread),
    Pass(
        "opaque",
        (
            "clusters",
            "shadow",
            "shadow tint",
            "mirror",
            "occlusion",
            "reflection",
            "indirect",
            "captured side",
            "cuts",
        ),
        ("color", "normal", "depth"),
        opaque.wanted,
        opaque.draw,
    ),
    Pass("sky", (), ("color",), sky.wanted, sky.draw, tests=("depth",)),
    Pass(
        "transparent",
        ("clusters", "shadow", "shadow tint"),
        ("color",),
        transparent.wanted,
        transparent.draw,
        tests=("depth",),
    ),
    Pass("peel", ("clusters", "shadow", "depth"), ("layers", "layer depth"), peel.wanted, peel.draw),
    Pass("blend layers", ("layers",), ("color",), peel.wanted, peel.blend),
    Pass("geometry", ("depth", "normal"), ("distance", "surface normal"), geometry.wanted, geometry.draw),
    Pass("ghost", (), ("color", "depth"), ghost.wanted, ghost.draw),
    Pass("overlay", (), ("color",), overlay.wanted, overlay.draw, tests=("depth",)),
    Pass("mask", (), ("mask",), outline.wanted, outline.draw_mask, tests=("depth",)),
    Pass("silhouette", ("mask",), ("silhouette",), outline.wanted, outline.draw_silhouette),
    Pass("bloom", ("color",), ("emitted",), bloom.wanted, bloom.draw),
    Pass("spread bloom", ("emitted",), ("glow",), bloom.wanted, bloom.spread),
    Pass("brightness", ("color",), ("brightness",), exposure.wanted, exposure.draw),
    Pass("output", ("color", "glow", "brightness"), ("image",), output.wanted, output.draw),
    Pass("depth picture", ("distance",), ("image",), depth_picture.wanted, depth_picture.draw),
    Pass("output with hard edges", ("color", "glow", "brightness"), ("toned",), smooth.wanted, output.draw),
    Pass("smooth", ("toned",), ("image",), smooth.wanted, smooth.draw),
    Pass("outline", ("silhouette",), ("image",), outline.wanted, outline.draw),
)
GRAPH = Graph(TARGETS, PASSES)
# images that `read` gives: target, channels, type
IMAGES = {
    "image": ("image", 3, np.uint8, "f1"),
    "cutout": ("image", 4, np.uint8, "f1"),
    "distance": ("distance", 1, np.float32, "f4"),
    "normal": ("surface normal", 3, np.float32, "f4"),
}


class Renderer:
    """Owns every GL handle that is needed to draw scenes of one model at a time."""

    def __init__(self, context: moderngl.Context | None = None):
        self._own_context = context is None
        self.model = None
        self.views = CapturePolicy.ALL  # treatment of outdated local reflections in `draw`, see `draw_view`
        self.context: moderngl.Context | None = None
        self.use_context(gl.headless() if context is None else context)

    def use_context(self, context: moderngl.Context) -> None:
        """Draw with `context` from now on; handles of the former one must have been released."""
        self.context = context
        self.device = Device(context, self.model)
        self.blocks = Blocks(context)

    @property
    def views_wait(self) -> bool:
        """Whether outdated local reflections were left out of the last frame."""
        return bool(self.device.captured.count and self.device.captured.pending)

    @property
    def driver(self) -> str:
        """Name and version of the graphics driver."""
        return " ".join(str(self.device.context.info[name]) for name in ("GL_RENDERER", "GL_VERSION"))

    @property
    def timing(self) -> Timing:
        """Times of the passes, measured while its `enabled` is set."""
        return self.device.timing

    @property
    def calls(self) -> int:
        """Draw calls of the last frame."""
        return self.device.calls

    @property
    def remarks(self) -> list[str]:
        """Sentences about parts of the model that are drawn differently or not at all."""
        return self.device.assets.remarks

    def load(self, model) -> None:
        """Draw scenes of `model` from now on. Its assets are uploaded when they are first seen."""
        self.model = model
        self.device.load(model)

    def size(self, width: int, height: int) -> tuple[int, int]:
        """The size of a picture, checked. Raises TypeError, ValueError."""
        most = int(self.device.context.info["GL_MAX_TEXTURE_SIZE"])
        return whole(width, "the width of a picture", 1, most), whole(height, "the height of a picture", 1, most)

    def draw(
        self,
        scene: Scene,
        framebuffer: moderngl.Framebuffer,
        width: int,
        height: int,
        scale: float = 1.0,
        sparing: bool = False,
    ) -> None:
        """Draw `scene` into `framebuffer`; an empty area draws nothing. `scale` below 1 draws fewer pixels, by this
        factor in each direction, and enlarges the picture. `sparing`: programs that would only make the frame quicker
        are not compiled for it."""
        if width <= 0 or height <= 0:
            return
        self.device.pool.begin_frame()
        self.device.captured.wanted = self.views
        if scale >= 1.0:
            frame = replace(self._begin(scene, width, height), sparing=sparing)
            with GRAPH.run(frame, self.device, ("image",), {"image": framebuffer}):
                gl.prepare(self.device.context)
            return
        frame = self._begin(scene, max(1, round(width * scale)), max(1, round(height * scale)))
        with GRAPH.run(frame, self.device, ("image",)) as images:
            self._enlarge(images["image"], framebuffer, width, height)
        gl.prepare(self.device.context)

    def draw_view(self, scene: Scene, width: int, height: int) -> bool:
        """Draw one of the views that were left out of the scene's last frame, for the next one; False: there is
        none."""
        self.device.captured.wanted = CapturePolicy.ONE
        frame = self._begin(scene, width, height)
        due = bool(frame.captures and self.device.captured.due())
        if due:
            with GRAPH.run(frame, self.device, ("captured side",)):
                pass
            gl.prepare(self.device.context)
        return due

    def rehearse(self, scene: Scene, width: int, height: int, without: Sequence[str] = ()) -> None:
        """Compile the programs of a frame, those of its last draw calls first (`rehearsal.py`). `without`: passes that
        are left out."""
        self.device.pool.begin_frame()
        self.device.captured.wanted = CapturePolicy.ALL
        frame = replace(self._begin(scene, width, height), backwards=True)
        GRAPH.rehearse(frame, self.device, ("image",), without)
        gl.prepare(self.device.context)

    def _enlarge(self, image: Image, framebuffer: moderngl.Framebuffer, width: int, height: int) -> None:
        framebuffer.use()
        framebuffer.viewport = (0, 0, width, height)
        self.device.context.enable_only(moderngl.NOTHING)
        program = self.device.programs.get("screen.vert", "enlarge.frag")
        program["size"] = (width, height)
        image.use(SAMPLERS["scene_color"])
        self.device.fill_screen(program)

    def read(self, scene: Scene, width: int, height: int, images: Sequence[str] = ("image",)) -> list[np.ndarray]:
        """Draw `scene` and read it back, top row first. `images` may be

        "image"     (height, width, 3) uint8
        "cutout"    (height, width, 4) uint8, without a background: colours that are not multiplied by their alpha
        "distance"  (height, width) float32, metres along the viewing direction; infinite where nothing is
        "normal"    (height, width, 3) float32, unit world vectors; zeros where nothing is

        Transparent surfaces count in the images only. "image" and "cutout" are not to be had together. Raises KeyError
        for another name, ValueError for a size that cannot be drawn.
        """
        width, height = self.size(width, height)
        unknown = [name for name in images if name not in IMAGES]
        if unknown:
            raise KeyError(f"there is no image {unknown[0]!r}: there are {', '.join(IMAGES)}")
        self.device.pool.begin_frame()
        self.device.captured.wanted = CapturePolicy.ALL
        frame = self._begin(scene, width, height, "cutout" in images)
        wanted = [IMAGES[name] for name in images]
        with GRAPH.run(frame, self.device, [target for target, *_ in wanted]) as textures:
            results = []
            for target, channels, dtype, pixels in wanted:
                framebuffer = self.device.pool.framebuffer([textures[target]])
                data = framebuffer.read(components=channels, alignment=1, dtype=pixels)
                # rows of numbers are turned over ten times as fast as rows of pixels
                array = np.frombuffer(data, dtype).reshape(height, -1)[::-1].copy().reshape(height, width, channels)
                results.append(array[:, :, 0] if channels == 1 else array)
        gl.prepare(self.device.context)
        return results

    def _begin(self, scene: Scene, width: int, height: int, alpha: bool = False) -> FrameContext:
        """Upload what a frame needs and put the context into a known state."""
        if not isinstance(scene, Scene):
            raise TypeError(f"a renderer draws a kinetree.engine.scene.scene.Scene, not {kind_of(scene)}")
        if scene.model is not self.model:
            self.load(scene.model)
        device = self.device
        device.begin_frame(scene.ghost is not None)
        samples = 0 if scene.segment else min(scene.effects.samples, device.most_samples)
        device.captured.choose(scene)
        frame = FrameContext(
            scene,
            viewpoint.of(scene.view),
            width,
            height,
            samples if samples > 1 else 0,
            device.software,
            alpha,
            device.captured.count,
        )
        gl.prepare(self.device.context)
        device.instances.upload(scene)
        device.instances.bind(SAMPLERS["instances"])
        device.assets.follow(scene.surfaces)
        if scene.shadows:
            device.casters.choose(scene)
        self.blocks.fill(frame, device.assets, device.surroundings, device.captured)
        return frame

    def release(self) -> None:
        """Delete every GL handle, and the context if this renderer made it. Safe to call twice."""
        if self.context is None:
            return
        with self.context if self._own_context else nullcontext():
            self.device.release()
            self.blocks.release()
        if self._own_context:
            # Not while it is current: it would stay so, and Qt could not make its own current in this thread.
            self.context.release()
        self.context = None
