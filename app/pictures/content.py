"""Renders pictures without a window: colours, depths or objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree import engine
from kinetree.app import pictures
from kinetree.app.pictures.formats import Content

if TYPE_CHECKING:
    from kinetree.engine.scene.camera import Camera
    from kinetree.engine.scene.options import VisOptions
    from kinetree.renderer.offscreen import Offscreen

USUAL = 800.0
"""Shorter side of a picture, pixels, up to which labels and marks are as large as in a window; beyond it they grow."""


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """A requested picture.

    width, height  pixels
    look           the scene and its options
    content        meaning of the numbers
    transparent    colours without a background, over alpha
    planes         whether infinite planes are drawn: transparent pictures of objects do without the floor
    """

    width: int
    height: int
    look: VisOptions
    content: Content = Content.COLORS
    transparent: bool = False
    planes: bool = True


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture that was drawn.

    pixels   COLORS: (height, width, 3) uint8, or (height, width, 4) where transparent; DEPTH: (height, width) float32,
             m along the viewing direction, infinite where nothing is; SEGMENTATION: (height, width) int32, row of
             `objects`, -1 where nothing is; NORMAL: (height, width, 3) float32, unit vectors of the world, zeros where
             nothing is; ALBEDO: (height, width, 3) uint8, sRGB-encoded, black where nothing is
    objects  (n, 2) int32, type (mjtObj) and id of the objects in a segmentation
    """

    pixels: np.ndarray
    objects: np.ndarray | None = None


def draw(offscreen: Offscreen, model: Any, state: Any, camera: Camera, picture: PictureRequest) -> Drawn:
    """Draw a model in a state: a Data or a Snapshot. Raises IndexError for a camera that the model does not have."""
    look = _look(model, picture)
    size = picture.width, picture.height
    with offscreen.renderer.device.context:
        ratio = max(1.0, min(size) / USUAL)
        scene = engine.scene.build.build(model, state, look, camera, None, offscreen.scene, size, None, ratio)
        if picture.content is Content.DEPTH:
            return Drawn(offscreen.renderer.read(scene, *size, ("distance",))[0])
        if picture.content is Content.NORMAL:
            return Drawn(offscreen.renderer.read(scene, *size, ("normal",))[0])
        if picture.content is Content.ALBEDO:
            return Drawn(offscreen.renderer.read(scene, *size)[0])
        if picture.content is Content.SEGMENTATION:
            code = offscreen.renderer.read(scene, *size)[0].astype(np.int32)
            number = code[..., 0] + (code[..., 1] << 8) + (code[..., 2] << 16) - 1
            return Drawn(number, scene.segments.copy())
        [pixels] = offscreen.renderer.read(scene, *size, ("cutout" if picture.transparent else "image",))
        if scene.labels:
            pixels = pictures.lettering.write(pixels, scene.labels, scene.view, ratio)
        return Drawn(pixels)


def _look(model: Any, picture: PictureRequest) -> VisOptions:
    """The options with which the picture is drawn."""
    from copy import copy

    look = copy(picture.look)
    if picture.content is not Content.COLORS:
        look.segment = picture.content in (Content.SEGMENTATION, Content.ALBEDO)
        look.idcolor = picture.content is Content.SEGMENTATION
        look.albedo = picture.content is Content.ALBEDO
        look.wireframe = False
    if not picture.planes:
        infinite = (model.geom_type == engine.model.enums.GEOM_PLANE) & (model.geom_size[:, :2] <= 0).any(axis=1)
        look.hidden = look.hidden | {
            engine.model.kinds.ObjectId("geom", int(each)) for each in np.flatnonzero(infinite)
        }
    return look
