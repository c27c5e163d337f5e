"""Sums of contact forces over the last moments, from every step: what the contacts panel shows as means."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine import run
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.run.contact_tally import ContactTally, Tally


class ContactAverages(QObject):
    """Sums contact forces of every step while it is on and a span is set. `changed()`: there are newer sums.

    span      how much simulated time the sums are over, s; 0: none
    is_ready  whether what records is compiled
    seconds   how much time they are over now
    """

    changed = Signal()
    _answered = Signal(object, object)

    def __init__(self, workspace: Workspace, parent: QObject):
        super().__init__(parent)
        self._workspace, self._simulation = workspace, workspace.simulation
        self.span = self.seconds = 0.0
        self.is_ready = False
        self._preparing = self._on = self._asked = False
        self._tally: ContactTally | None = None
        self._parts: deque[tuple[Tally, float, float]] = deque()  # sums, timestep, the time at their end
        self._answered.connect(self._take)
        self._simulation.model_changed.connect(self._renew)

    def set_span(self, seconds: float, on: bool) -> None:
        """Set the simulated time to sum over, 0 for none."""
        self.span = seconds
        self.set_on(on)

    def set_on(self, on: bool) -> None:
        """Record, or not while nobody sees it."""
        self._on = on
        if on and self.span and not self.is_ready and not self._preparing:
            self._preparing = True
            self._workspace.tasks.run(tr("Preparing means"), run.recorder.prepare, self._begin, self._cannot_begin)
        self._renew()

    def _begin(self, _answer: object) -> None:
        self.is_ready = True
        self._renew()
        self.changed.emit()

    def _cannot_begin(self, _reason: str) -> None:
        self._preparing = False

    def _stop(self) -> None:
        if self._tally is not None:
            self._simulation.post(requests.StopRecording(self._tally))
        self._tally = None
        self._parts.clear()

    def _renew(self) -> None:
        """Record with the present model, if that is wanted."""
        model = self._simulation.model
        wanted = self._on and bool(self.span) and self.is_ready and model is not None
        if wanted and self._tally is not None and self._tally.model is model:
            return
        self._stop()
        if wanted and model is not None:
            self._tally = run.contact_tally.ContactTally(model)
            self._simulation.post(requests.Record(self._tally))

    def ask(self) -> None:
        """Ask for the sums of the steps since the last time."""
        tally, answered = self._tally, self._answered
        if tally is None or self._asked:
            return
        self._asked = True

        def take(model: Any, data: Any) -> None:
            taken = (tally.take(), float(model.opt.timestep), float(data.time)) if data is not None else None
            answered.emit(tally, taken)

        self._simulation.post(requests.Ask(take))

    def _take(self, tally: ContactTally, taken: tuple[Tally, float, float] | None) -> None:
        self._asked = False
        if tally is not self._tally or taken is None or not taken[0].steps:
            return
        if self._parts and taken[2] < self._parts[-1][2]:  # a reset, or a step back
            self._parts.clear()
        self._parts.append(taken)
        self.seconds = sum(part.steps * timestep for part, timestep, _ in self._parts)
        while len(self._parts) > 1:
            oldest = self._parts[0][0].steps * self._parts[0][1]
            if self.seconds - oldest < self.span:
                break
            self.seconds -= oldest
            self._parts.popleft()
        self.changed.emit()

    def sums(self) -> Tally:
        """The sums over the span."""
        return run.contact_tally.joined([part for part, _timestep, _time in self._parts])
