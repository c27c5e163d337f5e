"""The picture as rays over the screen see it: opaque surfaces and the sky with one sample a texel, before reflections
of the screen and indirect light are added; normals and roughness of the surfaces; and their depth.

Rays are followed in `reflection.py` and `indirect.py`; surfaces look the light up that these found when they are drawn
(`shaders/include/screen_light.glsl`), so that it stays behind edges, and each material takes its own share.
"""

from __future__ import annotations

from dataclasses import replace

import moderngl

from kinetree.engine.scene.scene import ShaderFeatures
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes import indirect, rays, reflection, sky
from kinetree.renderer.passes.surfaces import draw_batches

MOST_LEVELS = 6  # mip levels of the light


def wanted(frame: FrameContext) -> bool:
    """Whether rays are followed."""
    return reflection.wanted(frame) or indirect.wanted(frame)


def smaller(frame: FrameContext) -> int:
    """Pixels for a texel, in each direction."""
    scene = frame.scene
    asked = (scene.reflections, reflection.wanted(frame)), (scene.indirect, indirect.wanted(frame))
    return min((light.smaller for light, on in asked if light is not None and on), default=1)


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of the images."""
    return rays.size(frame, smaller(frame))


def levels(frame: FrameContext) -> int:
    """Mip levels of the light: rough surfaces and rays that go far read the smaller ones."""
    return min(MOST_LEVELS, min(size(frame)).bit_length())


def draw(job: PassJob) -> None:
    """Draw what rays may meet."""
    context, frame = job.device.context, job.frame
    job.target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
    context.enable_only(moderngl.DEPTH_TEST)
    batches = [batch for batch in frame.scene.opaque if not batch.kind & ShaderFeatures.DECOR]
    # a viewpoint of its own: parts of the window without shadows are known in its pixels, not in these texels
    here = replace(frame.viewpoint)
    draw_batches(job, batches, here, ("NORMAL_OUTPUT", f"SMALLER {smaller(frame):.1f}"))
    if sky.there_is(frame):
        job.target.color_mask = (True,) * 4, (False,) * 4
        job.target.use()
        sky.fill(job, here)
        job.target.color_mask = (True,) * 4, (True,) * 4
        job.target.use()
