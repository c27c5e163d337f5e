"""The name of a file or folder: typed, or chosen in a dialog."""

from __future__ import annotations

import os

from PySide6.QtWidgets import QFileDialog, QWidget

from kinetree.app.widgets.beside import FieldWithButton
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.widgets.text import TextField
from kinetree.engine.mjcf.file_names import relative
from kinetree.engine.translation import tr


class FileField(FieldWithButton):
    """A file name as the text has it.

    folder     where relative names start
    patterns   of the dialog, such as "Meshes (*.obj *.stl)"
    directory  whether it is a folder
    """

    def __init__(self, parent: QWidget | None = None):
        line = TextField()
        super().__init__(line, line, "folder", tr("Choose a file"), parent)
        self.folder, self.patterns, self.directory = "", "", False
        self.dialog: QFileDialog | None = None
        self.button.clicked.connect(self.open_dialog)
        line.taken.connect(self.taken)

    def show_value(self, text: str | None, given: bool = True, read_only: bool = False) -> None:
        self.line.show_value(text, given, read_only)
        self.button.setEnabled(not read_only)

    def open_dialog(self) -> None:
        """Choose a file; its name is written relative to the folder where it can be."""
        if self.dialog is not None:
            return
        start = os.path.join(self.folder, os.path.dirname(self.line.text()))
        dialog = self.dialog = FileDialog(
            self, tr("Choose"), start if os.path.isdir(start) else self.folder, self.patterns
        )
        modes = QFileDialog.FileMode
        dialog.setFileMode(modes.Directory if self.directory else modes.ExistingFile)
        dialog.fileSelected.connect(self.choose)
        dialog.finished.connect(self._closed)
        dialog.open()

    def choose(self, path: str) -> None:
        """Take a file that was chosen."""
        self.line.setText(relative(path, self.folder) if self.folder else path)
        self.line.setModified(True)
        self.line.take()

    def _closed(self) -> None:
        self.dialog = None
