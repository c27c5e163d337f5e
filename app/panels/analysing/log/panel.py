"""The panel of the log: filtered by kind and words; a click goes to the place in the text or selects the object."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QToolButton, QTreeView, QWidget

from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.widgets.panel import Panel
from kinetree.app.workspace.log import EDIT, FILE, PHYSICS, PROBLEM, Log, LogEntry
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.diagnostics import Diagnostic
from kinetree.engine.translation import marked, tr

Index = QModelIndex | QPersistentModelIndex
Roles = Qt.ItemDataRole
TIME, SIMULATED, TEXT, PLACE = range(4)
TITLES = (marked("Time"), marked("Simulated"), marked("What"), marked("Where"))
KINDS = (
    (PROBLEM, marked("Problems"), marked("Errors and warnings about the model")),
    (PHYSICS, marked("Physics"), marked("Warnings of the physics, resets, pauses")),
    (EDIT, marked("Edits"), marked("Edits of the text, undone and done again")),
    (FILE, marked("Files"), marked("Files opened and saved, and failures")),
)
SIMULATED_DIGITS = 9
NARROW = 460  # below this width only the time and the text are shown, pixels


class LogModel(QAbstractTableModel):
    """The entries of a log, the oldest first."""

    def __init__(self, log: Log, parent: QWidget):
        super().__init__(parent)
        self._log = log
        self.entries: list[LogEntry] = list(log.entries)
        log.added.connect(self._add)
        log.changed.connect(self._change)
        log.dropped.connect(self._drop)

    def _add(self, entry: LogEntry) -> None:
        self.beginInsertRows(QModelIndex(), len(self.entries), len(self.entries))
        self.entries.append(entry)
        self.endInsertRows()

    def _change(self, _entry: LogEntry) -> None:
        last = len(self.entries) - 1
        self.dataChanged.emit(self.index(last, 0), self.index(last, PLACE))

    def _drop(self, number: int) -> None:
        if number:
            self.beginRemoveRows(QModelIndex(), 0, number - 1)
            del self.entries[:number]
            self.endRemoveRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Roles.DisplayRole):
        if orientation == Qt.Orientation.Horizontal and role == Roles.DisplayRole:
            return tr(TITLES[section])
        return None

    def data(self, index: Index, role: int = Roles.DisplayRole):
        entry, column = self.entries[index.row()], index.column()
        if role == Roles.DisplayRole:
            return self.texts(entry)[column]
        if role == Roles.DecorationRole and column == TEXT:
            return icon(entry.level, entry.level)
        if role == Roles.ToolTipRole:
            return "\n".join(filter(None, (entry.text, entry.details)))
        if role == Roles.ForegroundRole and column != TEXT:
            return QColor(theme.current().dim)
        if role == Roles.AccessibleTextRole:
            return " ".join(filter(None, self.texts(entry)))
        return None

    @staticmethod
    def texts(entry: LogEntry) -> tuple[str, str, str, str]:
        """An entry, column by column."""
        simulated = "" if entry.simulated is None else f"{entry.simulated:.{SIMULATED_DIGITS}g} s"
        text = entry.text if entry.number == 1 else f"{entry.text}  ×{entry.number}"
        return time.strftime("%H:%M:%S", time.localtime(entry.time)), simulated, text.replace("\n", " "), where(entry)


def where(entry: LogEntry) -> str:
    """Target of a click, as text."""
    place = entry.place
    if isinstance(place, Diagnostic):
        return f"{_base(place.file)}:{place.line}"
    if place is not None:
        return _base(place[0])
    return f"{entry.selection.kind} {entry.selection.id}" if entry.selection.kind else ""


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


class _Filter(QSortFilterProxyModel):
    """Lets through the log entries of the wanted kinds that have every word."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.words: list[str] = []
        self.kinds = {kind for kind, _title, _help in KINDS}

    def filter_by(self, words: list[str], kinds: set[str]) -> None:
        """Show entries of other kinds, with other words."""
        self.beginFilterChange()
        self.words, self.kinds = words, kinds
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        model = self.sourceModel()
        assert isinstance(model, LogModel)
        entry = model.entries[source_row]
        text = f"{entry.text} {entry.details} {where(entry)}".casefold()
        return entry.kind in self.kinds and all(word in text for word in self.words)


