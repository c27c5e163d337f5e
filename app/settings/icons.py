"""Icons, drawn: sharp at every size and in the colours of the theme."""

from __future__ import annotations

import functools
import math
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from app.settings import theme

SIZES = (16, 20, 24, 32, 40, 48, 64)


def icon(name: str, tint: str | None = None) -> QIcon:
    """The icon of this name in the colours of the present theme (`tint`: in this one)."""
    return _icon(name, theme.current().name, tint)


@functools.cache
def app_icon() -> QIcon:
    """Kinetree's own icon, as the desktop shows it; a drawn one where the file is missing."""
    file = Path(__file__).resolve().parents[2] / "resources" / "desktop" / "kinetree.svg"
    found = QIcon(str(file)) if file.is_file() else QIcon()
    return icon("app", theme.current().accent) if found.pixmap(32, 32).isNull() else found


@functools.cache
def _icon(name: str, theme_name: str, tint: str | None) -> QIcon:
    result = QIcon()
    colours = theme.DARK if theme_name == "dark" else theme.LIGHT
    for mode, colour in (
        (QIcon.Mode.Normal, QColor(tint or _TINTS.get(name, {}).get(theme_name) or colours.text)),
        (QIcon.Mode.Disabled, _faded(colours.dim)),
    ):
        for size in SIZES:
            pixmap = _pixmap(name, size, colour)
            result.addPixmap(pixmap, mode)
            if mode == QIcon.Mode.Normal:
                result.addPixmap(pixmap, QIcon.Mode.Selected)
    return result


def _faded(colour: str) -> QColor:
    result = QColor(colour)
    result.setAlpha(120)
    return result


def _pixmap(name: str, size: int, colour: QColor) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / 24, size / 24)
    _DRAW[name](_Brush(painter, colour))
    painter.end()
    return pixmap


_TINTS = {
    "body": {"dark": "#8fb8e8", "light": "#33679f"},
    "joint": {"dark": "#e3a266", "light": "#a8601c"},
    "geom": {"dark": "#9cc99b", "light": "#3d7a3b"},
    "site": {"dark": "#d38fb6", "light": "#99447a"},
    "camera": {"dark": "#a9a4e0", "light": "#5750a8"},
    "light": {"dark": "#e4cf72", "light": "#907600"},
    "actuator": {"dark": "#ea8b82", "light": "#b2433a"},
    "sensor": {"dark": "#7fc7c4", "light": "#1f7a76"},
    "tendon": {"dark": "#c9a2d8", "light": "#7c4a92"},
    "flex": {"dark": "#8cc7a8", "light": "#2c7a55"},
    "skin": {"dark": "#dba98f", "light": "#96552f"},
}  # fmt: skip


class _Brush:
    """Drawing on a 24 by 24 field with one colour."""

    def __init__(self, painter: QPainter, colour: QColor):
        self.painter, self.colour = painter, colour

    def _outline(self, width: float) -> None:
        pen = QPen(self.colour, width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _fill(self) -> None:
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.colour)

    def lines(self, *points: tuple[float, float], width: float = 1.8, closed: bool = False) -> None:
        self._outline(width)
        shape = QPolygonF([QPointF(x, y) for x, y in points])
        (self.painter.drawPolygon if closed else self.painter.drawPolyline)(shape)

    def curve(self, start, first, second, end, width: float = 1.8) -> None:
        path = QPainterPath(QPointF(*start))
        path.cubicTo(*first, *second, *end)
        self._outline(width)
        self.painter.drawPath(path)

    def polygon(self, *points: tuple[float, float]) -> None:
        self.painter.setPen(
            QPen(self.colour, 1.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        )
        self.painter.setBrush(self.colour)
        self.painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))

    def ring(self, x: float, y: float, radius: float, width: float = 1.8) -> None:
        self._outline(width)
        self.painter.drawEllipse(QPointF(x, y), radius, radius)

    def dot(self, x: float, y: float, radius: float) -> None:
        self._fill()
        self.painter.drawEllipse(QPointF(x, y), radius, radius)

    def box(self, x: float, y: float, width: float, height: float, corner: float = 0.0) -> None:
        self._fill()
        self.painter.drawRoundedRect(QRectF(x, y, width, height), corner, corner)

    def frame(self, x: float, y: float, width: float, height: float, corner: float = 2.0) -> None:
        self._outline(1.8)
        self.painter.drawRoundedRect(QRectF(x, y, width, height), corner, corner)

    def arc(self, x: float, y: float, radius: float, start: float, span: float, width: float = 2.0) -> None:
        """Degrees, counter-clockwise from the right."""
        self._outline(width)
        path = QPainterPath()
        field = QRectF(x - radius, y - radius, 2 * radius, 2 * radius)
        path.arcMoveTo(field, start)
        path.arcTo(field, start, span)
        self.painter.drawPath(path)


