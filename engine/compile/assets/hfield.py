"""Height fields: heights between 0 and 1 from a PNG image, a binary file or the text.

The first row of an image or of the text is at +Y, that of the binary format and of the model at -Y. Source: XML
reference, "asset/hfield".
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

import numpy as np

from kinetree.engine.mjcf.elements import Element
from kinetree.engine.resources import image
from kinetree.engine.translation import tr

MAX_CELLS = 64_000_000
PNG = "image/png"
CUSTOM = "image/vnd.mujoco.hfield"


class BadHeights(ValueError):
    """A height field that cannot be used: (message, attribute to point at)."""

    def __init__(self, message: str, attribute: str = "file"):
        super().__init__(message)
        self.attribute = attribute


class HeightField:
    """heights  (nrow, ncol) float32, from 0 to 1, the first row at -Y
    size     half extents in x and y, height of the highest point, depth of the base, m
    """

    __slots__ = ("heights", "size")

    def __init__(self, heights: np.ndarray, size: tuple[float, ...]):
        self.heights, self.size = heights, size

    @property
    def geom_size(self) -> list[float]:
        """The size of a geom: half sides of a box between the middle of the heights and of the base."""
        x, y, top, base = self.size
        return [x, y, (top / 2 + base) / 2]

    @property
    def aabb(self) -> tuple[float, ...]:
        """Centre and half sides of the bounding box, m."""
        x, y, top, base = self.size
        return (0.0, 0.0, (top - base) / 2, x, y, (top + base) / 2)

    @property
    def radius(self) -> float:
        """Radius of the bounding sphere around the geom's origin, m."""
        x, y, top, base = self.size
        return float(np.sqrt(x * x + y * y + max(top, base) ** 2))


def height_field(element: Element, read: Callable[[str], bytes]) -> HeightField:
    """The height field of an element. `read` gives the contents of the file that an attribute names.

    Raises BadHeights.
    """
    size = tuple(element["size"].tolist())
    if not all(value > 0 for value in size):
        raise BadHeights(tr("the four numbers of size must be above 0; correct them"), "size")
    if element.get("file"):
        heights = _from_file(element, read("file"))
    else:
        heights = _from_text(element)
    if not np.isfinite(heights).all():
        raise BadHeights(tr("a height is infinite or not a number; write finite ones"))
    heights = heights.astype(np.float32)
    low, high = heights.min(), heights.max()
    heights = heights - low
    if high > low:
        heights /= high - low
    return HeightField(heights, size)


def _check_size(nrow: int, ncol: int, attribute: str) -> None:
    if nrow <= 0 or ncol <= 0:
        raise BadHeights(
            tr("the height field has {nrow} x {ncol} heights; give it at least one", nrow=nrow, ncol=ncol), attribute
        )
    if nrow * ncol > MAX_CELLS:
        raise BadHeights(
            tr(
                "the height field has {nrow} x {ncol} heights; at most {most} are read",
                nrow=nrow,
                ncol=ncol,
                most=MAX_CELLS,
            ),
            attribute,
        )


def _from_text(element: Element) -> np.ndarray:
    nrow, ncol, elevation = element["nrow"], element["ncol"], element.get("elevation")
    if nrow <= 0 or ncol <= 0:
        raise BadHeights(tr("a height field needs a file, or nrow and ncol above 0; add one of them"), "nrow")
    _check_size(nrow, ncol, "nrow")
    if elevation is None or not len(elevation):
        return np.zeros((nrow, ncol), np.float32)
    if len(elevation) != nrow * ncol:
        raise BadHeights(
            tr(
                "elevation has {count} numbers; {nrow} rows of {ncol} need {number}",
                count=len(elevation),
                nrow=nrow,
                ncol=ncol,
                number=nrow * ncol,
            ),
            "elevation",
        )
    return elevation.astype(np.float32).reshape(nrow, ncol)[::-1]


def _from_file(element: Element, data: bytes) -> np.ndarray:
    media = element.get("content_type") or ""
    if "/" in media and media not in (PNG, CUSTOM):
        raise BadHeights(
            tr(
                "'{media}' is no media type of a height field; use {png} or {custom}",
                media=media,
                png=PNG,
                custom=CUSTOM,
            ),
            "content_type",
        )
    kind = media if "/" in media else PNG if PurePath(element["file"]).suffix.lower() == ".png" else CUSTOM
    if kind == PNG:
        try:
            return image.png(data, 1)[::-1, :, 0]
        except image.BadImage as error:
            raise BadHeights(str(error)) from None
    if len(data) < 8:
        raise BadHeights(tr("the file is cut off: a binary height field begins with two integers, rows and columns"))
    nrow, ncol = np.frombuffer(data, "<i4", 2).tolist()
    problem = image.other(data)
    if problem is not None and len(data) != 8 + 4 * nrow * ncol:
        raise BadHeights(problem)
    _check_size(nrow, ncol, "file")
    if len(data) != 8 + 4 * nrow * ncol:
        raise BadHeights(
            tr(
                "the file has {count} bytes; {nrow} rows and {ncol} columns need {number}. Binary height "
                "fields are two integers and the heights; images must be PNG, with that extension",
                count=len(data),
                nrow=nrow,
                ncol=ncol,
                number=8 + 4 * nrow * ncol,
            )
        )
    return np.frombuffer(data, "<f4", nrow * ncol, 8).reshape(nrow, ncol)
