"""Stages that time the other stages: one before the first, one after each. They call the system's clock.

They follow `data.timer` to a few words of memory (engine/run/timing.py).
"""

from __future__ import annotations

from kinetree.engine.jit.addresses import call_c, words_at
from kinetree.engine.jit.kernel import kernel, small, takes

# Words: address of the clock function, its first argument, where it writes (seconds, then units of it), units a second,
# the stage that is timed, when it began, and from SUMS on the time of each stage.
CLOCK, ARGUMENT, RESULT, UNITS, STAGE, BEGAN = range(6)
SUMS = 8


@small
def _now(timer):
    call_c(timer[CLOCK], timer[ARGUMENT], timer[RESULT])
    result = words_at(timer[RESULT], 2)
    return result[0] * timer[UNITS] + result[1]


@takes("Model", "Data")
@kernel
def begin(model, data):
    """Stage: the first stage begins."""
    timer = words_at(data.timer, SUMS)
    timer[STAGE] = 0
    timer[BEGAN] = _now(timer)


@takes("Model", "Data")
@kernel
def tick(model, data):
    """Stage: one stage has ended, the next one begins."""
    timer = words_at(data.timer, SUMS)
    stage, now = timer[STAGE], _now(timer)
    words_at(data.timer, SUMS + stage + 1)[SUMS + stage] += now - timer[BEGAN]
    timer[STAGE] = stage + 1
    timer[BEGAN] = now
