"""Where the time of a step goes, stage by stage: python -m tests.benchmark.bench_step MODEL.xml ..."""

from __future__ import annotations

import statistics
import sys
import time

import engine
from engine.dynamics import forward
from engine.jit.compiler import compiled


def stage_times(model, data, steps: int = 300) -> dict[str, float]:
    """Median microseconds of each stage, called one by one from Python (about 1 us of it is the call)."""
    rows = forward.stages(model)
    kernels = [(row.name, compiled(row.load())) for row in rows]
    engine.step(model, data, 1)
    times: dict[str, list[float]] = {name: [] for name, _ in kernels}
    for _ in range(steps):
        for name, kernel in kernels:
            start = time.perf_counter()
            kernel(model, data)
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) * 1e6 for name, values in times.items()}


def main() -> None:
    for path in sys.argv[1:]:
        model = engine.load(path)
        data = engine.Data(model)
        if model.nkey:
            engine.reset(model, data, 0)
        engine.step(model, data, 200)
        rows = stage_times(model, data)
        print(f"{path}: nv {model.nv}, contacts {data.ncon}, rows {data.nefc}")
        for name, value in sorted(rows.items(), key=lambda row: -row[1]):
            print(f"  {name:24s} {value:9.2f} us")


if __name__ == "__main__":
    main()
