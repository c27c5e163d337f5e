"""Draws an outline (`app/panels/outline.py`): a thin item model over its shown rows, and a view for it.

The view is a table with one column. Unlike QTreeView, which asks the model for every row that is expanded, it
asks only for the rows on the screen. The indentation and the arrows are painted by the delegate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.panels.empty import paint_empty
from app.panels.outline import Outline
from app.settings import theme
from app.settings.icons import icon

Index = QModelIndex | QPersistentModelIndex

INDENT = 18
ARROW = 16
GAP = 6
LEAST_DETAIL = 4  # characters; a detail that would be shortened to less is left out


class OutlineModel(QAbstractTableModel):
    """The shown rows of an outline. Every change of the outline goes through `change`."""

    def __init__(self, outline: Outline, parent=None):
        super().__init__(parent)
        self.outline = outline

    def row(self, index: Index) -> int:
        """The row of the outline that is at an index."""
        return int(self.outline.shown[index.row()])

    def index_of(self, row: int) -> QModelIndex:
        """The index of a row of the outline; invalid if it is not shown."""
        position = self.outline.position(row) if row >= 0 else -1
        return self.index(position, 0) if position >= 0 else QModelIndex()

    def change(self, change: Callable[[], object]) -> None:
        """Call `change()`, which changes the outline, and let views read everything again."""
        self.beginResetModel()
        change()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.outline.shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        outline, row = self.outline, self.row(index)
        rows = outline.rows
        if role == Qt.ItemDataRole.DisplayRole:
            return rows.names[row]
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            words = [rows.names[row]]
            if rows.values[row] is not None:
                words.append(" ".join(filter(None, (rows.details[row], rows.kinds[row]))))
            if role == Qt.ItemDataRole.AccessibleTextRole:
                words.append(f"level {rows.depths[row] + 1}")
                if outline.has_children(row):
                    words.append("expanded" if outline.is_expanded(row) else "collapsed")
            return ", ".join(words)
        return None


class OutlineDelegate(QStyledItemDelegate):
    """Paints arrow, icon, name and detail. Where space is short, the detail is elided before the name."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = cast(OutlineModel, index.model())
        outline, row = model.outline, model.row(index)
        rows, colours = outline.rows, theme.current()
        style = option.widget.style()
        background = QStyleOptionViewItem(option)
        self.initStyleOption(background, index)
        background.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, background, painter, option.widget)
        area = option.rect
        if outline.has_children(row):
            name = "expanded" if outline.is_expanded(row) else "collapsed"
            _draw_icon(icon(name), painter, arrow_area(area, rows.depths[row]), 10)
        x = area.left() + rows.depths[row] * INDENT + ARROW
        size = option.decorationSize.width()
        _draw_icon(icon(rows.kinds[row]), painter, QRect(x, area.top(), size, area.height()), size)
        x += size + GAP
        metrics = option.fontMetrics
        width = area.right() - GAP - x
        name, detail = elided(rows.names[row], rows.details[row], metrics, width)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.save()
        painter.setPen(QColor(colours.text))
        painter.drawText(QRect(x, area.top(), width, area.height()), middle, name)
        if detail:
            x += metrics.horizontalAdvance(name) + GAP
            painter.setPen(QColor(colours.dim))
            painter.drawText(QRect(x, area.top(), area.right() - x, area.height()), middle, detail)
        painter.restore()


def arrow_area(area: QRect, depth: int) -> QRect:
    """Where in the area of a row its arrow is."""
    return QRect(area.left() + depth * INDENT, area.top(), ARROW, area.height())


def elided(name: str, detail: str, metrics: QFontMetrics, width: int) -> tuple[str, str]:
    """The two texts as they fit in a width: the detail is elided first, then omitted, then the name elided."""
    needed = metrics.horizontalAdvance(name)
    left = width - needed - GAP
    if detail and left < metrics.horizontalAdvance(detail):
        enough = left >= LEAST_DETAIL * metrics.averageCharWidth()
        detail = metrics.elidedText(detail, Qt.TextElideMode.ElideRight, left) if enough else ""
    if needed > width:
        name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)
    return name, detail


def _draw_icon(icon: QIcon, painter: QPainter, area: QRect, size: int) -> None:
    target = QRect(0, 0, size, size)
    target.moveCenter(area.center())
    icon.paint(painter, target)


