"""A dock with its own title bar, since the buttons of the style do not follow a dark theme."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QToolButton, QWidget

from app.settings.icons import icon

LEAST = 150, 90  # the smallest size of a panel, pixels


class Dock(QDockWidget):
    """A panel that can be moved, floated and closed. `name` is stable: the layout is saved under it.

    `size` is the width (at the sides) or height (at the bottom) that it has at first. `wanted` is the size
    that the user gave it last; a small window may leave it less for a while.
    """

    def __init__(self, name: str, title: str, content: QWidget, size: int, parent: QWidget):
        super().__init__(title, parent)
        self._size = size
        self.wanted: QSize | None = None
        self.setObjectName(name)
        self.setMinimumSize(*LEAST)
        self.setWidget(content)
        bar = QWidget(self)
        bar.setObjectName("dock-title")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(10, 2, 4, 2)
        layout.setSpacing(0)
        layout.addWidget(QLabel(title))
        layout.addStretch(1)
        size = self.fontMetrics().height() - 2
        for name, tip, run in (
            ("float", "Detach this panel from the window, or put it back", self._toggle_floating),
            ("close", "Close this panel; the View menu opens it again", self.close),
        ):
            button = QToolButton(bar)
            button.setIcon(icon(name))
            button.setIconSize(QSize(size, size))
            button.setToolTip(tip)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setAutoRaise(True)
            button.clicked.connect(run)
            layout.addWidget(button)
        self.setTitleBarWidget(bar)

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:  # the user drags a separator
            self.wanted = self.size()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self.note_size)  # after the window has laid itself out

    def note_size(self) -> None:
        """Take the present size as the wanted one, unless the user has chosen one."""
        if self.wanted is None and self.isVisible():
            self.wanted = self.size()

    def _toggle_floating(self) -> None:
        self.setFloating(not self.isFloating())
