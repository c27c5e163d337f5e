"""A dock with a title bar of our own: the style's buttons do not follow a dark theme."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QToolButton, QWidget

from app.settings.icons import icon


class Dock(QDockWidget):
    """A panel that can be moved, floated and closed. `name` is stable: the layout is saved under it.

    `size` is the width (at the sides) or height (at the bottom) that it has at first.
    """

    def __init__(self, name: str, title: str, content: QWidget, size: int, parent: QWidget):
        super().__init__(title, parent)
        self._size = size
        self.setObjectName(name)
        self.setWidget(content)
        bar = QWidget(self)
        bar.setObjectName("dock-title")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(10, 2, 4, 2)
        layout.setSpacing(0)
        layout.addWidget(QLabel(title))
        layout.addStretch(1)
        self._float, self._close = QToolButton(bar), QToolButton(bar)
        for button, tip, run in (
            (self._float, "Float or dock", lambda: self.setFloating(not self.isFloating())),
            (self._close, "Close", self.close),
        ):
            button.setToolTip(tip)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setAutoRaise(True)
            button.clicked.connect(run)
            layout.addWidget(button)
        self.setTitleBarWidget(bar)
        self.retheme()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def retheme(self) -> None:
        self._float.setIcon(icon("float"))
        self._close.setIcon(icon("close"))
        size = self.fontMetrics().height() - 2
        for button in (self._float, self._close):
            button.setIconSize(button.iconSize().scaled(size, size, Qt.AspectRatioMode.KeepAspectRatio))
