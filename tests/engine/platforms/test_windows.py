"""Calls of Windows, to functions with its types."""

from __future__ import annotations

import ctypes

import pytest

from kinetree.engine.platforms import windows
from kinetree.engine.platforms.system import HERE
from tests.engine.platforms.kernel32 import FREQUENCY, JOB, PROCESS, Kernel32


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="sizes of 64 bits")
def test_structures_have_the_sizes_of_windows():
    assert ctypes.sizeof(windows.Limits) == 144
    assert windows.Limits.process_memory.offset == 112
    assert windows._BasicLimits.flags.offset == 16 and windows.Limits.io_counters.offset == 64
    assert ctypes.sizeof(windows.MemoryStatus) == 64 and windows.MemoryStatus.physical.offset == 8


@pytest.mark.parametrize(
    ("memory", "seconds", "flags", "time"),
    [(300 << 20, 0, 0x100, 0), (0, 5, 0x2, 50_000_000), (5 << 30, 0.5, 0x102, 5_000_000)],
)
def test_limits_are_those_of_a_job(memory, seconds, flags, time):
    kernel32 = Kernel32()
    assert windows.limit(memory, seconds, kernel32)
    assert kernel32.asked == [
        ("CreateJobObjectW", None, None),
        ("SetInformationJobObject", JOB, 9, flags, memory, time),
        ("AssignProcessToJobObject", JOB, PROCESS),
    ]


@pytest.mark.parametrize("refuses", ["CreateJobObjectW", "SetInformationJobObject", "AssignProcessToJobObject"])
def test_a_limit_that_windows_refuses_is_told(refuses):
    kernel32 = Kernel32(refuses)
    assert not windows.limit(1 << 30, 0, kernel32)
    assert kernel32.asked[-1][0] == refuses


def test_the_memory_of_the_machine():
    assert windows.physical_memory(Kernel32()) == 16 << 30
    assert windows.physical_memory(Kernel32("GlobalMemoryStatusEx")) == 0


def test_the_priority():
    kernel32 = Kernel32()
    windows.lower_priority(kernel32)
    assert kernel32.asked == [("SetPriorityClass", PROCESS, 0x4000)]


def test_the_language_of_the_desktop():
    assert windows.language_number(Kernel32()) == 0x0407


def test_the_fine_timer():
    asked = []

    class Winmm:
        timeBeginPeriod = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32)(lambda period: asked.append(period) or 0)

    windows.use_fine_timer(Winmm())
    assert asked == [1]


def test_the_counter():
    kernel32 = Kernel32()
    counter = windows.performance_counter(kernel32)
    assert counter.frequency == FREQUENCY
    value = ctypes.c_int64()
    ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(counter.address)(ctypes.addressof(value))
    assert value.value == 1_000_000_000


@pytest.mark.skipif(HERE == "windows", reason="other systems")
def test_elsewhere_there_are_no_libraries_of_windows():
    with pytest.raises(OSError, match="kernel32 is a library of Windows"):
        windows.limit(1)
