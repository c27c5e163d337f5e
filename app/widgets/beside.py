"""A field with a button beside it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from kinetree.app.settings.icons import icon
from kinetree.app.widgets.text import TextField


class FieldWithButton(QWidget):
    """A line of text, alone or as a part of `shown`, and a button that acts on that text.

    Signals: `taken(text)`, `refused(message)`, as those of the line.
    """

    taken = Signal(str)
    refused = Signal(str)

    def __init__(self, line: TextField, shown: QWidget, sign: str, help: str, parent: QWidget | None = None):
        super().__init__(parent)
        self.line, self._shown = line, shown
        self.button = QToolButton(self)
        self.button.setIcon(icon(sign))
        self.button.setAutoRaise(True)
        self.button.setToolTip(help)
        self.button.setAccessibleName(help)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(shown, 1)
        layout.addWidget(self.button)
        self.setFocusProxy(shown)
        line.refused.connect(self.refused)

    @property
    def check(self) -> Callable[[str], str]:
        """Why a text is not valid, see TextField."""
        return self.line.check

    @check.setter
    def check(self, check: Callable[[str], str]) -> None:
        self.line.check = check

    def sizeHint(self) -> QSize:
        return self._shown.sizeHint()
