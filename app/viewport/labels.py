"""The labels of a viewport's last frame (see `app/pictures/lettering.py`)."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from kinetree.app.pictures.lettering import Lettering, PlacedLabel
from kinetree.app.viewport.viewport import Viewport


class LabelLayer(QWidget):
    """Overlay of a viewport that paints labels; mouse events pass through it."""

    def __init__(self, viewport: Viewport, parent: QWidget):
        super().__init__(parent)
        self._viewport = viewport
        self._lettering = Lettering(self.font())
        self._shown: list[PlacedLabel] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def refresh(self, view) -> None:
        """Find places for the labels, seen from a View of the camera."""
        shown = self._lettering.arranged(self._viewport.labels, view, (self.width(), self.height()))
        if shown != self._shown:
            self._shown = shown
            self.setVisible(bool(shown))
            self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lettering = Lettering(self.font())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._lettering.paint(painter, self._shown, self.devicePixelRatioF())
        painter.end()
