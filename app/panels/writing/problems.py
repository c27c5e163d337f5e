"""The problems panel: a table of the errors and warnings about the current version of the file."""

from __future__ import annotations

import os
from functools import partial
from typing import cast

from PySide6.QtCore import QAbstractTableModel, QMargins, QModelIndex, QPersistentModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QMessageBox,
    QTableView,
    QToolButton,
    QWidget,
)

from kinetree.app.settings.icons import icon
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.engine import check
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.translation import counted, marked, tr

Index = QModelIndex | QPersistentModelIndex

COLUMNS = (marked("Message"), marked("File"), marked("Line"), marked("Code"))
FILE = 1
ROW_PADDING = 6  # pixels
MANY = 8
"""Findings from which on there is a search field: fewer are seen at once, and the panel is low."""
FROM_WIDTH = {3: 620, FILE: 400, 2: 240}
"""Columns that a narrow panel leaves to the message, and from which width on they are shown, pixels."""
ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def counts(diagnostics: list[Diagnostic]) -> dict[Severity, int]:
    """How many findings of each severity there are."""
    result = dict.fromkeys(Severity, 0)
    for item in diagnostics:
        result[item.severity] += 1
    return result


def _searched(item: Diagnostic) -> str:
    return f"{item.message} {os.path.basename(item.file)} {item.code}".casefold()


def place_of(item: Diagnostic) -> str:
    """The location as file:line:column."""
    return f"{item.file}:{item.line}:{item.column}"


