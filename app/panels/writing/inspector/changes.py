"""Turns input in the inspector into edits of the text: each is one step of the undo history.

Names are looked up, checked and renamed in a thread (`app/workspace/questions.py`), since that needs a walk over the
whole model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from kinetree.app.panels.writing.inspector.edits import Edits
from kinetree.app.panels.writing.inspector.inspection import ORIENTATION, InspectedAttribute, Inspection, as_set
from kinetree.app.panels.writing.inspector.name_changes import NameChanges
from kinetree.app.panels.writing.inspector.orientation_editor import OrientationEditor
from kinetree.app.panels.writing.inspector.row import InspectorRow
from kinetree.engine.assist.in_force import ValueOrigin, class_of
from kinetree.engine.document.element_edit import ElementEdit, RenameAttribute
from kinetree.engine.editing import attributes, numbers
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.inspector.panel import InspectorPanel


class Changes(QObject):
    """Turns input in the rows of an inspector into edits of the project."""

    def __init__(self, panel: InspectorPanel):
        super().__init__(panel)
        self.panel = panel
        self.edits = Edits(panel.project, panel.tasks, self)
        self.edits.refused.connect(self.show_refusal)
        self.names = NameChanges(panel, self)
        self._styles: dict[tuple[int, str], numbers.Style] = {}

    @property
    def found(self) -> Inspection | None:
        """The inspection of all selected elements."""
        return self.panel.look_at_all()

    def connect_editor(self, row: InspectorRow) -> None:
        """React to the signals of a row's editor."""
        name, editor = row.name, row.editor
        if isinstance(editor, OrientationEditor):
            editor.turned.connect(lambda form, texts: self.turn(form, texts, False))
            editor.turning.connect(lambda form, texts: self.turn(form, texts, True))
            editor.converted.connect(self._convert)
            editor.completing.connect(lambda: self._complete(editor))
        else:
            editor.whole.connect(lambda text: self.set_text(name, text))
            editor.part.connect(lambda cell, text: self._set_part(name, cell, text))
            editor.dragged.connect(lambda cell, value: self._drag(name, cell, value))
            editor.parts.connect(lambda values: self._drag_all(name, values))
        editor.ended.connect(lambda: self._end(name))
        editor.jump.connect(lambda target: self.names.jump(name, target))
        editor.wanted.connect(lambda: self.names.bring(row))

    def is_locked(self, found: Inspection) -> bool:
        """Whether the elements cannot be edited: they stand in files that are not open."""
        return found.document.node(found.node.id) is None

    def finish(self) -> None:
        """End a drag, as other elements are selected."""
        self.edits.end()
        self._styles = {}

    def show_refusal(self, name: str, message: str, typed: str | None = None) -> None:
        """Show why a change was refused; `typed` stays in the field."""
        form = self.panel.form
        if form is not None and name in form.rows:
            if message:
                form.show_again(name)
            if typed is not None:
                form.rows[name].editor.restore(typed)
            form.rows[name].set_refusal(message)

    def _done(self, name: str) -> None:
        self.show_refusal(name, "")

    # ---- values --------------------------------------------------------------------------------------

    def set_text(self, name: str, text: str) -> None:
        """Set an attribute of all elements to a text; an empty one removes it."""
        found = self.found
        if found is None or name not in found.items:
            return
        known = found.items[name].row
        if known.declares is not None and len(found.nodes) == 1 and text:
            self.names.rename(text)
        elif not text and known.type != "string":
            self.reset(name)
        else:
            texts = [text] * len(found.nodes)
            if self.edits.apply(name, self.setting(name), lambda: attributes.set_values(found.nodes, name, texts)):
                self._done(name)

    def _set_part(self, name: str, cell: int, text: str) -> None:
        found = self.found
        if found is None or name not in found.items:
            return
        texts = [self._with_number(found, name, index, cell, text) for index in range(len(found.nodes))]
        if self.edits.apply(name, self.setting(name), lambda: attributes.set_values(found.nodes, name, texts)):
            self._done(name)

    def _with_number(self, found: Inspection, name: str, index: int, cell: int, text: str) -> str:
        """The text of one element's attribute with another number in a cell."""
        value = found.items[name].values[index]
        written = found.nodes[index].get(name) if value.origin is ValueOrigin.WRITTEN else None
        below = value.value or found.items[name].row.default or ""
        base = written if written is not None and written.strip() else below
        return attributes.with_number(base, cell, text, below) if found.items[name].row.max_count != 1 else text

    def _drag(self, name: str, cell: int, value: float) -> None:
        found = self.found
        if found is None or name not in found.items:
            return
        whole = found.items[name].row.type == "int"

        def make() -> list[ElementEdit]:
            now = self.found
            if now is None or name not in now.items:
                return []
            texts = []
            for index, node in enumerate(now.nodes):
                text = str(round(value)) if whole else numbers.number(value, self._style(now, node, name))
                texts.append(self._with_number(now, name, index, cell, text))
            return attributes.set_values(now.nodes, name, texts)

        self.edits.drag(name, self.setting(name), make, ("inspector", name, *(node.id for node in found.nodes)))

    def _drag_all(self, name: str, values: Sequence[float]) -> None:
        """Set all numbers of an attribute while the user drags in the colour dialog."""
        found = self.found
        if found is None or name not in found.items:
            return

        def make() -> list[ElementEdit]:
            now = self.found
            if now is None:
                return []
            texts = [numbers.numbers(values, node.get(name) or "", self._style(now, node, name)) for node in now.nodes]
            return attributes.set_values(now.nodes, name, texts)

        self.edits.drag(name, self.setting(name), make, ("inspector", name, *(node.id for node in found.nodes)))

    def _style(self, found: Inspection, node, name: str) -> numbers.Style:
        """How the author wrote the attribute when the drag began."""
        key = node.id, name
        if key not in self._styles:
            self._styles[key] = numbers.style_at(node, name)
        return self._styles[key]

    def _end(self, name: str) -> None:
        self.edits.end()
        self._styles = {}
        if self.panel.form is not None:
            self.panel.form.show_again(name)

    def turn(self, form: str, texts: Sequence[str], dragging: bool) -> None:
        """Set the orientations of the elements, in the form that the text has."""
        found = self.found
        if found is None:
            return
        elements = found.nodes
        make = lambda: attributes.set_values(elements, form, texts)  # noqa: E731
        if dragging:
            merge = ("inspector", form, *(node.id for node in elements))
            self.edits.drag(ORIENTATION, self.setting("orientation"), make, merge)
        elif self.edits.apply(ORIENTATION, self.setting("orientation"), make):
            self._done(ORIENTATION)

    def _complete(self, editor: OrientationEditor) -> None:
        if self.panel.found is not None and self.panel.found.left_out:
            found = self.found
            if found is not None:
                editor.found = found

    def _convert(self, form: str, texts: Sequence[str]) -> None:
        found = self.found
        if found is not None:
            make = lambda: attributes.set_orientation(found.nodes, form, texts)  # noqa: E731
            if self.edits.apply(ORIENTATION, tr("Convert orientation to {form}", form=form), make):
                self._done(ORIENTATION)

    def remove_unknown(self, name: str) -> None:
        """Remove an attribute that the primary element cannot have."""
        found = self.found
        if found is not None:
            self.edits.apply(name, tr("Remove {name}", name=name), lambda: attributes.remove([found.node], name))

    def rename_unknown(self, name: str, new: str) -> None:
        """Give an attribute that the primary element cannot have the name that was meant."""
        found = self.found
        if found is not None:
            self.edits.apply(
                name, tr("Rename {name} to {new}", name=name, new=new), lambda: [RenameAttribute(found.node, name, new)]
            )

    # ---- inherited or written ------------------------------------------------------------------------

    def names_in(self, name: str) -> tuple[str, ...]:
        """The attributes of a row."""
        found = self.found
        return found.forms if name == ORIENTATION and found is not None else (name,)

    def item(self, name: str) -> InspectedAttribute | None:
        """The inspected attribute of a row."""
        found = self.found
        if found is None:
            return None
        return found.items.get(found.form if name == ORIENTATION else name)

    def reset(self, name: str) -> None:
        """Remove an attribute from all elements, so that the inherited value holds."""
        found = self.found
        if found is not None:
            make = lambda: attributes.remove(found.nodes, *self.names_in(name))  # noqa: E731
            if self.edits.apply(name, self.resetting(name), make):
                self._done(name)

    def write(self, name: str) -> None:
        """Write the values in force into the elements themselves."""
        found, item = self.found, self.item(name)
        if found is None or item is None:
            return
        pairs = [
            (node, as_set(value) or "")
            for node, value in zip(found.nodes, item.values, strict=True)
            if value.value is not None and value.origin is not ValueOrigin.WRITTEN
        ]
        nodes, texts = [node for node, _ in pairs], [text for _, text in pairs]
        make = lambda: attributes.set_values(nodes, item.row.name, texts)  # noqa: E731
        if self.edits.apply(name, self.setting(item.row.name), make):
            self._done(name)

    def reset_or_write(self, name: str) -> None:
        """Do what the second button of a row does: remove the attribute if it is written, else write it."""
        item = self.item(name)
        if item is not None and item.is_written:
            self.reset(name)
        elif item is not None:
            self.write(name)

    def set_in_class(self, name: str, of: str | None = None) -> None:
        """Set the written value in the classes of the elements in place of the elements themselves. `of`: in one class
        around theirs."""
        found, item = self.found, self.item(name)
        if found is None or item is None or not item.written:
            return
        text, attribute = item.written, item.row.name
        make = lambda: attributes.set_in_class(found.document, found.nodes, attribute, text, of)  # noqa: E731
        if self.edits.apply(
            name,
            tr("Set {attribute} in class {names}", attribute=attribute, names=of or ", ".join(self.own_classes())),
            make,
        ):
            self._done(name)

    def go_to_origin(self, name: str) -> None:
        """Select the element that sets an inherited value."""
        item = self.item(name)
        where = item.primary.where if item is not None else None
        if where is not None:
            self.panel.select_node(where.node)

    def link(self, name: str, target: str) -> None:
        """Follow a link in the details of a row."""
        if target == "go":
            self.go_to_origin(name)
        elif target == "class":
            self.set_in_class(name)
        else:
            self.panel.follow_link(target)

    def setting(self, name: str) -> str:
        """The name of a step: "Set friction", "Set friction of 3 geoms"."""
        found = self.found
        if found is None or len(found.nodes) == 1:
            return tr("Set {name}", name=name)
        return tr("Set {name} of {elements}", name=name, elements=self._elements(found))

    def resetting(self, name: str) -> str:
        """The name of a step that removes an attribute."""
        found = self.found
        if found is None or len(found.nodes) == 1:
            return tr("Reset {name}", name=name)
        return tr("Reset {name} of {elements}", name=name, elements=self._elements(found))

    @staticmethod
    def _elements(found: Inspection) -> str:
        tags = {node.tag for node in found.nodes}
        if len(tags) == 1:
            return counted("{count} {tag}", "{count} {tag}s", len(found.nodes), tag=tags.pop())
        return counted("{count} element", "{count} elements", len(found.nodes))

    def own_classes(self) -> list[str]:
        """The default classes of the elements."""
        found = self.found
        return [] if found is None else list(dict.fromkeys(class_of(found.document, node).name for node in found.nodes))
