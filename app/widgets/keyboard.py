"""Decides who has the keyboard when the program, and not the user, changes what is on the screen.

Qt gives the keyboard to the next widget in the order of Tab as soon as the widget that has it is hidden or disabled.
Further typing would act there as keys. A window that calls `hold_keyboard` in `focusNextPrevChild` leaves the keyboard
with the parent of the hidden widget: nothing there takes letters, and Tab goes on from there.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QStackedWidget, QTextEdit, QWidget

BY_PROGRAM = Qt.FocusReason.OtherFocusReason


def hold_keyboard(window: QWidget) -> bool:
    """Whether the widget that has the keyboard in a window cannot keep it, because it was hidden or disabled. It then
    goes to the nearest widget around it that is visible. False: the user goes on with Tab.

    For `focusNextPrevChild` of a window, which Qt calls in both cases, and for its activation: Qt calls nothing when
    the widget is hidden while another window is active."""
    focus = window.focusWidget()
    if focus is None or focus is window or (focus.isVisible() and focus.isEnabled()):
        return False
    around = focus.parentWidget()
    while around is not None and around is not window and not _takes_it_itself(around):
        around = around.parentWidget()
    (around or window).setFocus(BY_PROGRAM)
    return True


def _takes_it_itself(widget: QWidget) -> bool:
    """Whether a widget can have the keyboard, and does not hand it on to another one."""
    return widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def is_typing(window: QWidget) -> bool:
    """Whether the keyboard is in a widget of the window that takes text."""
    focus = window.focusWidget()
    if isinstance(focus, QComboBox):
        return focus.isEditable()
    return isinstance(focus, QLineEdit | QPlainTextEdit | QTextEdit | QAbstractSpinBox)


def replace_page(stack: QStackedWidget, page: QWidget, heir: QWidget) -> None:
    """Show another page of a stack. The heir, a widget of that page, gets the keyboard if it was on the page before or
    nowhere. Whoever was typing a text goes on there; where it is gone, nothing gets the letters."""
    window = stack.window()
    focus, before = window.focusWidget(), stack.currentWidget()
    is_free = focus is None or focus is window
    was_there = focus is not None and before is not None and (focus is before or before.isAncestorOf(focus))
    types = is_typing(window)
    if was_there:
        window.setFocus(BY_PROGRAM)  # else the stack gives it to the first widget of the page
    stack.setCurrentWidget(page)
    if is_free or (was_there and not types):
        heir.setFocus(BY_PROGRAM)
