"""Waiting and measuring in tests: a stuck test fails, and so does work that grows faster than its input."""

from __future__ import annotations

import gc

import pytest

from tests import patience


def lines(count: int) -> None:
    for _ in range(count):
        pass


def test_a_condition_that_never_holds_fails_and_one_that_holds_gives_its_value(monkeypatch) -> None:
    looks: list[int] = []
    assert patience.wait_for(lambda: len(looks) > 2 and looks, pump=lambda: looks.append(1)) == [1, 1, 1]
    monkeypatch.setattr(patience, "LIMIT", 0.05)
    with pytest.raises(AssertionError, match=r"not within 0\.05 s: the picture"):
        patience.wait_for(lambda: False, told="the picture")


def test_what_does_not_end_fails(monkeypatch) -> None:
    with patience.ends():
        lines(1000)
    monkeypatch.setattr(patience, "LIMIT", 0.0)
    with pytest.raises(AssertionError, match="stuck"), patience.ends():
        lines(100_000)


def test_work_is_the_same_in_every_run_and_grows_with_the_input() -> None:
    collects = gc.isenabled()
    assert patience.work(lambda: lines(1000)) == patience.work(lambda: lines(1000))
    assert 1.9 < patience.work(lambda: lines(2000)) / patience.work(lambda: lines(1000)) < 2.1
    assert gc.isenabled() == collects


def test_only_what_grows_faster_than_its_input_is_refused(monkeypatch) -> None:
    def linear(share: float) -> None:
        lines(int(share * 4_000_000))

    def quadratic(share: float) -> None:
        for _ in range(int(share * 2000)):
            lines(int(share * 2000))

    patience.grows_linearly(quadratic)  # it takes no time to speak of
    monkeypatch.setattr(patience, "QUICK", 0.0)
    patience.grows_linearly(linear)
    with pytest.raises(AssertionError, match="for a quarter"):
        patience.grows_linearly(quadratic)


def test_waits_of_pytest_qt_have_the_one_limit(qtbot, monkeypatch) -> None:
    waits = [
        qtbot.waitUntil,
        qtbot.waitSignal,
        qtbot.waitSignals,
        qtbot.waitExposed,
        qtbot.waitActive,
        qtbot.waitCallback,
    ]
    assert [wait.__func__.__kwdefaults__["timeout"] for wait in waits] == [patience.LIMIT * 1000] * len(waits)
