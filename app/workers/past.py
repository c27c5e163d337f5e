"""The thread that computes steps of a history again for plots, with rests, so that the simulation keeps its pace."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from kinetree.engine.run.expression_tree import Expression

if TYPE_CHECKING:
    from kinetree.engine.run.past import PastRows, PastSteps, Ranges

REST = 1.5
"""Rest after each piece, as a part of the time that the piece took."""
AHEAD = 2
"""Pieces that may wait to be taken."""


class PastThread(threading.Thread):
    """Computes quantities of the steps in `wanted`, the newest first. Calls `take(self, rows)` for each piece, with
    None at the end, and `failed(details)` after an unexpected exception. Whoever has used a piece calls `taken`."""

    def __init__(
        self,
        past: PastSteps,
        quantities: Mapping[Any, Expression],
        wanted: Ranges,
        take: Callable[[PastThread, PastRows | None], None],
        failed: Callable[[str], None],
    ):
        super().__init__(name="past", daemon=True)
        self._past, self._quantities, self._wanted = past, dict(quantities), wanted
        self._take, self._failed = take, failed
        self._stopped = threading.Event()
        self._room = threading.Semaphore(AHEAD)

    def taken(self) -> None:
        """A piece was used."""
        self._room.release()

    def stop(self) -> None:
        """The rest is not wanted."""
        self._stopped.set()
        self._room.release()

    def run(self) -> None:
        try:
            begun = time.perf_counter()
            for rows in self._past.rows(self._quantities, self._wanted):
                self._room.acquire()
                if self._stopped.is_set():
                    return
                self._take(self, rows)
                self._stopped.wait(REST * (time.perf_counter() - begun))
                begun = time.perf_counter()
            if not self._stopped.is_set():
                self._take(self, None)
        except Exception:
            self._failed(traceback.format_exc())