class _LogList(QTreeView):
    """List of log entries. Ctrl+C copies the selected ones."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.empty = ""
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setAccessibleName(tr("Log"))
        self.setObjectName("log-list")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = sorted(self.selectionModel().selectedRows(), key=lambda index: index.row())
            lines = ["\t".join(str(row.siblingAtColumn(k).data()) for k in range(len(TITLES))) for row in rows]
            QGuiApplication.clipboard().setText("\n".join(lines))
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.model().rowCount():
            paint_empty(self, self.empty)


class LogPanel(Panel):
    """Panel of the log. Signals: `said(text)`: a remark for the status bar; `place_wanted(entry)`: the user wants to go
    to its place."""

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(parent)
        self.log, self.selection = workspace.log, workspace.selection
        self.model = LogModel(self.log, self)
        self.shown = _Filter(self)
        self.shown.setSourceModel(self.model)
        self.view = _LogList(self)
        self.view.setModel(self.shown)
        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Search the log"))
        self.filter.setAccessibleName(tr("Search of the log"))
        self.filter.textChanged.connect(self._filter)
        self.filter.entered.connect(self.view.setFocus)
        top = FilteredColumn(self, self.filter, self.view).top
        self.kinds: dict[str, QToolButton] = {}
        for kind, title, help in KINDS:
            button = self.kinds[kind] = QToolButton(self)
            button.setText(tr(title))
            button.setToolTip(tr("Show: {kind}", kind=tr(help)))
            button.setCheckable(True)
            button.setChecked(True)
            button.setAutoRaise(True)
            button.toggled.connect(self._filter)
            top.addWidget(button)
        clear = QToolButton(self)
        clear.setIcon(icon("clear"))
        clear.setAutoRaise(True)
        clear.setToolTip(tr("Forget all entries"))
        clear.setAccessibleName(tr("Forget all entries"))
        clear.clicked.connect(self.log.clear)
        top.addWidget(clear)
        self.setFocusProxy(self.view)
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        for k, widest in ((TIME, "00:00:00  "), (SIMULATED, "00000.000 s  "), (PLACE, "humanoid.xml:1000  ")):
            header.setSectionResizeMode(k, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(k, self.fontMetrics().horizontalAdvance(widest) + 12)
        self.view.clicked.connect(self._go)
        self.view.activated.connect(self._go)
        self.shown.rowsInserted.connect(self._follow_end)
        self.shown.rowsAboutToBeInserted.connect(self._note_end)
        self._is_at_end = True
        self._scroll = QTimer(self)
        self._scroll.setSingleShot(True)
        self._scroll.timeout.connect(self.view.scrollToBottom)
        self._say_empty()
        self.view.scrollToBottom()

    def _note_end(self) -> None:
        bar = self.view.verticalScrollBar()
        self._is_at_end = self._scroll.isActive() or bar.value() >= bar.maximum()

    def _follow_end(self) -> None:
        """Keep the newest entry in view, unless the user looks at older ones."""
        if self._is_at_end and not self._scroll.isActive():
            self._scroll.start(0)

    def _filter(self) -> None:
        kinds = {kind for kind, button in self.kinds.items() if button.isChecked()}
        self.shown.filter_by(self.filter.text().casefold().split(), kinds)
        self._say_empty()

    def _say_empty(self) -> None:
        is_all = len(self.shown.kinds) == len(KINDS) and not self.shown.words
        self.view.empty = (
            tr("Nothing has happened yet.") if is_all else tr("No entry fits the search and the chosen kinds.")
        )

    def _go(self, index: QModelIndex) -> None:
        entry = self.model.entries[self.shown.mapToSource(index).row()]
        model = self.selection.model
        if entry.selection.kind and model is not None and entry.selection.id < len(model.names[entry.selection.kind]):
            self.selection.select(entry.selection)
        if entry.place is not None:
            self.place_wanted.emit(entry)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW
        for column in (SIMULATED, PLACE):
            self.view.setColumnHidden(column, is_narrow)
        for button in self.kinds.values():
            button.setVisible(self.width() >= NARROW - 80)
