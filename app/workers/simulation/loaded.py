"""State of the simulation thread while a model is loaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kinetree.engine import run
from kinetree.engine.run.signals import Drive

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.controlling import Controlling
    from kinetree.engine.jit.threads import Threads
    from kinetree.engine.model.data import Data
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.companion import Companion
    from kinetree.engine.run.history import History
    from kinetree.engine.run.recorder import Recorder
    from kinetree.engine.run.until import Until


@dataclass(slots=True)
class Loaded:
    """A model with its state, and everything that goes along with its steps.

    shared     the model as it was loaded, which other threads use too
    model      the same with options of this simulation
    history    steps of this model and of the versions before
    recorders  Recorders that every step is written to
    drive      writes controls before each step
    controller gives the controls of a controller file, None without; what drives an actuator besides takes over
    until      where the run stops by itself
    companion  another model that is compared with this one, None without
    """

    shared: Model
    model: Model
    data: Data
    history: History
    recorders: list[Recorder] = field(default_factory=list)
    drive: Drive = field(default_factory=Drive)
    controller: Controlling | None = None
    until: Until | None = None
    companion: Companion | None = None

    def keep_changes(self) -> None:
        """Let the history have what was set by hand after its newest step."""
        if not self.history.behind and not self.history.is_current(self.model, self.data):
            self.history.before_step(self.model, self.data)

    def note_sought(self) -> None:
        """The history was sought: the drive goes on from there, and the other model goes there too."""
        self.bring_companion()
        self.drive.sought(self.data.time if self.history.behind else None)

    def compare(self, model: Model | None) -> None:
        """Simulate another model beside this one; None: no more."""
        self.companion = None
        if model is not None:
            self.companion = run.companion.Companion(
                model, self.shared, self.data, self.history.limit, self.history.seconds
            )
            self.companion.data.threads = self.data.threads

    def bring_companion(self) -> None:
        """Let the other model go to the same moment of the history."""
        if self.companion is not None:
            self.companion.seek(self.data, self.history.position)

    def stop_recording(self, recorder: Recorder) -> None:
        """Leave a Recorder, of this model or the other one, as it is."""
        for each in (self, self.companion):
            if each is not None:
                each.recorders = [other for other in each.recorders if other is not recorder]

    def limit_history(self, limit: int, seconds: float) -> None:
        """Most memory of the history, bytes, and most simulated time, s."""
        for each in (self, self.companion):
            if each is not None:
                each.history.limit, each.history.seconds = limit, seconds

    def share_threads(self, threads: Threads | None) -> None:
        """Let threads share the work of a step; None: one thread does all."""
        for each in (self, self.companion):
            if each is not None:
                each.data.threads = threads
