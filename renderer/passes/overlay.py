"""Draws marks and coordinate frames over the scene, in flat colours: opaque where they are visible, fainter where the
scene hides them."""

from __future__ import annotations

import moderngl

from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.shader import uniform

HIDDEN = 0.5
"""Opacity of hidden parts."""


def wanted(frame: FrameContext) -> bool:
    """Whether the scene has anything to draw over it."""
    return bool(frame.scene.overlay) and not frame.scene.segment


def draw(job: PassJob) -> None:
    """Blend the overlay into the picture. The depth of the scene is tested, and is not written."""
    context, frame = job.device.context, job.frame
    context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
    job.target.depth_mask = False
    program = job.device.programs.get("instance.vert", "flat.frag")
    uniform(program, "pass_matrix").write(frame.viewpoint.matrix)
    for test, opacity in ((">", HIDDEN), ("<=", 1.0)):
        context.depth_func = test
        program["opacity"] = opacity
        for batch in frame.scene.overlay:
            job.device.draw_shape(program, batch.shape, batch.first, batch.count)
    context.depth_func = "<="
    job.target.depth_mask = True
