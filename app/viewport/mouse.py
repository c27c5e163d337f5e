"""Mouse control of the viewport, with the gestures of MuJoCo's simulate.

Distances are fractions of the viewport's height, y downwards, as the camera and the perturbation take them.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from app.workspace.selection import NOTHING, Selection
from app.workspace.view import View

if TYPE_CHECKING:
    from engine.scene.camera import Camera
    from engine.scene.perturb import Perturb
    from engine.scene.pick import Pick

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
        camera, perturb = self._view.camera, self._view.perturb
        if self._last is None or self._simulation.snapshot is None or camera is None or perturb is None:
            return
        _, height = self._size()
        here = event.position()
        dx, dy = (here.x() - self._last.x()) / height, (here.y() - self._last.y()) / height
        self._last = here
        action = _action(event, perturb)
        if perturb.active:
            perturb.move(action, dx, dy, self._projection(camera))
            self._send(perturb)
        else:
            camera.move(action, dx, dy, self._simulation.model, self._projection(camera))
        self._changed()

    def release(self, event: QMouseEvent) -> None:
        if event.buttons() == _BUTTONS.NoButton:
            self._last = None
        self._view.release()
        self._changed()

    def double_click(self, event: QMouseEvent) -> None:
        self._last = event.position()
        view, snapshot = self._view, self._simulation.snapshot
        camera, perturb = view.camera, view.perturb
        if snapshot is None or snapshot.model is not self._simulation.model:
            return
        if camera is None or perturb is None:
            return
        hit = self.pick(event.position(), camera)
        control = bool(event.modifiers() & _MODIFIERS.ControlModifier)
        if event.button() == _BUTTONS.LeftButton:
            if hit is None:
                view.selection.select(NOTHING)
            else:
                view.selection.select(Selection("body", hit.bodyid) if hit.bodyid else Selection(*hit.object))
                if hit.bodyid:
                    perturb.localpos = hit.localpos(snapshot)
        elif event.button() == _BUTTONS.RightButton and hit is not None:
            from engine.scene.camera import FREE, TRACKING

            if camera.type == "fixed":
                camera.type = FREE
            camera.lookat = hit.point.copy()
            if control and hit.bodyid:
                camera.type, camera.trackbodyid = TRACKING, hit.bodyid
            view.camera_changed.emit()
        self._changed()

    def wheel(self, event: QWheelEvent) -> None:
        camera = self._view.camera
        if camera is None:
            return
        camera.zoom(event.angleDelta().y() / WHEEL_STEP, self._simulation.model)
        self._changed()

    def pick(self, position: QPointF, camera: Camera) -> Pick | None:
        """What lies under a point of the viewport, None for the background."""
        from engine.scene.pick import pick

        simulation = self._simulation
        width, height = self._size()
        origin, direction = self._projection(camera).ray(position.x() / width, position.y() / height)
        return pick(simulation.model, simulation.snapshot, origin, direction, self._view.options)

    def _projection(self, camera: Camera):
        from engine.scene.camera import view_of

        width, height = self._size()
        snapshot = self._simulation.snapshot
        assert snapshot is not None
        return view_of(camera, snapshot.model, snapshot, width / height)

    def _begin_perturb(self, button: Qt.MouseButton, alt: bool) -> None:
        from engine.scene.perturb import Active

        perturb, model, snapshot = self._view.perturb, self._simulation.model, self._simulation.snapshot
        camera = self._view.camera
        if snapshot is None or snapshot.model is not model or camera is None:
            return
        if perturb is None or perturb.select <= 0:
            return
        if button == _BUTTONS.RightButton or (button == _BUTTONS.LeftButton and alt):
            active = Active.TRANSLATE
        elif button == _BUTTONS.LeftButton:
            active = Active.ROTATE
        else:
            return
        perturb.begin(active, model, snapshot, self._projection(camera))
        self._send(perturb)

    def _send(self, perturb: Perturb) -> None:
        # The arrays of a Perturb are replaced, never written: the thread may keep a shallow copy.
        self._simulation.perturb(copy.copy(perturb))


def _action(event: QMouseEvent, perturb: Perturb):
    """The movement that buttons and Shift stand for."""
    from engine.scene.camera import Mouse
    from engine.scene.perturb import Active

    shift = bool(event.modifiers() & _MODIFIERS.ShiftModifier)
    right = bool(event.buttons() & _BUTTONS.RightButton)
    left = bool(event.buttons() & _BUTTONS.LeftButton)
    if right or (left and perturb.active & Active.TRANSLATE):
        return Mouse.MOVE_H if shift else Mouse.MOVE_V
    if left:
        return Mouse.ROTATE_H if shift else Mouse.ROTATE_V
    return Mouse.ZOOM
