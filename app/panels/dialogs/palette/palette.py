"""The command palette: a line to type in, and what it finds: actions, elements of the model, pages of the
documentation."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QColor, QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListView, QStyle, QStyledItemDelegate, QVBoxLayout, QWidget

from kinetree.app.menus.build import Actions
from kinetree.app.panels import dialogs
from kinetree.app.panels.dialogs.palette.fuzzy import Finder, SearchEntry, places
from kinetree.app.panels.writing.tree.describe import describe
from kinetree.app.panels.writing.tree.panel import TreePanel
from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.app.settings.settings import Settings
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.translation import tr

WIDTH, HEIGHT = 640, 420  # pixels, at most
ROW = 28
SMALL = 2000
"""Elements that are described in the GUI thread."""
RECENT_BONUS = 3.0
DISABLED = 1.0
"""Cost added to entries that are disabled now."""
OWN = "view.palette"
ELEMENT_BONUS = -0.6
"""An action comes before an element that is found as well."""
PAGE_BONUS = -0.3
"""A page of the documentation comes between them."""
Index = QModelIndex | QPersistentModelIndex


class ElementEntry(NamedTuple):
    """An element of the model: the identity of its row in the tree, its icon, and what follows its name."""

    identity: Hashable
    icon: str
    detail: str


class PageEntry(NamedTuple):
    """A page of the documentation: its path, its icon, and what stands at the right."""

    page: str
    icon: str
    detail: str


def page_entries() -> list[SearchEntry]:
    """Every page of the documentation."""
    titles = dialogs.documentation.pages.Pages().titles
    return [
        SearchEntry(title, title.casefold(), "", PAGE_BONUS, PageEntry(page, "info", tr("Documentation")))
        for page, title in titles.items()
    ]


def action_entries(actions: Actions, recent: Sequence[str]) -> list[SearchEntry]:
    """Every action of the table; those that were used last come first."""
    entries = []
    for name, row in actions.rows.items():
        if name == OWN:
            continue
        text = actions[name].text().replace("&", "").rstrip("…")
        top, below = row.top, row.innermost
        is_panel = name.startswith("panel.")  # which is named by its title wherever its menu has it
        shown = f"{tr(below)}: {text}" if below and not is_panel else text
        bonus = RECENT_BONUS * (1 - recent.index(name) / len(recent)) if name in recent else 0.0
        bonus -= 0.0 if actions[name].isEnabled() else DISABLED
        entries.append(SearchEntry(shown, shown.casefold(), f"{tr(top)} {tr(row.help)}".casefold(), bonus, name))
    return entries


def element_entries(items: Sequence[Any], parents: Sequence[int]) -> list[SearchEntry]:
    """Every row of the model tree."""
    entries = []
    for item, parent in zip(items, parents, strict=True):
        told = describe(item, items[parent] if parent >= 0 else None)
        payload = ElementEntry(item.id, told.icon, told.detail)
        entries.append(SearchEntry(told.name, told.name.casefold(), told.detail.casefold(), ELEMENT_BONUS, payload))
    return entries


class _EntryModel(QAbstractListModel):
    """List model of the entries that match the query."""

    def __init__(self, actions: Actions, parent: QObject):
        super().__init__(parent)
        self.actions_, self.entries, self.query = actions, [], ""

    def show_entries(self, entries: list[SearchEntry], query: str) -> None:
        self.beginResetModel()
        self.entries, self.query = entries, query
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.entries)

    def action(self, row: int) -> QAction | None:
        """The action of a row; None for an element."""
        payload = self.entries[row].payload
        return self.actions_[payload] if isinstance(payload, str) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.name}, {self.side(index.row())}"
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(entry.payload, str):
            return tr(self.actions_.rows[entry.payload].help)
        return None

    def side(self, row: int) -> str:
        """Text at the right: the keys of an action, the kind and references of an element."""
        payload = self.entries[row].payload
        if isinstance(payload, ElementEntry | PageEntry):
            return payload.detail
        assert isinstance(payload, str)
        on = " ●" if self.actions_[payload].isChecked() else ""
        return f"{self.actions_.key_text(payload)}{on}"

    def section(self, row: int) -> str:
        """The menu of an action."""
        payload = self.entries[row].payload
        return tr(self.actions_.rows[payload].top) if isinstance(payload, str) else ""


class _Painter(QStyledItemDelegate):
    """Paints an entry: icon, name with the matched letters, menu and keys."""

    def sizeHint(self, option, index: Index) -> QSize:
        return QSize(100, max(ROW, option.fontMetrics.height() + 10))

    def paint(self, painter: QPainter, option, index: Index) -> None:
        rows: Any = index.model()
        row, colours = index.row(), theme.current()
        entry, action = rows.entries[row], rows.action(row)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(colours.selection))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(colours.hover))
        painter.save()
        enabled = action is None or action.isEnabled()
        painter.setOpacity(1.0 if enabled else 0.5)
        area = option.rect.adjusted(12, 0, -12, 0)
        name = rows.actions_.rows[entry.payload].icon if isinstance(entry.payload, str) else entry.payload.icon
        if name:
            size = 16
            icon(name).paint(painter, QRect(area.left(), area.center().y() - size // 2, size, size))
        area.setLeft(area.left() + 26)
        middle = Qt.AlignmentFlag.AlignVCenter
        metrics = QFontMetrics(option.font)
        side = metrics.elidedText(rows.side(row), Qt.TextElideMode.ElideRight, area.width() // 3)
        painter.setPen(QColor(colours.dim))
        painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight, side)
        area.setRight(area.right() - metrics.horizontalAdvance(side) - 16)
        left = self._name(painter, option.font, area, entry.name, places(entry.name, rows.query))
        painter.setPen(QColor(colours.dim))
        area.setLeft(left + 10)
        painter.drawText(area, middle, metrics.elidedText(rows.section(row), Qt.TextElideMode.ElideRight, area.width()))
        painter.restore()

    def _name(self, painter: QPainter, font: QFont, area: QRect, name: str, hit: list[int]) -> int:
        """Draw a name, what was found in it in the accent's colour; returns where it ends."""
        colours, metrics = theme.current(), QFontMetrics(font)
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, area.width())
        if shown != name:
            hit = []
        x, begin = area.left(), 0
        while begin < len(shown):
            is_hit, end = begin in hit, begin + 1
            while end < len(shown) and (end in hit) == is_hit:
                end += 1
            painter.setPen(QColor(colours.accent if is_hit else colours.text))
            part = shown[begin:end]
            painter.drawText(QRect(x, area.top(), area.width(), area.height()), Qt.AlignmentFlag.AlignVCenter, part)
            x += metrics.horizontalAdvance(part)
            begin = end
        return x


