"""A line of text that is checked as it is typed: what is not valid stays in a red frame with its reason."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from kinetree.app.widgets.line import Line
from kinetree.app.widgets.style import set_property
from kinetree.engine.translation import tr

MIXED = "—"
LONG = 2000
"""Longer texts are not put into the line: they are edited in the source."""


class TextField(Line):
    """Line edit that checks its text as it is typed.

    Signals: `taken(text)` (a valid text was typed and confirmed by Return or by leaving the field),
    `refused(message)` (what is typed is not valid; "" as soon as it is, or is given up).
    """

    taken = Signal(str)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.check: Callable[[str], str] = lambda _text: ""
        """Why a text is not valid; "" if it is."""
        self.checks_typing = False
        """Whether a text is judged while it is typed, and not only when it is confirmed."""
        self.hint = ""
        """Dim text while there is none."""
        self._shown: str | None = ""
        self._problem = ""
        self.setObjectName("field")
        self.textEdited.connect(self._typed)
        self.returnPressed.connect(self.take)

    def show_value(self, text: str | None, given: bool = True, read_only: bool = False) -> None:
        """Show a text, None where several elements have different ones. What is being typed stays."""
        typing = self.is_typing
        self._shown = text
        set_property(self, "given", given)
        long = text is not None and len(text) > LONG
        self.setReadOnly(read_only or long)
        if typing:
            return
        self.setPlaceholderText(MIXED if text is None else self.hint)
        if long and text is not None:
            shown = tr("{count:,} values; edit them in the source", count=len(text.split()))
        else:
            shown = " ".join((text or "").split("\n"))
        if shown != self.text():
            self.setText(shown)
            self.setCursorPosition(0)
        self._set_problem("")

    def sizeHint(self) -> QSize:
        return QSize(80, self.fontMetrics().height() + 8)

    @property
    def is_typing(self) -> bool:
        """Whether something was typed that has not been taken."""
        return self.isModified() or bool(self._problem)

    @property
    def problem(self) -> str:
        return self._problem

    def take(self) -> bool:
        """Report what was typed, if it is valid. Returns whether it is."""
        if not self.is_typing:
            return True
        problem = self.check(self.text())
        self._set_problem(problem)
        if problem:
            return False
        self.setModified(False)
        if self.text() != (self._shown or ""):
            self._shown = self.text()
            self.taken.emit(self.text())
        return True

    def give_up(self) -> None:
        """Bring the text back that was there before."""
        self.setModified(False)
        self._set_problem("")
        self.setText(self._shown or "")
        self.selectAll()

    @property
    def draft(self) -> str | None:
        """Input that has not been taken, None if there is none."""
        return self.text() if self.is_typing else None

    def restore(self, draft: object) -> None:
        """Go on with a draft; None: give up what is typed."""
        if isinstance(draft, str):
            self.setText(draft)
            self.setModified(True)
            self._set_problem(self.check(draft))
        elif self.is_typing:
            self.give_up()
            self.deselect()

    def recheck(self) -> None:
        """Judge what is typed once more: what the check knows has changed."""
        if self.is_typing and (self._problem or self.checks_typing):
            self._set_problem(self.check(self.text()))

    def _typed(self, text: str) -> None:
        if self._problem or self.checks_typing:
            self._set_problem(self.check(text))

    def _set_problem(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            set_property(self, "wrong", bool(problem))
            self.setToolTip(problem)
            self.refused.emit(problem)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_typing:
            self.give_up()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason and QApplication.activePopupWidget() is None:
            self.take()
        super().focusOutEvent(event)
