"""What the user does in the inspector, as changes of the text: each is one step of the undo history.

Names are looked up, checked and renamed in a thread (`app/workspace/questions.py`), since that needs a walk over the
whole model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from kinetree.app.panels.writing.inspector.editors import Editor, FlagEditor, NameEditor, ReferenceEditor
from kinetree.app.panels.writing.inspector.edits import Edits
from kinetree.app.panels.writing.inspector.inspection import ORIENTATION, Inspection, Item, as_set
from kinetree.app.panels.writing.inspector.orientation_editor import OrientationEditor
from kinetree.app.panels.writing.inspector.row import Row
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.engine.assist.in_force import Origin, class_of
from kinetree.engine.assist.names import Declaration, names_of
from kinetree.engine.assist.renaming import rename_everywhere
from kinetree.engine.document.document import Document
from kinetree.engine.document.files import FileRead
from kinetree.engine.document.wish import RenameAttribute, SetAttribute, Wish
from kinetree.engine.editing import attributes, numbers
from kinetree.engine.mjcf import schema
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.inspector.panel import InspectorPanel


class Changes(QObject):
    """Connects the rows of an inspector with the project."""

    def __init__(self, panel: InspectorPanel):
        super().__init__(panel)
        self.panel = panel
        self.edits = Edits(panel.project, panel.tasks, self)
        self.edits.refused.connect(self._show_refusal)
        self._styles: dict[tuple[int, str], numbers.Style] = {}

    @property
    def found(self) -> Inspection | None:
        """The selected elements, all of them."""
        return self.panel.look_at_all()

    def connect_editor(self, row: Row) -> None:
        """React to what the user does in a row."""
        name, editor = row.name, row.editor
        if isinstance(editor, OrientationEditor):
            editor.turned.connect(lambda form, texts: self._turn(form, texts, False))
            editor.turning.connect(lambda form, texts: self._turn(form, texts, True))
            editor.converted.connect(self._convert)
            editor.completing.connect(lambda: self._complete(editor))
        else:
            editor.whole.connect(lambda text: self.set_text(name, text))
            editor.part.connect(lambda cell, text: self._set_part(name, cell, text))
            editor.dragged.connect(lambda cell, value: self._drag(name, cell, value))
            editor.parts.connect(lambda values: self._drag_all(name, values))
        editor.ended.connect(lambda: self._end(name))
        editor.jump.connect(lambda target: self._jump(name, target))
        editor.wanted.connect(lambda: self._bring_names(row))

    def is_locked(self, found: Inspection) -> bool:
        """Whether the elements cannot be edited: they stand in files that are not open."""
        return found.document.node(found.node.id) is None

    def finish(self) -> None:
        """Other elements are selected: what was being dragged is over."""
        self.edits.end()
        self._styles = {}

    def _show_refusal(self, name: str, message: str, typed: str | None = None) -> None:
        """Tell why a change was refused; `typed` stays in the field."""
        form = self.panel.form
        if form is not None and name in form.rows:
            if message:
                form.show_again(name)
            if typed is not None:
                form.rows[name].editor.restore(typed)
            form.rows[name].set_refusal(message)

    def _done(self, name: str) -> None:
        self._show_refusal(name, "")

    # ---- values --------------------------------------------------------------------------------------

    def set_text(self, name: str, text: str) -> None:
        """A new text for an attribute of all elements; an empty one removes it."""
        found = self.found
        if found is None or name not in found.items:
            return
        known = found.items[name].row
        if known.declares is not None and len(found.nodes) == 1 and text:
            self.rename(text)
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
        written = found.nodes[index].get(name) if value.origin is Origin.WRITTEN else None
        below = value.value or found.items[name].row.default or ""
        base = written if written is not None and written.strip() else below
        return attributes.with_number(base, cell, text, below) if found.items[name].row.max_count != 1 else text

    def _drag(self, name: str, cell: int, value: float) -> None:
        found = self.found
        if found is None or name not in found.items:
            return
        whole = found.items[name].row.type == "int"

        def make() -> list[Wish]:
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
        """All numbers of an attribute, as the colour dialog gives them."""
        found = self.found
        if found is None or name not in found.items:
            return

        def make() -> list[Wish]:
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

    def _turn(self, form: str, texts: Sequence[str], dragging: bool) -> None:
        """Other orientations, in the form that the text has."""
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

    def item(self, name: str) -> Item | None:
        """What a row shows."""
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
            if value.value is not None and value.origin is not Origin.WRITTEN
        ]
        nodes, texts = [node for node, _ in pairs], [text for _, text in pairs]
        make = lambda: attributes.set_values(nodes, item.row.name, texts)  # noqa: E731
        if self.edits.apply(name, self.setting(item.row.name), make):
            self._done(name)

    def reset_or_write(self, name: str) -> None:
        """The second button of a row."""
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
            tr("Set {attribute} in class {names}", attribute=attribute, names=of or ", ".join(self._own_classes())),
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
        """A link in the details of a row."""
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

    # ---- names ---------------------------------------------------------------------------------------

    def rename(self, new: str) -> None:
        """Give the element another name, and all that refers to it."""
        found, document = self.found, self.panel.project.document
        if found is None or document is None:
            return
        node, survey = found.node, self.panel.project.survey()
        known = next(known for known in (item.row for item in found.items.values()) if known.declares is not None)
        old = node.get(known.name) or ""

        def work() -> tuple[list[SetAttribute], list[FileRead]]:
            wishes = rename_everywhere(document, node, new, survey)
            return wishes, survey.outside(wish.node.source.path for wish in wishes)

        def then(answer: tuple[list[SetAttribute], list[FileRead]]) -> None:
            if self.panel.project.document is not document:  # the text has changed meanwhile
                self.rename(new)
            else:
                step = (
                    tr("Rename {old} to {new}", old=old, new=new)
                    if old
                    else tr("Name {tag} {new}", tag=found.node.tag, new=new)
                )
                wishes, others = answer
                self.panel.project.provide(*others)
                if self.edits.apply(known.name, step, lambda: wishes):
                    self._done(known.name)

        self.panel.questions.ask(
            "rename",
            work,
            then,
            lambda reason: self._show_refusal(known.name, reason, new),
        )

    def _bring_names(self, row: Row) -> None:
        """Tell an editor the names that there are."""
        found, editor = self.found, row.editor
        if found is None:
            return
        document, known = found.document, editor.known
        if isinstance(editor, ReferenceEditor) and found.row is not None:
            space = found.language.refers_by(found.node, found.row, known)
            if space is None:
                editor.set_names([])
                return
            work: Callable[[], object] = lambda: names_in_space(document, space)  # noqa: E731
            self.panel.questions.ask("names", work, lambda answer: self._take_names(editor, space, answer))
        elif isinstance(editor, NameEditor):
            self.panel.questions.ask("names", lambda: names_of(document), lambda names: self._take_judge(editor, names))

    def _take_names(self, editor: ReferenceEditor, space: str, answer) -> None:
        names, is_complete = answer
        there = set(names)

        def judge(name: str) -> str:
            if not name or name in there or not is_complete:
                return ""
            near = schema.nearest(name, names)
            return (
                tr("there is no {space} '{name}'; did you mean '{near}'?", space=space, name=name, near=near)
                if near
                else tr("there is no {space} '{name}'", space=space, name=name)
            )

        editor.judge = judge
        editor.set_names(names)

    def _take_judge(self, editor: NameEditor, names) -> None:
        found = self.found
        if found is None:
            return
        node, known = found.node, editor.known
        own = [each for each in names.declared(node) if not each.parts]
        declarations = own or [Declaration(node, known.declares or "", "", known, None)]

        def judge(name: str) -> str:
            if not name.strip():
                return "" if not name else tr("a name cannot be empty")
            found = (names.clash(each, name) for each in declarations if each.name != name)
            return next((why for why in found if why), "")

        editor.judge = judge
        editor.line.recheck()

    def _jump(self, name: str, target: str) -> None:
        """Select what an attribute names."""
        found = self.found
        if found is None or found.row is None or not target:
            return
        document, known = found.document, found.items[name].row
        space = found.language.refers_by(found.node, found.row, known)
        if space is None:
            return

        def then(nodes: list) -> None:
            if nodes:
                self.panel.select_node(nodes[0])
            else:
                self._show_refusal(name, tr("there is no {space} '{target}'", space=space, target=target))

        self.panel.questions.ask("jump", lambda: declaring(document, space, target), then)

    # ---- menu ----------------------------------------------------------------------------------------

    def menu(self, row: Row, parent: QWidget) -> QMenu:
        """The context menu of a row."""
        menu, name = QMenu(parent), row.name
        item = self.item(name)
        found = self.found
        if item is None or found is None:
            give_letters(menu)
            return menu
        attribute, text = item.row.name, item.written
        add = menu.addAction
        copy = add(tr("Copy Value"), lambda: copy_text(text or ""))
        copy.setEnabled(bool(text))
        whole = add(tr("Copy Attribute"), lambda: copy_text(f"{attribute}={quoteattr(text or '')}"))
        whole.setEnabled(bool(text))
        paste = add(tr("Paste Value"), lambda: self.paste(name, attribute, row.editor))
        paste.setEnabled(not row.read_only and bool(QGuiApplication.clipboard().text().strip()))
        menu.addSeparator()
        reset = add(tr("Reset"), lambda: self.reset(name))
        reset.setEnabled(item.is_written and not row.read_only)
        write = add(tr("Write Here"), lambda: self.write(name))
        write.setEnabled(not item.is_written and row.can_write and not row.read_only)
        if found.row is not None and found.row.default is not None and self._has_class_row(attribute):
            self._add_classes(menu, name, bool(text) and not row.read_only)
        go = add(tr("Go to Where It Is Set"), lambda: self.go_to_origin(name))
        go.setEnabled(item.primary.where is not None)
        if isinstance(row.editor, OrientationEditor):
            menu.addSeparator()
            editor = row.editor
            for form in found.forms:
                action = menu.addAction(tr("Show as {form}", form=form), lambda form=form: editor.show_form(form))
                action.setCheckable(True)
                action.setChecked(form == editor.form)
        menu.addSeparator()
        add(tr("Hide Help") if row.is_open else tr("Show Help"), lambda: self.panel.toggle_details(row))
        give_letters(menu)
        return menu

    def _own_classes(self) -> list[str]:
        """The default classes of the elements."""
        found = self.found
        return [] if found is None else list(dict.fromkeys(class_of(found.document, node).name for node in found.nodes))

    def _add_classes(self, menu: QMenu, name: str, enabled: bool) -> None:
        """Offer to set the value in the classes of the elements, or in one that is around them."""
        found, item, own = self.found, self.item(name), self._own_classes()
        if found is None or item is None:
            return
        around = attributes.classes_for(found.document, found.nodes, item.row.name)
        entries: list[tuple[str, str | None]] = [(each, each) for each in around]
        if len(own) > 1:
            entries = [(", ".join(own), None), *entries]
        into = menu if len(entries) == 1 else menu.addMenu(tr("Set in Class"))
        for label, of in entries:
            text = tr("Set in Class {label}", label=label) if into is menu else label
            action = into.addAction(text.replace("&", "&&"), lambda of=of: self.set_in_class(name, of))
            action.setEnabled(enabled)

    def _has_class_row(self, attribute: str) -> bool:
        found = self.found
        if found is None or found.row is None or found.row.default is None or attribute == "class":
            return False
        return attribute in schema.ELEMENTS[found.row.default].attributes

    def paste(self, name: str, attribute: str, editor: Editor) -> None:
        """Set a value from the clipboard, which may have the whole attribute."""
        text = QGuiApplication.clipboard().text().strip()
        start = f"{attribute}="
        if text.startswith(start):
            text = text[len(start) :].strip("\"'")
        if isinstance(editor, FlagEditor):
            text = text.lower()
        why = self._problem(attribute, text)
        if why:
            self._show_refusal(name, tr("'{text}' cannot be pasted: {why}", text=text[:40], why=why))
        elif name == ORIENTATION:
            found = self.found
            if found is not None:
                self._turn(attribute, [text] * len(found.nodes), False)
        else:
            self.set_text(name, text)

    def _problem(self, attribute: str, text: str) -> str:
        found = self.found
        if found is None or found.row is None:
            return tr("nothing is selected")
        return attributes.problem(found.row, found.items[attribute].row, text)


def copy_text(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def names_in_space(document: Document, space: str) -> tuple[list[str], bool]:
    """The names that there are in a namespace, sorted, and whether there can be no others (copies, parts and what
    is attached have names that the text does not say)."""
    names = names_of(document)
    declared = [each for each in names.declarations if each.space == space]
    found = {each.name for each in declared if not each.parts and each.name}
    found.update(names.implicit.get(space, ()))
    is_complete = not names.attachments and not any(each.parts or each.made for each in declared)
    return sorted(found, key=str.lower), is_complete


def declaring(document: Document, space: str, name: str) -> list:
    """The elements that a name means."""
    return [each.node for each in names_of(document).meant(space, name)]
