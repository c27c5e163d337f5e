"""A recorded motion shown in place of the simulation: from row to row, without physics.

It is gone through as a History is: `first`, `last`, `position`, `behind`, `course`, `seek`. Recorders get each row that
is played, with numbers of steps below 0: the last row is step -1. So nobody takes them for steps of the simulation.
"""

from __future__ import annotations

from collections.abc import Sequence

from kinetree.engine.dynamics import forward
from kinetree.engine.model.data import Data
from kinetree.engine.model.model import Model
from kinetree.engine.run import recorder
from kinetree.engine.run.motion import Motion
from kinetree.engine.run.timeline import Mark


class Playback:
    """A motion that is played. `name`: its name for the user; `loops`: whether it begins again after its last row."""

    first = 0

    def __init__(self, motion: Motion, model: Model, name: str, loops: bool = False):
        """Raises ValueError where no column belongs to the model."""
        self.motion, self.name, self.loops = motion, name, loops
        self.places = motion.places(model)
        self.course = motion.course()
        self.position = 0
        self.last = len(motion.times) - 1

    @property
    def behind(self) -> int:
        """How many rows before the last one the position is."""
        return self.last - self.position

    @property
    def timestep(self) -> float:
        """Time from this row to the next one, s."""
        times, row = self.motion.times, min(self.position, max(0, self.last - 1))
        return float(times[row + 1] - times[row]) if self.last else 1.0

    def seek(self, model: Model, data: Data, row: int) -> int:
        """Show the row nearest to a number; returns its number."""
        self.position = min(max(row, 0), self.last)
        self.motion.show(self.places, data, self.position)
        forward.forward(model, data)
        return self.position

    def play(self, model: Model, data: Data, row: int, recorders: Sequence[recorder.Recorder]) -> int:
        """Show a row, and record each one up to it that comes after the present one; from the first row on where it
        does not come after it."""
        if not recorders:
            return self.seek(model, data, row)
        row = min(max(row, 0), self.last)
        first = self.position + 1 if row > self.position else 0
        for number in range(first, row + 1):
            self.position = number
            self.motion.show(self.places, data, number)
            for each in recorders:
                each.step = number - self.last - 2  # the recorder adds 1
            recorder.forward(model, data, recorders)
        return row

    def seek_mark(self, model: Model, data: Data, mark: Mark) -> int:
        """Show the row at which something happened."""
        return self.seek(model, data, mark.step)
