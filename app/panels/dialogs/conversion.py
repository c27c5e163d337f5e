"""The dialog that shows a model's text beside the MJCF that it is converted to, and whether that is the same model."""

from __future__ import annotations

import os

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QProgressBar,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.panels.writing.source.highlight import Highlighter
from kinetree.app.panels.writing.source.look import font
from kinetree.app.panels.writing.source.shown_text import ShownText
from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.app.workers.converting import Conversion
from kinetree.engine.diagnostics import shown
from kinetree.engine.translation import counted, tr

PROBLEMS_HEIGHT = 110
SHOWN = 5
"""Arrays that differ which are named."""


class ConversionDialog(QDialog):
    """Shows the text of a model and its conversion. `open_wanted(text)`: the user wants to go on with the new text;
    `save_wanted()`: it is to be saved."""

    open_wanted = Signal(str)
    save_wanted = Signal()

    def __init__(self, path: str, text: str, language: str, size: int, parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle(tr("Convert to MJCF"))
        around = parent.size() if parent is not None else QSize(1280, 800)
        self.resize(max(900, around.width() * 17 // 20), max(560, around.height() * 4 // 5))
        name = os.path.basename(path)
        self.head = QLabel(
            tr(
                "{name} as MJCF with everything expanded: no includes, macros or frames. The file {name} stays "
                "as it is.",
                name=name,
            )
            if language == "MJCF"
            else tr("{name} as MJCF. The file {name} stays as it is.", name=name)
        )
        self.head.setTextFormat(Qt.TextFormat.PlainText)
        self.head.setWordWrap(True)
        self.original = _TextPane(f"{name} ({language})", size)
        self.converted = _TextPane("MJCF", size)
        self.original.show_text(path, text)
        panes = QSplitter(Qt.Orientation.Horizontal)
        panes.addWidget(self.original)
        panes.addWidget(self.converted)
        panes.setChildrenCollapsible(False)
        panes.setSizes([500, 500])
        self.progress = QProgressBar()
        self.progress.setRange(0, 0)
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(6)
        self.problems = QListWidget()
        self.problems.setWordWrap(True)
        self.problems.setAccessibleName(tr("Problems of the conversion"))
        self.problems.hide()
        self.problems.currentItemChanged.connect(lambda item: self._go_to(item) if item is not None else None)
        self.problems.itemClicked.connect(self._go_to)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.save_button = self.box.addButton(tr("Save As…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.open_button = self.box.addButton(tr("Open as New Model"), QDialogButtonBox.ButtonRole.ActionRole)
        self.save_button.setAutoDefault(False)
        self.open_button.setDefault(True)
        self.save_button.clicked.connect(self.save_wanted)
        self.open_button.clicked.connect(lambda: self.open_wanted.emit(self.converted.text))
        self.box.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(self.head)
        layout.addWidget(panes, 1)
        layout.addWidget(self.progress)
        layout.addWidget(self.problems)
        layout.addWidget(self.box)
        self._enable(False)

    def show_conversion(self, found: Conversion) -> None:
        """Show the progress or the result of the conversion."""
        if found.text and found.text != self.converted.text:
            self.converted.show_text("converted.xml", found.text)
        if not found.problem and not found.is_compiled:
            return
        self.progress.hide()
        self._enable(bool(found.text))
        self.problems.clear()
        kind, verdict = _verdict(found)
        self._add(kind, verdict)
        new = [(item, self.converted) for item in shown(found.diagnostics)]
        told = {item.message for item, _ in new}
        for item, pane in [*new, *((each, self.original) for each in shown(found.source.diagnostics))]:
            if pane is self.converted or item.message not in told:
                self._add(
                    item.severity.value,
                    tr("{title}, line {line}: {message}", title=pane.title, line=item.line, message=item.message),
                    pane,
                    item.line,
                )
        rows = sum(self.problems.sizeHintForRow(row) for row in range(self.problems.count()))
        self.problems.setFixedHeight(min(rows + 2 * self.problems.frameWidth() + 4, PROBLEMS_HEIGHT))
        self.problems.show()

    def _add(self, kind: str, message: str, pane: _TextPane | None = None, line: int = 0) -> None:
        item = QListWidgetItem(icon(kind, kind), message)
        item.setData(Qt.ItemDataRole.UserRole, None if pane is None else (pane, line))
        self.problems.addItem(item)

    def _go_to(self, item: QListWidgetItem) -> None:
        """Show the line that a problem is about."""
        place = item.data(Qt.ItemDataRole.UserRole)
        if place is not None:
            pane, line = place
            pane.edit.show_line(line)

    def _enable(self, on: bool) -> None:
        self.save_button.setEnabled(on)
        self.open_button.setEnabled(on)


def _verdict(found: Conversion) -> tuple[str, str]:
    """(kind of icon, sentence): whether the converted text is the same model."""
    if found.problem:
        return "error", tr("The model cannot be written as MJCF: {problem}", problem=found.problem)
    if found.differing is None:
        return "error", tr("The converted text does not compile.")
    if found.differing:
        shown = ", ".join(found.differing[:SHOWN])
        shown = tr("{names} and others", names=shown) if len(found.differing) > SHOWN else shown
        return "warning", tr(
            "The converted text compiles, but its model is not quite the same: {shown} differ.", shown=shown
        )
    return "info", tr("The converted text compiles to the same model.")


class _TextPane(QWidget):
    """A title over a text that can be read and copied."""

    def __init__(self, title: str, size: int):
        super().__init__()
        self.title = title
        self.label = QLabel(title)
        self.label.setObjectName("dim")
        self.edit = _Text()
        self.edit.setFont(font(size))
        self.edit.setAccessibleName(title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addWidget(self.label)
        layout.addWidget(self.edit, 1)
        self.text = ""

    def show_text(self, path: str, text: str) -> None:
        self.text = text
        lines = text.count("\n") + (not text.endswith("\n"))
        self.label.setText(counted("{title}, {count} line", "{title}, {count} lines", lines, title=self.title))
        self.edit.show_text(path, text)


class _Text(QPlainTextEdit):
    """A read-only text in the colours of the source panel. Only lines on the screen get colours."""

    def __init__(self):
        super().__init__()
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._highlighter: Highlighter | None = None

    def show_text(self, path: str, text: str) -> None:
        shown = ShownText(path, text, self)
        size = self.font()
        shown.document.setDefaultFont(size)
        self.setDocument(shown.document)
        self._highlighter = Highlighter(shown, theme.current())

    def show_line(self, line: int) -> None:
        """Scroll to a line (1-based) and select it."""
        block = self.document().findBlockByNumber(line - 1)
        if block.isValid():
            cursor = QTextCursor(block)
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            self.centerCursor()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._highlighter is not None:
            rows = self.viewport().height() // max(1, self.fontMetrics().lineSpacing()) + 2
            self._highlighter.ensure(self.firstVisibleBlock(), rows)
        super().paintEvent(event)
