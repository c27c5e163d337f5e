"""The panel of bookmarks: named cameras of the open model to go back to, in an order of the user's own.

They are kept with the settings of the model file, and no part of its text.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from kinetree.app.menus.keys import shown
from kinetree.app.menus.table import BOOKMARKS, bookmark_actions
from kinetree.app.settings.settings import Settings
from kinetree.app.widgets.button_row import ButtonRow
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.app.widgets.panel import Panel
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.translation import tr

NAME, KEYS = range(2)
"""Columns."""
NUMBER = Qt.ItemDataRole.UserRole


class _BookmarkList(QTreeWidget):
    """List of bookmarks. `moved()`: the user dragged a bookmark to another place; `wanted()`: Return was pressed, or a
    double click.
    """

    moved = Signal()
    wanted = Signal()
    deleted = Signal()
    empty = ""
    """Text for an empty list."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.empty:
            paint_empty(self, self.empty)

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        self.moved.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_typing = self.state() == QAbstractItemView.State.EditingState
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not is_typing:
            self.wanted.emit()
        elif event.key() == Qt.Key.Key_Delete and not is_typing:
            self.deleted.emit()
        else:
            super().keyPressEvent(event)


class BookmarksPanel(Panel):
    """Panel of the bookmarks. Signals: `action_wanted(id)`: do what an action does; `bookmark_wanted(number)`: go to a
    bookmark; `keys_wanted(id)`: show the keys of an action; `said(text)`: a remark for the status bar."""

    def __init__(self, workspace: Workspace, settings: Settings, parent: QWidget | None = None):
        super().__init__(parent)
        self.bookmarks, self._settings = workspace.bookmarks, settings
        self._simulation = workspace.simulation
        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Filter bookmarks"))
        self.filter.setAccessibleName(tr("Filter of bookmarks"))
        self.filter.textChanged.connect(self._filter)
        self.filter.entered.connect(lambda: self.list.setFocus(Qt.FocusReason.TabFocusReason))
        self.list = _BookmarkList(self)
        self.list.setHeaderLabels([tr("Name"), tr("Shortcut")])
        self.list.setAccessibleName(tr("Bookmarks"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAllColumnsShowFocus(True)
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(KEYS, QHeaderView.ResizeMode.ResizeToContents)
        self.list.itemChanged.connect(self._take_name)
        self.list.itemDoubleClicked.connect(lambda _item, _column: self.go())
        self.list.wanted.connect(self.go)
        self.list.deleted.connect(self.remove)
        self.list.moved.connect(self._take_order)
        self.list.customContextMenuRequested.connect(lambda point: self.menu().popup(self.list.mapToGlobal(point)))
        self.list.currentItemChanged.connect(lambda *_items: self._show_buttons())
        rows = (
            ("save", tr("Save View…"), tr("Keep the present camera under a name"), self._save),
            ("go", tr("Go"), tr("Look from there (double-click)"), self.go),
            ("up", "▲", tr("Move the bookmark up: the first ones have keys"), lambda: self.move(-1)),
            ("down", "▼", tr("Move the bookmark down"), lambda: self.move(1)),
        )
        line = ButtonRow(self, rows, right=2)
        self.buttons = line.buttons
        FilteredColumn(self, self.filter, self.list).addLayout(line)
        self.setFocusProxy(self.list)
        self.bookmarks.changed.connect(self.refresh)
        self._simulation.model_changed.connect(self._show_buttons)
        self.refresh()

    # ---- the list ----------------------------------------------------------------------------------------

    def refresh(self, current: int | None = None) -> None:
        """Show the bookmarks as they are; with this one selected, else the same place as before."""
        current = self.current if current is None else current
        items = self.bookmarks.items
        blocked = self.list.blockSignals(True)
        self.list.clear()
        keys = self._keys()
        for number, each in enumerate(items):
            item = QTreeWidgetItem(self.list, [each.name, keys[number] if number < len(keys) else ""])
            item.setData(NAME, NUMBER, number)
            item.setSizeHint(NAME, QSize(0, self.fontMetrics().height() + 8))
            item.setFlags((item.flags() | Qt.ItemFlag.ItemIsEditable) & ~Qt.ItemFlag.ItemIsDropEnabled)
        if items:
            item = self.list.topLevelItem(min(max(current, 0), len(items) - 1))
            assert item is not None
            flags = QItemSelectionModel.SelectionFlag
            self.list.setCurrentItem(item, NAME, flags.ClearAndSelect | flags.Rows)
        self.list.blockSignals(blocked)
        self.list.empty = "" if items else tr("No view is saved yet. Save View keeps the camera under a name.")
        self._filter(self.filter.text())
        self._show_buttons()

    def take_keys(self, _action: str) -> None:
        self.refresh()

    def _keys(self) -> list[str]:
        """The keys of the first bookmarks, as people read them."""
        chosen = self._settings.keys()
        return [shown(chosen.get(row.id, row.keys)) for row in bookmark_actions()]

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        for place in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(place)
            if item is not None:
                item.setHidden(not all(word in item.text(NAME).casefold() for word in words))

    @property
    def current(self) -> int:
        """The number of the selected bookmark, -1 for none."""
        item = self.list.currentItem()
        return -1 if item is None else int(item.data(NAME, NUMBER))

    def _show_buttons(self, *_ignored: Any) -> None:
        current, count = self.current, len(self.bookmarks.items)
        self.buttons["save"].setEnabled(self._simulation.model is not None)
        self.buttons["go"].setEnabled(current >= 0)
        self.buttons["up"].setEnabled(current > 0)
        self.buttons["down"].setEnabled(0 <= current < count - 1)

    def menu(self) -> QMenu:
        """Context menu of the selected bookmark."""
        menu, current = QMenu(self), self.current
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, run in (
            (tr("Go There"), self.go),
            (tr("Rename"), self.rename),
            (tr("Remove"), self.remove),
        ):
            menu.addAction(text, run).setEnabled(current >= 0)
        menu.addSeparator()
        keys = menu.addAction(tr("Change Keys…"), lambda: self.keys_wanted.emit(f"bookmark.{current + 1}"))
        keys.setEnabled(0 <= current < BOOKMARKS)
        give_letters(menu)
        return menu

    # ---- changes -----------------------------------------------------------------------------------------

    def _save(self) -> None:
        self.action_wanted.emit("camera.bookmark")

    def go(self) -> None:
        """Look from where the selected bookmark is."""
        if self.current >= 0:
            self.bookmark_wanted.emit(self.current)

    def rename(self) -> None:
        """Let the user type another name of the selected bookmark."""
        item = self.list.currentItem()
        if item is not None:
            self.list.editItem(item, NAME)

    def move(self, by: int) -> None:
        """Move the selected bookmark up (-1) or down (1)."""
        current = self.current
        if 0 <= current and 0 <= current + by < len(self.bookmarks.items):
            blocked = self.bookmarks.blockSignals(True)
            self.bookmarks.move(current, by)
            self.bookmarks.blockSignals(blocked)
            self.refresh(current + by)
            self.bookmarks.changed.emit()

    def remove(self) -> None:
        """Forget the selected bookmark."""
        if self.current >= 0:
            name = self.bookmarks.items[self.current].name
            self.bookmarks.remove(self.current)
            self.said.emit(tr("Removed the bookmark {name}", name=name))

    def _take_name(self, item: QTreeWidgetItem, _column: int) -> None:
        """Rename a bookmark to the text that was typed; an empty name or the name of another bookmark is refused."""
        number, name = int(item.data(NAME, NUMBER)), item.text(NAME).strip()
        others = [each.name for place, each in enumerate(self.bookmarks.items) if place != number]
        if not name or name in others:
            self.said.emit(tr("Another bookmark is called {name}", name=name) if name else tr("A name is needed"))
            self.refresh()
        elif name != self.bookmarks.items[number].name:
            self.bookmarks.rename(number, name)

    def _take_order(self) -> None:
        """Reorder the bookmarks after one was dragged to another place."""
        found = [self.list.topLevelItem(place) for place in range(self.list.topLevelItemCount())]
        order = [int(item.data(NAME, NUMBER)) for item in found if item is not None]
        items = self.bookmarks.items
        if sorted(order) == list(range(len(items))):
            self.bookmarks.set_items(tuple(items[number] for number in order))
