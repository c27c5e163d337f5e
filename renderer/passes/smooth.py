"""Smooth edges of the finished picture, without more samples of a pixel: for computers that draw slowly.

Wherever brightness changes much from a pixel to its neighbours, colours are taken along the edge instead of across it
(Lottes 2009, "FXAA"). Thin parts and textures are not told apart from edges: more samples show them better.
"""

from __future__ import annotations

import moderngl

from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes import depth_picture
from kinetree.renderer.shader import SAMPLERS


def wanted(frame: FrameContext) -> bool:
    """Whether pixels have one sample each, and their colours are colours."""
    scene = frame.scene
    if not scene.effects.fxaa or frame.samples > 1 or scene.segment or frame.alpha:
        return False
    return not depth_picture.wanted(frame)


def draw(job: PassJob) -> None:
    """Fill the image from the one with hard edges."""
    device = job.device
    device.context.enable_only(moderngl.NOTHING)
    job.written("toned").use(SAMPLERS["toned_map"])
    device.fill_screen(device.programs.get("screen.vert", "smooth.frag"))
