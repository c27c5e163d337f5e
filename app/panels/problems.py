"""The problems panel: the findings about the newest text, as a table."""

from __future__ import annotations

import os

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from app.settings import theme
from app.settings.icons import icon
from engine.diagnostics import Diagnostic, Severity

Index = QModelIndex | QPersistentModelIndex

COLUMNS = ("Message", "File", "Place", "Code")
ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def counts(diagnostics: list[Diagnostic]) -> dict[Severity, int]:
    """How many findings of each severity there are."""
    result = dict.fromkeys(Severity, 0)
    for item in diagnostics:
        result[item.severity] += 1
    return result


class ProblemsModel(QAbstractTableModel):
    def __init__(self, parent=None):
        super().__init__(parent)
        self.items: list[Diagnostic] = []

    def set_items(self, items: list[Diagnostic]) -> None:
        """Errors first, otherwise in the order of the text."""
        self.beginResetModel()
        self.items = sorted(items, key=lambda item: ORDER[item.severity])
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.items)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole):
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        item = self.items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (item.message, os.path.basename(item.file), f"{item.line}:{item.column}", item.code)[
                index.column()
            ]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            colours = theme.current()
            return icon(item.severity.value, getattr(colours, item.severity.value))
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{item.file}:{item.line}:{item.column}\n{item.message}"
        return None


class ProblemsPanel(QWidget):
    """`chosen(Diagnostic)` when the user clicks one; a double-click copies its place.

    With `wrapped`, messages take as many lines as they need.
    """

    chosen = Signal(object)
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None, wrapped: bool = False):
        super().__init__(parent)
        self._wrapped = wrapped
        self.model = ProblemsModel(self)
        self.view = QTableView(self)
        self.view.setModel(self.model)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setShowGrid(False)
        self.view.setWordWrap(wrapped)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 9)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for column, width in ((1, 130), (2, 66), (3, 150)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.view.setColumnWidth(column, width)
        if wrapped:
            self.view.setColumnHidden(3, True)
            self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.view.clicked.connect(lambda index: self.chosen.emit(self.model.items[index.row()]))
        self.view.doubleClicked.connect(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)

    def set_items(self, items: list[Diagnostic]) -> None:
        self.model.set_items(items)

    def retheme(self) -> None:
        self.view.viewport().update()

    def _copy(self, index: QModelIndex) -> None:
        item = self.model.items[index.row()]
        place = f"{item.file}:{item.line}:{item.column}"
        QGuiApplication.clipboard().setText(place)
        self.copied.emit(place)
