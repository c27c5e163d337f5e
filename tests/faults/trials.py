"""Fails each system call, and each allocation, of a save once, and looks at what is left.

The process that saves has `shim.c` preloaded, and Python's own allocations go through malloc, so that the shim sees
them. Each trial is a fork of it, which arms one fault, saves, and reports; a crash or a hang ends that fork alone.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

from tests.conftest import ROOT
from tests.patience import LIMIT

SHORT = -1
"""In place of an errno: a write writes half of its bytes."""
ERRORS = {
    "ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "EACCES": errno.EACCES, "EDQUOT": errno.EDQUOT, "EINTR": errno.EINTR,
    "SHORT": SHORT,
}  # fmt: skip
FILES, MEMORY = 1, 2
LONGEST = LIMIT
"""Seconds for a trial."""


@cache
def shim() -> Path | None:
    """The library to preload, compiled now; None where there is no C compiler, or no Linux."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or sys.platform != "linux":
        return None
    target = Path(tempfile.mkdtemp(prefix="kinetree-shim-")) / "shim.so"
    source = Path(__file__).with_name("shim.c")
    done = subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", "-w", "-o", str(target), str(source), "-ldl"],
        capture_output=True,
        text=True,
    )
    return target if done.returncode == 0 else None


def environment() -> dict[str, str]:
    """Of a process that can run trials."""
    library = shim()
    assert library is not None
    return os.environ | {
        "LD_PRELOAD": str(library), "PYTHONMALLOC": "malloc", "LANGUAGE": "en", "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system",
    }  # fmt: skip


@dataclass
class Trial:
    """Result of one fault.

    call     the function of the C library that failed, "" where the save has fewer calls
    outcome  saved; refused (the user is told, the file is as it was); told (the user is told, the file is new); or the error
    """

    scenario: str
    error: str
    number: int
    call: str
    outcome: str
    details: str = ""

    @property
    def is_wrong(self) -> bool:
        return self.outcome not in ("saved", "refused", "told")


@dataclass(frozen=True)
class Scenario:
    """One kind of save.

    prepare   makes the initial files, in an empty folder
    save      saves, and returns the message to the user: "" for success
    again     saves once more, after the fault; `save` if not given
    in_memory error in the program's state after a reported fault, "" for none
    others    whether the faults are for other threads than the one that calls `save`
    memory    whether its allocations can be made to fail: libraries that end the process then cannot be tried
    private   beginnings of names in the folder that are the program's own, as a lock is
    """

    name: str
    prepare: Callable[[Path], None]
    save: Callable[[Path], str]
    again: Callable[[Path], str] | None = None
    in_memory: Callable[[Path, bool], str] = lambda folder, is_saved: ""
    others: bool = False
    memory: bool = True
    private: tuple[str, ...] = ()

    def contents(self, folder: Path) -> dict[str, bytes]:
        """Folders end in a slash."""
        found = {}
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.name.startswith(self.private or ("\0",)):
                found[name + "/" * path.is_dir()] = b"" if path.is_dir() else path.read_bytes()
        return found


