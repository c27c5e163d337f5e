"""Ambient occlusion: less light from all around in corners, under objects and between them.

Three passes: depth of the occluders (one sample a pixel), the part of a texel's surroundings that is free, and the mean
over texels of the same surface. Surfaces look the result up when they are drawn (`shaders/include/occlusion.glsl`), so
that it darkens ambient and environment light only, and edges stay smooth.
"""

from __future__ import annotations

import moderngl

from kinetree.engine.scene.scene import ShaderFeatures
from kinetree.renderer import viewpoint
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes.surfaces import choose_planes, is_cut
from kinetree.renderer.shader import SAMPLERS, uniform

SLICES = 1, 2  # lines along which a texel looks to both sides, at half and at full resolution
STEPS = 4  # depths that are read on each side
HALVED = 0.5  # texels per pixel of half resolution
WIDEST = 0.12  # most of the image's height that the radius can be
SAME_SURFACE = 0.05  # relative difference of distances up to which texels can be of one surface


def wanted(frame: FrameContext) -> bool:
    """Whether the effect is on."""
    return frame.scene.occlusion > 0


def scale(frame: FrameContext) -> float:
    """Texels per pixel."""
    return 1.0 if _is_full(frame) else HALVED


def _is_full(frame: FrameContext) -> bool:
    return frame.scene.effects.occlusion == "full"


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of the images."""
    return max(1, int(frame.width * scale(frame))), max(1, int(frame.height * scale(frame)))


def draw_depth(job: PassJob) -> None:
    """Draw the depth of the visible opaque surfaces."""
    device, scene = job.device, job.frame.scene
    context = device.context
    job.target.clear(depth=1.0)
    context.enable_only(moderngl.DEPTH_TEST)
    for is_open in (False, True) if scene.section is not None else (False,):
        program = device.programs.get("instance.vert", "depth.frag", ("DEPTH_ONLY", *(("SECTION",) if is_open else ())))
        uniform(program, "pass_matrix").write(job.frame.viewpoint.matrix)
        if scene.section is not None:
            choose_planes(context, False, is_open)
        for batch in scene.opaque:
            if batch.visible and not batch.kind & ShaderFeatures.DECOR and is_cut(scene, batch) == is_open:
                cull = scene.cull and not batch.kind & ShaderFeatures.TWO_SIDED and not is_open
                (context.enable if cull else context.disable)(moderngl.CULL_FACE)
                device.draw_shape(program, batch.shape, batch.first, batch.visible)
    if scene.section is not None:
        choose_planes(context, False, False)


def draw(job: PassJob) -> None:
    """Compute the unoccluded fraction of the surroundings of each texel."""
    device, frame = job.device, job.frame
    view = frame.scene.view
    device.context.enable_only(moderngl.NOTHING)
    defines = f"SLICES {SLICES[_is_full(frame)]}", f"STEPS {STEPS}"
    program = device.programs.get("screen.vert", "occlusion.frag", defines)
    job.written("occluders").use(SAMPLERS["scene_depth"])
    viewpoint.set_eye(program, view)
    unit = 1.0 if view.orthographic else view.near
    rows = size(frame)[1]
    program["reach"] = frame.scene.occlusion, rows * unit / (view.top - view.bottom), WIDEST * rows
    device.fill_screen(program)


def blur(job: PassJob) -> None:
    """Blur: average each texel with the texels of a square that are of the same surface."""
    device = job.device
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "occlusion_blur.frag", (f"SAME_SURFACE {SAME_SURFACE}",))
    job.written("raw occlusion").use(SAMPLERS["visibility_map"])
    device.fill_screen(program)
