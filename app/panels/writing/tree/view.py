"""The list that shows the tree: selection, keys, names edited in place, drag and drop.

The view is a table with one column. Unlike QTreeView, which asks the model for every row that is expanded, it
asks only for the rows on the screen. The indentation and the arrows are painted by the delegate.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Hashable, Iterable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QMimeData,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from kinetree.app.panels.writing.tree.delegate import TreeDelegate, arrow_area, icon_left
from kinetree.app.panels.writing.tree.model import TreeModel
from kinetree.app.panels.writing.tree.outline import TreeOutline
from kinetree.app.settings import theme
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.own_keys import action_of, claims
from kinetree.engine.translation import tr

EDGE = 0.28  # part of a row's height, at the top and at the bottom, where a drop goes before or behind it
HOVER = 700  # ms over a collapsed row until a drag expands it
MANY = 60  # rows that changed, from which on all are painted again
TYPING = 1.0  # s between letters that are typed to find a row


class DropPlace(NamedTuple):
    """Where something is dropped: into, before or after a row."""

    row: int
    where: str


class TreeView(QTableView):
    """View of the tree. Signals: `picked()` when the user changes what is selected; `dropped(Place, QMimeData,
    Qt.DropAction, bool)`, the last one whether Shift was held; `menu_wanted(QPoint)` in global coordinates."""

    picked = Signal()
    dropped = Signal(object, object, object, bool)
    menu_wanted = Signal(QPoint)

    def __init__(self, outline: TreeOutline, parent: QWidget | None = None):
        super().__init__(parent)
        self.tree_model = TreeModel(outline, self)
        self.empty = ""  # what is written where there are no rows
        self.drag_data: Callable[[], QMimeData | None] = lambda: None
        self.why_not: Callable[[DropPlace, QMimeData, Qt.DropAction], str | None] = lambda *_: None
        self.hint: Callable[[str], None] = lambda _: None
        self._quiet = False
        self._ids: list[Hashable] = []  # of the selected rows, the current one last, also while they are not shown
        self._shown: list[Hashable] | None = None  # those that are shown as selected; None while rows change
        self._place: DropPlace | None = None
        self._allowed = False
        self._typed, self._typed_at = "", 0.0
        self._hover = QTimer(self)
        self._hover.setSingleShot(True)
        self._hover.setInterval(HOVER)
        self._hover.timeout.connect(self._expand_hovered)
        self.setModel(self.tree_model)
        self.setItemDelegate(TreeDelegate(self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setIconSize(QSize(16, 16))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(False)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(10)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(10)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 7)
        self.selectionModel().selectionChanged.connect(self._selection_changed)
        self.selectionModel().currentChanged.connect(self._selection_changed)

    @property
    def outline(self) -> TreeOutline:
        return self.tree_model.outline

    # ---- rows and selection ------------------------------------------------------------------------------

    def current_row(self) -> int:
        """The row of the outline that is the current one, -1 for none."""
        index = self.currentIndex()
        return self.tree_model.row(index) if index.isValid() else -1

    @property
    def selected_ids(self) -> list[Hashable]:
        """The ids of the selected rows, the current one last."""
        return list(self._ids)

    def change(self, change: Callable[[], object]) -> None:
        """Call `change()`, which changes the outline. What is selected stays so, by its id."""
        offset = self.verticalScrollBar().value()
        self._quiet, self._shown = True, None
        self.tree_model.change(change)
        self._quiet = False
        self._show_selection()
        self.executeDelayedItemsLayout()  # the range of the scroll bar is that of the rows again
        self.verticalScrollBar().setValue(offset)

    def select_ids(self, ids: Iterable[Hashable], scroll: bool = True) -> None:
        """Select the rows of these items, without telling `picked`, and scroll to the last one."""
        self._ids = [each for each in ids if self.outline.row_of(each) >= 0]
        outline = self.outline
        rows = [outline.row_of(each) for each in self._ids]
        hidden = [row for row, place in zip(rows, outline.positions(rows).tolist(), strict=True) if place < 0]
        if scroll and hidden:
            self.change(lambda: outline.reveal(hidden))
        elif self._ids != self._shown:
            self._show_selection()
        if scroll and self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def selectAll(self) -> None:
        """Select all rows; of filtered ones all that match, also in collapsed branches, without the way to them."""
        outline = self.outline
        if outline.matching is None:
            super().selectAll()
            return
        ids = [outline.items[row].id for row in np.flatnonzero(outline.matching).tolist()]
        if ids and ids != self._ids:
            self.select_ids(ids, scroll=False)
            self.picked.emit()

    def _show_selection(self) -> None:
        model = self.selectionModel()
        chosen = QItemSelection()
        current = None
        positions = self.outline.positions(self.outline.row_of(each) for each in self._ids)
        positions = positions[positions >= 0]
        if len(positions):
            current = self.tree_model.index(int(positions[-1]), 0)
            places = np.unique(positions)
            breaks = np.flatnonzero(np.diff(places) > 1)
            firsts, lasts = (np.concatenate(each) for each in (([0], breaks + 1), (breaks, [len(places) - 1])))
            for first, last in zip(places[firsts].tolist(), places[lasts].tolist(), strict=True):
                chosen.select(self.tree_model.index(first, 0), self.tree_model.index(last, 0))
        flags = QItemSelectionModel.SelectionFlag
        self._quiet = True
        if current is None:
            model.clear()
        else:
            model.select(chosen, flags.ClearAndSelect)
            model.setCurrentIndex(current, flags.NoUpdate)
        self._quiet, self._shown = False, list(self._ids)
        self.viewport().update()

    def _selection_changed(self, *_changed) -> None:
        if self._quiet:
            return
        items = self.outline.items
        # Ranges are in the order of the clicks, rows inside them in that of the list.
        ids = [items[self.tree_model.row(index)].id for index in self.selectionModel().selectedIndexes()]
        row = self.current_row()
        if row >= 0 and items[row].id in ids:
            ids.remove(items[row].id)
            ids.append(items[row].id)
        self._shown = ids
        if ids != self._ids:
            self._ids = ids
            self.picked.emit()

    def top_row(self) -> int:
        """The row of the outline at the top of the view, -1 if there is none."""
        index = self.indexAt(QPoint(1, 1))
        return self.tree_model.row(index) if index.isValid() else -1

    def scroll_to_top(self, row: int) -> None:
        """Scroll so that a row is at the top."""
        index = self.tree_model.index_of(row)
        if index.isValid():
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)

    def rename(self, identity: Hashable) -> None:
        """Let the user edit the name of a row."""
        index = self.tree_model.index_of(self.outline.row_of(identity))
        if index.isValid() and self.tree_model.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self.scrollTo(index)
            self.edit(index, QAbstractItemView.EditTrigger.AllEditTriggers, QEvent(QEvent.Type.None_))

    # ---- mouse and keys ----------------------------------------------------------------------------------

    def _arrow_at(self, point: QPoint) -> int:
        """The row whose arrow is at a place, -1 if there is none."""
        index = self.indexAt(point)
        if not index.isValid():
            return -1
        row = self.tree_model.row(index)
        area = arrow_area(self.visualRect(index), int(self.outline.depths[row]))
        return row if self.outline.has_children(row) and area.contains(point) else -1

    def toggle(self, row: int, everything: bool = False) -> None:
        """Expand a collapsed row or collapse an expanded one, with all rows below it if `everything`."""
        self.change(lambda: self.outline.expand(row, not self.outline.is_expanded(row), everything))

    def mousePressEvent(self, event) -> None:
        row = self._arrow_at(event.position().toPoint())
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.toggle(row, bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            row = self.tree_model.row(index)
            if self.outline.has_children(row):
                self.toggle(row)
                return
        super().mouseDoubleClickEvent(event)

    def contextMenuEvent(self, event) -> None:
        place = event.globalPos()
        if event.reason() == event.Reason.Keyboard and self.currentIndex().isValid():
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
        self.menu_wanted.emit(place)

    def event(self, event: QEvent) -> bool:
        """Keys of the list come before shortcuts of the window."""
        return claims(self, event) or super().event(event)

    def keyPressEvent(self, event) -> None:
        keys, row, outline = Qt.Key, self.current_row(), self.outline
        key = event.key()
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        action = action_of(self, event)
        if action is not None:
            action.trigger()
        elif key in (keys.Key_Home, keys.Key_End) and len(outline.shown) and plain:
            place = 0 if key == keys.Key_Home else len(outline.shown) - 1
            self.setCurrentIndex(self.tree_model.index(place, 0))
        elif key == keys.Key_Right and row >= 0 and plain:
            if outline.has_children(row) and not outline.is_expanded(row):
                self.toggle(row)
            elif outline.has_children(row):
                self.setCurrentIndex(self.tree_model.index(self.currentIndex().row() + 1, 0))
        elif key == keys.Key_Left and row >= 0 and plain:
            if outline.has_children(row) and outline.is_expanded(row):
                self.toggle(row)
            elif outline.parent(row) >= 0:
                self.setCurrentIndex(self.tree_model.index_of(outline.parent(row)))
        elif key == keys.Key_Asterisk and row >= 0:
            self.change(lambda: outline.expand(row, True, everything=True))
        elif key == keys.Key_Escape and self._place is None:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the next row whose name begins with the typed text."""
        now = time.monotonic()
        fresh = now - self._typed_at > TYPING
        self._typed = search if fresh else self._typed + search
        self._typed_at = now
        model, wanted = self.tree_model, self._typed.casefold()
        count, start = model.rowCount(), self.currentIndex().row()
        first = start + 1 if fresh or len(set(wanted)) == 1 < len(wanted) else max(start, 0)
        if len(set(wanted)) == 1:
            wanted = wanted[0]  # the same letter again goes on to the next one
        for step in range(count):
            index = model.index((first + step) % count, 0)
            if model.describe(model.row(index)).name.casefold().startswith(wanted):
                self.setCurrentIndex(index)
                return

    # ---- drag and drop -----------------------------------------------------------------------------------

    def startDrag(self, actions: Qt.DropAction) -> None:
        data = self.drag_data()
        if data is None:
            return
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.setPixmap(self._drag_picture())
        drag.setHotSpot(QPoint(-12, -4))
        actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction | Qt.DropAction.LinkAction
        drag.exec(actions, Qt.DropAction.MoveAction)
        self._end_drag()

    def _drag_picture(self) -> QPixmap:
        """The name of the first row, and how many more there are."""
        rows = [self.outline.row_of(each) for each in self._ids]
        name = self.tree_model.describe(rows[-1]).name
        text = name if len(rows) == 1 else tr("{name} and {number} more", name=name, number=len(rows) - 1)
        metrics, colours = self.fontMetrics(), theme.current()
        text = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, 240)
        size = QSize(metrics.horizontalAdvance(text) + 16, metrics.height() + 8)
        ratio = self.devicePixelRatioF()
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colours.accent))
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(QRect(QPoint(0, 0), size).adjusted(0, 0, -1, -1), 4, 4)
        painter.setPen(QColor(colours.text))
        painter.setFont(self.font())
        painter.drawText(QRect(QPoint(0, 0), size), Qt.AlignmentFlag.AlignCenter, text)
        painter.end()
        return picture

    def place_at(self, point: QPoint) -> DropPlace | None:
        """Where a drop at a point goes."""
        index = self.indexAt(point)
        outline = self.outline
        if not index.isValid():
            return DropPlace(0, "into") if len(outline) else None
        row, area = self.tree_model.row(index), self.visualRect(index)
        part = (point.y() - area.top()) / max(1, area.height())
        if outline.parent(row) < 0 or EDGE <= part <= 1 - EDGE:
            return DropPlace(row, "into")
        if part < EDGE:
            return DropPlace(row, "before")
        if outline.has_children(row) and outline.is_expanded(row):
            return DropPlace(row + 1, "before")
        return DropPlace(row, "after")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasText() and not event.mimeData().hasUrls():
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls at the edges
        place = self.place_at(event.position().toPoint())
        why = tr("there is no place") if place is None else self.why_not(place, event.mimeData(), event.dropAction())
        if place is not None and why is not None and place.where == "into":
            # If an element cannot go into a row, it can mostly go beside it.
            index = self.tree_model.index_of(place.row)
            lower = index.isValid() and event.position().y() > self.visualRect(index).center().y()
            beside = DropPlace(place.row, "after" if lower else "before")
            if (
                self.outline.parent(place.row) >= 0
                and self.why_not(beside, event.mimeData(), event.dropAction()) is None
            ):
                place, why = beside, None
        if place != self._place:
            self._place = place
            self._hover.start()
        self._allowed = why is None
        if why is not None:
            self.hint(why)
        if self._allowed:
            event.acceptProposedAction()
        else:
            event.ignore()
        self.viewport().update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._end_drag()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        place, allowed = self._place, self._allowed
        action = event.dropAction()
        keep = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._end_drag()
        self.setState(QAbstractItemView.State.NoState)
        if place is None or not allowed:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)  # the tree itself removes what was moved
        event.accept()
        self.dropped.emit(place, event.mimeData(), action, keep)

    def _end_drag(self) -> None:
        self._place = None
        self._hover.stop()
        self.hint("")
        self.viewport().update()

    def _expand_hovered(self) -> None:
        place = self._place
        if place is not None and place.where == "into" and place.row < len(self.outline):
            if self.outline.has_children(place.row) and not self.outline.is_expanded(place.row):
                self.toggle(place.row)

    def update_rows(self, rows: Collection[int]) -> None:
        """Paint some rows again: they say something else now."""
        if len(rows) > MANY:
            self.viewport().update()
            return
        for row in rows:
            index = self.tree_model.index_of(row)
            if index.isValid():
                self.viewport().update(self.visualRect(index))

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        if self.empty and not len(self.outline.shown):
            paint_empty(self, self.empty)
        if self._place is not None and self._allowed:
            self._paint_place(self._place)

    def _paint_place(self, place: DropPlace) -> None:
        """Show where a drop goes: a frame around a row, or a line between two, as far to the right as it is nested."""
        index = self.tree_model.index_of(place.row)
        if not index.isValid():
            return
        area = self.visualRect(index)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.current().accent), 2))
        left = icon_left(area, int(self.outline.depths[place.row]))
        if place.where == "into":
            painter.drawRoundedRect(QRect(left - 3, area.top() + 1, area.right() - left + 1, area.height() - 2), 4, 4)
        else:
            y = area.top() if place.where == "before" else area.bottom()
            painter.drawEllipse(QPoint(left, y), 3, 3)
            painter.drawLine(left + 3, y, area.right(), y)
        painter.end()
