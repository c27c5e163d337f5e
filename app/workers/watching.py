"""Watches files and reports when the content of any of them changes, however an editor writes them.

A thread compares size, time and inode of each file, and hashes the content of those that look different, so that a
`touch` or a rewrite of the same bytes is not a change. It looks when the system notifies (`app/workers/notifying.py`,
within milliseconds) and once in `POLL` seconds anyway: notifications get lost on network folders, with files replaced
by rename, and with deleted folders.
"""

from __future__ import annotations

import hashlib
import math
import os
import threading
import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from app.workers.notifying import Notifier

DEBOUNCE = 0.03  # quiet time after a notification before looking, s
GONE = 0.25  # how long a file may be missing (an editor replacing it) before that counts as a change, s
POLL = 1.0  # time between looks without a notification, s

Stamp = tuple[int, int, int] | None


class WatchThread(threading.Thread):
    """`changed(paths, written)` is called in this thread with the files whose content is new or that came or went
    and with the time (`time.time()`) at which the change was written, as far as the file system tells;
    `looked(paths)` with all watched files after each look that saw a difference, so that notifications can be armed
    again."""

    def __init__(self, changed: Callable[[list[str], float], None], looked: Callable[[list[str]], None]):
        super().__init__(name="watch", daemon=True)
        self._changed, self._looked = changed, looked
        self._wake = threading.Condition()
        self._poked = self._stopping = False
        self._wanted: tuple[list[str], dict[str, str], float] | None = None
        self._stamps: dict[str, Stamp] = {}
        self._hashes: dict[str, str] = {}
        self._missing: dict[str, float] = {}

    def watch(
        self, files: Iterable[str], hashes: dict[str, str] | None = None, since: float = math.inf
    ) -> None:
        """Watch these files instead. `hashes`: content hashes (blake2b, 16 bytes) of what the caller read;
        a file not among them that was written after `since` (time.time()) counts as changed, once."""
        with self._wake:
            self._wanted = (list(files), dict(hashes or {}), since)
            self._poked = True
            self._wake.notify()

    def poke(self) -> None:
        """Look soon."""
        with self._wake:
            self._poked = True
            self._wake.notify()

    def stop(self) -> None:
        """End the thread; join it afterwards."""
        with self._wake:
            self._stopping = True
            self._wake.notify()

    def run(self) -> None:
        while True:
            with self._wake:
                if not self._poked and not self._stopping:
                    # Without files there is nothing to look at: sleep until told.
                    self._wake.wait(self._pause())
                if self._stopping:
                    return
                poked, self._poked = self._poked, False
                wanted, self._wanted = self._wanted, None
            if wanted is not None:
                changes = self._start(*wanted)
            else:
                if poked:
                    time.sleep(DEBOUNCE)
                changes = self._look()
            if changes:
                self._changed(changes, max((_written(path) for path in changes), default=time.time()))

    def _pause(self) -> float | None:
        if not self._stamps:
            return None
        return GONE / 2 if self._missing else POLL

    def _start(self, files: list[str], hashes: dict[str, str], since: float) -> list[str]:
        changes = []
        stamps, known = {}, {}
        for path in files:
            stamp = stamps[path] = _stamp(path)
            if stamp is None:
                continue
            content = _hash(path)
            if path in hashes:
                if content is not None and content != hashes[path]:
                    changes.append(path)
            elif stamp[1] / 1e9 > since and self._hashes.get(path) != content:
                changes.append(path)
            if content is not None:
                known[path] = content
        self._stamps, self._hashes, self._missing = stamps, known, {}
        self._looked(list(self._stamps))
        return changes

    def _look(self) -> list[str]:
        changes, seen = [], False
        now = time.monotonic()
        for path, before in self._stamps.items():
            stamp = _stamp(path)
            if stamp == before:
                self._missing.pop(path, None)
                continue
            seen = True
            if stamp is None:
                if now - self._missing.setdefault(path, now) >= GONE:
                    self._stamps[path] = None
                    self._hashes.pop(path, None)
                    self._missing.pop(path)
                    changes.append(path)
                continue
            self._missing.pop(path, None)
            content = _hash(path)
            if content is None:  # went away, or is not to be read, between the two calls: look again later
                continue
            self._stamps[path] = stamp
            if content != self._hashes.get(path):
                self._hashes[path] = content
                changes.append(path)
        if seen:
            self._looked(list(self._stamps))
        return changes


class FileWatcher(QObject):
    """Watches the files of one project. `changed(paths, written)`: see WatchThread; emitted in the watch thread, so
    that it reaches the slots of the GUI thread as a queued signal."""

    changed = Signal(list, float)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._thread = WatchThread(self.changed.emit, self._arm)
        self._notifier = Notifier(self._thread.poke, self)

    def start(self) -> None:
        self._thread.start()
        self._notifier.start()

    def watch(
        self, files: Iterable[str], hashes: dict[str, str] | None = None, since: float = math.inf
    ) -> None:
        """Watch these files instead, see WatchThread.watch."""
        self._thread.watch(files, hashes, since)

    def stop(self) -> None:
        """End both threads; `join` afterwards."""
        self._thread.stop()
        self._notifier.stop()

    def join(self, timeout: float) -> None:
        end = time.monotonic() + timeout
        self._thread.join(timeout)
        self._notifier.wait(max(1, int(1000 * (end - time.monotonic()))))

    def _arm(self, files: list[str]) -> None:
        self._notifier.arm(files)


def _stamp(path: str) -> Stamp:
    """(size, time of the last change in ns, inode), None if there is nothing."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def _hash(path: str) -> str | None:
    """Hash of the content; for what is not a regular file a constant; None if it cannot be read now."""
    try:
        if not os.path.isfile(path):
            return "not a file"
        digest = hashlib.blake2b(digest_size=16)
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()


def _written(path: str) -> float:
    stamp = _stamp(path)
    return stamp[1] / 1e9 if stamp else time.time()
