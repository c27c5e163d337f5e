"""Conflicts: files with unsaved edits that another program has changed.

A thread compares both sides. Changes to different lines are merged without asking; changes to the same ones wait for
the user's choice.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app import workers
from kinetree.app.workers.started import StartedThreads
from kinetree.app.workspace.project import ProjectController

if TYPE_CHECKING:
    from kinetree.app.workers.merging import MergeResult
    from kinetree.engine.document.merge import ConflictChoice


class ConflictMerger(QObject):
    """The conflicts of one project, which announces the changes.

    Signal: `merged(path)` (the changes of another program were merged into unsaved edits).
    """

    merged = Signal(str)

    _compared = Signal(object)

    def __init__(self, project: ProjectController, parent: QObject | None = None):
        super().__init__(parent)
        self._project = project
        self._comparing: set[str] = set()  # files with a conflict that the merge thread looks at
        self._merges: dict[str, MergeResult] = {}
        self._threads = StartedThreads()
        self._compared.connect(self._take_compared)
        project.text_changed.connect(self.compare)

    @property
    def conflicts(self) -> list[str]:
        """Files with unsaved edits in lines that another program has changed since they were read. Its changes to
        other lines are merged without asking."""
        known, comparing = self._merges, self._comparing
        return [path for path in self._project.texts.conflicts if path in known or path not in comparing]

    @property
    def is_comparing(self) -> bool:
        """Whether a conflict is being compared."""
        return bool(self._comparing)

    def merge_of(self, path: str) -> MergeResult | None:
        """How the sides of a conflict differ; None if it has ended or its texts are other ones now."""
        found = self._merges.get(path)
        return found if found is not None and self._is_present(found) else None

    def keep(self) -> None:
        """End all conflicts with the unsaved edits; saving will replace the text on the disk."""
        for path in self.conflicts:
            self._project.texts.keep_ours(path)
        self._project.changed.emit()

    def take_theirs(self) -> None:
        """End all conflicts with the texts of the disk, by steps that can be undone."""
        conflicts = self.conflicts
        for path in conflicts:
            self._project.texts.take_theirs(path)
        if conflicts:
            self._project.take_new_text()

    def merge(self, result: MergeResult, choices: Mapping[int, ConflictChoice]) -> None:
        """End a conflict (see `merge_of`) with a choice for each stretch that both sides changed, as a step that can
        be undone. Nothing happens if the texts are other ones now."""
        if self._is_present(result):
            self._project.texts.merge_theirs(result.path, result.merge.edits(choices))
            self._project.take_new_text()
            self.merged.emit(result.path)

    def _is_present(self, result: MergeResult) -> bool:
        """Whether the texts that were compared are still those of the conflict."""
        texts = self._project.texts
        return texts.conflicts.get(result.path) is result.theirs and texts.parsed(result.path) is result.ours

    @Slot()
    def compare(self) -> None:
        """Compare the sides of each conflict that has not been compared as it is now."""
        texts = self._project.texts
        conflicts = texts.conflicts
        self._merges = {path: found for path, found in self._merges.items() if path in conflicts}
        for path, theirs in conflicts.items():
            if path not in self._comparing and self.merge_of(path) is None:
                self._comparing.add(path)
                base, ours = texts.disk_text(path) or "", texts.parsed(path)
                self._threads.start(workers.merging.MergeThread(path, base, ours, theirs, self._compared.emit))

    @Slot(object)
    def _take_compared(self, result: MergeResult) -> None:
        if self._threads.stopped:
            return
        self._comparing.discard(result.path)
        if not self._is_present(result):
            self.compare()
        elif result.merge.conflicts:
            self._merges[result.path] = result
        else:
            self.merge(result, {})
        self._project.changed.emit()

    def stop(self) -> list[threading.Thread]:
        """Drop what is being compared; returns what is to be joined."""
        return self._threads.stop()
