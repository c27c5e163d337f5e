"""An icon as a widget. Unlike a label with a pixmap it follows the theme and the resolution of the screen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class IconLabel(QWidget):
    """Draws an icon in the middle, with sides of `size` pixels."""

    def __init__(self, size: int, parent: QWidget | None = None):
        super().__init__(parent)
        self._icon, self._size = QIcon(), size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, icon: QIcon) -> None:
        self._icon = icon
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._icon.paint(painter, self.rect())
        painter.end()
