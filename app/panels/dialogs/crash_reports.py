"""The dialog of crash reports: files that the user can read, copy, send and delete."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.crashes.reports import line_of, listed
from kinetree.app.widgets.empty import paint_empty
from kinetree.engine.translation import tr


class _List(QListWidget):
    """The list of reports, with a sentence where it is empty."""

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        if not self.count():
            paint_empty(self, tr("There are no crash reports."))


class CrashReportsDialog(QDialog):
    """Lists the reports of a folder and shows the selected one."""

    def __init__(self, folder: Path, parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle(tr("Crash Reports"))
        self.resize(900, 560)
        self._folder = folder
        note = QLabel(
            tr(
                "Reports stay on this computer: Kinetree sends them to nobody. They hold no text of a model. Copy one, "
                "add what you did, and send it to those who can fix the mistake."
            )
        )
        note.setWordWrap(True)
        self.list = _List()
        self.list.setSpacing(3)
        self.list.setAccessibleName(tr("Crash reports"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.currentItemChanged.connect(self._show_text)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Text of the report"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        splitter = QSplitter()
        splitter.addWidget(self.list)
        splitter.addWidget(self.text)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([290, 610])
        splitter.setChildrenCollapsible(False)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.copy = self.box.addButton(tr("Copy"), role)
        self.delete = self.box.addButton(tr("Delete"), role)
        self.open_folder = self.box.addButton(tr("Open Folder"), role)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        self.delete.clicked.connect(self._delete)
        self.open_folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder))))
        self.box.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(note)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.box)
        self.refresh()

    def refresh(self, selected: Path | None = None) -> None:
        """Read the folder again, and select a report: the newest if none is named."""
        self.list.clear()
        row = 0
        for number, path in enumerate(listed(self._folder)):
            item = QListWidgetItem("\n".join(line_of(path)))
            item.setData(Qt.ItemDataRole.UserRole, str(path))
            item.setToolTip(path.name)
            self.list.addItem(item)
            row = number if path == selected else row
        self.list.setCurrentRow(row)
        self._show_text()

    @property
    def current(self) -> Path | None:
        """The selected report."""
        item = self.list.currentItem()
        return None if item is None else Path(item.data(Qt.ItemDataRole.UserRole))

    def _show_text(self) -> None:
        path = self.current
        for button in (self.copy, self.delete):
            button.setEnabled(path is not None)
        self.open_folder.setEnabled(self._folder.is_dir())
        try:
            self.text.setPlainText("" if path is None else path.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            self.text.setPlainText(tr("The report cannot be read: {reason}", reason=error.strerror or error))

    def _delete(self) -> None:
        path = self.current
        if path is not None:
            path.unlink(missing_ok=True)
            self.refresh()
