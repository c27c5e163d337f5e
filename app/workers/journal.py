"""The journal: unsaved texts kept on the disk, so that a crash of the program or the computer costs no more than the
last moment of typing.

A session is a folder of its own under the root folder: a lock that its program holds, one file for each text, named
after its content, and `state.json`, which names them and is replaced at once. A session whose lock nobody holds is
left from a crash. The thread here writes the session of one workspace.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile

from kinetree.app.workers.loop import LoopThread
from kinetree.engine.atomic import replaced
from kinetree.engine.translation import tr

INTERVAL = 0.3  # least time between two writes, s
RETRY = 2.0  # time after which what could not be written is tried again, s
UNBORN = 60.0  # age from which on a session that has written nothing, and is not locked, has ended, s
FORMAT = 1
_STATE = "state.json"


@dataclass(frozen=True)
class UnsavedText:
    """One text with unsaved edits.

    path  absolute path of the file
    text  what the user has
    base  what was last known to be on the disk, None for a file that was never saved
    """

    path: str
    text: str
    base: str | None


@dataclass(frozen=True)
class Unsaved:
    """Unsaved texts of a session.

    main      path of the open document
    files     list of UnsavedText
    time      when it was written (time.time())
    folder    the session's folder, None for a session that was not read from the disk
    replaces  name of the folder of the session whose changes this one has recovered, "" for none
    """

    main: str
    files: tuple[UnsavedText, ...]
    time: float = 0.0
    folder: Path | None = None
    replaces: str = ""


class JournalThread(LoopThread):
    """Writes what is unsaved, the newest state only, soon after each `record`. `found(list of Unsaved)` is called in
    this thread, once: what other programs have left. `failed(message)`: the journal cannot be written, told once.
    """

    def __init__(self, root: Path, found: Callable[[list[Unsaved]], None], failed: Callable[[str], None]):
        super().__init__("journal")
        self._root, self._found, self._failed = root, found, failed
        self._wanted: Unsaved | None = None
        self._asked = self._told = False
        self._session: _Session | None = None
        self._leftover: list[Path] = []

    def record(self, unsaved: Unsaved) -> None:
        """Replace the kept record by this one."""
        with self.waking():
            self._wanted, self._asked = unsaved, True

    def discard(self, folder: Path) -> None:
        """Delete a session that another program has left, once all that was recorded is written."""
        with self.waking():
            self._leftover.append(folder)
            self._asked = True

    def stop(self) -> None:
        """End the thread, and delete its session: nothing is unsaved any more, or the user does not want it. Join the
        thread afterwards."""
        super().stop()

    def begin(self) -> None:
        try:
            found = left_sessions(self._root)
        except Exception:  # nothing may end the thread that keeps what is typed
            found = []
        self._found(found)

    def end(self) -> None:
        if self._session is not None:
            self._session.remove()

    def take(self, is_late: bool = False) -> tuple[Unsaved | None] | None:
        """The newest state, (None,) where only leftovers are to be deleted."""
        asked, self._asked = self._asked, False
        return (self._wanted,) if asked else None

    def do(self, work: tuple[Unsaved | None]) -> None:
        try:
            self._keep(*work)
        except Exception as error:  # also MemoryError: it is still there to be done, and tried again
            self._asked = True
            self._tell(tr("there is not enough memory") if isinstance(error, MemoryError) else str(error))
            self.rest(RETRY)
        else:
            self.rest(INTERVAL)

    def _keep(self, wanted: Unsaved | None) -> None:
        if wanted is not None:
            self._write(wanted)
        while self._leftover:
            remove_session(self._leftover[0])
            del self._leftover[0]
        with self.waking():
            if self._wanted is wanted:
                self._wanted = None

    def _tell(self, reason: str) -> None:
        if not self._told:
            self._told = True
            self._failed(tr("Unsaved changes cannot be kept for the case of a crash: {error}", error=reason))

    def _write(self, unsaved: Unsaved) -> None:
        if self._session is None:
            if not unsaved.files:
                return
            self._session = _Session(self._root)
        self._session.write(unsaved)


class _Session:
    """The folder of a session, locked."""

    def __init__(self, root: Path):
        self._folder = root / uuid.uuid4().hex
        os.makedirs(self._folder, mode=0o700)
        self._lock = _lock(self._folder)
        if not self._lock.tryLock(0):
            remove_session(self._folder)
            raise OSError(tr("{folder} cannot be locked", folder=self._folder))
        self._written: set[str] = set()

    def write(self, unsaved: Unsaved) -> None:
        files, names = [], set()
        for each in unsaved.files:
            blobs = [None if text is None else self._keep(text) for text in (each.text, each.base)]
            names.update(name for name in blobs if name is not None)
            files.append({"path": each.path, "text": blobs[0], "base": blobs[1]})
        state = {
            "format": FORMAT, "main": unsaved.main, "time": time.time(), "files": files, "replaces": unsaved.replaces,
        }  # fmt: skip
        _write(self._folder / _STATE, json.dumps(state).encode("utf-8", "surrogatepass"))
        for name in self._written - names:
            with contextlib.suppress(OSError):
                os.unlink(self._folder / name)
        self._written = names

    def _keep(self, text: str) -> str:
        """The name of the file that has a text, written if it is not there yet."""
        data = text.encode("utf-8", "surrogatepass")
        name = f"{hashlib.blake2b(data, digest_size=16).hexdigest()}.txt"
        if name not in self._written:
            _write(self._folder / name, data)
            self._written.add(name)
        return name

    def remove(self) -> None:
        self._lock.unlock()
        remove_session(self._folder)


def left_sessions(root: Path) -> list[Unsaved]:
    """Sessions of programs that ended without saving, the newest first. Sessions that cannot be read are left out.
    Deleted are those that hold nothing, of programs that crashed with all saved or while they began, and those that
    another one has recovered.
    """
    found: list[Unsaved] = []
    replaced: set[str] = set()
    try:
        folders = [Path(entry.path) for entry in os.scandir(root) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    for folder in folders:
        age = _age(folder)  # a lock makes it younger
        lock = _lock(folder)
        if not lock.tryLock(0):
            continue  # its program is running
        try:
            unsaved = _read(folder)
        except Exception:  # whatever is in there, the thread goes on and keeps what is typed now
            unsaved = None
        lock.unlock()
        if unsaved is not None:
            replaced.add(unsaved.replaces)
        if unsaved is None:
            if age > UNBORN and not (folder / _STATE).exists():
                remove_session(folder)
        elif unsaved.files:
            found.append(unsaved)
        else:
            remove_session(folder)
    left = []
    for each in found:
        assert each.folder is not None
        if each.folder.name in replaced:
            remove_session(each.folder)
        else:
            left.append(each)
    return sorted(left, key=lambda each: -each.time)


def _age(folder: Path) -> float:
    """Seconds since something was put into a folder."""
    try:
        return time.time() - folder.stat().st_mtime
    except OSError:
        return 0.0


def remove_session(folder: Path) -> None:
    """Delete the folder of a session."""
    shutil.rmtree(folder, ignore_errors=True)


def _read(folder: Path) -> Unsaved | None:
    state = json.loads((folder / _STATE).read_bytes().decode("utf-8", "surrogatepass"))
    if state["format"] != FORMAT:
        return None

    def text(name: str | None) -> str | None:
        if name is None:
            return None
        return (folder / os.path.basename(name)).read_bytes().decode("utf-8", "surrogatepass")

    files = [UnsavedText(str(each["path"]), text(each["text"]) or "", text(each["base"])) for each in state["files"]]
    return Unsaved(str(state["main"]), tuple(files), float(state["time"]), folder, str(state.get("replaces", "")))


def _lock(folder: Path) -> QLockFile:
    lock = QLockFile(str(folder / "lock"))
    lock.setStaleLockTime(0)  # only the end of its program makes a lock stale
    return lock


def _write(path: Path, data: bytes) -> None:
    with replaced(path) as draft:
        Path(draft).write_bytes(data)
