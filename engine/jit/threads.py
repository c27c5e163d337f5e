"""Threads that share the work of a step."""

from __future__ import annotations

import os
import threading
import weakref
from typing import TYPE_CHECKING, Self

import numpy as np

from kinetree.engine.jit.compiler import caller
from kinetree.engine.jit.parallel import BUSY, LINE, SLICES, TABLE, THREADS, YIELD, assist
from kinetree.engine.model.arguments import whole
from kinetree.engine.model.fields import DTYPES
from kinetree.engine.model.fields import TABLES as FIELDS
from kinetree.engine.model.layout import ALIGNMENT
from kinetree.engine.model.memory import ADDRESS
from kinetree.engine.platforms import native

if TYPE_CHECKING:
    from kinetree.engine.model.data import Data

_OWN = [(slot, field) for slot, field in enumerate(FIELDS["Data"]) if field.thread]
"""Arrays of Data that each thread has a copy of, with their rows in the table of addresses."""


MOST = 1024
"""More threads than this are taken for a mistake."""


class Threads:
    """A pool of threads that share the work of steps.

    Without a pool a step runs in one thread. With one it computes the same, to the bit, whatever the number of
    threads; models with many contacts gain from it, small ones do not. The threads keep their processors busy while a
    step runs, and sleep otherwise. Data that step at the same time should have pools of their own: the pool helps the
    first, the others step alone.

    number  how many threads take part in a step, the calling one included

    Raises ValueError for a number below 1 or above 1024.

    Source: Kinetree's own.

    Example:
        model = kinetree.load("boxes.xml")
        data = kinetree.Data(model)
        with kinetree.Threads(2) as threads:
            data.threads = threads
            kinetree.step(model, data, 10)
    """

    def __init__(self, number: int | None = None):
        self.number = (os.cpu_count() or 1) if number is None else whole(number, "the number of threads", 1, MOST)
        self._crew = _Crew(self.number - 1)
        self._end = weakref.finalize(self, self._crew.end)

    def close(self) -> None:
        """End the threads. A step that runs ends first; a later one with this pool raises RuntimeError."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def join(self, data: Data) -> bool:
        """Help with the steps of a Data until `leave`; False if the pool helps another one.

        Raises RuntimeError when the pool is closed.
        """
        return self._crew.join(data)

    def follow(self, data: Data) -> None:
        """Take note that arrays of the Data have moved."""
        self._crew.follow(data)

    def leave(self, data: Data) -> None:
        """End what `join` began."""
        self._crew.leave(data)


class _Crew:
    """The threads of a pool, apart from the pool, so that they end when nobody holds it any more."""

    def __init__(self, number: int):
        self._memory = np.zeros(SLICES + LINE * (number + 2), np.int64)
        first = -self._memory.ctypes.data % ALIGNMENT // 8
        self._words = self._memory[first:]
        self._words[[YIELD, THREADS]] = native.yield_address(), number + 1
        self._own = [
            [np.zeros([int(n) for n in field.shape], DTYPES[field.dtype]) for _, field in _OWN] for _ in range(number)
        ]
        self._tables = [np.zeros((len(FIELDS["Data"]), 2), np.int64) for _ in range(number)]
        for k, table in enumerate(self._tables):
            self._words[SLICES + LINE * (k + 1) + TABLE] = table.ctypes.data
        self._in_use = threading.Lock()
        self._news = threading.Condition()
        self._busy = self._ended = False
        help_in_step = caller(assist)
        self._threads = [
            threading.Thread(target=self._serve, args=(help_in_step, k), name=f"step {k}", daemon=True)
            for k in range(1, number + 1)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def _address(self) -> int:
        return self._words.ctypes.data

    def _serve(self, help_in_step, k: int) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._busy or self._ended)
                if self._ended:
                    return
            help_in_step(self._address, k)

    def join(self, data: Data) -> bool:
        if not self._in_use.acquire(blocking=False):
            return False
        if self._ended:
            self._in_use.release()
            raise RuntimeError("the pool of threads is closed")
        self.follow(data)
        with self._news:
            self._words[BUSY] = self._busy = True
            self._news.notify_all()
        data.pool = self._address
        return True

    def follow(self, data: Data) -> None:
        for table, own in zip(self._tables, self._own, strict=True):
            table[...] = data._table
            for (slot, _), array in zip(_OWN, own, strict=True):
                table[slot, ADDRESS] = array.ctypes.data

    def leave(self, data: Data) -> None:
        data.pool = 0
        self._words[BUSY] = self._busy = False
        self._in_use.release()

    def end(self) -> None:
        with self._in_use, self._news:
            self._ended = True
            self._news.notify_all()
        for thread in self._threads:
            thread.join()
