"""The labels of a scene, written over its picture: each beside its object, where no other label is.

A label stands right of its object, or else at the next free place around it, with a line to the object where that is
farther away. The nearest objects choose first. A label that finds no place is left out; a dot marks its object. The
viewport and the pictures that are made without a window write the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPainterPath, QPen

if TYPE_CHECKING:
    from kinetree.engine.scene.camera import View
    from kinetree.engine.scene.scene import TextLabel

MOST = 200
"""Labels that are written at most: more of them cannot be read."""
LONGEST = 40
"""Characters of a label; longer ones are cut."""
CELL = 4.0
"""Side of the squares of the occupancy grid, pixels."""
GAP, FAR = 7.0, 26.0
"""Distance of a label from its object, and of one that has a line to it, pixels."""
PLACES = (
    (1.0, 0.0, GAP), (1.0, -1.0, GAP), (1.0, 1.0, GAP), (-1.0, 0.0, GAP), (0.0, -1.0, GAP), (0.0, 1.0, GAP),
    (-1.0, -1.0, GAP), (-1.0, 1.0, GAP), (1.0, -1.0, FAR), (1.0, 1.0, FAR), (-1.0, -1.0, FAR), (-1.0, 1.0, FAR),
    (1.0, 0.0, 2 * FAR), (-1.0, 0.0, 2 * FAR), (0.0, -1.0, 2 * FAR), (0.0, 1.0, 2 * FAR),
)  # fmt: skip
"""Where a label may stand: to which side of its object across and down, and how far away; preferred ones first."""
INK, EDGE = QColor(245, 247, 250), QColor(0, 0, 0, 200)
KEPT = 600
"""Pictures of texts that are kept."""


class Arrangement:
    """Finds places for labels, and keeps each at its place from frame to frame while that is free."""

    def __init__(self) -> None:
        self._before: dict[tuple[str, int], int] = {}

    def arrange(
        self, anchors: np.ndarray, sizes: np.ndarray, texts: Sequence[str], area: tuple[float, float]
    ) -> list[tuple[float, float, int] | None]:
        """For each label in turn (left, top, number in PLACES), or None where it finds no place.

        anchors  (n, 2) pixels, of the labels that choose first at the beginning
        sizes    (n, 2) width and height of the labels
        """
        columns, rows = int(area[0] / CELL) + 1, int(area[1] / CELL) + 1
        taken = np.zeros((rows, columns), bool)
        found: list[tuple[float, float, int] | None] = []
        before, self._before = self._before, {}
        seen: dict[str, int] = {}
        for (x, y), (width, height), text in zip(anchors.tolist(), sizes.tolist(), texts, strict=True):
            key = text, seen.get(text, 0)
            seen[text] = key[1] + 1
            known = before.get(key)
            order = range(len(PLACES)) if known is None else (known, *range(len(PLACES)))
            place = None
            for number in order:
                across, down, away = PLACES[number]
                left = x + across * (away + 0.5 * width) - 0.5 * width
                top = y + down * (away + 0.5 * height) - 0.5 * height
                if left < 0 or top < 0 or left + width > area[0] or top + height > area[1]:
                    continue
                cells = (
                    slice(int(top / CELL), int((top + height) / CELL) + 1),
                    slice(int(left / CELL), int((left + width) / CELL) + 1),
                )
                if not taken[cells].any():
                    taken[cells] = True
                    place = left, top, number
                    self._before[key] = number
                    break
            found.append(place)
        return found


class PlacedLabel(NamedTuple):
    """A label with the point that it belongs to: pixels of the screen's scaling."""

    x: float
    y: float
    place: tuple[float, float, int] | None
    text: str


