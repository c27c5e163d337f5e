"""QActions, menus and shortcuts from the table of actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QMenuBar, QWidget, QWidgetAction

from kinetree.app.menus.keys import ActionKeys, sequence, shown
from kinetree.app.menus.table import FOCUS, HEADINGS, MENUS, MNEMONICS, SOURCE, SUBMENU_SECTIONS, VIEWPORT, Action
from kinetree.app.settings.icons import icon
from kinetree.app.settings.settings import Settings
from kinetree.engine.translation import tr

WITH_ICONS = "panel.", "plots."
"""Begins of the ids of actions whose icons are shown in menus; those of others are for toolbars."""


class Actions(QObject):
    """The actions by id, with the keys that the user chose, and the menus by their path. `keys_changed(id)`: an action
    has other keys."""

    keys_changed = Signal(str)

    def __init__(self, rows: Iterable[Action], settings: Settings, window: QWidget):
        super().__init__(window)
        self.rows: dict[str, Action] = {row.id: row for row in rows}
        self.settings, self.keys = settings, ActionKeys(self.rows, settings)
        self.by_id: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        self._followers: dict[str, list[QAction]] = {}
        self._window = window
        for row in self.rows.values():
            self._make(row)

    def _make(self, row: Action) -> QAction:
        action = self.by_id[row.id] = QAction(tr(row.text), self)
        action.setObjectName(row.id)
        action.setCheckable(row.checkable)
        action.setStatusTip(tr(row.help))
        if row.icon:
            action.setIcon(icon(row.icon))
            action.setIconVisibleInMenu(row.id.startswith(WITH_ICONS))
        if row.scope in (VIEWPORT, FOCUS):  # of a viewport (`attach`), or of no widget: shown only
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        elif row.scope == SOURCE:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        else:
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            self._window.addAction(action)
        self._show_keys(row.id)
        return action

    def add(self, row: Action, handler: Callable) -> QAction:
        """An action of the window that came later than the table, with its handler."""
        self.rows[row.id] = row
        self.keys.read(row.id)
        action = self._make(row)
        action.triggered.connect(handler)
        return action

    def attach(self, widget: QWidget, scope: str) -> None:
        """Give a viewport, or the source panel, the keys of its scope."""
        for name, row in self.rows.items():
            if row.scope == scope:
                widget.addAction(self.by_id[name])

    def __getitem__(self, name: str) -> QAction:
        return self.by_id[name]

    def key_text(self, name: str) -> str:
        """The keys of an action as people read them."""
        return shown(self.keys.of(name))

    def set_keys(self, name: str, keys: Iterable[str] | None) -> None:
        """Give an action other keys; None: those of the table. Its menus, tool tips and helps follow."""
        self.keys.set(name, keys)
        self._show_keys(name)
        self.keys_changed.emit(name)

    def share_keys(self, name: str, action: QAction) -> None:
        """Let an action of a panel, which does the same there, have the keys of an action of the table."""
        self._followers.setdefault(name, []).append(action)
        self._show_keys(name)

    def _show_keys(self, name: str) -> None:
        row, keys = self.rows[name], [sequence(key) for key in self.keys.of(name)]
        for action in (self.by_id[name], *self._followers.get(name, ())):
            action.setShortcuts(keys)
        title = tr(row.text).rstrip("…")
        hint = f"{title} ({self.key_text(name)})" if keys else title
        self.by_id[name].setToolTip(f"{hint}\n{tr(row.help)}" if row.help else hint)

    def connect(self, handlers: dict[str, Callable]) -> None:
        """Give every action its handler; that of a checkable one gets the new state. Raises KeyError for an action
        without."""
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

    def fill(self, bar: QMenuBar) -> None:
        """Make the menus, in the table's order."""
        menus = self.menus
        sections: dict[str, str] = {}

        def begin(path: str, section: str) -> None:
            """Begin a section of a menu."""
            menu, title = menus[path], HEADINGS.get((path, section))
            before, sections[path] = sections.get(path), section
            if before == section:
                return
            if title is not None:
                _add_heading(menu, tr(title), bar.isNativeMenuBar())
            elif before is not None:
                menu.addSeparator()

        for name in MENUS:
            menus[name] = bar.addMenu(tr(MNEMONICS.get(name, f"&{name}")))

        def menu_at(path: str) -> QMenu:
            if path not in menus:
                above, _, name = path.rpartition("/")
                parent, section = menu_at(above), SUBMENU_SECTIONS.get(path)
                if section is not None:
                    begin(above, section)
                menus[path] = parent.addMenu(tr(name))
            return menus[path]

        for row in self.rows.values():
            if not row.menu:
                continue
            menu = menu_at(row.menu)
            begin(row.menu, row.section)
            if row.icon and row.id.startswith(WITH_ICONS):
                menu.setProperty("icons", True)
            menu.addAction(self.by_id[row.id])
        for menu in menus.values():
            menu.setToolTipsVisible(False)


def _add_heading(menu: QMenu, text: str, is_native: bool) -> None:
    """Add the title of a section. Menus of the desktop draw it by themselves; Qt's style sheets do not."""
    if is_native:
        menu.addSection(text)
        return
    if menu.actions():
        menu.addSeparator()
    label = QLabel(text, menu)
    label.setObjectName("menu-heading")
    heading = QWidgetAction(menu)
    heading.setDefaultWidget(label)
    heading.setEnabled(False)
    menu.addAction(heading)
