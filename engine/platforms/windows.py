"""Functions of Windows that Python has no name for. Each takes the library that has them, so that tests can give it
another one with the same types."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, NamedTuple

BELOW_NORMAL = 0x4000
_EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
_LIMIT_TIME, _LIMIT_MEMORY = 0x2, 0x100
_TICKS = 10_000_000  # in a second, for times of processes


def library(name: str) -> Any:
    """A library of Windows. Raises OSError elsewhere."""
    if sys.platform == "win32":
        return ctypes.WinDLL(name)
    raise OSError(f"{name} is a library of Windows")


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("per_process_user_time", ctypes.c_int64),
        ("per_job_user_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("most_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("physical", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 6),
    )


def limit(memory: int = 0, seconds: float = 0.0, kernel32: Any = None) -> bool:
    """Put this process into a job that may take so much memory (bytes) and time of the processor, 0 for no limit;
    whether the system did it."""
    kernel32 = library("kernel32") if kernel32 is None else kernel32
    limits = Limits()
    if memory:
        limits.basic.flags |= _LIMIT_MEMORY
        limits.process_memory = memory
    if seconds:
        limits.basic.flags |= _LIMIT_TIME
        limits.basic.per_process_user_time = int(seconds * _TICKS)
    kernel32.CreateJobObjectW.restype = kernel32.GetCurrentProcess.restype = ctypes.c_void_p
    job = kernel32.CreateJobObjectW(None, None)  # the process holds it as long as it lives
    if not job:
        return False
    set_limits, assign = kernel32.SetInformationJobObject, kernel32.AssignProcessToJobObject
    set_limits.argtypes = ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32
    assign.argtypes = ctypes.c_void_p, ctypes.c_void_p
    pointer = ctypes.addressof(limits)
    if not set_limits(job, _EXTENDED_LIMITS, pointer, ctypes.sizeof(limits)):
        return False
    return bool(assign(job, kernel32.GetCurrentProcess()))


def physical_memory(kernel32: Any = None) -> int:
    """Memory of the machine, bytes; 0 if it is not known."""
    kernel32 = library("kernel32") if kernel32 is None else kernel32
    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    ask = kernel32.GlobalMemoryStatusEx
    ask.argtypes = (ctypes.c_void_p,)
    return int(status.physical) if ask(ctypes.addressof(status)) else 0


def lower_priority(kernel32: Any = None) -> None:
    """Let this process run after those of usual priority."""
    kernel32 = library("kernel32") if kernel32 is None else kernel32
    kernel32.GetCurrentProcess.restype = ctypes.c_void_p
    kernel32.SetPriorityClass.argtypes = ctypes.c_void_p, ctypes.c_uint32
    kernel32.SetPriorityClass(kernel32.GetCurrentProcess(), BELOW_NORMAL)


def language_number(kernel32: Any = None) -> int:
    """Windows' number of the language of the desktop, a key of `locale.windows_locale`."""
    kernel32 = library("kernel32") if kernel32 is None else kernel32
    kernel32.GetUserDefaultUILanguage.restype = ctypes.c_uint16
    return int(kernel32.GetUserDefaultUILanguage())


def use_fine_timer(winmm: Any = None) -> None:
    """Let waits end within a millisecond; they usually end with the next of 64 ticks in a second."""
    winmm = library("winmm") if winmm is None else winmm
    winmm.timeBeginPeriod(1)


class Counter(NamedTuple):
    """The function QueryPerformanceCounter, by its address, and its counts in a second."""

    address: int
    frequency: int


def performance_counter(kernel32: Any = None) -> Counter:
    """The clock with the finest unit."""
    kernel32 = library("kernel32") if kernel32 is None else kernel32
    frequency = ctypes.c_int64()
    ask = kernel32.QueryPerformanceFrequency
    ask.argtypes = (ctypes.c_void_p,)
    ask(ctypes.addressof(frequency))
    return Counter(ctypes.cast(kernel32.QueryPerformanceCounter, ctypes.c_void_p).value or 0, frequency.value)
