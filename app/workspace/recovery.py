"""Recovery: what is unsaved is kept in a journal, and what a crash has left can be opened again.

The texts are written by a thread (`app/workers/journal.py`) soon after each change. A workspace without a folder for
its journal keeps none.
"""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app.workers.journal import JournalThread, Unsaved, UnsavedText
from kinetree.app.workspace.opening import FileOpener
from kinetree.app.workspace.project import ProjectController
from kinetree.engine.translation import tr


class Recovery(QObject):
    """Keeps the unsaved texts of one project in a journal, and offers those that a crash has left.

    left  what other programs have left, list of Unsaved, the newest first

    Signals: `found()` (there is something left), `failed(message, details)` (the journal cannot be written).
    """

    found = Signal()
    failed = Signal(str, str)

    _listed = Signal(object)
    _refused = Signal(str)

    def __init__(self, project: ProjectController, opening: FileOpener, root: Path, parent: QObject | None = None):
        super().__init__(parent)
        self.left: list[Unsaved] = []
        self._project, self._opening = project, opening
        self._recorded: list[tuple] = []
        self._recovering: Unsaved | None = None
        self._replaces = ""
        self._closed = False
        self._listed.connect(self._take_listed)
        self._refused.connect(lambda message: self.failed.emit(message, ""))
        self._thread = JournalThread(root, self._listed.emit, self._refused.emit)
        project.changed.connect(self._record)
        opening.recovered.connect(self._forget_recovered)
        self._thread.start()

    @Slot(object)
    def _take_listed(self, left: list[Unsaved]) -> None:
        self.left = left
        if left and not self._closed:
            self.found.emit()

    def recover(self, unsaved: Unsaved) -> None:
        """Open what was left, with its unsaved changes."""
        self._recovering = unsaved
        self._opening.recover(unsaved)

    def discard(self, unsaved: Unsaved) -> None:
        """Delete what was left."""
        self.left = [each for each in self.left if each is not unsaved]
        if unsaved.folder is not None:
            self._thread.discard(unsaved.folder)

    @Slot()
    def _forget_recovered(self) -> None:
        """Remove the journal of the other session: its texts are unsaved in this one now, whose journal has them."""
        unsaved, self._recovering = self._recovering, None
        if unsaved is not None:
            self._replaces = "" if unsaved.folder is None else unsaved.folder.name
            self._record()
            self.discard(unsaved)

    @Slot()
    def _record(self) -> None:
        texts = self._project.texts
        sources = [(path, texts.source(path), texts.disk_text(path)) for path in texts.modified]
        if [each[:2] for each in sources] == [each[:2] for each in self._recorded]:
            return
        self._recorded = sources
        files = tuple(UnsavedText(path, source.text, disk) for path, source, disk in sources)
        self._thread.record(Unsaved(self._project.path, files, replaces=self._replaces))

    def stop(self) -> list:
        """End the thread, and delete the journal: what is unsaved now is not wanted any more. Returns what is to be
        joined."""
        self._closed = True
        self._thread.stop()
        return [self._thread]


def describe(unsaved: Unsaved) -> str:
    """The files of a session in one line."""
    names = [os.path.basename(each.path) for each in unsaved.files]
    shown = ", ".join(names[:3])
    return tr("{names} and {count} more", names=shown, count=len(names) - 3) if len(names) > 3 else shown
