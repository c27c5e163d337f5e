"""Measure steps per second and where the time of a step goes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.commands.common import add_seed, cannot_move, load, seed_of
from app.commands.stepping import CALL, report_warnings
from app.terminal import UsageError, fail

if TYPE_CHECKING:
    from engine.run.timing import StepTimes

BUSY = 0.9
"""Where the steps had a smaller share of the processor, the figures say so."""
WORK = {
    "contacts": "contacts",
    "rows": "constraint rows",
    "islands": "islands",
    "iterations": "solver iterations",
}
SMALL = 0.005
"""Stages with a smaller share of the step are listed together."""


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
        failed |= _measure(path, model, seconds) != 0
    return 1 if failed else 0


def _measure(path: str, model, seconds: float) -> int:
    """Measure one model and print the figures; the exit code."""
    import engine
    from engine.run.timing import step_times

    data = engine.Data(model)
    start = time.perf_counter()
    engine.step(model, data, 1)
    ready = time.perf_counter() - start
    steps, spent, block, own = 0, 0.0, 1, 0.0
    while spent < seconds:
        start, begun = time.perf_counter(), time.thread_time()
        engine.step(model, data, block)
        took = time.perf_counter() - start
        own += time.thread_time() - begun
        steps, spent = steps + block, spent + took
        if took < CALL:
            block *= 2
    rate = steps / spent
    code = report_warnings(model, data, steps, f"bench: {path}")
    times = step_times(model, data, max(10, int(0.5 * rate * min(seconds, 2.0))))
    print(f"{path}")
    print(f"  {model.nbody} bodies, {model.nv} dofs, {model.ngeom} geoms, {model.nu} actuators")
    speed = "" if code else f", {rate * model.opt.timestep:.1f} times real time"
    print(f"  {rate:,.0f} steps/s, {1e6 / rate:.1f} us a step{speed}")
    if own < BUSY * spent:
        print(f"  other programs had {100 * (1 - own / spent):.0f} % of that time; alone: {steps / own:,.0f} steps/s")
    print(f"  ready to step after {ready:.2f} s")
    print("  work in a step, mean (greatest):")
    for name in ("contacts", "rows", "islands", "iterations"):
        values = [getattr(done, name) for done in times.work]
        print(f"  {sum(values) / len(values):9.1f} {f'({max(values)})':>8}  {WORK[name]}")
    print(f"  time in a step, {1e6 * times.step:.1f} us:")
    for name, value in parts(times):
        print(f"  {100 * value / times.step:5.1f} %  {1e6 * value:9.2f} us  {name}")
    return code


def parts(times: StepTimes) -> list[tuple[str, float]]:
    """(name, seconds) of what a step consists of, the longest stage first. They add up to the step."""
    shown = sorted(times.stages, key=lambda item: -item[1])
    small = [value for _, value in shown if value <= SMALL * times.step]
    shown = [item for item in shown if item[1] > SMALL * times.step]
    if small:
        shown.append((f"{len(small)} other stages", sum(small)))
    rest = "between the stages" if times.other >= 0 else "saved: the processor overlaps short stages"
    return [*shown, (rest, times.other)]
