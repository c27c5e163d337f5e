"""The planar reflections: what is above each reflecting plane, seen in it, in linear light.

An image holds what a plane adds to its own colour at reflectance 1: geoms as they are, with their shadows, and the sky
times the share that a glossy surface reflects at that angle. Its fourth channel is the part that geoms cover. Images of
several planes lie side by side.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import moderngl

from kinetree.engine.scene.scene import Mirror, ShaderFeatures, coarser
from kinetree.renderer import viewpoint
from kinetree.renderer.context import GL_CLIP_DISTANCE0
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes import sky
from kinetree.renderer.passes.surfaces import PREMULTIPLIED, draw_batches
from kinetree.renderer.shader import MIRROR_LEVELS, SAMPLERS

HALVED = 0.5  # resolution where the effect is not at its best and the processor draws


def wanted(frame: FrameContext) -> bool:
    """Whether a reflecting plane or box is in view."""
    return any(b.kind & ShaderFeatures.MIRROR and b.visible for b in frame.scene.opaque)


def _size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of one image."""
    scale = HALVED if frame.software and frame.scene.effects.mirrordetail != "full" else 1.0
    return max(1, ceil(frame.width * scale)), max(1, ceil(frame.height * scale))


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of all images together."""
    width, height = _size(frame)
    return width * max(len(frame.scene.mirrors), 1), height


def smooth(frame: FrameContext) -> bool:
    """Whether the images have several samples a pixel, and shadows."""
    return frame.scene.effects.mirrordetail != "plain"


def levels(frame: FrameContext) -> int:
    """Mip levels of the images: rough surfaces show the smaller ones."""
    rough = any(batch.kind & ShaderFeatures.MIRROR and batch.kind & ShaderFeatures.PBR for batch in frame.scene.opaque)
    return MIRROR_LEVELS + 1 if rough and min(size(frame)) >> MIRROR_LEVELS else 1


def draw(job: PassJob) -> None:
    """Draw what is above each plane, mirrored."""
    job.target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
    for number, mirror in enumerate(job.frame.scene.mirrors):
        _draw_one(job, number, mirror)
    job.device.context.scissor = None


def _draw_one(job: PassJob, number: int, mirror: Mirror) -> None:
    context, scene = job.device.context, job.frame.scene
    width, height = _size(job.frame)
    left, bottom = int(mirror.bounds[0] * width) - 2, max(int(mirror.bounds[1] * height) - 2, 0)
    right, top = ceil(mirror.bounds[2] * width) + 2, min(ceil(mirror.bounds[3] * height) + 2, height)
    left, right = max(left, 0) + number * width, min(right, width) + number * width
    area = left, bottom, right - left, top - bottom
    context.viewport = number * width, 0, width, height
    mirrored = viewpoint.of(scene.view, mirror.plane, number + 1)
    context.enable_only(moderngl.DEPTH_TEST)
    context.front_face = "cw"
    context.enable_direct(GL_CLIP_DISTANCE0)
    halved = width < job.frame.width
    batches = [
        replace(batch, shape=coarser(batch.shape)) if halved else batch
        for batch in scene.opaque
        if batch.mirror != number and not batch.kind & ShaderFeatures.INFINITE
    ]
    draw_batches(job, batches, mirrored, ("CLIP",), everything=True, area=area, shadows=smooth(job.frame))
    context.scissor = area
    if sky.there_is(job.frame):
        context.disable_direct(GL_CLIP_DISTANCE0)
        sky.fill(job, mirrored, ("MIRROR_PASS",))
        context.enable_direct(GL_CLIP_DISTANCE0)
    clear = [batch for batch in scene.transparent if not batch.kind & ShaderFeatures.INFINITE]
    if clear:
        context.enable(moderngl.BLEND)
        context.blend_func = PREMULTIPLIED
        job.target.depth_mask = False
        draw_batches(job, clear, mirrored, ("CLIP", "BLEND"), everything=True, area=area, shadows=False)
        job.target.depth_mask = True
        context.disable(moderngl.BLEND)
    context.disable_direct(GL_CLIP_DISTANCE0)
    context.front_face = "ccw"


def resolve(job: PassJob) -> None:
    """Resolve the samples to one value for each pixel."""
    device = job.device
    device.context.enable_only(moderngl.NOTHING)
    samples = job.frame.samples if smooth(job.frame) else 0
    program = device.programs.get("screen.vert", "resolve.frag", (f"SAMPLES {samples}",))
    job.written("mirror samples").use(SAMPLERS["scene_color"])
    device.fill_screen(program)
