"""The loop of a worker thread: it sleeps until there is work, does it, and sleeps again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class LoopThread(threading.Thread):
    """A thread that lives until it is stopped. A subclass says what there is to do in `take`, and does it in `do`.

    What other threads give it is changed inside `with self.waking():`, which wakes it.
    """

    def __init__(self, name: str):
        super().__init__(name=name, daemon=True)
        self._wake = threading.Condition()
        self._stopping = False

    @property
    def is_stopping(self) -> bool:
        """Whether the thread ends as soon as it can: its reports are not wanted any more."""
        return self._stopping

    @contextmanager
    def waking(self) -> Iterator[None]:
        """Change what `take` looks at, and wake the thread."""
        with self._wake:
            yield
            self._wake.notify()

    def stop(self) -> None:
        """End the thread; join it afterwards."""
        with self.waking():
            self._stopping = True

    def rest(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Sleep inside `do`. Returns True at once when the thread is stopped, or when `until()` is."""
        with self._wake:
            return self._wake.wait_for(lambda: self._stopping or until(), seconds)

    def run(self) -> None:
        self.begin()
        try:
            while (work := self._next()) is not None:
                self.do(work)
        finally:
            self.end()

    def _next(self) -> Any:
        """The next work; None when the thread is stopped."""
        with self._wake:
            work = None if self._stopping else self.take()
            while work is None and not self._stopping:
                is_late = not self._wake.wait(self.pause())
                work = None if self._stopping else self.take(is_late)
            return work

    def begin(self) -> None:
        """Called once in the thread before anything else."""

    def end(self) -> None:
        """Called once in the thread when it was stopped, or when `do` has raised."""

    def take(self, is_late: bool = False) -> Any:
        """The next task, None if there is none. It is called while no other thread is in `waking`. `is_late`: the
        thread was not woken, but `pause` is over.
        """
        raise NotImplementedError

    def pause(self) -> float | None:
        """The longest time to sleep, s; None: until the thread is woken."""
        return None

    def do(self, work: Any) -> None:
        """Do what `take` has returned."""
        raise NotImplementedError
