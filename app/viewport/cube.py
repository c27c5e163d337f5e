"""The view cube in the corner of a viewport: shows how the camera stands, and turns it.

A click on a face, an edge or a corner looks from there; a drag turns the camera as one in the viewport does. The text
below says whether the view has perspective, and changes that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QWidget

from kinetree.app.settings import theme
from kinetree.app.workspace.view import ViewModel
from kinetree.engine.scene.camera import Mouse
from kinetree.engine.scene.camera import View as Eye
from kinetree.engine.scene.viewcube import CubeCell, Direction, Face, cell_at, cells, faces
from kinetree.engine.translation import tr

SIDE = 96  # of the picture of the cube, pixels
TEXT_HEIGHT = 20
RADIUS = 46.0  # from the middle to a corner, pixels
STILL = 3.0  # a press that moves less than this is a click, pixels
TURN = 1.0 / 240  # of the viewport's height, for each pixel of a drag
COLOURS = {"dark": ("#e0605e", "#69b35f", "#5b8fe0"), "light": ("#c93c3a", "#2f8f3a", "#2f65c9")}
NAMES = {1: "", -1: "−"}


class ViewCube(QWidget):
    """The cube of one view. `eye()` gives its current camera, or None."""

    def __init__(self, view: ViewModel, eye: Callable[[], Eye | None], changed: Callable[[], None], parent: QWidget):
        super().__init__(parent)
        self.setObjectName("view-cube")
        self.setAccessibleName(tr("View cube"))
        self.setFixedSize(SIDE, SIDE + TEXT_HEIGHT)
        self.setMouseTracking(True)
        self.setToolTip(tr("Click a face, an edge or a corner to look from there; drag to turn"))
        self._view, self._eye, self._changed = view, eye, changed
        self._axes: tuple[np.ndarray, np.ndarray] | None = None
        self._orthographic = False
        self._cells: list[CubeCell] = []
        self._faces: list[Face] = []
        self._hover: Direction | None = None
        self._over_text = False
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._drags = False
        view.camera_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show how the camera stands; only touches the widget when that changed."""
        eye = self._eye()
        if eye is None:
            if self._axes is not None:
                self._axes, self._cells, self._faces = None, [], []
                self.update()
            return
        right, up = eye.right, eye.up
        known = self._axes
        if known is not None and np.allclose(known, (right, up), atol=1e-3) and self._orthographic == eye.orthographic:
            return
        self._axes, self._orthographic = (right, up), eye.orthographic
        self._cells, self._faces = cells(right, up), faces(right, up)
        self.update()

    # ---- mouse -------------------------------------------------------------------------------------------

    def _direction_at(self, position: QPointF) -> Direction | None:
        x, y = (position.x() - SIDE / 2) / RADIUS, (position.y() - SIDE / 2) / RADIUS
        return cell_at(self._cells, x, y)

    def _point(self, position: QPointF) -> None:
        hover, over_text = self._direction_at(position), position.y() >= SIDE
        if (hover, over_text) != (self._hover, self._over_text):
            self._hover, self._over_text = hover, over_text
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = self._last = event.position()
        self._drags = False
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.position()
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            self._point(position)
            return
        if not self._drags and (position - self._pressed).manhattanLength() <= STILL:
            return
        if not self._drags:
            self._drags = True
            camera = self._view.as_free()
            if camera is not None and self._view.camera is not None and self._view.camera.type == "fixed":
                self._view.set_camera(camera)
            self._view.stop_flight()
        moved, self._last = position - self._last, position
        model = self._view.simulation.model
        if self._view.camera is not None and model is not None:
            self._view.camera.move(Mouse.ROTATE_V, moved.x() * TURN, moved.y() * TURN, model)
            self._changed()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None or self._drags or event.button() != Qt.MouseButton.LeftButton:
            return
        direction = self._direction_at(event.position())
        if event.position().y() >= SIDE:
            self._view.set_orthographic(not self._orthographic)
        elif direction is not None:
            self._view.look_from(direction)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover, self._over_text = None, False
        self.update()

    # ---- painting ----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._axes is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, name = theme.current(), theme.current().name
        middle = QPointF(SIDE / 2, SIDE / 2)
        for face in self._faces:
            axis = next(i for i in range(3) if face.direction[i])
            fill = QColor(colours.raised)
            fill = _mixed(fill, QColor(COLOURS[name][axis]), 0.10 + 0.22 * face.facing)
            fill.setAlpha(225)
            painter.setPen(QPen(QColor(colours.line), 1.2))
            painter.setBrush(fill)
            painter.drawPolygon(_polygon(face.corners, middle))
        if self._hover is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            for cell in self._cells:
                if cell.direction == self._hover:
                    painter.drawPolygon(_polygon(cell.corners, middle))
        for face in self._faces:
            self._write(painter, face, middle)
        self._write_kind(painter)
        painter.end()

    def _write(self, painter: QPainter, face: Face, middle: QPointF) -> None:
        """Write the name of a face in perspective on the face."""
        if face.facing < 0.25:
            return
        axis = next(i for i in range(3) if face.direction[i])
        text = NAMES[face.direction[axis]] + "XYZ"[axis]
        square = QPolygonF([QPointF(-1, -1), QPointF(1, -1), QPointF(1, 1), QPointF(-1, 1)])
        place = cast(QTransform, QTransform.quadToQuad(square, _polygon(face.corners, middle)))
        colours = theme.current()
        font = QFont(self.font())
        font.setPixelSize(40)
        font.setBold(True)
        painter.save()
        painter.setTransform(place, True)
        painter.scale(0.022, 0.022)
        painter.setFont(font)
        hovered = self._hover == face.direction
        ink = QColor(colours.on_accent if hovered else colours.text)
        ink.setAlphaF(min(1.0, 0.35 + face.facing))
        painter.setPen(ink)
        painter.drawText(QRectF(-50, -50, 100, 100), Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()

    def _write_kind(self, painter: QPainter) -> None:
        """Draw the sign for a perspective or orthographic view."""
        text = tr("Orthographic") if self._orthographic else tr("Perspective")
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, font.pointSizeF() * 0.85))
        colours = theme.current()
        area = QRectF(0, SIDE, SIDE, TEXT_HEIGHT)
        width = QFontMetricsF(font).horizontalAdvance(text) + 14
        pill = QRectF((SIDE - width) / 2, SIDE + 1, width, TEXT_HEIGHT - 2)
        back = QColor(colours.accent if self._over_text else colours.raised)
        back.setAlpha(225)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(back)
        painter.drawRoundedRect(pill, 5, 5)
        painter.setFont(font)
        painter.setPen(QColor(colours.on_accent if self._over_text else colours.text))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


def _polygon(corners: np.ndarray, middle: QPointF) -> QPolygonF:
    return QPolygonF([middle + QPointF(RADIUS * x, RADIUS * y) for x, y in corners.tolist()])


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    red, green, blue = (
        (1.0 - share) * a + share * b
        for a, b in ((one.redF(), other.redF()), (one.greenF(), other.greenF()), (one.blueF(), other.blueF()))
    )
    return QColor.fromRgbF(red, green, blue)
