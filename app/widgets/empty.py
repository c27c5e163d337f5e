"""The text in a list without rows."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractItemView

from kinetree.app.settings import theme

MARGIN = 12  # pixels


def paint_empty(view: QAbstractItemView, text: str) -> None:
    """Write a text into a view, from its paintEvent."""
    painter = QPainter(view.viewport())
    painter.setPen(QColor(theme.current().dim))
    area = view.viewport().rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
    painter.drawText(area, flags, text)
    painter.end()
