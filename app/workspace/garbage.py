"""When Python looks for garbage: objects that refer to each other and that nothing else refers to.

Left alone, Python looks through all objects of the process in whatever thread has just made many, while all others
wait: 75 to 120 ms at every second edit of 22 humanoids (125,000 objects), half a second for a file of 1 MB. Here what
an opened model consists of is left out (`gc.freeze`), until another one is opened. The rest is looked through by the
thread of the window, once no edit has come for a moment: 10 ms for 22 humanoids. While edits follow each other, as
where a value is dragged, it waits, but not for ever. Where it takes longer, as after many panels were opened, what is
still used is left out as well.

Nobody else looks, not even among young objects: what is found may be objects of Qt, and they must be deleted in the
thread of the window.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer, Slot

from app.workspace.workspace import Workspace

WAIT = 200  # ms without an edit until the search
EVERY = 3.0  # s between searches at least: an edit leaves little
LONG = 10.0  # s of edits without such a pause, after which it is looked in spite of them
SETTLED = 3000  # ms after which an opened model is there with its panels
SOMETIMES = 20_000  # ms; without edits it is looked so often whether much was made
SHORT = 0.06  # s; where searches take longer they wait until there is MUCH, and for a pause
PAUSE = 2000  # ms without an edit
HEAVY = 0.02  # s; after a search that takes longer, what is still used is left out of the next ones
THOROUGH = 8  # times that more was left out, until a search goes through everything: 170 ms for 22 humanoids
IDLE = 15.0  # s without an edit, for that
YOUNG, MIDDLE, OLD = 8000, 2, 1_000_000_000
"""New objects after which the young ones are looked through; searches of that kind after which the next one goes
through the middle-aged too. As thresholds of Python's collector they make it count."""
OFTEN, QUICK = 100, 20  # ms between looks at how many new objects there are; while a text is compiled, which makes many
MUCH = 100  # searches among the younger objects, each after YOUNG * MIDDLE new ones


class GarbageCollection(QObject):
    """Collects garbage for one workspace; there is one in a process. `end` leaves it to Python again.

    settled   time after which an opened model is left out, ms
    """

    def __init__(self, workspace: Workspace, parent: QObject | None = None, settled: int = SETTLED):
        super().__init__(parent)
        self._simulation, self._compiler = workspace.simulation, workspace.compiler
        self._thresholds = gc.get_threshold()
        self._opened = 0  # models, counted from the start of the process
        self._took = self._last = 0.0  # the shorter of the last two searches and the last one, s of computing
        self._left_out = 0  # times that more was left out since the last search through everything
        self._is_left_out = False  # asking Python for it takes 8 ms: it counts all that is left out
        self._since: float | None = None  # the first edit since the last search
        self._edited = self._searched = -EVERY  # when the last edit came, and the last search began
        self._soon, self._settle, self._sometimes = QTimer(self), QTimer(self), QTimer(self)
        for timer, interval, slot in ((self._soon, WAIT, self._collect), (self._settle, settled, self._leave_out)):
            timer.setSingleShot(True)
            timer.setInterval(interval)
            timer.timeout.connect(slot)
        self._sometimes.timeout.connect(self._collect)
        self._sometimes.start(SOMETIMES)
        self._often = QTimer(self)
        self._often.timeout.connect(self._collect_young)
        self._often.start(OFTEN)
        self._simulation.model_changed.connect(self._follow)
        workspace.project.compile_wanted.connect(lambda: self._often.setInterval(QUICK))
        workspace.compiler.compiled.connect(self._wait)  # a text with errors too
        gc.set_threshold(YOUNG, MIDDLE, OLD)
        gc.disable()

    @Slot(object, bool)
    def _follow(self, _old: object, keep: bool) -> None:
        if not keep:
            self._opened += 1
            gc.unfreeze()
            self._is_left_out = False
            self._settle.start()

    def _wait(self, *_ignored: object) -> None:
        """Look soon after an edit; where that takes long, once nothing has been edited for a while."""
        now = time.monotonic()
        if self._since is None:
            self._since = now
        self._edited = now
        if self._took >= SHORT:
            self._soon.start(PAUSE)
            if gc.get_count()[2] >= 3 * MUCH:
                self._collect()
        elif now - self._since < LONG or not self._soon.isActive():
            self._soon.start(max(WAIT, round(1000 * (self._searched + EVERY - now))))

    @Slot()
    def _collect_young(self) -> None:
        young, middle, _ = gc.get_count()
        is_compiling = self._compiler.compiling_since is not None
        if young >= (3 * YOUNG if is_compiling else YOUNG):  # most of what the compiler makes goes by itself
            gc.collect(1 if middle >= MIDDLE else 0)
        if self._often.interval() != (interval := QUICK if is_compiling else OFTEN):
            self._often.setInterval(interval)

    @Slot()
    def _collect(self) -> None:
        """Look for garbage, if it is quick or there may be much."""
        much = gc.get_count()[2] >= MUCH
        idle = self.sender() is self._sometimes
        if much or (self._is_left_out and self._took < SHORT and not idle):
            self._since, self._searched = None, time.monotonic()
            start = time.thread_time()
            gc.collect()
            if self._is_left_out:
                took = time.thread_time() - start
                self._took, self._last = min(took, self._last), took
                if took > HEAVY:
                    gc.freeze()
                    self._left_out += 1
        elif idle and self._left_out >= THOROUGH and time.monotonic() - self._edited > IDLE:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._left_out = 0

    @Slot()
    def _leave_out(self) -> None:
        """Leave out all that is there now."""
        simulation = self._simulation
        if simulation.model is not None and not simulation.ready and simulation.progress is not None:
            self._settle.start()  # the kernels are being loaded, and with them much that stays
            return
        if self._opened > 1:
            gc.collect()  # what is left of the model before
        gc.freeze()
        self._is_left_out = True
        self._took = self._last = 0.0
        self._left_out = 0

    def end(self) -> None:
        """Let Python collect as it does by itself."""
        for timer in (self._soon, self._settle, self._sometimes, self._often):
            timer.stop()
        gc.unfreeze()
        gc.set_threshold(*self._thresholds)
        gc.enable()
