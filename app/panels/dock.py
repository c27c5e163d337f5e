"""A dock with its own title bar, since the buttons of the style do not follow a dark theme."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QMainWindow, QToolButton, QWidget
from shiboken6 import isValid

from kinetree.app.panels.docks import BOTTOM, DOCKS, LEFT, RIGHT, DockRow
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.keyboard import hold_keyboard
from kinetree.app.workspace.idle_queue import IdleQueue
from kinetree.engine.translation import tr

LEAST = 150, 90  # the smallest size of a panel, pixels
AREAS = {
    LEFT: Qt.DockWidgetArea.LeftDockWidgetArea,
    RIGHT: Qt.DockWidgetArea.RightDockWidgetArea,
    BOTTOM: Qt.DockWidgetArea.BottomDockWidgetArea,
}


class Dock(QDockWidget):
    """A panel that can be moved, floated and closed. `make` is called soon after the dock comes into view first, and
    then the panel is its `widget()`. Docks that come into view together, as when a window opens, make their panels in
    `queue`.

    in_view  whether the user can see it: it is open, and not behind another tab
    waits    whether its panel is not made yet though the dock is in view: `release` ends that
    wanted   the size that the user gave it last; a small window may leave it less for a while

    Signal: `brought_up()` when the user opened it, or brought it to the front.
    """

    brought_up = Signal()

    def __init__(
        self, row: DockRow, make: Callable[[], QWidget], queue: IdleQueue, parent: QWidget, waits: bool = False
    ):
        super().__init__(tr(row.title), parent)
        self._size, self._make, self._queue = row.size, make, queue
        self.in_view = False
        self.waits = waits
        self.wanted: QSize | None = None
        self.is_sized = False
        """Whether the user has chosen its size."""
        self.setObjectName(row.name)
        self.setMinimumSize(*LEAST)
        self.visibilityChanged.connect(self._come_into_view)
        bar = QWidget(self)
        bar.setObjectName("dock-title")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(10, 2, 4, 2)
        layout.setSpacing(0)
        layout.addWidget(QLabel(tr(row.title)))
        layout.addStretch(1)
        size = self.fontMetrics().height() - 2
        for name, tip, run in (
            ("float", tr("Detach this panel from the window, or put it back"), self._toggle_floating),
            ("close", tr("Close this panel; the View menu opens it again"), self.close),
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

    @property
    def panel(self) -> QWidget:
        """The panel, which is made now if the dock was never in view."""
        if self.widget() is None:
            self.setWidget(self._make())
        return self.widget()

    def _come_into_view(self, visible: bool) -> None:
        self.in_view = visible
        if visible and self.widget() is None and not self.waits:
            self._queue.ask(self._make_in_turn)

    def release(self) -> None:
        """Let the panel be made when the dock is in view."""
        self.waits = False
        self._come_into_view(self.in_view)

    def _make_in_turn(self) -> None:
        if isValid(self) and self.widget() is None:
            self.setWidget(self._make())

    def bring_up(self, with_keyboard: bool = True) -> None:
        """Show the dock in front of other tabs, with the keyboard in it."""
        self.show()
        self.raise_()
        if with_keyboard:
            self.panel.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.brought_up.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and self.isWindow():
            hold_keyboard(self)  # what had it may be gone since
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return (self.isWindow() and hold_keyboard(self)) or super().focusNextPrevChild(forward)

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:  # the user drags a separator
            self.wanted, self.is_sized = self.size(), True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self.note_size)  # after the window has laid itself out
        QTimer.singleShot(0, self, self._see_detached)

    def _see_detached(self) -> None:
        """Handle that the dock may have been detached: Qt sends no signal if it was behind another tab."""
        if self.isFloating() and self.isVisible() and not self.in_view:
            self._come_into_view(True)

    def note_size(self) -> None:
        """Take the present size as the wanted one, unless the user has chosen one."""
        if self.wanted is None and self.isVisible():
            self.wanted = self.size()

    def _toggle_floating(self) -> None:
        self.setFloating(not self.isFloating())


def add_docks(window: QMainWindow, make: Callable[[DockRow], QWidget], queue: IdleQueue) -> dict[str, Dock]:
    """Every dock of the table, by name, in its place. Their panels wait until the docks are released."""
    docks: dict[str, Dock] = {}
    for row in DOCKS:
        dock = Dock(row, lambda row=row: make(row), queue, window, waits=True)
        add_dock(window, docks, row, dock)
    return docks


def add_dock(window: QMainWindow, docks: dict[str, Dock], row: DockRow, dock: Dock) -> None:
    """Put a dock into its first place."""
    docks[row.name] = dock
    window.addDockWidget(AREAS[row.area], dock)
    if not row.is_open:
        dock.hide()  # hidden before it joins a group of tabs: else its tab shows
    if row.beside:
        window.tabifyDockWidget(docks[row.beside], dock)
