"""Threads that compute in Python let the thread of the window go first.

Python computes in one thread at a time. A thread that wants its turn waits until the one that has it has used up its
interval (app/commands/window.py), and the window wants a turn after each call of Qt: a pass of its event loop that
computes for 20 ms took 100 by the clock while a model was compiled. So the others look, wherever they pass
`kinetree.engine.progress.give_way`, at what the window's thread has computed in its present pass; where that is long
already,
they sleep until the pass ends. Short passes and drawing are not hurried, and the pauses are bounded: a window that is
busy all the time would starve the rest.
"""

from __future__ import annotations

import math
import threading
import time
from collections import defaultdict

from PySide6.QtCore import QAbstractEventDispatcher, QObject

from kinetree.engine.progress import let_give_way

LONG = 0.003
"""Computing time of the window in a pass above which other threads let it go first, s. In a minute of edits with 22
humanoids and all panels, 10 ms here, a share of 0.35 and pauses of 40 ms left 47 passes above 50 ms, these values 1."""
EVERY = 0.0002
"""Least time between two looks of a thread, s."""
SLICE = 0.0007
"""How long a thread sleeps before it looks again, s."""
MOST = 0.1
"""Longest pause, s."""
SHARE = 0.8
"""The part of its time for which a thread may pause in the long run."""


class Pass(QObject):
    """The present pass of the event loop, by the time that its thread computed.

    began    when it began; shifted later by drawing times, which a graphics card would take over
    drawing  since when a frame is drawn, None while none is
    """

    def __init__(self, dispatcher: QAbstractEventDispatcher):
        super().__init__(dispatcher)
        self.began = time.thread_time()
        self.drawing: float | None = None
        dispatcher.awake.connect(self._begin)

    def _begin(self) -> None:
        self.began, self.drawing = time.thread_time(), None

    def begin_drawing(self) -> None:
        if self.drawing is None:
            self.drawing = time.thread_time()

    def end_drawing(self) -> None:
        if self.drawing is not None:
            self.began += time.thread_time() - self.drawing
            self.drawing = None


def present_pass() -> Pass:
    """The one of the thread that asks."""
    dispatcher = QAbstractEventDispatcher.instance()
    return dispatcher.findChild(Pass) or Pass(dispatcher)


class _Thread:
    """When a thread looks next, and for how long it may pause then, s."""

    __slots__ = ("left", "looked", "next")

    def __init__(self) -> None:
        self.next = self.looked = 0.0
        self.left = MOST


class Way:
    """Lets the thread in which it is made go first, until `end`. On systems that do not tell what another thread has
    computed nothing changes."""

    def __init__(self) -> None:
        self._pass = present_pass()
        self._threads: defaultdict[int, _Thread] = defaultdict(_Thread)
        own = threading.get_ident()
        self._threads[own].next = math.inf
        if hasattr(time, "pthread_getcpuclockid"):
            self._clock = time.pthread_getcpuclockid(own)
            let_give_way(self._ask)

    def _ask(self) -> None:
        thread, now = self._threads[threading.get_ident()], time.perf_counter()
        if now < thread.next:
            return
        thread.left = min(thread.left + SHARE * (now - thread.looked), MOST)
        begun = now
        while self._is_long() and now - begun < thread.left:
            time.sleep(SLICE)
            now = time.perf_counter()
        thread.left -= now - begun
        thread.looked, thread.next = now, now + EVERY

    def _is_long(self) -> bool:
        return self._pass.drawing is None and time.clock_gettime(self._clock) - self._pass.began > LONG

    def end(self) -> None:
        """Nobody is let go first any more."""
        let_give_way(None)
