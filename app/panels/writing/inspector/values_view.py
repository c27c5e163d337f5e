"""The table of an object's arrays in the compiled model or in the running state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from kinetree.app.panels.writing.inspector.object_values import ValueRow
from kinetree.app.settings import theme
from kinetree.app.widgets.empty import paint_empty

Index = QModelIndex | QPersistentModelIndex
Roles = Qt.ItemDataRole


class ValuesModel(QAbstractTableModel):
    """Names in the first column, numbers in the second. Texts are made when the view asks for them."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.all: list[ValueRow] = []
        self.rows: list[ValueRow] = []
        self.source: Any = None
        self.model: Any = None
        self.filter = ""

    def show_rows(self, rows: Sequence[ValueRow], source: Any, model: Any) -> None:
        """Show arrays of a Model or a snapshot."""
        names = [row.name for row in rows]
        if names == [row.name for row in self.all]:
            self.all, self.source, self.model = list(rows), source, model
            self.rows = [row for row in self.all if self._matches(row)]
            self.refresh()
            return
        self.beginResetModel()
        self.all, self.source, self.model = list(rows), source, model
        self.rows = [row for row in self.all if self._matches(row)]
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        if text != self.filter:
            self.beginResetModel()
            self.filter = text
            self.rows = [row for row in self.all if self._matches(row)]
            self.endResetModel()

    def _matches(self, row: ValueRow) -> bool:
        return not self.filter or self.filter in row.name.lower() or self.filter in row.help.lower()

    def set_source(self, source: Any) -> None:
        """Set newer numbers of the same arrays."""
        self.source = source
        self.refresh()

    def refresh(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 1), self.index(len(self.rows) - 1, 1), [Roles.DisplayRole])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2

    def data(self, index: Index, role: int = Roles.DisplayRole):
        row = self.rows[index.row()]
        if role == Roles.DisplayRole:
            return row.name if index.column() == 0 else self.text(row).split("\n", 1)[0]
        if role == Roles.ToolTipRole:
            return f"{row.name}: {row.help}\n{self.text(row)}"
        if role == Roles.ForegroundRole and index.column() == 0:
            return QColor(theme.current().dim)
        return None

    def text(self, row: ValueRow) -> str:
        if self.source is None:
            return ""
        try:
            text = row.text(self.source, self.model)
        except (IndexError, AttributeError):  # the source is of another version of the model
            return ""
        return text


class ValuesView(QTableView):
    """Shows a ValuesModel, `empty` where it has no rows."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.empty = ""
        self.values = ValuesModel(self)
        self.setModel(self.values)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setAlternatingRowColors(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.horizontalHeader().setStretchLastSection(True)
        self.setColumnWidth(0, 118)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.empty and not self.values.rows:
            paint_empty(self, self.empty)
