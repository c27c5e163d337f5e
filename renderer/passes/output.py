"""From linear light to what the screen shows: exposure, tone mapping, resolving of samples, sRGB and
dithering.

Each sample is tone mapped before the samples are averaged, so that one very bright sample does not eat up an
edge; the mean is taken in linear light, so that an edge is as bright as the areas that it separates.
"""

from __future__ import annotations

import moderngl

from renderer.graph import Frame, Job
from renderer.shader import SAMPLERS


def wanted(frame: Frame) -> bool:
    """Always."""
    return True


def draw(job: Job) -> None:
    """Fill the image."""
    device, frame, scene = job.device, job.frame, job.frame.scene
    device.context.enable_only(moderngl.NOTHING)
    curve = "NUMBERS" if scene.segment else f"TONE_{scene.tonemap.name}"
    program = device.programs.get("screen.vert", "output.frag", (f"SAMPLES {frame.samples}", curve))
    job.written("color").use(SAMPLERS["scene_color"])
    if "exposure" in program:
        program["exposure"] = 2.0**scene.exposure
    device.fill_screen(program)
