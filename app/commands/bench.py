"""Measure steps per second and where the time of a step goes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import kinetree
from kinetree import engine
from kinetree.app.commands.arguments import add_model, add_seed, seed_of
from kinetree.app.commands.common import cannot_move, load
from kinetree.app.commands.stepping import CALL, report_warnings
from kinetree.app.terminal import UsageError, fail
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.run.timing import StepTimes

BUSY = 0.9
"""Where the steps had a smaller share of the processor, the figures say so."""
WORK = {
    "contacts": "contacts",
    "rows": marked("constraint rows"),
    "islands": "islands",
    "iterations": marked("solver iterations"),
}
SMALL = 0.005
"""Stages with a smaller share of the step are listed together."""


def add_arguments(parser) -> None:
    add_model(parser, "models", metavar="MODEL", nargs="+", help=tr("model files, or names of models"))
    parser.add_argument("--seconds", default=2.0, metavar="S", help=tr("how long to measure each (default 2)"))
    parser.add_argument(
        "--threads", default=1, metavar="N", help=tr("threads that share the work of a step (default 1)")
    )
    add_seed(parser)


def run(options) -> int:
    try:
        seconds = float(options.seconds)
    except ValueError:
        raise UsageError(tr("bench: --seconds {seconds!r} is not a number", seconds=options.seconds)) from None
    if not 0.01 <= seconds <= 3600:
        raise UsageError(tr("bench: --seconds must be between 0.01 and 3600"))
    try:
        threads = int(options.threads)
    except ValueError:
        raise UsageError(tr("bench: --threads {threads!r} is not a whole number", threads=options.threads)) from None
    if not 1 <= threads <= 64:
        raise UsageError(tr("bench: --threads must be between 1 and 64"))
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
        failed |= _measure(path, model, seconds, threads) != 0
    return 1 if failed else 0


def _measure(path: str, model, seconds: float, threads: int) -> int:
    """Measure one model and print the figures; the exit code."""
    data = kinetree.Data(model)
    if threads == 1:
        return _measure_steps(path, model, data, seconds)
    with kinetree.Threads(threads) as data.threads:
        return _measure_steps(path, model, data, seconds)


def _measure_steps(path: str, model, data, seconds: float) -> int:

    start = time.perf_counter()
    kinetree.step(model, data, 1)
    ready = time.perf_counter() - start
    steps, spent, block, own = 0, 0.0, 1, 0.0
    while spent < seconds:
        start, begun = time.perf_counter(), time.thread_time()
        kinetree.step(model, data, block)
        took = time.perf_counter() - start
        own += time.thread_time() - begun
        steps, spent = steps + block, spent + took
        if took < CALL:
            block *= 2
    rate = steps / spent
    code = report_warnings(model, data, steps, f"bench: {path}")
    times = engine.run.timing.step_times(model, data, max(10, int(0.5 * rate * min(seconds, 2.0))))
    print(f"{path}")
    print(
        "  "
        + tr(
            "{nbody} bodies, {nv} dofs, {ngeom} geoms, {nu} actuators",
            nbody=model.nbody,
            nv=model.nv,
            ngeom=model.ngeom,
            nu=model.nu,
        )
    )
    told = tr("{rate:,.0f} steps/s, {time:.1f} us a step", rate=rate, time=1e6 / rate)
    if data.threads is not None:
        told = tr("{told} with {number} threads", told=told, number=data.threads.number)
    if not code:
        told = tr("{told}, {times:.1f} times real time", told=told, times=rate * model.opt.timestep)
    print(f"  {told}")
    if own < BUSY * spent:
        print(
            "  "
            + tr(
                "other programs had {share:.0f} % of that time; alone: {rate:,.0f} steps/s",
                share=100 * (1 - own / spent),
                rate=steps / own,
            )
        )
    print("  " + tr("ready to step after {ready:.2f} s", ready=ready))
    print("  " + tr("work in a step, mean (greatest):"))
    for name in ("contacts", "rows", "islands", "iterations"):
        values = [getattr(done, name) for done in times.work]
        print(f"  {sum(values) / len(values):9.1f} {f'({max(values)})':>8}  {tr(WORK[name])}")
    print("  " + tr("time in a step, {time:.1f} us:", time=1e6 * times.step))
    for name, value in parts(times):
        print(f"  {100 * value / times.step:5.1f} %  {1e6 * value:9.2f} us  {name}")
    return code


def parts(times: StepTimes) -> list[tuple[str, float]]:
    """(name, seconds) of the stages of a step, the longest first. They add up to the step."""
    shown = sorted(times.stages, key=lambda item: -item[1])
    small = [value for _, value in shown if value <= SMALL * times.step]
    shown = [item for item in shown if item[1] > SMALL * times.step]
    if small:
        shown.append((tr("{count} other stages", count=len(small)), sum(small)))
    rest = tr("between the stages") if times.other >= 0 else tr("saved: the processor overlaps short stages")
    return [*shown, (rest, times.other)]
