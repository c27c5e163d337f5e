"""Opaque surfaces, straight into the window's colours."""

from __future__ import annotations

import moderngl
import numpy as np

from engine.scene.scene import Scene
from renderer.passes.surfaces import draw_batches


def wanted(scene: Scene) -> bool:
    """Always: it clears the target."""
    return True


def draw(frame, scene: Scene) -> None:
    """Clear, then draw everything that hides what is behind it."""
    context = frame.context
    frame.color.use()
    context.viewport = (0, 0, frame.width, frame.height)
    frame.color.clear(0.0, 0.0, 0.0, 1.0, depth=1.0)
    context.enable_only(moderngl.DEPTH_TEST)
    context.wireframe = scene.wireframe
    draw_batches(frame, scene, scene.opaque, frame.matrix, frame.viewer)
    context.wireframe = False


def camera_matrix(scene: Scene) -> bytes:
    """World to clip of the main view, as the shaders want it."""
    view = scene.view
    return np.ascontiguousarray((view.projection @ view.view).T, np.float32).tobytes()
