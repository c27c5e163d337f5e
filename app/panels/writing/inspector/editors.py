"""The editor of each type of attribute: one table, and what all editors have in common.

    editor = make_editor(found.row, known, parent)
    editor.show_item(item, read_only)

An editor reports what the user wants by the signals of `Editor` and never changes a text itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from kinetree.app.panels.writing.inspector.inspection import InspectedAttribute
from kinetree.app.widgets.choice import ChoiceField, FlagField
from kinetree.app.widgets.colour import ColourField
from kinetree.app.widgets.file import FileField
from kinetree.app.widgets.number_steps import DEGREES_FROM_ZERO, FROM_ZERO
from kinetree.app.widgets.numbers import NumbersField
from kinetree.app.widgets.reference import ReferenceField
from kinetree.app.widgets.text import TextField
from kinetree.engine.assist.in_force import ValueOrigin
from kinetree.engine.editing import attributes
from kinetree.engine.mjcf import groups
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.translation import marked, tr

MOST_CELLS = 12
"""Longer lists of numbers are edited as one text."""


class Editor(QWidget):
    """Base of the editors in the inspector: edits one attribute.

    Signals:
      whole(text)            the attribute's new text
      part(cell, text)       one number of it
      parts(values)          all its numbers, many times until `ended`: tuple of floats
      dragged(cell, value)   one number of it, many times until `ended`
      ended()                a drag is over
      refused(message)       the input is invalid; "" when that is over
      jump(name)             go to the named object
      wanted()               the names that could be chosen are needed
    """

    whole = Signal(str)
    part = Signal(int, str)
    parts = Signal(object)
    dragged = Signal(int, float)
    ended = Signal()
    refused = Signal(str)
    jump = Signal(str)
    wanted = Signal()

    def __init__(self, row: ElementRow, known: AttributeRow, field: QWidget, parent: QWidget):
        super().__init__(parent)
        self.row, self.known, self.field = row, known, field
        field.setParent(self)
        for each in (field, *field.findChildren(QWidget)):
            if each is field or (each.focusPolicy() != Qt.FocusPolicy.NoFocus and not each.accessibleName()):
                each.setAccessibleName(known.name)
        self.setFocusProxy(field)

    def show_item(self, item: InspectedAttribute, read_only: bool = False) -> None:
        """Show the value of an attribute."""
        raise NotImplementedError

    @property
    def draft(self) -> object:
        """Input that has not been taken, or was refused; None if there is none."""
        return self.line_field.draft if self.line_field is not None else None

    def restore(self, draft: object) -> None:
        """Restore earlier input; None: discard the present input."""
        if self.line_field is not None:
            self.line_field.restore(draft)

    @property
    def line_field(self) -> TextField | NumbersField | None:
        """The field in which something is typed; None where nothing is."""
        return None

    def problem(self, text: str) -> str:
        """Why a text is no value of the attribute; "" if it is one."""
        return attributes.problem(self.row, self.known, text)

    def fit(self, width: int) -> None:
        """Choose how many numbers stand beside each other in a width, which decides the height."""
        if isinstance(self.line_field, NumbersField):
            self.line_field.fit(width)

    def sizeHint(self) -> QSize:
        return self.field.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.field.setGeometry(self.rect())
        super().resizeEvent(event)


def is_given(item: InspectedAttribute) -> bool:
    """Whether the value is the elements' own."""
    return item.origin is ValueOrigin.WRITTEN


