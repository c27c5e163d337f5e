"""The picture of a model alone, without background and floors, as file managers show it."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from PIL import Image

import kinetree
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.scene import bounds, effects
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import default_free, fitted
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.storage.loading import load
from kinetree.renderer.offscreen import Offscreen

OVERSAMPLED = 2
"""Each pixel is the mean of so many, squared."""
MARGIN = 0.06
"""Free space around the model, in sides of the picture."""
SCENERY = 2.0
"""Largest size of a framed scene, in sizes of its moving bodies; in a larger one the bodies are framed."""


def png(path: str, size: int) -> bytes:
    """The picture of a model as PNG, with its longer side of so many pixels. Raises an exception for a file without a
    model, and for a model that shows nothing."""
    pixels = _cut_out(load(path), OVERSAMPLED * size)
    picture = framed(Image.fromarray(pixels, "RGBA"), size)
    packed = io.BytesIO()
    picture.save(packed, "PNG", optimize=True)
    return packed.getvalue()


def framed(drawn: Any, size: int) -> Any:
    """The part of a picture (of Pillow) that shows something, in the middle of a square of so many pixels."""
    box = drawn.getchannel("A").point(lambda alpha: 255 * (alpha > 8)).getbbox()
    if box is None:
        raise ValueError("nothing to see")
    part = drawn.crop(box).convert("RGBa")  # multiplied by alpha: no dark edges
    room = round(size * (1 - 2 * MARGIN))
    scale = min(room / part.width, room / part.height)
    part = part.resize(
        (max(1, round(part.width * scale)), max(1, round(part.height * scale))), Image.Resampling.LANCZOS
    )
    square = Image.new("RGBA", (size, size))
    square.paste(part.convert("RGBA"), ((size - part.width) // 2, (size - part.height) // 2))
    return square


def _cut_out(model: Any, side: int) -> Any:
    """The bodies of a model without a background and without floors: (side, side, 4) uint8."""
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    floors = [ObjectId("geom", int(each)) for each in np.flatnonzero(model.geom_type == enums.GEOM_PLANE)]
    look = effects.with_preset(VisOptions(shadow=False, reflection=False, skybox=False), effects.Preset.PERFORMANCE)
    look.samples, look.fxaa, look.occlusion = 1, False, "off"
    look.hidden = frozenset(floors)
    camera = default_free(model)
    solid = [ObjectId("geom", int(each)) for each in np.flatnonzero(model.geom_type != enums.GEOM_PLANE)]
    bodies = [ObjectId("body", each) for each in range(1, int(model.nbody))]
    whole, moving = bounds.sphere(model, data, solid), bounds.sphere(model, data, bodies)
    ball = whole if moving is None or (whole is not None and whole[1] < SCENERY * moving[1]) else moving
    if ball is not None:
        camera = fitted(camera, *ball, model, 1.0)
    offscreen = Offscreen()
    try:
        with offscreen.renderer.device.context:
            scene = build(model, data, look, camera, None, offscreen.scene, (side, side))
            return offscreen.renderer.read(scene, side, side, ("cutout",))[0]
    finally:
        offscreen.release()
