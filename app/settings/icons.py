"""Symbolic icons: `resources/icons/*.svg`, drawn in the colours of the theme at the size that is needed.

The files hold shapes only. One rule colours them: what is opaque in the file gets the icon's colour. The
colour is looked up when the icon is painted, so an icon that a widget already has follows a change of the
theme.
"""

from __future__ import annotations

import functools

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from kinetree.app.settings import theme
from kinetree.engine.packaged import packaged
from kinetree.engine.translation import tr

FOLDER = packaged("resources", "icons")
DISABLED_ALPHA = 120

KIND_COLOURS = {
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
    "worldbody": {"dark": "#8fb8e8", "light": "#33679f"},
    "frame": {"dark": "#8fb8e8", "light": "#33679f"},
    "replicate": {"dark": "#8fb8e8", "light": "#33679f"},
    "attach": {"dark": "#8fb8e8", "light": "#33679f"},
    "composite": {"dark": "#8cc7a8", "light": "#2c7a55"},
    "inertial": {"dark": "#8fb8e8", "light": "#33679f"},
    "mesh": {"dark": "#9cc99b", "light": "#3d7a3b"},
    "material": {"dark": "#d38fb6", "light": "#99447a"},
    "texture": {"dark": "#d38fb6", "light": "#99447a"},
    "contact": {"dark": "#e3a266", "light": "#a8601c"},
    "equality": {"dark": "#e3a266", "light": "#a8601c"},
    "limit": {"dark": "#e3a266", "light": "#a8601c"},
    "axis": {"dark": "#e3a266", "light": "#a8601c"},
    "default": {"dark": "#a9a4e0", "light": "#5750a8"},
}  # fmt: skip
"""The colours of icons that stand for kinds of elements; all others have the colour of text."""


@functools.cache
def icon(name: str, role: str = "") -> QIcon:
    """The icon of this name. `role` names one of the theme's colours ("error", "dim"); without it the icon
    has the colour of its kind, or of text.
    """
    return QIcon(SymbolEngine(name, role))


def draw_icon(painter: QPainter, area: QRect, name: str, role: str = "") -> None:
    """Draw an icon in a square area. For rows of lists: QIcon.paint would come back to Python twice."""
    ratio = painter.device().devicePixelRatioF()
    colour = _colour(name, role, theme.current())
    painter.drawPixmap(area, _pixmap(name, round(area.width() * ratio), colour, ratio))


@functools.cache
def app_icon() -> QIcon:
    """Kinetree's own icon, as the desktop shows it."""
    return QIcon(str(packaged("resources", "desktop", "kinetree.svg")))


class SymbolEngine(QIconEngine):
    """Draws one symbolic icon at any size and device pixel ratio."""

    def __init__(self, name: str, role: str = ""):
        super().__init__()
        self._name, self._role = name, role

    def clone(self) -> QIconEngine:
        # Qt asks when a copy of an icon is changed. PySide would free the clone that Qt goes on using.
        engine = SymbolEngine(self._name, self._role)
        _clones.append(engine)
        return engine

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(rect, self.scaledPixmap(rect.size(), mode, state, ratio))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        side = round(min(size.width(), size.height()) * scale)
        if side < 1:
            return QPixmap()  # a button that the layout leaves no room
        # A copy: PySide gives what is returned to Qt, which may free it.
        return QPixmap(_pixmap(self._name, side, self._colour(mode), scale))

    def _colour(self, mode: QIcon.Mode) -> int:
        if mode != QIcon.Mode.Disabled:
            return _colour(self._name, self._role, theme.current())
        colour = QColor(theme.current().dim)
        colour.setAlpha(DISABLED_ALPHA)
        return colour.rgba()


@functools.cache
def _colour(name: str, role: str, colours: theme.Theme) -> int:
    wanted = getattr(colours, role) if role else KIND_COLOURS.get(name, {}).get(colours.name, colours.text)
    return QColor(wanted).rgba()


_clones: list[QIconEngine] = []


@functools.lru_cache(512)
def _pixmap(name: str, side: int, colour: int, scale: float) -> QPixmap:
    """The icon as a square with a side of so many device pixels; `scale` of them are one pixel of the window. Nobody
    may change it.
    """
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    _renderer(name).render(painter, QRectF(0, 0, side, side))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(pixmap.rect(), QColor.fromRgba(colour))
    painter.end()
    pixmap.setDevicePixelRatio(scale)
    return pixmap


@functools.cache
def _renderer(name: str) -> QSvgRenderer:
    file = FOLDER / f"{name}.svg"
    if not file.is_file():
        raise FileNotFoundError(tr("there is no icon {name!r}: {file}", name=name, file=file))
    return QSvgRenderer(str(file))
