"""FindBar: what to look for, what to replace it by, and where."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from kinetree.app.panels.writing.source.closing import Closing
from kinetree.app.panels.writing.source.search import Pattern
from kinetree.app.widgets.style import set_property
from kinetree.engine.translation import tr


class FindBar(Closing):
    """Bar to find and replace text. Signals: `changed()`: another pattern; `step(int)`: to the next (1) or previous
    (-1) hit; `replace_one()`; `replace_all()`: in this file; `find_everywhere()`, `replace_everywhere()`: in all files
    of the project."""

    changed = Signal()
    step = Signal(int)
    replace_one = Signal()
    replace_all = Signal()
    find_everywhere = Signal()
    replace_everywhere = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.what, self.by = QLineEdit(self), QLineEdit(self)
        self.what.setPlaceholderText(tr("Find"))
        self.by.setPlaceholderText(tr("Replace by"))
        self.what.setAccessibleName(tr("Find"))
        self.by.setAccessibleName(tr("Replace by"))
        self.count = QLabel(self)
        self.count.setObjectName("dim")
        self.count.setMinimumWidth(110)
        self.matches_case = self._switch(tr("Aa"), tr("Match upper and lower case"))
        self.whole_words = self._switch("W", tr("Find whole words only"))
        self.is_regex = self._switch(".*", tr("Find a regular expression; $1 in the replacement is the first group"))
        self.what.textChanged.connect(self._changed)
        self.what.returnPressed.connect(lambda: self.step.emit(1))
        self.by.returnPressed.connect(self.replace_one)
        upper, lower = QHBoxLayout(), QHBoxLayout()
        for layout in (upper, lower):
            layout.setSpacing(3)
        for box in (self.matches_case, self.whole_words, self.is_regex):
            upper.addWidget(box)
        upper.addWidget(self._button("<", tr("Previous hit (Shift+F3)"), lambda: self.step.emit(-1)))
        upper.addWidget(self._button(">", tr("Next hit (F3)"), lambda: self.step.emit(1)))
        self._everywhere = self._push(
            tr("All Files"), tr("List the hits in all files of the project"), self.find_everywhere
        )
        upper.addWidget(self._everywhere)
        upper.addWidget(self.count)
        upper.addStretch(1)
        upper.addWidget(self.close_button)
        self._second = [
            self._push(tr("Replace"), tr("Replace this hit and go to the next one"), self.replace_one),
            self._push(tr("Replace All"), tr("Replace all hits in this file"), self.replace_all),
            self._push(
                tr("In All Files…"),
                tr("List what is replaced in all files, and then replace it"),
                self.replace_everywhere,
            ),
        ]
        for button in self._second:
            lower.addWidget(button)
        lower.addStretch(1)
        grid = QGridLayout(self)
        grid.setContentsMargins(6, 3, 4, 3)
        grid.setSpacing(4)
        grid.addWidget(self.what, 0, 0)
        grid.addLayout(upper, 0, 1)
        grid.addWidget(self.by, 1, 0)
        grid.addLayout(lower, 1, 1)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)
        self.show_replace(False)

    def _switch(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(tip)
        button.setCheckable(True)
        button.toggled.connect(self._changed)
        return button

    def _button(self, text: str, tip: str, run) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(tip)
        button.clicked.connect(run)
        return button

    def _push(self, text: str, tip: str, run: SignalInstance) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        button.setObjectName("find-action")
        button.setAutoDefault(False)
        button.clicked.connect(lambda: run.emit())
        return button

    def show_replace(self, on: bool) -> None:
        """Show the second row too, or not."""
        for widget in (self.by, *self._second):
            widget.setVisible(on)

    @property
    def pattern(self) -> Pattern:
        return Pattern(
            self.what.text(), self.is_regex.isChecked(), self.matches_case.isChecked(), self.whole_words.isChecked()
        )

    def begin(self, text: str, replace: bool) -> None:
        """Show the bar, with a text to look for unless that is empty."""
        self.show_replace(replace)
        self.show()
        if text:
            self.what.setText(text)
        self.what.setFocus()
        self.what.selectAll()

    def _changed(self, *_ignored) -> None:
        mistake = self.pattern.mistake if self.what.text() else ""
        set_property(self.what, "wrong", bool(mistake))
        self.what.setToolTip(mistake)
        self.changed.emit()

    def show_count(self, text: str, why: str = "") -> None:
        """Say how much was found; `why` it is not all."""
        self.count.setText(text)
        self.count.setToolTip(why)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            self.step.emit(-1)
        else:
            super().keyPressEvent(event)
