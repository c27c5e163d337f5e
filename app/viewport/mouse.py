"""Mouse control of the viewport, with the gestures of MuJoCo's simulate.

Distances are fractions of the viewport's height, y downwards, as the camera and the perturbation take them.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.bindings import CENTRE, ORBIT, PAN, PULL, PULL_TOO, SELECT, SELECT_MORE, TRACK, TURN, ZOOM
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.app.workspace.view import ViewModel
from kinetree.engine import run, scene
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.run.perturb import Perturb
    from kinetree.engine.scene.camera import Camera
    from kinetree.engine.scene.pick import Pick

_MODIFIERS = Qt.KeyboardModifier
_BUTTONS = Qt.MouseButton
WHEEL_STEP = 120.0  # a notch of a wheel, eighths of a degree
_HOLDS = {TURN: True, PULL: False, PULL_TOO: False}
"""Drags that hold the selected body, and whether they turn it; without a selection they move the camera."""
FINE, COARSE = 0.2, 4.0  # zoom with Shift and with Ctrl, of a notch without


class MouseControl:
    """Turns the viewport's mouse events into movements of the camera or of the selected body.

    `size()` gives the viewport's (width, height) in the events' units, `changed()` asks for a repaint, `say(text)`
    tells the user something.
    """

    def __init__(self, view: ViewModel, size, changed, say):
        self._view, self._size, self._changed, self._say = view, size, changed, say
        self._simulation = view.simulation
        self._last: QPointF | None = None
        self._act = ""  # what the drag does

    def press(self, event: QMouseEvent) -> None:
        self._last = event.position()
        self._act = self._view.bindings.drag(event.button(), event.modifiers())
        if self._act in _HOLDS and not self._view.shows_other:
            self._begin_perturb(_HOLDS[self._act])

    def move(self, event: QMouseEvent) -> None:
        camera, perturb, snapshot = self._view.camera, self._view.perturb, self._simulation.snapshot
        if self._last is None or snapshot is None or camera is None or perturb is None:
            return
        _, height = self._size()
        here = event.position()
        dx, dy = (here.x() - self._last.x()) / height, (here.y() - self._last.y()) / height
        self._last = here
        action = _movement(self._act, bool(event.modifiers() & _MODIFIERS.ShiftModifier))
        if action is None or snapshot.model is not self._simulation.model:  # a camera of the one is none of the other
            return
        if perturb.active:
            scene.drag.move(perturb, action, dx, dy, self._projection(camera))
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
        act = view.bindings.double_click(event.button(), event.modifiers())
        if act in (SELECT, SELECT_MORE):
            self._select_at(event.position(), add=act == SELECT_MORE)
            return
        hit = self.pick(event.position(), camera)
        if act in (CENTRE, TRACK) and hit is not None:
            if camera.type == "fixed":
                camera.type = scene.camera.FREE
            camera.lookat = hit.point.copy()
            body = self._in_open_model(Selection("body", hit.bodyid)).id
            if act == TRACK and body > 0:
                camera.type, camera.trackbodyid = scene.camera.TRACKING, body
            view.camera_changed.emit()
        self._changed()

    def click(self, event: QMouseEvent) -> None:
        """Select what is under the mouse; with Ctrl beside what is selected."""
        self._select_at(event.position(), add=bool(event.modifiers() & _MODIFIERS.ControlModifier))

    def _select_at(self, position: QPointF, add: bool) -> None:
        view, snapshot = self._view, self._simulation.snapshot
        camera, perturb = view.camera, view.perturb
        if snapshot is None or snapshot.model is not self._simulation.model or camera is None or perturb is None:
            return
        hit = self.pick(position, camera)
        self._select(hit, add)
        if hit is not None and hit.bodyid and view.selection.body == hit.bodyid and not view.shows_other:
            perturb.localpos = hit.localpos(snapshot)
        self._changed()

    def _select(self, hit: Pick | None, add: bool) -> None:
        """Select the body that was hit; of the body that is selected already, what was hit of it. `add`: beside
        what is selected, or no more."""
        selection = self._view.selection
        if hit is None:
            if not add:
                selection.select(NOTHING)
            return
        exact = Selection(*hit.object)
        hits = [self._in_open_model(each) for each in (Selection("body", hit.bodyid), exact)]
        found = hits[0] if hit.bodyid else hits[1]
        if found.kind and add:
            selection.toggle(found)
        elif found.kind:
            selection.select(hits[1] if selection.current == found and hits[1].kind else found)
        else:
            other = self._simulation.other
            named = Selection("body", hit.bodyid) if hit.bodyid else exact
            assert other is not None  # all that was hit in the open model is in it
            self._say(tr("Only the compared model has {name}", name=name_of(other, named.kind, named.id)))

    def _in_open_model(self, found: Selection) -> Selection:
        """The object of the open model that an object of the shown one is; NOTHING where it has none."""
        matching = self._simulation.other_matching if self._view.shows_other else None
        if matching is None:
            return found
        number = int(matching.of(found.kind)[found.id])
        return Selection(found.kind, number) if number >= 0 else NOTHING

    def wheel(self, event: QWheelEvent) -> None:
        camera = self._view.camera
        if camera is None:
            return
        camera.zoom(notches(event, self._view.wheel), self._simulation.model)
        self._changed()

    @property
    def holds(self) -> bool:
        """Whether the mouse holds a body."""
        perturb = self._view.perturb
        return perturb is not None and bool(perturb.active)

    def give_up(self) -> None:
        """Let go of the body; while paused it returns to where it was."""
        self._last = None
        self._view.give_up()
        self._changed()

    def pick(self, position: QPointF, camera: Camera) -> Pick | None:
        """The object under a point of the viewport, of the model that it shows; None for the background."""
        simulation, options = self._simulation, self._view.options
        width, height = self._size()
        origin, direction = self._projection(camera).ray(position.x() / width, position.y() / height)
        other = simulation.other_snapshot if self._view.shows_other else None
        if other is not None:
            return scene.pick.pick(other.model, other, origin, direction, options.of_another_model())
        return scene.pick.pick(simulation.model, simulation.snapshot, origin, direction, options)

    def _projection(self, camera: Camera):
        width, height = self._size()
        snapshot = self._simulation.snapshot
        assert snapshot is not None
        return scene.camera.view_of(camera, snapshot.model, snapshot, width / height)

    def _begin_perturb(self, turns: bool) -> None:
        perturb, model, snapshot = self._view.perturb, self._simulation.model, self._simulation.snapshot
        camera = self._view.camera
        if snapshot is None or snapshot.model is not model or camera is None:
            return
        if perturb is None or perturb.select <= 0:
            return
        active = run.perturb.Active.ROTATE if turns else run.perturb.Active.TRANSLATE
        scene.drag.begin(perturb, active, model, snapshot, self._projection(camera))
        self._send(perturb)

    def _send(self, perturb: Perturb) -> None:
        # The arrays of a Perturb are replaced, never written: the thread may keep a shallow copy.
        self._simulation.post(requests.ApplyPerturb(copy.copy(perturb)))


def notches(event: QWheelEvent, wheel: str) -> float:
    """Zoom of a wheel event in notches, positive: nearer. `wheel`: "away" or "nearer", the effect of turning it
    forward. Shift makes the steps finer, Ctrl larger.
    """
    delta, held = event.angleDelta(), event.modifiers()
    speed = FINE if held & _MODIFIERS.ShiftModifier else COARSE if held & _MODIFIERS.ControlModifier else 1.0
    turned = (delta.y() or delta.x()) / WHEEL_STEP  # some systems turn the wheel sideways with Shift or Alt
    return speed * (turned if wheel == "nearer" else -turned)


def _movement(act: str, shift: bool):
    """The movement that a drag is; None where it is none. Shift makes it horizontal."""
    if act in (PAN, PULL, PULL_TOO):
        return scene.camera.Mouse.MOVE_H if shift else scene.camera.Mouse.MOVE_V
    if act in (ORBIT, TURN):
        return scene.camera.Mouse.ROTATE_H if shift else scene.camera.Mouse.ROTATE_V
    return scene.camera.Mouse.ZOOM if act == ZOOM else None
