"""The line where an expression is typed: completes names while typing, and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QLabel, QLineEdit, QVBoxLayout, QWidget

from kinetree.app.widgets.filter import ClearedLine
from kinetree.engine.run.expression import ExpressionError, parse
from kinetree.engine.run.expression_completion import complete
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

ModelsOf = Callable[[], "tuple[Model | None, Model | None]"]
Check = Callable[["Model", str, "Model | None"], object]


CONTEXT = 24
"""Characters of a text that are shown on each side of a mistake."""


class _Completer(QCompleter):
    """Offers what may stand at the cursor, in place of the word that is begun there. The first offer is marked, and
    Return takes it, unless the text is complete as it stands (`is_complete`)."""

    def __init__(self, line: QLineEdit, models_of: ModelsOf, is_complete: Callable[[str], bool]):
        super().__init__(line)
        self._line, self._models_of, self._is_complete = line, models_of, is_complete
        self._starts: dict[str, int] = {}
        self._offered_for = "", 0  # the text, and the cursor in it
        self._list = QStringListModel(self)
        self.setModel(self._list)
        self.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.setMaxVisibleItems(12)
        self._popup().viewport().installEventFilter(self)

    def _popup(self) -> QAbstractItemView:
        popup = self.popup()
        assert popup is not None
        return popup

    def offer(self) -> None:
        """Renew what is offered, for the text up to the cursor."""
        model, other = self._models_of()
        line = self._line
        self._offered_for = text, cursor = line.text(), line.cursorPosition()
        found = [] if model is None else complete(model, text, cursor, other)
        self._starts = {each.text: each.start for each in found}
        self._list.setStringList([each.text for each in found])
        QTimer.singleShot(0, self, self._mark_first)  # Qt opens the list after this

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._mark_first()
        return super().eventFilter(watched, event)

    def _mark_first(self) -> None:
        popup = self._popup()
        if not popup.isVisible() or popup.currentIndex().isValid() or self._is_complete(self._line.text()):
            return
        self.blockSignals(True)  # else the line shows it as if it were taken
        popup.setCurrentIndex(popup.model().index(0, 0))
        self.blockSignals(False)

    @property
    def is_taken_by_return(self) -> bool:
        """Whether Return takes an offer now."""
        popup = self._popup()
        self._mark_first()
        return popup.isVisible() and popup.currentIndex().isValid()

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        text, cursor = self._offered_for
        chosen = str(index.data())
        return text[: self._starts.get(chosen, cursor)] + chosen + text[cursor:]


class ExpressionEntry(QWidget):
    """Field for an expression to plot. `entered(text)`: a valid expression. `models_of()`: the present model and the
    compared one, or None. `check(model, text, other)` raises ExpressionError for an invalid expression.
    """

    entered = Signal(str)

    def __init__(self, models_of: ModelsOf, parent: QWidget | None = None, check: Check = parse):
        super().__init__(parent)
        self._models_of, self._check = models_of, check
        self.line = ClearedLine(self)
        self.line.setPlaceholderText(tr("Add: qpos[0], norm(qvel) …"))
        self.line.setAccessibleName(tr("Expression to add"))
        self.line.setToolTip(
            tr("A quantity to show: a field like qpos[0], an object like sensor(\"gyro\") or body(\"torso\").xpos[2],\n"
            "and arithmetic with them: norm(qvel), energy[0] + energy[1]. Enter adds it.")
        )  # fmt: skip
        self.error = QLabel(self)
        self.error.setProperty("severity", "error")
        self.error.setWordWrap(True)
        self.error.hide()
        self.place = QLabel(self)
        self.place.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.place.setTextFormat(Qt.TextFormat.PlainText)
        self.place.setAccessibleName(tr("Place of the mistake"))
        self.place.hide()
        self._completer = _Completer(self.line, models_of, self._is_complete)
        self.line.setCompleter(self._completer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.error)
        column.addWidget(self.place)
        column.addWidget(self.line)
        self.setFocusProxy(self.line)
        self.line.textEdited.connect(self._edit)
        self.line.textChanged.connect(lambda _text: self._forget_error())
        self.line.returnPressed.connect(self.enter)

    def _edit(self, _text: str) -> None:
        self._completer.offer()

    def _is_complete(self, text: str) -> bool:
        model, other = self._models_of()
        if model is None or not text.strip():
            return False
        try:
            self._check(model, text.strip(), other)
        except ExpressionError:
            return False
        return True

    def enter(self) -> None:
        """Take what is typed, or say what is wrong with it."""
        if self._completer.is_taken_by_return:
            return  # Return takes what is offered
        text, (model, other) = self.line.text().strip(), self._models_of()
        if not text:
            return
        if model is None:
            self.say(tr("open a model first"))
            return
        try:
            self._check(model, text, other)
        except ExpressionError as error:
            self.say(str(error))
            self._show_place(text, error.column - 1, error.end - 1)
            begin = len(self.line.text()) - len(self.line.text().lstrip())
            self.line.setSelection(begin + error.column - 1, error.end - error.column)
            return
        self.line.clear()
        self.entered.emit(text)

    def say(self, message: str) -> None:
        """Say what is wrong."""
        self.error.setText(message[:1].upper() + message[1:])
        self.error.show()

    def _show_place(self, text: str, start: int, end: int) -> None:
        """Show the part of the text around a mistake, with marks below the mistake."""
        first, last = max(0, start - CONTEXT), min(len(text), max(end, start + 1) + CONTEXT)
        before, after = "…" if first else "", "…" if last < len(text) else ""
        marks = " " * (len(before) + start - first) + "^" * max(1, min(end, last) - start)
        self.place.setText(f"{before}{text[first:last]}{after}\n{marks}")
        self.place.show()

    def _forget_error(self) -> None:
        self.error.hide()
        self.place.hide()
