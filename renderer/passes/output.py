"""Converts linear light to screen colours: exposure, tone mapping, resolving of samples, sRGB and dithering.

Each sample is tone mapped before the samples are averaged, so that one very bright sample does not eat up an edge; the
mean is taken in linear light, so that an edge is as bright as the areas that it separates.
"""

from __future__ import annotations

import moderngl

from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes import depth_picture, smooth
from kinetree.renderer.shader import SAMPLERS


def wanted(frame: FrameContext) -> bool:
    """Whether the picture shows colours, and its edges stay as they are."""
    return not (depth_picture.wanted(frame) or smooth.wanted(frame))


def draw(job: PassJob) -> None:
    """Fill the image."""
    device, frame, scene = job.device, job.frame, job.frame.scene
    device.context.enable_only(moderngl.NOTHING)
    bloom, brightness = job.texture("glow"), job.texture("brightness")
    curve = "NUMBERS" if scene.segment else f"TONE_{scene.tonemap.name}"
    defines = (f"SAMPLES {frame.samples}", curve, *(("ALPHA",) if frame.alpha and not scene.segment else ()))
    for image, sampler, define in ((bloom, "bloom_map", "BLOOM"), (brightness, "brightness_map", "AUTO_EXPOSURE")):
        if image is not None:
            image.use(SAMPLERS[sampler])
            defines += (define,)
    program = device.programs.get("screen.vert", "output.frag", defines)
    job.written("color").use(SAMPLERS["scene_color"])
    if "exposure" in program:
        program["exposure"] = 2.0**scene.exposure
    device.fill_screen(program)
