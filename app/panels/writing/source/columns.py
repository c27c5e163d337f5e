"""Column: a drag that selects a column, a stretch of each line. It goes on beyond the screen: while the mouse is above
or below the text, the text scrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QTimer
from PySide6.QtGui import QTextBlock

from kinetree.app.panels.writing.source.carets import Caret
from kinetree.app.panels.writing.source.painting import x_in_line

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

TICK = 40  # ms between two steps of scrolling
PULL = 12  # pixels beyond the edge for each line of a step
MOST_LINES = 5000
"""Lines that a column has at most."""


class ColumnDrag:
    """A drag that selects a column, from the line and the horizontal place of an offset on."""

    def __init__(self, editor: SourceEditor, offset: int):
        self._editor = editor
        self._first = editor.shown.block(offset).blockNumber()
        self._x = _x_of(editor, offset)
        self._mouse = QPointF()
        self._timer = QTimer(editor)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._scroll)

    def drag(self, place: QPointF) -> None:
        """Extend the column selection to the mouse, which is at a place of the viewport."""
        self._mouse = place
        self._select()
        if 0 <= place.y() < self._editor.viewport().height() and 0 <= place.x() < self._editor.viewport().width():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        self._timer.stop()
        self._timer.deleteLater()

    def _scroll(self) -> None:
        """Scroll one step towards the mouse, the faster the further away it is."""
        view = self._editor.viewport()
        down, right = self._editor.verticalScrollBar(), self._editor.horizontalScrollBar()
        for bar, at, size, unit in (
            (down, self._mouse.y(), view.height(), 1),
            (right, self._mouse.x(), view.width(), self._editor.fontMetrics().averageCharWidth()),
        ):
            beyond = at if at < 0 else max(at - size + 1, 0)
            if beyond:
                bar.setValue(bar.value() + int(beyond / PULL + (1 if beyond > 0 else -1)) * unit)
        self._select()

    def _select(self) -> None:
        """Put a caret on each line between the first one and that of the mouse, with the stretch selected."""
        editor = self._editor
        layout, left = editor.document().documentLayout(), editor.contentOffset().x()
        last = self._block_at_mouse().blockNumber()
        step = 1 if last >= self._first else -1
        found: list[Caret] = []
        block = editor.document().findBlockByNumber(self._first)
        while block.isValid() and (last - block.blockNumber()) * step >= 0 and len(found) < MOST_LINES:
            if block.isVisible():
                layout.blockBoundingRect(block)  # lays out a line that was never on the screen
                if block.layout().lineCount():
                    line = block.layout().lineAt(0)
                    ends = [block.position() + line.xToCursor(x) for x in (self._x, self._mouse.x() - left)]
                    found.append(Caret(*(editor.shown.offset(end) for end in ends)))
            block = block.next() if step > 0 else block.previous()
        if found:
            editor.carets.set(found, reveal=False)

    def _block_at_mouse(self) -> QTextBlock:
        """The line of the mouse; the outermost one on the screen where it is beyond."""
        lines = list(self._editor.lines.blocks())
        within = [block for block, top, _ in lines if top <= self._mouse.y()]
        return within[-1] if within else lines[0][0]


def _x_of(editor: SourceEditor, offset: int) -> float:
    """The horizontal place of an offset in its line, pixels."""
    block = editor.shown.block(offset)
    editor.document().documentLayout().blockBoundingRect(block)
    return x_in_line(block.layout().lineAt(0), editor.shown.position(offset) - block.position())
