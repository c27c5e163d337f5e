"""The item model of the tree: the shown rows of an outline, as a table with one column."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from kinetree.app.panels.writing.tree.describe import Description, describe, name_attribute, values_of
from kinetree.app.panels.writing.tree.elements import GeneratedRow
from kinetree.app.panels.writing.tree.outline import TreeOutline
from kinetree.engine.diagnostics import Severity
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.translation import tr

Index = QModelIndex | QPersistentModelIndex

GRAVITY = {Severity.INFO: 1, Severity.WARNING: 2, Severity.ERROR: 3}
MOST_NOTES = 5  # messages in a tooltip
_ROLES = {3: "error", 2: "warning"}


class TreeModel(QAbstractTableModel):
    """Table model of the tree. Every change of the outline goes through `change`. `renamed(row, name)` when the user
    edited a name.

    problems  the gravest finding about each element, by id
    notes     the messages of all findings about each element, by id
    hidden    ids of rows that the viewport does not draw
    """

    renamed = Signal(int, str)

    def __init__(self, outline: TreeOutline, parent=None):
        super().__init__(parent)
        self.outline = outline
        self.problems: Mapping[Hashable, Severity] = {}
        self.notes: Mapping[Hashable, list[str]] = {}
        self.hidden: frozenset = frozenset()
        self.can_rename = False
        self._gravity: np.ndarray | None = None
        self._below: dict[int, np.ndarray] = {}

    # ---- rows --------------------------------------------------------------------------------------------

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
        self._gravity = None
        self.endResetModel()

    def describe(self, row: int) -> Description:
        """Content of a row."""
        outline = self.outline
        parent = outline.parent(row)
        return describe(outline.items[row], outline.items[parent] if parent >= 0 else None)

    # ---- badges ------------------------------------------------------------------------------------------

    def set_problems(self, problems: Mapping[Hashable, Severity], notes: Mapping[Hashable, list[str]]) -> None:
        """Set the findings about the text: element -> the gravest one, and the messages of all."""
        self.problems, self.notes, self._gravity = problems, notes, None

    def _gravities(self) -> np.ndarray:
        outline = self.outline
        if self._gravity is None or len(self._gravity) != len(outline):
            self._gravity = np.zeros(len(outline), np.int8)
            for identity, severity in self.problems.items():
                row = outline.row_of(identity)
                if row >= 0:
                    self._gravity[row] = GRAVITY[severity]
            self._below = {level: outline.holds(self._gravity == level) for level in _ROLES}
        return self._gravity

    def gravity(self, row: int) -> int:
        """The worst severity of the findings of a row and of rows collapsed in it: 3 error, 2 warning, 0 none."""
        own = int(self._gravities()[row])
        if self.outline.has_children(row) and not self.outline.is_expanded(row):
            own = max([own, *(level for level, rows in self._below.items() if rows[row])])
        return own

    def badges(self, row: int) -> list[tuple[str, str]]:
        """(icon, colour) of the badges at the right end of a row."""
        found = []
        role = _ROLES.get(self.gravity(row))
        if role is not None:
            found.append((role, role))
        if self.outline.items[row].id in self.hidden:
            found.append(("hidden", "dim"))
        return found

    def is_faint(self, row: int) -> bool:
        """Whether a row or one around it is hidden in the viewport."""
        outline = self.outline
        while self.hidden and row >= 0:
            if outline.items[row].id in self.hidden:
                return True
            row = outline.parent(row)
        return False

    # ---- Qt ----------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.outline.shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self.can_rename and isinstance(self.outline.items[self.row(index)], Subtree):
            flags |= Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled
        return flags

    def setData(self, index: Index, value, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or value == self.data(index, role):
            return False
        self.renamed.emit(self.row(index), value)
        return True

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        outline, row = self.outline, self.row(index)
        item = outline.items[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.describe(row).name
        if role == Qt.ItemDataRole.EditRole:
            return _name(item)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            found = self.describe(row)
            words = [found.name, *filter(None, [found.detail])]
            kind = item.kind if isinstance(item, GeneratedRow) else item.tag
            if kind not in (found.name, "folder", "made") and kind not in found.detail.split():
                words.append(kind)
            if role == Qt.ItemDataRole.AccessibleTextRole:
                words.append(tr("level {number}", number=outline.depths[row] + 1))
                if outline.has_children(row):
                    words.append(tr("expanded") if outline.is_expanded(row) else tr("collapsed"))
                gravity = _ROLES.get(self.gravity(row))
                if gravity:
                    words.append(tr("has an error") if gravity == "error" else tr("has a warning"))
            return "\n".join([", ".join(words), *self.notes.get(item.id, ())[:MOST_NOTES]])
        return None


def _name(item) -> str:
    """The name of an element as it is written."""
    if isinstance(item, GeneratedRow):
        return item.name
    wanted = name_attribute(item.tag)
    return next((value for name, value in values_of(item) if name == wanted), "")
