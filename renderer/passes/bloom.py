"""Bloom: light that spreads around what shines by itself, as it does in an eye or a lens.

The opaque pass writes which part of a pixel's light is emitted (alpha above 1). The first pass takes that light at a
quarter of the resolution, with mip levels; the second sums the levels up, which gives a wide and smooth glow.
"""

from __future__ import annotations

import moderngl

from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.shader import SAMPLERS

SMALLER = 4  # pixels per texel
LEVELS = 6


def wanted(frame: FrameContext) -> bool:
    """Whether something glows, and the effect is on. Pictures without a background need their alpha."""
    scene = frame.scene
    return scene.glows and scene.effects.bloom and not (scene.segment or scene.wireframe or frame.alpha)


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of the images."""
    return max(2 ** (LEVELS - 1), frame.width // SMALLER), max(2 ** (LEVELS - 1), frame.height // SMALLER)


def draw(job: PassJob) -> None:
    """Take the emitted light."""
    device, frame = job.device, job.frame
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "emitted.frag", (f"SAMPLES {frame.samples}",))
    program["smaller"] = tuple(whole / part for whole, part in zip((frame.width, frame.height), size(frame)))
    job.written("color").use(SAMPLERS["scene_color"])
    device.fill_screen(program)


def spread(job: PassJob) -> None:
    """Add the levels up, from the smallest to the largest."""
    device = job.device
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "bloom.frag", (f"LEVELS {LEVELS}",))
    job.written("emitted").use(SAMPLERS["bloom_map"])
    device.fill_screen(program)
