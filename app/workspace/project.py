"""The project of a window: the texts of the open document, their undo history, and their files on the disk.

`kinetree.engine.document.project.Project` owns the texts. This controller owns it, in the GUI thread, and connects it
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
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app.settings.following import SettingsFollower
from kinetree.app.settings.settings import Settings
from kinetree.app.workers.compiling import CompileRequest, CompileResult
from kinetree.app.workers.converting import ConversionThread, save
from kinetree.app.workers.journal import Unsaved
from kinetree.app.workers.merging import MergeResult, MergeThread
from kinetree.app.workers.reading import ReadThread
from kinetree.app.workers.saving import SaveThread
from kinetree.app.workers.watching import DiskChange, FileWatcher, Obstacle, Watched
from kinetree.engine.assist.surroundings import Surroundings, Survey
from kinetree.engine.diagnostics import CannotSave, ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit, difference_of_tags
from kinetree.engine.document.files import FileRead, Files
from kinetree.engine.document.history import FROM_DISK, Transaction
from kinetree.engine.document.merge import Choice
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.project import External, Project, Step
from kinetree.engine.document.wish import Wish, carry_out
from kinetree.engine.document.write import Save, write_file, write_with_copies
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.editing.relocate import Copy, Relocation


class ProjectController(QObject):
    """One project.

    path         the open file, "" if none
    attempt      the file that is being opened, or that could not be opened while another one stays open; else
                 ""
    texts        engine Project: the texts of the open document, empty for a binary file
    compiled     the last CompileResult with a model, None before the first
    obstacles    texts that cannot be saved where they are: path -> Obstacle
    auto_reload  whether changes on disk are followed
    seed         what random joint axes of x_xy models are drawn from, see kinetree.load

    Signals: `changed()` (any of these, what is modified, what can be undone), `edited(Transaction, backward)`
    (each change of the texts by its edits, at once; `backward` if it was undone), `text_changed(version)` (a text
    has another content; `texts.version`), `compile_wanted(CompileRequest)`, `closed()`, `saved(path)`, `moved(path)`
    (the document is another file now), `merged(path)` (what another program changed was merged into unsaved edits),
    `recovered()` (what `recover` was asked for is open), `failed(message, details)`.
    """

    changed = Signal()
    edited = Signal(object, bool)
    text_changed = Signal(int)
    compile_wanted = Signal(object)
    closed = Signal()
    saved = Signal(str)
    moved = Signal(str)
    merged = Signal(str)
    recovered = Signal()
    converted = Signal(object)
    failed = Signal(str, str)

    _written = Signal(str, str, str)
    _reread = Signal(object)
    _compared = Signal(object)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.path = self.attempt = ""
        self.texts = Project(changed=self.edited.emit)
        self.compiled: CompileResult | None = None
        self.auto_reload = True
        self.obstacles: dict[str, Obstacle] = {}
        self.seed: int | None = None
        self._surroundings = Surroundings()
        self._models: tuple[Document, ...] = ()  # the models that include the open file, if it makes none by itself
        self._around: tuple[int, Document] | None = None  # the first of them, with the texts of a version
        self._files: list[str] = []
        self._attempt_files: list[str] = []
        self._unfollowed: dict[str, FileRead | None] = {}  # what changed on disk while changes are not followed
        self._created: Project | None = None  # the document that is being created
        self._recovering: Unsaved | None = None
        self._comparing: set[str] = set()  # files with a conflict that the merge thread looks at
        self._merges: dict[str, MergeResult] = {}
        self._adjusted: Transaction | None = None  # the edit that goes with a save to another folder
        self._saving: dict[str, Save] = {}
        self._save_failed = False
        self._after_save: Callable[[], None] | None = None
        self._last_change = 0.0  # when changes on disk last came in, time.monotonic()
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._written.connect(self._take_written)
        self._reread.connect(self._take_reread)
        self._compared.connect(self._take_compared)
        self._watcher = FileWatcher(self)
        self._watcher.changed.connect(self._take_disk_change)
        self._watcher.obstructed.connect(self._take_obstacles)
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

    def document_of(self, path: str) -> Document | None:
        """The document that a file is to be understood in: the open one, a model that it attaches, or, where the open
        file makes no model by itself, the model around it. None for a file that the project does not have."""
        around = self._document_around()
        if around is not None and self.texts.key(path) in around.files:
            return around
        return self.texts.document_of(path)

    def _document_around(self) -> Document | None:
        """The first of the models that include the open file, with the present texts. Reads nothing."""
        if not self._models:
            return None
        version = self.texts.version
        if self._around is None or self._around[0] != version:
            model = self._models[0]
            texts = {**{path: model.parsed_of(path) for path in model.files}, **self.texts.texts}
            known = {path: FileRead(path, parsed) for path, parsed in texts.items()}
            self._around = version, Document.of_files(model.main_file, Files(known, {}, from_disk=False))
        return self._around[1]

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
        """Files with unsaved edits in lines that another program has changed since they were read. What it changed
        in other lines is merged without asking."""
        known, comparing = self._merges, self._comparing
        return [path for path in self.texts.conflicts if path in known or path not in comparing]

    @property
    def obstructed(self) -> list[str]:
        """Files with unsaved edits that cannot be saved where they are, see `obstacles`."""
        return [path for path in self.modified if path in self.obstacles]

    @Slot(object)
    def _take_obstacles(self, obstacles: dict[str, Obstacle]) -> None:
        if not self._closed:
            self.obstacles = obstacles
            self.changed.emit()

    def merge_of(self, path: str) -> MergeResult | None:
        """How the sides of a conflict differ; None if it has ended or its texts are other ones now."""
        found = self._merges.get(path)
        return found if found is not None and self._is_present(found) else None

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
        self._attempt_files, self._created, self._recovering = [], None, None
        self._read_attempt()
        self.changed.emit()

    def create(self, path: str, text: str) -> None:
        """Open a new document, which is not on the disk yet, in place of what is open, as `open` does."""
        self.attempt = os.path.abspath(path)
        self._attempt_files, self._recovering = [], None
        self._created = Project(changed=self.edited.emit)
        self._created.create(self.attempt, text)
        document = self._created.snapshot(self.attempt).document
        self.compile_wanted.emit(self._request(self.attempt, document=document, fresh=True))
        self.changed.emit()

    def recover(self, unsaved: Unsaved) -> None:
        """Open a document with the unsaved edits of another session, as a step that can be undone. `recovered` tells
        when it is done; where the files have changed since, there are conflicts. What is open is closed first, so that
        a document with errors is opened too."""
        if self.path:
            self.close()
        if os.path.exists(unsaved.main):
            self.open(unsaved.main)
        else:
            own = {os.path.abspath(each.path): each.text for each in unsaved.files}
            self.create(unsaved.main, own.get(os.path.abspath(unsaved.main), ""))
        self._recovering = unsaved

    def abandon(self) -> None:
        """Give up the file that is being opened, or that could not be opened."""
        if self.attempt:
            self.attempt, self._attempt_files = "", []
            self._watch()
        self.changed.emit()

    def close(self) -> None:
        """Nothing is open any more. Unsaved edits are lost."""
        self.path = self.attempt = ""
        self.texts = Project(changed=self.edited.emit)
        self.compiled = None
        self._models, self._around = (), None
        self._files, self._attempt_files, self._unfollowed = [], [], {}
        self._watch()
        self.closed.emit()
        self.changed.emit()

    def _read_attempt(self) -> None:
        self.compile_wanted.emit(self._request(self.attempt, fresh=True))

    def _compile(self, saved: float | None = None) -> None:
        """Compile the present version of the texts."""
        self.compile_wanted.emit(self._request(self.path, document=self.document, saved=saved, texts=self.texts.texts))

    def _request(self, path: str, **more: Any) -> CompileRequest:
        return CompileRequest(path, seed=self.seed, surroundings=self._surroundings, **more)

    def provide(self, *reads: FileRead) -> None:
        """Take files that were read into the project, to be shown and edited beside the open document."""
        self.texts.provide(*reads)
        new = [read.key for read in reads if read.key not in self._files]
        if new:
            self._files = [*self._files, *new]
            self._watch()
        if reads:
            self.changed.emit()

    def survey(self) -> Survey:
        """A look at the models on the disk that include or attach the same files: for a thread."""
        return self._surroundings.survey(self.texts.texts)

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
        if result.path == self.path:
            self._models, self._around = result.models, None
        if result.path != self.path:
            self._attempt_files = result.files
        elif result.model is not None or begins:
            self._files = list(dict.fromkeys([*result.files, *self.texts.files]))
        else:
            # A text with errors may not have got as far as naming all the files that the good one needs.
            self._files = list(dict.fromkeys([*result.files, *self._files]))
        self._watch(result)
        if begins and self._recovering is not None:
            unsaved, self._recovering = self._recovering, None
            self._restore(unsaved)
        self.changed.emit()

    def _begin(self, result: CompileResult) -> None:
        self.path, self.attempt = result.path, ""
        self.compiled = None
        self._unfollowed = {}
        created, self._created = self._created, None
        if created is not None and created.documents == [result.path]:
            self.texts = created
            self.texts.provide(*result.reads)
        else:
            self.texts = Project(changed=self.edited.emit)
            if result.reads:
                self.texts.open(result.reads[0])
                self.texts.provide(*result.reads[1:])

    def _restore(self, unsaved: Unsaved) -> None:
        """Bring the edits of another session into the document that was opened for them."""
        texts = {each.path: (each.text, each.base) for each in unsaved.files}
        self.texts.restore(tr("Recover Unsaved Changes"), texts)
        self.recovered.emit()  # before anything is written to the journal
        self._take_new_text()

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
        """Change texts as one undo step, by edits or wishes, see `kinetree.engine.document.project.Project.apply`."""
        if self.texts.apply(name, changes, merge) is not None:
            self._take_new_text()

    def take(self, name: str, step: Step, merge: Hashable = None) -> None:
        """Change texts by a step that another thread has worked out, see
        `kinetree.engine.document.project.Project.take`.
        Without a key to merge by it is a step of its own. Raises Outdated."""
        if merge is None:
            self.texts.seal()
        if self.texts.take(name, step, merge) is not None:
            if merge is None:
                self.texts.seal()
            self._take_new_text()

    def undo(self) -> None:
        if self.texts.undo() is not None:
            self._take_new_text()

    def redo(self) -> None:
        if self.texts.redo() is not None:
            self._take_new_text()

    def go_to(self, steps: int) -> None:
        """Undo so many steps, or do them again where the number is negative, and compile once."""
        move = self.texts.undo if steps > 0 else self.texts.redo
        done = [move() for _ in range(abs(steps))]
        if any(step is not None for step in done):
            self._take_new_text()

    def _take_new_text(self, saved: float | None = None) -> None:
        self._compile(saved)
        self._compare()
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

    def follow(self, settings: Settings) -> None:
        """Apply the settings about files on the disk."""
        SettingsFollower(settings, self, {"auto_reload": self.set_auto_reload})

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

    def merge(self, result: MergeResult, choices: Mapping[int, Choice]) -> None:
        """End a conflict (see `merge_of`) with a choice for each stretch that both sides changed, as a step that can
        be undone. Nothing happens if the texts are other ones now."""
        if self._is_present(result):
            self.texts.merge_theirs(result.path, result.merge.edits(choices))
            self._take_new_text()
            self.merged.emit(result.path)

    def _is_present(self, result: MergeResult) -> bool:
        """Whether the texts that were compared are still those of the conflict."""
        theirs = self.texts.conflicts.get(result.path)
        return theirs is result.theirs and self.texts.parsed(result.path) is result.ours

    def _compare(self) -> None:
        """Compare the sides of each conflict that has not been compared as it is now."""
        conflicts = self.texts.conflicts
        self._merges = {path: found for path, found in self._merges.items() if path in conflicts}
        for path, theirs in conflicts.items():
            if path not in self._comparing and self.merge_of(path) is None:
                self._comparing.add(path)
                base, ours = self.texts.disk_text(path) or "", self.texts.parsed(path)
                self._start(MergeThread(path, base, ours, theirs, self._compared.emit))

    @Slot(object)
    def _take_compared(self, result: MergeResult) -> None:
        if self._closed:
            return
        self._comparing.discard(result.path)
        if not self._is_present(result):
            self._compare()
        elif result.merge.conflicts:
            self._merges[result.path] = result
        else:
            self.merge(result, {})
        self.changed.emit()

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
        self._compare()
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
                self.texts.seal()
                self.texts.apply(tr("Reload {file}", file=os.path.basename(read.key)), {read.key: edits}, FROM_DISK)
                self.texts.seal()
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

    @property
    def is_new(self) -> bool:
        """Whether the open document was never saved."""
        return self.path in self.texts.documents and self.texts.disk_text(self.path) is None

    def copies_for(self, path: str) -> list[Copy]:
        """The included files that `save_as` and `save_copy_as` copy along with the open document, so that it finds
        all its files from another folder."""
        return self._relocation(os.path.abspath(path)).copies

    def save_as(self, path: str, then: Callable[[], None] | None = None) -> None:
        """Write the text of the open document to another path, in a thread, and go on with it there; `saved` or
        `failed` reports the outcome, `moved` the new path. Names of files are adjusted in another folder, see
        `copies_for`. `then()` is called once it is written."""
        path = os.path.abspath(path)
        if path == self.path:
            self.save(then)
            return
        adjusted = None
        try:
            self._refuse_own(path)
            self.texts.seal()
            relocation = self._relocation(path)
            adjusted = self.texts.apply(tr("Adjust File Names"), relocation.wishes)
            save = self.texts.prepare_save(self.path, path)
        except (CannotSave, ModelError) as error:
            if adjusted is not None:
                self.texts.undo()
            self.failed.emit(str(error), "")
            return
        self._after_save, self._save_failed, self._adjusted = then, False, adjusted
        self._saving[path] = save
        self._write(save, relocation)

    def _write(self, save: Save, relocation: Relocation) -> None:
        """Write a file and the included ones that have to be there too."""
        copies = [(copy.target, copy.source) for copy in relocation.copies]
        self._start(SaveThread(partial(write_with_copies, save, copies), save.target, self._written.emit))

    def save_copy_as(self, path: str) -> None:
        """Write the text of the open document to another path, in a thread, and stay with the old one; `saved` or
        `failed` reports the outcome. Names of files are adjusted in another folder."""
        path = os.path.abspath(path)
        try:
            self._refuse_own(path)
            save = self.texts.prepare_save(self.path, path)
            relocation = self._relocation(path)
            texts = carry_out(relocation.wishes, {self.path: self.texts.parsed(self.path)})
        except (CannotSave, ModelError) as error:
            self.failed.emit(str(error), "")
            return
        if self.path in texts:
            save = replace(save, source=texts[self.path][0].source)
        self._write(save, relocation)

    def _relocation(self, path: str) -> Relocation:
        """What the text needs to find its files from another path."""
        from kinetree.engine.editing.relocate import Relocation, relocate

        return Relocation() if self.document is None else relocate(self.document, path)

    def _refuse_own(self, path: str) -> None:
        """Raise CannotSave if a path is that of a file of the open model."""
        if os.path.realpath(path) in map(os.path.realpath, self._files):
            raise CannotSave(tr("{path} is part of the model that is open: choose another name", path=path))

    def _move(self, save: Save) -> None:
        """The document was written to another path: go on with it there."""
        old, self.path = self.path, self.texts.move(save)
        self._files = [self.path if path == old else path for path in self._files]
        self._unfollowed.pop(old, None)
        self._take_new_text()
        self._watch()
        self.moved.emit(self.path)

    def save_copy(self, path: str) -> None:
        """Write the model as canonical MJCF, in a thread; `saved` or `failed` reports the outcome."""
        compiled = self.compiled
        if compiled is None or compiled.model is None:
            return
        path = os.path.abspath(path)
        try:
            self._refuse_own(path)
        except CannotSave as error:
            self.failed.emit(str(error), "")
            return
        self._start(SaveThread(partial(save, compiled, path), path, self._written.emit))

    def convert(self) -> None:
        """Write the compiled model as MJCF text, in a thread; `converted` tells what came of it."""
        if self.compiled is not None and self.compiled.model is not None:
            self._start(ConversionThread(self.compiled, self.converted.emit))

    @Slot(str, str, str)
    def _take_written(self, path: str, message: str, details: str) -> None:
        if self._closed:
            return
        save = self._saving.pop(path, None)
        elsewhere = save is not None and save.target != save.path
        adjusted, self._adjusted = (self._adjusted, None) if elsewhere else (None, self._adjusted)
        if message:
            self._save_failed = self._save_failed or save is not None
            if adjusted is not None and self.texts.undo_name == adjusted.name:
                self.texts.undo()
            self.failed.emit(message, details)
        else:
            if save is not None and elsewhere:
                self._move(save)
            elif save is not None:
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
