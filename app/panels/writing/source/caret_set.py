"""The carets of an editor, as offsets in its text. Qt knows one; the others are cursors of the QTextDocument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from kinetree.app.panels.writing.source import carets as strokes
from kinetree.app.panels.writing.source.carets import Caret
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

MODE = QTextCursor.MoveMode
MOST_CARETS = 1000
"""More carets are not kept: each key would take too long."""


class CaretSet:
    """All carets of one editor, as offsets in its text."""

    def __init__(self, editor: SourceEditor):
        self._editor = editor
        self._extra: list[QTextCursor] = []

    def all(self) -> list[Caret]:
        """All carets, the main one last."""
        return [self.of(cursor) for cursor in self.cursors()]

    def cursors(self) -> list[QTextCursor]:
        """The carets as cursors of the QTextDocument, the main one last."""
        return [*self._extra, self._editor.textCursor()]

    @property
    def count(self) -> int:
        return len(self._extra) + 1

    @property
    def main(self) -> Caret:
        """The main caret."""
        return self.of(self._editor.textCursor())

    def of(self, cursor: QTextCursor) -> Caret:
        return Caret(self._editor.shown.offset(cursor.anchor()), self._editor.shown.offset(cursor.position()))

    def cursor(self, caret: Caret) -> QTextCursor:
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(self._editor.shown.position(caret.anchor))
        if not caret.is_empty:
            cursor.setPosition(self._editor.shown.position(caret.position), MODE.KeepAnchor)
        return cursor

    def set(self, carets: Sequence[Caret], reveal: bool = True) -> None:
        """Set all carets; the last one is the main one. Those that overlap become one."""
        main = carets[-1]
        if len(carets) > 1:
            kept = strokes.merged(carets)
            if len(kept) > MOST_CARETS:
                kept = kept[:MOST_CARETS]
                self._editor.told.emit(
                    tr(
                        "There are carets on the first {most} of these places: more are not possible.",
                        most=MOST_CARETS,
                    )
                )
            main = next((caret for caret in kept if caret.start <= main.start <= caret.end), kept[-1])
            self._extra = [self.cursor(caret) for caret in kept if caret is not main]
            self._editor.viewport().update()
        elif self._extra:
            self._extra = []
            self._editor.viewport().update()
        if reveal:
            self._editor.folding.reveal(main.position)
        self._editor.setTextCursor(self.cursor(main))
        if reveal:
            self._editor.ensureCursorVisible()
