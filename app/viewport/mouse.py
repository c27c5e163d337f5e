"""What the mouse does in the viewport: MuJoCo simulate's habits.

Distances are fractions of the viewport's height, y downwards, as the camera and the perturbation take them.
"""

from __future__ import annotations

import copy

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from app.workspace.selection import NOTHING, Selection
from app.workspace.session import Session

_MODIFIERS = Qt.KeyboardModifier
_BUTTONS = Qt.MouseButton
WHEEL_STEP = 120.0  # a notch of a wheel, eighths of a degree


class MouseControl:
    """Turns the viewport's mouse events into movements of the camera or of the selected body.

    `size()` gives the viewport's (width, height) in the events' units, `changed()` asks for a repaint.
    """

    def __init__(self, session: Session, size, changed):
        self._session, self._size, self._changed = session, size, changed
        self._last: QPointF | None = None

    def press(self, event: QMouseEvent) -> None:
        self._last = event.position()
        held = event.modifiers()
        if held & _MODIFIERS.ControlModifier:
            self._begin_perturb(event.button(), bool(held & _MODIFIERS.AltModifier))

    def move(self, event: QMouseEvent) -> None:
        session = self._session
        if self._last is None or session.snapshot is None or session.camera is None:
            return
        _, height = self._size()
        here = event.position()
        dx, dy = (here.x() - self._last.x()) / height, (here.y() - self._last.y()) / height
        self._last = here
        action = self._action(event)
        if session.perturb.active:
            session.perturb.move(action, dx, dy, self._view())
            self._send()
        else:
            session.camera.move(action, dx, dy, session.model, self._view())
        self._changed()

    def release(self, event: QMouseEvent) -> None:
        if event.buttons() == _BUTTONS.NoButton:
            self._last = None
        self._session.release()
        self._changed()

    def double_click(self, event: QMouseEvent) -> None:
        self._last = event.position()
        session = self._session
        if session.snapshot is None or session.snapshot.model is not session.model:
            return
        hit = self.pick(event.position())
        control = bool(event.modifiers() & _MODIFIERS.ControlModifier)
        if event.button() == _BUTTONS.LeftButton:
            if hit is None:
                session.select(NOTHING)
            else:
                session.select(Selection("body", hit.bodyid) if hit.bodyid else Selection(*hit.object))
                if hit.bodyid:
                    session.perturb.localpos = hit.localpos(session.snapshot)
        elif event.button() == _BUTTONS.RightButton and hit is not None:
            from engine.scene.camera import FREE, TRACKING

            if session.camera.type == "fixed":
                session.camera.type = FREE
            session.camera.lookat = hit.point.copy()
            if control and hit.bodyid:
                session.camera.type, session.camera.trackbodyid = TRACKING, hit.bodyid
            session.camera_changed.emit()
        self._changed()

    def wheel(self, event: QWheelEvent) -> None:
        session = self._session
        if session.camera is None or session.model is None:
            return
        session.camera.zoom(event.angleDelta().y() / WHEEL_STEP, session.model)
        self._changed()

    def pick(self, position: QPointF):
        """What lies under a point of the viewport (a Pick), or None."""
        from engine.scene.pick import pick

        session = self._session
        width, height = self._size()
        origin, direction = self._view().ray(position.x() / width, position.y() / height)
        return pick(session.model, session.snapshot, origin, direction, session.options)

    def _view(self):
        from engine.scene.camera import view_of

        width, height = self._size()
        snapshot = self._session.snapshot
        return view_of(self._session.camera, snapshot.model, snapshot, width / height)

    def _action(self, event: QMouseEvent):
        from engine.scene.camera import Mouse

        shift = bool(event.modifiers() & _MODIFIERS.ShiftModifier)
        buttons = event.buttons()
        right = bool(buttons & _BUTTONS.RightButton)
        left = bool(buttons & _BUTTONS.LeftButton)
        if left and self._session.perturb.active and _moves(self._session.perturb):
            right = True
        if right:
            return Mouse.MOVE_H if shift else Mouse.MOVE_V
        if left:
            return Mouse.ROTATE_H if shift else Mouse.ROTATE_V
        return Mouse.ZOOM

    def _begin_perturb(self, button: Qt.MouseButton, alt: bool) -> None:
        from engine.scene.perturb import Active

        session = self._session
        snapshot = session.snapshot
        if snapshot is None or snapshot.model is not session.model or session.perturb.select <= 0:
            return
        if button == _BUTTONS.RightButton or (button == _BUTTONS.LeftButton and alt):
            active = Active.TRANSLATE
        elif button == _BUTTONS.LeftButton:
            active = Active.ROTATE
        else:
            return
        session.perturb.begin(active, session.model, snapshot, self._view())
        self._send()

    def _send(self) -> None:
        # The arrays of a Perturb are replaced, never written: a shallow copy is the thread's own.
        self._session.simulation.perturb(copy.copy(self._session.perturb))


def _moves(perturb) -> bool:
    from engine.scene.perturb import Active

    return bool(perturb.active & Active.TRANSLATE)
