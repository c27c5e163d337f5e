"""When Python looks for garbage: objects that refer to each other and that nothing else refers to.

Left alone, Python looks in whatever thread has just made many objects. Garbage may hold objects of Qt, which must be
deleted in the thread of the window. So automatic searches are off, and a timer in that thread does them: young objects
at once, where there are many; all objects in a pause of editing, once Python has given out many more blocks of memory
than after the last such search, or soon after another model was opened. A search through everything takes 0.1 s with
22 humanoids open, half a second with a text of 1 MB.

Trees of texts are no garbage: those that go are let go here, a piece at a time (engine/document/tree.py); one of a text
of 1 MB takes 35 ms.
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

OFTEN = 100  # ms between looks at how many new objects there are
SETTLED = 3000  # ms after which an opened model is there with its panels, and the one before is looked for
YOUNG = 8000  # new objects after which they are looked through: 2 ms
FEW = 20_000  # more new objects than this are taken for old ones without a look: a model was opened
MUCH, FAR_TOO_MUCH = 1_000_000, 6_000_000  # blocks more than after the last thorough search; 50 to 100 bytes each
LITTLE = 100_000  # objects: where a thorough search has found fewer, it takes twice as many blocks for the next one
MOST_DOUBLED = 2
PAUSE = 2.0  # s without an edit, until a thorough search where blocks are MUCH
PATIENCE = 20  # times as long as the last thorough search took is the pause at least
COUNT = 1.0  # s between counts of the blocks, which take 0.2 ms
PIECE, BREAK = 0.001, 5  # s for which trees are let go in one go, and ms until the next time
YOUNGER = 1  # the generation of objects that have survived one search


class GarbageCollection(QObject):
    """Collects garbage for one workspace; there is one in a process. `end` leaves it to Python again.

    settled   time after which an opened model is there, ms
    """

    def __init__(self, workspace: Workspace, parent: QObject | None = None, settled: int = SETTLED):
        super().__init__(parent)
        self._simulation = workspace.simulation
        self._opened = 0  # models, counted from the start of the process
        self._edited = self._counted = time.monotonic()
        self._blocks = sys.getallocatedblocks()  # after the last thorough search
        self._took = 0.0  # by that search, s of computing
        self._doubled = 0  # how often it has found little
        self._going: deque[Iterator[None]] = deque()  # trees; any thread may add one
        self._settle, self._often, self._letting = QTimer(self), QTimer(self), QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(settled)
        self._settle.timeout.connect(self._end_opening)
        self._letting.setInterval(BREAK)
        self._letting.timeout.connect(self._let_go)
        self._often.timeout.connect(self._watch)
        self._often.start(OFTEN)
        self._simulation.model_changed.connect(self._follow)
        workspace.compiler.compiled.connect(self._take_edit)  # a text with errors too
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

    @Slot()
    def _watch(self) -> None:
        """Let trees go. Look through new objects where they have become many, and through everything where there may be
        much."""
        if self._going and not self._letting.isActive():
            self._letting.start()
        new = gc.get_count()[0]
        if new >= FEW:
            gc.freeze()
            gc.unfreeze()
        elif new >= YOUNG:
            gc.collect(YOUNGER)
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

    def _look_thoroughly(self) -> None:
        start = time.thread_time()
        self._doubled = 0 if gc.collect() >= LITTLE else min(self._doubled + 1, MOST_DOUBLED)
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
            self._blocks = sys.getallocatedblocks()

    def end(self) -> None:
        """Let Python collect as it does by itself."""
        for timer in (self._settle, self._often, self._letting):
            timer.stop()
        let_go_later(None)
        for tree in self._going:
            deque(tree, maxlen=0)
        self._going.clear()
        gc.enable()
