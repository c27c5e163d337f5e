"""Image of a camera that gives depth: grey, white at the eye and darker with the distance."""

from __future__ import annotations

import moderngl

from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.shader import SAMPLERS


def wanted(frame: FrameContext) -> bool:
    """Whether the picture is one of depths."""
    return frame.scene.depth_scale > 0 and not frame.scene.segment


def draw(job: PassJob) -> None:
    """Fill the image."""
    device = job.device
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "depth_picture.frag")
    job.written("distance").use(SAMPLERS["scene_depth"])
    program["depth_scale"] = job.frame.scene.depth_scale
    device.fill_screen(program)
