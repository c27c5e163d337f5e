"""The dialog that reports an unexpected failure. The window stays usable."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from kinetree.engine.translation import tr

log = logging.getLogger("kinetree")


class FailureDialog(QMessageBox):
    """Dialog for unexpected failures. It does not block; only one is shown at a time, further failures go to the log
    alone."""

    _open: FailureDialog | None = None

    @classmethod
    def report(
        cls,
        parent: QWidget | None,
        message: str,
        details: str = "",
        write: Callable[[str, str], Path | None] = lambda message, details: None,
        show: Callable[[Path], None] = lambda path: None,
    ) -> None:
        """Show a failure. `write(message, details)` makes a crash report of it, whose path `show` takes when the user
        wants to see it."""
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
        path = write(message, details)
        if path is not None:
            box.setInformativeText(
                tr("Kinetree keeps running. Your files are unchanged. A crash report was written, and sent to nobody.")
            )
            box.add_action(tr("Copy Report"), lambda: QGuiApplication.clipboard().setText(path.read_text("utf-8")))
            box.add_action(tr("Show Report…"), lambda: show(path))
        box.setModal(False)
        box.finished.connect(cls._closed)
        box.show()

    def add_action(self, text: str, act: Callable[[], None]) -> None:
        """Add a button that does not close the dialog."""
        button = self.addButton(text, QMessageBox.ButtonRole.ActionRole)
        button.clicked.disconnect()  # from the dialog, which would close
        button.clicked.connect(lambda: act())

    @classmethod
    def _closed(cls) -> None:
        cls._open = None
