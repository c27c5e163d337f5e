"""Measure steps per second and where the time of a step goes."""

from __future__ import annotations

import time

from app.commands.common import add_seed, cannot_move, load, seed_of
from app.terminal import UsageError, fail


def add_arguments(parser) -> None:
    parser.add_argument("models", metavar="MODEL", nargs="+", help="model files")
    parser.add_argument("--seconds", default=2.0, metavar="S", help="how long to measure each (default 2)")
    add_seed(parser)


def run(options) -> int:
    try:
        seconds = float(options.seconds)
    except ValueError:
        raise UsageError(f"bench: --seconds {options.seconds!r} is not a number") from None
    if not 0.01 <= seconds <= 3600:
        raise UsageError("bench: --seconds must be between 0.01 and 3600")
    failed, seed = False, seed_of(options)
    for path in options.models:
        model = load(path, seed)
        if model is None:
            failed = True
            continue
        if model.unsimulated:
            fail(f"bench: {cannot_move(model)}")
            failed = True
            continue
        _measure(path, model, seconds)
    return 1 if failed else 0


def _measure(path: str, model, seconds: float) -> None:
    import engine

    data = engine.Data(model)
    start = time.perf_counter()
    engine.step(model, data, 1)
    ready = time.perf_counter() - start
    steps, spent, block = 0, 0.0, 1
    while spent < seconds:
        start = time.perf_counter()
        engine.step(model, data, block)
        took = time.perf_counter() - start
        steps, spent = steps + block, spent + took
        if took < 0.05:
            block *= 2
    rate = steps / spent
    print(f"{path}")
    print(f"  {model.nbody} bodies, {model.nv} dofs, {model.ngeom} geoms, {model.nu} actuators")
    print(
        f"  {rate:,.0f} steps/s, {1e6 / rate:.1f} us a step, {rate * model.opt.timestep:.1f} times real time"
    )
    print(
        f"  {data.ncon} contacts, {data.nefc} constraint rows at the end; ready to step after {ready:.2f} s"
    )
    times = stage_times(model, data, max(10, int(0.5 * rate * min(seconds, 2.0))))
    total = sum(value for _, value in times)
    for name, value in sorted(times, key=lambda item: -item[1]):
        if value > 0.005 * total:
            print(f"  {100 * value / total:5.1f} %  {1e6 * value:9.2f} us  {name}")


def stage_times(model, data, steps: int) -> list[tuple[str, float]]:
    """Seconds in each stage of a step, averaged over some steps that are really taken."""
    from engine.run.timing import stage_times as measure

    return measure(model, data, steps)
