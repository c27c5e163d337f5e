"""An item delegate whose cells are edited in a QLineEdit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QLineEdit, QStyledItemDelegate


class LineDelegate(QStyledItemDelegate):
    """Commits the text as soon as Return is pressed. Qt waits for the event loop, and by then the list may have other
    rows, and the editor and its input may be gone."""

    def accepts(self, line: QLineEdit) -> bool:
        """Whether the text can be committed; if not, the editor stays open."""
        return True

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and isinstance(editor, QLineEdit):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if self.accepts(editor):
                    self.commitData.emit(editor)
                    self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.SubmitModelCache)
                return True
        return super().eventFilter(editor, event)
