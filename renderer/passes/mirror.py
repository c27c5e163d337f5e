"""The planar reflection: the scene seen through the mirror, at half the resolution where the processor draws, for surfaces with reflectance."""

from __future__ import annotations

import moderngl
import numpy as np

from engine.scene.scene import Kind, Scene
from renderer.context import GL_CLIP_DISTANCE0
from renderer.passes import sky
from renderer.passes.surfaces import draw_batches

SCALE, SCALE_SOFTWARE = 1.0, 0.5


def wanted(scene: Scene) -> bool:
    """Whether a reflecting plane or box is in view."""
    return scene.mirror is not None and any(b.kind & Kind.MIRROR and b.visible for b in scene.opaque)


def reflection(plane: np.ndarray) -> np.ndarray:
    """(4, 4) matrix that mirrors points in a plane (unit normal, offset)."""
    normal, offset = plane[:3], plane[3]
    matrix = np.eye(4)
    matrix[:3, :3] -= 2.0 * np.outer(normal, normal)
    matrix[:3, 3] = -2.0 * offset * normal
    return matrix


def draw(frame, scene: Scene) -> None:
    """Draw what is above the plane, mirrored."""
    context = frame.context
    scale = SCALE_SOFTWARE if frame.software else SCALE
    width, height = max(1, int(frame.width * scale)), max(1, int(frame.height * scale))
    target = frame.targets.mirror(width, height)
    mirror = reflection(scene.mirror.plane)
    view = scene.view
    matrix = np.ascontiguousarray((view.projection @ view.view @ mirror).T, np.float32).tobytes()
    eye = (mirror @ np.append(view.pos, 1.0))[:3]
    forward = view.forward
    target.use()
    context.viewport = (0, 0, width, height)
    target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
    context.enable_only(moderngl.DEPTH_TEST)
    context.front_face = "cw"
    context.enable_direct(GL_CLIP_DISTANCE0)
    view.forward = mirror[:3, :3] @ forward
    batches = [batch for batch in scene.opaque if not batch.kind & (Kind.MIRROR | Kind.INFINITE)]
    viewer = (*eye, 1.0 if view.orthographic else 0.0)
    draw_batches(frame, scene, batches, matrix, viewer, ("CLIP", "MIRROR_PASS"), everything=True)
    if scene.environment.draw_sky or scene.environment.fog:
        context.disable_direct(GL_CLIP_DISTANCE0)
        sky.draw_into(frame, scene, mirror, ("MIRROR_PASS",))
        context.enable_direct(GL_CLIP_DISTANCE0)
    clear = [batch for batch in scene.transparent if not batch.kind & Kind.INFINITE]
    if clear:
        context.enable(moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE
        target.depth_mask = False
        draw_batches(
            frame, scene, clear, matrix, viewer, ("CLIP", "MIRROR_PASS", "MIRROR_BLEND"), everything=True
        )
        target.depth_mask = True
        context.disable(moderngl.BLEND)
    view.forward = forward
    context.disable_direct(GL_CLIP_DISTANCE0)
    context.front_face = "ccw"
    frame.mirror = target.color_attachments[0]
