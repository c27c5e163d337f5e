"""No key means two things: Qt does neither of them then. Every key that several have is pressed in all that can have the
keyboard, with each panel in view, and Qt says whether it knows what is meant."""

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from kinetree.app.panels.docks import DOCKS
from kinetree.app.workspace.selection import Selection

CAUGHT = (QEvent.Type.Shortcut, QEvent.Type.KeyPress, QEvent.Type.KeyRelease)


class Keyboard(QObject):
    """Presses keys without an action, and records the ambiguous ones."""

    def __init__(self):
        super().__init__()
        self.heard: list[tuple[str, bool]] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in CAUGHT:
            return False
        if event.type() == QEvent.Type.Shortcut:
            self.heard.append((event.key().toString(), event.isAmbiguous()))
        return True

    def ambiguous(self, widget: QWidget, keys: set[QKeySequence]) -> set[str]:
        self.heard.clear()
        app = QApplication.instance()
        app.installEventFilter(self)
        try:
            for key in keys:
                QTest.keyClick(widget, key[0].key(), key[0].keyboardModifiers())
        finally:
            app.removeEventFilter(self)
        return {key for key, is_ambiguous in self.heard if is_ambiguous}


def keys_of(top: QWidget) -> dict[QKeySequence, list[str]]:
    """All keys in a window, and what has them."""
    found: dict[QKeySequence, list[str]] = {}
    for action in top.findChildren(QAction):
        for key in action.shortcuts():
            found.setdefault(key, []).append(action.objectName() or action.text())
    for shortcut in top.findChildren(QShortcut):
        found.setdefault(shortcut.key(), []).append(f"shortcut of {type(shortcut.parent()).__name__}")
    return {key: users for key, users in found.items() if key.count() == 1}


def focusable(top: QWidget) -> list[QWidget]:
    return [
        each
        for each in top.findChildren(QWidget)
        if each.focusPolicy() != Qt.FocusPolicy.NoFocus and each.isVisible() and each.isEnabled()
    ]


@pytest.mark.parametrize("dock", [row.name for row in DOCKS])
def test_keys_of_panels_act_only_where_they_have_the_keyboard(window, dock):
    """Then no two panels in view have one key, whichever they are. The window's own actions are told apart in
    `tests/app/test_actions.py`."""
    window.docks[dock].bring_up()
    table = set(window.actions_.by_id.values())
    actions = [each for each in window.findChildren(QAction) if each.shortcuts() and each not in table]
    assert window.tree.actions_["delete"] in actions
    keys = actions + window.findChildren(QShortcut)
    contexts = {Qt.ShortcutContext.WidgetShortcut, Qt.ShortcutContext.WidgetWithChildrenShortcut}
    wide = [
        each
        for each in keys
        if (each.shortcutContext() if isinstance(each, QAction) else each.context()) not in contexts
    ]
    assert not [(each.objectName(), type(each.parent()).__name__) for each in wide]


@pytest.mark.parametrize("dock", [row.name for row in DOCKS])
def test_each_key_means_one_thing_wherever_the_keyboard_is(window, qtbot, dock):
    window.selection.select_several([Selection("body", 1), Selection("key", 0)])
    window.docks[dock].bring_up()
    qtbot.wait(50)
    window.activateWindow()
    keyboard, users, found = Keyboard(), keys_of(window), {}
    shared = {key for key, each in users.items() if len(each) > 1}
    assert len(shared) > 5
    widgets = [window.viewport, *focusable(window.docks[dock]), *focusable(window.toolbar), *focusable(window.timeline)]
    for widget in widgets:
        widget.setFocus()
        for key in keyboard.ambiguous(widget, shared):
            found[type(widget).__name__, widget.objectName(), key] = users[QKeySequence(key)]
    assert not found
