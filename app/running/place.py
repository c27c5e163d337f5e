"""Where the windows of this user on this display are found: a folder with a file and a socket for each of them.

The file of a window has the path of the model that the window shows. It is touched when the window becomes the active
one, so the newest file is that of the window that was used last.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from pathlib import Path

from kinetree.engine.platforms import display, file_locks, folders, local_sockets

ENDING = ".window"
STARTING = "starting"
LONGEST = 16 * 1024
"""Longest path that is read, bytes."""


def folder() -> Path:
    """The folder of the windows; made where there is none. Raises OSError where it cannot be made, or is not safe."""
    shown_on = hashlib.sha256(display.of_windows(os.environ).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return folders.private(folders.private(folders.runtime()) / f"windows-{shown_on}")


class Place:
    """The file and the socket of one window."""

    def __init__(self, folder: Path, name: str):
        self.file = folder / f"{name}{ENDING}"
        self.address = local_sockets.address(folder, name)

    def announce(self) -> None:
        """Say that the window listens, or was used just now. Raises OSError."""
        self.file.touch(mode=0o600)

    def show(self, path: str) -> None:
        """Say which model the window shows, "" for none. Raises OSError."""
        draft = self.file.with_suffix(".draft")
        draft.touch(mode=0o600)
        draft.write_bytes(os.fsencode(path))
        draft.replace(self.file)

    def shown(self) -> str:
        """The path of the model that the window shows; "" for none, and where the window has ended."""
        try:
            with self.file.open("rb") as file:
                path = os.fsdecode(file.read(LONGEST))
        except OSError:
            return ""
        return path if os.path.isabs(path) and "\0" not in path else ""

    def forget(self) -> None:
        """Remove what is left of a window that has ended."""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)
            local_sockets.forget(self.address)


def new_place(folder: Path) -> Place:
    """A place for a new window."""
    return Place(folder, secrets.token_hex(4))


def places(folder: Path) -> list[Place]:
    """The windows of a folder, the one that was used last first; some may have ended without a word."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(ENDING):
                with contextlib.suppress(OSError):
                    found.append((entry.stat().st_mtime_ns, entry.name.removesuffix(ENDING)))
    return [Place(folder, name) for _, name in sorted(found, reverse=True)]


class StartLock:
    """Held by a start from its decision to make a window until the window listens, so that two starts at the same
    moment make one window."""

    def __init__(self, folder: Path):
        self._path = folder / STARTING
        self._handle: int | None = None

    def take(self) -> bool:
        """Whether this start has it now."""
        if self._handle is None:
            self._handle = file_locks.try_lock(self._path)
        return self._handle is not None

    def release(self) -> None:
        """Give it up, if this start has it."""
        handle, self._handle = self._handle, None
        if handle is not None:
            file_locks.unlock(handle)
