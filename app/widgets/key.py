"""A button that records the next key that is pressed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from kinetree.app.menus.keys import text_of
from kinetree.engine.platforms import keyboard
from kinetree.engine.translation import tr

HELD = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr, Qt.Key.Key_unknown)
"""Keys that are held while another one is pressed."""


def digit_of(event: QKeyEvent) -> int | None:
    """The digit of the key in the row of digits that was pressed, whatever character it makes with Shift; None for
    other keys."""
    return keyboard.digit(event.nativeVirtualKey(), event.nativeScanCode())


class KeyButton(QPushButton):
    """Button that records the next key. While it is on it gets every key, Tab and Return too; Esc cancels.

    Signal: `recorded(key)`: a key was pressed, as the table of actions writes it.
    """

    recorded = Signal(str)

    def __init__(self, text: str, parent: QWidget | None = None):
        super().__init__(text, parent)
        self._text = text
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.toggled.connect(self._show)

    def event(self, event: QEvent) -> bool:
        if self.isChecked() and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyPress:
                self._take(event)
            event.accept()
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.setChecked(False)
        super().focusOutEvent(event)

    def _take(self, event: QKeyEvent) -> None:
        if event.key() in HELD:
            return
        self.setChecked(False)
        if event.key() != Qt.Key.Key_Escape or event.modifiers():
            self.recorded.emit(text_of(event.keyCombination(), digit_of(event)))

    def _show(self, on: bool) -> None:
        self.setText(tr("Press the keys…") if on else self._text)
        if on:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
