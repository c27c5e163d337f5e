"""A name of something else: typed with completion or chosen from a list, with a button that goes there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QSizePolicy, QWidget

from kinetree.app.widgets.beside import FieldWithButton
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.text import TextField
from kinetree.engine.translation import tr


class ReferenceField(FieldWithButton):
    """Field for the name of another element.

    `names` gives what there is to choose from when the list is opened or typing begins; set_names brings them
    later, where they come from a worker. Signals: `jump(name)` (go there), `wanted()` (the names are needed).
    """

    jump = Signal(str)
    wanted = Signal()

    def __init__(self, parent: QWidget | None = None):
        self.box = _ChoiceBox()
        line = TextField(self.box)
        self.box.setLineEdit(line)
        super().__init__(line, self.box, "target", tr("Select what this names"), parent)
        self.names: list[str] = []
        self._model = QStringListModel(self)
        completer = QCompleter(self._model, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.box.setCompleter(completer)
        self.button.clicked.connect(lambda: self.jump.emit(self.line.text()))
        self.box.opening.connect(self._open)
        self.box.textActivated.connect(self._choose)
        completer.activated.connect(self._choose)
        self.line.textEdited.connect(lambda _text: self.wanted.emit())
        self.line.taken.connect(self._take)

    def set_names(self, names: Sequence[str]) -> None:
        """Set the available names."""
        if list(names) != self.names:
            self.names = list(names)
            text = self.line.text()
            modified = self.line.isModified()
            self._model.setStringList(self.names)
            self.box.clear()
            self.box.addItems(self.names)
            self.box.setCurrentIndex(self.box.findText(text))
            self.line.setText(text)
            self.line.setModified(modified)
        self.line.recheck()

    def show_value(self, text: str | None, given: bool = True, read_only: bool = False) -> None:
        self.line.show_value(text, given, read_only)
        self.box.setEnabled(not read_only)
        self.button.setEnabled(bool(text))

    def _open(self) -> None:
        self.wanted.emit()

    def _choose(self, name: str) -> None:
        self.line.setText(name)
        self.line.setModified(True)
        self.line.take()

    def _take(self, name: str) -> None:
        self.button.setEnabled(bool(name))
        self.taken.emit(name)


class _ChoiceBox(ComboBox):
    """Combo box that emits a signal when it is opened, and ignores the wheel: it has no names before it is opened."""

    opening = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMaxVisibleItems(16)

    def showPopup(self) -> None:
        self.opening.emit()
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
