"""Opening and closing documents: which file is being opened, and when it takes the place of the open one.

The compile thread reads a file that is opened. It becomes the project's document when it has a model, or when no
model is open.
"""

from __future__ import annotations

import os

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workers.journal import Unsaved
from kinetree.app.workspace.project import ProjectController
from kinetree.engine.document.project import Project
from kinetree.engine.translation import tr


class FileOpener(QObject):
    """Opens files in one project, which announces the changes.

    attempt        the file that is being opened, or that could not be opened while another one stays open; else ""
    attempt_files  the files that it was read from or that it looked for
    earlier        the document that was closed to fix the open one, which has errors; else ""

    Signal: `recovered()` (the unsaved edits that `recover` was given are in the open document).
    """

    recovered = Signal()

    def __init__(self, project: ProjectController, parent: QObject | None = None):
        super().__init__(parent)
        self.attempt = ""
        self.attempt_files: list[str] = []
        self.earlier = ""
        self._project = project
        self._created: Project | None = None  # the document that is being created
        self._recovering: Unsaved | None = None

    @property
    def shown_path(self) -> str:
        """The file that the window shows: the open one, or the one that is being opened where no model is
        shown yet."""
        path = self._project.path
        return path if self._project.compiled is not None else self.attempt or path

    def open(self, path: str) -> None:
        """Open a file in place of the open one, whose unsaved edits are lost once it is there. The old model stays
        until then.
        """
        self.earlier = ""
        self.attempt = os.path.abspath(path)
        self.attempt_files, self._created, self._recovering = [], None, None
        self.read_again()
        self._project.changed.emit()

    def open_with_errors(self) -> None:
        """Open the file that could not be opened, with its errors, in place of the open one, whose unsaved edits are
        lost. `earlier` is then that one."""
        path, earlier = self.attempt, self._project.path
        self.close()
        self.open(path)
        self.earlier = earlier

    def read_again(self) -> None:
        """Read the file that is being opened from the disk."""
        self._project.compile_wanted.emit(self._project.request(self.attempt, fresh=True))

    def create(self, path: str, text: str) -> None:
        """Open a new document, which is not on the disk yet, in place of the open one, as `open` does."""
        self.attempt = os.path.abspath(path)
        self.attempt_files, self._recovering = [], None
        self._created = Project(changed=self._project.edited.emit)
        self._created.create(self.attempt, text)
        document = self._created.snapshot(self.attempt).document
        self._project.compile_wanted.emit(self._project.request(self.attempt, document=document, fresh=True))
        self._project.changed.emit()

    def recover(self, unsaved: Unsaved) -> None:
        """Open a document with the unsaved edits of another session, as a step that can be undone. `recovered` tells
        when it is done; where the files have changed since, there are conflicts. What is open is closed first, so that
        a document with errors is opened too."""
        if self._project.path:
            self.close()
        if os.path.exists(unsaved.main):
            self.open(unsaved.main)
        else:
            own = {os.path.abspath(each.path): each.text for each in unsaved.files}
            self.create(unsaved.main, own.get(os.path.abspath(unsaved.main), ""))
        self._recovering = unsaved

    @Slot()
    def abandon(self) -> None:
        """Give up the file that is being opened, or that could not be opened."""
        if self.attempt:
            self._end_attempt()
            self._project.files_changed.emit(None)
        self._project.changed.emit()

    def _end_attempt(self) -> None:
        self.attempt, self.attempt_files = "", []

    def close(self) -> None:
        """Close everything that is open. Unsaved edits are lost."""
        self.earlier = ""
        self._end_attempt()
        self._project.clear()

    @Slot(object)
    def adopt(self, result: CompileResult) -> None:
        """Take the result of the newest version. A file that was opened becomes the project's if it has a
        model, or if no model is open; all files that were read or looked for are watched."""
        project = self._project
        opened = result.model is not None or (project.compiled is None and result.document is not None)
        begins = result.fresh and opened
        if begins:
            self._begin(result)
        elif not result.fresh:
            project.texts.provide(*result.reads)
        if result.model is not None:
            self._end_attempt()
        if result.path != project.path:
            self.attempt_files = result.files
        project.adopt(result, begins)
        project.files_changed.emit(result)
        if begins and self._recovering is not None:
            unsaved, self._recovering = self._recovering, None
            self._restore(unsaved)
        project.changed.emit()

    def _begin(self, result: CompileResult) -> None:
        self.attempt = ""
        created, self._created = self._created, None
        if created is not None and created.documents == [result.path]:
            self._project.begin(result.path, created)
            created.provide(*result.reads)
        else:
            self._project.begin(result.path)
            if result.reads:
                self._project.texts.open(result.reads[0])
                self._project.texts.provide(*result.reads[1:])

    def _restore(self, unsaved: Unsaved) -> None:
        """Bring the edits of another session into the document that was opened for them."""
        texts = {each.path: (each.text, each.base) for each in unsaved.files}
        self._project.texts.restore(tr("Recover Unsaved Changes"), texts)
        self.recovered.emit()  # before anything is written to the journal
        self._project.take_new_text()
