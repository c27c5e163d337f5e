"""Opaque surfaces, in linear light."""

from __future__ import annotations

import moderngl

from renderer.graph import Frame, Job
from renderer.passes.surfaces import draw_batches


def wanted(frame: Frame) -> bool:
    """Always: it clears the targets."""
    return True


def draw(job: Job) -> None:
    """Clear, then draw everything that hides what is behind it."""
    context, frame = job.device.context, job.frame
    job.target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
    context.enable_only(moderngl.DEPTH_TEST)
    context.wireframe = frame.scene.wireframe
    extra = ("NORMAL_OUTPUT",) if job.writes("normal") else ()
    draw_batches(job, frame.scene.opaque, frame.viewpoint, extra)
    context.wireframe = False
