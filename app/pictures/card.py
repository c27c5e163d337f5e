"""The card of a model that cannot be drawn as a thumbnail: its format, its name, how many bodies it has."""

from __future__ import annotations

import contextlib
import io
import os
import re
from dataclasses import dataclass
from typing import Any

from kinetree.engine.translation import counted

READ = 2_000_000
"""Bytes of a file that are looked at."""
UNIT = 256
"""The design is in units of so many a side."""
OVERSAMPLED = 3


@dataclass(frozen=True)
class Summary:
    """The facts of a file that a card shows. `format` "" for none of ours; `bodies` -1 where they cannot be counted."""

    name: str
    format: str
    bodies: int = -1


FORMATS = {"mujoco": "MJCF", "robot": "URDF", "x_xy": "x_xy"}
COLOURS = {"MJCF": "#147d84", "URDF": "#c2542f", "x_xy": "#6b4fa0", "KMODEL": "#3b5568", "": "#6b7a80"}
FONTS = ("NotoSans-Regular.ttf", "DejaVuSans.ttf", "Arial.ttf", "Arial Unicode.ttf")
"""Tried in turn for texts beyond ASCII."""
BODIES = {"MJCF": rb"<body[\s>/]", "URDF": rb"<link[\s>/]", "x_xy": rb"<body[\s>/]"}


def summary(path: str) -> Summary:
    """Facts from the beginning of a file. Raises OSError."""
    with open(path, "rb") as file:
        data = file.read(READ)
    name = os.path.splitext(os.path.basename(path))[0]
    if data.startswith(b"\x89KINETREE MODEL\n"):
        return Summary(name, "KMODEL")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    text = re.sub(rb"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>", b"", data, flags=re.DOTALL)
    root = re.match(rb"(?:\xef\xbb\xbf)?\s*<([A-Za-z_][\w.-]*)", text)
    form = FORMATS.get(root[1].decode("ascii", "replace"), "") if root else ""
    whole = form and len(data) < READ
    return Summary(name, form, len(re.findall(BODIES[form], text)) if whole else -1)


def png(about: Summary, size: int) -> bytes:
    """The card as PNG, with sides of so many pixels."""
    from PIL import Image, ImageDraw

    scale = OVERSAMPLED * size / UNIT
    image = Image.new("RGBA", (OVERSAMPLED * size, OVERSAMPLED * size))
    pen = _Pen(ImageDraw.Draw(image), scale)
    colour = COLOURS[about.format]
    paper = [(40, 12), (164, 12), (216, 64), (216, 244), (40, 244)]
    pen.rounded(paper, 14, "#f7fafa", "#9fb4b7")
    pen.polygon([(164, 12), (164, 64), (216, 64)], "#c3d2d4", "#9fb4b7")
    _tree(pen, colour)
    pen.box((24, 138, 232, 190), 10, colour)
    pen.text((128, 164), about.format or "XML", 38, 190, "#ffffff", bold=True)
    pen.text((128, 208), about.name, 21, 164, "#24373c")
    if about.bodies >= 0:
        pen.text((128, 230), counted("{count} body", "{count} bodies", about.bodies), 17, 164, "#5d7378")
    packed = io.BytesIO()
    image.resize((size, size), Image.Resampling.LANCZOS).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def _tree(pen: _Pen, colour: str) -> None:
    """The links and joints of the icon of models."""
    joints = [(118, 104, 11), (84, 84, 10), (90, 46, 8), (150, 84, 11)]
    for start, end in (((118, 132), (118, 104)), ((118, 104), (84, 84)), ((84, 84), (90, 46)), ((118, 104), (150, 84))):
        pen.line(start, end, 13, colour)
    for x, y, radius in joints:
        pen.disc((x, y), radius, "#f0603f", "#ffffff")


class _Pen:
    """Draws in units of the design."""

    def __init__(self, draw: Any, scale: float):
        self._draw, self._scale = draw, scale

    def _points(self, points: Any) -> list[tuple[float, float]]:
        return [(x * self._scale, y * self._scale) for x, y in points]

    def polygon(self, points: Any, fill: str, edge: str) -> None:
        """A polygon with an edge."""
        self._draw.polygon(self._points(points), fill=fill, outline=edge, width=round(3 * self._scale))

    def rounded(self, points: Any, radius: float, fill: str, edge: str) -> None:
        """A polygon with round corners: its edge is as wide as these need."""
        for colour, wide in ((edge, 2 * radius), (fill, 2 * radius - 6)):
            inner = [
                (min(max(x, 40 + radius), 216 - radius), min(max(y, 12 + radius), 244 - radius)) for x, y in points
            ]
            inner = self._points(inner)
            self._draw.polygon(inner, fill=colour)
            self._draw.line([*inner, inner[0]], fill=colour, width=round(wide * self._scale), joint="curve")
            for x, y in inner:
                half = wide * self._scale / 2
                self._draw.ellipse((x - half, y - half, x + half, y + half), fill=colour)

    def box(self, box: tuple[float, float, float, float], radius: float, fill: str) -> None:
        """A rectangle with round corners."""
        left, top, right, bottom = (each * self._scale for each in box)
        self._draw.rounded_rectangle((left, top, right, bottom), radius * self._scale, fill=fill)

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float, fill: str) -> None:
        """A line with round ends."""
        self._draw.line(self._points((start, end)), fill=fill, width=round(width * self._scale))
        for point in (start, end):
            self.disc(point, width / 2, fill)

    def disc(self, middle: tuple[float, float], radius: float, fill: str, edge: str = "") -> None:
        """A disc, with an edge."""
        [(x, y)] = self._points([middle])
        radius *= self._scale
        around = (x - radius, y - radius, x + radius, y + radius)
        self._draw.ellipse(around, fill=fill, outline=edge or fill, width=round(3 * self._scale))

    def text(
        self, middle: tuple[float, float], text: str, size: float, room: float, fill: str, bold: bool = False
    ) -> None:
        """A text in one line: smaller, then cut in its middle, where it has no room."""
        text = "".join(each if each.isprintable() else "?" for each in text)
        width = room * self._scale
        font = _font(text, size * self._scale)
        if font.getlength(text) > width:
            font = _font(text, 0.8 * size * self._scale)
        kept, whole = len(text), text
        while font.getlength(text) > width and kept > 4:
            kept -= 1
            text = f"{whole[: kept // 2]}…{whole[len(whole) - (kept - kept // 2) :]}"
        stroke = round(0.9 * self._scale) if bold else 0
        self._draw.text(
            self._points([middle])[0], text, fill=fill, font=font, anchor="mm", stroke_width=stroke, stroke_fill=fill
        )


def _font(text: str, size: float) -> Any:
    """Pillow's own font, which is the same on every machine; for texts that it has no letters for one of the system."""
    from PIL import ImageFont

    if not text.isascii():
        for name in FONTS:
            with contextlib.suppress(OSError):
                return ImageFont.truetype(name, size)
    return ImageFont.load_default(size)
