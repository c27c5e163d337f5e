"""The history panel: every step that can be undone or done again, in one list. A click goes there. A filter leaves out
steps whose names do not have its words."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from kinetree.app.settings import theme
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.workspace.project import ProjectController
from kinetree.engine.translation import tr

_Index = QModelIndex | QPersistentModelIndex


class HistoryModel(QAbstractListModel):
    """The state at the opening, then a row for each step, the oldest first. Rows after `present` were undone."""

    def __init__(self, project: ProjectController, parent: QWidget | None = None):
        super().__init__(parent)
        self._project = project
        self._names: list[str] = []
        self.present = 0

    def refresh(self) -> None:
        """Read the steps again; the view is told only what is different."""
        texts = self._project.texts
        opened = self._project.path in texts.documents
        done = texts.undo_names[::-1]
        names = [tr("Opened") if not self._project.is_new else tr("New"), *done, *texts.redo_names] if opened else []
        common = next(
            (row for row, pair in enumerate(zip(self._names, names, strict=False)) if pair[0] != pair[1]),
            min(len(self._names), len(names)),
        )
        if len(self._names) > common:
            self.beginRemoveRows(QModelIndex(), common, len(self._names) - 1)
            del self._names[common:]
            self.endRemoveRows()
        if len(names) > common:
            self.beginInsertRows(QModelIndex(), common, len(names) - 1)
            self._names = names
            self.endInsertRows()
        before, self.present = self.present, len(done)
        if before != self.present and names:
            first, last = sorted((min(before, len(names) - 1), self.present))
            self.dataChanged.emit(self.index(first), self.index(last))

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._names)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole):
        row = index.row()
        if not 0 <= row < len(self._names):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._names[row]
        if role == Qt.ItemDataRole.ForegroundRole and row > self.present:
            return QColor(theme.current().dim)
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(row == self.present)
            font.setItalic(row > self.present)
            return font
        if role == Qt.ItemDataRole.ToolTipRole:
            if row == self.present:
                return tr("The text is in this state")
            return tr("Undo all later steps") if row < self.present else tr("Do all steps up to this one again")
        return None


class _Steps(QListView):
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.model().rowCount():
            paint_empty(self, tr("No model is open."))
        elif all(self.isRowHidden(row) for row in range(self.model().rowCount())):
            paint_empty(self, tr("No step has these words."))


class HistoryPanel(QWidget):
    """The steps of a project. A click, or Enter, goes to a step."""

    def __init__(self, project: ProjectController, parent: QWidget | None = None):
        super().__init__(parent)
        self._project = project
        self.model = HistoryModel(project, self)
        self.view = _Steps(self)
        self.view.setObjectName("steps")
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.setAccessibleName(tr("Steps of the history"))
        self.view.clicked.connect(self._go)
        self.view.activated.connect(self._go)
        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Filter steps"))
        self.filter.setAccessibleName(tr("Filter of steps"))
        self.filter.textChanged.connect(self._show_rows)
        self.filter.entered.connect(self.view.setFocus)
        FilteredColumn(self, self.filter, self.view)
        self.setFocusProxy(self.view)
        project.changed.connect(self._refresh)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        if self.isVisible():
            self.model.refresh()
            self._show_rows()
            present = self.model.index(self.model.present)
            self.view.setCurrentIndex(present)
            self.view.scrollTo(present)

    def _show_rows(self) -> None:
        """Hide the steps without the words of the filter."""
        words = self.filter.text().casefold().split()
        for row in range(self.model.rowCount()):
            name = str(self.model.index(row).data()).casefold()
            self.view.setRowHidden(row, not all(word in name for word in words))
        self.view.viewport().update()

    def _go(self, index: QModelIndex) -> None:
        self._project.go_to(self.model.present - index.row())
