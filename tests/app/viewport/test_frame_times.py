"""Frame time and rate: of the same frames, also where one frame takes seconds."""

import pytest

from kinetree.app.viewport import frame_times
from kinetree.app.viewport.frame_times import FrameTimes


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test moves: clock[0] is the time, s."""
    now = [0.0]
    monkeypatch.setattr(frame_times, "perf_counter", lambda: now[0])
    return now


def draw(frames: FrameTimes, clock: list[float], seconds: float) -> None:
    frames.begin()
    clock[0] += seconds
    frames.end()


@pytest.mark.parametrize("seconds", [0.01, 0.5, 3.2])
def test_rate_and_time_agree(clock, seconds):
    frames = FrameTimes()
    for _ in range(20):
        draw(frames, clock, seconds)
    assert frames.seconds == pytest.approx(seconds)
    assert frames.rate == pytest.approx(1 / seconds)


def test_no_rate_while_nothing_is_drawn(clock):
    frames = FrameTimes()
    assert frames.seconds is None and frames.rate is None
    for _ in range(3):
        draw(frames, clock, 0.1)
    assert frames.rate is not None
    clock[0] += 1.1
    assert frames.rate is None
