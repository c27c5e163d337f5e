"""Automatic exposure: the mean brightness of the picture, from a small image of its logarithm whose last mip level is
one texel. `shaders/output.frag` brings that mean to the brightness of a grey card."""

from __future__ import annotations

import moderngl

from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.shader import SAMPLERS

SIDE = 64
LEVELS = 7


def wanted(frame: FrameContext) -> bool:
    """Whether the effect is on."""
    return frame.scene.effects.autoexposure and not frame.scene.segment


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of the image."""
    return SIDE, SIDE


def draw(job: PassJob) -> None:
    """Fill the image."""
    device, frame = job.device, job.frame
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "brightness.frag", (f"SAMPLES {frame.samples}",))
    program["smaller"] = (frame.width / SIDE, frame.height / SIDE)
    job.written("color").use(SAMPLERS["scene_color"])
    device.fill_screen(program)
