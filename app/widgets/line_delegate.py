"""A delegate that edits a cell of a list in a line."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QLineEdit, QStyledItemDelegate


class LineDelegate(QStyledItemDelegate):
    """Return takes the input at once. Qt does it when the program comes to rest, and by then the list may have other
    rows, and the line and its input may be gone.
    """

    def accepts(self, line: QLineEdit) -> bool:
        """Whether what is typed can be taken; it stays otherwise."""
        return True

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and isinstance(editor, QLineEdit):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if self.accepts(editor):
                    self.commitData.emit(editor)
                    self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.SubmitModelCache)
                return True
        return super().eventFilter(editor, event)
