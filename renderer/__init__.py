"""Scenes drawn with OpenGL 4.1: into a window's context or without a window."""

from __future__ import annotations

import numpy as np


def render(model, data, width: int, height: int, camera=None, options=None) -> np.ndarray:
    """Draw a picture of a model: (height, width, 3) uint8, sRGB. Needs no window and no display.

    The picture shows the poses that were computed last. Of a Data for which none were computed since it was made or
    reset it shows those at its qpos, without changing it.

    data      a Data or a Snapshot
    width     of the picture, pixels
    height    of the picture, pixels
    camera    a camera's name or id, a Camera, or None: the free camera that the model asks for
    options   what is shown and how (VisOptions); None: the defaults

    Raises KeyError or IndexError for an unknown camera, ValueError for a Data of another model and for a size that
    cannot be drawn, NoContext without OpenGL 4.1.

    Source: Kinetree's own; docs/pictures.md.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        picture = kinetree.render(model, data, 160, 120, camera="front", options=kinetree.VisOptions(shadow=False))
        assert picture.shape == (120, 160, 3)
    """
    from kinetree.renderer.offscreen import shared

    return shared().render(model, data, width, height, camera, options)
