"""Keys of a widget's own actions, which come before those of the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget


def action_of(widget: QWidget, event: QKeyEvent) -> QAction | None:
    """The widget's action that has this key, None without one."""
    pressed = QKeySequence(event.keyCombination())
    return next((action for action in widget.actions() if pressed in action.shortcuts()), None)


def claims(widget: QWidget, event: QEvent) -> bool:
    """Whether Qt asks for a key of the widget before the window takes it as a shortcut; it is the widget's then. For
    `event` of the widget, which returns True in that case."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if action_of(widget, event) is None:
        return False
    event.accept()
    return True
