"""The gutter beside a text: line numbers, problems, what can be folded, and the selected elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QTextBlock
from PySide6.QtWidgets import QToolTip, QWidget

from kinetree.app.panels.writing.source.look import change_colours, colours, severity_colours, tip_of
from kinetree.app.settings import theme as themes
from kinetree.engine.document.lines import LineChange, LineFate

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

MARK, FOLD, GAP, BAR = 12, 16, 4, 3  # widths, pixels
LEAST_DIGITS = 3


class Gutter(QWidget):
    def __init__(self, editor: SourceEditor):
        super().__init__(editor)
        self._editor = editor
        self.setMouseTracking(True)
        self._over = False

    def wanted_width(self) -> int:
        digits = max(len(str(self._editor.blockCount())), LEAST_DIGITS)
        return MARK + self._editor.fontMetrics().horizontalAdvance("9") * digits + GAP + FOLD

    def paintEvent(self, event: QPaintEvent) -> None:
        editor, theme = self._editor, themes.current()
        look, severities, fates = colours(theme), severity_colours(theme), change_colours(theme)
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.surface))
        painter.setFont(editor.font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = editor.textCursor().block().blockNumber()
        height = editor.fontMetrics().height()
        first_line, last_line = editor.lines.numbers()
        changes = [each for each in editor.changes.all if each.first <= last_line and each.last >= first_line]
        elements = editor.elements_between(*editor.lines.stretch())
        for block, top, bottom in editor.lines.blocks():
            if bottom < event.rect().top() or top > event.rect().bottom():
                continue
            start, end = editor.shown.line(block)
            if any(first <= end and start < last for first, _, last in elements):
                painter.fillRect(QRectF(0, top, 2, bottom - top), QColor(theme.accent))
            number = block.blockNumber()
            painter.setPen(QColor(theme.text if number == current else look.gutter_text))
            area = QRectF(MARK, top, self.width() - MARK - FOLD - GAP, height)
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1))
            found = editor.problems.between(start, end)
            if found:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(severities[found[-1].severity]))
                painter.drawEllipse(QPointF(MARK / 2 + 1, top + height / 2), 3.2, 3.2)
            for change in changes:
                if change.first <= number < change.last or change.first == number == change.last:
                    self._mark_change(painter, change, QColor(fates[change.fate]), top, bottom)
            folded = editor.folding.is_folded(block)
            if folded or self._over or number == current:
                if folded or editor.folding.at(block) is not None:
                    self._arrow(painter, QPointF(self.width() - FOLD / 2 - 2, top + height / 2), folded, look)
        painter.end()

    def _mark_change(self, painter: QPainter, change: LineChange, colour: QColor, top: float, bottom: float) -> None:
        """Paint a bar beside a line that differs from the file, or a corner where lines were removed."""
        if change.fate is not LineFate.REMOVED:
            painter.fillRect(QRectF(self.width() - BAR, top, BAR, bottom - top), colour)
            return
        path = QPainterPath(QPointF(self.width(), top - 3))
        path.lineTo(self.width() - 5, top)
        path.lineTo(self.width(), top + 3)
        painter.fillPath(path, colour)

    @staticmethod
    def _arrow(painter: QPainter, centre: QPointF, folded: bool, look) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(look.punctuation))
        points = ((-2, -4), (3, 0), (-2, 4)) if folded else ((-4, -2), (4, -2), (0, 3))
        x, y = points[0]
        path = QPainterPath(centre + QPointF(x, y))
        for x, y in points[1:]:
            path.lineTo(centre + QPointF(x, y))
        painter.drawPath(path)

    def _block_at(self, y: float) -> QTextBlock | None:
        return next((block for block, top, bottom in self._editor.lines.blocks() if top <= y < bottom), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        block = self._block_at(event.position().y())
        if block is None or event.button() != Qt.MouseButton.LeftButton:
            return
        found = self._editor.problems.between(*self._editor.shown.line(block))
        if event.position().x() >= self.width() - FOLD - GAP:
            self._editor.folding.toggle(block)
        elif event.position().x() < MARK and found:
            self._editor.fixes_wanted.emit(found[-1].start)
            return
        else:  # the whole line
            start, end = self._editor.shown.line(block)
            following = block.next()
            self._editor.select(start, self._editor.shown.line(following)[0] if following.isValid() else end)
        self._editor.setFocus()

    def enterEvent(self, event) -> None:
        self._over = True
        self.update()

    def leaveEvent(self, event) -> None:
        self._over = False
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            block = self._block_at(event.pos().y())
            found = [] if block is None else self._editor.problems.between(*self._editor.shown.line(block))
            words = [item.message for item in reversed(found)]
            if block is not None and event.pos().x() >= self.width() - FOLD - GAP:
                words += self._editor.changes.words(block.blockNumber())
            QToolTip.showText(event.globalPos(), tip_of(words), self)
            return True
        return super().event(event)
