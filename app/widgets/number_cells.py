"""Numbers in rows of cells, as they are shown: their places, their labels, and what of a long one is seen.

`numbers.py` is the field in which they are edited.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from kinetree.app.settings import theme
from kinetree.app.widgets.line import with_text
from kinetree.app.widgets.number_steps import FROM_ZERO

GAP = 3  # between cells, pixels
PAD = 5  # beside a text in a cell, pixels
LEAST_CELL = 20  # width of a cell, pixels
NARROW_PAD = 2  # beside a text that has no room otherwise
RADIUS = 4.0
MIXED = "—"


class NumberCells(QWidget):
    """Shows one or several numbers, as texts. The cell that has the focus, and one that is wrong, are framed."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.texts: list[str | None] = [""]
        self.labels: tuple[str, ...] = ()
        self.columns = self._most_columns = 1
        self.integer = False
        self.low: float | None = None
        self.high: float | None = None
        self.step: float | None = None
        """Change for one pixel of dragging; None: by the size of the number (`number_steps.py`)."""
        self.from_zero = FROM_ZERO
        """The same, for a zero among zeros."""
        self.hint = ""
        """Dim text while there are no numbers."""
        self.given = True
        """Whether the numbers are the element's own; inherited ones are dim."""
        self.read_only = False
        self.cell = 0  # has the focus
        self._problem = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    # ---- what is shown -------------------------------------------------------------------------------

    def set_kind(
        self,
        count: int,
        labels: Sequence[str] = (),
        *,
        columns: int = 0,
        integer: bool = False,
        low: float | None = None,
        high: float | None = None,
        step: float | None = None,
    ) -> None:
        """Set the count of the numbers, and their labels."""
        self.labels, self.integer, self.low, self.high, self.step = tuple(labels), integer, low, high, step
        self.columns = self._most_columns = columns or columns_of(count)
        self.texts = [""] * count
        self.cell = min(self.cell, count - 1)
        self.updateGeometry()
        self.update()

    def show_values(self, texts: Sequence[str | None], given: bool = True, read_only: bool = False) -> None:
        """Show these numbers: "" for one that is not there, None where several elements have different ones.
        What is being typed stays."""
        self.texts, self.given, self.read_only = list(texts), given, read_only
        self.cell = min(self.cell, max(0, len(self.texts) - 1))
        self.update()

    @property
    def problem(self) -> str:
        """Why what is typed is refused; "" if nothing is."""
        return self._problem

    def value(self, cell: int) -> float | None:
        """The number in a cell; None where there is none, or a different one in each element."""
        text = self.texts[cell] if cell < len(self.texts) else None
        try:
            return float(text) if text else None
        except ValueError:
            return None

    # ---- geometry ------------------------------------------------------------------------------------

    @property
    def line_height(self) -> int:
        return self.fontMetrics().height() + 8

    def sizeHint(self) -> QSize:
        lines = -(-max(1, len(self.texts)) // self.columns)
        return QSize(60 * self.columns, lines * self.line_height + (lines - 1) * GAP)

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_CELL * self.columns, self.sizeHint().height())

    def fit(self, width: int) -> None:
        """Put as many numbers beside each other as are seen whole in a width."""
        needed = max(map(self.fontMetrics().horizontalAdvance, (text or "" for text in self.texts)), default=0)
        needed = max(LEAST_CELL, needed + 2 * NARROW_PAD + 2)
        self.columns = min(self._most_columns, max(1, (width + GAP) // (needed + GAP)))

    def cell_rect(self, cell: int) -> QRectF:
        """Rectangle of a cell."""
        row, column = divmod(cell, self.columns)
        width = (self.width() - GAP * (self.columns - 1)) / self.columns
        return QRectF(column * (width + GAP), row * (self.line_height + GAP), width, self.line_height)

    def cell_at(self, point: QPoint) -> int:
        """The cell at a place, -1 beside them."""
        for cell in range(len(self.texts)):
            if self.cell_rect(cell).contains(point):
                return cell
        return -1

    # ---- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for cell in range(len(self.texts)):
            self._paint_cell(painter, cell)
        painter.end()

    def _paint_cell(self, painter: QPainter, cell: int) -> None:
        colours, metrics = theme.current(), self.fontMetrics()
        area = self.cell_rect(cell).adjusted(0.5, 0.5, -0.5, -0.5)
        focused = self.hasFocus() and cell == self.cell
        wrong = bool(self.problem) and cell == self.cell
        frame = colours.error if wrong else colours.accent if focused else colours.line
        painter.setPen(QPen(QColor(frame), 1))
        painter.setBrush(QColor(colours.surface if self.read_only else colours.base))
        painter.drawRoundedRect(area, RADIUS, RADIUS)
        if len(self.texts) == 1 and self.low is not None and self.high is not None and self.high > self.low:
            self._paint_bar(painter, area)
        text = self.texts[cell]
        shown = MIXED if text is None else text
        if cell == 0 and self.hint and not any(each != "" for each in self.texts):
            painter.setPen(QColor(colours.dim))
            whole = area.adjusted(PAD, 0, -PAD, 0)
            hint = metrics.elidedText(self.hint, Qt.TextElideMode.ElideRight, int(whole.width()))
            painter.drawText(whole, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, hint)
            return
        plain = self.given and text is not None and not self.read_only
        inside = area.adjusted(PAD, 0, -PAD, 0)
        label = self.labels[cell] if cell < len(self.labels) else ""
        taken = metrics.horizontalAdvance(shown) + 4
        if label and metrics.horizontalAdvance(label) + taken <= inside.width():
            painter.setPen(QColor(colours.dim))
            painter.drawText(inside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, label)
        painter.setPen(QColor(colours.text if plain else colours.dim))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self._room(cell), right, self.seen(cell))

    def _room(self, cell: int) -> QRectF:
        """Where the number of a cell is painted: a long one has less space beside it."""
        area, text = self.cell_rect(cell), self.texts[cell] or ""
        pad = PAD if self.fontMetrics().horizontalAdvance(text) < area.width() - 2 * PAD - 1 else NARROW_PAD
        return area.adjusted(pad + 0.5, 0.5, -pad - 0.5, -0.5)

    def seen(self, cell: int) -> str:
        """Visible text of a number: it is not rounded; its end is cut off if it does not fit."""
        text = self.texts[cell]
        room = math.floor(self._room(cell).width())
        return self.fontMetrics().elidedText(MIXED if text is None else text, Qt.TextElideMode.ElideRight, room)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell, tip = self.cell_at(event.pos()), self.toolTip()
            if cell >= 0 and (not tip or self.seen(cell) != (self.texts[cell] or self.seen(cell))):
                label = self.labels[cell] if cell < len(self.labels) else ""
                tip = with_text(" ".join(each for each in (label, self.texts[cell] or "") if each), tip)
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def _paint_bar(self, painter: QPainter, area: QRectF) -> None:
        """Paint a bar that shows where a single number is in its useful range."""
        value = self.value(0)
        if value is None or self.low is None or self.high is None:
            return
        fraction = min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)
        fill = QColor(theme.current().accent)
        fill.setAlpha(46 if self.given else 26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(area.adjusted(1, 1, -1 - (area.width() - 2) * (1 - fraction), -1), RADIUS, RADIUS)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
        super().changeEvent(event)


def columns_of(count: int) -> int:
    """How many of `count` numbers stand in a row."""
    return count if count <= 5 else 3 if count % 3 == 0 else 5
