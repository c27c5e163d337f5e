"""Notes for how long the thread of the window did not answer, what it did then, and why.

    with Watchdog(above=0.05) as watchdog:
        watchdog.act = "select"
        ...                                   # the event loop runs
    watchdog.stalls, watchdog.longest

The event loop is asked every millisecond. The time between two answers has four parts: what the thread *computed*; for
how long it was *ready* to run while other programs and threads had the processors; for how long it *waited*, which is for
Python's lock (GIL) where another thread computes in Python, or for the X server; and *drawing*, all time in the painting
and composing of software OpenGL, which a graphics card does elsewhere. The first three are without the fourth.
"""

from __future__ import annotations

import collections
import os
import sys
import threading
import time
import traceback
import types
from dataclasses import dataclass, field
from pathlib import Path

PERIOD = 0.003  # s, between two looks at the threads
LATE = 0.010  # s, after which they are looked at
LITTLE = 0.0002  # s of computing between two looks that keeps nobody waiting
ROOT = Path(__file__).resolve().parents[2]
OURS = __file__, str(Path(__file__).with_name("stalls.py"))


@dataclass(frozen=True)
class Spent:
    """Seconds by the clock, of computing, and of being ready while others run."""

    clock: float = 0.0
    computing: float = 0.0
    ready: float = 0.0

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.clock - other.clock, self.computing - other.computing, self.ready - other.ready)

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.clock + other.clock, self.computing + other.computing, self.ready + other.ready)

    @property
    def waiting(self) -> float:
        return max(0.0, self.clock - self.computing - self.ready)


@dataclass
class Stall:
    """A time without an answer: in which act, what of it was not drawing, what was, and what was seen meanwhile.

    window  place -> how often the window's thread was there
    others  place in another thread that computes -> how often the window's thread waited meanwhile
    """

    act: str
    spent: Spent
    drawing: Spent
    window: collections.Counter[str] = field(default_factory=collections.Counter)
    others: collections.Counter[str] = field(default_factory=collections.Counter)
    looks: int = 0


