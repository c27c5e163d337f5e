"""Poses that were set by hand while the simulation is paused, to be taken back.

A pose is live state and no edit of the text: Undo of the text does not know it. What is kept are positions and
velocities before each pose, until the simulation goes on: the past of a run is in engine/run/history.py.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from kinetree.engine.model.data import Data

FIELDS = ("qpos", "qvel", "mocap_pos", "mocap_quat")
TOGETHER = 0.7
"""Changes of the same thing that follow each other within this time are one, s."""
MOST = 1000
"""Poses that are kept."""

State = tuple[np.ndarray, ...]


class Poses:
    """States before and after the present pose, the nearest last. Belongs to one thread."""

    def __init__(self) -> None:
        self._before: list[State] = []
        self._after: list[State] = []
        self._what: Hashable = None
        self._when = 0.0

    @property
    def counts(self) -> tuple[int, int]:
        """How many poses can be taken back, and how many can be set again."""
        return len(self._before), len(self._after)

    def clear(self) -> None:
        """Forget all: the simulation went on."""
        self._before.clear()
        self._after.clear()
        self._what = None

    def before(self, data: Data, what: Hashable, now: float = 0.0) -> None:
        """Save the state before a pose is set. `what` is moved: poses in a row that move the same are one step; `now`:
        a time, s, a pause begins another step."""
        if what != self._what or now - self._when > TOGETHER:
            if not self._before or not _is_at(data, self._before[-1]):
                self._before.append(_state(data))
            del self._before[:-MOST]
            self._after.clear()
        self._what, self._when = what, now

    def back(self, data: Data) -> bool:
        """Take the last pose back. False if there is none."""
        return self._move(data, self._before, self._after)

    def give_up(self, data: Data, what: Hashable) -> bool:
        """Restore the state from before the current movement and forget it. False if none is remembered."""
        if what != self._what or not self._before:
            return False
        _put(data, self._before.pop())
        self._what = None
        return True

    def again(self, data: Data) -> bool:
        """Set the pose again that was taken back last. False if there is none."""
        return self._move(data, self._after, self._before)

    def _move(self, data: Data, source: list[State], target: list[State]) -> bool:
        while source and _is_at(data, source[-1]):  # nothing came of it
            source.pop()
        if not source:
            return False
        target.append(_state(data))
        _put(data, source.pop())
        self._what = None
        return True


def _state(data: Data) -> State:
    return tuple(getattr(data, name).copy() for name in FIELDS)


def _put(data: Data, state: State) -> None:
    for name, values in zip(FIELDS, state, strict=True):
        getattr(data, name)[...] = values


def _is_at(data: Data, state: State) -> bool:
    return all(np.array_equal(getattr(data, name), values) for name, values in zip(FIELDS, state, strict=True))
