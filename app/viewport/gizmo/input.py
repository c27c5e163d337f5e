"""Mouse and keys of the gizmo: what the viewport asks before it does what they are for otherwise."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent

from kinetree.app.viewport.gizmo.gizmo import Gizmo
from kinetree.app.viewport.gizmo.layer import ValueField
from kinetree.engine.scene.gizmo import MOVE, SIZE, TURN

_KEYS = Qt.Key
_MODIFIERS = Qt.KeyboardModifier
TOOL_KEYS = {_KEYS.Key_T: MOVE, _KEYS.Key_R: TURN, _KEYS.Key_S: SIZE}
SPACE_KEY = _KEYS.Key_A
AXIS_KEYS = {_KEYS.Key_X: 0, _KEYS.Key_Y: 1, _KEYS.Key_Z: 2}
END_KEYS = (_KEYS.Key_Return, _KEYS.Key_Enter)
BEGINS = "0123456789-.,"
"""Characters that begin a number."""


class GizmoInput:
    """Mouse and key handlers of the gizmo. Each method returns whether the gizmo took the event."""

    def __init__(self, gizmo: Gizmo, field: ValueField):
        self._gizmo, self._field = gizmo, field

    def selects_by_click(self, event: QMouseEvent) -> bool:
        """Whether one click selects; otherwise it takes two."""
        return (self._gizmo.edit_mode or self._gizmo.poses) and event.button() == Qt.MouseButton.LeftButton

    def press(self, event: QMouseEvent) -> bool:
        if event.button() == Qt.MouseButton.RightButton and self._gizmo.drag is not None:
            self._gizmo.cancel()
            return True
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        position = event.position()
        return self._gizmo.press(position.x(), position.y(), bool(event.modifiers() & _MODIFIERS.ShiftModifier))

    def move(self, event: QMouseEvent) -> bool:
        position = event.position()
        if event.buttons() == Qt.MouseButton.NoButton:
            self._gizmo.release()  # the button was let go where nobody told
            self._gizmo.hover_at(position.x(), position.y())
            return self._gizmo.drag is not None
        snap = bool(event.modifiers() & _MODIFIERS.ControlModifier)
        return self._gizmo.move(position.x(), position.y(), snap)

    def release(self, event: QMouseEvent) -> bool:
        return event.button() == Qt.MouseButton.LeftButton and self._gizmo.release()

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key belongs to the gizmo now, and not to an action."""
        key, held = event.key(), event.modifiers() & ~_MODIFIERS.KeypadModifier
        if self._gizmo.drag is not None:
            plain = not held & (_MODIFIERS.ControlModifier | _MODIFIERS.AltModifier | _MODIFIERS.MetaModifier)
            return plain or event.matches(QKeySequence.StandardKey.Undo)
        if not (self._gizmo.edit_mode or self._gizmo.poses) or held & ~_MODIFIERS.ShiftModifier:
            return False
        return key == _KEYS.Key_Escape or (not held and (key in TOOL_KEYS or key in AXIS_KEYS or key == SPACE_KEY))

    def key(self, event: QKeyEvent) -> bool:
        if not self.wants(event):
            return False
        gizmo, key = self._gizmo, event.key()
        if gizmo.drag is None:
            if key == _KEYS.Key_Escape:
                gizmo.leave_mode()
            elif key in TOOL_KEYS:
                gizmo.set_tool(TOOL_KEYS[_KEYS(key)])
            elif key == SPACE_KEY:
                gizmo.next_space()
            return True
        if key == _KEYS.Key_Escape or event.matches(QKeySequence.StandardKey.Undo):
            gizmo.cancel()
        elif key in END_KEYS:
            gizmo.finish()
        elif key in AXIS_KEYS:
            gizmo.constrain(AXIS_KEYS[_KEYS(key)])
        elif key in (_KEYS.Key_Tab, _KEYS.Key_Backtab):
            gizmo.next_axis()
            if gizmo.drag is not None and gizmo.drag.typed is not None:
                self._field.begin(gizmo.drag.typed)
                self._field.selectAll()
        elif event.text() and event.text() in BEGINS:
            self._field.begin(event.text())
        return True
