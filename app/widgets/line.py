"""A line for a text that someone has written: without the keyboard it shows the text from its beginning."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFocusEvent, QHelpEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QToolTip

INSIDE = 2  # between the frame of a line and its text, pixels: QLineEdit has the same


class Line(QLineEdit):
    """Line edit. A text longer than the line ends in an ellipsis, and the tool tip has all of it."""

    def _inside(self) -> QRect:
        """Rectangle of the text inside the field."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        return room.marginsRemoved(self.textMargins()).adjusted(INSIDE, 0, -INSIDE, 0)

    @property
    def seen(self) -> str:
        """The visible part of the text while another widget has the keyboard."""
        text = self.displayText()
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self._inside().width())

    @property
    def is_cut(self) -> bool:
        """Whether there is more text than room."""
        return self.seen != self.displayText()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus() or not self.displayText() or not self.is_cut:
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        painter.drawText(self._inside(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.seen)
        painter.end()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason and not self.isModified():
            self.setCursorPosition(0)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.is_cut:
            QToolTip.showText(event.globalPos(), with_text(self.displayText(), self.toolTip()), self)
            return True
        return super().event(event)


def with_text(text: str, tip: str) -> str:
    """A tool tip with a whole text before it."""
    if not tip or tip == text:
        return text
    return f"{escape(text)}<br><br>{tip}" if tip.lstrip().startswith("<") else f"{text}\n\n{tip}"
