"""Watches files and reports when the content of any of them changes, however an editor writes them.

A thread compares size, time and inode of each file, and hashes the content of those that look different, so
that a `touch` or a rewrite of the same bytes is not a change. It looks when the system notifies
(`app/workers/notifying.py`, within milliseconds) and once in `POLL` seconds anyway: notifications get lost on
network folders, with files replaced by rename, and with deleted folders. It also reads and parses the texts
that changed, so that the window need not.

The package watchfiles 1.3 was tried in its place (2026-11): it refuses files that do not exist yet, loses a
file that is replaced by rename for the second time and a folder that was deleted and made again, and reports
a `touch`.
"""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from kinetree.app import workers
from kinetree.app.workers.loop import LoopThread
from kinetree.app.workers.notifying import Notifier

if TYPE_CHECKING:
    from kinetree.engine.document.files import FileRead
    from kinetree.engine.document.parsed import ParsedSource

DEBOUNCE = 0.03  # quiet time after a notification before looking, s
SETTLED = 0.01  # a file that was written within this time is perhaps still being written, s
GONE = 0.25  # how long a file may be missing or empty (a program writing it) before that counts as a change, s
POLL = 1.0  # time between looks without a notification, s

Stamp = tuple[int, int, int] | None
_CHANGED = (-1, 0, 0)  # the stamp of a file that is to be compared again, whatever it looks like


@dataclass(frozen=True)
class Watched:
    """What to watch.

    files   paths
    texts   those that are read when they change: path -> the version that is known, None for a file that is
            not there
    hashes  content hashes (blake2b, 16 bytes) of the files that the caller has just read
    since   a file that was not watched before and has no hash here counts as changed, once, if it was written
            after this (time.time())
    """

    files: Collection[str]
    texts: Mapping[str, ParsedSource | None] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    since: float = math.inf


@dataclass(frozen=True)
class DiskChange:
    """Files whose content is new, or that came or went.

    paths  the files
    reads  what the texts among them are now: path -> FileRead
    """

    paths: list[str]
    reads: dict[str, FileRead]


class Obstacle(Enum):
    """Why a text could not be saved where it is."""

    READ_ONLY = "read-only"
    NO_FOLDER = "no folder"
    """The folder of the file is gone."""