class Lettering:
    """Finds places for labels and paints them, in a font."""

    def __init__(self, font: QFont):
        self._font = QFont(font)
        self._font.setPointSizeF(max(7.0, font.pointSizeF() * 0.9))
        self._arrangement = Arrangement()
        self._pictures: dict[tuple[str, float], QImage] = {}

    def arranged(self, labels: Sequence[TextLabel], view: View, size: tuple[float, float]) -> list[PlacedLabel]:
        """The labels that are seen in a picture of `size`, each with its place."""
        if not labels:
            return []
        places = view.project(np.array([label.pos for label in labels]))
        pixels = np.round(places[:, :2] * size, 1)
        inside = (places[:, 2] > 0) & (pixels > 0).all(axis=1) & (pixels < size).all(axis=1)
        chosen = np.flatnonzero(inside)
        chosen = chosen[np.argsort(places[chosen, 2], kind="stable")][:MOST]
        texts = [_shortened(labels[i].text) for i in chosen]
        metrics = QFontMetricsF(self._font)
        sizes = np.array([(metrics.horizontalAdvance(text) + 4, metrics.height()) for text in texts]).reshape(-1, 2)
        found = self._arrangement.arrange(pixels[chosen], sizes, texts, size)
        anchors = pixels[chosen].tolist()
        return [PlacedLabel(x, y, place, text) for (x, y), place, text in zip(anchors, found, texts, strict=True)]

    def paint(self, painter: QPainter, shown: Sequence[PlacedLabel], ratio: float) -> None:
        """Paint labels; `ratio`: device pixels of a pixel of the screen's scaling."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x, y, place, text in shown:
            if place is not None and PLACES[place[2]][2] > GAP:
                _paint_line(painter, QPointF(x, y), place, self._picture(text, ratio).deviceIndependentSize())
            painter.setPen(QPen(EDGE, 1.0))
            painter.setBrush(INK)
            painter.drawEllipse(QPointF(x, y), 2.0, 2.0)
        for _, _, place, text in shown:
            if place is not None:
                painter.drawImage(QPointF(place[0], place[1]), self._picture(text, ratio))

    def _picture(self, text: str, ratio: float) -> QImage:
        """A text with a dark edge, painted once."""
        picture = self._pictures.get((text, ratio))
        if picture is None:
            if len(self._pictures) >= KEPT:
                self._pictures.clear()
            picture = self._pictures[text, ratio] = self._painted(text, ratio)
        return picture

    def _painted(self, text: str, ratio: float) -> QImage:
        metrics = QFontMetricsF(self._font)
        width, height = metrics.horizontalAdvance(text) + 4, metrics.height()
        picture = QImage(
            max(1, round(width * ratio)), max(1, round(height * ratio)), QImage.Format.Format_ARGB32_Premultiplied
        )
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addText(QPointF(2, metrics.ascent()), self._font, text)
        pen = QPen(EDGE, 3)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
        painter.fillPath(path, INK)
        painter.end()
        return picture


def write(pixels: np.ndarray, labels: Sequence[TextLabel], view: View, ratio: float) -> np.ndarray:
    """A picture (height, width, 3 or 4) uint8 with its labels; the letters are `ratio` times as large as on a screen
    without scaling."""
    height, width, channels = pixels.shape
    _application()
    lettering = Lettering(QGuiApplication.font())
    shown = lettering.arranged(labels, view, (width / ratio, height / ratio))
    rgba = np.full((height, width, 4), 255, np.uint8)
    rgba[..., :channels] = pixels
    image = QImage(rgba.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    painter = QPainter(image)
    painter.scale(ratio, ratio)
    lettering.paint(painter, shown, ratio)
    painter.end()
    return np.ascontiguousarray(rgba[..., :channels])


def _application() -> None:
    """Make sure that there is a QGuiApplication, which fonts need; without a window an offscreen one."""
    global _without_window  # Qt keeps no reference to it
    if QGuiApplication.instance() is None:
        _without_window = QGuiApplication(["kinetree", "-platform", "offscreen"])


_without_window: QGuiApplication | None = None


def _paint_line(painter: QPainter, start: QPointF, place: tuple[float, float, int], size: QSizeF) -> None:
    """Draw a line from an object to the nearest side or corner of its label."""
    across, down, _ = PLACES[place[2]]
    left = place[0] + 0.5 * (1 - across) * size.width()
    end = QPointF(left, place[1] + 0.5 * (1 - down) * size.height())
    for colour, breadth in ((EDGE, 2.6), (INK, 1.0)):
        painter.setPen(QPen(colour, breadth))
        painter.drawLine(start, end)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
