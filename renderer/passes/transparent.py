"""Transparent surfaces from the farthest to the nearest, shape by shape. `peel.py` draws those that may be in each
other.

Colours are blended in linear light, multiplied by alpha in the shader.
"""

from __future__ import annotations

import moderngl

from kinetree.renderer.context import ALPHA_BLENDING
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes import peel
from kinetree.renderer.passes.surfaces import PREMULTIPLIED, draw_batches


def wanted(frame: FrameContext) -> bool:
    """Whether anything transparent is in view, and its order is known."""
    return not peel.wanted(frame) and any(batch.visible for batch in frame.scene.transparent)


def draw(job: PassJob) -> None:
    """Blend over what is there; depth is tested and not written."""
    context, frame, scene = job.device.context, job.frame, job.frame.scene
    context.enable_only(moderngl.DEPTH_TEST if scene.segment else moderngl.DEPTH_TEST | moderngl.BLEND)
    context.blend_func = (moderngl.ONE, moderngl.ONE) if scene.additive else PREMULTIPLIED
    context.wireframe = scene.wireframe
    job.target.depth_mask = bool(scene.segment)
    draw_batches(job, scene.transparent, frame.viewpoint, () if scene.segment else ("BLEND",))
    job.target.depth_mask = True
    context.wireframe = False
    context.blend_func = ALPHA_BLENDING