class NumbersEditor(Editor):
    """Edits a list of numbers, in one row."""

    def __init__(self, row: ElementRow, known: AttributeRow, parent: QWidget):
        self.numbers = NumbersField()
        super().__init__(row, known, self.numbers, parent)
        self._set_count(known.max_count or 1)
        self.numbers.check = self._check
        self.numbers.typed.connect(self.part)
        self.numbers.dragged.connect(self.dragged)
        self.numbers.pasted.connect(lambda texts: self.whole.emit(" ".join(texts)))
        self.numbers.ended.connect(self.ended)
        self.numbers.refused.connect(self.refused)
        self._texts: list[str] = []

    def _set_count(self, count: int) -> None:
        known = self.known
        labels = groups.components(self.row, known)
        self.numbers.set_kind(count, labels, integer=known.type == "int", low=known.low, high=known.high)

    def set_labels(self, labels: tuple[str, ...]) -> None:
        """Set the labels of the numbers, where these depend on other attributes."""
        if labels != self.numbers.labels:
            self.numbers.labels = labels
            self.numbers.update()

    def set_unit(self, unit: str) -> None:
        """Set the unit, which decides how far a zero goes."""
        self.numbers.from_zero = DEGREES_FROM_ZERO if "deg" in unit else FROM_ZERO

    def _check(self, cell: int, text: str) -> str:
        words = [word or "0" for word in self._texts]
        words += ["0"] * (cell + 1 - len(words))
        words[cell] = text
        return self.problem(" ".join(words))

    def show_item(self, item: InspectedAttribute, read_only: bool = False) -> None:
        texts = list(item.numbers) if item.text != "" else []
        count = max(self.known.max_count or 1, min(len(texts), self.known.mpex_max_count or 1))
        if count != len(self.numbers.texts):
            self._set_count(count)
        texts = texts[:count] + [""] * (count - len(texts))
        self._texts = (item.primary.value or "").split()[:count]
        self.numbers.show_values(texts, is_given(item), read_only)

    @property
    def line_field(self) -> NumbersField:
        return self.numbers


class ColourEditor(Editor):
    """Edits a colour."""

    def __init__(self, row: ElementRow, known: AttributeRow, parent: QWidget):
        self.colour = ColourField()
        super().__init__(row, known, self.colour, parent)
        self.setFocusProxy(self.colour.numbers)
        self.colour.set_count(known.max_count or 4)
        numbers = self.colour.numbers
        numbers.check = lambda _cell, text: "" if _is_real(text) else tr("not a number")
        numbers.typed.connect(self.part)
        numbers.dragged.connect(self.dragged)
        numbers.pasted.connect(lambda texts: self.whole.emit(" ".join(texts)))
        numbers.ended.connect(self.ended)
        numbers.refused.connect(self.refused)
        self.colour.chosen.connect(self.parts)
        self.colour.ended.connect(self.ended)

    def show_item(self, item: InspectedAttribute, read_only: bool = False) -> None:
        count = self.known.max_count or 4
        texts = list(item.numbers[:count]) if item.text != "" else []
        self.colour.show_values(texts + [""] * (count - len(texts)), is_given(item), read_only)

    @property
    def line_field(self) -> NumbersField:
        return self.colour.numbers

    def fit(self, width: int) -> None:
        self.colour.fit(width)


class TextEditor(Editor):
    """Edits any text that the schema can check: strings, names, lists, amounts of memory, long arrays."""

    def __init__(self, row: ElementRow, known: AttributeRow, parent: QWidget):
        self.line = TextField()
        super().__init__(row, known, self.line, parent)
        self.line.check = self.problem
        self.line.checks_typing = True
        self.line.taken.connect(self.whole)
        self.line.refused.connect(self.refused)

    def show_item(self, item: InspectedAttribute, read_only: bool = False) -> None:
        self.line.show_value(item.text, is_given(item), read_only)

    @property
    def line_field(self) -> TextField:
        return self.line


class NameEditor(TextEditor):
    """Edits the name of the element itself. `judge` says why a name cannot be taken."""

    def __init__(self, row: ElementRow, known: AttributeRow, parent: QWidget):
        super().__init__(row, known, parent)
        self.judge: Callable[[str], str] = lambda _name: ""
        self.line.check = lambda text: self.problem(text) or self.judge(text)
        self.line.textEdited.connect(lambda _text: self.wanted.emit())

    def show_item(self, item: InspectedAttribute, read_only: bool = False) -> None:
        several = len(item.values) > 1
        self.line.show_value(item.text, is_given(item), read_only or several)


