"""Folding: collapses elements and comments to their first line. A fold is stored as a cursor at its "<", which moves
along with edits; its end is taken from the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextBlock, QTextCursor

from kinetree.app.panels.writing.source import markup
from kinetree.app.panels.writing.source.carets import Caret
from kinetree.engine.document.edit import Edit

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor


class _Fold:
    """A fold. `head` is a cursor at the "<"; `last` is the number of the last hidden line, counted from the first."""

    def __init__(self, head: QTextCursor, lines: int):
        self.head, self.lines = head, lines

    @property
    def first(self) -> int:
        return self.head.block().blockNumber()


class Folding:
    """The folds of one editor."""

    def __init__(self, editor: SourceEditor):
        self._editor = editor
        self._folds: list[_Fold] = []
        self._hidden = 0

    @property
    def any_hidden(self) -> bool:
        """Whether any lines are folded."""
        return bool(self._folds)

    def at(self, block: QTextBlock) -> tuple[int, int] | None:
        """The foldable part that begins on a line, as offsets of its start and end."""
        return markup.fold_at(self._editor.parsed, *self._editor.shown.line(block))

    def is_folded(self, block: QTextBlock) -> bool:
        return any(fold.first == block.blockNumber() for fold in self._folds)

    def toggle(self, block: QTextBlock) -> None:
        if self.is_folded(block):
            self.unfold(block)
        else:
            self.fold(block)

    def fold(self, block: QTextBlock) -> None:
        """Fold what begins on a line; nothing happens where nothing can be folded."""
        fold = self._make(block)
        if fold is not None and not self.is_folded(block):
            self._folds.append(fold)
            self._show(block.blockNumber(), block.blockNumber() + fold.lines)
            self._bring_caret_out()

    def fold_around(self, offset: int) -> None:
        """Fold the innermost element around a place."""
        block = self._editor.shown.block(offset)
        while block.isValid():
            found = self.at(block)
            start, end = self._editor.shown.line(block)
            if found is not None and (offset <= found[1] or start <= offset <= end):
                self.fold(block)
                return
            block = block.previous()

    def unfold(self, block: QTextBlock) -> None:
        gone = [fold for fold in self._folds if fold.first == block.blockNumber()]
        self._folds = [fold for fold in self._folds if fold not in gone]
        for fold in gone:
            self._show(fold.first, fold.first + fold.lines)

    def fold_all(self) -> None:
        """Fold the sections: every child of the root element."""
        editor = self._editor
        for child in editor.parsed.root.children:
            block = editor.shown.block(child.start)
            fold = self._make(block)
            if fold is not None and not self.is_folded(block):
                self._folds.append(fold)
        self._show(0, editor.blockCount() - 1)
        self._bring_caret_out()

    def unfold_all(self) -> None:
        if self._folds:
            self._folds = []
            self._show(0, self._editor.blockCount() - 1)

    def reveal(self, offset: int) -> None:
        """Unfold what hides a place."""
        if not self._folds:
            return
        block = self._editor.shown.block(offset)
        if not block.isVisible():
            number = block.blockNumber()
            gone = [fold for fold in self._folds if fold.first < number <= fold.first + fold.lines]
            self._folds = [fold for fold in self._folds if fold not in gone]
            for fold in gone:
                self._show(fold.first, fold.first + fold.lines)

    def follow(self, edits: Sequence[Edit], lines: int) -> None:
        """Update the folds after an edit that added `lines` lines (negative: removed)."""
        if not self._folds:
            return
        low = high = -1
        kept = []
        for fold in self._folds:
            now = self._make(fold.head.block())
            if now is not None and now.lines == fold.lines and not lines:
                kept.append(fold)
                continue
            first = fold.first
            last = first + max(fold.lines, now.lines if now is not None else 0) + abs(lines)
            low, high = min(first, low) if low >= 0 else first, max(high, last)
            if now is not None:
                kept.append(now)
        self._folds = kept
        if low >= 0:
            self._show(low, min(high, self._editor.blockCount() - 1))

    def _make(self, block: QTextBlock) -> _Fold | None:
        found = self.at(block) if block.isValid() else None
        if found is None:
            return None
        editor = self._editor
        head = QTextCursor(editor.document())
        head.setPosition(editor.shown.position(found[0]))
        return _Fold(head, editor.shown.block(found[1]).blockNumber() - block.blockNumber())

    def _show(self, first: int, last: int) -> None:
        """Show and hide the lines from `first` to `last` as the folds say."""
        editor, document = self._editor, self._editor.document()
        hidden = sorted((fold.first, fold.first + fold.lines) for fold in self._folds)
        block = document.findBlockByNumber(first)
        start, index, until = block.position(), 0, -1
        shown = block
        for number in range(first, last + 1):
            if not block.isValid():
                break
            while index < len(hidden) and hidden[index][0] < number:
                until = max(until, hidden[index][1])
                index += 1
            visible = number > until
            if block.isVisible() != visible:
                block.setVisible(visible)
                block.setLineCount(1 if visible else 0)
            shown, block = block, block.next()
        with editor.shown.changing():
            document.markContentsDirty(start, shown.position() + shown.length() - 1 - start)
        layout = document.documentLayout()
        layout.documentSizeChanged.emit(layout.documentSize())
        editor.viewport().update()
        editor.gutter.update()
        editor.overview.refresh()

    def _bring_caret_out(self) -> None:
        """Move the caret out of a hidden line, to the end of the visible line of its fold."""
        editor = self._editor
        block = editor.textCursor().block()
        while block.isValid() and not block.isVisible():
            block = block.previous()
        if block != editor.textCursor().block():
            place = editor.shown.line(block)[1]
            editor.carets.set([Caret(place, place)])
