"""Progress of long work and its end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine import progress
from kinetree.engine.check.run import examine
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.progress import (
    Cancelled,
    is_cancelled,
    part,
    reported,
    tracked,
)


@pytest.fixture
def every_report(monkeypatch):
    monkeypatch.setattr(progress, "INTERVAL", 0.0)


def test_nobody_listens():
    assert list(tracked([1, 2])) == [1, 2] and list(tracked(iter("ab"))) == ["a", "b"]
    with part(0.2, 0.4):
        assert not is_cancelled()


def test_loops_inside_loops_and_parts_share_the_way(every_report):
    seen: list[float] = []
    with reported(seen.append):
        with part(0.0, 0.5):
            for _ in tracked(range(2)):
                assert list(tracked(iter("abcd"), 4)) == list("abcd")
        with part(0.5, 1.0):
            assert list(tracked([])) == []
            assert list(tracked(iter(range(5)))) == [0, 1, 2, 3, 4]
    assert seen == sorted(seen) and 0.25 in seen and seen[-1] == pytest.approx(0.9)


@given(st.lists(st.integers(0, 4), max_size=5))
def test_progress_stays_within_its_bounds(counts):
    seen: list[float] = []
    progress.INTERVAL, before = 0.0, progress.INTERVAL
    try:
        with reported(seen.append):
            for count in tracked(counts):
                for _ in tracked(range(count), 2):  # the count may be wrong
                    pass
    finally:
        progress.INTERVAL = before
    assert seen == sorted(seen) and all(0 <= each <= 1 for each in seen)


def test_a_loop_that_is_left_early_gives_its_share_back(every_report):
    seen: list[float] = []
    with reported(seen.append):
        for _ in tracked(range(10)):
            break
        for _ in tracked(range(2)):
            pass
    assert seen[-1] == pytest.approx(0.5)


def test_a_report_may_end_the_work(every_report):
    def report(fraction: float) -> None:
        if fraction >= 0.5:
            raise Cancelled

    done = []
    with pytest.raises(Cancelled), reported(report):
        done.extend(tracked(range(4)))
    assert done == [0, 1]
    with pytest.raises(Cancelled), reported(report), part(0.6, 1.0):
        list(tracked([1]))
    with reported(lambda fraction: None):
        assert not is_cancelled()


def test_compiling_and_checking_end_before_the_next_pass():
    document = Document.from_string('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
    begun: list[str] = []
    for name in ("check the text", "read", "tree"):
        begun.clear()
        with pytest.raises(Cancelled):
            compile_document(
                document, lambda done, total, text: begun.append(text), lambda name=name: begun[-1:] == [name]
            )
        assert begun[-1] == name
    compiled = compile_document(document)
    asked = 0

    def later() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    assert examine(compiled, document, cancelled=later) == [] and asked == 4