class Palette(QFrame):
    """The command palette, drawn over its window while it is open. Down and Up choose, Return does it, Esc closes.
    `page_wanted(path)`: a page of the documentation was chosen."""

    page_wanted = Signal(str)

    def __init__(self, actions: Actions, workspace: Workspace, tree: TreePanel, settings: Settings, window: QWidget):
        super().__init__(window)
        self.actions_, self.workspace, self.tree, self.settings = actions, workspace, tree, settings
        self._focus: QWidget | None = None
        self._elements: list[SearchEntry] = []
        self._items: list[Any] = []  # version that `_elements` were made of
        self._actions: list[SearchEntry] = []
        self._pages = page_entries()
        self._finder: Finder | None = None
        self.setObjectName("palette")
        self.line = QLineEdit()
        self.line.setPlaceholderText(tr("Search actions, elements of the model and the documentation"))
        self.line.setAccessibleName(tr("Search actions, elements of the model and the documentation"))
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._search)
        self.rows = _EntryModel(actions, self)
        self.list = QListView()
        self.list.setModel(self.rows)
        self.list.setItemDelegate(_Painter(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName(tr("Results"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.clicked.connect(lambda index: self._choose(index.row()))
        self.nothing = QLabel(tr("Nothing has this name"))
        self.nothing.setObjectName("dim")
        self.nothing.setContentsMargins(12, 8, 12, 8)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self.line)
        layout.addWidget(self.nothing, 1)
        layout.addWidget(self.list, 1)
        self.hide()

    def open(self) -> None:
        """Show it, with the keyboard in its line."""
        if self.isVisible():
            self.line.selectAll()
            return
        self._focus = self.window().focusWidget()
        self._actions = action_entries(self.actions_, self.settings.used_actions())
        self._finder = None
        self._take_elements()
        self.line.clear()
        self._search("")
        self.place()
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_(self) -> None:
        """Hide it, and give the keyboard back to its former owner."""
        had_focus = self.isAncestorOf(self.window().focusWidget() or self)
        self.hide()
        if had_focus and self._focus is not None and self._focus.isVisible():
            self._focus.setFocus(Qt.FocusReason.OtherFocusReason)
        self._focus = None

    def place(self) -> None:
        """Move the palette to the upper middle of the window."""
        window = self.window()
        width, height = min(WIDTH, window.width() - 40), min(HEIGHT, window.height() - 80)
        self.setGeometry((window.width() - width) // 2, 48, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys of the line that move in the list."""
        if isinstance(event, QKeyEvent) and event.key() in _KEYS:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._key(event)
                return True
        if event.type() == QEvent.Type.FocusOut and self.isVisible() and self.window().isActiveWindow():
            if not self.isAncestorOf(self.window().focusWidget() or self):
                self.hide()
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.close_()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.list.currentIndex().row())
        elif key not in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            count, row = self.rows.rowCount(), self.list.currentIndex().row()
            page = max(1, self.list.viewport().height() // ROW - 1)
            by = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: page, Qt.Key.Key_PageUp: -page}[key]
            row = (row + by) % count if count and abs(by) == 1 else min(max(row + by, 0), count - 1)
            self.list.setCurrentIndex(self.rows.index(row))

    # ---- what can be found ---------------------------------------------------------------------------

    def _take_elements(self) -> None:
        """Update the elements of the model: at once for a small model, else when a thread has listed them."""
        items, parents = list(self.tree.outline.items), self.tree.outline.parents.tolist()
        if len(items) == len(self._items) and all(map(_is, items, self._items)):
            return
        self._items = items
        if len(items) <= SMALL:
            self._elements = element_entries(items, parents)
            return
        self._elements = []

        def take(entries: list[SearchEntry]) -> None:
            if self._items is items:
                self._elements, self._finder = entries, None
                self._search(self.line.text())

        self.workspace.questions.ask("palette", lambda: element_entries(items, parents), take, lambda reason: None)

    def _search(self, query: str) -> None:
        if self._finder is None:
            self._finder = Finder([*self._actions, *self._pages, *self._elements])
        answer = self._finder.found(query) if query.strip() else Finder(self._actions).found("")
        self.rows.show_entries(answer, query)
        self.list.setCurrentIndex(self.rows.index(0))
        self.nothing.setVisible(not answer)
        self.list.setVisible(bool(answer))

    def _choose(self, row: int) -> None:
        if not 0 <= row < self.rows.rowCount():
            return
        entry, action = self.rows.entries[row], self.rows.action(row)
        if action is not None and not action.isEnabled():
            return
        self.close_()
        if action is not None:
            self.settings.add_used_action(str(entry.payload))
            action.trigger()
        elif isinstance(entry.payload, ElementEntry):
            self.tree.chosen.select_row(entry.payload.identity)
        elif isinstance(entry.payload, PageEntry):
            self.page_wanted.emit(entry.payload.page)


def _is(one: object, other: object) -> bool:
    return one is other


_KEYS: frozenset[int] = frozenset((
    Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown,
    Qt.Key.Key_PageUp, Qt.Key.Key_Tab, Qt.Key.Key_Backtab,
))  # fmt: skip
"""Keys that the line leaves to the palette."""
