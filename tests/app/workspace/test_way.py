"""Threads that compute let the window go first where it has computed for long, for a bounded time."""

from __future__ import annotations

import math
import threading
import time
from types import SimpleNamespace

import pytest

from kinetree.app.workspace import way as module
from kinetree.app.workspace.way import Pass, Way, present_pass
from kinetree.engine.progress import give_way
from tests.patience import LIMIT

pytestmark = pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="the system does not tell")


@pytest.fixture
def way(qapp):
    way = Way()
    yield way
    way.end()


@pytest.fixture
def looks(way, monkeypatch):
    """How often a thread looked whether it is to wait."""
    found: list[bool] = []
    is_long = way._is_long

    def look() -> bool:
        found.append(is_long())
        return found[-1]

    monkeypatch.setattr(way, "_is_long", look)
    return found


def computed(present: Pass, seconds: float) -> None:
    """Let the pass have computed for so long until now."""
    present.began = time.thread_time() - seconds


def working() -> threading.Thread:
    thread = threading.Thread(target=give_way, daemon=True)
    thread.start()
    return thread


def test_a_long_pass_is_waited_for(way, looks, monkeypatch, qtbot):
    monkeypatch.setattr(module, "MOST", math.inf)
    computed(present_pass(), 1.0)
    thread = working()
    while len(looks) < 5:
        time.sleep(0.001)
    assert thread.is_alive() and all(looks)
    computed(present_pass(), 0.0)
    thread.join(LIMIT)
    assert not thread.is_alive() and not looks[-1]


def test_the_wait_is_bounded_in_one_pass_and_over_all(way, monkeypatch):
    at, slept = 0.0, []

    def sleep(seconds: float) -> None:
        nonlocal at
        at += seconds
        slept.append(seconds)

    clock = SimpleNamespace(
        perf_counter=lambda: at, sleep=sleep, clock_gettime=lambda clock: math.inf, thread_time=lambda: 0.0
    )
    monkeypatch.setattr(module, "time", clock)

    def work() -> None:
        nonlocal at
        at = 100.0
        give_way()
        slept.append(math.inf)  # the first pause ends here
        while at < 110.0:
            at += 0.001
            give_way()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(LIMIT)
    first = slept.index(math.inf)
    assert module.MOST <= sum(slept[:first]) < module.MOST + 2 * module.SLICE
    share = sum(slept[first + 1 :]) / 10.0
    assert 0.5 * module.SHARE < share <= module.SHARE


def test_short_passes_drawing_and_the_window_itself_wait_for_nobody(way, looks, monkeypatch):
    monkeypatch.setattr(module, "EVERY", 0.0)  # a thread may get the number of the one before, and looks at once too
    present = present_pass()
    computed(present, 0.0)
    working().join(LIMIT)
    assert looks == [False]
    computed(present, 1.0)
    present.begin_drawing()
    working().join(LIMIT)
    assert looks == [False, False]
    give_way()
    assert looks == [False, False]
    way.end()
    present.end_drawing()
    working().join(LIMIT)
    assert looks == [False, False]


def test_a_pass_begins_with_each_turn_of_the_event_loop_and_drawing_is_not_of_it(qapp, qtbot):
    present = present_pass()
    assert present is present_pass()
    computed(present, 100.0)
    qtbot.waitUntil(lambda: time.thread_time() - present.began < 50.0)
    computed(present, 1.0)
    began = present.began
    present.begin_drawing()
    while time.thread_time() - began < 1.01:
        pass
    present.end_drawing()
    assert began + 0.005 < present.began < time.thread_time() - 0.9
    present.end_drawing()
    assert present.drawing is None
