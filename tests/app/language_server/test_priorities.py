"""Answers come before the examination of models and before the search for garbage."""

import asyncio
import gc
import sys
import weakref
from threading import Event

from kinetree.app.language_server import garbage, problems
from tests.patience import LIMIT


class Ring:
    """An object that only the collector can free."""

    def __init__(self):
        self.itself = self


def test_an_examination_rests_while_requests_are_answered():
    asked = []

    def is_busy() -> bool:
        asked.append(True)
        return len(asked) < 4

    stop = problems._Stop(Event(), is_busy)
    assert not stop.is_set()
    assert len(asked) == 4
    assert not stop.is_set()
    assert len(asked) == 5


def test_an_examination_does_not_rest_for_ever_and_ends_where_it_is_given_up(monkeypatch):
    monkeypatch.setattr(problems, "PATIENCE", 3 * problems.REST)
    given_up = Event()
    stop = problems._Stop(given_up, lambda: True)
    assert not stop.is_set()
    given_up.set()
    assert stop.is_set()
    assert problems._Stop(given_up, lambda: True).is_set()


def test_garbage_is_searched_when_the_client_is_quiet(monkeypatch):
    monkeypatch.setattr(garbage, "MUCH", -sys.maxsize)
    quiet = [False]

    async def session() -> None:
        collecting = asyncio.create_task(garbage.collect(lambda: 0.0 if quiet[0] else sys.maxsize, every=0.001))
        await asyncio.sleep(0)
        assert not gc.isenabled()
        ring = Ring()
        gone = weakref.ref(ring)
        gc.freeze()  # an examination has left it
        del ring
        for _ in range(20):
            await asyncio.sleep(0.001)
        assert gone() is not None
        quiet[0] = True
        while gone() is not None:
            await asyncio.sleep(0.001)
        collecting.cancel()
        await asyncio.gather(collecting, return_exceptions=True)

    asyncio.run(asyncio.wait_for(session(), LIMIT))
    assert gc.isenabled() and gc.get_freeze_count() == 0
