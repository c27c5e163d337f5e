"""From the renderer's own multisampled target to the framebuffer that was asked for."""

from __future__ import annotations

from engine.scene.scene import Scene


def wanted(scene: Scene) -> bool:
    """Always; drawing straight into the output leaves it nothing to do."""
    return True


def draw(frame, scene: Scene) -> None:
    """Average the samples into the output."""
    if frame.color is not frame.output:
        frame.context.copy_framebuffer(frame.output, frame.color)
