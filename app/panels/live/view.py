"""The view of a list of live values."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from typing import Any, cast

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeView, QWidget

from kinetree.app.panels.live.cells import Cells
from kinetree.app.panels.live.model import LiveModel
from kinetree.app.panels.live.rows import LiveRow
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.engine.translation import counted, tr

TOUCHES = QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseMove, QEvent.Type.Wheel
WIDE = 800  # of a list that has stripes, which lead the eye from a name to its numbers, pixels
FITTED = 560  # of a list whose names have no more room than they need, pixels
MEASURED = 300  # rows whose names are measured
NAME_SPACE = 48  # between the longest name and the first number, pixels
LEAST_FITTED = 140  # of the names in a wide list, pixels
LEAST_NAME = 0.35  # of the width of a list for its first column at least, where others ask for more


class LiveView(QTreeView):
    """Shows a LiveModel, or the text `empty` without rows. Ctrl+C copies the selected rows as text, with tabs between
    the columns. `add_to_menu(menu, rows)` adds to the context menu.

    Signals:
      picked(rows)   the user selected rows
      chosen()       other rows are selected, for any reason
      copied(text)   the copied text
      plot_wanted(expressions)  the user wants to see these plotted
      resized()      the list has another width or height
      touched()      the user is about to press a button or a key on it, or turns the wheel
      late()         it was painted while `is_late`: the rows are older than the simulation, as it was out of sight
    """

    picked = Signal(list)
    chosen = Signal()
    copied = Signal(str)
    plot_wanted = Signal(list)
    resized = Signal()
    touched = Signal()
    late = Signal()

    def __init__(self, model: LiveModel, parent: QWidget | None = None):
        super().__init__(parent)
        self.live = model
        self.empty = ""
        self.is_late = False
        self.add_to_menu: Callable[[QMenu, list[LiveRow]], None] = lambda _menu, _rows: None
        self._showing = self._missed = False
        self._away: tuple[set[Hashable], Hashable] | None = None  # what is selected, while many rows change
        self.setModel(model)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setRootIsDecorated(False)
        self.setIndentation(10)
        self.setMinimumHeight(20)
        self.setObjectName("live")
        self._cells = Cells(self)
        self.setItemDelegate(self._cells)
        header = self.header()
        self._sharing = False
        self._names = 0  # the width that names need, pixels
        self._wanted: list[int] = []  # widths of the columns after the first, where there is room for them
        # The selection model of the list would check, at each painting, all columns for completely selected ones.
        header.setSelectionModel(QItemSelectionModel(model, header))
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for number, column in enumerate(model.columns[1:], 1):
            header.setSectionResizeMode(number, QHeaderView.ResizeMode.Interactive)
            width = column.width or self.fontMetrics().horizontalAdvance("-0.0000000") + 16
            self._wanted.append(max(width, header.sectionSizeHint(number)))
            header.resizeSection(number, self._wanted[-1])
        header.sectionResized.connect(self._take_width)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.sortIndicatorChanged.connect(model.sort)
        self.selectionModel().selectionChanged.connect(self._tell_picked)
        model.arranged.connect(self._tell_missed)
        model.replacing.connect(self._put_selection_away)
        model.layoutChanged.connect(self._take_selection_back)
        model.arranged.connect(self._fit_names)
        header.geometriesChanged.connect(self._fit_names)
        model.rowsInserted.connect(self._expand)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()
        self._share_width()
        self.setAlternatingRowColors(self.viewport().width() > WIDE)

    def _fit_names(self) -> None:
        """In a wide list names are as wide as they need, so that the numbers stand beside them; the rest stays empty.
        The column grows only, while the list is the same."""
        header = self.header()
        is_wide = self.viewport().width() > FITTED
        mode = QHeaderView.ResizeMode.Fixed if is_wide else QHeaderView.ResizeMode.Stretch
        if header.sectionResizeMode(0) != mode:
            header.setSectionResizeMode(0, mode)
        if not is_wide:
            self._names = 0
            return
        metrics, depth = self.fontMetrics(), 2 * self.indentation()
        shown = itertools.islice(self.live.indices(), MEASURED)
        found = max((metrics.horizontalAdvance(str(index.data() or "")) for index, _ in shown), default=0)
        self._names = max(self._names, found + depth + NAME_SPACE)
        others = sum(header.sectionSize(k) for k in range(1, header.count()) if not header.isSectionHidden(k))
        width = max(LEAST_FITTED, min(self._names, self.viewport().width() - others))
        if header.sectionSize(0) != width:
            header.resizeSection(0, width)

    def _share_width(self) -> None:
        """Share the width among the columns: in a narrow list the first one, with the names, keeps `LEAST_NAME`."""
        header = self.header()
        wanted = {number: width for number, width in enumerate(self._wanted, 1) if not header.isSectionHidden(number)}
        room = int((1.0 - LEAST_NAME) * self.viewport().width())
        share = min(1.0, room / max(1, sum(wanted.values())))
        self._sharing = True
        for number, width in wanted.items():
            if header.sectionSize(number) != int(share * width):
                header.resizeSection(number, int(share * width))
        self._sharing = False
        self._fit_names()

    def _take_width(self, number: int, _before: int, width: int) -> None:
        """Note the width that the user or the panel gave to a column."""
        if number and width and not self._sharing:
            self._wanted[number - 1] = width

    def refresh(self) -> None:
        """Paint the newest values; only rows in view are read."""
        self.viewport().update()

    def rows_selected(self) -> list[LiveRow]:
        """The selected rows, from the top."""
        spans = [span for span in cast(Any, self.selectionModel().selection()) if span.isValid()]
        spans.sort(key=lambda span: _place(span.topLeft()))
        return [row for span in spans for row in self.live.rows_from(span.topLeft(), span.bottom())]

    def show_selected(self, chosen: Callable[[LiveRow], bool], scrolls: bool = True) -> None:
        """Select the rows that are chosen, without telling so, and, if it `scrolls`, bring the first into view."""
        first = self._select(chosen)
        if first.isValid() and scrolls:
            self._showing = True
            self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
            self._showing = False
            self.scrollTo(first)

    def _select(self, chosen: Callable[[LiveRow], bool]) -> QModelIndex:
        """Select the rows that are chosen, without telling so; the first of them."""
        wanted = QItemSelection()
        first = QModelIndex()
        for begin, end in self.live.spans(chosen):
            wanted.select(begin, end)
            first = first if first.isValid() and _place(first) < _place(begin) else begin
        self._showing = True
        self.selectionModel().select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._showing = False
        return first

    def _tell_picked(self) -> None:
        if self.live.is_changing:
            self._missed = True
            return
        if not self._showing:
            self.picked.emit(self.rows_selected())
        self.chosen.emit()

    def _put_selection_away(self) -> None:
        """Remember what is selected by its keys: else Qt would follow every cell of it through the change."""
        current = self.live.row(self.currentIndex())
        self._away = {row.identity for row in self.rows_selected()}, current.identity if current is not None else None
        self.selectionModel().reset()

    def _take_selection_back(self) -> None:
        if self._away is not None:
            (chosen, current), self._away = self._away, None
            self._select(lambda row: row.identity in chosen)
            for begin, _end in self.live.spans(lambda row: row.identity == current) if current is not None else ():
                self.selectionModel().setCurrentIndex(begin, QItemSelectionModel.SelectionFlag.NoUpdate)
            self._missed = True  # some of it may be gone

    def _tell_missed(self) -> None:
        """Say that selected rows are gone."""
        if self._missed:
            self._missed = False
            self.chosen.emit()

    def _expand(self, parent: QModelIndex, first: int, last: int) -> None:
        """Expand a group when its first rows have come."""
        if parent.isValid() and self.live.rowCount(parent) == last - first + 1:
            self.expand(parent)

    def copy(self) -> None:
        """Copy the selected rows as text."""
        lines = [self.live.line(row) for row in self.rows_selected()]
        if lines:
            QGuiApplication.clipboard().setText("\n".join(lines))
            self.copied.emit(
                lines[0].replace("\t", " ") if len(lines) == 1 else counted("{count} row", "{count} rows", len(lines))
            )

    def copy_quantities(self) -> None:
        """Copy the expressions of the selected rows, as plots take them."""
        lines = [row.quantity for row in self.rows_selected() if row.quantity]
        if lines:
            QGuiApplication.clipboard().setText("\n".join(lines))
            self.copied.emit(
                lines[0] if len(lines) == 1 else counted("{count} expression", "{count} expressions", len(lines))
            )

    def plot(self) -> None:
        """Ask for a plot of the selected rows."""
        self.plot_wanted.emit([row.quantity for row in self.rows_selected() if row.quantity])

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() in TOUCHES:
            self.touched.emit()
        return super().viewportEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress:
            self.touched.emit()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def menu(self) -> QMenu:
        """Context menu of the selected rows."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rows = self.rows_selected()
        self.add_to_menu(menu, rows)
        if menu.actions():
            menu.addSeparator()
        copy = menu.addAction(tr("Copy"), self.copy)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setEnabled(bool(rows))
        if any(row.quantity for row in rows):
            menu.addAction(tr("Copy Expression"), self.copy_quantities)
            menu.addAction(icon("plot"), tr("Plot"), self.plot)
        give_letters(menu)
        return menu

    def _open_menu(self, point: QPoint) -> None:
        self.menu().popup(self.viewport().mapToGlobal(point))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.empty and not self.live.rowCount():
            paint_empty(self, self.empty)
        if self.is_late:
            self.is_late = False
            self.late.emit()


def _place(index: QModelIndex) -> tuple[int, ...]:
    """Where a row is, from the top."""
    parent = index.parent()
    return (parent.row(), index.row()) if parent.isValid() else (index.row(), -1)
