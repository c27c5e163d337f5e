"""Notifications of the file system, in a thread of their own: they do not wait for the window's frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QThread, Signal, Slot


class _Armer(QObject):
    """Lives in the thread: keeps the system's watches in line with the wanted paths."""

    def __init__(self, poke: Callable[[], None]):
        super().__init__()
        self._watcher = QFileSystemWatcher(self)
        direct = Qt.ConnectionType.DirectConnection
        self._watcher.fileChanged.connect(lambda _path: poke(), direct)
        self._watcher.directoryChanged.connect(lambda _path: poke(), direct)

    @Slot(list)
    def arm(self, paths: list[str]) -> None:
        wanted = {path for path in paths if os.path.exists(path)}
        now = {*self._watcher.files(), *self._watcher.directories()}
        if now - wanted:
            self._watcher.removePaths(list(now - wanted))
        if wanted - now:
            self._watcher.addPaths(list(wanted - now))


class Notifier(QThread):
    """Thread that watches files: calls `poke()` when the system reports a change to them or in their folders."""

    _wanted = Signal(list)

    def __init__(self, poke: Callable[[], None], parent: QObject | None = None):
        super().__init__(parent)
        self.setObjectName("notify")
        self._poke = poke

    def arm(self, files: Iterable[str]) -> None:
        """Watch these files and their folders instead; again for the same ones, since replaced files lose
        theirs."""
        files = [path for path in files if "\0" not in path]
        self._wanted.emit(list(dict.fromkeys([*files, *map(os.path.dirname, files)])))

    def run(self) -> None:
        armer = _Armer(self._poke)
        self._wanted.connect(armer.arm, Qt.ConnectionType.QueuedConnection)
        self.exec()
        self._wanted.disconnect(armer.arm)
        del armer

    def stop(self) -> None:
        """End the thread; wait() for it afterwards."""
        self.quit()
