"""A library of Windows made of C functions with Windows' types, that note what they are asked and answer as told."""

from __future__ import annotations

import ctypes
from ctypes import c_int32, c_uint16, c_uint32, c_void_p

from kinetree.engine.platforms.windows import Limits, MemoryStatus

PROCESS = (1 << 64) - 1
"""The handle that GetCurrentProcess returns: -1."""
JOB = 0x1_2345_6780
"""A handle that 32 bits do not hold: whoever declares no types loses half of it."""
FREQUENCY = 10_000_000


class Kernel32:
    """asked    calls, as (function, arguments)
    refuses  names of functions that fail
    counts   what QueryPerformanceCounter answers, one after the other
    """

    def __init__(self, *refuses: str):
        self.asked: list[tuple] = []
        self.counts = iter(range(1_000_000_000, 1 << 62, 5000))
        self._refuses = refuses
        self.CreateJobObjectW = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_void_p)(self._job)
        self.GetCurrentProcess = ctypes.CFUNCTYPE(c_void_p)(lambda: PROCESS)
        self.SetInformationJobObject = ctypes.CFUNCTYPE(c_int32, c_void_p, c_int32, c_void_p, c_uint32)(self._limit)
        self.AssignProcessToJobObject = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p)(self._assign)
        self.GlobalMemoryStatusEx = ctypes.CFUNCTYPE(c_int32, c_void_p)(self._memory)
        self.SetPriorityClass = ctypes.CFUNCTYPE(c_int32, c_void_p, c_uint32)(self._priority)
        self.GetUserDefaultUILanguage = ctypes.CFUNCTYPE(c_uint16)(lambda: 0x0407)
        self.QueryPerformanceFrequency = ctypes.CFUNCTYPE(c_int32, c_void_p)(self._frequency)
        self.QueryPerformanceCounter = ctypes.CFUNCTYPE(c_int32, c_void_p)(self._count)
        self.SwitchToThread = ctypes.CFUNCTYPE(c_int32)(lambda: 0)

    def _answer(self, name: str, *arguments) -> int:
        self.asked.append((name, *arguments))
        return 0 if name in self._refuses else 1

    def _job(self, security, name):
        return JOB if self._answer("CreateJobObjectW", security, name) else None

    def _limit(self, job, kind, address, size):
        limits = Limits.from_buffer_copy(ctypes.string_at(address, size))
        basic = limits.basic
        return self._answer(
            "SetInformationJobObject", job, kind, basic.flags, limits.process_memory, basic.per_process_user_time
        )

    def _assign(self, job, process):
        return self._answer("AssignProcessToJobObject", job, process)

    def _memory(self, address):
        status = MemoryStatus.from_address(address)
        assert status.length == 64, "Windows refuses another length"
        status.physical = 16 << 30
        return self._answer("GlobalMemoryStatusEx")

    def _priority(self, process, kind):
        return self._answer("SetPriorityClass", process, kind)

    def _frequency(self, address):
        ctypes.c_int64.from_address(address).value = FREQUENCY
        return 1

    def _count(self, address):
        ctypes.c_int64.from_address(address).value = next(self.counts)
        return 1
