"""The simulation thread: owns the live Data, takes requests through a queue and publishes immutable snapshots.

    requests.py      what can be asked: frozen dataclasses
    table.py         the handler of each request
    core.py          what the thread owns
    stepping.py, playing.py     the two modes: physics, and recorded motions
    mouse_forces.py, poser.py   bodies moved by hand

No other thread reads or writes the Data, and the model that was loaded is never changed: options that change while
running are those of the thread's own `with_own_options`. `post` returns at once, in any thread. The window reads
`latest`, the newest snapshot. While paused the thread sleeps until a request comes; while running it sleeps between
batches of steps.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from kinetree.app.workers.simulation.core import SimulationCore
from kinetree.app.workers.simulation.requests import SHOWN, Awake, End, ForModel, SimulationRequest
from kinetree.app.workers.simulation.table import handle

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.loaded import Loaded
    from kinetree.engine.run.snapshot import Snapshot


class SimulationThread(threading.Thread):
    """Calls, in its own thread, `notify()` when there is a snapshot and the one before was taken by `take()`, and
    `failed(message, details)` when a request or a step raised an exception."""

    def __init__(self, notify: Callable[[], None], failed: Callable[[str, str], None]):
        super().__init__(name="simulation", daemon=True)
        self.latest: Snapshot | None = None
        self.latest_other: Snapshot | None = None  # of the model that is compared, at the same moment
        self._notify, self._failed = notify, failed
        self._notified = self._closing = False
        self._requests: queue.SimpleQueue[SimulationRequest] = queue.SimpleQueue()
        self._newest: dict[
            type[SimulationRequest], SimulationRequest
        ] = {}  # of the kinds whose newest request alone counts
        self._core = SimulationCore()
        self._core.wake = lambda: self.post(Awake())

    # ---- from any thread ---------------------------------------------------------------------------------

    def post(self, request: SimulationRequest) -> None:
        """Do this next; returns at once. Raises ValueError for a request that does not say for which model it was
        made."""
        if isinstance(request, ForModel) and request.generation == SHOWN:
            raise ValueError(f"{type(request).__name__} needs the generation of its model")
        if request.newest_only:
            self._newest[type(request)] = request
        self._requests.put(request)

    def take(self) -> Snapshot | None:
        """The newest snapshot; the next one will call `notify` again."""
        self._notified = False
        return self.latest

    def stop(self) -> None:
        """End the thread; join it afterwards. Nobody hears of failures from now on."""
        self._closing = True
        self.post(End())

    # ---- the thread --------------------------------------------------------------------------------------

    def run(self) -> None:
        core = self._core
        while not core.is_ending:
            try:
                self._take_requests()
                if core.loaded is None:
                    self.latest = self.latest_other = None
                elif not core.is_ending:
                    core.advance(core.loaded)
                    self._publish(core.loaded)
            except Exception as error:
                if self._closing:  # what a step needs may be gone: the pool of threads ends with the program
                    break
                core.recover()
                self._failed(f"{type(error).__name__}: {error}", traceback.format_exc())
        core.loaded = None

    def _take_requests(self) -> None:
        """Handle all requests that wait; sleep for the first one while there is nothing else to do."""
        request = self._next(self._core.rest())
        while request is not None:
            if not request.newest_only or self._newest.get(type(request)) is request:
                handle(self._core, request)
            if self._core.is_ending:
                return
            request = self._next(0.0)

    def _next(self, rest: float | None) -> SimulationRequest | None:
        """The next request within a time, s; None if none comes."""
        due = self._core.next_waiting()
        if due is not None:
            return due
        try:
            return self._requests.get_nowait() if rest == 0.0 else self._requests.get(timeout=rest)
        except queue.Empty:
            return None

    def _publish(self, loaded: Loaded) -> None:
        now = time.perf_counter()
        if not self._core.is_snapshot_due(now):
            return
        self.latest, self.latest_other = self._core.snapshots(loaded, now)
        if not self._notified:
            self._notified = True
            self._notify()
