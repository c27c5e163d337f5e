"""The other windows of this user on this display, as a window sees them: which model each shows, and how to raise it.

What they show is read from their files (`place`). They are raised through their sockets, without waiting: an answer
comes as a call.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalSocket

from kinetree.app.running import message
from kinetree.app.running.message import Request
from kinetree.app.running.place import Place, places

PATIENCE = 3000
"""How long a window may take to answer, ms."""


class Neighbour(NamedTuple):
    """A window. path: of the model that it shows, "" for none."""

    place: Place
    path: str


class Neighbours(QObject):
    """The windows beside this one. `changed()`: one has come or gone, or shows another model."""

    changed = Signal()

    def __init__(self, folder: Path, own: Place, parent: QObject | None = None):
        super().__init__(parent)
        self._folder, self._own = folder, own
        self._watcher = QFileSystemWatcher([str(folder)], self)
        self._watcher.directoryChanged.connect(self.changed)

    def all(self) -> list[Neighbour]:
        """The other windows, the one that was used last first. One that has crashed may be among them."""
        try:
            found = places(self._folder)
        except OSError:
            return []
        return [Neighbour(place, place.shown()) for place in found if place.file != self._own.file]

    def showing(self, path: str) -> Neighbour | None:
        """The window that shows a file, by whatever name; None if none does."""
        wanted = identity(path)
        return next((each for each in self.all() if each.path and identity(each.path) == wanted), None)

    def bring_up(self, neighbour: Neighbour, then: Callable[[bool], None]) -> None:
        """Bring a window to the front; `then(whether it does)` is called when it has answered."""
        _Call(neighbour.place, Request(""), then, self)


class _Call(QObject):
    """One request to a window. Deletes itself when it is over."""

    def __init__(self, place: Place, request: Request, then: Callable[[bool], None], parent: QObject):
        super().__init__(parent)
        self._asker = parent
        self._place, self._request, self._then = place, request, then
        self._greeted = self._over = False
        self._socket = QLocalSocket(self)
        self._socket.readyRead.connect(self._read)
        self._socket.disconnected.connect(lambda: self._end(False))
        self._socket.errorOccurred.connect(self._fail)
        QTimer.singleShot(PATIENCE, self, lambda: self._end(False))
        self._socket.connectToServer(place.address)

    def _read(self) -> None:
        while self._socket.canReadLine():
            line = bytes(self._socket.readLine(message.MOST).data()).strip()
            if self._greeted:
                self._end(line == message.DONE)
            elif line == message.GREETING:
                self._greeted = True
                self._socket.write(self._request.line_of_json() + b"\n")
            else:
                self._end(False)  # another version

    def _fail(self, error: QLocalSocket.LocalSocketError) -> None:
        errors = QLocalSocket.LocalSocketError
        if error in (errors.ServerNotFoundError, errors.ConnectionRefusedError):
            self._place.forget()  # it has crashed
        self._end(False)

    def _end(self, is_done: bool) -> None:
        if not self._over:
            self._over = True
            self.deleteLater()
            QTimer.singleShot(0, self._asker, lambda: self._then(is_done))


def identity(path: str) -> str:
    """An identifier of a file that is equal for all its names."""
    return os.path.normcase(os.path.realpath(path))
