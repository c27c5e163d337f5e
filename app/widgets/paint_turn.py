"""Windows that paint in turn: where a pass of the event loop has already taken long, a window paints in the next one.

After an edit or a new state several windows have something to paint: the main one and every floating panel. Qt lets all
of them paint in one pass, after all that was computed in it. With this, keys and clicks are answered in between.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from kinetree.app.workspace.way import present_pass

LONG = 0.012  # s of computing in a pass, after which windows wait
MOST = 3  # passes that a window waits
OPENING = 3.0  # s; a window that has just been made paints at once: the first picture must not wait


class PaintTurn(QObject):
    """Belongs to a top-level window, whose `event` asks `waits` first."""

    def __init__(self, window: QWidget):
        super().__init__(window)
        self._window = window
        self._waited = 0
        self._opened = time.monotonic() + OPENING
        self._pass = present_pass()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._ask_again)

    def waits(self, event: QEvent) -> bool:
        """Whether this is the event that lets the window paint, and it comes in another pass instead."""
        if event.type() != QEvent.Type.UpdateRequest:
            return False
        if self._timer.isActive():
            return True
        is_short = time.thread_time() - self._pass.began < LONG
        if is_short or self._waited >= MOST or time.monotonic() < self._opened:
            self._waited = 0
            return False
        self._waited += 1
        self._timer.start()
        return True

    def _ask_again(self) -> None:
        QCoreApplication.postEvent(self._window, QEvent(QEvent.Type.UpdateRequest))
