"""Limits that a process sets itself before it reads data that nobody has checked."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress

from kinetree.engine import platforms


def confine(memory: int, seconds: float) -> None:
    """Let this process have so many bytes of memory of its own and run so long, and write no file.

    Counted is what the process alone has (RLIMIT_DATA): libraries on the disk, which all programs share, are not. The
    address space says nothing: drivers reserve much more of it than they use. Beyond the limit allocations fail: Python
    raises MemoryError, a driver may end the process. Windows limits memory and processor
    time by a job, and lets files be written; who started the process ends it.
    """
    if sys.platform == "win32":
        platforms.windows.limit(memory, seconds)
        return
    import resource

    wanted = {
        resource.RLIMIT_DATA: memory,
        resource.RLIMIT_CPU: max(1, round(seconds)),
        resource.RLIMIT_FSIZE: 0,  # pipes are no files
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in wanted.items():
        hard = resource.getrlimit(limit)[1]
        with suppress(ValueError, OSError):  # the system's own limit is lower
            resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write to a file fails, and does not end the process
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends it at once, whatever it does
    signal.setitimer(signal.ITIMER_REAL, seconds)
