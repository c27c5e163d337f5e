"""Paints behind and over the text of an editor: the current line, elements, hits, more carets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QTextBlock, QTextLine

from kinetree.app.panels.writing.source.look import colours
from kinetree.app.settings.theme import Theme

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

Line = tuple[QTextBlock, float, float]
"""a line of text, and its upper and lower edge on the screen"""


def rectangles(editor: SourceEditor, block: QTextBlock, top: float, start: int, end: int) -> Iterator[QRectF]:
    """Where a stretch of the text is on the lines of one block, whose upper edge is `top`."""
    first, last = editor.shown.line(block)
    if start > last or end < first:
        return
    base, shown, layout = block.position(), editor.shown, block.layout()
    low, high = shown.position(max(start, first)) - base, shown.position(min(end, last)) - base
    left = editor.contentOffset().x()
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        begin, stop = line.textStart(), line.textStart() + line.textLength()
        if low > stop or high < begin:
            continue
        a, b = x_in_line(line, max(low, begin)), x_in_line(line, min(high, stop))
        if end > last and high >= stop:
            b += 4  # the line break is part of it
        yield QRectF(left + a, top + line.y(), max(b - a, 1.0), line.height())


def x_in_line(line: QTextLine, position: int) -> float:
    """The horizontal place of a position in a line of a layout, pixels."""
    found: Any = line.cursorToX(position)
    return found[0] if isinstance(found, tuple) else found


def paint_behind(editor: SourceEditor, lines: Sequence[Line], painter: QPainter, theme: Theme) -> None:
    """Paint behind the text of the visible lines."""
    look = colours(theme)
    current, width = editor.textCursor().block(), editor.viewport().width()
    hit = editor.hits[editor.this_hit] if 0 <= editor.this_hit < len(editor.hits) else None
    shown = editor.elements_between(*editor.lines.stretch())
    stretches = [(start, head, look.element_back) for start, head, _ in shown]
    stretches += [(*place, look.same_back) for place in editor.same]
    stretches += [(*place, look.this_hit_back if place == hit else look.hit_back) for place in editor.visible_hits()]
    stretches += [(*place, look.match_back) for place in editor.matches]
    stretches += [(c.start, c.end, theme.selection) for c in editor.carets.all()[:-1] if not c.is_empty]
    for block, top, bottom in lines:
        if block == current and editor.hasFocus():
            painter.fillRect(QRectF(0, top, width, bottom - top), QColor(look.current_line))
        first, last = editor.shown.line(block)
        for start, end, colour in stretches:
            if start <= last and end >= first and start < end:
                for area in rectangles(editor, block, top, start, end):
                    painter.fillRect(area, QColor(colour))


def paint_over(editor: SourceEditor, lines: Sequence[Line], painter: QPainter, theme: Theme) -> None:
    """Paint over the text: the secondary carets, and the marks of folds."""
    look = colours(theme)
    others = [caret.position for caret in editor.carets.all()[:-1]]
    for block, top, _bottom in lines:
        first, last = editor.shown.line(block)
        for place in others:
            if first <= place <= last:
                for area in rectangles(editor, block, top, place, place):
                    painter.fillRect(QRectF(area.left(), area.top(), 2, area.height()), QColor(theme.text))
        if editor.folding.any_hidden and editor.folding.is_folded(block):
            for area in rectangles(editor, block, top, last, last):
                box = QRectF(area.left() + 6, area.top() + 2, editor.fontMetrics().height() * 1.5, area.height() - 4)
                painter.setPen(QColor(look.gutter_text))
                painter.drawRoundedRect(box, 3, 3)
                for i in (-1, 0, 1):
                    painter.fillRect(
                        QRectF(box.center() + QPointF(i * 5 - 1, 0), box.center() + QPointF(i * 5 + 1, 2)),
                        QColor(look.gutter_text),
                    )
                break
