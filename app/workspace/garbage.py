"""When Python looks for garbage: objects that refer to each other and that nothing else refers to.

Left alone, Python looks through all objects of the process in whatever thread has just made many, while all others
wait: 75 to 120 ms at every second edit of 22 humanoids (125,000 objects), half a second for a file of 1 MB. Here only
the thread of the window looks, and only among the few objects that are new; then they are left out (`gc.freeze`, which
takes no time). What a compile leaves, tens of thousands of objects that stay, is left out without a look. Most of it
goes by itself when the next version takes its place, because a spec and Data have no cycles (engine/mjcf/elements.py).
Trees of texts have; those that go are let go here, a piece at a time (engine/document/tree.py): one of a text of 1 MB
takes 35 ms.

What is left out and becomes garbage later stays. It shows in the number of blocks of memory that Python has given out:
where they have become many more, everything is looked through once nobody has edited for a while, the longer the search
takes (0.1 s for 22 humanoids, half a second for a text of 1 MB).

Nobody else looks, not even among young objects: what is found may be objects of Qt, and they must be deleted in the
thread of the window.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import deque
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Slot

from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.document.tree import let_go_later

WAIT = 200  # ms without an edit until what the panels made of the last one is looked through
OFTEN = 100  # ms between looks at how many new objects there are
SETTLED = 3000  # ms after which an opened model is there with its panels, and the one before is looked for
YOUNG = 8000  # new objects after which they are looked through: 2 ms
FEW = 20_000  # after this many new objects, more are left out without a look
MUCH, FAR_TOO_MUCH = 1_000_000, 6_000_000  # blocks more than after the last thorough search; 50 to 100 bytes each
LITTLE = 100_000  # objects: where a thorough search has found fewer, it takes twice as many blocks for the next one
MOST_DOUBLED = 2
PAUSE = 2.0  # s without an edit, until a thorough search where blocks are MUCH
PATIENCE = 20  # times as long as the last thorough search took is the pause at least
COUNT = 1.0  # s between counts of the blocks, which take 0.2 ms
PIECE, BREAK = 0.001, 5  # s for which trees are let go in one go, and ms until the next time
NEVER = 1_000_000_000


class GarbageCollection(QObject):
    """Collects garbage for one workspace; there is one in a process. `end` leaves it to Python again.

    settled   time after which an opened model is there, ms
    """

    def __init__(self, workspace: Workspace, parent: QObject | None = None, settled: int = SETTLED):
        super().__init__(parent)
        self._simulation, self._compiler = workspace.simulation, workspace.compiler
        self._thresholds = gc.get_threshold()
        self._opened = 0  # models, counted from the start of the process
        self._edited = self._counted = time.monotonic()
        self._blocks = sys.getallocatedblocks()  # after the last thorough search
        self._took = 0.0  # by that search, s of computing
        self._doubled = 0  # how often it has found little
        self._going: deque[Iterator[None]] = deque()  # trees; any thread may add one
        self._soon, self._settle, self._often, self._letting = QTimer(self), QTimer(self), QTimer(self), QTimer(self)
        for timer, interval, slot in ((self._soon, WAIT, self._look), (self._settle, settled, self._end_opening)):
            timer.setSingleShot(True)
            timer.setInterval(interval)
            timer.timeout.connect(slot)
        self._letting.setInterval(BREAK)
        self._letting.timeout.connect(self._let_go)
        self._often.timeout.connect(self._watch)
        self._often.start(OFTEN)
        self._simulation.model_changed.connect(self._follow)
        workspace.compiler.compiled.connect(self._take_edit)  # a text with errors too
        gc.set_threshold(NEVER, NEVER, NEVER)
        gc.disable()
        let_go_later(self._going.append)

    @Slot(object, bool)
    def _follow(self, _old: object, keep: bool) -> None:
        if not keep:
            self._opened += 1
            self._settle.start()

    @Slot(object)
    def _take_edit(self, _result: object) -> None:
        self._edited = time.monotonic()
        gc.freeze()
        self._soon.start()

    @Slot()
    def _watch(self) -> None:
        """Let trees go. Look through what is new where it has become many, and through everything where there may be
        much."""
        if self._going and not self._letting.isActive():
            self._letting.start()
        if self._compiler.compiling_since is not None:
            return  # most of the compiler's objects are freed at once, the rest stays
        if gc.get_count()[0] >= YOUNG:
            self._look()
        now = time.monotonic()
        if now - self._counted > COUNT:
            self._counted = now
            more = sys.getallocatedblocks() - self._blocks
            pause = max(PAUSE, PATIENCE * self._took)
            if more >= FAR_TOO_MUCH or (more >= MUCH << self._doubled and now - self._edited > pause):
                self._look_thoroughly()

    @Slot()
    def _let_go(self) -> None:
        """Let a piece of the trees go that nobody uses any more."""
        end = time.perf_counter() + PIECE
        while self._going:
            if next(self._going[0], self) is self:
                self._going.popleft()
            if time.perf_counter() >= end:
                break
        if not self._going:
            self._letting.stop()

    @Slot()
    def _look(self) -> None:
        """Look for garbage among what is new, if that is little, and leave out what is used."""
        if gc.get_count()[0] < FEW:
            gc.collect()
        gc.freeze()

    def _look_thoroughly(self) -> None:
        start = time.thread_time()
        gc.unfreeze()
        self._doubled = 0 if gc.collect() >= LITTLE else min(self._doubled + 1, MOST_DOUBLED)
        gc.freeze()
        self._took = time.thread_time() - start
        self._blocks = sys.getallocatedblocks()

    @Slot()
    def _end_opening(self) -> None:
        simulation = self._simulation
        if simulation.model is not None and not simulation.ready and simulation.progress is not None:
            self._settle.start()  # the kernels are being loaded, and with them much that stays
        elif self._opened > 1:
            self._look_thoroughly()  # what is left of the model before
            self._doubled = 0
        else:
            gc.freeze()
            self._blocks = sys.getallocatedblocks()

    def end(self) -> None:
        """Let Python collect as it does by itself."""
        for timer in (self._soon, self._settle, self._often, self._letting):
            timer.stop()
        let_go_later(None)
        for tree in self._going:
            deque(tree, maxlen=0)
        self._going.clear()
        gc.unfreeze()
        gc.set_threshold(*self._thresholds)
        gc.enable()