def _play(b):
    b.polygon((7.5, 5), (18.5, 12), (7.5, 19))


def _pause(b):
    b.box(6.5, 5, 4, 14, 1)
    b.box(13.5, 5, 4, 14, 1)


def _step(b):
    b.polygon((6, 6), (14, 12), (6, 18))
    b.box(16, 5.5, 2.6, 13, 0.8)


def _back(b):
    b.polygon((18, 6), (10, 12), (18, 18))
    b.box(5.4, 5.5, 2.6, 13, 0.8)


def _reset(b):
    b.arc(12, 12.5, 6.8, 130, 285)
    b.polygon((5.0, 4.2), (11.2, 5.0), (6.6, 9.6))


def _reload(b):
    b.arc(12, 12, 6.8, 25, 125)
    b.arc(12, 12, 6.8, 205, 125)
    b.polygon((19.6, 5.2), (19.4, 11), (14.4, 8.6))
    b.polygon((4.4, 18.8), (4.6, 13), (9.6, 15.4))


def _watch(b):
    eye = QPainterPath(QPointF(3, 12))
    eye.quadTo(12, 3.2, 21, 12)
    eye.quadTo(12, 20.8, 3, 12)
    b._outline(1.7)
    b.painter.drawPath(eye)
    b.dot(12, 12, 2.9)


def _open(b):
    b.lines((3.5, 18.5), (3.5, 5.5), (9, 5.5), (11, 8), (18, 8), (18, 10.5), width=1.7)
    b.lines((3.5, 18.5), (6.5, 10.8), (21, 10.8), (18, 18.5), width=1.7, closed=True)


def _body(b):
    b.lines((12, 3.5), (19.5, 7.7), (19.5, 16.3), (12, 20.5), (4.5, 16.3), (4.5, 7.7), width=1.6, closed=True)
    b.lines((4.7, 7.8), (12, 12), (19.3, 7.8), width=1.6)
    b.lines((12, 12), (12, 20.3), width=1.6)


def _joint(b):
    b.ring(12, 12, 3.6, 2)
    b.lines((3.5, 18.5), (9.2, 14.3), width=2.4)
    b.lines((14.8, 9.7), (20.5, 5.5), width=2.4)


def _geom(b):
    b.frame(4.5, 8.5, 11, 11, 1.5)
    b.ring(15.2, 8.8, 5)


def _site(b):
    b.lines((12, 3.5), (12, 20.5), width=1.6)
    b.lines((3.5, 12), (20.5, 12), width=1.6)
    b.dot(12, 12, 3.4)


def _camera(b):
    b.frame(3.5, 7.5, 11.5, 9.5, 1.8)
    b.polygon((16.5, 11), (20.5, 8.2), (20.5, 16.2), (16.5, 13.4))


def _light(b):
    b.ring(12, 10, 5, 1.7)
    b.lines((9.8, 17.6), (14.2, 17.6), width=1.7)
    b.lines((10.6, 20.4), (13.4, 20.4), width=1.7)


def _actuator(b):
    b.frame(3.5, 8, 9, 8, 1.4)
    b.lines((12.5, 12), (20.5, 12), width=2.4)
    b.lines((17.2, 8.6), (20.6, 12), (17.2, 15.4), width=2)


