"""Names in the inspector: renaming the element, the names that an attribute may refer to, and going to the named
object.

They are looked up, checked and renamed in a thread (`app/workspace/questions.py`), since that needs a walk over the
whole model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kinetree.app.panels.writing.inspector.editors import NameEditor, ReferenceEditor
from kinetree.app.panels.writing.inspector.row import InspectorRow
from kinetree.engine.assist.names import Declaration, names_of
from kinetree.engine.assist.renaming import rename_everywhere
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import SetAttribute
from kinetree.engine.document.files import FileRead
from kinetree.engine.mjcf import schema
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.inspector.changes import Changes
    from kinetree.app.panels.writing.inspector.panel import InspectorPanel


class NameChanges:
    """Renames elements in one inspector, and lists the names that attributes may refer to."""

    def __init__(self, panel: InspectorPanel, changes: Changes):
        self._panel, self._changes = panel, changes

    def rename(self, new: str) -> None:
        """Give the element another name, and all that refers to it."""
        found, document = self._changes.found, self._panel.project.document
        if found is None or document is None:
            return
        node, survey = found.node, self._panel.project.survey()
        known = next(known for known in (item.row for item in found.items.values()) if known.declares is not None)
        old = node.get(known.name) or ""

        def work() -> tuple[list[SetAttribute], list[FileRead]]:
            edits = rename_everywhere(document, node, new, survey)
            return edits, survey.outside(edit.node.source.path for edit in edits)

        def then(answer: tuple[list[SetAttribute], list[FileRead]]) -> None:
            if self._panel.project.document is not document:  # the text has changed meanwhile
                self.rename(new)
            else:
                step = (
                    tr("Rename {old} to {new}", old=old, new=new)
                    if old
                    else tr("Name {tag} {new}", tag=found.node.tag, new=new)
                )
                edits, others = answer
                self._panel.project.provide(*others)
                if self._changes.edits.apply(known.name, step, lambda: edits):
                    self._changes.show_refusal(known.name, "")

        self._panel.questions.ask(
            "rename",
            work,
            then,
            lambda reason: self._changes.show_refusal(known.name, reason, new),
        )

    def bring(self, row: InspectorRow) -> None:
        """Give an editor the available names."""
        found, editor = self._changes.found, row.editor
        if found is None:
            return
        document, known = found.document, editor.known
        if isinstance(editor, ReferenceEditor) and found.row is not None:
            space = found.language.refers_by(found.node, found.row, known)
            if space is None:
                editor.set_names([])
                return
            work: Callable[[], object] = lambda: names_in_space(document, space)  # noqa: E731
            self._panel.questions.ask("names", work, lambda answer: self._take_names(editor, space, answer))
        elif isinstance(editor, NameEditor):
            self._panel.questions.ask(
                "names", lambda: names_of(document), lambda names: self._take_judge(editor, names)
            )

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
        found = self._changes.found
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

    def jump(self, name: str, target: str) -> None:
        """Select what an attribute names."""
        found = self._changes.found
        if found is None or found.row is None or not target:
            return
        document, known = found.document, found.items[name].row
        space = found.language.refers_by(found.node, found.row, known)
        if space is None:
            return

        def then(nodes: list) -> None:
            if nodes:
                self._panel.select_node(nodes[0])
            else:
                self._changes.show_refusal(name, tr("there is no {space} '{target}'", space=space, target=target))

        self._panel.questions.ask("jump", lambda: declaring(document, space, target), then)


def names_in_space(document: Document, space: str) -> tuple[list[str], bool]:
    """The names in a namespace, sorted, and whether these are all (names of copies, parts and attached elements are not
    in the text).
    """
    names = names_of(document)
    declared = [each for each in names.declarations if each.space == space]
    found = {each.name for each in declared if not each.parts and each.name}
    found.update(names.implicit.get(space, ()))
    is_complete = not names.attachments and not any(each.parts or each.made for each in declared)
    return sorted(found, key=str.lower), is_complete


def declaring(document: Document, space: str, name: str) -> list:
    """The elements that a name means."""
    return [each.node for each in names_of(document).meant(space, name)]