class WatchThread(LoopThread):
    """`changed(DiskChange)` is called in this thread; `looked(paths)` with all watched files after each look
    that saw a difference, so that notifications can be armed again; `obstructed(path -> Obstacle)` with the texts that
    cannot be saved, whenever these are other ones.

    noticed_at  when a file last looked different (time.monotonic()), before its content was compared; None if
                the content was the same
    """

    def __init__(
        self,
        changed: Callable[[DiskChange], None],
        looked: Callable[[list[str]], None],
        obstructed: Callable[[dict[str, Obstacle]], None] = lambda obstacles: None,
    ):
        super().__init__("watch")
        self.noticed_at: float | None = None
        self._changed, self._looked, self._obstructed = changed, looked, obstructed
        self._obstacles: dict[str, Obstacle] = {}
        self._poked = False
        self._wanted: Watched | None = None
        self._texts: Mapping[str, ParsedSource | None] = {}
        self._stamps: dict[str, Stamp] = {}
        self._hashes: dict[str, str] = {}
        self._missing: dict[str, tuple[Stamp, float]] = {}  # as what, and since when
        self._unsettled = False  # a file was being written: look again soon

    def watch(self, wanted: Watched) -> None:
        """Watch these files instead. A file that was watched before is compared with how it was seen last."""
        with self.waking():
            self._wanted = wanted
            self._poked = True

    def poke(self) -> None:
        """Look soon."""
        with self.waking():
            self._poked = True

    def take(self, is_late: bool = False) -> tuple[bool, Watched | None] | None:
        """Whether something was noticed, and what is to be watched from now on, None for the same."""
        if not self._poked and not is_late:
            return None
        poked, self._poked = self._poked, False
        wanted, self._wanted = self._wanted, None
        return poked, wanted

    def do(self, work: tuple[bool, Watched | None]) -> None:
        poked, wanted = work
        changes = self._start(wanted) if wanted is not None else []
        if poked and wanted is None:
            if any(_stamp(path) != stamp for path, stamp in self._stamps.items()):
                self.noticed_at = time.monotonic()
            time.sleep(DEBOUNCE)
        changes += self._look()
        self._look_for_obstacles()
        change = self._read(changes) if changes else None
        if change is not None:
            self._changed(change)
        elif not self._unsettled:
            self.noticed_at = None

    def _look_for_obstacles(self) -> None:
        found = {path: obstacle for path in self._texts if (obstacle := _obstacle(path)) is not None}
        if found != self._obstacles:
            self._obstacles = found
            self._obstructed(found)

    def pause(self) -> float | None:
        if not self._stamps:
            return None  # there is nothing to look at
        if self._unsettled:
            return DEBOUNCE
        return GONE / 2 if self._missing else POLL

    def _read(self, paths: list[str]) -> DiskChange | None:
        """Read the texts among some files; None if all of them have changed again since they were compared, so
        that they will be reported later."""
        reads = {path: workers.reading.read_again(path, self._texts[path]) for path in paths if path in self._texts}
        for path, read in list(reads.items()):
            data = read.parsed.source.data if read.parsed is not None else None
            if data is not None and _digest(data) != self._hashes.get(path):
                del reads[path]
                self._stamps[path] = _CHANGED
                self._hashes.pop(path, None)
                self._unsettled = True
        paths = [path for path in paths if path in reads or path not in self._texts]
        return DiskChange(paths, reads) if paths else None

    def _start(self, wanted: Watched) -> list[str]:
        changes = []
        stamps: dict[str, Stamp] = {}
        known: dict[str, str] = {}
        for path in wanted.files:
            if path in self._stamps and path not in wanted.hashes:
                stamps[path] = self._stamps[path]
                if path in self._hashes:
                    known[path] = self._hashes[path]
                continue
            stamp = stamps[path] = _stamp(path)
            content = _hash(path) if stamp is not None else None
            if content is None:
                if wanted.texts.get(path) is not None:
                    stamps[path] = _CHANGED  # it went before it was watched: that is looked at as if it went now
                continue
            known[path] = content
            if path in wanted.hashes:
                if content != wanted.hashes[path]:
                    changes.append(path)
            elif stamp is not None and stamp[1] / 1e9 > wanted.since:
                changes.append(path)
        self._stamps, self._hashes, self._texts = stamps, known, wanted.texts
        self._missing = {path: since for path, since in self._missing.items() if path in stamps}
        self._looked(list(stamps))
        return changes

    def _look(self) -> list[str]:
        changes, seen = [], False
        self._unsettled = False
        now = time.monotonic()
        for path, before in self._stamps.items():
            stamp = _stamp(path)
            if stamp == before:
                self._missing.pop(path, None)
                continue
            seen = True
            if stamp is None or stamp[0] == 0:
                seen_as, since = self._missing.get(path, (stamp, now))
                if seen_as != stamp or now - since < GONE:
                    self._missing[path] = (stamp, since if seen_as == stamp else now)
                    continue
            self._missing.pop(path, None)
            content = _hash(path) if stamp is not None else None
            if stamp is not None and (content is None or _stamp(path) != stamp or _just_written(stamp)):
                # It went away, is not to be read, or a program is writing it: look again later.
                self._unsettled |= content is not None
                continue
            self._stamps[path] = stamp
            if content is None:
                self._hashes.pop(path, None)
                changes.append(path)
            elif content != self._hashes.get(path):
                self._hashes[path] = content
                changes.append(path)
        if seen:
            self._looked(list(self._stamps))
        return changes


class FileWatcher(QObject):
    """Watches the files of one project. `changed(DiskChange)` and `obstructed(path -> Obstacle)` are emitted in the
    watch thread and reach the slots of the GUI thread as queued signals."""

    changed = Signal(object)
    obstructed = Signal(object)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._thread = WatchThread(self.changed.emit, self._arm, self.obstructed.emit)
        self._notifier = Notifier(self._thread.poke, self)

    @property
    def noticed_at(self) -> float | None:
        """See WatchThread."""
        return self._thread.noticed_at

    def start(self) -> None:
        self._thread.start()
        self._notifier.start()

    def watch(self, wanted: Watched) -> None:
        """Watch these files instead, see WatchThread.watch."""
        self._thread.watch(wanted)

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


def _obstacle(path: str) -> Obstacle | None:
    try:
        if os.path.exists(path):
            return None if os.access(path, os.W_OK) else Obstacle.READ_ONLY
        return None if os.path.isdir(os.path.dirname(path)) else Obstacle.NO_FOLDER
    except (OSError, ValueError):
        return None


def _stamp(path: str) -> Stamp:
    """(size, time of the last change in ns, inode), None if there is nothing."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def _just_written(stamp: tuple[int, int, int]) -> bool:
    """A writer that the system interrupts in the middle leaves half a text with a stamp that stays."""
    return 0 <= time.time() - stamp[1] / 1e9 < SETTLED


def _hash(path: str) -> str | None:
    """Hash of the content; a constant if it is no regular file; None if it cannot be read now."""
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


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
