"""Scenes drawn with OpenGL 4.1: into a window's context or without a window."""

from __future__ import annotations

import numpy as np


def render(model, data, width: int, height: int, camera=None, options=None) -> np.ndarray:
    """A picture of `model` in the state `data`: (height, width, 3) uint8.

    `camera`: None (the free camera that the model asks for), a camera's name or id, or an
    kinetree.engine.scene.camera.Camera. `options`: kinetree.engine.scene.options.VisOptions. Needs no window and no
    display.

    `data` is a Data or a Snapshot. The picture shows the poses that were computed last; of a Data for which none were
    computed since it was made or reset, those at its qpos, without changing it.

    Raises KeyError or IndexError for an unknown camera, ValueError for a Data of another model and for a size that
    cannot be drawn, kinetree.renderer.context.NoContext without OpenGL 4.1.
    """
    from kinetree.renderer.offscreen import shared

    return shared().render(model, data, width, height, camera, options)
