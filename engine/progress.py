"""Progress and cancellation of long work.

Work that goes through many elements walks over them with `tracked`:

    for node in tracked(nodes):
        ...

The caller that runs the work in a thread decides what happens to the reports:

    with reported(report):              # report(fraction), called now and then in this thread; may raise Cancelled
        with part(0.0, 0.6):            # a `tracked` in here moves the fraction from 0 to 0.6
            edits = to_unit(document, "radian")
        with part(0.6, 1.0):
            step = work_out(edits, texts)

Inside the loop over one `tracked`, another one has the share of its element. A loop that knows how far it is without
counting calls `reached(fraction)`. Without `reported`, `tracked` is the plain iterator of its items.

Loops that end in their own way ask `is_cancelled()`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from typing import TypeVar

__all__ = [
    "Cancelled",
    "awaited",
    "is_cancelled",
    "part",
    "reached",
    "reported",
    "tracked",
]

T = TypeVar("T")

INTERVAL = 0.02
"""Least time between two reports, s."""
LOOK_EVERY = 0.05
"""Interval at which a wait checks for cancellation, s."""


class Cancelled(Exception):
    """The work was cancelled."""


class _Course:
    """Progress of one run of some work: the range of fractions that the present loop covers, the fraction reached so
    far (it never decreases), and the time of the last report.
    """

    def __init__(self, report: Callable[[float], None]) -> None:
        self.report = report
        self.low, self.high = 0.0, 1.0
        self.reached = 0.0
        self.reported = 0.0

    def reach(self, fraction: float) -> None:
        self.reached = max(self.reached, fraction)
        now = time.monotonic()
        if now - self.reported >= INTERVAL:
            self.reported = now
            self.report(self.reached)


_course: ContextVar[_Course | None] = ContextVar("course", default=None)


@contextmanager
def reported(report: Callable[[float], None]) -> Iterator[None]:
    """Call `report` with the fraction of the work inside that is done, from 0 to 1, in the same thread and at most
    every 20 ms. It may raise Cancelled, which ends the work."""
    token = _course.set(_Course(report))
    try:
        yield
    finally:
        _course.reset(token)


@contextmanager
def part(low: float, high: float) -> Iterator[None]:
    """The work inside is the part from `low` to `high` of the work around it."""
    course = _course.get()
    if course is None:
        yield
        return
    before = course.low, course.high
    width = course.high - course.low
    course.low, course.high = course.low + low * width, course.low + high * width
    try:
        yield
    finally:
        course.low, course.high = before


def tracked(items: Iterable[T], count: int | None = None) -> Iterator[T]:
    """The items, with a report before each one. `count`: how many there are, for items that do not know it."""
    course = _course.get()
    if course is None:
        return iter(items)
    if count is None:
        items = items if isinstance(items, Collection) else list(items)
        count = len(items)
    return _tracked(course, items, max(count, 1))


def _tracked(course: _Course, items: Iterable[T], count: int) -> Iterator[T]:
    low, high = course.low, course.high
    width = (high - low) / count
    try:
        for number, item in enumerate(items):
            course.low = min(low + number * width, high)
            course.high = min(course.low + width, high)
            course.reach(course.low)
            yield item
    finally:
        course.low, course.high = low, high


def reached(fraction: float) -> None:
    """Report a fraction of the present work, from 0 to 1: for loops that know it without counting items."""
    course = _course.get()
    if course is not None:
        course.reach(course.low + (course.high - course.low) * fraction)


def is_cancelled() -> bool:
    """Whether the work in this thread was cancelled: for loops that end in their own way."""
    course = _course.get()
    if course is None:
        return False
    try:
        course.report(course.reached)
    except Cancelled:
        return True
    return False


def awaited(answers: SimpleQueue[T]) -> T:
    """The next item of a queue that another thread fills. Raises Cancelled if the work is cancelled while it waits."""
    while True:
        try:
            return answers.get(timeout=LOOK_EVERY)
        except Empty:
            if is_cancelled():
                raise Cancelled from None
