"""The ghost: another model in one see-through colour, in the same view.

Where both models are at the same place the ghost is behind, so that only what differs shows.
"""

from __future__ import annotations

import moderngl

from kinetree.engine.scene.scene import Batch, ShaderFeatures
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes.surfaces import PREMULTIPLIED, choose_planes
from kinetree.renderer.shader import SAMPLERS, uniform

BEHIND = 2.0, 8.0
"""Offset of its depth."""


def wanted(frame: FrameContext) -> bool:
    """Whether there is a ghost."""
    return frame.scene.ghost is not None and not frame.scene.segment


def draw(job: PassJob) -> None:
    """Draw the ghost: first its depth, then the colour of its nearest surface."""
    device, context, frame = job.device, job.device.context, job.frame
    ghost = frame.scene.ghost
    assert ghost is not None, "not wanted()"
    assets, instances = device.ghost
    if assets.model is not ghost.model:
        assets.load(ghost.model)
    assets.follow(ghost.surfaces)
    instances.upload(ghost)
    instances.bind(SAMPLERS["instances"])
    batches = [batch for batch in ghost.opaque if _is_drawn(batch)]  # clear ones would tint their likes
    context.enable_only(moderngl.DEPTH_TEST)
    context.polygon_offset = BEHIND
    mask = job.target.color_mask
    job.target.color_mask = False, False, False, False
    job.target.use()
    cut = ("SECTION",) if frame.scene.section is not None else ()
    if cut:
        choose_planes(context, False, True)
    program = device.programs.get("instance.vert", "mask.frag", ("DEPTH_ONLY", *cut))
    uniform(program, "pass_matrix").write(frame.viewpoint.matrix)
    for batch in batches:
        device.draw_shape(program, batch.shape, batch.first, batch.visible, assets)
    job.target.color_mask = mask
    job.target.use()
    context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
    context.blend_func = PREMULTIPLIED
    program = device.programs.get("instance.vert", "ghost.frag", cut)
    uniform(program, "pass_matrix").write(frame.viewpoint.matrix)
    program["viewer"], program["viewer_forward"] = frame.viewpoint.eye, frame.viewpoint.forward
    for batch in batches:
        device.draw_shape(program, batch.shape, batch.first, batch.visible, assets)
    context.polygon_offset = 0.0, 0.0
    if cut:
        choose_planes(context, False, False)
    device.instances.bind(SAMPLERS["instances"])


def _is_drawn(batch: Batch) -> bool:
    return batch.visible > 0 and not batch.kind & ShaderFeatures.INFINITE
