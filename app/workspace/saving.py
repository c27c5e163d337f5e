"""Saving: the texts of the open document written to the disk, each in a thread."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app.workers.saving import SaveThread
from kinetree.app.workers.started import StartedThreads
from kinetree.app.workspace.project import ProjectController
from kinetree.engine import editing
from kinetree.engine.diagnostics import CannotSave, ModelError
from kinetree.engine.document.element_edit import carry_out
from kinetree.engine.document.history import Transaction
from kinetree.engine.document.write import Save, write_file, write_with_copies
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.editing.relocate import Copy, Relocation


class TextSaver(QObject):
    """Saves the texts of one project.

    Signals: `saved(path)` (a file was written), `moved(path)` (the document is another file now),
    `failed(message, details)`.
    """

    saved = Signal(str)
    moved = Signal(str)
    failed = Signal(str, str)

    _written = Signal(str, str, str)

    def __init__(self, project: ProjectController, parent: QObject | None = None):
        super().__init__(parent)
        self._project = project
        self._adjusted: Transaction | None = None  # the edit that goes with a save to another folder
        self._saving: dict[str, Save] = {}
        self._save_failed = False
        self._after_save: Callable[[], None] | None = None
        self._threads = StartedThreads()
        self._written.connect(self._take_written)

    @property
    def is_saving(self) -> bool:
        """Whether texts of the document are being written."""
        return bool(self._saving)

    # ---- where they are ------------------------------------------------------------------------------

    def save(self, then: Callable[[], None] | None = None) -> None:
        """Write all unsaved texts of the open document, also those of models that it attaches, in threads;
        `saved` or `failed` reports each outcome. `then()` is called once all are written."""
        project = self._project
        documents = {path: project.texts.documents_of(path) for path in project.modified}
        self._save([path for path, names in documents.items() if not names or project.path in names], then)

    def save_all(self, then: Callable[[], None] | None = None) -> None:
        """Write all unsaved texts of the project, see `save`."""
        self._save(self._project.modified, then)

    def _save(self, paths: list[str], then: Callable[[], None] | None) -> None:
        self._after_save, self._save_failed = then, False
        for path in paths:
            try:
                save = self._project.texts.prepare_save(path)
            except ModelError as error:
                self._save_failed = True
                self.failed.emit(str(error), "")
                continue
            self._saving[path] = save
            self._start(path, partial(write_file, save))
        self._end_save()

    # ---- somewhere else ------------------------------------------------------------------------------

    def copies_for(self, path: str) -> list[Copy]:
        """The included files that `save_as` and `save_copy_as` copy along with the open document, so that it finds
        all its files from another folder."""
        return self._relocation(os.path.abspath(path)).copies

    def save_as(self, path: str, then: Callable[[], None] | None = None) -> None:
        """Write the text of the open document to another path, in a thread, and go on with it there; `saved` or
        `failed` reports the outcome, `moved` the new path. Names of files are adjusted in another folder, see
        `copies_for`. `then()` is called once it is written."""
        path = os.path.abspath(path)
        project, texts = self._project, self._project.texts
        if path == project.path:
            self.save(then)
            return
        adjusted = None
        try:
            self._refuse_own(path)
            texts.seal()
            relocation = self._relocation(path)
            adjusted = texts.apply(tr("Adjust File Names"), relocation.edits)
            save = texts.prepare_save(project.path, path)
        except (CannotSave, ModelError) as error:
            if adjusted is not None:
                texts.undo()
            self.failed.emit(str(error), "")
            return
        self._after_save, self._save_failed, self._adjusted = then, False, adjusted
        self._saving[path] = save
        self._write_relocated(save, relocation)

    def save_copy_as(self, path: str) -> None:
        """Write the text of the open document to another path, in a thread, and stay with the old one; `saved` or
        `failed` reports the outcome. Names of files are adjusted in another folder."""
        path = os.path.abspath(path)
        project, texts = self._project, self._project.texts
        try:
            self._refuse_own(path)
            save = texts.prepare_save(project.path, path)
            relocation = self._relocation(path)
            changed = carry_out(relocation.edits, {project.path: texts.parsed(project.path)})
        except (CannotSave, ModelError) as error:
            self.failed.emit(str(error), "")
            return
        if project.path in changed:
            save = replace(save, source=changed[project.path][0].source)
        self._write_relocated(save, relocation)

    def write(self, path: str, write: Callable[[], None]) -> None:
        """Let `write()` make a file that is not one of the document's, in a thread; `saved` or `failed` reports the
        outcome."""
        try:
            self._refuse_own(path)
        except CannotSave as error:
            self.failed.emit(str(error), "")
            return
        self._start(path, write)

    def _write_relocated(self, save: Save, relocation: Relocation) -> None:
        """Write a file and the included ones that have to be there too."""
        copies = [(copy.target, copy.source) for copy in relocation.copies]
        self._start(save.target, partial(write_with_copies, save, copies))

    def _relocation(self, path: str) -> editing.relocate.Relocation:
        """Edits that let the text find its files from another path."""
        document = self._project.document
        return editing.relocate.Relocation() if document is None else editing.relocate.relocate(document, path)

    def _refuse_own(self, path: str) -> None:
        """Raise CannotSave if a path is that of a file of the open model."""
        if os.path.realpath(path) in map(os.path.realpath, self._project.files):
            raise CannotSave(tr("{path} is part of the model that is open: choose another name", path=path))

    # ---- reports -------------------------------------------------------------------------------------

    def _start(self, path: str, write: Callable[[], None]) -> None:
        self._threads.start(SaveThread(write, path, self._written.emit))

    @Slot(str, str, str)
    def _take_written(self, path: str, message: str, details: str) -> None:
        if self._threads.stopped:
            return
        project = self._project
        save = self._saving.pop(path, None)
        elsewhere = save is not None and save.target != save.path
        adjusted, self._adjusted = (self._adjusted, None) if elsewhere else (None, self._adjusted)
        if message:
            self._save_failed = self._save_failed or save is not None
            if adjusted is not None and project.texts.undo_name == adjusted.name:
                project.texts.undo()
            self.failed.emit(message, details)
        else:
            if save is not None and elsewhere:
                project.move(save)
                self.moved.emit(project.path)
            elif save is not None:
                project.texts.finish_save(save)
            self.saved.emit(path)
        self._end_save()
        project.changed.emit()

    def _end_save(self) -> None:
        if not self._saving and self._after_save is not None:
            then, self._after_save = self._after_save, None
            if not self._save_failed:
                then()

    def stop(self) -> list[threading.Thread]:
        """Report nothing any more; returns what is to be joined."""
        return self._threads.stop()
