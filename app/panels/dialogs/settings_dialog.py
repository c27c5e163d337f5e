"""The dialog of all settings, made from their table (`app/settings/table.py`). A change acts at once."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.settings.icons import icon
from kinetree.app.settings.settings import Settings
from kinetree.app.settings.table import PAGES, SETTINGS, Setting, Value
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.widgets.filter import FilterEdit
from kinetree.app.widgets.spin import DoubleSpinBox, SpinBox
from kinetree.engine.translation import tr

EDITOR = 190  # width of a field, pixels


def _switch(row: Setting, take: Callable[[Value], None]) -> tuple[QWidget, Callable]:
    box = QCheckBox()
    box.toggled.connect(take)
    return box, box.setChecked


def _choice(row: Setting, take: Callable[[Value], None]) -> tuple[QWidget, Callable]:
    box = ComboBox()
    for value, title in row.choices:
        box.addItem(tr(title), value)
    box.activated.connect(lambda index: take(box.itemData(index)))
    return box, lambda value: box.setCurrentIndex(box.findData(value))


def _number(row: Setting, take: Callable[[Value], None]) -> tuple[QWidget, Callable]:
    if isinstance(row.default, int):
        box = SpinBox()
        box.setRange(int(row.least), int(row.most))
    else:
        box = DoubleSpinBox()
        box.setRange(row.least, row.most)
    if row.unit:
        box.setSuffix(f" {tr(row.unit)}")
    box.setKeyboardTracking(False)  # not each digit on the way to a number
    box.valueChanged.connect(take)
    return box, box.setValue


def _line(row: Setting, take: Callable[[Value], None]) -> tuple[QWidget, Callable]:
    line = QLineEdit()
    line.editingFinished.connect(lambda: take(line.text()))
    return line, line.setText


class _FolderList(QLineEdit):
    """A list of folders in a line, with a button that adds one. `taken(text)`."""

    taken = Signal(str)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setPlaceholderText(tr("none"))
        self.editingFinished.connect(lambda: self.taken.emit(self.text()))
        self.textChanged.connect(lambda text: self.setToolTip(text.replace(os.pathsep, "\n")))
        button = self.addAction(icon("folder"), QLineEdit.ActionPosition.TrailingPosition)
        button.setToolTip(tr("Add a folder"))
        button.triggered.connect(self._choose)

    def add(self, folder: str) -> None:
        """Add a folder at the end."""
        self.setText(os.pathsep.join(filter(None, (self.text().strip(), folder))))
        self.taken.emit(self.text())

    def _choose(self) -> None:
        dialog = FileDialog(self, tr("Add a folder"), "")
        dialog.setFileMode(FileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.add)
        dialog.open()


def _folders(_row: Setting, take: Callable[[Value], None]) -> tuple[QWidget, Callable]:
    field = _FolderList()
    field.taken.connect(take)
    return field, field.setText


def _editor(row: Setting, take: Callable[[Value], None]) -> tuple[QWidget, Callable]:
    """The field for a setting, and a function that shows a value in it. `take` is called with the user's choice."""
    if isinstance(row.default, bool):
        return _switch(row, take)
    if isinstance(row.default, str):
        return (_folders if row.folders else _choice if row.choices else _line)(row, take)
    return _number(row, take)


class SettingRow(QWidget):
    """One setting: its title and help, its field, and a button that restores the default."""

    def __init__(self, row: Setting, settings: Settings, parent: QWidget | None = None):
        super().__init__(parent)
        self.row, self._settings = row, settings
        self.editor, self._show = _editor(row, lambda value: settings.set(row.name, value))
        if not isinstance(self.editor, QCheckBox):
            self.editor.setFixedWidth(EDITOR)
        title, help = QLabel(tr(row.title)), QLabel(tr(row.help))
        title.setBuddy(self.editor)
        help.setWordWrap(True)
        help.setObjectName("dim")
        self.editor.setAccessibleName(tr(row.title))
        self.editor.setAccessibleDescription(tr(row.help))
        self.clash = QLabel()
        self.clash.setProperty("severity", "warning")
        self.clash.setWordWrap(True)
        self.clash.hide()
        self.reset = QToolButton()
        self.reset.setIcon(icon("revert"))
        self.reset.setIconSize(QSize(16, 16))
        self.reset.setAccessibleName(tr("Default of {title}", title=tr(row.title)))
        self.reset.setToolTip(tr("Restore the default: {text}", text=self._text(row.default)))
        self.reset.clicked.connect(self._restore)
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(title)
        texts.addWidget(help)
        texts.addWidget(self.clash)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 8, 8)
        layout.setSpacing(12)
        layout.addLayout(texts, 1)
        layout.addWidget(self.editor, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.reset)
        self.refresh()

    def refresh(self) -> None:
        """Show the present value."""
        value = self._settings.value(self.row.name)
        self._show(value)
        self.reset.setVisible(value != self.row.default)
        clashes = [tr(other.title) for other in SETTINGS if self._clashes(other)]
        self.clash.setText(
            tr("Chosen for {clashes} as well: the first of the two has it.", clashes=clashes[0]) if clashes else ""
        )
        self.clash.setVisible(bool(clashes))

    def _clashes(self, other: Setting) -> bool:
        """Whether another setting of the same group has the same value."""
        same = bool(other.group) and other.group == self.row.group and other is not self.row
        return same and self._settings.value(other.name) == self._settings.value(self.row.name)

    def matches(self, words: list[str]) -> bool:
        """Whether its texts hold every word."""
        choices = " ".join(tr(title) for _, title in self.row.choices)
        text = f"{tr(self.row.title)} {tr(self.row.help)} {tr(self.row.page)} {choices}".casefold()
        return all(word in text for word in words)

    def _restore(self) -> None:
        self._settings.set(self.row.name, self.row.default)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _text(self, value: Value) -> str:
        if isinstance(value, bool):
            return tr("on") if value else tr("off")
        return tr(dict(self.row.choices).get(str(value), "")) or f"{value} {tr(self.row.unit)}".strip()


