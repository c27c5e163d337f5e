"""Transparent surfaces from the farthest to the nearest, each instance's far side before its near side."""

from __future__ import annotations

import moderngl

from engine.scene.scene import Scene
from renderer.passes.surfaces import draw_batches


def wanted(scene: Scene) -> bool:
    """Whether anything transparent is in view."""
    return any(batch.visible for batch in scene.transparent)


def draw(frame, scene: Scene) -> None:
    """Blend over what is there; depth is tested and not written."""
    context = frame.context
    frame.color.use()
    context.viewport = (0, 0, frame.width, frame.height)
    context.enable_only(moderngl.DEPTH_TEST if scene.segment else moderngl.DEPTH_TEST | moderngl.BLEND)
    context.blend_func = (
        (moderngl.SRC_ALPHA, moderngl.ONE)
        if scene.additive
        else (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE)
    )
    context.wireframe = scene.wireframe
    frame.color.depth_mask = bool(scene.segment)
    draw_batches(
        frame, scene, scene.transparent, frame.matrix, frame.viewer, () if scene.segment else ("BLEND",)
    )
    frame.color.depth_mask = True
    context.wireframe = False
    context.blend_func = moderngl.DEFAULT_BLENDING
