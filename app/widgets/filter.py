"""Lines whose text Esc clears; the line above a list in which a filter is typed, and the column of both."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget


class ClearedLine(QLineEdit):
    """A line to type in, with a button that clears it, as Esc does."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setClearButtonEnabled(True)

    def event(self, event: QEvent) -> bool:
        """Esc clears the line before it is a shortcut of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self.text():
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class FilterEdit(ClearedLine):
    """A line to type a filter in. Down and Enter go on to the list (`entered()`)."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class FilteredColumn(QVBoxLayout):
    """The layout of a panel: the line of a filter (`top`, to which buttons may be added), and what it filters."""

    def __init__(self, panel: QWidget, filter: FilterEdit, filtered: QWidget):
        super().__init__(panel)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(0)
        self.top = QHBoxLayout()
        self.top.setContentsMargins(6, 6, 6, 6)
        self.top.setSpacing(4)
        self.top.addWidget(filter, 1)
        self.addLayout(self.top)
        self.addWidget(filtered, 1)
        panel.setMinimumSize(60, 60)  # a small window leaves it less than its parts ask for
