"""The project of a window: the texts of the open document, their undo history, and their files on the disk.

`engine.document.project.Project` owns the texts. This controller owns it, in the GUI thread, and connects it
with the rest: each change of a text becomes a version to be compiled, changes on disk come in, and unsaved
texts are written. It reads and writes no file itself: the compile thread reads a file that is opened, the
watch thread reads a file that changed, and threads of `app/workers/saving.py` do the rest. Their reports
arrive as queued signals.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from app.workers.compiling import CompileRequest, CompileResult
from app.workers.reading import ReadThread
from app.workers.saving import SaveThread
from app.workers.watching import DiskChange, FileWatcher, Watched
from engine.diagnostics import ModelError
from engine.document.edit import Edit, difference_of_tags
from engine.document.files import FileRead
from engine.document.parsed import ParsedSource
from engine.document.project import External, Project
from engine.document.wish import Wish
from engine.document.write import Save, write_file


class ProjectController(QObject):
    """One project.

    path         the open file, "" if none
    attempt      the file that is being opened, or that could not be opened while another one stays open; else
                 ""
    texts        engine Project: the texts of the open document, empty for a binary file
    compiled     the last CompileResult with a model, None before the first
    auto_reload  whether changes on disk are followed
    seed         what random joint axes of x_xy models are drawn from, see engine.load

    Signals: `changed()` (any of these, what is modified, what can be undone), `text_changed(version)` (a text
    has another content; `texts.version`), `compile_wanted(CompileRequest)`, `closed()`, `saved(path)`,
    `failed(message, details)`.
    """

    changed = Signal()
    text_changed = Signal(int)
    compile_wanted = Signal(object)
    closed = Signal()
    saved = Signal(str)
    failed = Signal(str, str)

    _written = Signal(str, str, str)
    _reread = Signal(object)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.path = self.attempt = ""
        self.texts = Project()
        self.compiled: CompileResult | None = None
        self.auto_reload = True
        self.seed: int | None = None
        self._files: list[str] = []
        self._attempt_files: list[str] = []
        self._unfollowed: dict[str, FileRead | None] = {}  # what changed on disk while changes are not followed
        self._saving: dict[str, Save] = {}
        self._save_failed = False
        self._after_save: Callable[[], None] | None = None
        self._last_change = 0.0  # when changes on disk last came in, time.monotonic()
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._written.connect(self._take_written)
        self._reread.connect(self._take_reread)
        self._watcher = FileWatcher(self)
        self._watcher.changed.connect(self._take_disk_change)
        self._watcher.start()

    # ---- what there is -------------------------------------------------------------------------------

    @property
    def shown_path(self) -> str:
        """The file that the window shows: the open one, or the one that is being opened where no model is
        shown yet."""
        return self.path if self.compiled is not None else self.attempt or self.path

    @property
    def document(self):
        """The present Document; None for a binary file and while nothing is open."""
        return self.texts.snapshot(self.path).document if self.path in self.texts.documents else None

    @property
    def modified(self) -> list[str]:
        """Files with unsaved edits."""
        return self.texts.modified

    @property
    def gone(self) -> list[str]:
        """Open files that no longer exist on disk."""
        return self.texts.gone

    @property
    def conflicts(self) -> list[str]:
        """Files with unsaved edits that another program has changed since they were read."""
        return list(self.texts.conflicts)

    @property
    def outdated(self) -> list[str]:
        """Files that changed on disk since they were read, while changes are not followed."""
        return list(self._unfollowed)

    @property
    def change_seen_at(self) -> float | None:
        """When a file was seen to look different (time.monotonic()), while what it holds now has not come in
        yet."""
        seen = self._watcher.noticed_at
        return seen if seen is not None and seen > self._last_change else None

    # ---- open and close ------------------------------------------------------------------------------

    def open(self, path: str) -> None:
        """Open a file in place of what is open, whose unsaved edits are lost once it is there. The old model
        stays until then."""
        self.attempt = os.path.abspath(path)
        self._attempt_files = []
        self._read_attempt()
        self.changed.emit()

    def abandon(self) -> None:
        """Give up the file that is being opened, or that could not be opened."""
        if self.attempt:
            self.attempt, self._attempt_files = "", []
            self._watch()
        self.changed.emit()

    def close(self) -> None:
        """Nothing is open any more. Unsaved edits are lost."""
        self.path = self.attempt = ""
        self.texts = Project()
        self.compiled = None
        self._files, self._attempt_files, self._unfollowed = [], [], {}
        self._watch()
        self.closed.emit()
        self.changed.emit()

    def _read_attempt(self) -> None:
        self.compile_wanted.emit(CompileRequest(self.attempt, fresh=True, seed=self.seed))

    def _compile(self, saved: float | None = None) -> None:
        """Compile the present version of the texts."""
        request = CompileRequest(self.path, document=self.document, saved=saved, seed=self.seed)
        self.compile_wanted.emit(request)

    @Slot(object)
    def adopt(self, result: CompileResult) -> None:
        """Take what came of the newest version. A file that was opened becomes the project's if it has a
        model, or if no model is open; all files that were read or looked for are watched."""
        opened = result.model is not None or (self.compiled is None and result.document is not None)
        begins = result.fresh and opened
        if begins:
            self._begin(result)
        elif not result.fresh:
            self.texts.provide(*result.reads)
        if result.model is not None:
            self.compiled = result
            self.attempt, self._attempt_files = "", []
        if result.path != self.path:
            self._attempt_files = result.files
        elif result.model is not None or begins:
            self._files = result.files
        else:
            # A text with errors may not have got as far as naming all the files that the good one needs.
            self._files = list(dict.fromkeys([*result.files, *self._files]))
        self._watch(result)
        self.changed.emit()

    def _begin(self, result: CompileResult) -> None:
        self.path, self.attempt = result.path, ""
        self.compiled = None
        self.texts = Project()
        self._unfollowed = {}
        if result.reads:
            self.texts.open(result.reads[0])
            self.texts.provide(*result.reads[1:])

    def _watch(self, result: CompileResult | None = None) -> None:
        files = list(dict.fromkeys([*self._files, *self._attempt_files]))
        texts = self._known_texts()
        if result is None:
            self._watcher.watch(Watched(files, texts))
        else:
            self._watcher.watch(Watched(files, texts, result.hashes, result.started))

    def _known_texts(self) -> dict[str, ParsedSource | None]:
        """The present version of each text, None for an included file that is missing."""
        missing = self.document.missing if self.document is not None else ()
        return {**dict.fromkeys(missing), **{path: self.texts.parsed(path) for path in self.texts.files}}

    # ---- edits ---------------------------------------------------------------------------------------

    def apply(self, name: str, changes: Mapping[str, Iterable[Edit]] | Iterable[Wish], merge: Hashable = None) -> None:
        """Change texts as one undo step, by edits or wishes, see `engine.document.project.Project.apply`."""
        if self.texts.apply(name, changes, merge) is not None:
            self._take_new_text()

    def undo(self) -> None:
        if self.texts.undo() is not None:
            self._take_new_text()

    def redo(self) -> None:
        if self.texts.redo() is not None:
            self._take_new_text()

    def _take_new_text(self, saved: float | None = None) -> None:
        self._compile(saved)
        self.text_changed.emit(self.texts.version)
        self.changed.emit()

    # ---- changes on disk -----------------------------------------------------------------------------

    def reload(self) -> None:
        """Read the files again. Unsaved edits are undone, by a step of the history that can be undone
        itself."""
        if self.attempt:
            self._read_attempt()
        elif self.document is not None:
            self._start(ReadThread(self._known_texts(), self._reread.emit))
        elif self.path:
            self._compile()

    def set_auto_reload(self, on: bool) -> None:
        """Whether changes on disk are followed. Switching it on follows those that came in the meantime."""
        self.auto_reload = on
        if on and self._unfollowed:
            changes, self._unfollowed = self._unfollowed, {}
            self._follow(changes)
        self.changed.emit()

    def keep(self) -> None:
        """Leave the texts as they are although files changed on disk; saving will replace what is there."""
        for path in self.conflicts:
            self.texts.keep_ours(path)
        for path, read in self._unfollowed.items():
            if read is not None and path in self.texts.files:
                self.texts.keep_ours(path, read)
        self._unfollowed = {}
        self.changed.emit()

    def take_theirs(self) -> None:
        """Take the texts of the disk in place of unsaved edits, by steps that can be undone."""
        conflicts = self.conflicts
        for path in conflicts:
            self.texts.take_theirs(path)
        if conflicts:
            self._take_new_text()
        if self._unfollowed:
            self.reload()

    @Slot(object)
    def _take_disk_change(self, change: DiskChange) -> None:
        self._last_change = time.monotonic()
        if self._closed:
            return
        ours = {path: change.reads.get(path) for path in change.paths if path in self._files}
        if not ours or not self.path:
            if self.attempt:  # it opens as soon as its errors are corrected
                self._read_attempt()
        elif not self.auto_reload and self.compiled is not None:
            # A file that holds what is in memory, because it was just saved, is not news.
            for path, read in list(ours.items()):
                if read is not None and self._has_text(path, read):
                    self.texts.external_change(read)
                    self._unfollowed.pop(path, None)
                    del ours[path]
            self._unfollowed.update(ours)
            self.changed.emit()
        else:
            self._follow(ours, min(change.written, time.time()))

    def _has_text(self, path: str, read: FileRead) -> bool:
        """Whether a file holds what is in memory."""
        parsed = read.parsed
        return parsed is not None and path in self.texts.files and parsed.source.text == self.texts.text(path)

    def _follow(self, changes: Mapping[str, FileRead | None], saved: float | None = None) -> None:
        """Files are different on disk now; those without a FileRead are no texts, such as meshes."""
        outcomes = [self.texts.external_change(read) if read is not None else None for read in changes.values()]
        if any(outcome in _NEW for outcome in outcomes):
            self._take_new_text(saved)
            self._watch()  # the next change is compared with this text
        elif None in outcomes:
            self._compile(saved)
        self.changed.emit()

    @Slot(object)
    def _take_reread(self, reads: list[FileRead]) -> None:
        """All texts were read again because the user asked for it."""
        if self._closed or self.document is None:
            return
        for read in reads:
            if self.texts.external_change(read) is External.CONFLICT:
                self.texts.take_theirs(read.key)
            elif read.parsed is not None and not self._has_text(read.key, read):
                edits = difference_of_tags(self.texts.text(read.key), read.parsed.source.text)
                self.texts.apply(f"Reload {os.path.basename(read.key)}", {read.key: edits})
        self._unfollowed = {}
        self._take_new_text()

    # ---- save ----------------------------------------------------------------------------------------

    def save(self, then: Callable[[], None] | None = None) -> None:
        """Write all unsaved texts of the open document, also those of models that it attaches, in threads;
        `saved` or `failed` reports each outcome. `then()` is called once all are written."""
        documents = {path: self.texts.documents_of(path) for path in self.modified}
        self._save([path for path, names in documents.items() if not names or self.path in names], then)

    def save_all(self, then: Callable[[], None] | None = None) -> None:
        """Write all unsaved texts of the project, see `save`."""
        self._save(self.modified, then)

    def _save(self, paths: list[str], then: Callable[[], None] | None) -> None:
        self._after_save, self._save_failed = then, False
        for path in paths:
            try:
                save = self.texts.prepare_save(path)
            except ModelError as error:
                self._save_failed = True
                self.failed.emit(str(error), "")
                continue
            self._saving[path] = save
            self._start(SaveThread(partial(write_file, save), path, self._written.emit))
        self._end_save()

    def save_copy(self, path: str) -> None:
        """Write the model as canonical MJCF, in a thread; `saved` or `failed` reports the outcome."""
        model = self.compiled.model if self.compiled is not None else None
        if model is None:
            return
        from engine.storage.saving import save

        path = os.path.abspath(path)
        if os.path.realpath(path) in map(os.path.realpath, self._files):
            self.failed.emit(f"{path} is part of the model that is open: choose another name for the copy", "")
            return
        self._start(SaveThread(partial(save, model, path), path, self._written.emit))

    @Slot(str, str, str)
    def _take_written(self, path: str, message: str, details: str) -> None:
        if self._closed:
            return
        save = self._saving.pop(path, None)
        if message:
            self._save_failed = self._save_failed or save is not None
            self.failed.emit(message, details)
        else:
            if save is not None:
                self.texts.finish_save(save)
            self.saved.emit(path)
        self._end_save()
        self.changed.emit()

    def _end_save(self) -> None:
        if not self._saving and self._after_save is not None:
            then, self._after_save = self._after_save, None
            if not self._save_failed:
                then()

    def _start(self, thread: threading.Thread) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        self._threads.append(thread)
        thread.start()

    # ---- end -----------------------------------------------------------------------------------------

    def stop(self) -> list:
        """End the threads; returns what is to be joined."""
        self._closed = True
        self._watcher.stop()
        return [self._watcher, *self._threads]


_NEW = (External.RELOADED, External.PROVIDED)
