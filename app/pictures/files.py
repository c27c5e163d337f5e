"""Pictures written to files. A file is complete or not there at all."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from kinetree import engine
from kinetree.app.pictures.content import Drawn
from kinetree.app.pictures.formats import PICTURES, Content, extension
from kinetree.engine.atomic import replaced

MILLIMETRES = 1000.0
FARTHEST = np.iinfo(np.uint16).max


def save(drawn: Drawn, content: Content, path: str, model: Any) -> list[str]:
    """Write a picture, and for a segmentation the CSV file that names its objects; returns the files' names.

    Raises OSError. See `formats.CONTENTS` for the meaning of the numbers in the file.
    """
    ending = extension(path)
    form = PICTURES[ending]
    if form.name == "NPY":
        with replaced(path) as temporary, open(temporary, "wb") as file:
            np.save(file, _numbers(drawn, content))
        return [path]
    from PIL import Image

    pixels = drawn.pixels
    if content is Content.DEPTH:
        pixels = in_millimetres(pixels)
    elif content is Content.NORMAL:
        pixels = np.rint(255.0 * (0.5 * pixels + 0.5)).astype(np.uint8)
    elif content is Content.SEGMENTATION:
        assert drawn.objects is not None
        pixels = palette(len(drawn.objects))[drawn.pixels + 1]
    packed = io.BytesIO()  # given a file, Pillow takes no notice of a write that writes less than it should
    Image.fromarray(pixels).save(packed, form.name, **form.options)
    with replaced(path) as temporary, open(temporary, "wb") as file:
        file.write(packed.getbuffer())
    if content is not Content.SEGMENTATION:
        return [path]
    table = f"{path[: -len(ending)]}.csv"
    with replaced(table) as temporary, open(temporary, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("color", "kind", "id", "name"), *object_rows(drawn, model)])
    return [path, table]


def _numbers(drawn: Drawn, content: Content) -> np.ndarray:
    if content is not Content.SEGMENTATION:
        return drawn.pixels
    assert drawn.objects is not None
    pairs = np.concatenate([[[-1, -1]], drawn.objects[:, ::-1]]).astype(np.int32)  # MuJoCo's order: id, type
    return pairs[drawn.pixels + 1]


def in_millimetres(depth: np.ndarray) -> np.ndarray:
    """Depths in m as uint16 in millimetres; 0 for empty pixels, or too large depths."""
    scaled = np.rint(depth.astype(float) * MILLIMETRES)
    return np.where(scaled <= FARTHEST, scaled, 0).astype(np.uint16)


def palette(count: int) -> np.ndarray:
    """(count + 1, 3) uint8: black for nothing, then colours that differ from each other, each only once."""
    numbers = np.arange(count)
    hue, value = (numbers * 0.618033988749895) % 1.0, 1.0 - 0.25 * ((numbers // 8) % 3)
    saturation = 0.85 - 0.3 * ((numbers // 24) % 2)
    corner = (hue[:, None] * 6.0 + np.array([0.0, 4.0, 2.0])) % 6.0
    pure = np.clip(np.abs(corner - 3.0) - 1.0, 0.0, 1.0)
    colors = np.rint(255.0 * value[:, None] * (1.0 - saturation[:, None] * (1.0 - pure))).astype(np.uint8)
    known: set[tuple[int, ...]] = {(0, 0, 0)}
    for color in colors:
        while tuple(color.tolist()) in known:
            color[np.argmin(color)] += 1
        known.add(tuple(color.tolist()))
    return np.concatenate([np.zeros((1, 3), np.uint8), colors])


def object_rows(drawn: Drawn, model: Any) -> list[tuple[str, str, int, str]]:
    """(colour, kind, id, name) of every object that a segmentation shows; decorations have an empty kind."""
    assert drawn.objects is not None
    colors = palette(len(drawn.objects))
    rows = []
    for number in np.unique(drawn.pixels[drawn.pixels >= 0]).tolist():
        type_, id = drawn.objects[number].tolist()
        kind = engine.model.kinds.BY_OBJECT[type_].name if type_ in engine.model.kinds.BY_OBJECT and id >= 0 else ""
        names = model.names.get(kind, [])
        color = "#{:02x}{:02x}{:02x}".format(*colors[number + 1].tolist())
        rows.append((color, kind, id, names[id] if id < len(names) else ""))
    return rows
