"""Closing: the base of the bars and lists that are open beside a text for a while."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from kinetree.app.settings.icons import icon
from kinetree.engine.translation import tr


class Closing(QWidget):
    """Base of bars and lists beside a text. Hidden at first; Esc in it and its close button hide it again. `closed()`:
    it was hidden in one of these ways."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.close_button = QToolButton(self)
        self.close_button.setAccessibleName(tr("Close"))
        self.close_button.setIcon(icon("close"))
        self.close_button.setToolTip(tr("Close (Esc)"))
        self.close_button.setAutoRaise(True)
        self.close_button.clicked.connect(self.end)
        self.hide()

    def end(self) -> None:
        """Hide it."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)
