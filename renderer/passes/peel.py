"""Transparent surfaces that may be in each other, sorted in each sample: depth peeling (Everitt 2001).

Each round finds the nearest surface behind the last one and blends its light under what is there already. The rounds
end when nothing is left. Only the depth is found sample by sample; light is computed once a pixel, as everywhere.
"""

from __future__ import annotations

from math import ceil

import moderngl

from kinetree.renderer.context import ALPHA_BLENDING
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes.surfaces import PREMULTIPLIED, draw_batches
from kinetree.renderer.pool import TargetFormat, TextureSpec
from kinetree.renderer.shader import SAMPLERS

MOST = 32
"""Most surfaces behind each other; what is behind them is not seen."""
UNDER = moderngl.ONE_MINUS_DST_ALPHA, moderngl.ONE
"""Blending of colours that are multiplied by alpha, from the nearest to the farthest."""


def wanted(frame: FrameContext) -> bool:
    """Whether the order of transparent shapes is not known."""
    scene = frame.scene
    return scene.tangled is not None and not (scene.segment or scene.additive or scene.wireframe)


def rectangle(frame: FrameContext) -> tuple[int, int, int, int]:
    """The part of the window with all transparent shapes: left, bottom, width, height."""
    assert frame.scene.tangled is not None, "not wanted()"
    left, bottom, right, top = frame.scene.tangled
    left, bottom = max(0, int(left * frame.width) - 1), max(0, int(bottom * frame.height) - 1)
    right, top = min(frame.width, ceil(right * frame.width) + 1), min(frame.height, ceil(top * frame.height) + 1)
    return left, bottom, max(1, right - left), max(1, top - bottom)


def draw(job: PassJob) -> None:
    """Blend the colours of all layers, multiplied by their alpha."""
    device, context, frame = job.device, job.device.context, job.frame
    scene, viewpoint = frame.scene, frame.viewpoint
    color, depth = job.target.color_attachments[0], job.target.depth_attachment
    spec = TextureSpec(TargetFormat.DEPTH24, frame.width, frame.height, frame.samples)
    other = device.pool.acquire(spec)
    targets = [job.target, device.pool.framebuffer([color, other])]
    depths = [depth, other]
    defines = ("DEPTH_ONLY", f"SAMPLES {frame.samples}")
    area = rectangle(frame)
    job.target.clear(0.0, 0.0, 0.0, 0.0, viewport=area)
    job.written("depth").use(SAMPLERS["scene_depth"])
    for layer in range(MOST):
        target = targets[layer % 2]
        target.viewport = (0, 0, frame.width, frame.height)
        target.color_mask = False, False, False, False
        target.depth_mask = True
        target.use()
        target.clear(depth=1.0, viewport=area)
        context.enable_only(moderngl.DEPTH_TEST)
        depths[(layer + 1) % 2].use(SAMPLERS["layer_depth"])
        with device.samples:
            behind = ("BEHIND",) if layer else ()
            draw_batches(job, scene.transparent, viewpoint, (*defines, *behind), fragment="peel.frag")
        target.color_mask = True, True, True, True
        if not device.samples.samples:
            break
        target.depth_mask = False
        target.use()
        context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        context.blend_func, context.depth_func = UNDER, "=="
        draw_batches(job, scene.transparent, viewpoint, ("BLEND",))
        context.blend_func, context.depth_func = ALPHA_BLENDING, "<="
        target.depth_mask = True
    device.pool.give_back(spec, other)


def blend(job: PassJob) -> None:
    """Blend the layers over what is opaque."""
    device, frame = job.device, job.frame
    device.context.enable_only(moderngl.BLEND)
    device.context.blend_func = PREMULTIPLIED
    program = device.programs.get("screen.vert", "layers.frag", (f"SAMPLES {frame.samples}",))
    job.written("layers").use(SAMPLERS["scene_color"])
    device.context.scissor = rectangle(frame)
    device.fill_screen(program)
    device.context.scissor = None
    device.context.blend_func = ALPHA_BLENDING
