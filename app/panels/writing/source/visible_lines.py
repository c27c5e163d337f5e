"""The lines of an editor that are on the screen, and scrolling to others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextBlock

from kinetree.app.panels.writing.source.shown_text import next_shown

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor


class VisibleLines:
    """The lines of the text that one editor shows."""

    def __init__(self, editor: SourceEditor):
        self._editor = editor

    def blocks(self) -> Iterator[tuple[QTextBlock, float, float]]:
        """The lines on the screen, with their upper and lower edges."""
        block = self._editor.firstVisibleBlock()
        top = self._editor.blockBoundingGeometry(block).translated(self._editor.contentOffset()).top()
        height = self._editor.viewport().height()
        while block.isValid() and top <= height:
            size = self._editor.blockBoundingRect(block).height()
            if block.isVisible():
                yield block, top, top + size
                top += size
            block = next_shown(block)

    def stretch(self) -> tuple[int, int]:
        """Where the text on the screen begins and ends."""
        blocks = [block for block, _, _ in self.blocks()]
        return (self._editor.shown.line(blocks[0])[0], self._editor.shown.line(blocks[-1])[1]) if blocks else (0, 0)

    def numbers(self) -> tuple[int, int]:
        """The numbers of the first and the last line on the screen, counted from 0."""
        first = self._editor.firstVisibleBlock()
        height, block, line = self._editor.viewport().height(), first, max(self._editor.fontMetrics().height(), 1)
        left = height // line
        while left > 0 and (following := next_shown(block)).isValid():
            block = following
            left -= max(block.lineCount(), 1)
        return first.blockNumber(), block.blockNumber()

    def offset_of(self, number: int) -> int:
        """The offset where a line, counted from 0, starts; the end of the text where it has fewer lines."""
        block = self._editor.document().findBlockByNumber(max(number, 0))
        return self._editor.shown.line(block)[0] if block.isValid() else len(self._editor.text)

    def show_line(self, number: int) -> None:
        """Scroll so that a line, counted from 0, is the first one on the screen."""
        block = self._editor.document().findBlockByNumber(min(max(number, 0), self._editor.blockCount() - 1))
        self._editor.verticalScrollBar().setValue(block.firstLineNumber())

    def show(self, offset: int) -> None:
        """Scroll so that a place is on the screen, with lines around it; not at all if it is there already."""
        self._editor.folding.reveal(offset)
        block = self._editor.shown.block(offset)
        area = self._editor.blockBoundingGeometry(block).translated(self._editor.contentOffset())
        line = self._editor.fontMetrics().height()
        if not (line <= area.top() and area.bottom() <= self._editor.viewport().height() - line):
            lines = max(self._editor.viewport().height() // max(line, 1), 1)
            self._editor.verticalScrollBar().setValue(max(block.firstLineNumber() - lines // 3, 0))