def told(stall: Stall, lines: int) -> list[str]:
    """A stall as text: its parts, and the `lines` places where the window's thread was most often."""
    spent = stall.spent
    places = [f"  {count:4} {place}" for place, count in stall.window.most_common(lines)]
    others = [f"    meanwhile {count:4} {place}" for place, count in stall.others.most_common(max(lines // 3, 1))]
    parts = (
        f"{stall.act}: {1e3 * spent.computing:.0f} ms of computing, {1e3 * spent.waiting:.0f} of waiting, "
        f"{1e3 * spent.ready:.0f} ready, {1e3 * spent.clock:.0f} by the clock; {stall.looks} looks"
    )
    return [parts, *places, *others]


class ThreadClock:
    """Computing time of one thread, readable from any thread. `ready` stays 0 where the system does not tell (Linux
    does, in schedstat).
    """

    def __init__(self, thread: threading.Thread):
        self._clock = time.pthread_getcpuclockid(thread.ident or 0)
        self._folder = f"/proc/self/task/{thread.native_id}"
        try:
            self._file = os.open(f"{self._folder}/schedstat", os.O_RDONLY)
        except OSError:
            self._file = -1

    def now(self) -> Spent:
        ready = int(os.pread(self._file, 64, 0).split()[1]) * 1e-9 if self._file >= 0 else 0.0
        return Spent(time.perf_counter(), time.clock_gettime(self._clock), ready)

    def waits(self) -> bool:
        """Whether it waits for something, a processor aside."""
        try:
            return Path(f"{self._folder}/stat").read_bytes().rpartition(b")")[2].split()[0] == b"S"
        except OSError:
            return False

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class Watchdog:
    """Notes stalls above `above` seconds while it is entered.

    act      what the user does now
    stalls   those above the limit by the clock, drawing aside
    longest  act -> (Spent, drawing) of every time between two answers
    places   place -> s of computing of the window's thread in all stalls
    drawn    what painting and composing have taken until now
    """

    def __init__(self, above: float, viewport=None):
        self.above, self.act = above, "start"
        self.stalls: list[Stall] = []
        self.longest: dict[str, list[tuple[Spent, Spent]]] = collections.defaultdict(list)
        self.places: dict[str, float] = collections.defaultdict(float)
        self._viewport = viewport
        self._thread = threading.main_thread()
        self._clock = ThreadClock(self._thread)
        self._threads: dict[int, threading.Thread] = {}
        self._computed: dict[int, float] = {}  # by each thread until it was looked at
        self._current = Stall("", Spent(), Spent())
        self.drawn, self._drawn_before, self._drawing_since = Spent(), Spent(), None
        self._frames: list[types.FrameType] = []  # that were looked at
        self._ended = False
        self._lock = threading.Lock()
        self._looking = threading.Thread(target=self._look_always, name="watchdog", daemon=True)

    def __enter__(self) -> Watchdog:
        from PySide6.QtCore import QTimer

        self._timer = QTimer()
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._beat)
        if self._viewport is not None:
            self._watch_drawing(self._viewport)
        self._beat_at = self._clock.now()
        self._timer.start()
        self._looking.start()
        return self

    def __exit__(self, *_ignored: object) -> None:
        self._timer.stop()
        self._ended = True
        self._looking.join()
        self._clock.close()

    def _watch_drawing(self, viewport) -> None:
        """Painting goes through `frames.begin`; it ends with `drawn`. Composing is told by Qt."""
        frames, begin = viewport.frames, viewport.frames.begin

        def begin_and_note() -> None:
            self._begin_drawing()
            begin()

        frames.begin = begin_and_note
        viewport.drawn.connect(self._end_drawing)
        viewport.aboutToCompose.connect(self._begin_drawing)
        viewport.frameSwapped.connect(self._end_drawing)

    def _begin_drawing(self) -> None:
        if self._drawing_since is None:
            self._drawing_since = self._clock.now()

    def _end_drawing(self, *_ignored: object) -> None:
        if self._drawing_since is not None:
            self.drawn += self._clock.now() - self._drawing_since
            self._drawing_since = None

    def _beat(self) -> None:
        with self._lock:
            now = self._clock.now()
            stall, self._current = self._current, Stall("", Spent(), Spent())
            drawing, self._drawn_before = self.drawn - self._drawn_before, self.drawn
            spent, self._beat_at = now - self._beat_at - drawing, now
            self._frames.clear()
        stall.act, stall.spent, stall.drawing = self.act, spent, drawing
        self.longest[self.act].append((spent, drawing))
        if spent.clock > self.above:
            self.stalls.append(stall)
            for place, count in stall.window.items():
                self.places[place] += spent.computing * count / max(stall.looks, 1)

    # ---- looking -------------------------------------------------------------------------------------------

    def _look_always(self) -> None:
        own = threading.get_ident()
        while not self._ended:
            time.sleep(PERIOD)
            with self._lock:
                if time.perf_counter() - self._beat_at.clock < LATE or self._drawing_since is not None:
                    continue
                waits = self._clock.waits()
                self._current.looks += 1
                for ident, frame in sys._current_frames().items():
                    if ident == self._thread.ident:
                        self._current.window.update(set(self._stack(frame)) or ["Qt"])
                        if waits:
                            self._current.window["(waits)"] += 1
                    elif ident != own and self._computes(ident) and waits and (stack := self._stack(frame)):
                        self._current.others[f"{self._threads[ident].name}: {stack[-1]}"] += 1

    def _computes(self, ident: int) -> bool:
        """Whether a thread has computed since it was last looked at."""
        if ident not in self._threads:
            self._threads = {thread.ident or 0: thread for thread in threading.enumerate()}
        if ident not in self._threads:
            return False
        try:
            computed = time.clock_gettime(time.pthread_getcpuclockid(ident))
        except OSError:  # it has ended
            return False
        before, self._computed[ident] = self._computed.get(ident, computed), computed
        return computed - before > LITTLE

    def _stack(self, frame: types.FrameType | None) -> list[str]:
        """Places of ours, outermost first. The frames are kept until the window's thread lets go of them: what they hold
        last, such as widgets and timers, must not end in another thread."""
        begin = len(self._frames)
        while frame is not None:
            self._frames.append(frame)
            frame = frame.f_back
        walked = ((each, each.f_lineno) for each in reversed(self._frames[begin:]))
        lines = [
            f"{each.filename}:{each.lineno} {each.name}"
            for each in traceback.StackSummary.extract(walked, lookup_lines=False)
        ]
        return [line.replace(f"{ROOT}/", "") for line in lines if str(ROOT) in line and not line.startswith(OURS)]
