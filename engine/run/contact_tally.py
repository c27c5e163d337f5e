"""Forces between all pairs of objects that touch, summed over every step: for means and peaks.

tally = ContactTally(model)
step(model, data, 500, [tally])
found = tally.take()         # between two steps; the next sums begin at 0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinetree.engine.model.model import Model
from kinetree.engine.run import contact_recording as words
from kinetree.engine.run import recording
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.recorder import Recorder

CAPACITY = 4096
"""Pairs that can be told apart, a power of 2."""


@dataclass(frozen=True)
class Tally:
    """Sums over some steps. Arrays have an entry for each pair of sides that touched, lower side first; a side is a
    number as in `kinetree.engine.dynamics.query.contact_force.contact_sides`.

    steps      how many steps
    sides      (n, 2)
    touched    steps with a contact of the pair
    contacts   contacts in all of them
    normal     normal forces, N
    friction   lengths of the friction forces, N
    force      (n, 3) forces on the higher side, world axes, N
    peak       greatest normal force of one step, N
    distance   least distance, m
    left_out   contacts that there was no memory for
    """

    steps: int
    sides: np.ndarray
    touched: np.ndarray
    contacts: np.ndarray
    normal: np.ndarray
    friction: np.ndarray
    force: np.ndarray
    peak: np.ndarray
    distance: np.ndarray
    left_out: int


class ContactTally(Recorder):
    """A recorder that sums up instead of keeping rows. `model`: the one that its numbers of objects belong to."""

    def __init__(self, model: Model):
        self.model = model
        self._memory = np.zeros(words.HEADER_WORDS + CAPACITY * words.ROW_WORDS)
        super().__init__(model, [], capacity=1)

    def _compiled(self, model: Model, header: np.ndarray) -> np.ndarray:
        program = np.zeros(recording.HEADER + recording.CHANNEL, np.int64)
        program[: recording.HEADER] = header
        program[recording.CHANNELS] = 1
        channel = program[recording.HEADER :]
        channel[recording.OPERATION], channel[recording.NUMBER] = recording.TALLY, CAPACITY
        channel[recording.START] = self._memory.ctypes.data
        return program

    @property
    def nbytes(self) -> int:
        """Memory taken, bytes."""
        return super().nbytes + self._memory.nbytes

    def follow(self, matching: Matching) -> None:
        """Go on with the next version of the model, whose objects have other numbers."""
        super().follow(matching)
        self._memory[:] = 0.0

    def take(self) -> Tally:
        """The sums since the last call, then starts at zero again. Call it between two steps, in the thread that
        steps.
        """
        header, rows = self._memory[: words.HEADER_WORDS], self._memory[words.HEADER_WORDS :]
        table = rows.reshape(CAPACITY, words.ROW_WORDS)
        used = table[table[:, words.USED] != 0.0]
        found = Tally(
            int(header[words.STEPS]),
            used[:, [words.FIRST, words.SECOND]].astype(np.int64),
            used[:, words.TOUCHED],
            used[:, words.CONTACTS],
            used[:, words.SUM_NORMAL],
            used[:, words.SUM_FRICTION],
            used[:, words.SUM_X : words.SUM_Z + 1],
            used[:, words.PEAK],
            used[:, words.LEAST],
            int(header[words.LEFT_OUT]),
        )
        self._memory[:] = 0.0
        return found


def joined(tallies: list[Tally]) -> Tally:
    """The sums over all of them."""
    steps, left_out = sum(each.steps for each in tallies), sum(each.left_out for each in tallies)
    if not tallies or not any(len(each.sides) for each in tallies):
        none = np.zeros(0)
        return Tally(steps, np.zeros((0, 2), np.int64), none, none, none, none, np.zeros((0, 3)), none, none, left_out)
    sides, place = np.unique(np.concatenate([each.sides for each in tallies]), axis=0, return_inverse=True)
    place = place.reshape(-1)

    def combined(name: str, combine: np.ufunc, start: float = 0.0) -> np.ndarray:
        values = np.concatenate([getattr(each, name) for each in tallies])
        result = np.full((len(sides), *values.shape[1:]), start)
        combine.at(result, place, values)
        return result

    sums = {name: combined(name, np.add) for name in ("touched", "contacts", "normal", "friction", "force")}
    peak, distance = combined("peak", np.maximum), combined("distance", np.minimum, np.inf)
    return Tally(steps=steps, sides=sides, **sums, peak=peak, distance=distance, left_out=left_out)
