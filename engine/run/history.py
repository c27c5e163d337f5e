"""A ring of past states, to step back through.

States are kept at most `capacity` of them and within `budget` bytes; the oldest go first. A state is what a step
starts from: time, qpos, qvel, act, ctrl, applied forces, mocap poses, equality switches and the warm start.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from engine.model.data import Data

STATE: tuple[str, ...] = (
    "qpos", "qvel", "act", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active",
    "mocap_pos", "mocap_quat",
)  # fmt: skip
"""The arrays that a step starts from, besides the time."""

State = tuple[float, dict[str, np.ndarray]]


def state_of(data: Data) -> State:
    """A copy of the state."""
    return data.time, {name: getattr(data, name).copy() for name in STATE}


def restore(data: Data, state: State) -> None:
    """Put a state back; call `engine.forward` after it."""
    data.time = state[0]
    for name, value in state[1].items():
        setattr(data, name, value)


class History:
    """The last states, newest last, and a place in them while the user goes back and forth."""

    def __init__(self, capacity: int = 2000, budget: int = 100_000_000):
        self._capacity, self._budget = capacity, budget
        self._states: deque[State] = deque()
        self._size = 0
        self._place = 0  # how many states before the newest we are

    def __len__(self) -> int:
        return len(self._states)

    @property
    def behind(self) -> int:
        """How many states before the newest we are."""
        return self._place

    def clear(self) -> None:
        self._states.clear()
        self._size = self._place = 0

    def record(self, data: Data) -> None:
        """Add the state as the newest one. What was after the present place is forgotten."""
        while self._place > 0:
            self._forget(self._states.pop())
            self._place -= 1
        state = state_of(data)
        self._states.append(state)
        self._size += _bytes(state)
        while len(self._states) > self._capacity or (self._size > self._budget and len(self._states) > 1):
            self._forget(self._states.popleft())

    def back(self, data: Data) -> bool:
        """Go to the state before; False at the oldest."""
        if self._place + 1 >= len(self._states):
            return False
        self._place += 1
        restore(data, self._states[-1 - self._place])
        return True

    def forward(self, data: Data) -> bool:
        """Go to the state after; False at the newest."""
        if self._place == 0:
            return False
        self._place -= 1
        restore(data, self._states[-1 - self._place])
        return True

    def _forget(self, state: State) -> None:
        self._size -= _bytes(state)


def _bytes(state: State) -> int:
    return sum(array.nbytes for array in state[1].values())
