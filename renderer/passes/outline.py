"""Outlines of selected objects, in three passes: the samples that their shapes cover, the share of each pixel, and a
line around that share.

The line is as wide on every screen, and outside of the shape, whose colours stay as they are.
"""

from __future__ import annotations

from math import ceil

import moderngl

from kinetree.engine.scene.scene import Batch, SceneOutline
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes.surfaces import PREMULTIPLIED, choose_planes
from kinetree.renderer.shader import SAMPLERS, uniform

LINE, EDGE = 2.0, 1.0
"""Breadth of the line and of its dark edge, in pixels of the screen's scaling."""
THINNEST = 1.5
"""Breadth in device pixels that the line keeps in a reduced picture: one of less than half reaches no pixel."""
NEARER = -1.0, -2.0
"""Offset with which a shape passes the depth test against itself."""
Rectangle = tuple[int, int, int, int]


def wanted(frame: FrameContext) -> bool:
    """Whether anything is outlined."""
    return frame.scene.outline is not None and not frame.scene.segment


def reach(frame: FrameContext) -> int:
    """How far from a shape its outline is drawn, in device pixels."""
    return ceil(sum(breadth(frame)))


def breadth(frame: FrameContext) -> tuple[float, float]:
    """Of the line and of its edge, in device pixels."""
    return max(LINE * frame.scene.ratio, THINNEST), EDGE * frame.scene.ratio


def rectangle(frame: FrameContext, margin: int) -> Rectangle:
    """The part of the window with all that is outlined and so many pixels around it: left, bottom, width, height."""
    left, bottom, right, top = _outline(frame).bounds
    left, bottom = max(0, int(left * frame.width) - margin), max(0, int(bottom * frame.height) - margin)
    right = min(frame.width, ceil(right * frame.width) + margin)
    top = min(frame.height, ceil(top * frame.height) + margin)
    return left, bottom, max(0, right - left), max(0, top - bottom)


def _outline(frame: FrameContext) -> SceneOutline:
    assert frame.scene.outline is not None, "not wanted()"
    return frame.scene.outline


def draw_mask(job: PassJob) -> None:
    """Draw the mask. Channels: 0 the shapes, 1 their visible parts, 2 the shapes of the primary object, 3 marks."""
    context, frame, outline = job.device.context, job.frame, _outline(job.frame)
    job.target.depth_mask = False  # the depth is the scene's
    job.target.clear(0.0, 0.0, 0.0, 0.0, viewport=rectangle(frame, 2 * reach(frame) + 2))
    cut = frame.scene.section is not None
    program = job.device.programs.get("instance.vert", "mask.frag", ("DEPTH_ONLY", *(("SECTION",) if cut else ())))
    if cut:
        choose_planes(context, False, True)
    uniform(program, "pass_matrix").write(frame.viewpoint.matrix)
    context.blend_func = moderngl.ONE, moderngl.ONE
    context.blend_equation = moderngl.MAX, moderngl.MAX

    def cover(batches: list[Batch], *channels: float) -> None:
        program["channels"] = channels
        for batch in batches:
            job.device.draw_shape(program, batch.shape, batch.first, batch.count)

    context.enable_only(moderngl.BLEND)
    cover(outline.others, 1.0, 0.0, 0.0, 0.0)
    cover(outline.primary, 1.0, 0.0, 1.0, 0.0)
    cover(outline.marks, 0.0, 0.0, 0.0, 1.0)
    context.enable_only(moderngl.BLEND | moderngl.DEPTH_TEST)
    context.polygon_offset = NEARER
    cover(outline.others + outline.primary, 0.0, 1.0, 0.0, 0.0)
    context.polygon_offset = 0.0, 0.0
    context.blend_equation = moderngl.FUNC_ADD, moderngl.FUNC_ADD
    if cut:
        choose_planes(context, False, False)
    job.target.depth_mask = True


def draw_silhouette(job: PassJob) -> None:
    """Average the samples of each pixel of the mask."""
    device, frame = job.device, job.frame
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "silhouette.frag", (f"SAMPLES {frame.samples}",))
    job.written("mask").use(SAMPLERS["mask_map"])
    _fill(job, program, 2 * reach(frame) + 2)


def draw(job: PassJob) -> None:
    """Blend the line over the finished picture."""
    device, frame = job.device, job.frame
    device.context.enable_only(moderngl.BLEND)
    device.context.blend_func = PREMULTIPLIED
    program = device.programs.get("screen.vert", "outline.frag", (f"REACH {reach(frame)}",))
    job.written("silhouette").use(SAMPLERS["silhouette_map"])
    program["line_color"] = _outline(frame).color
    program["breadth"] = breadth(frame)
    _fill(job, program, reach(frame) + 1)


def _fill(job: PassJob, program: moderngl.Program, margin: int) -> None:
    """Run a program on the pixels around what is outlined."""
    area = rectangle(job.frame, margin)
    if area[2] and area[3]:
        job.device.context.scissor = area
        job.device.fill_screen(program)
        job.device.context.scissor = None
