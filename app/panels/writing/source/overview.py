"""Overview: the scroll bar of a text, which shows the shape of the whole text and what is where.

From left to right: the lines that differ from the file (as beside the line numbers), the shape of the text, and the
problems. Over the shape: the selected elements, what a search has found, other places with the selected text, the
carets, and the part that is on the screen. A place of the strip always stands for the same part of the text, however
long that is. Click or drag to go there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollBar

from kinetree.app.panels.writing.source.look import change_colours, colours, severity_colours, tip_of
from kinetree.app.panels.writing.source.problems import GRAVITY
from kinetree.app.settings import theme as themes
from kinetree.engine.document.lines import LineFate
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

MOST = 4000
"""So many marks of one kind are drawn."""
CHANGES, MAP, PROBLEMS = 4, 64, 6
"""Widths of the columns, pixels."""
LINE = 3.0
"""The most that a line is high, pixels."""
ROOM = 520
"""An editor that is less wide has no room for the shape."""
LEAST_BOX = 10.0


class Overview(QScrollBar):
    """Scroll bar of an editor that shows the shape of the whole text, with marks. `has_map`: whether the shape is shown
    where there is room for it. Signals: `shape_wanted()`: the shape is to be shown on another number of pixels."""

    shape_wanted = Signal()

    def __init__(self, editor: SourceEditor):
        super().__init__(editor)
        self._editor = editor
        self._marks: list[tuple[int, int, str, float, float]] | None = None
        self._picture: QImage | None = None
        self._grabbed: float | None = None  # how far below the upper edge of the box the mouse holds it
        self._over = False
        self.has_map = True
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    # ---- sizes ---------------------------------------------------------------------------------------

    @property
    def shows_map(self) -> bool:
        return self.has_map and self._editor.width() >= ROOM

    def sizeHint(self) -> QSize:
        return QSize(CHANGES + (MAP if self.shows_map else 8) + PROBLEMS, super().sizeHint().height())

    def set_map(self, on: bool) -> None:
        """Show the shape of the text, or not."""
        self.has_map = on
        self.fit()

    def fit(self) -> None:
        """Adapt to another width of the editor."""
        if self.sizeHint().width() != self.width():
            self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.shape_wanted.emit()

    @property
    def grid(self) -> tuple[int, int, int]:
        """Rows, columns and the pixels of each row that a picture of the shape has here; no rows if none is shown."""
        if not self.shows_map or not self.isVisible():
            return 0, 0, 0
        ratio, count = self.devicePixelRatioF(), self._editor.blockCount()
        repeat = max(int(self._line() * ratio), 1)
        return min(count, int(self.height() * ratio)), int(MAP * ratio), repeat

    def _line(self) -> float:
        """The height of a line, pixels."""
        return min(LINE, self.height() / max(self._editor.blockCount(), 1))

    # ---- what is shown -------------------------------------------------------------------------------

    def show_picture(self, picture: np.ndarray) -> None:
        """Show the shape of the text: an array of `grid`'s size."""
        height, width, _ = picture.shape
        format = QImage.Format.Format_RGBA8888
        self._picture = QImage(picture.data, width, height, 4 * width, format).copy() if height and width else None
        self.update()

    def refresh(self) -> None:
        """Draw changed marks."""
        self._marks = None
        self.update()

    def marks(self) -> list[tuple[int, int, str, float, float]]:
        """(first line, last line, colour, left edge, right edge) of each mark over the shape and beside it."""
        if self._marks is None:
            self._marks = list(dict.fromkeys(self._find_marks()))
        return self._marks

    def _find_marks(self) -> Iterator[tuple[int, int, str, float, float]]:
        editor, theme = self._editor, themes.current()
        look, severities, right = colours(theme), severity_colours(theme), self.width() - PROBLEMS
        fates = change_colours(theme)

        def line(offset: int) -> int:
            return editor.shown.block(offset).blockNumber()

        for change in editor.changes.all[:MOST]:
            last = change.first if change.fate is LineFate.REMOVED else change.last - 1
            yield change.first, last, fates[change.fate], 0, CHANGES - 1
        for start, _, end in editor.elements[:MOST]:
            yield line(start), line(end), look.element_mark, CHANGES, right
        for start, end in editor.same:
            yield line(start), line(end), look.match_back, CHANGES, right
        for start, _ in editor.hits[:MOST]:
            yield line(start), line(start), look.hit_mark, CHANGES, right
        for caret in editor.carets.all()[:MOST]:
            at = line(caret.position)
            yield at, at, theme.dim, CHANGES, right
        for item in sorted(editor.problems.all, key=lambda item: GRAVITY[item.severity])[-MOST:]:
            yield line(item.start), line(item.start), severities[item.severity], right + 1, self.width()

    def boxes(self) -> list[tuple[QRectF, str]]:
        """The rectangles of the marks and their colours: one where marks of the same kind cover each other, so that
        thousands of them cost no more to paint than there are pixels."""
        height = self._line()
        found: list[tuple[QRectF, str]] = []
        last = None
        for first, end, colour, left, right in self.marks():
            top = min(first * height, self.height() - 2)
            bottom = top + max((end - first + 1) * height, 2.0)
            if last == (colour, left, right) and found[-1][0].top() <= top <= found[-1][0].bottom():
                found[-1][0].setBottom(max(bottom, found[-1][0].bottom()))
            else:
                found.append((QRectF(left, top, right - left, bottom - top), colour))
            last = colour, left, right
        return found

    def box(self) -> QRectF:
        """The part of the text that is on the screen."""
        first, last = self._editor.lines.numbers()
        height = self._line()
        area = QRectF(CHANGES, first * height, self.width() - CHANGES, (last - first + 1) * height)
        if area.height() < LEAST_BOX:
            area = QRectF(area.left(), area.center().y() - LEAST_BOX / 2, area.width(), LEAST_BOX)
        area.moveTop(max(min(area.top(), self.height() - area.height()), 0.0))
        return area

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, height = themes.current(), self._line()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.base))
        painter.fillRect(QRectF(CHANGES - 1, 0, 1, self.height()), QColor(theme.line))
        if self._picture is not None and self.shows_map:
            rows = height * self._editor.blockCount()
            painter.drawImage(QRectF(CHANGES + 2, 0, MAP - 2, rows), self._picture)
        for area, colour in self.boxes():
            painter.fillRect(area, QColor(colour))
        if self.maximum() > self.minimum():
            box = QColor(theme.text)
            box.setAlpha(70 if self._grabbed is not None else 50 if self._over else 32)
            painter.fillRect(self.box(), box)
        painter.end()

    # ---- mouse ---------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        box, y = self.box(), event.position().y()
        self._grabbed = y - box.top() if box.top() <= y <= box.bottom() else box.height() / 2
        self._go(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None:
            self._go(event.position())
        else:
            self.setToolTip(tip_of(self._words(event.position().y())))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None
        self.update()

    def _go(self, place: QPointF) -> None:
        """Scroll so that the box is where the mouse holds it."""
        if self._grabbed is not None:
            first, last = self._editor.lines.numbers()
            middle = (place.y() - self._grabbed + self.box().height() / 2) / max(self._line(), 1e-6)
            self._editor.lines.show_line(round(middle - (last - first + 1) / 2))
            self.update()

    def enterEvent(self, event) -> None:
        self._over = True
        self.update()

    def leaveEvent(self, event) -> None:
        self._over = False
        self.update()

    def _words(self, y: float) -> list[str]:
        """The problems near a place, as text."""
        height, editor = max(self._line(), 1e-6), self._editor
        reach = max(3.0, height)
        first, last = (editor.lines.offset_of(int((y + by) / height)) for by in (-reach, reach + height))
        near = editor.problems.between(first, last)
        return [
            tr(
                "Line {number}: {message}",
                number=editor.shown.block(item.start).blockNumber() + 1,
                message=item.message,
            )
            for item in near[-8:]
        ]
