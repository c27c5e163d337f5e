"""Time marks for tests and the start-up benchmark: KINETREE_MARKS=FILE gets lines "NAME SECONDS" appended."""

from __future__ import annotations

import os
import time


def since_start() -> float:
    """Seconds since the operating system started this process; imports are included."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        with open("/proc/uptime", "rb") as file:
            uptime = float(file.read().split()[0])
        return uptime - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return time.process_time()


def mark(name: str, seconds: float | None = None) -> None:
    """Write a mark; without a time, the time since the process started."""
    path = os.environ.get("KINETREE_MARKS")
    if path:
        value = since_start() if seconds is None else seconds
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{name} {value:.3f}\n")
