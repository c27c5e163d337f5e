"""Measuring in a viewport: the mouse picks points, and distances and angles are painted over the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from kinetree.app.settings import theme
from kinetree.app.viewport.painting import dot, pill, pixels, stroke
from kinetree.app.workspace.measurements import Measurements
from kinetree.app.workspace.units import Units
from kinetree.app.workspace.view import ViewModel
from kinetree.engine import scene
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.viewport.viewport import Viewport
    from kinetree.engine.scene.measure import Measurement, Point

INK = {"dark": "#ffd84a", "light": "#b36b00"}
ARC = 36.0  # radius of the arc of an angle, pixels
STILL = 3.0  # a press that moves less than this picks a point, pixels
HINTS = {
    2: marked("Distance: click two points   Backspace takes back   Esc ends"),
    3: marked("Angle: click three points, the second is the corner   Backspace takes back   Esc ends"),
}


class MeasureLayer(QWidget):
    """Overlay of a viewport that paints distances and angles; mouse events pass through it. The viewport asks it what
    to do with mouse and keys."""

    def __init__(self, measurements: Measurements, units: Units, view: ViewModel, viewport: Viewport, parent: QWidget):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setObjectName("measurements")
        self._measurements, self._units = measurements, units
        self._view, self._viewport = view, viewport
        self._pressed: QPointF | None = None
        self.hide()
        measurements.changed.connect(self.refresh)
        units.changed.connect(self.update)

    def refresh(self) -> None:
        """Paint again; hidden while nothing is measured."""
        found = self._measurements
        if bool(found.wanted or found.made) == self.isHidden():
            self.setVisible(self.isHidden())
        if not self.isHidden():
            self.update()
        cursor = Qt.CursorShape.CrossCursor
        if found.wanted and self._viewport.cursor().shape() != cursor:
            self._viewport.setCursor(cursor)
        elif not found.wanted and self._viewport.cursor().shape() == cursor:
            self._viewport.unsetCursor()

    # ---- mouse and keys ----------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> bool:
        """A click picks a point; a drag is left to the camera."""
        self._pressed = event.position() if event.button() == Qt.MouseButton.LeftButton else None
        return False

    def move(self, event: QMouseEvent) -> bool:
        if self._measurements.wanted and event.buttons() == Qt.MouseButton.NoButton:
            self._measurements.point_at(self.point_at(event.position()))
            return True
        return False

    def release(self, event: QMouseEvent) -> bool:
        pressed, self._pressed = self._pressed, None
        if not self._measurements.wanted or pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        if (event.position() - pressed).manhattanLength() <= STILL:
            point = self.point_at(event.position())
            if point is not None:
                self._measurements.pick(point)
        return False

    def double_click(self, event: QMouseEvent) -> bool:
        """The second press of two quick picks."""
        if self._measurements.wanted and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()
            return True
        return False

    def wants(self, event: QKeyEvent) -> bool:
        keys = (Qt.Key.Key_Escape, Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
        return bool(self._measurements.wanted) and event.key() in keys

    def key(self, event: QKeyEvent) -> bool:
        if not self.wants(event):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._measurements.give_up()
        else:
            self._measurements.remove_last()
        return True

    def point_at(self, position: QPointF) -> Point | None:
        """The point that the mouse means."""
        eye, simulation = self._viewport.eye(), self._view.simulation
        model, snapshot = simulation.model, simulation.snapshot
        if eye is None or model is None or snapshot is None or snapshot.model is not model:
            return None
        hit = self._viewport.pick(position)
        return scene.measure.snap(
            model, snapshot, eye, position.x(), position.y(), self._size(), hit, self._view.options
        )

    # ---- painting ----------------------------------------------------------------------------------------

    def _size(self) -> tuple[int, int]:
        return max(1, self.width()), max(1, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        found, eye, simulation = self._measurements, self._viewport.eye(), self._view.simulation
        snapshot = simulation.snapshot
        if eye is None or snapshot is None or snapshot.model is not simulation.model:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = QColor(INK[theme.current().name])
        for each in found.made:
            self._paint(painter, eye, each, snapshot, ink)
        next_ = () if found.hover is None or not found.wanted else (found.hover,)
        points = (*found.pending, *next_)
        places = pixels(eye, [point.place(snapshot) for point in points], self._size()) if points else None
        if places is not None:
            if len(places) > 1:
                stroke(painter, places, ink, 1.6, dashed=True)
            for place in places:
                dot(painter, place, ink, 4.0)
            if next_:
                pill(painter, next_[0].name, places[-1] + QPointF(0, -20))
        if found.wanted:
            pill(painter, tr(HINTS[found.wanted]), QPointF(self.width() / 2, self.height() - 24), accent=True)
        painter.end()

    def _paint(self, painter: QPainter, eye, each: Measurement, snapshot, ink: QColor) -> None:
        places = each.places(snapshot)
        found = pixels(eye, places, self._size())
        if found is None:
            return
        stroke(painter, found, ink, 1.8)
        for place in found:
            dot(painter, place, ink, 3.5)
        where = (found[0] + found[1]) / 2
        if each.is_angle:
            arc = pixels(eye, _arc(places, eye.height_at(eye.depth(places[1])) / self._size()[1] * ARC), self._size())
            where = found[1] + QPointF(0, 22)
            if arc is not None:
                stroke(painter, arc, ink, 1.4)
        pill(painter, each.text(snapshot, self._units.degrees), where)


def _arc(places: np.ndarray, radius: float) -> np.ndarray:
    """(n, 3) points of the arc of an angle in the world."""
    corner = places[1]
    one, other = (
        direction / max(np.linalg.norm(direction), 1e-12) for direction in (places[0] - corner, places[2] - corner)
    )
    shares = np.linspace(0.0, 1.0, 25)[:, None]
    chord = (1.0 - shares) * one + shares * other
    return corner + radius * chord / np.maximum(np.linalg.norm(chord, axis=1), 1e-9)[:, None]
