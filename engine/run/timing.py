"""Where the time of a step goes: each stage timed by itself, while the simulation goes on."""

from __future__ import annotations

import time

import numpy as np

from engine.dynamics import forward
from engine.model.data import Data
from engine.model.model import Model


def stage_times(model: Model, data: Data, steps: int) -> list[tuple[str, float]]:
    """(name, seconds) of each stage of a step, in order: the mean over `steps` steps that are really taken.

    Each stage is a call of its own from Python, whose cost is measured with no stage at all and taken off.
    """
    from engine.dynamics.run import run as loop
    from engine.jit.compiler import compiled

    run = compiled(loop)

    pipeline = forward.pipeline(model)
    forward.step(model, data, 1)
    tables = [pipeline.step[k : k + 1] for k in range(len(pipeline.step))]
    total = np.zeros(len(tables))
    clock = time.perf_counter
    for _ in range(steps):
        for k, table in enumerate(tables):
            start = clock()
            forward.run_stages(model, data, 1, table)
            total[k] += clock() - start
    nothing = pipeline.step[:0]
    start = clock()
    for _ in range(1000):
        run(model, data, 0, nothing, 0)
    call = (clock() - start) / 1000
    return [
        (name, max(0.0, seconds / max(1, steps) - call))
        for name, seconds in zip(pipeline.names, total, strict=True)
    ]
