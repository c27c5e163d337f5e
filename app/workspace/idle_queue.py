"""Work of panels that follows the simulation, one piece at a time: between two pieces the window answers.

A new state concerns every open panel. If all of them followed it in one go, a key press or a click would have to wait
for all of them.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class IdleQueue(QObject):
    """Queue of work for the GUI thread: does one piece in each pass of the event loop."""

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._waiting: dict[Callable[[], object], None] = {}  # in order
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._do_next)

    def ask(self, work: Callable[[], object]) -> None:
        """Call `work` soon, once if it is asked for several times until then."""
        self._waiting[work] = None
        if not self._timer.isActive():
            self._timer.start(0)

    def _do_next(self) -> None:
        if not self._waiting:
            return
        work = next(iter(self._waiting))
        del self._waiting[work]
        if self._waiting:
            self._timer.start(0)
        work()

    def stop(self) -> None:
        """Forget what waits."""
        self._timer.stop()
        self._waiting.clear()
