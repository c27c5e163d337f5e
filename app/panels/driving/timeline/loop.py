"""Playback of a part of the recorded past, again and again."""

from __future__ import annotations

import math
import time

from PySide6.QtCore import QObject, QTimer, Signal

from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.simulation_controller import SimulationController

EVERY = 33  # time between the states that are shown, ms


class SpanLoop(QObject):
    """Shows the steps of a span one after the other at the speed of the simulation. It ends where somebody else runs
    the simulation or goes to another step.

    span   the first and the last step, None while it does not play

    Signal: `changed()`: it begins or ends.
    """

    changed = Signal()

    def __init__(self, simulation: SimulationController, parent: QObject):
        super().__init__(parent)
        self._simulation = simulation
        self.span: tuple[int, int] | None = None
        self._since = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self._show_next)
        simulation.run_changed.connect(self._end_if_running)
        simulation.model_changed.connect(self.end)

    def begin(self, span: tuple[int, int]) -> None:
        """Play a span from its first step on."""
        self._simulation.post(requests.Pause())
        self.span, self._since = span, time.monotonic()
        self._timer.start()
        self.changed.emit()
        self._show_next()

    def end(self) -> None:
        """Stay at the step that is shown."""
        if self.span is not None:
            self.span = None
            self._timer.stop()
            self.changed.emit()

    def step_at(self, seconds: float) -> int:
        """The step to show at a time since the begin, s."""
        snapshot = self._simulation.snapshot
        if self.span is None or snapshot is None:
            return 0
        course, (first, last) = snapshot.course, self.span
        begin, end = course.elapsed(first), course.elapsed(last)
        speed = self._simulation.speed if math.isfinite(self._simulation.speed) else 1.0
        return min(max(course.step_at(begin + (seconds * speed) % max(end - begin, 1e-9)), first), last)

    def _show_next(self) -> None:
        if self.span is not None:
            self._simulation.post(requests.Seek(self.step_at(time.monotonic() - self._since)))

    def _end_if_running(self) -> None:
        if self._simulation.running:
            self.end()
