"""How long tests wait. A test waits for a condition, never for a time: the one limit is so long that it is reached only
where the program is stuck, on a machine many times slower too. `tests/test_clock.py` keeps other limits and clocks out."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

LIMIT = 300
"""Seconds after which whatever a test waits for is stuck: a condition, a thread, a process."""
POLL = 0.005
QUICK = 5.0
"""Seconds of the processor that no growth of the time is looked for below."""

T = TypeVar("T")


def wait_for(condition: Callable[[], T], pump: Callable[[], object] | None = None, told: str = "") -> T:
    """Wait until the condition holds and return its value. `pump` is called before each further look."""
    end = time.monotonic() + LIMIT
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {LIMIT} s: {told or condition}"
        if pump is not None:
            pump()
        time.sleep(POLL)
    return value


@contextmanager
def ends() -> Iterator[None]:
    """Fails when what stands inside takes longer than the limit, on a processor of its own: it would hang."""
    start = time.process_time()
    yield
    assert time.process_time() - start < LIMIT, "stuck, or nearly so"


def _seconds(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


def grows_linearly(run: Callable[[float], object]) -> None:
    """Fails where the time grows faster than the input: `run(share)` works on a share of it. Nothing is compared where
    all of it takes no time to speak of."""
    whole = _seconds(lambda: run(1.0))
    if whole > QUICK:
        part = max(_seconds(lambda: run(0.25)) for _ in range(2))
        assert whole < 8 * part, f"{whole:.1f} s for all, {part:.1f} s for a quarter"


def work(function: Callable[[], object]) -> int:
    """The number of lines of Python that a call executes: the same on every machine, so that a test can compare the
    work for a text with that for one twice as long. What C does inside a line counts as that line."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()  # what is called back when garbage is collected is no work of the function
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
    return count