class OutlineView(QTableView):
    """`picked(row)` when the user makes a row the current one, -1 for none."""

    picked = Signal(int)

    def __init__(self, outline: Outline, parent: QWidget | None = None):
        super().__init__(parent)
        self.outline_model = OutlineModel(outline, self)
        self.empty = ""  # what is written where there are no rows
        self._quiet = False
        self._value = None  # of the row that is the current one, also while it is not shown
        self.setModel(self.outline_model)
        self.setItemDelegate(OutlineDelegate(self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setIconSize(QSize(16, 16))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(10)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(10)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 7)
        self.selectionModel().currentChanged.connect(self._current_changed)

    @property
    def outline(self) -> Outline:
        return self.outline_model.outline

    def current_row(self) -> int:
        """The row of the outline that is the current one, -1 for none."""
        index = self.currentIndex()
        return self.outline_model.row(index) if index.isValid() else -1

    def change(self, change: Callable[[], object]) -> None:
        """Call `change()`, which changes the outline. The current row stays the current one, by its value."""
        outline, value = self.outline, self._value
        offset = self.verticalScrollBar().value()
        self._quiet = True
        self.outline_model.change(change)
        self._quiet = False
        self._make_current(outline.row_of(value))
        self.executeDelayedItemsLayout()  # the range of the scroll bar is that of the rows again
        self.verticalScrollBar().setValue(offset)

    def show_row(self, row: int) -> None:
        """Make a row the current one and scroll to it, without telling `picked`. None is if the filter hides
        the row or it is -1.
        """
        outline = self.outline
        self._value = outline.rows.values[row] if row >= 0 else None
        if row >= 0 and outline.position(row) < 0:
            self.change(lambda: outline.reveal(row))
        self._make_current(row)
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def _make_current(self, row: int) -> None:
        index = self.outline_model.index_of(row)
        self._quiet = True
        if not index.isValid():
            self.selectionModel().clear()
        elif index != self.currentIndex() or not self.selectionModel().isSelected(index):
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect)
        self._quiet = False

    def top_row(self) -> int:
        """The row of the outline at the top of the view, -1 if there is none."""
        index = self.indexAt(QPoint(1, 1))
        return self.outline_model.row(index) if index.isValid() else -1

    def scroll_to_top(self, row: int) -> None:
        """Scroll so that a row is at the top."""
        index = self.outline_model.index_of(row)
        if index.isValid():
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)

    # ---- mouse and keys ----------------------------------------------------------------------------------

    def _current_changed(self, index: QModelIndex) -> None:
        if not self._quiet:
            row = self.outline_model.row(index) if index.isValid() else -1
            self._value = self.outline.rows.values[row] if row >= 0 else None
            self.picked.emit(row)

    def _arrow_at(self, point: QPoint) -> int:
        """The row whose arrow is at a place, -1 if there is none."""
        index = self.indexAt(point)
        if not index.isValid():
            return -1
        row = self.outline_model.row(index)
        area = arrow_area(self.visualRect(index), self.outline.rows.depths[row])
        return row if self.outline.has_children(row) and area.contains(point) else -1

    def toggle(self, row: int) -> None:
        """Expand a collapsed row or collapse an expanded one."""
        self.change(lambda: self.outline.expand(row, not self.outline.is_expanded(row)))

    def mousePressEvent(self, event) -> None:
        row = self._arrow_at(event.position().toPoint())
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.toggle(row)
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            row = self.outline_model.row(index)
            if self.outline.has_children(row):
                self.toggle(row)
                return
        super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event) -> None:
        keys, row, outline = Qt.Key, self.current_row(), self.outline
        key = event.key()
        if key in (keys.Key_Home, keys.Key_End) and len(outline.shown):
            place = 0 if key == keys.Key_Home else len(outline.shown) - 1
            self.setCurrentIndex(self.outline_model.index(place, 0))
        elif key == keys.Key_Right and row >= 0:
            if outline.has_children(row) and not outline.is_expanded(row):
                self.toggle(row)
            elif outline.has_children(row):
                self.setCurrentIndex(self.outline_model.index(self.currentIndex().row() + 1, 0))
        elif key == keys.Key_Left and row >= 0:
            if outline.has_children(row) and outline.is_expanded(row):
                self.toggle(row)
            elif outline.parent(row) >= 0:
                self.setCurrentIndex(self.outline_model.index_of(outline.parent(row)))
        elif key == keys.Key_Asterisk and row >= 0:
            self.change(lambda: outline.expand(row, True, everything=True))
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        if self.empty and not len(self.outline.shown):
            paint_empty(self, self.empty)
