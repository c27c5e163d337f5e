"""The page in the middle of the window without a model: how to open one, or why a file cannot be opened."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.panels.elided import Elided
from app.panels.icon_label import IconLabel
from app.panels.problems import ProblemsPanel, counts
from app.settings.icons import app_icon, icon
from engine.diagnostics import Severity

RECENT = 6
LONGEST_NAME = 240  # pixels; longer names of recent files are elided


class StartPage(QWidget):
    """`open_dialog()`, `open_file(path)`."""

    open_dialog = Signal()
    open_file = Signal(str)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._icon = IconLabel(64)
        self._title = Elided(Qt.TextElideMode.ElideMiddle)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title.setObjectName("start-title")
        self._text = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._text.setObjectName("dim")
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self.button = QPushButton("Open a Model…")
        self.button.setDefault(True)
        self.button.clicked.connect(self.open_dialog)
        self.problems = ProblemsPanel(self)
        self.problems.setMaximumHeight(260)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(2)
        self._links: list[QWidget] = []
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        for widget in (self._title, self._text):
            column.addWidget(widget)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.button)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.problems)
        column.addLayout(self._recent)
        column.addStretch(3)
        outer = QHBoxLayout(self)
        outer.addStretch(1)
        outer.addLayout(column, 12)
        outer.addStretch(1)
        self.show_nothing([])

    def show_nothing(self, recent: list[str]) -> None:
        """No file is open."""
        self._icon.set_icon(app_icon())
        self._title.set_text("Kinetree")
        self._text.setText("Open a model or drop a file here: MJCF, URDF or x_xy")
        self.problems.hide()
        self._fill(recent)

    def show_loading(self, path: str) -> None:
        """The first model is being compiled."""
        self._icon.set_icon(app_icon())
        self._title.set_text(os.path.basename(path))
        self._text.setText("Reading the model…")
        self.problems.hide()
        self._fill([])

    def show_failed(self, path: str, diagnostics: list, recent: list[str]) -> None:
        """The first model has errors: list them."""
        number = counts(diagnostics)[Severity.ERROR]
        self._icon.set_icon(icon("error", "error"))
        self._title.set_text(f"{os.path.basename(path)} cannot be opened")
        what = "1 error" if number == 1 else f"{number} errors"
        self._text.setText(f"{what}. Fix the file, and it is opened automatically.")
        self.problems.set_items(diagnostics)
        self.problems.show()
        self._fill([])

    def _fill(self, recent: list[str]) -> None:
        for widget in self._links:
            self._recent.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._links = []
        if recent:
            title = QLabel("Recent")
            title.setObjectName("dim")
            self._links.append(title)
        for path in recent[:RECENT]:
            link = _Recent(path, self)
            link.chosen.connect(self.open_file)
            self._links.append(link)
        for widget in self._links:
            self._recent.addWidget(widget)


class _Recent(QWidget):
    chosen = Signal(str)

    def __init__(self, path: str, parent: QWidget):
        super().__init__(parent)
        self._path = path
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        name = QLabel()
        name.setTextFormat(Qt.TextFormat.PlainText)
        short = name.fontMetrics().elidedText(os.path.basename(path), Qt.TextElideMode.ElideMiddle, LONGEST_NAME)
        name.setText(short)
        name.setToolTip(path.replace("&", "&amp;").replace("<", "&lt;"))
        folder = Elided(Qt.TextElideMode.ElideMiddle)
        folder.setObjectName("dim")
        folder.set_text(os.path.dirname(path))
        layout.addWidget(name)
        layout.addWidget(folder, 1)

    def mouseReleaseEvent(self, event) -> None:
        self.chosen.emit(self._path)
