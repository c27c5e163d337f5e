"""A monkey at the window: random clicks, keys, drags, turns of the wheel and resizes, on whatever is there, and
selections and plots, which random clicks seldom make.

It opens menus and dialogs, types into fields, moves panels, and never chooses a file: dialogs of files are cancelled,
and the window cannot be closed. What waits for a person (a modal dialog, a menu, a drag) is cancelled after a moment.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, cast

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QWidget

from kinetree.app.workspace.selection import Selection
from kinetree.engine.model.kinds import KINDS

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots.panel import PlotsPanel
    from kinetree.app.window import Window

KEYS = Qt.Key
PLAIN = [
    KEYS(value) for value in range(KEYS.Key_Space.value, KEYS.Key_AsciiTilde.value + 1) if not chr(value).islower()
]
SPECIAL = [
    getattr(KEYS, f"Key_{name}")
    for name in [
        "Escape",
        "Tab",
        "Backtab",
        "Backspace",
        "Return",
        "Enter",
        "Insert",
        "Delete",
        "Home",
        "End",
        "Left",
        "Up",
        "Right",
        "Down",
        "PageUp",
        "PageDown",
        "F1",
        "F2",
        "F3",
        "F4",
        "F6",
        "F7",
        "F8",
        "F10",
        "F12",
    ]
]
HELD = Qt.KeyboardModifier
MODIFIERS = [HELD.NoModifier] * 4 + [HELD.ShiftModifier, HELD.ControlModifier, HELD.AltModifier] + [
    HELD.ControlModifier | HELD.ShiftModifier, HELD.ControlModifier | HELD.AltModifier,
]  # fmt: skip
BUTTONS = [Qt.MouseButton.LeftButton] * 4 + [Qt.MouseButton.RightButton] * 2 + [Qt.MouseButton.MiddleButton]
TEXTS = ("torso", "-1.5", "1e400", "0 0 1", "<geom", '"', "//geom[", "nan", "é😀", "qpos[0]", "")
QUANTITIES = "qpos[0:7]", "energy", "ncon", "norm(qvel)", "sum(efc_force)", "other.qpos[0]", "qpos[99]", "time +"
MOST_PLOTS = 6
FORBIDDEN = ("Ctrl+Q", "Ctrl+W", "Alt+F4")
LOOKS = 50  # ms between looks
DEEPEST = 3  # looks that are in each other
PATIENCE = 0.4
"""For so long something may wait for a person, s."""


class Guard(QObject):
    """Cancels what waits for a person in a loop of its own, closes dialogs of files, and keeps the window open."""

    def __init__(self, window: QWidget):
        super().__init__(window)
        self.step, self._seen, self._since = 0, 0, time.monotonic()
        self._window = window
        window.installEventFilter(self)
        self._depth = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._look)
        self._timer.start(LOOKS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close and watched is self._window:
            event.ignore()
            return True
        return False

    def _look(self) -> None:
        self._depth += 1
        if self._depth < DEEPEST:  # the key that ends a drag may begin another one, which waits in here
            self._timer.start(LOOKS)
        try:
            self._cancel()
        finally:
            self._depth -= 1
            self._timer.start(LOOKS)

    def _cancel(self) -> None:
        cancel_files()
        if self.step != self._seen:
            self._seen, self._since = self.step, time.monotonic()
        elif time.monotonic() - self._since > PATIENCE:
            for window in QApplication.topLevelWindows():  # ends a drag
                if shiboken6.isValid(window) and window.isVisible():  # the key may delete another one
                    QTest.keyClick(window, KEYS.Key_Escape)
            close_all()

    def stop(self) -> None:
        self._timer.stop()
        self._window.removeEventFilter(self)


def cancel_files() -> None:
    """Cancel dialogs of files: nothing is chosen, written or deleted there."""
    for widget in QApplication.topLevelWidgets():
        if shiboken6.isValid(widget) and isinstance(widget, QFileDialog) and widget.isVisible():
            widget.reject()


def close_all() -> None:
    """Cancel what the user is asked."""
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
    for widget in QApplication.topLevelWidgets():
        if shiboken6.isValid(widget) and isinstance(widget, QDialog) and widget.isVisible():
            widget.reject()


class Monkey:
    """Does one random thing to a window with each `act()`, and says what it was."""

    def __init__(self, window: Window, seed: int):
        self.window, self.random = window, random.Random(seed)
        self.guard = Guard(window)
        self._acts = (
            [self.click] * 10 + [self.double_click] * 2 + [self.key] * 10 + [self.type] * 3 + [self.drag] * 6
            + [self.wheel] * 4 + [self.trigger] * 3 + [self.resize, self.select, self.plot]
        )  # fmt: skip

    def act(self) -> str:
        self.guard.step += 1
        cancel_files()
        act = self.random.choice(self._acts)
        try:
            told = act()
        except RuntimeError as error:  # its own handler deleted the widget
            if "already deleted" not in str(error):
                raise
            told = "gone"
        if self.random.random() < 0.3:
            QApplication.processEvents()
            QApplication.sendPostedEvents(
                None, QEvent.Type.DeferredDelete.value
            )  # else only a loop of Qt's own does it
        return f"{act.__name__} {told}"

    def stop(self) -> None:
        close_all()
        self.guard.stop()

    # ---- places --------------------------------------------------------------------------------------

    def top(self) -> QWidget:
        """The window that gets the mouse: a menu or a modal dialog if there is one."""
        over = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if over is not None:
            return over
        tops = [each for each in QApplication.topLevelWidgets() if each.isVisible() and not each.isHidden()]
        tops = [each for each in tops if not isinstance(each, QFileDialog)]
        return self.window if not tops or self.random.random() < 0.7 else self.random.choice(tops)

    def place(self) -> tuple[QWidget, QPoint]:
        """A widget and a point in it."""
        top = self.top()
        point = QPoint(self.random.randrange(max(1, top.width())), self.random.randrange(max(1, top.height())))
        widget = top.childAt(point) or top
        return widget, widget.mapFrom(top, point)

    def click(self) -> str:
        widget, point = self.place()
        QTest.mouseClick(widget, self.random.choice(BUTTONS), self.random.choice(MODIFIERS), point)
        return f"{describe(widget)} {point.toTuple()}"

    def double_click(self) -> str:
        widget, point = self.place()
        if not isinstance(widget, QMenu):
            QTest.mouseDClick(widget, self.random.choice(BUTTONS), self.random.choice(MODIFIERS), point)
        return f"{describe(widget)} {point.toTuple()}"

    def drag(self) -> str:
        widget, point = self.place()
        button, held = self.random.choice(BUTTONS), self.random.choice(MODIFIERS)
        QTest.mousePress(widget, button, held, point)
        for _ in range(self.random.randrange(1, 6)):
            point += QPoint(self.random.randint(-80, 80), self.random.randint(-80, 80))
            if not widget.isVisible():
                return "hidden"
            QTest.mouseMove(widget, point)
            if self.random.random() < 0.2:
                QTest.keyClick(QApplication.focusWidget() or self.window, self.random.choice(PLAIN))
        if widget.isVisible():
            QTest.mouseRelease(widget, button, held, point)
        return describe(widget)

    def wheel(self) -> str:
        widget, point = self.place()
        turn = QPoint(0, self.random.choice((-240, -120, 120, 240)))
        where = QPointF(point)
        event = QWheelEvent(
            where, QPointF(widget.mapToGlobal(point)), QPoint(), turn, Qt.MouseButton.NoButton,
            self.random.choice(MODIFIERS), Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)
        return describe(widget)

    # ---- keys ----------------------------------------------------------------------------------------

    def key(self) -> str:
        widget = QApplication.focusWidget() or self.window
        key, held = self.random.choice(PLAIN if self.random.random() < 0.5 else SPECIAL), self.random.choice(MODIFIERS)
        text = QKeySequence(key | held).toString()
        if text not in FORBIDDEN:
            QTest.keyClick(QApplication.activePopupWidget() or widget, key, held)
        return f"{text} in {describe(widget)}"

    def type(self) -> str:
        widget, text = QApplication.focusWidget() or self.window, self.random.choice(TEXTS)
        for character in text:
            if ord(character) < 128:
                QTest.keyClicks(widget, character)
        if self.random.random() < 0.5:
            QTest.keyClick(widget, KEYS.Key_Return)
        return f"{text!r} in {describe(widget)}"

    # ---- the window ----------------------------------------------------------------------------------

    def trigger(self) -> str:
        """Run an action of the table."""
        actions = self.window.actions_
        name = self.random.choice(sorted(actions.rows))
        if (
            name not in ("file.quit", "file.close", "file.new_window", "help.updates")
            and QApplication.activeModalWidget() is None
        ):
            actions[name].trigger()
        return name

    def select(self) -> str:
        """Select an object of the model: the panels show it, and the handles come to it."""
        model = self.window.simulation.model
        found = [(name, kind.count(model)) for name, kind in KINDS.items() if model is not None and kind.count(model)]
        if not found:
            return "nothing"
        name, count = self.random.choice(found)
        self.window.selection.select(Selection(name, self.random.randrange(count)))
        return name

    def plot(self) -> str:
        """Plot a quantity, sometimes an unknown one, in a plot of its own or beside others."""
        dock, text = self.window.docks["plots"], self.random.choice(QUANTITIES)
        dock.bring_up()
        panel = cast("PlotsPanel", dock.panel)
        if not panel.plots or (len(panel.plots) < MOST_PLOTS and self.random.random() < 0.3):
            panel.add_plot()
        self.random.choice(panel.plots).add(text)
        return text

    def resize(self) -> str:
        size = QSize(self.random.randrange(300, 1100), self.random.randrange(200, 700))
        self.window.resize(size)
        return str(size.toTuple())


def describe(widget: QWidget) -> str:
    """A widget's class and name, with those around it that have a name."""
    names = []
    around: QWidget | None = widget
    while around is not None and len(names) < 3:
        if around is widget or around.objectName():
            names.append(f"{type(around).__name__}#{around.objectName()}".rstrip("#"))
        around = around.parentWidget()
    return " < ".join(names)