class Faults:
    """The shim in this process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.faults_name.restype = ctypes.c_char_p
        self._library.faults_disarm.restype = ctypes.c_long
        self._library.faults_arm.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_long, ctypes.c_int, ctypes.c_int]

    def arm(self, folder: Path, kind: int, number: int, error: int, others: bool) -> None:
        self._library.faults_arm(os.fsencode(str(folder)), kind, number, error, int(others))

    def disarm(self) -> int:
        """How many calls have counted."""
        return self._library.faults_disarm()

    @property
    def name(self) -> str:
        return self._library.faults_name().decode()


def run(scenario: Scenario, kind: int, errors: Iterable[str], every: int = 1, most: int = 1 << 30) -> Iterable[Trial]:
    """Trials of a scenario in this process, which `environment` started: fault after fault, until the save has no
    further call. every: of so many calls one; most: trials for each error."""
    with tempfile.TemporaryDirectory(prefix="kinetree-faults-") as name:
        root = Path(name)
        before, after = _references(scenario, root)
        for error in errors:
            number = tried = 0
            while tried < most:
                number, tried = number + (every if tried else 1), tried + 1
                folder = _fresh(root)
                text = _forked(partial(_trial, scenario, kind, error, number, folder, before, after))
                trial = Trial(**json.loads(text)) if text[:1] == "{" else Trial(scenario.name, error, number, "?", text)
                if not trial.call:
                    break
                yield trial


def _fresh(root: Path) -> Path:
    """The folder of every trial: files hold its path."""
    folder = root / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def _references(scenario: Scenario, root: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Content of the folder before and after, with no fault. It is saved twice, so that all is imported."""
    for _ in range(2):
        folder = _fresh(root)
        scenario.prepare(folder)
        before = scenario.contents(folder)
        message = scenario.save(folder)
        assert not message, message
        after = scenario.contents(folder)
    assert before != after, "nothing was saved"
    return before, after


def _forked(work: Callable[[], str]) -> str:
    """Result of work in a fork of this process, or how that ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            text = work()
        except BaseException:
            text = "the trial failed: " + traceback.format_exc()
        os.write(writer, text.encode("utf-8", "replace")[:60_000])
        os._exit(0)
    os.close(writer)
    parts, end = [], time.monotonic() + LONGEST
    while time.monotonic() < end and select.select([reader], [], [], max(0.0, end - time.monotonic()))[0]:
        part = os.read(reader, 1 << 16)
        if not part:
            break
        parts.append(part)
    else:
        os.kill(child, signal.SIGKILL)
        parts = [b"hangs"]
    os.close(reader)
    _, status = os.waitpid(child, 0)
    return b"".join(parts).decode() or f"the process ended with {os.waitstatus_to_exitcode(status)}"


def _trial(scenario: Scenario, kind: int, error: str, number: int, folder: Path, before: dict, after: dict) -> str:
    faults = Faults()
    scenario.prepare(folder)
    details, message = "", "the save did not begin"
    try:
        faults.arm(folder, kind, number, ERRORS.get(error, 0), scenario.others)  # may itself be what fails
        message = None
        message = scenario.save(folder)
    except BaseException as raised:
        faults.disarm()
        details = traceback.format_exc()
        if kind == MEMORY and isinstance(raised, MemoryError):  # of the window's own thread: its excepthook tells it
            message = "not enough memory"
    finally:
        faults.disarm()
    name = faults.name
    outcome = _outcome(scenario, folder, before, after, message) if name else ""
    return json.dumps(asdict(Trial(scenario.name, error, number, name, outcome, (message or details)[-3000:])))


def _outcome(scenario: Scenario, folder: Path, before: dict, after: dict, message: str | None) -> str:
    found = scenario.contents(folder)
    if message is None:
        return "raised"
    if message.isspace() or message.endswith(": "):
        return "an empty message"
    left = sorted(set(found) - set(before) - set(after))
    if left:
        return f"left behind: {', '.join(left)}"
    if found == after:
        outcome = "told" if message else "saved"
    elif found == before:
        outcome = "refused" if message else "told to be saved, but is not"
    elif all(data in (before.get(name), after.get(name)) for name, data in found.items()) and set(found) >= set(before):
        outcome = "told" if message else "told to be saved, but is not all"  # one of several files, whole
    else:
        return "neither old nor new: " + ", ".join(
            name for name in found if found[name] not in (before.get(name), after.get(name))
        )
    wrong = scenario.in_memory(folder, not message)
    if wrong:
        return wrong
    again = (scenario.again or scenario.save)(folder)
    if again:
        return f"the second save fails: {again}"
    if scenario.contents(folder) != after:
        return "the second save writes something else"
    return outcome
