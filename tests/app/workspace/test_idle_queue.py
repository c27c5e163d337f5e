"""Work in turn: once each, one piece in a pass of the event loop."""

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from kinetree.app.workspace.idle_queue import IdleQueue


def test_work_is_done_in_turn_and_once(qapp, qtbot):
    queue, done = IdleQueue(), []
    first, second = (lambda: done.append(1)), (lambda: done.append(2))
    for work in (first, second, first):
        queue.ask(work)
    assert not done
    qtbot.waitUntil(lambda: len(done) == 2)
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
    assert done == [1, 2]


def test_an_event_comes_between_two_pieces(qapp, qtbot):
    queue, done = IdleQueue(), []

    def work(name: str):
        def run() -> None:
            done.append(name)

        return run

    queue.ask(work("a"))
    queue.ask(work("b"))
    while not done:
        QApplication.processEvents()
    assert done == ["a"]
    qtbot.waitUntil(lambda: done == ["a", "b"])


def test_work_asks_for_more_and_can_be_forgotten(qapp, qtbot):
    queue, done = IdleQueue(), []

    def again() -> None:
        done.append(0)
        if len(done) < 3:
            queue.ask(again)

    queue.ask(again)
    qtbot.waitUntil(lambda: len(done) == 3)
    queue.ask(again)
    queue.stop()
    qtbot.wait(20)
    assert len(done) == 3
