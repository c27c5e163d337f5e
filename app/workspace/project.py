"""The project: which file is open, which files it consists of, and what happens when they change on disk.

The controller lives in the GUI thread and reads no file: the compile thread reads them, a save thread writes them, and
the watch thread looks at them. The watcher reports by a queued signal.
"""

from __future__ import annotations

import os
import threading
import time

from PySide6.QtCore import QObject, Signal, Slot

from app.workers.compiling import CompileRequest, CompileResult
from app.workers.saving import SaveThread
from app.workers.watching import FileWatcher


class ProjectController(QObject):
    """One project.

    path         the open file, "" if none
    attempt      the file that is being opened, or that could not be opened while another one stays open; else ""
    compiled     the last CompileResult with a model, None before the first
    auto_reload  whether changes on disk are followed
    outdated     files that changed on disk since they were read, while changes are not followed
    seed         what random joint axes of x_xy models are drawn from, see engine.load

    Signals: `changed()` (any of these), `compile_wanted(CompileRequest)`, `closed()`, `saved(path)`,
    `failed(message, details)`.
    """

    changed = Signal()
    compile_wanted = Signal(object)
    closed = Signal()
    saved = Signal(str)
    failed = Signal(str, str)

    _written = Signal(str, str, str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.path = self.attempt = ""
        self.compiled: CompileResult | None = None
        self.auto_reload = True
        self.outdated: list[str] = []
        self.seed: int | None = None
        self._files: list[str] = []
        self._attempt_files: list[str] = []
        self._savers: list[threading.Thread] = []
        self._closed = False
        self._written.connect(self._take_written)
        self._watcher = FileWatcher(self)
        self._watcher.changed.connect(self._take_changes)
        self._watcher.start()

    @property
    def shown_path(self) -> str:
        """The file that the window shows: the open one, or the one that is being opened where none is open yet."""
        return self.path if self.compiled is not None else self.attempt or self.path

    # ---- open and close --------------------------------------------------------------------------------------

    def open(self, path: str) -> None:
        """Open a file in place of what is open. The old model stays until the new one is compiled."""
        self.attempt = os.path.abspath(path)
        self._attempt_files = []
        self._request(fresh=True)
        self.changed.emit()

    def reload(self) -> None:
        """Read the files again and compile them, keeping the state."""
        if self.attempt or self.path:
            self._request(fresh=bool(self.attempt))

    def abandon(self) -> None:
        """Give up the file that is being opened, or that could not be opened."""
        if self.attempt and self.compiled is not None:
            self.attempt, self._attempt_files = "", []
            self._watcher.watch(self._files)
        self.changed.emit()

    def close(self) -> None:
        """Nothing is open any more."""
        self.path = self.attempt = ""
        self.compiled = None
        self._files, self._attempt_files, self.outdated = [], [], []
        self._watcher.watch([])
        self.closed.emit()
        self.changed.emit()

    def _request(self, fresh: bool, saved: float | None = None) -> None:
        path = self.attempt if fresh else self.path
        self.compile_wanted.emit(CompileRequest(path, fresh=fresh, saved=saved, seed=self.seed))

    @Slot(object)
    def adopt(self, result: CompileResult) -> None:
        """Take what came of the newest version: its files are watched, and a model that compiled is the project's."""
        if result.model is not None:
            self._files, self._attempt_files = result.files, []
            self.path, self.attempt = result.path, ""
            self.compiled, self.outdated = result, []
        elif not result.fresh or self.compiled is None:
            # A text with errors may not have got as far as naming all the files that the good one needs.
            self._files = list(dict.fromkeys([*result.files, *(self._files if not result.fresh else [])]))
            self.outdated = []
        else:
            self._attempt_files = result.files
        files = list(dict.fromkeys([*self._files, *self._attempt_files]))
        self._watcher.watch(files, result.hashes, result.started)
        self.changed.emit()

    # ---- changes on disk -------------------------------------------------------------------------------------

    def set_auto_reload(self, on: bool) -> None:
        """Whether changes on disk are followed. Switching it on reads the files again."""
        self.auto_reload = on
        if on:
            self.reload()
        self.changed.emit()

    def keep(self) -> None:
        """Leave the model as it is although files changed on disk."""
        self.outdated = []
        self.changed.emit()

    @Slot(list, float)
    def _take_changes(self, paths: list[str], written: float) -> None:
        if self._closed:
            return
        if not self.auto_reload:
            self.outdated = list(dict.fromkeys([*self.outdated, *paths]))
            self.changed.emit()
            return
        ours = not self.attempt or any(path in self._files for path in paths)
        if ours and self.compiled is not None:
            self._request(fresh=False, saved=min(written, time.time()))
        elif self.attempt or self.path:
            self._request(fresh=bool(self.attempt))

    # ---- save ------------------------------------------------------------------------------------------------

    def save_copy(self, path: str) -> None:
        """Write the model as canonical MJCF, in a thread; `saved` or `failed` reports the outcome."""
        if self.compiled is None:
            return
        path = os.path.abspath(path)
        if os.path.realpath(path) in map(os.path.realpath, self._files):
            self.failed.emit(
                f"{path} is part of the model that is open: choose another name for the copy", ""
            )
            return
        self._start(SaveThread(self.compiled.model, path, self._written.emit))

    def _start(self, thread: threading.Thread) -> None:
        self._savers = [thread for thread in self._savers if thread.is_alive()]
        self._savers.append(thread)
        thread.start()

    @Slot(str, str, str)
    def _take_written(self, path: str, message: str, details: str) -> None:
        if self._closed:
            return
        if message:
            self.failed.emit(message, details)
        else:
            self.saved.emit(path)

    # ---- end -------------------------------------------------------------------------------------------------

    def stop(self) -> list:
        """End the threads; returns what is to be joined."""
        self._closed = True
        self._watcher.stop()
        return [self._watcher, *self._savers]
