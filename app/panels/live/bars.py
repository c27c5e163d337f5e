"""Shares as bars behind their numbers, in a list of live values."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from kinetree.app.settings import theme

Index = QModelIndex | QPersistentModelIndex
ALPHA = 90
EDGE = 4  # between a bar and the edges of its cell, pixels


class ShareBar(QStyledItemDelegate):
    """Paints a share, "71 %", as a bar behind its text. From `near` on it has the colour of warnings, from `full` on
    that of errors, and so has its text."""

    def __init__(self, parent: QWidget, near: float = 2.0, full: float = 2.0):
        super().__init__(parent)
        self.near, self.full = near, full

    @staticmethod
    def share(index: Index) -> float | None:
        """The share in a cell; None without one."""
        text = str(index.data() or "").removesuffix("%").strip()
        try:
            return float(text) / 100.0
        except ValueError:
            return None

    def colour(self, share: float) -> str:
        """The colour of a share, as #rrggbb."""
        colours = theme.current()
        return colours.error if share >= self.full else colours.warning if share >= self.near else colours.accent

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        share = self.share(index)
        if share is not None:
            rect: Any = option.rect  # type: ignore[attr-defined]
            width = max(0.0, (rect.width() - 2 * EDGE) * min(1.0, share))
            colour = QColor(self.colour(share))
            colour.setAlpha(ALPHA)
            painter.fillRect(QRectF(rect.left() + EDGE, rect.top() + 3, width, rect.height() - 6), colour)
        super().paint(painter, option, index)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        item: Any = option
        item.textElideMode = Qt.TextElideMode.ElideRight
        share = self.share(index)
        if share is not None and share >= self.full:
            item.palette.setColor(QPalette.ColorRole.Text, QColor(theme.current().error))
