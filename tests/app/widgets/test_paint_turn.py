"""A window that would paint in a pass of the event loop that already took long does so in the next one."""

import time

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QWidget

from kinetree.app.widgets import paint_turn
from kinetree.app.widgets.paint_turn import LONG, PaintTurn


class Canvas(QWidget):
    turn: PaintTurn | None = None

    def __init__(self):
        super().__init__()
        self.done: list[str] = []
        self.turn = PaintTurn(self)

    def event(self, event: QEvent) -> bool:
        return (self.turn is not None and self.turn.waits(event)) or super().event(event)

    def paintEvent(self, event):
        self.done.append("painted")

    def compute(self) -> None:
        """As a slot that computes and has something to paint, with more to do right after it."""
        end = time.thread_time() + 2 * LONG
        while time.thread_time() < end:
            pass
        self.done.append("computed")
        self.update()
        QTimer.singleShot(0, lambda: self.done.append("answered"))


@pytest.fixture
def canvas(qtbot, monkeypatch):
    monkeypatch.setattr(paint_turn, "OPENING", 0.0)
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.show()
    qtbot.waitUntil(lambda: "painted" in canvas.done)
    return canvas


def test_it_paints_after_a_long_pass(canvas, qtbot):
    for _ in range(5):
        canvas.done.clear()
        QTimer.singleShot(0, canvas.compute)
        qtbot.waitUntil(lambda: "painted" in canvas.done)
        assert canvas.done[0] == "computed"


def test_a_long_pass_is_waited_for_only_so_often(canvas):
    request = QEvent(QEvent.Type.UpdateRequest)
    end = time.thread_time() + 2 * LONG
    while time.thread_time() < end:
        pass
    waits = []
    for _ in range(paint_turn.MOST + 1):
        waits.append(canvas.turn.waits(request))
        canvas.turn._timer.stop()  # as if the next pass had taken as long
    assert waits == [True] * paint_turn.MOST + [False]
    assert not canvas.turn.waits(QEvent(QEvent.Type.PaletteChange))


def test_a_window_that_was_just_made_paints_at_once(qtbot, monkeypatch):
    monkeypatch.setattr(paint_turn, "LONG", 0.0)
    canvas = Canvas()
    qtbot.addWidget(canvas)
    assert canvas.turn is not None and not canvas.turn.waits(QEvent(QEvent.Type.UpdateRequest))