class ProblemsModel(QAbstractTableModel):
    def __init__(self, parent=None):
        super().__init__(parent)
        self.items: list[Diagnostic] = []

    def set_items(self, items: list[Diagnostic]) -> None:
        """Set the findings: errors first, otherwise in the order of the text."""
        self.beginResetModel()
        self.items = sorted(items, key=lambda item: ORDER[item.severity])
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.items)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole):
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return tr(COLUMNS[section])
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        item = self.items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (item.message, os.path.basename(item.file), f"{item.line}:{item.column}", item.code)[index.column()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return icon(item.severity.value, item.severity.value)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{item.file}:{item.line}:{item.column}\n{item.message}"
        return None


class _ProblemsView(QTableView):
    """A table whose rows are as high as their texts need. Only rows that come into view are measured.

    empty  what is written where there are no rows

    `copy_wanted(index)` when Ctrl+C is pressed, `open_wanted(index)` when Return is.
    """

    copy_wanted = Signal(QModelIndex)
    open_wanted = Signal(QModelIndex)
    empty = ""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self._fitted: set[int] = set()
        self._fitted_width = 0  # of the messages' column
        self.setWordWrap(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().valueChanged.connect(self._fit)
        self.horizontalHeader().sectionResized.connect(self.fit_again)

    def fit_again(self) -> None:
        """Fit the heights of the rows again, after the texts or the widths of the columns have changed."""
        self._fitted.clear()
        self._fitted_width = self.columnWidth(0)
        self._fit()

    def _fit(self) -> None:
        bar = self.verticalScrollBar()
        at_end = 0 < bar.value() == bar.maximum()
        fitted = len(self._fitted)
        row, count = max(0, self.rowAt(0)), self.model().rowCount()
        while row < count and self.rowViewportPosition(row) < self.viewport().height():
            if row not in self._fitted:
                self._fitted.add(row)
                self.setRowHeight(row, self.sizeHintForRow(row) + ROW_PADDING)
            row += 1
        if at_end and len(self._fitted) > fitted:  # the rows above grew: the last one is still to be seen
            self.updateGeometries()
            bar.setValue(bar.maximum())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()
        self._fit()

    def arrange(self) -> None:
        """Show as many columns as fit; that of the file only with several files."""
        width = self.viewport().width()
        for column, enough in FROM_WIDTH.items():
            is_needed = column != FILE or len({item.file for item in cast(ProblemsModel, self.model()).items}) > 1
            self.setColumnHidden(column, width < enough or not is_needed)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.columnWidth(0) != self._fitted_width:  # of a table that was hidden, no signal tells
            QTimer.singleShot(0, self, self.fit_again)
        if not self.model().rowCount():
            paint_empty(self, self.empty)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            self.copy_wanted.emit(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.open_wanted.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class ProblemsPanel(QWidget):
    """List of findings. `chosen(Diagnostic)` is emitted when the user clicks one, `opened(Diagnostic)` when a
    double-click or Return asks for it in the text. Ctrl+C copies it (`copied(text)`), the menu its location.

    The menu of a finding hides all of its kind (`hide_kind(code)`); the line below the table says how many are hidden
    and brings kinds back (`show_again(codes)`).
    """

    chosen = Signal(object)
    opened = Signal(object)
    copied = Signal(str)
    hide_kind = Signal(str)
    show_again = Signal(list)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.model = ProblemsModel(self)
        self._items: list[Diagnostic] = []
        self._is_open = False
        self.view = _ProblemsView(self)
        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Filter problems"))
        self.filter.setAccessibleName(tr("Filter of problems"))
        self.filter.textChanged.connect(self._show_items)
        self.filter.entered.connect(self.view.setFocus)
        self.view.setAccessibleName(tr("Problems of the model"))
        self.view.setModel(self.model)
        self.view.copy_wanted.connect(lambda index: self._copy_text(str(self.model.items[index.row()])))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setShowGrid(False)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setMinimumSectionSize(self.fontMetrics().height())
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 9)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for column, width in ((1, 130), (2, 66), (3, 150)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.view.setColumnWidth(column, width)
        self.view.clicked.connect(lambda index: self.chosen.emit(self.model.items[index.row()]))
        self.view.doubleClicked.connect(self._open)
        self.view.open_wanted.connect(self._open)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.hidden = QToolButton(self)
        self.hidden.setAccessibleName(tr("Hidden problems"))
        self.hidden.setAutoRaise(True)
        self.hidden.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.hidden.setMenu(QMenu(self.hidden))
        self.hidden.setVisible(False)
        column = FilteredColumn(self, self.filter, self.view)
        column.addWidget(self.hidden)
        self._margins = column.top.contentsMargins()
        self._top = column.top
        self.setFocusProxy(self.view)
        self._show_items()

    def set_items(self, items: list[Diagnostic]) -> None:
        """Show the findings about the present version."""
        self._items = list(items)
        self._show_items()

    def _show_items(self) -> None:
        """Show the findings that match the filter: each of its words is in the message, the file or the code."""
        words = self.filter.text().casefold().split()
        is_long = bool(words) or len(self._items) >= MANY or self.filter.hasFocus()
        self.filter.setVisible(is_long)
        self._top.setContentsMargins(self._margins if is_long else QMargins())
        self.model.set_items([each for each in self._items if all(word in _searched(each) for word in words)])
        if self._items:
            self.view.empty = tr("No problem has these words.")
        else:
            self.view.empty = tr("No errors and no warnings.") if self._is_open else tr("No model is open.")
        self.view.arrange()
        self.view.fit_again()

    def set_open(self, is_open: bool) -> None:
        """Set whether a model is open: without one the panel reports neither problems nor their absence."""
        if is_open != self._is_open:
            self._is_open = is_open
            self._show_items()

    def set_hidden(self, codes: list[str], number: int) -> None:
        """Set the kinds of findings that are hidden, and the number of findings that this leaves out."""
        self.hidden.setVisible(bool(codes))
        kinds = counted("{count} kind filtered out", "{count} kinds filtered out", len(codes))
        findings = (
            counted("{count} problem hidden", "{count} problems hidden", number) if number else tr("No problem hidden")
        )
        self.hidden.setText(tr("{findings} ({kinds}). Show Again", findings=findings, kinds=kinds))
        menu = self.hidden.menu()
        menu.clear()
        for code in codes:
            menu.addAction(code).triggered.connect(partial(self.show_again.emit, [code]))
        if len(codes) > 1:
            menu.addSeparator()
            menu.addAction(tr("All")).triggered.connect(partial(self.show_again.emit, list(codes)))

    def menu(self, item: Diagnostic) -> QMenu:
        """Context menu of one finding."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open in Editor")).triggered.connect(partial(self.opened.emit, item))
        menu.addSeparator()
        menu.addAction(tr("Copy Location")).triggered.connect(partial(self._copy_text, place_of(item)))
        menu.addAction(tr("Copy Message")).triggered.connect(partial(self._copy_text, str(item)))
        menu.addSeparator()
        about = menu.addAction(tr("Explain"))
        about.triggered.connect(partial(self._explain, item))
        kind = menu.addAction(tr("Hide Problems of This Kind ({code})", code=item.code))
        kind.setEnabled(item.severity is not Severity.ERROR)
        kind.triggered.connect(partial(self.hide_kind.emit, item.code))
        give_letters(menu)
        return menu

    def _open_menu(self, point: QPoint) -> None:
        index = self.view.indexAt(point)
        if index.isValid():
            self.menu(self.model.items[index.row()]).popup(self.view.viewport().mapToGlobal(point))

    def _explain(self, item: Diagnostic) -> None:
        text = check.explanations.explain(item.code) if item.code in check.table.TABLE else item.code
        box = QMessageBox(QMessageBox.Icon.NoIcon, item.code, item.message, QMessageBox.StandardButton.Ok, self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(text)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.items[index.row()])

    def _copy_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)
