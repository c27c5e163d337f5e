"""Locks between programs, on a file: the system gives them up when their process ends, however it ends."""

from __future__ import annotations

import os
from pathlib import Path

from kinetree.engine.platforms.system import HERE


def try_lock(path: Path) -> int | None:
    """Lock a file, which is made where there is none; returns what `unlock` takes, None while another process has the
    lock. Raises OSError where the file cannot be opened."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        _lock(handle)
    except OSError:
        os.close(handle)
        return None
    return handle


def unlock(handle: int) -> None:
    """Give a lock up."""
    os.close(handle)


def _lock(handle: int) -> None:
    if HERE == "windows":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
