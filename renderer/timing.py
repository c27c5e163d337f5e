"""How long each pass takes: on the processor that issues it, and on the device that draws it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import moderngl

DELAY = 3  # frames between a query and reading its result, so that reading does not wait for the device


@dataclass(slots=True)
class PassTime:
    """Seconds that one pass took. `gpu` is of an earlier frame, None until the first result is there."""

    cpu: float = 0.0
    gpu: float | None = None


class Timing:
    """Times of the passes while `enabled`; costs nothing while not. On software OpenGL only `gpu` counts
    drawing."""

    def __init__(self, context: moderngl.Context):
        self._context = context
        self._queries: dict[str, list[moderngl.Query]] = {}
        self._turn: dict[str, int] = {}
        self.enabled = False
        self.passes: dict[str, PassTime] = {}

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """Time what is issued inside."""
        if not self.enabled:
            yield
            return
        entry = self.passes.setdefault(name, PassTime())
        turn = self._turn.get(name, 0)
        queries = self._queries.setdefault(name, [])
        if len(queries) < DELAY:
            queries.append(self._context.query(time=True))
        query = queries[turn % DELAY]
        if turn >= DELAY:
            entry.gpu = 1e-9 * query.elapsed
        self._turn[name] = turn + 1
        start = time.perf_counter()
        with query:
            yield
        entry.cpu = time.perf_counter() - start
