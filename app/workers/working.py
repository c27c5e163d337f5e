"""A thread for one piece of long work, with reports of its progress and a way to end it early."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from typing import Any

from kinetree.app.workers.answering import Answer
from kinetree.engine.progress import Cancelled, reported


class WorkThread(threading.Thread):
    """Calls `work()` and hands what came of it to `done(self, Answer)`; `progressed(self, fraction)` is called now and
    then. Both are called in this thread, and not after `cancel`."""

    def __init__(
        self,
        work: Callable[[], Any],
        done: Callable[[WorkThread, Answer], None],
        progressed: Callable[[WorkThread, float], None],
    ):
        super().__init__(name="work", daemon=True)
        self._work, self._done, self._progressed = work, done, progressed
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """The work is not wanted any more. It ends at the next report of its progress."""
        self._cancelled.set()

    stop = cancel

    def _report(self, fraction: float) -> None:
        if self._cancelled.is_set():
            raise Cancelled
        self._progressed(self, fraction)

    def run(self) -> None:
        try:
            with reported(self._report):
                answer = Answer(self._work())
        except Cancelled:
            return
        except Exception as error:
            answer = Answer(None, error, traceback.format_exc())
        if not self._cancelled.is_set():
            self._done(self, answer)
