"""QActions, menus and shortcuts from the table of actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.actions.table import MENUS, VIEWPORT, Action
from app.settings.icons import icon

# Keys whose texts QKeySequence would take for its own separators.
_SYMBOLS = {",": Qt.Key.Key_Comma, "+": Qt.Key.Key_Plus, "-": Qt.Key.Key_Minus, "=": Qt.Key.Key_Equal}


def sequence(key: str) -> QKeySequence:
    """The key sequence of a key text of the table."""
    if key in _SYMBOLS:
        return QKeySequence(_SYMBOLS[key])
    return QKeySequence(key)


class Actions(QObject):
    """The actions by id. `handlers` maps each id to what it does; a checkable one gets the new state."""

    def __init__(self, rows: Iterable[Action], window: QWidget, viewport: QWidget):
        super().__init__(window)
        self.rows: dict[str, Action] = {row.id: row for row in rows}
        self.by_id: dict[str, QAction] = {}
        for row in self.rows.values():
            action = QAction(row.text, self)
            action.setObjectName(row.id)
            action.setCheckable(row.checkable)
            action.setShortcuts([sequence(key) for key in row.keys])
            hint = f"{row.text.rstrip('…')} ({key_text(row)})" if row.keys else row.text.rstrip("…")
            action.setToolTip(f"{hint}\n{row.help}" if row.help else hint)
            action.setStatusTip(row.help)
            if row.icon:
                action.setIcon(icon(row.icon))
                action.setIconVisibleInMenu(False)
            if row.scope == VIEWPORT:
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
                viewport.addAction(action)
            else:
                action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
                window.addAction(action)
            self.by_id[row.id] = action

    def __getitem__(self, name: str) -> QAction:
        return self.by_id[name]

    def connect(self, handlers: dict[str, Callable]) -> None:
        """Give every action its handler. Raises KeyError for one without."""
        for name, row in self.rows.items():
            handler = handlers[name]
            if row.checkable:
                self.by_id[name].triggered.connect(handler)
            else:
                self.by_id[name].triggered.connect(lambda _checked=False, run=handler: run())

    def set_checked(self, name: str, value: bool) -> None:
        action = self.by_id[name]
        if action.isChecked() != value:
            action.setChecked(value)

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Make the menus, in the table's order; returned by their path."""
        menus: dict[str, QMenu] = {}
        sections: dict[str, str] = {}
        for name in MENUS:
            menus[name] = bar.addMenu("&" + name)
        for row in self.rows.values():
            if not row.menu:
                continue
            top, _, below = row.menu.partition("/")
            if below and row.menu not in menus:
                menus[row.menu] = menus[top].addMenu(below)
            menu = menus[row.menu]
            if row.menu in sections and sections[row.menu] != row.section:
                menu.addSeparator()
            sections[row.menu] = row.section
            menu.addAction(self.by_id[row.id])
        for menu in menus.values():
            menu.setToolTipsVisible(False)
        return menus


def key_text(row: Action) -> str:
    """The keys of a row as people read them."""
    format = QKeySequence.SequenceFormat.NativeText
    return ", ".join(sequence(key).toString(format) for key in row.keys)
