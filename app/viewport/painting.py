"""Lines, dots and texts painted over the viewport, readable before every colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from kinetree.app.settings import theme
from kinetree.engine.scene.camera import View

HALO = {"dark": QColor(0, 0, 0, 150), "light": QColor(255, 255, 255, 190)}


def pixels(view: View, points, size: tuple[int, int]) -> list[QPointF] | None:
    """Where points (n, 3) of the world are in a window, None where one is behind the viewer or far outside."""
    found = view.project(np.asarray(points, float).reshape(-1, 3))
    if not view.orthographic and (found[:, 2] <= view.near).any():
        return None
    places = found[:, :2] * size
    if not np.isfinite(places).all() or np.abs(places).max() > 1e5:
        return None
    return [QPointF(x, y) for x, y in places.tolist()]


def stroke(painter: QPainter, points: Sequence[QPointF], colour: QColor, width: float, dashed: bool = False) -> None:
    """Paint a line through points, with a halo."""
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for ink, breadth in ((HALO[theme.current().name], width + 2.0), (colour, width)):
        painter.setPen(QPen(ink, breadth, style, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.drawPolyline(QPolygonF(list(points)))


def dot(painter: QPainter, point: QPointF, colour: QColor, radius: float) -> None:
    """Paint a dot with a halo."""
    painter.setPen(QPen(HALO[theme.current().name], 1.5))
    painter.setBrush(colour)
    painter.drawEllipse(point, radius, radius)


def pill(painter: QPainter, text: str, middle: QPointF, accent: bool = False) -> None:
    """Paint a text on a rounded background, centred at a point."""
    colours = theme.current()
    metrics = painter.fontMetrics()
    area = QRectF(0, 0, metrics.horizontalAdvance(text) + 16, metrics.height() + 6)
    area.moveCenter(middle)
    back = QColor(colours.accent if accent else colours.raised)
    back.setAlpha(230)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(back)
    painter.drawRoundedRect(area, 5, 5)
    painter.setPen(QColor(colours.on_accent if accent else colours.text))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
