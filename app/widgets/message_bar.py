"""The bar over the viewport: why the model on the screen differs from the file, and what can be done."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from kinetree.app.settings.icons import icon
from kinetree.app.widgets.labels import IconLabel
from kinetree.app.widgets.style import set_property
from kinetree.engine.diagnostics import Severity
from kinetree.engine.translation import tr

NARROW = 480  # pixels
LONGEST = 600, 300, 150, 75
"""Characters that are shown: fewer where the bar would be too high. The tooltip has the whole message."""
LONGEST_WORD = 56
"""Characters of a word, such as a path: lines are broken between words only."""
LEAST_WORD = 5


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
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._close = QToolButton(self)
        self._close.setAccessibleName(tr("Hide this message"))
        self._close.setToolTip(tr("Hide this message until the next change"))
        self._close.setIcon(icon("close"))
        self._close.clicked.connect(self.hide)
        self._close.clicked.connect(self.closed)
        top = Qt.AlignmentFlag.AlignTop
        self._beside = QHBoxLayout()
        self._beside.addWidget(self._icon, 0, top)
        self._beside.addWidget(self.label, 1)
        self._buttons.addStretch(1)
        self._buttons.addWidget(self._close, 0, top)
        self._layout.addLayout(self._beside, 1)
        self._layout.addLayout(self._buttons)
        self.buttons: list[QToolButton] = []
        self._actions: Sequence[tuple[str, Callable[[], object]]] = []
        self._fitted: tuple[str, int, int] | None = None
        self._height = 0
        self.hide()

    def set_message(self, text: str, severity: Severity, actions: Sequence[tuple[str, Callable[[], object]]]) -> None:
        """Show a text and one button for each (label, callback)."""
        self._icon.set_icon(icon(severity.value, severity.value))
        set_property(self, "severity", severity.value)
        self.label.setToolTip(text)
        self._fitted = None
        if [label for label, _ in actions] != [label for label, _ in self._actions]:
            for button in self.buttons:
                self._buttons.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.buttons = [QToolButton(self) for _ in actions]
            for number, (button, (label, _)) in enumerate(zip(self.buttons, actions, strict=True)):
                button.setObjectName("message-action")
                button.setText(label)
                button.clicked.connect(lambda _checked=False, number=number: self._actions[number][1]())
                self._buttons.insertWidget(1 + number, button, 0, Qt.AlignmentFlag.AlignTop)
        self._actions = actions

    def text(self) -> str:
        """The whole message."""
        return self.label.toolTip()

    def fit(self, width: int, most: int) -> int:
        """Show as much of the message as a width has room for in a height, and return the height that this needs. In
        a narrow bar the buttons go below the text, and below each other where they do not fit beside each other."""
        wanted = self.text(), width, most
        if wanted != self._fitted:
            self._fitted = wanted
            margins, down = self._layout.contentsMargins(), QBoxLayout.Direction.TopToBottom
            inside = width - margins.left() - margins.right()
            shown = [each.sizeHint().width() + self._buttons.spacing() for each in (*self.buttons, self._close)]
            across = QBoxLayout.Direction.LeftToRight
            self._layout.setDirection(down if width < NARROW else across)
            self._buttons.setDirection(down if sum(shown) > inside else across)
            room = inside - self._icon.sizeHint().width() - self._beside.spacing()
            if width >= NARROW:
                room -= sum(shown) + self._layout.spacing()
            fits = self.label.fontMetrics().horizontalAdvance
            text = re.sub(r"\S+", lambda word: shortened(word[0], lambda part: fits(part) <= room), self.text())
            for characters in LONGEST:
                self.label.setText(text if len(text) <= characters else text[: characters - 1] + "…")
                self._beside.invalidate()  # Qt tells only the outer layout
                self._height = self._layout.totalHeightForWidth(width)
                if self._height <= most:
                    break
        return min(self._height, most)


def shortened(word: str, fits: Callable[[str], bool]) -> str:
    """A long word without its middle. Its end tells more: the name of a file, a line."""
    most = LONGEST_WORD
    short = word
    while (len(short) > LONGEST_WORD or not fits(short)) and most >= LEAST_WORD:
        begin = most // 3
        short = f"{word[:begin]}…{word[begin + 1 - most :]}" if len(word) > most else word
        most -= 1
    return short
