"""Where the time of a step goes: each stage timed inside the compiled call, while the simulation goes on."""

from __future__ import annotations

import ctypes
import sys
import time
from dataclasses import dataclass

import numpy as np

from engine.dynamics import forward
from engine.model.data import Data
from engine.model.model import Model
from engine.run import stage_timer
from engine.run.stage_timer import ARGUMENT, CLOCK, RESULT, SUMS, UNITS

BLOCK = 0.01
"""About how long plain and timed steps take turns, s."""


@dataclass(frozen=True)
class StepTimes:
    """Mean times of one step, s.

    step    of a step without the timer
    stages  (name, time) of each stage, in order
    other   what is left: the loop over the stages, and how much slower or faster they are beside the timer
    """

    step: float
    stages: list[tuple[str, float]]

    @property
    def other(self) -> float:
        return self.step - sum(seconds for _, seconds in self.stages)


class StageTimer:
    """Steps that time their stages. `stages()` are the means so far."""

    def __init__(self, model: Model):
        """Raises ModelError for a model that cannot be simulated."""
        from engine.jit.compiler import address_of

        pipeline = forward.pipeline(model)
        self._names, number = pipeline.names, len(pipeline.names)
        self._ticks = address_of(stage_timer.begin), address_of(stage_timer.tick)
        self._stages = self._timed(pipeline.step)
        self._result = np.zeros(2, np.int64)
        self._words = np.zeros(SUMS + number, np.int64)
        function, argument, self._units = _clock(self._result.ctypes.data)
        self._words[[CLOCK, ARGUMENT, UNITS]] = function, argument, self._units
        self._words[RESULT] = self._result.ctypes.data + (8 if sys.platform == "win32" else 0)
        self._steps = 0
        self._own = 0.0  # time of a stage that does nothing, s

    def _timed(self, table: np.ndarray) -> np.ndarray:
        begin, tick = self._ticks
        timed = np.full(1 + 2 * len(table), tick, np.int64)
        timed[0], timed[1::2] = begin, table
        return timed

    def step(self, model: Model, data: Data, nstep: int) -> None:
        """`engine.step` of the model that the timer was made for, with the options that it had then."""
        if self._steps == 0:
            self._calibrate(model, data)
        data.timer = self._words.ctypes.data
        try:
            forward.run_stages(model, data, nstep, self._stages)
        finally:
            data.timer = 0
        self._steps += nstep

    def _calibrate(self, model: Model, data: Data) -> None:
        """Find the time between two ticks with nothing between them."""
        begin, tick = self._ticks
        number, rounds = len(self._words) - SUMS, 2000
        data.timer = self._words.ctypes.data
        try:
            forward.run_stages(model, data, rounds, np.array([begin, *[tick] * number], np.int64))
        finally:
            data.timer = 0
        self._own = float(self._words[SUMS:].mean()) / rounds / self._units
        self._words[SUMS:] = 0

    def stages(self) -> list[tuple[str, float]]:
        """(name, mean time in s) of each stage of a step, in order."""
        means = self._words[SUMS:] / max(1, self._steps) / self._units - self._own
        return [(name, max(0.0, float(mean))) for name, mean in zip(self._names, means, strict=True)]


def step_times(model: Model, data: Data, steps: int) -> StepTimes:
    """The mean times over about so many steps with the timer and as many without, in turns. The data is advanced.

    Raises ModelError for a model that cannot be simulated.
    """
    timer = StageTimer(model)
    forward.step(model, data, 1)
    timer.step(model, data, 1)
    start = time.perf_counter()
    forward.step(model, data, 5)
    block = max(1, min(steps, int(5 * BLOCK / max(time.perf_counter() - start, 1e-9))))
    plain, done = 0.0, 0
    while done < steps:
        start = time.perf_counter()
        forward.step(model, data, block)
        plain += time.perf_counter() - start
        timer.step(model, data, block)
        done += block
    return StepTimes(plain / done, timer.stages())


def _clock(result: int) -> tuple[int, int, int]:
    """The system's clock as a C function: (address, first argument, units in a second)."""
    if sys.platform == "win32":
        kernel32 = ctypes.windll.kernel32
        frequency = ctypes.c_int64()
        kernel32.QueryPerformanceFrequency(ctypes.byref(frequency))
        address = ctypes.cast(kernel32.QueryPerformanceCounter, ctypes.c_void_p).value
        return address, result + 8, frequency.value  # its only argument: where it writes
    address = ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value
    return address, time.CLOCK_MONOTONIC, 10**9
