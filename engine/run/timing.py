"""Profile of a step: the time of each stage, measured inside the compiled call while the simulation goes on, and its
amount of work.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from kinetree.engine import jit
from kinetree.engine.dynamics import forward
from kinetree.engine.model.data import Data, check_pair
from kinetree.engine.model.model import Model
from kinetree.engine.platforms import native
from kinetree.engine.run import stage_timer
from kinetree.engine.run.stage_timer import ARGUMENT, CLOCK, RESULT, SUMS, UNITS

BLOCK = 0.002
"""About how long plain and timed steps take turns, s: short beside changes of the processor's speed."""
TURNS = 10
"""At least so many of them, where there are as many steps."""


@dataclass(frozen=True)
class Work:
    """Amount of work of the last step.

    contacts    number of contacts
    rows        number of constraint rows
    islands     number of islands that the constraints make of the model, 0 where it is solved as a whole
    iterations  iterations of the constraint solver, in all islands that are counted (`dynamics/solver/statistics.py`)
    """

    contacts: int
    rows: int
    islands: int
    iterations: int


def work(data: Data) -> Work:
    """Amount of work of the last step of a Data."""
    return Work(data.ncon, data.nefc, data.nisland, int(data.solver_niter.sum()))


@dataclass(frozen=True)
class StepTimes:
    """Times of one step, s.

    step    of a step without the timer, processor time
    stages  (name, time) of each stage, in order
    work    what steps in between had to do
    """

    step: float
    stages: list[tuple[str, float]]
    work: list[Work] = field(default_factory=list)

    @property
    def other(self) -> float:
        """Remaining time, s: the loop over the stages. Below 0 where short stages overlap in the processor."""
        return self.step - sum(seconds for _, seconds in self.stages)


class StageTimer:
    """Steps that time their stages, for a model with the options that it has now."""

    def __init__(self, model: Model):
        """Raises ModelError for a model that cannot be simulated."""
        pipeline = forward.pipeline(model)
        self.names = tuple(dict.fromkeys(pipeline.names))
        self._names = np.array([self.names.index(name) for name in pipeline.names])
        begin, tick = jit.compiler.address_of(stage_timer.begin), jit.compiler.address_of(stage_timer.tick)
        self._nothing = np.array([begin, *[tick] * len(pipeline.names)], np.int64)
        self._stages = np.full(1 + 2 * len(pipeline.names), tick, np.int64)
        self._stages[0], self._stages[1::2] = begin, pipeline.step
        self._result = np.zeros(2, np.int64)
        self._words = np.zeros(SUMS + len(pipeline.names), np.int64)
        address = self._result.ctypes.data
        self._words[[CLOCK, ARGUMENT, UNITS]] = native.clock(address)
        self._words[RESULT] = address
        self._own = 0.0  # what the timer adds to each stage, s

    def step(self, model: Model, data: Data, nstep: int) -> np.ndarray:
        """`kinetree.step`, after a first one by `kinetree.step` itself; the mean time of each of `names` in a step, s.

        RK4 runs most stages four times a step.
        """
        if self._own == 0.0:
            self._own = min(float(self._run(model, data, 100, self._nothing).mean()) for _ in range(20))
        times = np.maximum(self._run(model, data, nstep, self._stages) - self._own, 0.0)
        return np.bincount(self._names, times, len(self.names))

    def _run(self, model: Model, data: Data, nstep: int, table: np.ndarray) -> np.ndarray:
        """Run a table of stages with the timer; the mean time between two ticks, s."""
        check_pair(model, data)
        self._words[SUMS:] = 0
        data.timer = self._words.ctypes.data
        try:
            forward.run_stages(model, data, nstep, table)
        finally:
            data.timer = 0
        return self._words[SUMS:] / (nstep * float(self._words[UNITS]))


def step_times(model: Model, data: Data, steps: int) -> StepTimes:
    """The mean times over about so many steps with the timer and as many without, in turns. The data is advanced.

    Other programs do not count: the time of plain steps is the processor's, that of a stage the median of all turns.

    Raises ModelError for a model that cannot be simulated.
    """
    timer = StageTimer(model)
    forward.step(model, data, 1)
    timer.step(model, data, 1)
    start = time.perf_counter()
    forward.step(model, data, 5)
    block = max(1, min(steps // TURNS, int(5 * BLOCK / max(time.perf_counter() - start, 1e-9))))
    plain, timed, done = [], [], []
    for _ in range(-(-steps // block)):
        start = time.thread_time()
        forward.step(model, data, block)
        plain.append((time.thread_time() - start) / block)
        done.append(work(data))
        timed.append(timer.step(model, data, block))
    stages = zip(timer.names, np.median(timed, axis=0).tolist(), strict=True)
    return StepTimes(float(np.median(plain)), list(stages), done)
