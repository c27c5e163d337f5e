"""What the mouse does in the viewport: MuJoCo simulate's habits.

Distances are fractions of the viewport's height, y downwards, as the camera and the perturbation take them.
"""

from __future__ import annotations

import copy

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from app.workspace.selection import NOTHING, Selection
from app.workspace.view import View

_MODIFIERS = Qt.KeyboardModifier
_BUTTONS = Qt.MouseButton
WHEEL_STEP = 120.0  # a notch of a wheel, eighths of a degree


class MouseControl:
    """Turns the viewport's mouse events into movements of the camera or of the selected body.

    `size()` gives the viewport's (width, height) in the events' units, `changed()` asks for a repaint.
    """

    def __init__(self, view: View, size, changed):
        self._view, self._size, self._changed = view, size, changed
        self._simulation = view.simulation
        self._last: QPointF | None = None

    def press(self, event: QMouseEvent) -> None:
        self._last = event.position()
        held = event.modifiers()
        if held & _MODIFIERS.ControlModifier:
            self._begin_perturb(event.button(), bool(held & _MODIFIERS.AltModifier))

    def move(self, event: QMouseEvent) -> None:
        view = self._view
        if self._last is None or self._simulation.snapshot is None or view.camera is None:
            return
        _, height = self._size()
        here = event.position()
        dx, dy = (here.x() - self._last.x()) / height, (here.y() - self._last.y()) / height
        self._last = here
        action = self._action(event)
        if view.perturb.active:
            view.perturb.move(action, dx, dy, self._projection())
            self._send()
        else:
            view.camera.move(action, dx, dy, self._simulation.model, self._projection())
        self._changed()

    def release(self, event: QMouseEvent) -> None:
        if event.buttons() == _BUTTONS.NoButton:
            self._last = None
        self._view.release()
        self._changed()

    def double_click(self, event: QMouseEvent) -> None:
        self._last = event.position()
        view, snapshot = self._view, self._simulation.snapshot
        if snapshot is None or snapshot.model is not self._simulation.model:
            return
        hit = self.pick(event.position())
        control = bool(event.modifiers() & _MODIFIERS.ControlModifier)
        if event.button() == _BUTTONS.LeftButton:
            if hit is None:
                view.selection.select(NOTHING)
            else:
                view.selection.select(Selection("body", hit.bodyid) if hit.bodyid else Selection(*hit.object))
                if hit.bodyid:
                    view.perturb.localpos = hit.localpos(snapshot)
        elif event.button() == _BUTTONS.RightButton and hit is not None:
            from engine.scene.camera import FREE, TRACKING

            if view.camera.type == "fixed":
                view.camera.type = FREE
            view.camera.lookat = hit.point.copy()
            if control and hit.bodyid:
                view.camera.type, view.camera.trackbodyid = TRACKING, hit.bodyid
            view.camera_changed.emit()
        self._changed()

    def wheel(self, event: QWheelEvent) -> None:
        camera = self._view.camera
        if camera is None:
            return
        camera.zoom(event.angleDelta().y() / WHEEL_STEP, self._simulation.model)
        self._changed()

    def pick(self, position: QPointF):
        """What lies under a point of the viewport (a Pick), or None."""
        from engine.scene.pick import pick

        simulation = self._simulation
        width, height = self._size()
        origin, direction = self._projection().ray(position.x() / width, position.y() / height)
        return pick(simulation.model, simulation.snapshot, origin, direction, self._view.options)

    def _projection(self):
        from engine.scene.camera import view_of

        width, height = self._size()
        snapshot = self._simulation.snapshot
        return view_of(self._view.camera, snapshot.model, snapshot, width / height)

    def _action(self, event: QMouseEvent):
        from engine.scene.camera import Mouse

        shift = bool(event.modifiers() & _MODIFIERS.ShiftModifier)
        buttons = event.buttons()
        right = bool(buttons & _BUTTONS.RightButton)
        left = bool(buttons & _BUTTONS.LeftButton)
        if left and self._view.perturb.active and _moves(self._view.perturb):
            right = True
        if right:
            return Mouse.MOVE_H if shift else Mouse.MOVE_V
        if left:
            return Mouse.ROTATE_H if shift else Mouse.ROTATE_V
        return Mouse.ZOOM

    def _begin_perturb(self, button: Qt.MouseButton, alt: bool) -> None:
        from engine.scene.perturb import Active

        perturb, model, snapshot = self._view.perturb, self._simulation.model, self._simulation.snapshot
        if snapshot is None or snapshot.model is not model or perturb.select <= 0:
            return
        if button == _BUTTONS.RightButton or (button == _BUTTONS.LeftButton and alt):
            active = Active.TRANSLATE
        elif button == _BUTTONS.LeftButton:
            active = Active.ROTATE
        else:
            return
        perturb.begin(active, model, snapshot, self._projection())
        self._send()

    def _send(self) -> None:
        # The arrays of a Perturb are replaced, never written: a shallow copy is the thread's own.
        self._simulation.perturb(copy.copy(self._view.perturb))


def _moves(perturb) -> bool:
    from engine.scene.perturb import Active

    return bool(perturb.active & Active.TRANSLATE)
