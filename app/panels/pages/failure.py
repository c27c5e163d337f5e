"""The dialog that reports an unexpected failure. The window stays usable."""

from __future__ import annotations

import logging

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from kinetree.engine.translation import tr

log = logging.getLogger("kinetree")


class FailureDialog(QMessageBox):
    """Dialog for unexpected failures. It does not block; only one is shown at a time, further failures go to the log
    alone."""

    _open: FailureDialog | None = None

    @classmethod
    def report(cls, parent: QWidget | None, message: str, details: str = "") -> None:
        log.warning("%s\n%s", message, details)
        if cls._open is not None:
            return
        box = cls(parent)
        cls._open = box
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Kinetree")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(message)
        box.setInformativeText(tr("Kinetree keeps running. Your files are unchanged."))
        if details:
            box.setDetailedText(details)
        box.setStandardButtons(QMessageBox.StandardButton.Close)
        box.setDefaultButton(QMessageBox.StandardButton.Close)
        box.setModal(False)
        box.finished.connect(cls._closed)
        box.show()

    @classmethod
    def _closed(cls) -> None:
        cls._open = None
