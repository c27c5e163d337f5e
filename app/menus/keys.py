"""The keys of actions: as the table has them, or as the user chose. No widgets; `Actions` applies them.

A key is a text such as "Ctrl+Shift+P" or "=". Two actions must not share a key where both can act.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from kinetree.app.menus.table import FOCUS, SOURCE, VIEWPORT, WINDOW, Action
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.settings.settings import Settings

SCOPES: dict[str, str] = {
    WINDOW: marked("Window"),
    VIEWPORT: marked("Viewport"),
    SOURCE: marked("Source"),
    FOCUS: marked("Field with the focus"),
}
"""Where the keys of an action act, as people read it."""
_SYMBOLS = {",": Qt.Key.Key_Comma, "+": Qt.Key.Key_Plus, "-": Qt.Key.Key_Minus, "=": Qt.Key.Key_Equal}
"""Keys whose texts QKeySequence would take for its own separators."""
_NEEDED = frozenset(getattr(Qt.Key, f"Key_{name}") for name in (
    "Escape", "Tab", "Backtab", "Backspace", "Return", "Enter", "Delete", "Home", "End", "Left", "Up", "Right", "Down",
    "PageUp", "PageDown",
))  # fmt: skip
"""Keys that lists and fields need, besides those that type a character."""
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def sequence(key: str) -> QKeySequence:
    """The key sequence of a key text."""
    if key in _SYMBOLS:
        return QKeySequence(_SYMBOLS[key])
    return QKeySequence(key)


def text_of(key: QKeyCombination, digit: int | None = None) -> str:
    """The text of a key that was pressed. Shift is not part of it where it only made another character. `digit`: of the
    key, where it is in the row of digits: Shift+1, and not the character that a keyboard has there."""
    code, held = key.key(), key.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if code == Qt.Key.Key_Backtab:
        code, held = Qt.Key.Key_Tab, held | Qt.KeyboardModifier.ShiftModifier
    is_symbol = Qt.Key.Key_Space < code < Qt.Key.Key_Escape and not chr(code).isalnum()
    if is_symbol and digit is not None and held & Qt.KeyboardModifier.ShiftModifier:
        code = Qt.Key(Qt.Key.Key_0 + digit)
    elif is_symbol:
        held &= ~Qt.KeyboardModifier.ShiftModifier
    return QKeySequence(QKeyCombination(held, code)).toString(QKeySequence.SequenceFormat.PortableText)


def shown(keys: Iterable[str]) -> str:
    """Keys as people read them."""
    return ", ".join(sequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys)


def why_not(key: str, row: Action) -> str:
    """Why an action cannot have a key; "" if it can."""
    keys = sequence(key)
    if keys.count() != 1:
        return tr("This is no key.")
    pressed = cast("Sequence[QKeyCombination]", keys)[0]
    code = pressed.key()
    is_needed = code < Qt.Key.Key_Escape or code in _NEEDED
    if row.scope != VIEWPORT and is_needed and not pressed.keyboardModifiers() & _HELD:
        return tr(
            "Lists and fields need this key. Only actions that act in the viewport can have a key without Ctrl or Alt."
        )
    return ""


class ActionKeys:
    """The keys of all actions of a table. What the user chose is kept in the settings."""

    def __init__(self, rows: Mapping[str, Action], settings: Settings):
        self._rows, self._settings = rows, settings
        self._later = {name: keys for name, keys in settings.keys().items() if self._are_keys(keys)}
        self._chosen = {name: self._later.pop(name) for name in list(self._later) if name in rows}

    @staticmethod
    def _are_keys(keys: Iterable[str]) -> bool:
        return all(sequence(key).count() == 1 for key in keys)

    def read(self, name: str) -> None:
        """Take what the user chose for an action that was not in the table at first."""
        if name in self._later:
            self._chosen[name] = self._later.pop(name)

    def of(self, name: str) -> tuple[str, ...]:
        """The keys of an action; the first one is shown first."""
        return self._chosen.get(name, self._rows[name].keys)

    def is_changed(self, name: str) -> bool:
        """Whether an action has other keys than at first."""
        return name in self._chosen

    def set(self, name: str, keys: Iterable[str] | None) -> None:
        """Give an action other keys; None: those of the table."""
        wanted = None if keys is None else tuple(dict.fromkeys(keys))
        if wanted is None or list(map(sequence, wanted)) == list(map(sequence, self._rows[name].keys)):
            self._chosen.pop(name, None)
        else:
            self._chosen[name] = wanted
        self._settings.set_keys(self._later | self._chosen)

    def users(self, key: str) -> list[str]:
        """The actions that have a key."""
        wanted = sequence(key)
        return [name for name in self._rows if any(sequence(each) == wanted for each in self.of(name))]

    def conflicts(self, name: str, key: str) -> list[str]:
        """The other actions whose key this is, where both could act. The keys of the source panel come before those
        of the window while it has the focus, which is no conflict; neither are keys that menus only show."""
        scope = self._rows[name].scope
        return [
            other
            for other in self.users(key)
            if other != name
            and FOCUS not in (scope, self._rows[other].scope)
            and (self._rows[other].scope == SOURCE) == (scope == SOURCE)
        ]
