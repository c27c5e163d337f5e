"""Processes: what they may take, how they are ended, and how they have ended.

Imports next to nothing: the window starts its first process before anything else.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from kinetree.engine import platforms
from kinetree.engine.platforms.system import HERE, System

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Signals that ask a program to end: Ctrl-C and `kill`. Windows has them by name, and sends the first one only."""
WITHOUT_CONSOLE: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""creationflags of a process for which Windows opens no console, which would flash up in front of the window."""
APART: Mapping[str, Any] = (
    {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    if sys.platform == "win32"
    else {"start_new_session": True}
)
"""Arguments for a process that a Ctrl-C in our terminal does not reach, and that may live longer than this one."""
INTERPRETER_OPTIONS = ("-X", "utf8") if HERE == "windows" else ()
"""Options for Python: on Windows its pipes would have the encoding of the country."""
_NTSTATUS = {
    0xC0000005: "ACCESS_VIOLATION",
    0xC0000017: "NO_MEMORY",
    0xC000001D: "ILLEGAL_INSTRUCTION",
    0xC00000FD: "STACK_OVERFLOW",
    0xC000012D: "COMMITMENT_LIMIT",
    0xC000013A: "CONTROL_C_EXIT",
    0xC0000374: "HEAP_CORRUPTION",
    0xC0000409: "STACK_BUFFER_OVERRUN",
}


def limit_memory(nbytes: int) -> bool:
    """Let this process take at most so much address space (Windows: committed memory): beyond, Python raises
    MemoryError. Returns whether the system does that."""
    if sys.platform == "win32":
        return platforms.windows.limit(memory=nbytes)
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        nbytes = min(nbytes, hard)
    with suppress(ValueError, OSError):  # macOS refuses limits below what is mapped already
        resource.setrlimit(resource.RLIMIT_AS, (nbytes, hard))
        return True
    return False


def physical_memory() -> int:
    """Memory of the machine, bytes; 0 if it is not known."""
    if sys.platform == "win32":
        return platforms.windows.physical_memory()
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0


def lower_priority(by: int = 5) -> None:
    """Let the window and the physics, of the usual priority, run before this process. `by`: steps of Unix, which
    has 19; Windows has one."""
    if sys.platform == "win32":
        platforms.windows.lower_priority()
    else:
        with suppress(OSError):
            os.nice(by)


def use_fine_timer() -> None:
    """Let waits of this process end within a millisecond, for simulations in real time."""
    if sys.platform == "win32":
        platforms.windows.use_fine_timer()


def ask_to_end(process: subprocess.Popen, system: System = HERE) -> None:
    """Ask a process to clean up and end. It reads its standard input, which the caller closes next: on Windows only
    that asks, as a signal ends a process at once there."""
    if system != "windows":
        process.terminate()


def is_crash(code: int, system: System = HERE) -> bool:
    """Whether a process with this `returncode` has ended by a signal, or by an error of Windows."""
    return code & 0xFFFFFFFF >= 0xC0000000 if system == "windows" else code < 0


def ended_by(code: int, system: System = HERE) -> str:
    """How a process with this `returncode` has ended, in a word."""
    if system == "windows":
        return _NTSTATUS.get(code & 0xFFFFFFFF, str(code))
    if code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return str(code)


def since_start() -> float:
    """Seconds since the operating system started this process; imports are included. Only Linux says that: elsewhere it
    is the time that the processor has worked for it."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        with open("/proc/uptime", "rb") as file:
            uptime = float(file.read().split()[0])
        return uptime - ticks / (os.sysconf("SC_CLK_TCK") if sys.platform != "win32" else 1)
    except (OSError, ValueError, IndexError):
        return time.process_time()
