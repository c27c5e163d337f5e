"""The window's side: takes files that other starts of the program hand over."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from kinetree.app.running import message
from kinetree.app.running.message import Request
from kinetree.app.running.place import new_place

PATIENCE = 5000
"""How long a start may take to say what it wants, ms."""


class Listener(QObject):
    """Greets each start and gives its request to `take`, which returns the answer (see `message`) before it acts.
    Raises OSError where nobody can be listened to.

    place  where other starts and windows find this one
    """

    def __init__(self, folder: Path, take: Callable[[Request], bytes], parent: QObject | None = None):
        super().__init__(parent)
        self._take = take
        self.place = new_place(folder)
        self._shown = ""
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)
        if not self._server.listen(self.place.address):
            raise OSError(self._server.errorString())
        self.place.announce()
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.applicationStateChanged.connect(self._touch)

    def end(self) -> None:
        """Listen no more."""
        self._server.close()
        self.place.forget()

    def show(self, path: str) -> None:
        """Say which model the window shows, "" for none."""
        if self._shown != path and self._server.isListening():
            self._shown = path
            try:
                self.place.show(path)
            except OSError as error:
                logging.getLogger(__name__).info("%s", error)

    def _touch(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive and self._server.isListening():
            try:
                self.place.announce()
            except OSError as error:
                logging.getLogger(__name__).info("%s", error)

    def _greet(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            connection.setReadBufferSize(message.MOST)
            connection.disconnected.connect(connection.deleteLater)
            connection.readyRead.connect(lambda each=connection: self._read(each))
            QTimer.singleShot(PATIENCE, connection, connection.abort)
            connection.write(message.GREETING + b"\n")

    def _read(self, connection: QLocalSocket) -> None:
        if not connection.canReadLine():
            if connection.bytesAvailable() >= message.MOST:
                connection.abort()
            return
        line = bytes(connection.readLine(message.MOST).data())
        try:
            answer = self._take(message.request_of(line))
        except ValueError as error:
            logging.getLogger(__name__).info("a request that is not valid: %s", error)
            answer = message.WRONG
        connection.write(answer + b"\n")
        connection.disconnectFromServer()
