"""The dialog that asks for a file or a folder."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QHeaderView, QTreeView, QWidget

WIDTH, HEIGHT = 860, 540
"""At first, pixels: room for names beside sizes and dates."""


class FileDialog(QFileDialog):
    """File dialog that deletes itself when it is closed. In Qt's own dialog, used where the desktop has none, sizes and
    dates are never cut: names take the remaining width."""

    def __init__(self, parent: QWidget, title: str, start: str, kinds: str = ""):
        """start: folder, or the path that is offered. kinds: of files, as for QFileDialog."""
        super().__init__(parent, title, start, kinds)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(WIDTH, HEIGHT)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        view = self.findChild(QTreeView, "treeView")
        if view is not None:
            header = view.header()
            header.setStretchLastSection(False)
            for column in range(header.count()):
                modes = QHeaderView.ResizeMode
                header.setSectionResizeMode(column, modes.ResizeToContents if column else modes.Stretch)
