"""One frame, from a Scene to a framebuffer: the table of contents of the renderer.

    renderer = Renderer(context)              # Qt's context, or None: a headless one, made by this call
    renderer.load(model)                      # another model, or the same one changed in place
    renderer.draw(scene, framebuffer, width, height)      # sizes in device pixels
    [pixels] = renderer.read(scene, width, height)        # without a framebuffer: (height, width, 3) uint8
    renderer.timing.enabled = True            # renderer.timing.passes: time of each pass
    renderer.release()                        # every GL handle; the context too if the renderer made it

`framebuffer` is a moderngl framebuffer; in a QOpenGLWidget it is
`context.detect_framebuffer(widget.defaultFramebufferObject())`, anew at each paint. The widget needs no
samples of its own: the renderer multisamples (`VisOptions.samples`) in its own targets and resolves into the
framebuffer. When Qt replaces the context (`QOpenGLContext.aboutToBeDestroyed`), call `release` while the old
one is current, then `use_context` with the new one: programs, targets and assets are made again as they are
needed. All methods need the context to be current in the calling thread.

Colours are linear light, not limited to 1, in every target but the last: `passes/output.py` alone turns them
into what a screen shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np

from engine.scene.scene import Scene
from renderer import context as gl
from renderer import viewpoint
from renderer.blocks import Blocks
from renderer.device import Device
from renderer.graph import Frame, Graph, Pass, Target
from renderer.passes import geometry, mirror, opaque, output, shadow, sky, transparent
from renderer.pool import Format, Sampling
from renderer.shader import SAMPLERS
from renderer.timing import Timing

TARGETS = (
    Target("shadow", Format.DEPTH24, shadow.size, sampling=Sampling.COMPARE),
    Target("mirror", Format.RGBA16F, mirror.size, sampling=Sampling.LINEAR),
    Target("mirror depth", Format.DEPTH24, mirror.size),
    Target("color", Format.RGBA16F, multisampled=True),
    Target("normal", Format.RGBA16F, multisampled=True, optional=True),
    Target("depth", Format.DEPTH24, multisampled=True),
    Target("distance", Format.R32F),
    Target("surface normal", Format.RGBA16F),
    Target("image", Format.RGBA8),
)
PASSES = (
    Pass("shadow", (), ("shadow",), shadow.wanted, shadow.draw),
    Pass("mirror", (), ("mirror", "mirror depth"), mirror.wanted, mirror.draw),
    Pass("opaque", ("shadow", "mirror"), ("color", "normal", "depth"), opaque.wanted, opaque.draw),
    Pass("sky", (), ("color",), sky.wanted, sky.draw, tests=("depth",)),
    Pass("transparent", ("shadow",), ("color",), transparent.wanted, transparent.draw, tests=("depth",)),
    Pass("geometry", ("depth", "normal"), ("distance", "surface normal"), geometry.wanted, geometry.draw),
    Pass("output", ("color",), ("image",), output.wanted, output.draw),
)
GRAPH = Graph(TARGETS, PASSES)
# images that `read` gives: target, channels, type
IMAGES = {
    "image": ("image", 3, np.uint8, "f1"),
    "distance": ("distance", 1, np.float32, "f4"),
    "normal": ("surface normal", 3, np.float32, "f4"),
}


class Renderer:
    """Owns every GL handle that is needed to draw scenes of one model at a time."""

    def __init__(self, context: moderngl.Context | None = None):
        self._own_context = context is None
        self.model = None
        self.context: moderngl.Context | None = None
        self.use_context(gl.headless() if context is None else context)

    def use_context(self, context: moderngl.Context) -> None:
        """Draw with `context` from now on; handles of the former one must have been released."""
        self.context = context
        self.device = Device(context, self.model)
        self.blocks = Blocks(context)

    @property
    def timing(self) -> Timing:
        """Times of the passes, measured while its `enabled` is set."""
        return self.device.timing

    @property
    def calls(self) -> int:
        """Draw calls of the last frame."""
        return self.device.calls

    def load(self, model) -> None:
        """Draw scenes of `model` from now on. Its assets are uploaded when they are first seen."""
        self.model = model
        self.device.load(model)

    def draw(self, scene: Scene, framebuffer: moderngl.Framebuffer, width: int, height: int) -> None:
        """Draw `scene` into `framebuffer`; an empty area draws nothing."""
        if width > 0 and height > 0:
            frame = self._begin(scene, width, height)
            with GRAPH.run(frame, self.device, ("image",), {"image": framebuffer}):
                gl.prepare(self.device.context)

    def read(self, scene: Scene, width: int, height: int, images: Sequence[str] = ("image",)) -> list[np.ndarray]:
        """Draw `scene` and read it back, top row first. `images` may be

        "image"     (height, width, 3) uint8
        "distance"  (height, width) float32, metres along the viewing direction; infinite where nothing is
        "normal"    (height, width, 3) float32, unit world vectors; zeros where nothing is

        Transparent surfaces count in the image only. Raises KeyError for another name.
        """
        frame = self._begin(scene, int(width), int(height))
        wanted = [IMAGES[name] for name in images]
        with GRAPH.run(frame, self.device, [target for target, *_ in wanted]) as textures:
            results = []
            for target, channels, dtype, pixels in wanted:
                framebuffer = self.device.pool.framebuffer([textures[target]])
                data = framebuffer.read(components=channels, alignment=1, dtype=pixels)
                array = np.frombuffer(data, dtype).reshape(height, width, channels)[::-1].copy()
                results.append(array[:, :, 0] if channels == 1 else array)
        gl.prepare(self.device.context)
        return results

    def _begin(self, scene: Scene, width: int, height: int) -> Frame:
        """Upload what a frame needs and put the context into a known state."""
        if scene.model is not self.model:
            self.load(scene.model)
        device = self.device
        device.calls = 0
        device.pool.begin_frame()
        samples = 0 if scene.segment else min(scene.samples, device.context.max_samples)
        frame = Frame(scene, viewpoint.of(scene.view), width, height, samples if samples > 1 else 0, device.software)
        gl.prepare(self.device.context)
        device.instances.upload(scene)
        device.instances.bind(SAMPLERS["instances"])
        device.assets.follow(scene.surfaces)
        self.blocks.fill(frame, device.assets)
        return frame

    def release(self) -> None:
        """Delete every GL handle, and the context if this renderer made it. Safe to call twice."""
        if self.context is None:
            return
        self.device.release()
        self.blocks.release()
        if self._own_context:
            self.context.release()
        self.context = None
