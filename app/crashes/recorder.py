"""Keeps what a crash report of this window would say, also where Python cannot say it any more.

Lines are noted in memory. `keep` maps that memory to a file, which survives the process, and lets `faulthandler` write
the stacks of all threads to another file on a fatal error. The next start finds both (`left_by_others`) and writes the
report.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import mmap
import os
import re
import time
from collections import deque
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from kinetree.app import crashes

if TYPE_CHECKING:
    from kinetree.app.crashes.reports import CrashReport

ACTIONS, LINES = 20, 40
SIZE = 1 << 15
"""Bytes of the file of notes."""
NOTES, FAULT = ".notes", ".fault"
ABANDONED = 7 * 24 * 3600.0
"""Age from which on files without a fatal error are removed, s: their process was killed from outside."""
FOLDER = "running"
_FIRST = re.compile(r"^(?:Fatal Python error: |Windows fatal exception: )(.*)$", re.MULTILINE)


class CrashRecorder(logging.Handler):
    """The last actions, the last lines of the log, and facts about the drivers. It is a handler of Python's log too."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.actions: deque[str] = deque(maxlen=ACTIONS)
        self.lines: deque[str] = deque(maxlen=LINES)
        self.facts: dict[str, str] = {}
        self._memory: mmap.mmap | None = None
        self._fault: IO[bytes] | None = None
        self._paths: list[Path] = []

    # ---- notes -------------------------------------------------------------------------------------------

    def note_action(self, name: str) -> None:
        """The user has called an action, given by its id."""
        self.actions.append(f"{time.strftime('%H:%M:%S')}  {name}")
        self._save()

    def note(self, line: str) -> None:
        """Something has happened."""
        self.lines.append(f"{time.strftime('%H:%M:%S')}  {crashes.redacting.message(line)}")
        self._save()

    def note_fact(self, name: str, value: str) -> None:
        """A version, or the name of a driver."""
        self.facts[name] = value
        self._save()

    def emit(self, record: logging.LogRecord) -> None:
        self.note(f"{record.levelname.lower()}: {record.name}: {record.getMessage()}")

    def report(self, what: str, stack: str) -> CrashReport:
        """A report with all that was noted."""
        actions, lines = tuple(self.actions), tuple(self.lines)
        return crashes.reports.CrashReport(what, stack, dict(self.facts), actions, lines, time.time())

    # ---- the files ---------------------------------------------------------------------------------------

    def keep(self, folder: Path) -> None:
        """Keep the notes, and the stacks at a fatal error, in files. Where that cannot be, there will be no report."""
        try:
            where = folder / FOLDER
            where.mkdir(parents=True, exist_ok=True)
            stem = f"{os.getpid()}-{time.time_ns():x}"
            self._paths = [where / f"{stem}{NOTES}", where / f"{stem}{FAULT}"]
            with self._paths[0].open("w+b") as file:
                file.truncate(SIZE)
                self._memory = mmap.mmap(file.fileno(), SIZE)
            self._fault = self._paths[1].open("wb")
            faulthandler.enable(self._fault)
        except (OSError, ValueError):
            self.end()
            return
        self._save()

    def _save(self) -> None:
        if self._memory is None:
            return
        notes: dict[str, Any] = {"facts": self.facts, "actions": list(self.actions), "lines": list(self.lines)}
        data = json.dumps(notes).encode()[: SIZE - 1]
        self._memory[: len(data) + 1] = data + b"\0"

    def end(self) -> None:
        """The window ends as it should: remove the files."""
        if self._fault is not None:
            faulthandler.disable()
            self._fault.close()
        if self._memory is not None:
            self._memory.close()
        self._fault = self._memory = None
        for path in self._paths:
            path.unlink(missing_ok=True)
        self._paths = []


def left_by_others(folder: Path) -> list[Path]:
    """Write the reports of windows that ended by a fatal error since; their paths, the oldest first."""
    made = []
    try:
        faults = sorted((folder / FOLDER).glob(f"*{FAULT}"), key=lambda path: path.stat().st_mtime)
    except OSError:
        return []
    for path in faults:
        notes = path.with_suffix(NOTES)
        try:
            found = path.stat()
            if not found.st_size:
                if time.time() - found.st_mtime > ABANDONED:
                    path.unlink()
                    notes.unlink(missing_ok=True)
                continue
            claimed = path.with_suffix(f".{os.getpid()}")  # another window looks at the same moment
            path.rename(claimed)  # on Windows this fails while its process lives
            stack = claimed.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        report = crashes.reports.write(folder, _report(stack, _noted(notes), found.st_mtime))
        for each in (claimed, notes):
            each.unlink(missing_ok=True)
        if report is not None:
            made.append(report)
    return made


def _noted(path: Path) -> dict[str, Any]:
    """The notes of a window; empty where it crashed while it wrote them."""
    try:
        found = json.loads(path.read_bytes().partition(b"\0")[0])
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def _report(stack: str, notes: dict[str, Any], when: float) -> CrashReport:
    first = _FIRST.search(stack)
    what = f"the window ended: {first[1] if first is not None else 'fatal error'}"
    facts, actions, lines = notes.get("facts"), notes.get("actions"), notes.get("lines")
    return crashes.reports.CrashReport(
        what,
        stack,
        {str(name): str(value) for name, value in facts.items()} if isinstance(facts, dict) else {},
        [str(each) for each in actions] if isinstance(actions, list) else (),
        [str(each) for each in lines] if isinstance(lines, list) else (),
        when,
    )
