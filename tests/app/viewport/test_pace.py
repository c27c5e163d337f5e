"""How the quality of the picture follows the time that frames take."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.viewport.pace import LONGEST, QUALITIES, WHOLE, Pace, pause


def run(pace: Pace, times: list[float], frames: int) -> None:
    """Draw frames that take `times[level]`."""
    for _ in range(frames):
        pace.took(times[pace.level])


def test_quick_frames_are_whole():
    pace = Pace()
    run(pace, [0.06] * len(QUALITIES), 100)
    assert pace.quality == WHOLE


@pytest.mark.parametrize("slow", [0.1, 0.3, 2.5])
def test_slow_frames_are_reduced_until_they_are_quick_enough(slow):
    pace = Pace()
    times = [slow, slow / 2, slow / 5, slow / 20, slow / 40]
    run(pace, times, 40)
    assert times[pace.level] <= LONGEST
    assert pace.level == 0 or times[pace.level - 1] > 0.5 * LONGEST


def test_very_slow_frames_are_left_after_two():
    pace = Pace()
    run(pace, [2.0] * len(QUALITIES), 2)
    assert pace.level == 2


def test_the_picture_is_whole_again_where_it_becomes_quick():
    pace = Pace()
    run(pace, [0.8, 0.4, 0.2, 0.05, 0.02], 40)
    assert pace.level >= 3
    run(pace, [0.01, 0.008, 0.006, 0.004, 0.003], 60)
    assert pace.quality == WHOLE


def test_the_quality_does_not_swing():
    pace = Pace()
    times = [0.4, 0.2, 0.1, 0.03, 0.02]
    run(pace, times, 60)
    chosen = set()
    for _ in range(300):
        run(pace, times, 1)
        chosen.add(pace.level)
    assert len(chosen) == 1


def test_one_slow_frame_changes_nothing():
    pace = Pace()
    run(pace, [0.01] * len(QUALITIES), 10)
    pace.took(0.15)
    run(pace, [0.01] * len(QUALITIES), 10)
    assert pace.quality == WHOLE


@given(st.lists(st.floats(1e-4, 20.0), max_size=200))
def test_any_times_give_a_quality(times):
    pace = Pace()
    for seconds in times:
        pace.took(seconds)
        assert 0 <= pace.level < len(QUALITIES)
        assert pace.quality.text.startswith("Reduced") == (pace.level > 0)


def test_the_window_gets_time_between_slow_frames():
    assert pause(0.016, False) == 0.0
    assert 0.0 < pause(0.1, False) < pause(0.1, True) <= 0.5
    assert pause(3.0, True) == 0.5
