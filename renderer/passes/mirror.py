"""The planar reflection: what is above the reflecting plane, seen in it, in linear light.

The image holds what the plane adds to its own colour at reflectance 1: geoms as they are, and the sky times
the share that a glossy surface reflects at that angle. So it can be filtered like any other image. It has
half the resolution where the processor draws.
"""

from __future__ import annotations

import moderngl

from engine.scene.scene import Kind
from renderer import viewpoint
from renderer.context import GL_CLIP_DISTANCE0
from renderer.graph import Frame, Job
from renderer.passes import sky
from renderer.passes.surfaces import PREMULTIPLIED, draw_batches

SCALE, SCALE_SOFTWARE = 1.0, 0.5


def wanted(frame: Frame) -> bool:
    """Whether a reflecting plane or box is in view."""
    scene = frame.scene
    return scene.mirror is not None and any(b.kind & Kind.MIRROR and b.visible for b in scene.opaque)


def size(frame: Frame) -> tuple[int, int]:
    """Width and height of the image."""
    scale = SCALE_SOFTWARE if frame.software else SCALE
    return max(1, int(frame.width * scale)), max(1, int(frame.height * scale))


def draw(job: Job) -> None:
    """Draw what is above the plane, mirrored."""
    context, scene = job.device.context, job.frame.scene
    assert scene.mirror is not None, "not wanted()"
    mirrored = viewpoint.of(scene.view, viewpoint.reflection(scene.mirror.plane))
    job.target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
    context.enable_only(moderngl.DEPTH_TEST)
    context.front_face = "cw"
    context.enable_direct(GL_CLIP_DISTANCE0)
    batches = [batch for batch in scene.opaque if not batch.kind & (Kind.MIRROR | Kind.INFINITE)]
    draw_batches(job, batches, mirrored, ("CLIP",), everything=True)
    if sky.wanted(job.frame):
        context.disable_direct(GL_CLIP_DISTANCE0)
        sky.fill(job, mirrored, ("MIRROR_PASS",))
        context.enable_direct(GL_CLIP_DISTANCE0)
    clear = [batch for batch in scene.transparent if not batch.kind & Kind.INFINITE]
    if clear:
        context.enable(moderngl.BLEND)
        context.blend_func = PREMULTIPLIED
        job.target.depth_mask = False
        draw_batches(job, clear, mirrored, ("CLIP", "BLEND"), everything=True)
        job.target.depth_mask = True
        context.disable(moderngl.BLEND)
    context.disable_direct(GL_CLIP_DISTANCE0)
    context.front_face = "ccw"
