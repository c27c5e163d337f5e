"""How long the thread of the window has computed in the present pass of its event loop, drawing aside."""

from __future__ import annotations

import time

from PySide6.QtCore import QAbstractEventDispatcher, QObject


class EventLoopPass(QObject):
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


def present_pass() -> EventLoopPass:
    """The one of the thread that asks."""
    dispatcher = QAbstractEventDispatcher.instance()
    return dispatcher.findChild(EventLoopPass) or EventLoopPass(dispatcher)
