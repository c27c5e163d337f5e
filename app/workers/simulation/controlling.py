"""The controls of a controller file in the simulation: in lock-step, without blocking the simulation thread.

Before a step at which controls are due the process is asked for them. The step is taken once they are there, so a run
depends on the state and the file only, and not on how fast they are computed: a slow controller makes the simulation
slower, never different. The thread waits `WAIT` for an answer, which is usually enough; after that it goes back to its
requests, and the answer wakes it. Between two calls (RATE in the file) the controls stay as they are.

A controller that does not answer within `DEADLINE` is ended, as one that fails is: the simulation pauses at that step,
and the controls keep their last values.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.app.workers.controller.client import ControllerEnded, ControllerFailure, ControllerProcess
from kinetree.engine.run.control import layout, pack
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

WAIT = 0.002
"""How long a step waits for its controls before the thread does something else, s."""
DEADLINE = 2.0
"""How long a controller may compute, s."""


class Controlling:
    """Belongs to the simulation thread.

    is_waiting  whether controls were asked for and have not come
    has_ended   whether the process gives no more
    """

    def __init__(self, process: ControllerProcess, wake: Callable[[], None]):
        self.process = process
        process.wake = wake
        self.is_waiting = self.has_ended = False
        self._asked: np.ndarray | None = None  # the state of the newest question
        self._found: np.ndarray | None = None  # the answer to it
        self._held: np.ndarray | None = None  # the controls of now
        self._job = 0
        self._since = 0.0
        self._next = self._due = 0.0  # the times of the next step and of the next call, s

    def show_model(self, model: Model) -> None:
        """Go on with another version of the model."""
        self.process.show_model(layout(model))
        self._asked = self._found = self._held = None
        self.is_waiting = False

    def left(self) -> float:
        """How long it may still compute, s."""
        return max(0.0, self._since + DEADLINE - time.perf_counter())

    def is_ready(self, model: Model, data: Any) -> bool:
        """Whether the controls for the step from this state are there; asks for them where they are due."""
        now, step = float(data.time), float(model.opt.timestep)
        begins = self._held is None or abs(now - self._next) > 0.5 * step
        if not begins and now < self._due - 0.5 * step:
            return True
        state = pack(data)
        if self._asked is None or not np.array_equal(self._asked, state):
            self._job = self.process.ask(state, begins)
            self._asked, self._found, self._since = state, None, time.perf_counter()
            self.is_waiting = True
        self.look(WAIT)
        if self._found is None:
            return False
        self._held, self._asked = self._found, None
        self._due = now + (step if self.process.rate is None else 1.0 / self.process.rate)
        return True

    def look(self, wait: float = 0.0) -> None:
        """Take the answer if it is there, waiting so long at most, s; end a controller that is too late."""
        if not self.is_waiting:
            return
        try:
            self._found = self.process.answer(self._job, wait)
        except ControllerEnded:
            self.has_ended, self.is_waiting = True, False
            return
        self.is_waiting = self._found is None
        if self.is_waiting and not self.left():
            message = tr("control() has not answered for {seconds:g} s, and was ended", seconds=DEADLINE)
            self.process.kill(ControllerFailure(self.process.path, 0, message))
            self.has_ended, self.is_waiting = True, False

    def apply(self, model: Model, data: Any) -> None:
        """Write the controls for the step that comes."""
        data.ctrl[:] = self._held
        self._next = float(data.time) + float(model.opt.timestep)
