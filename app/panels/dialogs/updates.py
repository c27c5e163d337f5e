"""The dialog that asks whether there is a newer version, and tells how to update."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from kinetree import __version__
from kinetree.app.settings.settings import Settings
from kinetree.app.updates.check import UpdateCheck, is_newer
from kinetree.app.updates.installation import Way, way
from kinetree.app.updates.source import SOURCE, ReleaseSource
from kinetree.app.updates.version import Version
from kinetree.engine.translation import tr

NEVER, WEEKLY = "never", "weekly"


class UpdatesDialog(QDialog):
    """Sends the request when it is made, and shows the answer. Closing it gives the request up."""

    def __init__(self, settings: Settings, parent: QWidget | None = None, source: ReleaseSource = SOURCE):
        super().__init__(parent)
        self.setWindowTitle(tr("Check for Updates"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        self._settings = settings
        self.text = QLabel(tr("Asking {host} for the newest version…", host=source.host))
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.command = QLineEdit()
        self.command.setReadOnly(True)
        self.command.setAccessibleName(tr("Command that updates Kinetree"))
        self.copy = QPushButton(tr("Copy"))
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command.text()))
        self._line = QWidget()
        line = QHBoxLayout(self._line)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.command, 1)
        line.addWidget(self.copy)
        self._line.hide()
        self.weekly = QCheckBox(tr("Ask once a week, at the start"))
        self.weekly.setChecked(settings.value("updates.ask") == WEEKLY)
        self.weekly.toggled.connect(lambda on: settings.set("updates.ask", WEEKLY if on else NEVER))
        note = QLabel(tr("One request, which says nothing about you or your models. Kinetree never updates itself."))
        note.setObjectName("dim")
        note.setWordWrap(True)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.box.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        for widget in (self.text, self.bar, self._line, self.weekly, note, self.box):
            layout.addWidget(widget)
        self.check = UpdateCheck(source, self)
        self.check.found.connect(self.show_found)
        self.check.failed.connect(self.show_failed)
        self.finished.connect(self.check.cancel)
        self.check.start()

    def show_found(self, version: Version, by: Way | None = None) -> None:
        """Show the newest version. `by`: the way to update, by default the one of this installation."""
        self.bar.hide()
        self._settings.note_update_check()
        if not is_newer(version):
            self.text.setText(tr("Kinetree {version} is the newest version.", version=__version__))
            return
        by = by or way()
        told = tr("Kinetree {newer} is there; this is {version}.", newer=version, version=__version__)
        self.text.setText(f"{told} {tr(by.told)}")
        self.command.setText(by.command)
        self._line.setVisible(bool(by.command))

    def show_failed(self, reason: str) -> None:
        """Show why there is no answer."""
        self.bar.hide()
        self.text.setText(tr("It is not known whether there is a newer version: {reason}.", reason=reason.rstrip(".")))
