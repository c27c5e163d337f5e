"""Recorded numbers of two models that are simulated side by side (`engine/run/companion.py`), in one table.

Rows are the steps of the first model; beside each stand the numbers of the other model from its last step that is not
later. With the same time step that is the step at the same time.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from kinetree.engine.run.recorder import RecordedRows, RecordReader

LATE = 1e-6
"""By how much a step of the other model may be later, of its time step: times are sums of rounded numbers."""


class Beside:
    """Reads two recorders that were begun together.

    Rows of the first model wait until the other model has reached their time, but not longer than until the next read:
    a simulation that has failed stands still, and its numbers are then not there (nan).
    """

    def __init__(self, first: RecordReader, other: RecordReader, timestep: float):
        """timestep: of the other model, s."""
        self.first, self.other = first, other
        self._early = LATE * timestep
        self._width = len(other.recorder.columns)
        self._runs: deque[tuple[np.ndarray, np.ndarray]] = deque()  # times, which increase, and values
        self._waiting: RecordedRows | None = None
        self._shown = -np.inf  # time of the last row that was given, of the present run

    def read(self) -> RecordedRows:
        """The steps since the last call, with the columns of the other model behind those of the first."""
        rows, waited = self.first.read(), 0
        if self._waiting is not None:
            waited = len(self._waiting.times)
            times, steps, values = (np.concatenate(pair) for pair in zip(self._waiting[:3], rows[:3], strict=True))
            rows = RecordedRows(times, steps, values, rows.lost)
        found = self.other.read()
        for part in _runs(found.times):
            self._extend(found.times[part], found.values[part])
        values = np.full((len(rows.times), self._width), np.nan)
        ready = len(rows.times)
        for part in _runs(rows.times):
            if part.start or rows.times[0] <= self._shown:
                self._next_run()
            reached = self._fill(rows.times[part], values[part])
            if part.stop == len(rows.times):  # the newest run: its last steps may be ahead of the other model
                ready = max(part.start + reached, waited)
                self._shown = rows.times[ready - 1] if ready > part.start else -np.inf
        self._waiting = RecordedRows(rows.times[ready:], rows.steps[ready:], rows.values[ready:], 0)
        joined = np.concatenate([rows.values[:ready], values[:ready]], axis=1)
        return RecordedRows(rows.times[:ready], rows.steps[:ready], joined, rows.lost)

    def _extend(self, times: np.ndarray, values: np.ndarray) -> None:
        if self._runs and self._runs[-1][0][-1] < times[0]:
            before = self._runs.pop()
            times, values = np.concatenate([before[0], times]), np.concatenate([before[1], values])
        self._runs.append((times, values))

    def _next_run(self) -> None:
        if self._runs:
            self._runs.popleft()

    def _fill(self, times: np.ndarray, values: np.ndarray) -> int:
        """Fill `values` with numbers of the other model at increasing times; returns how many of the times it has
        reached."""
        while len(self._runs) > 1 and not self._covers(self._runs[0][0], times):
            self._next_run()
        if not self._runs or not self._covers(self._runs[0][0], times):
            return 0
        known, found = self._runs[0]
        places = np.searchsorted(known, times + self._early, side="right") - 1
        there = places >= 0
        values[there] = found[places[there]]
        keep = max(int(places[-1]), 0)
        self._runs[0] = known[keep:], found[keep:]
        return int(np.searchsorted(times, known[-1] + self._early, side="right"))

    def _covers(self, known: np.ndarray, times: np.ndarray) -> bool:
        return bool(known[-1] + self._early >= times[0] and known[0] <= times[-1] + self._early)


def _runs(times: np.ndarray) -> list[slice]:
    """Where times increase: parts between resets and steps back."""
    if not len(times):
        return []
    cuts = (np.flatnonzero(np.diff(times) <= 0) + 1).tolist()
    return [slice(start, end) for start, end in zip([0, *cuts], [*cuts, len(times)], strict=True)]
