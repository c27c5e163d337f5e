"""Opaque surfaces, in linear light."""

from __future__ import annotations

from typing import Any

import moderngl

from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes import sky
from kinetree.renderer.passes.surfaces import draw_batches


def wanted(frame: FrameContext) -> bool:
    """Always: it clears the targets."""
    return True


def draw(job: PassJob) -> None:
    """Clear, then draw everything that hides what is behind it."""
    context, frame = job.device.context, job.frame
    # the sky fills what no surface covers; in software, clearing 64 bits a sample before costs a tenth of a
    # frame
    _write_colors(job.target, not (frame.software and sky.fills(frame)))
    job.target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
    _write_colors(job.target, True)
    context.enable_only(moderngl.DEPTH_TEST)
    context.wireframe = frame.scene.wireframe
    extra = ("NORMAL_OUTPUT",) if job.writes("normal") else ()
    draw_batches(job, frame.scene.opaque, frame.viewpoint, extra)
    context.wireframe = False


def _write_colors(target: moderngl.Framebuffer, on: bool) -> None:
    """Let drawing and clearing change the colours, or the depth only."""
    mask = on, on, on, on
    count = len(target.color_attachments)
    masks: Any = (mask,) * count if count > 1 else mask  # moderngl annotates the second form only
    target.color_mask = masks
    target.use()  # moderngl applies masks when it binds
