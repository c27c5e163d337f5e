"""The model of a list of live values: rows in groups, filtered by words and sorted by any column.

It reads a row only when the view paints it, from the newest snapshot. Where the rows change, the view is told which
went and which came: what is selected and where the list is scrolled to stay.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont

from kinetree.app.panels.live.rows import MIME, LiveColumn, LiveRow
from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.app.workspace.units import Units
from kinetree.engine.translation import tr

Index = QModelIndex | QPersistentModelIndex
Roles = Qt.ItemDataRole
FEW = 16  # runs of rows that go and come one by one; more are told to the view as one change
DISPLAY, DECORATION, TOOL_TIP, ALIGNMENT, CHECK, READ_ALOUD, FOREGROUND, FONT = (
    int(role)
    for role in (
        Roles.DisplayRole, Roles.DecorationRole, Roles.ToolTipRole, Roles.TextAlignmentRole, Roles.CheckStateRole,
        Roles.AccessibleTextRole, Roles.ForegroundRole, Roles.FontRole,
    )
)  # fmt: skip
ANSWERED = frozenset((DISPLAY, DECORATION, TOOL_TIP, ALIGNMENT, CHECK, READ_ALOUD, FOREGROUND, FONT))
"""As numbers: a view asks for seven roles of every cell that it paints, and enumerations of Python are slow."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
PLAIN = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
FLAGS = {
    (drags, edits, checks): PLAIN
    | (Qt.ItemFlag.ItemIsDragEnabled if drags else Qt.ItemFlag(0))
    | (Qt.ItemFlag.ItemIsEditable if edits else Qt.ItemFlag(0))
    | (Qt.ItemFlag.ItemIsUserCheckable if checks else Qt.ItemFlag(0))
    for drags in (False, True)
    for edits in (False, True)
    for checks in (False, True)
}
"""Whether a row can be dragged, edited, and has a switch -> what a view is told."""
TOP = 0
"""The internal id of indices of the first level; those of rows in a group have the group's number."""


