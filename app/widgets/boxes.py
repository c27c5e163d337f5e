"""Boxes with a list of choices. The wheel changes one only while it has the focus; otherwise what it lies in scrolls.

The same holds for the number fields of `spin.py`. The program uses these in place of Qt's own.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget


def may_scroll(field: QWidget, event: QWheelEvent) -> bool:
    """Whether the wheel changes a field. Otherwise the event goes on to the widget around it."""
    if not field.hasFocus():
        event.ignore()
    return field.hasFocus()


class ComboBox(QComboBox):
    """A box with a list of choices."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Qt's own also takes the focus by the wheel

    def wheelEvent(self, event: QWheelEvent) -> None:
        if may_scroll(self, event):
            super().wheelEvent(event)
