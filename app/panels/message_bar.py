"""The bar over the viewport: why the model on the screen differs from the file, and what can be done."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from app.panels.icon_label import IconLabel
from app.settings.icons import icon
from engine.diagnostics import Severity
from engine.translation import tr

NARROW = 480  # pixels
LONGEST = 600  # characters; the tooltip has the whole message
LONGEST_WORD = 56
"""Characters of a word, such as a path: lines are broken between words only."""
_LONG = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


class MessageBar(QFrame):
    """A message that takes as many lines as it needs, with buttons. `closed()` when the user hides it."""

    closed = Signal()

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("message-bar")
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(10, 5, 6, 5)
        self._icon = IconLabel(16, self)
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.label.setMinimumWidth(40)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._buttons = QHBoxLayout()
        self._close = QToolButton(self)
        self._close.setAccessibleName(tr("Hide this message"))
        self._close.setToolTip(tr("Hide this message until the next change"))
        self._close.setIcon(icon("close"))
        self._close.clicked.connect(self.hide)
        self._close.clicked.connect(self.closed)
        top = Qt.AlignmentFlag.AlignTop
        text = QHBoxLayout()
        text.addWidget(self._icon, 0, top)
        text.addWidget(self.label, 1)
        self._buttons.addStretch(1)
        self._buttons.addWidget(self._close, 0, top)
        self._layout.addLayout(text, 1)
        self._layout.addLayout(self._buttons)
        self.buttons: list[QToolButton] = []
        self._actions: Sequence[tuple[str, Callable[[], object]]] = []
        self.hide()

    def set_message(self, text: str, severity: Severity, actions: Sequence[tuple[str, Callable[[], object]]]) -> None:
        """Show a text and one button for each (label, callback)."""
        self._icon.set_icon(icon(severity.value, severity.value))
        if self.property("severity") != severity.value:
            self.setProperty("severity", severity.value)
            self.style().unpolish(self)
            self.style().polish(self)
        shown = _LONG.sub(lambda word: shortened(word[0]), text)
        self.label.setText(shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…")
        self.label.setToolTip(text)
        if [label for label, _ in actions] != [label for label, _ in self._actions]:
            for button in self.buttons:
                self._buttons.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.buttons = [QToolButton(self) for _ in actions]
            for number, (button, (label, _)) in enumerate(zip(self.buttons, actions, strict=True)):
                button.setText(label)
                button.clicked.connect(lambda _checked=False, number=number: self._actions[number][1]())
                self._buttons.insertWidget(1 + number, button, 0, Qt.AlignmentFlag.AlignTop)
        self._actions = actions

    def text(self) -> str:
        """The whole message."""
        return self.label.toolTip()

    def height_for(self, width: int) -> int:
        """The height that the message needs at a width. In a narrow bar the buttons go below the text."""
        directions = QBoxLayout.Direction
        self._layout.setDirection(directions.TopToBottom if width < NARROW else directions.LeftToRight)
        return self._layout.totalHeightForWidth(width)


def shortened(word: str) -> str:
    """A long word without its middle. Its end tells more: the name of a file, a line."""
    begin = LONGEST_WORD // 3
    return f"{word[:begin]}…{word[begin + 1 - LONGEST_WORD :]}"
