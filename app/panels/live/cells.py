"""How the cells of a list of live values are painted: the name and the first number of a row share the room of both
columns, so that neither is cut off while the other one leaves room; several numbers have fewer decimals in a narrow
row; a title has the whole row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.panels.live.rows import SPACE

if TYPE_CHECKING:
    from app.panels.live.view import LiveView

Index = QModelIndex | QPersistentModelIndex
LEAST = 56  # of a name beside a number that wants more than its column, pixels
NAME_SHARE = 0.4  # of a row that a long name keeps beside several numbers
PLACES = 4, 3, 2  # decimals of several numbers that are wider than their column, as there is room
SLACK = 5  # what style sheets add around a text, pixels
DISPLAY, DECORATION, CHECK = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.DecorationRole, Qt.ItemDataRole.CheckStateRole


class Cells(QStyledItemDelegate):
    """For the first two columns of a LiveView."""

    def __init__(self, view: LiveView):
        super().__init__(view)
        self._view = view
        self._short: str | None = None  # what is painted of the numbers of this row, None: all

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view = self._view
        rect: Any = option.rect  # type: ignore[attr-defined]
        column = index.column()
        self._short = None
        if view.live.row(index) is None:
            if column == 0:
                rect.setRight(view.viewport().width())
        else:
            edge = self.edge(index)
            if edge is not None:
                rect.setRight(edge - 1) if column == 0 else rect.setLeft(edge)
        super().paint(painter, option, index)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if self._short is not None and index.column() == 1:
            option.text = self._short  # type: ignore[attr-defined]

    def edge(self, index: Index) -> int | None:
        """Where the first number of a row begins; None where its column says so."""
        view, header = self._view, self._view.header()
        if not view.live.columns[1].is_number or header.isSectionHidden(1) or header.visualIndex(1) != 1:
            return None
        live, metrics, style = view.live, view.fontMetrics(), view.style()
        first, second = index.sibling(index.row(), 0), index.sibling(index.row(), 1)
        margin = 2 * (style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, view) + 1) + SLACK
        left, middle = self._left(first), header.sectionViewportPosition(1)
        right = middle + header.sectionSize(1)
        text = str(live.data(second, DISPLAY) or "")
        number = metrics.horizontalAdvance(text) + margin
        is_wide = number > right - middle
        several = text.count(SPACE) if is_wide and live.columns[1].short is not None else 0
        if is_wide and not several:
            return max(right - number, min(left + LEAST, middle))
        name = metrics.horizontalAdvance(str(live.data(first, DISPLAY) or "")) + margin
        if live.data(first, DECORATION) is not None:
            name += margin + style.pixelMetric(QStyle.PixelMetric.PM_SmallIconSize, None, view)
        if live.data(first, CHECK) is not None:
            name += margin + style.pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, None, view)
        if several:
            kept = min(name, max(LEAST, int(NAME_SHARE * (right - left))))
            self._short = self._shortened(second, several + 1, right - left - kept - margin)
            number = metrics.horizontalAdvance(self._short) + margin
            return max(right - number, min(left + LEAST, middle))
        return min(left + name, right - number) if name > middle - left else None

    def _shortened(self, index: Index, count: int, room: int) -> str:
        """`count` numbers with as many decimals as there is room for. What decides is how wide such numbers may be, and
        not how wide these are: they change all the time."""
        live, metrics = self._view.live, self._view.fontMetrics()
        row, column = live.row(index), live.columns[1]
        assert row is not None and column.short is not None
        fitting = (
            each for each in PLACES if metrics.horizontalAdvance(SPACE.join([f"-0.{'0' * each}"] * count)) <= room
        )
        return column.short(row, live.value(row), live.units, next(fitting, PLACES[-1]))

    def _left(self, first: Index) -> int:
        """Where the name of a row begins. `visualRect` would tell it, but first it lays the list out where that is due:
        in the middle of painting the rows."""
        view = self._view
        depth = view.rootIsDecorated() + first.parent().isValid()
        return view.header().sectionViewportPosition(0) + depth * view.indentation()
