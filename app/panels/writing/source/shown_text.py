"""ShownText: the QTextDocument of one file of the project.

The project has the text. What another part of the window does to it arrives as edits (`follow`), which change only
their own stretch of the QTextDocument, so that carets, folds and scroll bar stay. What Qt itself does to the
QTextDocument (input methods, drag and drop) is reported as edits (`edited_here`). The QTextDocument has no undo of its
own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from kinetree.app.panels.writing.source.carets import line_break
from kinetree.app.panels.writing.source.positions import MANY, TextPositions, shown, whole_breaks
from kinetree.engine.document.edit import Edit

_MOST_PART = 0.5
"""If more than this part of the text is replaced, the QTextDocument gets the whole text again."""


def next_shown(block: QTextBlock) -> QTextBlock:
    """The next line that no fold hides; an invalid block behind the last one. A fold may hide thousands."""
    following = block.next()
    if following.isValid() and not following.isVisible():
        following = following.document().findBlockByLineNumber(following.firstLineNumber())
        if following.isValid() and not following.isVisible():  # the last lines are hidden
            return QTextBlock()
    return following


class ShownText(QObject):
    """The QTextDocument of one file of the project, kept equal to the project's text.

    path      the file
    text      what is shown: the project's text, except while `edited_here` is emitted
    document  QTextDocument

    Signals: `edited_here(list[Edit])`: the edits of `text` that Qt made.
    """

    edited_here = Signal(object)

    def __init__(self, path: str, text: str, parent: QObject | None = None):
        super().__init__(parent)
        self.path, self.text = path, text
        self.document = QTextDocument(self)
        self.document.setDocumentLayout(QPlainTextDocumentLayout(self.document))
        self.document.setUndoRedoEnabled(False)
        self.document.setDocumentMargin(4)
        self._positions = TextPositions(text)
        self._ours = 0  # so many changes of ours are on the way
        with self.changing():
            self.document.setPlainText(shown(text))
        self.document.contentsChange.connect(self._mirror)

    # ---- places --------------------------------------------------------------------------------------

    def offset(self, position: int) -> int:
        """The offset in the text of a position in the QTextDocument."""
        return self._positions.offset(position)

    def position(self, offset: int) -> int:
        """The position in the QTextDocument of an offset in the text."""
        return min(self._positions.position(offset), self.document.characterCount() - 1)

    def block(self, offset: int) -> QTextBlock:
        """The line of an offset."""
        return self.document.findBlock(self.position(offset))

    def line(self, block: QTextBlock) -> tuple[int, int]:
        """Where the text of a line is, without its line break."""
        start = block.position()
        return self.offset(start), self.offset(start + block.length() - 1)

    # ---- changes -------------------------------------------------------------------------------------

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Changes of the QTextDocument inside come from the project, or affect only its look."""
        self._ours += 1
        try:
            yield
        finally:
            self._ours -= 1

    def follow(self, edits: Iterable[Edit], text: str) -> None:
        """Make the edits that have made `text` of the text that was shown."""
        edits = whole_breaks(self.text, edits)
        replaced = sum(edit.end - edit.start for edit in edits)
        with self.changing():
            if len(edits) <= MANY or replaced <= _MOST_PART * len(self.text):
                cursor = QTextCursor(self.document)
                cursor.beginEditBlock()
                for start, end, new in reversed(edits):
                    cursor.setPosition(self._positions.position(start))
                    cursor.setPosition(self._positions.position(end), QTextCursor.MoveMode.KeepAnchor)
                    cursor.insertText(shown(new))
                self.text = text
                self._positions.follow(edits, text)
                cursor.endEditBlock()
            else:
                self.text = text
                self._positions = TextPositions(text)
                self.document.setPlainText(shown(text))

    def _mirror(self, position: int, removed: int, added: int) -> None:
        """Apply a change that Qt made by itself in its document."""
        if self._ours or not (removed or added):
            return
        old, positions = self.text, self._positions
        start, end = positions.offset(position), positions.offset(min(position + removed, self._length(old)))
        cursor = QTextCursor(self.document)
        cursor.setPosition(position)
        last = min(position + added, self.document.characterCount() - 1)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        new = cursor.selectedText().replace("\u2029", line_break(old))
        before = shown(old[start:end])
        common = 0
        while common < min(len(before), len(new)) and before[common] == new[common]:
            common += 1
        tail = 0
        while tail < min(len(before), len(new)) - common and before[-1 - tail] == new[-1 - tail]:
            tail += 1
        edit = Edit(start + common, end - tail, new[common : len(new) - tail])
        if edit.start == edit.end and not edit.text:
            return
        edits = whole_breaks(old, [edit])
        self.text = old[: edit.start] + edit.text + old[edit.end :]
        self._positions.follow(edits, self.text)
        self.edited_here.emit(edits)

    def _length(self, text: str) -> int:
        return self._positions.position(len(text))

    @property
    def plain(self) -> str:
        """The text of the QTextDocument, line by line, joined by "\\n"."""
        block, lines = self.document.begin(), []
        while block.isValid():
            lines.append(block.text())
            block = block.next()
        return "\n".join(lines)
