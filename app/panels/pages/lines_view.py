"""Some lines of a text, read-only, with the colours and line numbers of the source editor."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from kinetree.app.panels.writing.source.lexer import Lexer
from kinetree.app.panels.writing.source.look import change_colours, colours, font, formats
from kinetree.app.settings import theme as themes
from kinetree.engine.document.lines import LineFate

LEAST_DIGITS = 2
LEFT, GAP, BAR = 8, 10, 3  # pixels beside the line numbers, and of the bar of lines that differ
LINE_ALPHA, WORD_ALPHA = 38, 110
"""Opacity of the marks of lines and of words that differ, of 255."""


class LinesView(QPlainTextEdit):
    """Shows lines. Lines that differ have a mark and a bar beside their numbers, as in the source editor."""

    def __init__(self, size: int):
        super().__init__()
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setFont(font(size))
        self.first = 1
        self._differing = range(0)
        self._words: Sequence[tuple[int, int]] = ()
        self._colours = _Colours(self.document())
        self.numbers = _Numbers(self)
        self.updateRequest.connect(lambda area, _dy: self.numbers.update(0, area.y(), 1000, area.height()))
        self.blockCountChanged.connect(lambda _count: self._make_room())

    def show_lines(self, text: str, first: int = 1, differing: range = range(0), before: str = "") -> None:
        """Show lines from the number `first` on, which stand behind `before` in the whole text. `differing`: the
        lines that are marked, counted from 0."""
        self.first, self._differing, self._words = first, differing, ()
        self._colours.take(_with_line_feeds(before), _with_line_feeds(text))
        self.setPlainText(text)
        self._make_room()
        self._mark()
        block = self.document().findBlockByNumber(min(differing.start, differing.stop))
        self.setTextCursor(QTextCursor(block))
        self.centerCursor()

    def mark_words(self, stretches: Sequence[tuple[int, int]]) -> None:
        """Mark words more strongly: [start, end), in places of the document."""
        self._words = stretches
        self._mark()

    def differs(self, number: int) -> bool:
        """Whether a line is marked."""
        return number in self._differing

    def _mark(self) -> None:
        colour = QColor(change_colours(themes.current())[LineFate.CHANGED])
        marks = []
        for number in self._differing:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(self.document().findBlockByNumber(number))
            colour.setAlpha(LINE_ALPHA)
            mark.format.setBackground(colour)
            mark.format.setProperty(mark.format.Property.FullWidthSelection, True)
            marks.append(mark)
        for first, last in self._words:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(self.document())
            mark.cursor.setPosition(first)
            mark.cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
            colour.setAlpha(WORD_ALPHA)
            mark.format.setBackground(colour)
            marks.append(mark)
        self.setExtraSelections(marks)

    def words(self) -> list[str]:
        """The words that are marked."""
        selections = self.extraSelections()[len(self._differing) :]
        return [selection.cursor.selectedText() for selection in selections]

    def _make_room(self) -> None:
        self.setViewportMargins(self.numbers.sizeHint().width(), 0, 0, 0)
        self._place_numbers()

    def _place_numbers(self) -> None:
        area = self.contentsRect()
        self.numbers.setGeometry(QRect(area.left(), area.top(), self.numbers.sizeHint().width(), area.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_numbers()
        self.centerCursor()

    def rows(self) -> list[tuple[QTextBlock, float, float]]:
        """The lines on the screen, each with its top and bottom."""
        found, block = [], self.firstVisibleBlock()
        while block.isValid():
            area = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if area.top() > self.viewport().height():
                break
            found.append((block, area.top(), area.bottom()))
            block = block.next()
        return found


class _Numbers(QWidget):
    """The line numbers of a view."""

    def __init__(self, view: LinesView):
        super().__init__(view)
        self._view = view

    def sizeHint(self) -> QSize:
        digits = max(len(str(self._view.first + self._view.blockCount())), LEAST_DIGITS)
        return QSize(LEFT + self._view.fontMetrics().horizontalAdvance("9") * digits + GAP + BAR, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        view, theme = self._view, themes.current()
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.surface))
        painter.setFont(view.font())
        height = view.fontMetrics().height()
        bar = QColor(change_colours(theme)[LineFate.CHANGED])
        is_empty = not view.toPlainText()
        for block, top, bottom in [] if is_empty else view.rows():
            number = block.blockNumber()
            painter.setPen(QColor(theme.text if view.differs(number) else colours(theme).gutter_text))
            area = QRectF(LEFT, top, self.width() - LEFT - GAP - BAR, height)
            painter.drawText(
                area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(view.first + number)
            )
            if view.differs(number):
                painter.fillRect(QRectF(self.width() - BAR, top, BAR, bottom - top), bar)
        painter.end()


class _Colours(QSyntaxHighlighter):
    """Colours lines by the tokens that they have in the whole text."""

    def __init__(self, document: QTextDocument):
        super().__init__(document)
        self._lexer, self._place = Lexer(""), 0
        self._starts: list[int] = [0]

    def take(self, before: str, text: str) -> None:
        """The text that is shown next, behind the part of the whole text before it."""
        self._lexer, self._place = Lexer(before + text), len(before)
        lines = text.split("\n")
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        if number >= len(self._starts) - 1 or not text:
            return
        start = self._place + self._starts[number]
        looks = formats(themes.current())
        whole = self._lexer.text[start : start + self._starts[number + 1] - self._starts[number] - 1]
        for low, high, kind in self._lexer.line(start, start + len(whole)):
            first, last = (low, high) if whole.isascii() else (width(whole[:low]), width(whole[:high]))
            self.setFormat(first, last - first, looks[kind])


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def width(text: str) -> int:
    """How many places a text takes in a QTextDocument, where a character beyond the basic plane takes two."""
    return len(text.replace("\r\n", "\n").encode("utf-16-le", "surrogatepass")) // 2
