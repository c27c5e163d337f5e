"""The line where an expression is typed: completes names while typing, and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Signal
from PySide6.QtWidgets import QCompleter, QLabel, QLineEdit, QVBoxLayout, QWidget

from kinetree.app.widgets.filter import ClearedLine
from kinetree.engine.run.expression import ExpressionError, parse
from kinetree.engine.run.expression_completion import complete
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

ModelsOf = Callable[[], "tuple[Model | None, Model | None]"]
Check = Callable[["Model", str, "Model | None"], object]


class _Completer(QCompleter):
    """Offers what may stand at the cursor, in place of the word that is begun there."""

    def __init__(self, line: QLineEdit, models_of: ModelsOf):
        super().__init__(line)
        self._line, self._models_of = line, models_of
        self._starts: dict[str, int] = {}
        self._list = QStringListModel(self)
        self.setModel(self._list)
        self.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.setMaxVisibleItems(12)

    def offer(self) -> None:
        """Renew what is offered, for the text up to the cursor."""
        model, other = self._models_of()
        line = self._line
        found = [] if model is None else complete(model, line.text(), line.cursorPosition(), other)
        self._starts = {each.text: each.start for each in found}
        self._list.setStringList([each.text for each in found])

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        text, cursor = self._line.text(), self._line.cursorPosition()
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
        self._completer = _Completer(self.line, models_of)
        self.line.setCompleter(self._completer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.error)
        column.addWidget(self.line)
        self.setFocusProxy(self.line)
        self.line.textEdited.connect(self._edit)
        self.line.textChanged.connect(lambda _text: self.error.hide())
        self.line.returnPressed.connect(self.enter)

    def _edit(self, _text: str) -> None:
        self._completer.offer()

    def enter(self) -> None:
        """Take what is typed, or say what is wrong with it."""
        popup = self._completer.popup()
        if popup is not None and popup.isVisible() and popup.currentIndex().isValid():
            return  # Enter took what was offered
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
            self.line.setSelection(error.column - 1, error.end - error.column)
            return
        self.line.clear()
        self.entered.emit(text)

    def say(self, message: str) -> None:
        """Say what is wrong."""
        self.error.setText(message[:1].upper() + message[1:])
        self.error.show()
