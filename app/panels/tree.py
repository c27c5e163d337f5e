"""The kinematic tree: bodies with what is fixed to them, and the elements that belong to no body."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QTreeView, QVBoxLayout, QWidget

from app.settings.icons import icon
from app.workspace.selection import NOTHING, Selection, name_of

Index = QModelIndex | QPersistentModelIndex

ATTACHED = (
    ("joint", "jnt_bodyid"),
    ("geom", "geom_bodyid"),
    ("site", "site_bodyid"),
    ("camera", "cam_bodyid"),
    ("light", "light_bodyid"),
)
FOLDERS = (
    ("tendon", "Tendons"),
    ("actuator", "Actuators"),
    ("sensor", "Sensors"),
    ("equality", "Equalities"),
    ("flex", "Flexes"),
    ("skin", "Skins"),
    ("key", "Keyframes"),
)
JOINTS = {0: "free", 1: "ball", 2: "slide", 3: "hinge"}
GEOMS = {
    0: "plane", 1: "height field", 2: "sphere", 3: "capsule", 4: "ellipsoid", 5: "cylinder", 6: "box", 7: "mesh", 8: "sdf",
}  # fmt: skip


@dataclass(slots=True)
class Item:
    """A row: an element, or a folder (kind "folder")."""

    kind: str
    id: int
    text: str
    parent: int
    row: int
    children: list[int] = field(default_factory=list)


def items_of(model) -> list[Item]:
    """All rows; row 0 is the invisible root."""
    items = [Item("", -1, "", -1, 0)]

    def add(kind: str, index: int, text: str, parent: int) -> int:
        number = len(items)
        items.append(Item(kind, index, text, parent, len(items[parent].children)))
        items[parent].children.append(number)
        return number

    attached: dict[int, list[tuple[str, int]]] = {}
    for kind, owner in ATTACHED:
        for index, body in enumerate(getattr(model, owner).tolist()):
            attached.setdefault(body, []).append((kind, index))
    numbers: dict[int, int] = {}
    parents = model.body_parentid.tolist()
    for body in range(model.nbody):
        parent = 0 if body == 0 else numbers[parents[body]]
        number = numbers[body] = add("body", body, name_of(model, "body", body), parent)
        for kind, index in attached.get(body, ()):
            add(kind, index, _text(model, kind, index), number)
    for kind, title in FOLDERS:
        names = model.names.get(kind, [])
        if names:
            folder = add("folder", -1, title, 0)
            for index in range(len(names)):
                add(kind, index, name_of(model, kind, index), folder)
    return items


def _text(model, kind: str, index: int) -> str:
    names = model.names.get(kind, ())
    name = names[index] if index < len(names) else ""
    what = ""
    if kind == "joint":
        what = JOINTS.get(int(model.jnt_type[index]), "")
    elif kind == "geom":
        what = GEOMS.get(int(model.geom_type[index]), "")
    if name:
        return f"{name}  ({what})" if what else name
    return f"{what or kind} {index}"


class TreeModel(QAbstractItemModel):
    def __init__(self, parent=None):
        super().__init__(parent)
        self._items: list[Item] = [Item("", -1, "", -1, 0)]
        self._where: dict[Selection, int] = {}

    def set_model(self, model) -> None:
        self.beginResetModel()
        self._items = items_of(model) if model is not None else [Item("", -1, "", -1, 0)]
        self._where = {Selection(item.kind, item.id): i for i, item in enumerate(self._items) if item.id >= 0}
        self.endResetModel()

    def item(self, index: Index) -> Item:
        return self._items[index.internalId() if index.isValid() else 0]

    def find(self, selection: Selection) -> QModelIndex:
        number = self._where.get(selection)
        return QModelIndex() if number is None else self.createIndex(self._items[number].row, 0, number)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self.item(parent).children)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        children = self.item(parent).children
        if not 0 <= row < len(children) or column != 0:
            return QModelIndex()
        return self.createIndex(row, column, children[row])

    def parent(self, index: Index) -> QModelIndex:
        if not index.isValid():
            return QModelIndex()
        number = self.item(index).parent
        return QModelIndex() if number <= 0 else self.createIndex(self._items[number].row, 0, number)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        item = self.item(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return item.text
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(item.kind)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{item.kind} {item.id}: {item.text}" if item.id >= 0 else None
        return None

    def retheme(self) -> None:
        self.layoutChanged.emit()


class TreePanel(QWidget):
    """`selected(Selection)` when the user picks a row; `set_selection` shows what was selected elsewhere."""

    selected = Signal(object)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.model = TreeModel(self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.model)
        self._proxy.setRecursiveFilteringEnabled(True)
        self._proxy.setAutoAcceptChildRows(True)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText("Filter")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        self.view = QTreeView(self)
        self.view.setModel(self._proxy)
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(True)
        self.view.setAnimated(False)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.selectionModel().currentChanged.connect(self._picked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        top = QWidget(self)
        inner = QVBoxLayout(top)
        inner.setContentsMargins(6, 6, 6, 6)
        inner.addWidget(self.filter)
        layout.addWidget(top)
        layout.addWidget(self.view, 1)
        self._showing = False

    def set_model(self, model) -> None:
        """Show another model's tree; what was open stays open by name."""
        open_texts = self._open_texts()
        self._showing = True
        self.model.set_model(model)
        if open_texts is None:
            self._open(0 if model is not None and model.nbody > 60 else 2)
        else:
            self._reopen(open_texts)
        self._showing = False

    def set_selection(self, selection: Selection) -> None:
        index = self._proxy.mapFromSource(self.model.find(selection))
        self._showing = True
        flags = QItemSelectionModel.SelectionFlag
        if index.isValid():
            if index != self.view.currentIndex():
                self.view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect)
                self.view.scrollTo(index)
        else:
            self.view.selectionModel().clear()
        self._showing = False

    def retheme(self) -> None:
        self.view.viewport().update()

    def _picked(self, index: QModelIndex) -> None:
        if self._showing:
            return
        item = self.model.item(self._proxy.mapToSource(index))
        self.selected.emit(Selection(item.kind, item.id) if item.id >= 0 else NOTHING)

    def _filter(self, text: str) -> None:
        self._proxy.setFilterFixedString(text)
        if text:
            self.view.expandAll()

    def _open(self, depth: int) -> None:
        self.view.expandToDepth(depth)
        for row in range(self._proxy.rowCount()):
            index = self._proxy.index(row, 0)
            if self.model.item(self._proxy.mapToSource(index)).kind == "folder":
                self.view.collapse(index)

    def _open_texts(self) -> set[str] | None:
        """Texts of the open rows; None if there are no rows."""
        if self._proxy.rowCount() == 0:
            return None
        texts = set()
        self._walk(lambda index: self.view.isExpanded(index) and (texts.add(index.data()) or True))
        return texts

    def _reopen(self, texts: set[str]) -> None:
        def visit(index: QModelIndex) -> bool:
            if index.data() not in texts:
                return False
            self.view.expand(index)
            return True

        self._walk(visit)

    def _walk(self, visit) -> None:
        """Visit the rows that have children, and go below those for which visit(index) is true."""
        todo = [self._proxy.index(row, 0) for row in range(self._proxy.rowCount())]
        while todo:
            index = todo.pop()
            count = self._proxy.rowCount(index)
            if count and visit(index):
                todo += [self._proxy.index(row, 0, index) for row in range(count)]