def _sensor(b):
    b.dot(12, 16.5, 2.1)
    b.arc(12, 16.5, 6, 40, 100, 1.8)
    b.arc(12, 16.5, 10.5, 40, 100, 1.8)


def _tendon(b):
    b.curve((4, 18), (9, 2), (14, 22), (20, 6), width=2)
    b.dot(4.2, 17.8, 2)
    b.dot(19.8, 6.2, 2)


def _equality(b):
    b.lines((5.5, 9.5), (18.5, 9.5), width=2.2)
    b.lines((5.5, 14.5), (18.5, 14.5), width=2.2)


def _key(b):
    b.ring(8, 12, 3.6, 1.9)
    b.lines((11.8, 12), (20.5, 12), (20.5, 15.5), width=1.9)
    b.lines((16.8, 12), (16.8, 14.6), width=1.9)


def _folder(b):
    b.lines((4, 18.5), (4, 6), (9.5, 6), (11.5, 8.5), (20, 8.5), (20, 18.5), width=1.6, closed=True)


def _error(b):
    b.dot(12, 12, 8)
    b.painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationOut)
    b.lines((9, 9), (15, 15), width=2.2)
    b.lines((15, 9), (9, 15), width=2.2)


def _warning(b):
    b.polygon((12, 4), (20.5, 19), (3.5, 19))
    b.painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationOut)
    b.lines((12, 9.6), (12, 13.6), width=2.2)
    b.dot(12, 16.6, 1.2)


def _info(b):
    b.dot(12, 12, 8)
    b.painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationOut)
    b.lines((12, 11.4), (12, 16), width=2.2)
    b.dot(12, 8, 1.3)


def _close(b):
    b.lines((7, 7), (17, 17), width=1.8)
    b.lines((17, 7), (7, 17), width=1.8)


def _float(b):
    b.frame(5, 9, 10, 10, 1.2)
    b.lines((9, 9), (9, 5), (19, 5), (19, 15), (15, 15), width=1.8)


def _speed(b):
    b.arc(12, 14, 8, -20, 220, 1.9)
    b.lines((12, 14), (16, 8.6), width=2)
    b.dot(12, 14, 1.8)


def _app(b):
    p = b.painter
    points = [
        (12 + 8.5 * math.cos(a), 12 + 8.5 * math.sin(a))
        for a in (math.pi / 2, 7 * math.pi / 6, 11 * math.pi / 6)
    ]
    for x, y in points:
        b.lines((12, 12), (x, y), width=2.6)
    p.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    for x, y in [(12, 12), *points]:
        b.dot(x, y, 3)


def _flex(b):
    for path in (((3.5, 8), (9, 4), (14, 10), (20.5, 6)), ((3.5, 19), (9, 15), (14, 21), (20.5, 17))):
        b.curve(*path)
    b.lines((3.5, 8), (3.5, 19))
    b.lines((20.5, 6), (20.5, 17))
    b.lines((12, 7.2), (12, 18.2), width=1.2)
    b.curve((3.5, 13.5), (9, 9.5), (14, 15.5), (20.5, 11.5), width=1.2)


def _skin(b):
    b.curve((3.5, 17), (6, 3), (18, 3), (20.5, 17))
    b.curve((7, 18.5), (8.5, 8), (15.5, 8), (17, 18.5), width=1.2)
    b.dot(7, 19, 1.8)
    b.dot(17, 19, 1.8)


_DRAW = {
    "play": _play, "pause": _pause, "step": _step, "back": _back, "reset": _reset, "reload": _reload,
    "watch": _watch, "open": _open, "body": _body, "joint": _joint, "geom": _geom, "site": _site,
    "camera": _camera, "light": _light, "actuator": _actuator, "sensor": _sensor, "tendon": _tendon,
    "equality": _equality, "key": _key, "flex": _flex, "skin": _skin, "folder": _folder, "error": _error, "warning": _warning, "info": _info,
    "close": _close, "float": _float, "speed": _speed, "app": _app,
}  # fmt: skip
