"""How the cells of a list of live values are painted: the name and the first number of a row share the room of both
columns, so that neither is cut off while the other one leaves room; several numbers have fewer decimals in a narrow
row, and the room of the column behind them where it is empty; a title has the whole row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from kinetree.app.settings import theme
from kinetree.app.widgets.readouts import ELLIPSIS, SPACE

if TYPE_CHECKING:
    from kinetree.app.panels.live.view import LiveView

Index = QModelIndex | QPersistentModelIndex
LEAST = 56  # of a name beside a number that wants more than its column, pixels
NAME_SHARE = 0.4  # of a row that a long name keeps beside several numbers
PLACES = 4, 3, 2  # decimals of several numbers that are wider than their column, as there is room
SLACK = 5  # what style sheets add around a text, pixels
DISPLAY, DECORATION, CHECK = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.DecorationRole, Qt.ItemDataRole.CheckStateRole


class Cells(QStyledItemDelegate):
    """Paints the cells of all columns of a LiveView."""

    def __init__(self, view: LiveView):
        super().__init__(view)
        self._view = view
        self._short: str | None = None  # what is painted of the numbers of this row, None: all
        self._further = 0  # how far they go on under the next column, pixels

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view = self._view
        rect: Any = option.rect  # type: ignore[attr-defined]
        column = index.column()
        self._short, self._further = None, 0
        if view.live.row(index) is None:
            if column == 0:
                rect.setRight(view.viewport().width())
        elif column < 2 or (column == 2 and not view.live.data(index, DISPLAY)):
            edge = self.edge(index)
            if edge is not None and column == 0:
                rect.setRight(edge - 1)
            elif edge is not None and column == 1:
                rect.setLeft(edge)
                rect.setRight(rect.right() + self._further)
            elif self._further:
                return  # the numbers are there
        super().paint(painter, option, index)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        item: Any = option
        if index.column() and self._view.live.columns[index.column()].is_number:
            item.textElideMode = Qt.TextElideMode.ElideRight  # a number is known by its beginning
        if index.column() != 1:
            return
        row = self._view.live.row(index)
        if row is not None and row.error:
            item.textElideMode = Qt.TextElideMode.ElideRight
            for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
                item.palette.setColor(role, QColor(theme.current().error))
        if self._short is not None:
            item.text = self._short

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
        row = live.row(first)
        text = str(live.data(second, DISPLAY) or "")
        number = metrics.horizontalAdvance(text) + margin
        is_wide = number > right - middle
        several = text.count(SPACE) if is_wide and live.columns[1].short is not None else 0
        if is_wide and not several and (row is None or not row.error):
            return max(right - number, min(left + LEAST, middle))
        name = metrics.horizontalAdvance(str(live.data(first, DISPLAY) or "")) + margin
        if live.data(first, DECORATION) is not None:
            name += margin + style.pixelMetric(QStyle.PixelMetric.PM_SmallIconSize, None, view)
        if live.data(first, CHECK) is not None:
            name += margin + style.pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, None, view)
        if several or is_wide:
            self._further = self._empty_behind(index)
            right += self._further
            kept = min(name, max(LEAST, int(NAME_SHARE * (right - left))))
            if not several:
                return max(right - number, left + kept)
            self._short, usual = self._shortened(second, several + 1, right - left - kept - margin)
            # as wide as such numbers usually are at most, so that the name does not move with every sign
            number = max(metrics.horizontalAdvance(self._short), usual) + margin
            return max(right - number, min(left + LEAST, middle))
        return min(left + name, right - number) if name > middle - left else None

    def _empty_behind(self, index: Index) -> int:
        """How wide the third column is, if it stands behind the second one and has nothing in this row."""
        live, header = self._view.live, self._view.header()
        if len(live.columns) < 3 or header.isSectionHidden(2) or header.visualIndex(2) != 2:
            return 0
        return 0 if live.data(index.sibling(index.row(), 2), DISPLAY) else header.sectionSize(2)

    def _shortened(self, index: Index, count: int, room: int) -> tuple[str, int]:
        """`count` numbers with as many decimals as there is room for, and how wide such numbers usually are. That
        decides, and not how wide these are: they change all the time."""
        live, metrics = self._view.live, self._view.fontMetrics()
        row, column = live.row(index), live.columns[1]
        assert row is not None and column.short is not None
        usual = {
            each: metrics.horizontalAdvance(SPACE.join([f"-0.{'0' * each}"] * count) + ELLIPSIS) for each in PLACES
        }
        places = next((each for each in PLACES if usual[each] <= room), PLACES[-1])
        return column.short(row, live.value(row), live.units, places), usual[places]

    def _left(self, first: Index) -> int:
        """Where the name of a row begins. `visualRect` would tell it, but first it lays the list out where that is due:
        in the middle of painting the rows."""
        view = self._view
        depth = view.rootIsDecorated() + first.parent().isValid()
        return view.header().sectionViewportPosition(0) + depth * view.indentation()
