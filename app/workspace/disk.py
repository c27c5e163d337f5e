"""The files of the open document on the disk: changes by other programs come in, and what cannot be saved is known.

The watch thread reads a file that changed and the read thread those that are read again; their reports arrive as
queued signals.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app.settings.following import SettingsFollower
from kinetree.app.settings.settings import Settings
from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workers.reading import ReadThread
from kinetree.app.workers.started import StartedThreads
from kinetree.app.workers.watching import DiskChange, FileWatcher, Obstacle, Watched
from kinetree.app.workspace.merging import ConflictMerger
from kinetree.app.workspace.opening import FileOpener
from kinetree.app.workspace.project import ProjectController
from kinetree.engine.document.edit import difference_of_tags
from kinetree.engine.document.files import FileRead
from kinetree.engine.document.history import FROM_DISK
from kinetree.engine.document.project import External
from kinetree.engine.translation import tr

_NEW = (External.RELOADED, External.PROVIDED)


class DiskFollower(QObject):
    """Follows the files of one project, which announces the changes.

    auto_reload  whether changes on disk are followed
    obstacles    texts that cannot be saved where they are: path -> Obstacle
    """

    _reread = Signal(object)

    def __init__(
        self,
        project: ProjectController,
        opening: FileOpener,
        merging: ConflictMerger,
        parent: QObject | None = None,
    ):
        super().__init__(parent)
        self.auto_reload = True
        self.obstacles: dict[str, Obstacle] = {}
        self._project, self._opening, self._merging = project, opening, merging
        self._unfollowed: dict[str, FileRead | None] = {}  # what changed on disk while changes are not followed
        self._last_change = 0.0  # when changes on disk last came in, time.monotonic()
        self._threads = StartedThreads()
        self._reread.connect(self._take_reread)
        self._watcher = FileWatcher(self)
        self._watcher.changed.connect(self._take_disk_change)
        self._watcher.obstructed.connect(self._take_obstacles)
        self._watcher.start()
        project.opened.connect(self._unfollowed_is_past)
        project.files_changed.connect(self._watch)

    # ---- what there is -------------------------------------------------------------------------------

    @property
    def obstructed(self) -> list[str]:
        """Files with unsaved edits that cannot be saved where they are, see `obstacles`."""
        return [path for path in self._project.modified if path in self.obstacles]

    @property
    def outdated(self) -> list[str]:
        """Files that changed on disk since they were read, while changes are not followed."""
        return list(self._unfollowed)

    @property
    def change_seen_at(self) -> float | None:
        """When a file on the disk was found changed (time.monotonic()), until its new content is read; else None."""
        seen = self._watcher.noticed_at
        return seen if seen is not None and seen > self._last_change else None

    # ---- what the user decides -----------------------------------------------------------------------

    def reload(self) -> None:
        """Read the files again. Unsaved edits are undone, by a step of the history that can be undone
        itself."""
        if self._opening.attempt:
            self._opening.read_again()
        elif self._project.document is not None:
            self._threads.start(ReadThread(self._project.known_texts(), self._reread.emit))
        elif self._project.path:
            self._project.compile()

    def follow(self, settings: Settings) -> None:
        """Apply the settings about files on the disk."""
        SettingsFollower(settings, self, {"auto_reload": self.set_auto_reload})

    def set_auto_reload(self, on: bool) -> None:
        """Set whether changes on the disk are followed. Switching it on follows those that came in the meantime."""
        self.auto_reload = on
        if on and self._unfollowed:
            changes, self._unfollowed = self._unfollowed, {}
            self._follow(changes)
        self._project.changed.emit()

    def keep(self) -> None:
        """Leave the texts as they are although files changed on disk; saving will replace what is there."""
        texts = self._project.texts
        for path, read in self._unfollowed.items():
            if read is not None and path in texts.files:
                texts.keep_ours(path, read)
        self._unfollowed = {}
        self._merging.keep()

    def take_theirs(self) -> None:
        """Take the texts of the disk in place of unsaved edits, by steps that can be undone."""
        self._merging.take_theirs()
        if self._unfollowed:
            self.reload()

    # ---- reports -------------------------------------------------------------------------------------

    @Slot(object)
    def _watch(self, result: CompileResult | None) -> None:
        """Watch the files of the document and of the attempt. `result` has just read them; None if nothing has."""
        project = self._project
        self._unfollowed = {path: read for path, read in self._unfollowed.items() if path in project.files}
        files = list(dict.fromkeys([*project.files, *self._opening.attempt_files]))
        texts = project.known_texts()
        if result is None:
            self._watcher.watch(Watched(files, texts))
        else:
            self._watcher.watch(Watched(files, texts, result.hashes, result.started))

    @Slot()
    def _unfollowed_is_past(self) -> None:
        self._unfollowed = {}

    @Slot(object)
    def _take_obstacles(self, obstacles: dict[str, Obstacle]) -> None:
        if not self._threads.stopped:
            self.obstacles = obstacles
            self._project.changed.emit()

    @Slot(object)
    def _take_disk_change(self, change: DiskChange) -> None:
        self._last_change = time.monotonic()
        if self._threads.stopped:
            return
        project = self._project
        ours = {path: change.reads.get(path) for path in change.paths if path in project.files}
        if not ours or not project.path:
            if self._opening.attempt:  # it opens as soon as its errors are corrected
                self._opening.read_again()
        elif not self.auto_reload and project.compiled is not None:
            # A file that holds what is in memory, because it was just saved, is not news.
            for path, read in list(ours.items()):
                if read is not None and self._has_text(path, read):
                    project.texts.external_change(read)
                    self._unfollowed.pop(path, None)
                    del ours[path]
            self._unfollowed.update(ours)
            project.changed.emit()
        else:
            self._follow(ours)

    def _has_text(self, path: str, read: FileRead) -> bool:
        """Whether a file holds what is in memory."""
        parsed, texts = read.parsed, self._project.texts
        return parsed is not None and path in texts.files and parsed.source.text == texts.text(path)

    def _follow(self, changes: Mapping[str, FileRead | None]) -> None:
        """Take in changed files; those without a FileRead are no texts, such as meshes."""
        project = self._project
        outcomes = [project.texts.external_change(read) if read is not None else None for read in changes.values()]
        if any(outcome in _NEW for outcome in outcomes):
            project.take_new_text(from_disk=True)
            self._watch(None)  # the next change is compared with this text
        elif None in outcomes:
            project.compile(from_disk=True)
        self._merging.compare()
        project.changed.emit()

    @Slot(object)
    def _take_reread(self, reads: list[FileRead]) -> None:
        """Take the texts that were all read again because the user asked for it."""
        if self._threads.stopped or self._project.document is None:
            return
        texts = self._project.texts
        for read in reads:
            if texts.external_change(read) is External.CONFLICT:
                texts.take_theirs(read.key)
            elif read.parsed is not None and not self._has_text(read.key, read):
                edits = difference_of_tags(texts.text(read.key), read.parsed.source.text)
                texts.seal()
                texts.apply(tr("Reload {file}", file=os.path.basename(read.key)), {read.key: edits}, FROM_DISK)
                texts.seal()
        self._unfollowed = {}
        self._project.take_new_text()

    # ---- end -----------------------------------------------------------------------------------------

    def stop(self) -> list[threading.Thread | FileWatcher]:
        """End the threads; returns what is to be joined."""
        self._watcher.stop()
        return [self._watcher, *self._threads.stop()]
