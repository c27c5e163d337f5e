"""Time marks for tests and the start-up benchmark: KINETREE_MARKS=FILE gets lines "NAME SECONDS" appended."""

from __future__ import annotations

import os

from kinetree.engine.platforms import processes


def mark(name: str, seconds: float | None = None) -> None:
    """Write a mark; without a time, the time since the process started."""
    path = os.environ.get("KINETREE_MARKS")
    if path:
        value = processes.since_start() if seconds is None else seconds
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{name} {value:.3f}\n")
