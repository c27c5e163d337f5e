"""The request for the newest version: one, without cookies, without anything about the user or the installation."""

from __future__ import annotations

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtNetwork import QNetworkAccessManager, QNetworkReply, QNetworkRequest

from kinetree import __version__
from kinetree.app.updates.source import MOST, SOURCE, Nonsense, ReleaseSource, newest
from kinetree.app.updates.version import Version
from kinetree.engine.translation import tr

PATIENCE = 15_000
"""Time without an answer after which the request is given up, ms."""


class UpdateCheck(QObject):
    """Asks once. Signals: `found(Version)`, the newest version, which may be the present one; or `failed(reason)`.
    Neither comes after `cancel`."""

    found = Signal(object)
    failed = Signal(str)

    def __init__(self, source: ReleaseSource = SOURCE, parent: QObject | None = None, patience: int = PATIENCE):
        super().__init__(parent)
        self._source, self._patience = source, patience
        self._manager: QNetworkAccessManager | None = None
        self._reply: QNetworkReply | None = None

    def start(self) -> None:
        """Send the request."""
        self._manager = QNetworkAccessManager(self)
        request = QNetworkRequest(QUrl(self._source.address))
        request.setHeader(QNetworkRequest.KnownHeaders.UserAgentHeader, "Kinetree")
        request.setRawHeader(b"Accept", b"application/json")
        request.setRawHeader(b"Accept-Language", b"*")  # Qt would name the user's
        request.setTransferTimeout(self._patience)
        attributes = QNetworkRequest.Attribute
        request.setAttribute(
            attributes.RedirectPolicyAttribute, QNetworkRequest.RedirectPolicy.NoLessSafeRedirectPolicy
        )
        for attribute in (attributes.CookieLoadControlAttribute, attributes.CookieSaveControlAttribute):
            request.setAttribute(attribute, QNetworkRequest.LoadControl.Manual)
        reply = self._reply = self._manager.get(request)
        reply.setReadBufferSize(MOST + 1)
        reply.readyRead.connect(self._guard)
        reply.finished.connect(self._take)

    def cancel(self) -> None:
        """Give the request up."""
        reply, self._reply = self._reply, None
        if reply is not None:
            reply.blockSignals(True)
            reply.abort()
            reply.deleteLater()

    def _guard(self) -> None:
        """Give up an answer that is too long."""
        if self._reply is not None and self._reply.bytesAvailable() > MOST:
            self.cancel()
            self.failed.emit(tr("{host} gave no answer that Kinetree understands", host=self._source.host))

    def _take(self) -> None:
        reply, self._reply = self._reply, None
        if reply is None:
            return
        error, data = reply.error(), bytes(reply.readAll().data()) if reply.isOpen() else b""
        status = reply.attribute(QNetworkRequest.Attribute.HttpStatusCodeAttribute)
        reply.deleteLater()
        if error is not QNetworkReply.NetworkError.NoError:
            self.failed.emit(self._reason(error, status))
            return
        try:
            self.found.emit(newest(data))
        except Nonsense:
            self.failed.emit(tr("{host} gave no answer that Kinetree understands", host=self._source.host))

    def _reason(self, error: QNetworkReply.NetworkError, status: object) -> str:
        errors, host = QNetworkReply.NetworkError, self._source.host
        if status == 404:
            return tr("{host} knows no release of Kinetree", host=host)
        if status is not None:
            return tr("{host} answered with an error ({status})", host=host, status=status)
        if error in (errors.OperationCanceledError, errors.TimeoutError):
            return tr("{host} did not answer in time; try again later", host=host)
        return tr("{host} cannot be reached; see whether this computer is online", host=host)


def is_newer(version: Version) -> bool:
    """Whether a version is newer than this one."""
    own = Version.of(__version__)
    return own is not None and version > own
