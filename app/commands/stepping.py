"""Simulating for a command: in short calls, so that Ctrl+C works and progress is shown; warnings at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import kinetree
from kinetree.app.commands.common import SHOWN_AFTER
from kinetree.app.marks import mark
from kinetree.app.terminal import fail, printable
from kinetree.engine import run
from kinetree.engine.translation import tr

CALL = 0.05
"""Longest that one compiled call should take, s: Ctrl+C is noticed between calls."""


def advance(model, data, steps: int, name: str, take: Callable[[int], int] | None = None) -> int:
    """So many steps; how many were done. On a terminal, progress is written to stderr when it takes longer.

    take  takes as many steps as it is told, in place of `kinetree.step`, and returns how many it took: fewer end it
    Raises KeyboardInterrupt.
    """
    begun = time.perf_counter()
    shown = sys.stderr.isatty()
    told, count, done = begun + SHOWN_AFTER, 1, 0
    try:
        while done < steps:
            start = time.perf_counter()
            count = min(count, steps - done)
            if take is None:
                kinetree.step(model, data, count)
                taken = count
            else:
                taken = take(count)
            if not done:
                mark("physics")
            done += taken
            if taken < count:
                break
            now = time.perf_counter()
            if now - start < 0.5 * CALL:
                count *= 2
            elif now - start > 2 * CALL:
                count = max(1, count // 2)
            if shown and now >= told:
                told = now + 0.2
                left = (now - begun) / done * (steps - done)
                text = tr(
                    "{name}: {number} % of {steps:,} steps simulated, {left:.0f} s left (Ctrl+C stops)",
                    name=name,
                    number=100 * done // steps,
                    steps=steps,
                    left=left,
                )
                print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)
    finally:
        if shown and told > begun + SHOWN_AFTER:
            print("\r" + " " * 78 + "\r", end="", file=sys.stderr, flush=True)
    return done


def report_warnings(model, data, steps: int, name: str) -> int:
    """Write the warnings that the simulation raised to stderr.

    The exit code: 1 where it diverged so often or so far that nothing of the model was simulated, else 0.
    """
    for finding in run.divergence.findings(model, data):
        print(printable(f"kinetree: {name}: warning: {finding.text}"), file=sys.stderr)
    if run.divergence.shows_nothing(data, steps):
        return fail(
            tr(
                "{name}: the model was reset {nreset:,} times in {steps:,} steps: the result means nothing",
                name=name,
                nreset=data.nreset,
                steps=steps,
            )
        )
    return 0