class ChoiceEditor(Editor):
    """Edits an attribute with keywords: offers those of the schema."""

    def __init__(self, row: ElementRow, known: AttributeRow, parent: QWidget):
        self.choice = ChoiceField()
        super().__init__(row, known, self.choice, parent)
        self.choice.set_choices(known.all_choices)
        self.choice.taken.connect(self.whole)

    def show_item(self, item: InspectedAttribute, read_only: bool = False) -> None:
        self.choice.show_value(item.text, is_given(item), read_only)


class FlagEditor(Editor):
    """Edits an attribute that is true or false."""

    def __init__(self, row: ElementRow, known: AttributeRow, parent: QWidget):
        self.flag = FlagField()
        super().__init__(row, known, self.flag, parent)
        self.flag.taken.connect(self.whole)

    def show_item(self, item: InspectedAttribute, read_only: bool = False) -> None:
        self.flag.show_value(item.text, is_given(item), read_only)


class ReferenceEditor(Editor):
    """Edits an attribute that names another element."""

    def __init__(self, row: ElementRow, known: AttributeRow, parent: QWidget):
        self.reference = ReferenceField()
        super().__init__(row, known, self.reference, parent)
        self.judge: Callable[[str], str] = lambda _name: ""
        self.reference.check = lambda text: self.problem(text) or self.judge(text)
        self.reference.taken.connect(self.whole)
        self.reference.refused.connect(self.refused)
        self.reference.jump.connect(self.jump)
        self.reference.wanted.connect(self.wanted)

    def show_item(self, item: InspectedAttribute, read_only: bool = False) -> None:
        self.reference.show_value(item.text, is_given(item), read_only)

    def set_names(self, names: list[str]) -> None:
        self.reference.set_names(names)

    @property
    def line_field(self) -> TextField:
        return self.reference.line


class FileEditor(Editor):
    """Edits the name of a file or folder."""

    PATTERNS: ClassVar = {
        "mesh": marked("Meshes (*.obj *.stl *.msh *.dae);;All files (*)"),
        "hfield": marked("Height fields (*.png *.bin *.hf);;All files (*)"),
        "texture": marked("Images (*.png *.ktx *.ktx2);;All files (*)"),
        "include": marked("Models (*.xml *.mjcf);;All files (*)"),
        "model": marked("Models (*.xml *.mjcf *.urdf);;All files (*)"),
        "flexcomp": marked("Meshes (*.obj *.stl *.msh *.gmsh);;All files (*)"),
        "skin": marked("Skins (*.skn);;All files (*)"),
    }

    def __init__(self, row: ElementRow, known: AttributeRow, parent: QWidget):
        self.file = FileField()
        super().__init__(row, known, self.file, parent)
        self.file.patterns = tr(self.PATTERNS.get(row.tag, marked("All files (*)")))
        self.file.directory = known.type == "directory"
        self.file.check = self.problem
        self.file.taken.connect(self.whole)
        self.file.refused.connect(self.refused)

    def show_item(self, item: InspectedAttribute, read_only: bool = False) -> None:
        self.file.show_value(item.text, is_given(item), read_only)

    @property
    def line_field(self) -> TextField:
        return self.file.line


def _is_real(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


Make = Callable[[ElementRow, AttributeRow, QWidget], Editor]


def editor_class(row: ElementRow, known: AttributeRow) -> Make:
    """The class of the editor of an attribute."""
    one = known.max_count == 1
    if known.declares is not None:
        return NameEditor
    if groups.is_colour(row, known):
        return ColourEditor
    if known.type in ("real", "int") and known.max_count is not None and known.max_count <= MOST_CELLS:
        return NumbersEditor
    if one and known.type in _OF_TYPE:
        return _OF_TYPE[known.type]
    return TextEditor


_OF_TYPE: dict[str, Make] = {
    "keyword": ChoiceEditor,
    "bool": FlagEditor,
    "reference": ReferenceEditor,
    "file": FileEditor,
    "directory": FileEditor,
}


def make_editor(row: ElementRow, known: AttributeRow, parent: QWidget) -> Editor:
    """The editor of an attribute of one kind of element."""
    return editor_class(row, known)(row, known, parent)
