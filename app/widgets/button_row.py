"""A row of small buttons with words or arrows, below a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

SIGN_WIDTH = 30  # of a button with an arrow, pixels


class ButtonRow(QHBoxLayout):
    """Buttons from rows (name, text, tip, what a click does); those from index `right` on stand at the right end.

    buttons   name -> button
    """

    def __init__(self, parent: QWidget, rows: Iterable[tuple[str, str, str, Callable[[], object]]], right: int) -> None:
        super().__init__()
        self.setContentsMargins(6, 4, 6, 6)
        self.setSpacing(4)
        self.buttons: dict[str, QPushButton] = {}
        for name, text, tip, run in rows:
            button = self.buttons[name] = QPushButton(text, parent)
            button.setObjectName("small")
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _on, run=run: run())
            if len(text) == 1:
                button.setFixedWidth(SIGN_WIDTH)
            self.addWidget(button)
        self.insertStretch(right, 1)
