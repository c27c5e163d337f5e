"""A body pulled by the program as the mouse would: a force while the simulation runs, a pose while paused."""

from __future__ import annotations

import copy

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

from kinetree.app.viewport.viewport import Viewport
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.view import ViewModel
from kinetree.engine import run, scene

LASTS = 900  # ms
WAY = 0.22, 0.1
"""How far to the right and down, in heights of the viewport."""


class Pull(QObject):
    """Pulls a body along a line and lets go. `ended()`: it let go, or could not begin."""

    ended = Signal()

    def __init__(self, view: ViewModel, viewport: Viewport, parent: QObject):
        super().__init__(parent)
        self._view, self._viewport = view, viewport
        self._share = 0.0
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setDuration(LASTS)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutSine)
        self._animation.valueChanged.connect(self._go_on)
        self._animation.finished.connect(self._arrive)
        self._has_arrived = False
        view.simulation.snapshot_changed.connect(self._look)

    def begin(self, body: int) -> None:
        """Select a body by its id, and pull it."""
        view, eye = self._view, self._viewport.eye()
        view.selection.select(Selection("body", body))
        snapshot, perturb = view.simulation.snapshot, view.perturb
        if eye is None or perturb is None or snapshot is None or snapshot.model is not view.simulation.model:
            self.ended.emit()
            return
        perturb.localpos = perturb.localpos * 0.0
        scene.drag.begin(perturb, run.perturb.Active.TRANSLATE, view.simulation.model, snapshot, eye)
        self._share, self._has_arrived = 0.0, False
        self._animation.start()

    def _go_on(self, share: float) -> None:
        eye, perturb = self._viewport.eye(), self._view.perturb
        if eye is None or perturb is None or not perturb.active:  # another model came, or the user took over
            return
        by = share - self._share
        self._share = share
        scene.drag.move(perturb, scene.camera.Mouse.MOVE_V, by * WAY[0], by * WAY[1], eye)
        self._view.simulation.post(requests.ApplyPerturb(copy.copy(perturb)))

    def _arrive(self) -> None:
        self._has_arrived = True

    def _look(self) -> None:
        """Let go once the state shows the pull: where pictures take long, it may begin and end between two states."""
        snapshot = self._view.simulation.snapshot
        if self._has_arrived and snapshot is not None and (not snapshot.running or snapshot.xfrc_applied.any()):
            self.end()

    def end(self) -> None:
        """Let go."""
        self._animation.stop()
        self._has_arrived = False
        self._view.release()
        self.ended.emit()