class SettingsDialog(QDialog):
    """All settings, page by page, with a line that searches them."""

    def __init__(self, settings: Settings, parent: QWidget | None = None):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Settings"))
        self.resize(760, 560)
        self.filter = FilterEdit()
        self.filter.setPlaceholderText(tr("Search settings"))
        self.filter.setAccessibleName(tr("Search settings"))
        self.filter.textChanged.connect(self._search)
        self.filter.entered.connect(self._enter)
        self.pages = QListWidget()
        self.pages.setObjectName("pages")
        self.pages.setAccessibleName(tr("Pages"))
        self.pages.setFixedWidth(140)
        pages = [page for page in PAGES if any(row.page == page for row in SETTINGS)]
        self.pages.addItems(list(map(tr, pages)))
        for i in range(self.pages.count()):
            self.pages.item(i).setSizeHint(QSize(0, self.fontMetrics().height() + 12))
        self.rows: dict[str, SettingRow] = {}
        self.headings: dict[str, QLabel] = {}  # by the translated titles of pages
        content = self._content = QWidget()
        content.setObjectName("settings-content")
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 8, 8)
        column.setSpacing(0)
        for page in PAGES:
            rows = [row for row in SETTINGS if row.page == page]
            if not rows:
                continue
            heading = self.headings[tr(page)] = QLabel(tr(page))
            heading.setObjectName("heading")
            heading.setContentsMargins(12, 12, 12, 4)
            column.addWidget(heading)
            for row in rows:
                self.rows[row.name] = SettingRow(row, settings)
                column.addWidget(self.rows[row.name])
        self.nothing = QLabel(tr("No setting has these words"))
        self.nothing.setObjectName("dim")
        self.nothing.setContentsMargins(12, 12, 12, 12)
        self.nothing.hide()
        column.addWidget(self.nothing)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidgetResizable(True)
        self.area.setWidget(content)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        middle = QHBoxLayout()
        middle.setSpacing(10)
        middle.addWidget(self.pages)
        middle.addWidget(self.area, 1)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(self.filter)
        layout.addLayout(middle, 1)
        layout.addWidget(box)
        self.pages.currentTextChanged.connect(self._show_page)
        self.area.verticalScrollBar().valueChanged.connect(self._follow_scrolling)
        settings.changed.connect(self._refresh)
        self.pages.setCurrentRow(0)
        self.filter.setFocus()

    def show_setting(self, name: str) -> None:
        """Bring a setting into view, with the keyboard in its field."""
        self.filter.clear()
        row = self.rows[name]
        self.pages.setCurrentRow([self.pages.item(i).text() for i in range(self.pages.count())].index(tr(row.row.page)))
        self._content.adjustSize()
        self.area.ensureWidgetVisible(row)
        row.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return ends the typing of a value and does not close the dialog."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def _refresh(self, name: str) -> None:
        for row in self.rows.values():
            if row.row.name == name or row.row.group:
                row.refresh()

    def _search(self, text: str) -> None:
        words = text.casefold().split()
        shown = {tr(row.row.page) for row in self.rows.values() if row.matches(words)}
        for row in self.rows.values():
            row.setVisible(row.matches(words))
        for page, heading in self.headings.items():
            heading.setVisible(page in shown)
        for i in range(self.pages.count()):
            self.pages.item(i).setHidden(self.pages.item(i).text() not in shown)
        self.nothing.setVisible(not shown)

    def _enter(self) -> None:
        found = next((row for row in self.rows.values() if not row.isHidden()), None)
        if found is not None:
            found.editor.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_page(self, page: str) -> None:
        if page in self.headings and self.pages.hasFocus():
            self.area.verticalScrollBar().setValue(self.headings[page].y())

    def _follow_scrolling(self, value: int) -> None:
        """Mark the page at the top of the scrolled area as the current one."""
        if self.pages.hasFocus():
            return
        above = [page for page, heading in self.headings.items() if not heading.isHidden() and heading.y() <= value + 8]
        for i in range(self.pages.count()):
            if above and self.pages.item(i).text() == above[-1]:
                self.pages.setCurrentRow(i)
