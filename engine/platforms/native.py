"""C functions of the system that compiled code calls by their addresses."""

from __future__ import annotations

import ctypes
import time
from typing import Any, NamedTuple

from kinetree.engine.platforms import windows
from kinetree.engine.platforms.system import HERE, System


class NativeClock(NamedTuple):
    """A clock as a C function that writes two words: seconds, and a fraction in units.

    address   of the function
    argument  its first argument; the second one is the address of the words
    units     in a second
    """

    address: int
    argument: int
    units: int


def clock(words: int, system: System = HERE, kernel32: Any = None) -> NativeClock:
    """The clock of the system for two words of memory, which are 0, at an address.

    Windows counts in one word: its function gets the address of the second word as its only argument.
    """
    if system == "windows":
        counter = windows.performance_counter(kernel32)
        return NativeClock(counter.address, words + 8, counter.frequency)
    return NativeClock(_address(ctypes.CDLL(None).clock_gettime), time.CLOCK_MONOTONIC, 10**9)


def yield_address(system: System = HERE, kernel32: Any = None) -> int:
    """Address of the function that lets other threads run. It takes no argument."""
    if system == "windows":
        return _address((windows.library("kernel32") if kernel32 is None else kernel32).SwitchToThread)
    return _address(ctypes.CDLL(None).sched_yield)


def _address(function: Any) -> int:
    """Where a C function of a loaded library is."""
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None, "a function that was found has an address"
    return address
