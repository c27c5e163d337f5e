"""The editor of an orientation: in the form that the text has, or shown in any other one.

The list above the numbers chooses the form that is shown. Numbers edited in another form than the written one are
converted: the text keeps its form. The button converts the text to the form that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from kinetree.app.panels.writing.inspector.editors import Editor
from kinetree.app.panels.writing.inspector.inspection import Inspection
from kinetree.app.widgets.choice import ChoiceField
from kinetree.app.widgets.number_cells import GAP
from kinetree.app.widgets.numbers import NumbersField, is_number, shortest
from kinetree.engine.assist.in_force import ValueOrigin
from kinetree.engine.document.tree import Node
from kinetree.engine.editing import numbers as writing
from kinetree.engine.editing import orientation
from kinetree.engine.editing.orientation import Convention
from kinetree.engine.geometry.orientation import BadOrientation
from kinetree.engine.mjcf import groups
from kinetree.engine.mjcf.schema_rows import ElementRow
from kinetree.engine.translation import tr

SHOWN_DIGITS = 6
FINE = 1e-3
"""Radians to which a rotation is precise that was dragged or typed in another form than the written one."""


class OrientationEditor(Editor):
    """Signals besides those of Editor: `turned(form, texts)` (new texts in a form, one for each element),
    `turning(form, texts)` (the same, many times until `ended`), `converted(form, texts)` (the user asks for
    another form), `completing()` (an edit is about to be made: all selected elements are to be shown)."""

    completing = Signal()
    turned = Signal(str, object)
    turning = Signal(str, object)
    converted = Signal(str, object)

    def __init__(self, row: ElementRow, forms: Sequence[str], parent: QWidget):
        self.pane = QWidget()
        super().__init__(row, row.attributes[forms[0]], self.pane, parent)
        self.choice = ChoiceField(self.pane)
        self.choice.set_choices(forms)
        self.choice.setAccessibleName(tr("Form of the orientation"))
        self.choice.setToolTip(tr("The form in which the orientation is shown; the text keeps its own"))
        self.button = QPushButton(tr("Convert"), self.pane)
        self.button.setObjectName("small")
        self.button.setToolTip(tr("Write the orientation in the form that is shown"))
        self.numbers = NumbersField(self.pane)
        self.numbers.setAccessibleName("orientation")
        self.setFocusProxy(self.numbers)
        self.found: Inspection | None = None
        self.form = ""
        self._shape: tuple[str, Convention] | None = None
        self._chosen: dict[int, str] = {}
        self.numbers.check = self._check
        self.choice.taken.connect(self.show_form)
        self.button.clicked.connect(self._convert)
        self.numbers.typed.connect(lambda cell, text: self._edited(cell, text, None, self.turned))
        self.numbers.dragged.connect(lambda cell, value: self._edited(cell, None, value, self.turning))
        self.numbers.pasted.connect(self._pasted)
        self.numbers.ended.connect(self.ended)
        self.numbers.refused.connect(self.refused)
        self._set_form(forms[0])

    def show_inspection(self, found: Inspection, read_only: bool = False) -> None:
        """Show the orientations of the elements, in the form that was chosen for the primary one."""
        written = found.form
        self.found = found
        form = self._chosen.get(found.node.id, written)
        self._set_form(form if form in found.items else written)
        self.choice.show_value(self.form)
        self.button.setVisible(self.form != written and not read_only)
        texts = [self.shown_texts(node, index) for index, node in enumerate(found.nodes)]
        if all(text is not None for text in texts):
            cells = zip(*(text for text in texts if text is not None), strict=True)
            shown = [each[0] if len(set(each)) == 1 else None for each in cells]
        else:
            shown = [""] * orientation.COUNTS[self.form]
        given = found.items[written].is_written
        self.numbers.show_values(shown, given, read_only or texts[-1] is None)
        self.numbers.setToolTip("" if texts[-1] is not None else tr("{form} cannot say this rotation", form=self.form))
        self._place()

    def show_form(self, form: str) -> None:
        """Show the orientations in another form."""
        if self.found is not None:
            self._chosen[self.found.node.id] = form
            self.show_inspection(self.found)

    def shown_texts(self, node: Node, index: int) -> list[str] | None:
        """The numbers of one element in the form that is shown, as texts; None if that form cannot say it."""
        assert self.found is not None
        form, values = self._value(index)
        if self.found.items[form].values[index].origin is ValueOrigin.COMPILER:
            return [""] * orientation.COUNTS[self.form]  # it follows from fromto
        if form == self.form:
            return values.split() or None
        converted = self._numbers(index, self.form)
        return None if converted is None else [shortest(round(value, SHOWN_DIGITS)) for value in converted]

    def _value(self, index: int) -> tuple[str, str]:
        """(form, text) in force for one element."""
        assert self.found is not None
        items = self.found.items
        given = {
            form: items[form].values[index]
            for form in orientation.FORMS
            if form in items and items[form].values[index].value and items[form].values[index].where is not None
        }
        form = orientation.form_of(given) or self.found.forms[0]
        return form, items[form].values[index].value or items[form].row.default or ""

    def _numbers(self, index: int, form: str) -> tuple[float, ...] | None:
        own, text = self._value(index)
        words = text.split()
        if len(words) != orientation.COUNTS[own] or not all(map(is_number, words)):
            return None
        try:
            return orientation.convert([float(word) for word in words], own, form, self._convention())
        except BadOrientation:
            return None

    def _convention(self) -> Convention:
        assert self.found is not None
        return self.found.convention()

    def _set_form(self, form: str) -> None:
        convention = self._convention() if self.found is not None else Convention()
        if (form, convention) != self._shape:
            self._shape, self.form = (form, convention), form
            labels = tuple(convention.sequence) if form == "euler" else ()
            step = (0.5 if convention.degree else 0.01) if form == "euler" else None
            labels = labels or groups.components(self.row, self.row.attributes[form])
            self.numbers.set_kind(orientation.COUNTS[form], labels, step=step)
            self.updateGeometry()

    def _check(self, cell: int, text: str) -> str:
        if not is_number(text):
            return tr("not a number")
        if self.form == "quat" and self.found is not None:
            words = [each or "0" for each in self.numbers.texts]
            words[cell] = text
            if not any(float(word) for word in words if is_number(word)):
                return tr("a quaternion of zeros has no direction; use 1 0 0 0 for no rotation")
        return ""

    @property
    def line_field(self) -> NumbersField:
        return self.numbers

    # ---- edits ---------------------------------------------------------------------------------------

    def _edited(self, cell: int, text: str | None, value: float | None, signal) -> None:
        self.completing.emit()
        assert self.found is not None
        texts, forms = [], set()
        for index, node in enumerate(self.found.nodes):
            shown = self.shown_texts(node, index)
            if shown is None:
                return
            form, before = self._value(index)
            if text is not None:
                shown[cell] = text
            elif value is not None:
                style = writing.style_at(node, self.form)
                shown[cell] = writing.number(value, style, 1e-6)
            shown = [each or "0" for each in shown]
            forms.add(form)
            texts.append(self._written(node, form, before, shown))
        if len(forms) == 1 and None not in texts:
            signal.emit(forms.pop(), texts)
        else:
            self.refused.emit(tr("the elements say their orientations in different forms; convert them first"))

    def _pasted(self, parts: Sequence[str]) -> None:
        self.completing.emit()
        assert self.found is not None
        if len(parts) != orientation.COUNTS[self.form]:
            self.refused.emit(tr("{form} has {count} numbers", form=self.form, count=orientation.COUNTS[self.form]))
            return
        texts = [self._written(node, *self._value(index), list(parts)) for index, node in enumerate(self.found.nodes)]
        forms = {self._value(index)[0] for index in range(len(self.found.nodes))}
        if len(forms) == 1 and None not in texts:
            self.turned.emit(forms.pop(), texts)

    def _written(self, node: Node, form: str, before: str, shown: list[str]) -> str | None:
        """The text of an element in its own form, for numbers in the form that is shown."""
        if form == self.form:
            return " ".join(shown)
        near = [float(word) for word in before.split() if is_number(word)]
        try:
            quat = orientation.read({self.form: [float(word) for word in shown]}, self._convention())
        except BadOrientation as error:
            self.refused.emit(str(error))
            return None
        values = orientation.write(quat, form, self._convention(), near)
        if values is None:
            self.refused.emit(tr("{form} cannot say this rotation; convert the text to another form", form=form))
            return None
        fine = orientation.fine(form, FINE, self._convention())
        return writing.numbers(values, before, writing.style_at(node, form), fine)

    def _convert(self) -> None:
        """Write the orientation of every element in the form that is shown."""
        self.completing.emit()
        assert self.found is not None
        texts = []
        for index, node in enumerate(self.found.nodes):
            values = self._numbers(index, self.form)
            if values is None:
                self.refused.emit(tr("{form} cannot say this rotation", form=self.form))
                return
            style = writing.style_at(node, self.form)
            texts.append(writing.numbers([round(value, 9) for value in values], "", style))
        self.converted.emit(self.form, texts)

    # ---- geometry ------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        hint = self.numbers.sizeHint()
        return QSize(hint.width(), hint.height() + self.numbers.line_height + GAP)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        line, width = self.numbers.line_height, self.width()
        button = min(self.button.sizeHint().width(), width // 2) if self.button.isVisibleTo(self) else 0
        self.choice.setGeometry(0, 0, width - (button + GAP if button else 0), line)
        self.button.setGeometry(width - button, 0, button, line)
        self.numbers.setGeometry(0, line + GAP, width, self.numbers.sizeHint().height())
