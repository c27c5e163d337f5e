"""Clocks for compiled code: the profile of a step reads them through a pointer."""

from __future__ import annotations

import ctypes
import functools
import time

import numpy as np
import pytest

from kinetree import Data, load_string, step
from kinetree.engine.platforms import native
from kinetree.engine.platforms.system import HERE
from kinetree.engine.run import timing
from tests.engine.platforms.kernel32 import FREQUENCY, Kernel32

BALL = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


def now(clock: native.NativeClock, words: np.ndarray) -> float:
    """The time by a clock as `engine/run/stage_timer.py` reads it, s."""
    ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.c_int64)(clock.address)(clock.argument, words.ctypes.data)
    return (int(words[0]) * clock.units + int(words[1])) / clock.units


def test_the_clock_of_windows_counts_in_the_second_word():
    kernel32, words = Kernel32(), np.zeros(2, np.int64)
    clock = native.clock(words.ctypes.data, "windows", kernel32)
    assert clock.units == FREQUENCY
    assert now(clock, words) == 1_000_000_000 / FREQUENCY
    assert now(clock, words) == 1_000_005_000 / FREQUENCY
    assert words[0] == 0


@pytest.mark.skipif(HERE == "windows", reason="the clock of POSIX")
def test_the_clock_of_this_machine():
    words = np.zeros(2, np.int64)
    clock = native.clock(words.ctypes.data)
    before = time.monotonic()
    assert before <= now(clock, words) <= time.monotonic() + 1e-3


def test_a_step_is_timed_by_the_clock_of_windows(monkeypatch):
    """Each look at the clock counts on by the same, so each stage takes as long."""
    clock = functools.partial(native.clock, system="windows", kernel32=Kernel32())
    monkeypatch.setattr(native, "clock", clock)
    model = load_string(BALL)
    data = Data(model)
    step(model, data)
    timer = timing.StageTimer(model)
    times = timer._run(model, data, 3, timer._stages)
    assert np.allclose(times, 5000 / FREQUENCY)


def test_the_function_that_yields():
    address = native.yield_address()
    assert ctypes.CFUNCTYPE(ctypes.c_int32)(address)() in (0, 1)
    kernel32 = Kernel32()
    assert native.yield_address("windows", kernel32) == ctypes.cast(kernel32.SwitchToThread, ctypes.c_void_p).value
