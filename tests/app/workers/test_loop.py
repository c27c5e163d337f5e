"""The loop that worker threads share: work in order, rests that end early, an end that cleans up."""

import threading
from collections import deque

import pytest

from kinetree.app.workers.loop import LoopThread
from tests.patience import LIMIT, wait_for


class Worker(LoopThread):
    """Does what it is given; waits for `gate` while it does."""

    def __init__(self, longest: float | None = None):
        super().__init__("test")
        self.given: deque[str] = deque()
        self.done: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        self._longest = longest

    def give(self, work: str) -> None:
        with self.waking():
            self.given.append(work)

    def begin(self) -> None:
        self.done.append("begin")

    def end(self) -> None:
        self.done.append("end")

    def pause(self) -> float | None:
        return self._longest

    def take(self, is_late: bool = False) -> str | None:
        return self.given.popleft() if self.given else "late" if is_late else None

    def do(self, work: str) -> None:
        self.done.append(work)
        if work == "rest":
            self.done.append(f"{self.rest(LIMIT, until=lambda: bool(self.given))}")
        if work == "fail":
            raise ValueError(work)
        assert self.gate.wait(LIMIT)


@pytest.fixture
def worker():
    made = Worker()
    yield made
    made.gate.set()
    made.stop()
    if made.ident is not None:
        made.join(LIMIT)
        assert not made.is_alive()


def test_work_that_was_given_before_and_after_the_start_is_done_in_order(worker):
    worker.give("a")
    worker.start()
    worker.give("b")
    wait_for(lambda: worker.done == ["begin", "a", "b"])
    worker.give("c")
    wait_for(lambda: worker.done[-1] == "c")


def test_nothing_is_taken_once_it_is_stopped(worker):
    worker.gate.clear()
    worker.start()
    worker.give("a")
    wait_for(lambda: worker.done[-1] == "a")
    worker.give("b")
    worker.stop()
    assert worker.is_stopping
    worker.gate.set()
    worker.join(LIMIT)
    assert worker.done == ["begin", "a", "end"] and list(worker.given) == ["b"]


def test_a_rest_ends_when_there_is_something_else_to_do(worker):
    worker.start()
    worker.give("rest")
    wait_for(lambda: worker.done[-1] == "rest")
    worker.give("next")
    wait_for(lambda: worker.done == ["begin", "rest", "True", "next"])


def test_a_rest_ends_when_it_is_stopped(worker):
    worker.start()
    worker.give("rest")
    wait_for(lambda: worker.done[-1] == "rest")
    worker.stop()
    worker.join(LIMIT)
    assert worker.done == ["begin", "rest", "True", "end"]


def test_after_a_pause_it_is_asked_again():
    worker = Worker(0.001)
    worker.start()
    wait_for(lambda: worker.done.count("late") > 2)
    worker.stop()
    worker.join(LIMIT)
    assert worker.done[-1] == "end"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_work_that_fails_ends_it_in_order(worker):
    worker.start()
    worker.give("fail")
    worker.join(LIMIT)
    assert worker.done == ["begin", "fail", "end"]
