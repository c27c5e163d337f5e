"""Which movement of the mouse does what in the viewport, as the settings "mouse.*" say."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt

from kinetree.app.settings.table import CLICKS, DRAGS, SETTING_BY_NAME

ORBIT, PAN, ZOOM, TURN, PULL = "mouse.orbit", "mouse.pan", "mouse.zoom", "mouse.turn", "mouse.pull"
PULL_TOO = "mouse.pull_too"
SELECT, SELECT_MORE, CENTRE, TRACK = "mouse.select", "mouse.select_more", "mouse.centre", "mouse.track"
_BUTTONS = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.RightButton: "right",
    Qt.MouseButton.MiddleButton: "middle",
}


class Bindings:
    """Maps mouse gestures to actions. If two have the same gesture, the first of the table has it. Shift is no part of
    a gesture: it makes a drag horizontal."""

    def __init__(self, gestures: Mapping[str, str] | None = None):
        wanted = {name: str(row.default) for name, row in SETTING_BY_NAME.items() if row.group}
        wanted.update(gestures or {})
        self._acts: dict[tuple[str, str], str] = {}
        for name, gesture in wanted.items():
            self._acts.setdefault((SETTING_BY_NAME[name].group, gesture), name)

    def drag(self, button: Qt.MouseButton, held: Qt.KeyboardModifier) -> str:
        """Action of a drag with a button while some keys are held; "" for nothing."""
        return self._acts.get((DRAGS, _gesture(button, held)), "")

    def double_click(self, button: Qt.MouseButton, held: Qt.KeyboardModifier) -> str:
        """Action of a double click; "" for nothing."""
        return self._acts.get((CLICKS, _gesture(button, held)), "")


def _gesture(button: Qt.MouseButton, held: Qt.KeyboardModifier) -> str:
    """A button with the keys that are held, as the settings write it."""
    ctrl = "ctrl+" if held & Qt.KeyboardModifier.ControlModifier else ""
    alt = "alt+" if held & Qt.KeyboardModifier.AltModifier else ""
    return f"{ctrl}{alt}{_BUTTONS.get(button, '')}"