class LiveModel(QAbstractItemModel):
    """Rows of a list. Those with a group stand below its title, at the first place where one of the group was.

    snapshot      where the values are read, None: there are none
    icon_of       the name of a row's icon, "" for none
    can_edit      whether the view may open an editor on a row
    is_on         whether a row's switch is on, None: it has none; rows have a switch where this is given
    switch        what a click on the switch does
    line_columns  what is copied of a row
    is_changing   whether rows go and come just now: nobody may ask the view for anything then

    Signals: `arranged()` after rows went or came, or changed their order; `replacing()` before many do so at once.
    """

    arranged = Signal()
    replacing = Signal()

    def __init__(self, columns: Sequence[LiveColumn], units: Units, parent: QObject | None = None):
        super().__init__(parent)
        self.columns, self.units = tuple(columns), units
        self.snapshot: Any = None
        self.newest: Callable[[], Any] | None = None  # gives the newest state, which the list may not show yet
        self.icon_of: Callable[[LiveRow], str] = lambda row: row.selection.kind
        self.can_edit: Callable[[LiveRow], bool] = lambda _row: False
        self.is_on: Callable[[LiveRow], bool | None] | None = None
        self.switch: Callable[[LiveRow, bool], None] = lambda _row, _on: None
        self.line_columns = self.columns
        self.is_changing = False
        self.rows: list[LiveRow] = []
        self.sorting: tuple[int, bool] | None = None  # column, descending
        self._words: list[str] = []
        self._tops: list[LiveRow | str] = []  # a row, or the title of a group
        self._groups: dict[str, list[LiveRow]] = {}
        self._numbers: dict[str, int] = {}  # title -> internal id, for good
        self._titles: list[str] = [""]
        self._places: dict[str, int] | None = None  # title -> row at the top, None: to be counted again

    # ---- what is shown -----------------------------------------------------------------------------------

    def set_rows(self, rows: Iterable[LiveRow]) -> None:
        """Show other rows, or rebuild the same ones."""
        self.rows = list(rows)
        self._arrange()

    def set_filter(self, text: str) -> None:
        """Show only rows whose name, group or help hold every word."""
        self._words = text.casefold().split()
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1: as the rows came."""
        self.sorting = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self._arrange()

    def sort_again(self) -> None:
        """Sort the rows again if they are sorted by a column of live values."""
        if self.sorting is not None and self.columns[self.sorting[0]].is_live:
            self._arrange()

    def _matches(self, row: LiveRow) -> bool:
        text = f"{row.name} {row.group} {row.help} {row.selection.kind}".casefold()
        return all(word in text for word in self._words)

    def _arrange(self) -> None:
        rows = [row for row in self.rows if self._matches(row)] if self._words else list(self.rows)
        if self.sorting is not None:
            column, descending = self.columns[self.sorting[0]], self.sorting[1]
            rows.sort(key=lambda row: column.order(row, self.value(row)), reverse=descending)
        groups: dict[str, list[LiveRow]] = {}
        tops: list[LiveRow | str] = []
        for row in rows:
            if not row.group:
                tops.append(row)
                continue
            if row.group not in groups:
                groups[row.group] = []
                tops.append(row.group)
                if row.group not in self._numbers:
                    self._numbers[row.group] = len(self._titles)
                    self._titles.append(row.group)
            groups[row.group].append(row)
        self.is_changing = True
        for title in groups:
            self._groups.setdefault(title, [])
        self._change(QModelIndex(), self._tops, tops)
        for title, inside in groups.items():
            self._change(self.index(self._place(title), 0), self._groups[title], inside)
        self._groups = {title: self._groups[title] for title in groups}
        self.is_changing = False
        self.arranged.emit()

    def _change(self, parent: QModelIndex, shown: list, wanted: list) -> None:
        """Make a list of items another one, in place, and tell the view what went, moved and came."""
        old, new = [_identity(item) for item in shown], [_identity(item) for item in wanted]
        if old == new:
            shown[:] = wanted
            return
        self._places = None
        gone, come = _runs(old, set(new)), _runs(new, set(old))
        if len(gone) + len(come) > FEW:
            self._replace(parent, shown, wanted, old, new)
            return
        for first, last in reversed(gone):
            self.beginRemoveRows(parent, first, last)
            del shown[first : last + 1]
            self._places = None
            self.endRemoveRows()
        left = [_identity(item) for item in shown]
        known = set(left)
        kept = [(key, item) for key, item in zip(new, wanted, strict=True) if key in known]
        if [key for key, _ in kept] != left:
            self._reorder(parent, shown, left, kept)
        shown[:] = [item for _, item in kept]
        self._places = None
        for first, last in _runs(new, known):
            self.beginInsertRows(parent, first, last)
            shown[first:first] = wanted[first : last + 1]
            self._places = None
            self.endInsertRows()

    def _replace(
        self, parent: QModelIndex, shown: list, wanted: list, old: list[Hashable], new: list[Hashable]
    ) -> None:
        """Make many changes at once. What was there is found again by its keys."""
        self.replacing.emit()
        self.layoutAboutToBeChanged.emit()
        place = {key: number for number, key in enumerate(new)}
        before, after = [], []
        for each in self.persistentIndexList():
            inside = self._titles[each.internalId()]
            if each.parent() == parent:
                found = place.get(old[each.row()])
                before.append(each)
                after.append(
                    QModelIndex() if found is None else self.createIndex(found, each.column(), each.internalId())
                )
            elif inside and not parent.isValid() and inside not in place:  # in a group that goes
                before.append(each)
                after.append(QModelIndex())
        shown[:] = wanted
        self._places = None
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _reorder(
        self, parent: QModelIndex, shown: list, left: list[Hashable], kept: list[tuple[Hashable, Any]]
    ) -> None:
        self.layoutAboutToBeChanged.emit()
        place = {key: number for number, (key, _item) in enumerate(kept)}
        before = [each for each in self.persistentIndexList() if each.parent() == parent]
        after = [self.createIndex(place[left[each.row()]], each.column(), each.internalId()) for each in before]
        shown[:] = [item for _, item in kept]
        self._places = None
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    # ---- items -------------------------------------------------------------------------------------------

    def row(self, index: Index) -> LiveRow | None:
        """The row of an index, None for a group."""
        if not index.isValid():
            return None
        if index.internalId() != TOP:
            return self._groups[self._titles[index.internalId()]][index.row()]
        item = self._tops[index.row()]
        return item if isinstance(item, LiveRow) else None

    def value(self, row: LiveRow) -> Any:
        """Value of the row; None if it has none."""
        return self._read(row, self.snapshot)

    def newest_value(self, row: LiveRow) -> Any:
        """Value of the row once the list has followed the simulation: edits start from there. None if it has none."""
        newest = None if self.newest is None else self.newest()
        is_same = newest is not None and self.snapshot is not None and newest.model is self.snapshot.model
        return self._read(row, newest if is_same else self.snapshot)

    def _read(self, row: LiveRow, snapshot: Any) -> Any:
        if snapshot is None or row.read is None:
            return None
        try:
            return row.read(snapshot)
        except (IndexError, AttributeError):  # the rows are of another version of the model
            return None

    def spans(self, chosen: Callable[[LiveRow], bool]) -> list[tuple[QModelIndex, QModelIndex]]:
        """First and last index of each run of chosen rows, from the top."""
        found: list[tuple[QModelIndex, QModelIndex]] = []

        def add(rows: Sequence[LiveRow | str], internal: int) -> None:
            first = None
            for number in range(len(rows) + 1):
                row = rows[number] if number < len(rows) else None
                is_chosen = isinstance(row, LiveRow) and chosen(row)
                if is_chosen and first is None:
                    first = number
                elif not is_chosen and first is not None:
                    last = self.createIndex(number - 1, len(self.columns) - 1, internal)
                    found.append((self.createIndex(first, 0, internal), last))
                    first = None

        add(self._tops, TOP)
        for title in self._tops:
            if isinstance(title, str):
                add(self._groups[title], self._numbers[title])
        return found

    def rows_from(self, first: Index, last: int) -> list[LiveRow]:
        """The rows from an index to the one with the number `last` beside it."""
        inside = first.internalId() != TOP
        items = self._groups.get(self._titles[first.internalId()], []) if inside else self._tops
        return [item for item in items[first.row() : last + 1] if isinstance(item, LiveRow)]

    def indices(self) -> Iterable[tuple[QModelIndex, LiveRow]]:
        """Every row that is shown, with its index."""
        for number, item in enumerate(self._tops):
            if isinstance(item, LiveRow):
                yield self.index(number, 0), item
            else:
                parent = self.index(number, 0)
                for place, row in enumerate(self._groups[item]):
                    yield self.index(place, 0, parent), row

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        # as hasIndex, which would ask three times through Qt: a view asks for every row after many changes
        if not 0 <= column < len(self.columns):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, TOP) if 0 <= row < len(self._tops) else QModelIndex()
        if not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, self._numbers[str(self._tops[parent.row()])])

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        if not index.isValid() or index.internalId() == TOP:
            return QModelIndex()
        return self.createIndex(self._place(self._titles[index.internalId()]), 0, TOP)

    def _place(self, title: str) -> int:
        """The row of a group at the top."""
        if self._places is None:
            self._places = {item: row for row, item in enumerate(self._tops) if isinstance(item, str)}
        return self._places[title]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self._tops)
        if parent.internalId() != TOP or parent.column() > 0:
            return 0
        item = self._tops[parent.row()]
        return len(self._groups.get(item, ())) if isinstance(item, str) else 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Roles.DisplayRole):
        if orientation == Qt.Orientation.Horizontal:
            if role == Roles.DisplayRole:
                return tr(self.columns[section].title)
            if role == Roles.ToolTipRole:
                return tr(self.columns[section].help) or None
            if role == Roles.TextAlignmentRole:
                return _alignment(self.columns[section])
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        row = self.row(index)
        if row is None:
            return PLAIN
        return FLAGS[bool(row.quantity), bool(self.can_edit(row)), self.is_on is not None and index.column() == 0]

    def data(self, index: Index, role: int = DISPLAY):
        if role not in ANSWERED:
            return None
        row, column = self.row(index), self.columns[index.column()]
        if row is None:
            return self._title_data(index, role)
        if role == DISPLAY:
            return column.text(row, self.value(row) if column.is_live else None, self.units)
        if role == READ_ALOUD:  # a screen reader reads the first column
            return self.line(row).replace("\t", " ")
        if role == ALIGNMENT:
            return _alignment(column)
        if role == CHECK and index.column() == 0 and self.is_on is not None:
            return Qt.CheckState.Checked if self.is_on(row) else Qt.CheckState.Unchecked
        if role == DECORATION and index.column() == 0 and self.icon_of(row):
            return icon(self.icon_of(row))
        if role == TOOL_TIP:
            return "\n".join(filter(None, (row.name, row.help, self.line(row).replace("\t", "  "))))
        return None

    def setData(self, index: Index, value: Any, role: int = Roles.EditRole) -> bool:
        row = self.row(index)
        if role != Roles.CheckStateRole or row is None or self.is_on is None:
            return False
        self.switch(row, Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def _title_data(self, index: Index, role: int):
        title = str(self._tops[index.row()])
        if role == DISPLAY and index.column() == 0:
            return f"{title}  {len(self._groups[title])}"
        if role == FOREGROUND:
            return QColor(theme.current().dim)
        if role == FONT:
            font = QFont()
            font.setBold(True)
            return font
        return None

    # ---- out of the list ---------------------------------------------------------------------------------

    def line(self, row: LiveRow) -> str:
        """A row as text: its columns, with tabs between them."""
        value = self.value(row)
        return "\t".join(column.text(row, value, self.units) for column in self.line_columns)

    def mimeTypes(self) -> list[str]:
        return [MIME, "text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        rows = list(dict.fromkeys(row for row in map(self.row, indexes) if row is not None and row.quantity))
        data = QMimeData()
        text = "\n".join(row.quantity for row in rows)
        data.setData(MIME, text.encode())
        data.setText(text)
        return data


def _identity(item: LiveRow | str) -> Hashable:
    return item.identity if isinstance(item, LiveRow) else item


def _runs(keys: list[Hashable], known: set[Hashable]) -> list[tuple[int, int]]:
    """First and last number of each run of keys that are not known."""
    found: list[tuple[int, int]] = []
    for number, key in enumerate(keys):
        if key in known:
            continue
        if found and found[-1][1] == number - 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def _alignment(column: LiveColumn) -> Qt.AlignmentFlag:
    return RIGHT if column.is_number else LEFT
