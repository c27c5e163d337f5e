"""One large island that grows: memory and time of its elimination, by bodies.

    python -m tests.benchmark.bench_island [BODIES ...]

Balls in a square grid touch their neighbours and the floor. Printed for each size: non-zeros of the factor,
bytes of all arrays that grow, microseconds of finding the order, of the solver, and of a step in which the
order is kept.
"""

from __future__ import annotations

import sys
import time
from functools import partial

import numpy as np

import kinetree
from kinetree.engine.dynamics import forward
from kinetree.engine.jit.compiler import compiled
from kinetree.engine.model.fields import TABLES


def grid(count: int) -> str:
    """Free balls that touch the floor and each other: one island."""
    side = round(count**0.5)
    bodies = "".join(
        f'<body pos="{0.199 * (i % side)} {0.199 * (i // side)} .0995"><freejoint/><geom size=".1"/></body>'
        for i in range(count)
    )
    floor = '<geom type="plane" size="50 50 1"/>'
    return f'<mujoco><option timestep=".001"/><worldbody>{floor}{bodies}</worldbody></mujoco>'


def growing_bytes(data: kinetree.Data) -> int:
    """Memory of the arrays whose first dimension is a capacity."""
    return sum(data._arrays[field.name].nbytes for field in TABLES["Data"] if field.kind == "array" and field.grows)


def factor_entries(model: kinetree.Model, data: kinetree.Data) -> int:
    return int(data.isl_Hnum[: data.nisland].sum())


def best_of(function, rounds: int = 5) -> float:
    """Least seconds of a call."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def _order(model, data, stage) -> None:
    """Compute the order of elimination again."""
    data.nknown = 0
    stage(model, data)


def _step(model, data, qpos, qvel) -> None:
    data.qpos, data.qvel = qpos, qvel
    kinetree.step(model, data)


def main() -> None:
    print("bodies   non-zeros   MiB   order us   solver us   step us")
    for count in [int(text) for text in sys.argv[1:]] or [50, 200, 800]:
        model = kinetree.load_string(grid(count))
        data = kinetree.Data(model)
        kinetree.step(model, data, 3)
        kinetree.forward(model, data)
        stages = {row.name: compiled(row.load()) for row in forward.stages(model)}
        start = data.qpos.copy(), data.qvel.copy()
        order = best_of(partial(_order, model, data, stages["elimination"]))
        solve = best_of(partial(stages["solve"], model, data))
        step = best_of(partial(_step, model, data, *start))
        print(
            f"{count:6d} {factor_entries(model, data):11d} {growing_bytes(data) / 2**20:5.1f}"
            + "".join(f"{1e6 * seconds:11.0f}" for seconds in (order, solve, step)),
            flush=True,
        )
        assert np.isfinite(data.qpos).all()


if __name__ == "__main__":
    main()
