"""Every edit that the tree offers for every element of a model, and the compiler's result for each.

    swept = Swept("model.xml")
    for case in cases(swept.document):
            outcome = swept.outcome(case)             outcome.kind: of KINDS; outcome.why

The edits are those of `app/panels/writing/tree/commands.py`, made by the same functions: insert, duplicate, cut, copy
and paste, delete with the references, move, mirror. Where the model compiles before an edit, it has to compile after it,
or the edit has to be refused with a reason. Each edit is one step, and is undone again; the bytes are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from kinetree.engine.assist.language import language_of
from kinetree.engine.check.trial import why_broken
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import ModelError, Severity
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import EditRefused, ElementEdit
from kinetree.engine.document.project import work_out
from kinetree.engine.document.tree import Node
from kinetree.engine.editing import copying, removal, structure, templates
from kinetree.engine.editing.states import with_states
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools.mirror import mirror
from tests.engine.editing.structural import Edited

Make = Callable[[Document], list[ElementEdit]]
EDITS = ("insert", "duplicate", "paste", "paste elsewhere", "cut and paste", "delete", "move", "mirror")
"""The kinds of edits, as `Case.edit` names them."""
KINDS = ("compiles", "refused", "stopped", "fails", "broken")
"""Outcomes of edits: "refused" by a rule; "stopped" as the trial did not compile; "broken" by a cut, and not judged."""


class Case(NamedTuple):
    """One edit of one element.

    edit   of EDITS
    words  description of the edit, for a message
    makes  each makes the edits of one step, from the document that the one before left
    """

    edit: str
    words: str
    makes: tuple[Make, ...]


class Outcome(NamedTuple):
    """Result of an edit, one of KINDS, and the reason."""

    kind: str
    why: str = ""


class Swept(Edited):
    """A project on which one edit after another is done, compiled and undone."""

    def error(self) -> str:
        """The first error of the text as it is; "" where it compiles."""
        try:
            compile_document(self.document)
        except ModelError as error:
            return next(str(each) for each in error.diagnostics if each.severity is Severity.ERROR)
        return ""

    def outcome(self, case: Case) -> Outcome:
        """Do it, compile, undo it. An edit of a text that does not compile, such as one whose elements were cut, is not
        judged."""
        steps = 0
        try:
            for make in case.makes:
                if steps and self.error():
                    return Outcome("broken")
                try:
                    document = self.document
                    step = work_out(with_states(document, make(document)), self.project.texts)
                except (CannotEdit, EditRefused) as error:
                    return Outcome("refused", str(error))
                is_last = make is case.makes[-1]  # a cut is not tried
                texts = {path: parsed for path, (parsed, _) in step.after.items()}
                why = why_broken(document, texts, limit=600) if is_last else None
                if why is not None:
                    return Outcome("stopped", why)
                steps += self.project.take("Edit", step) is not None
            why = self.error()
            return Outcome("fails", why) if why else Outcome("compiles")
        finally:
            for _ in range(steps):
                self.project.undo()
            assert self.data() == self.before


def grow(swept: Swept) -> None:
    """Insert an element of each kind that the model does not have, where the menu offers it and the result compiles."""
    for node in own(swept.document):
        for choice in templates.choices(swept.document, _at(swept.document, node)):
            if choice.row.id in kinds(swept.document) or choice.why is not None or choice.file is not None:
                continue
            document = swept.document
            swept.project.apply("Insert", templates.insert(document, _at(document, node), None, choice.row.tag))
            if swept.error():
                swept.project.undo()
    swept.before = swept.data()


def kinds(document: Document) -> set[str]:
    """The kinds of elements that a document has."""
    language = language_of(document)
    rows = map(language.row, own(document))
    return {row.id for row in rows if row is not None}


def own(document: Document) -> list[Node]:
    """Every element of every file of a document, in the order of the texts."""
    return [node for root in document.trees.values() for node in root.iter()]


def _words(node: Node) -> str:
    return f"{structure.label(node)} in <{node.parent.tag if node.parent is not None else ''}>, line {node.line}"


def _at(document: Document, node: Node) -> Node:
    found = document.node(node.id)
    assert found is not None
    return found


def cases(document: Document) -> Iterator[Case]:
    """Every edit of every element."""
    parents = parents_of(document)
    for node in own(document):
        yield from inserts(document, node)
        yield from edits(document, node, parents)


def inserts(document: Document, node: Node, file: str | None = None) -> Iterator[Case]:
    """The elements in the insert menu of an element."""
    for choice in templates.choices(document, node):
        if choice.why is None and (choice.file is None or file is not None):
            tag = choice.row.tag
            yield Case(
                "insert",
                f"insert <{tag}> into {_words(node)}",
                (lambda document, tag=tag: templates.insert(document, _at(document, node), None, tag, file),),
            )


def parents_of(document: Document) -> dict[str, Node]:
    """An element of each kind, and of each tag at the root of an included file, by kind."""
    language = language_of(document)
    found: dict[str, Node] = {}
    for node in own(document):
        row = language.row(node)
        found.setdefault(node.tag if row is None else row.id, node)
    return found


def edits(document: Document, node: Node, parents: dict[str, Node]) -> Iterator[Case]:
    """The edits available for one element."""
    words, parent = _words(node), node.parent
    if parent is None:
        return

    def pasted(target: Node) -> Make:
        def make(document: Document) -> list[ElementEdit]:
            at = document.node(target.id)
            if at is None:  # the file that held only this is not included any more
                return copying.paste(document, *structure.place_for(document, document.root, [node.tag]), xml)
            return copying.paste(document, at, None, xml)

        return make

    def removed(document: Document) -> list[ElementEdit]:
        return removal.remove(document, [_at(document, node)])

    def deleted(document: Document) -> list[ElementEdit]:
        return removal.remove(document, [_at(document, node)], True)

    yield Case("duplicate", f"duplicate {words}", (lambda d: copying.duplicate(d, [_at(d, node)]),))
    yield Case("delete", f"delete {words}", (deleted,))
    xml = copying.copied(document, [node])
    yield Case("paste", f"paste {words}", (pasted(parent),))
    yield Case("cut and paste", f"cut and paste {words}", (removed, pasted(parent)))
    for id, target in parents.items():
        if target.id == parent.id or structure.why_not(document, target, node.tag) is not None:
            continue
        if any(each.id == node.id for each in (target, *target.ancestors())):
            continue
        yield Case("paste elsewhere", f"paste {words} into {id}", (pasted(target),))
        yield Case(
            "move",
            f"move {words} into {id}",
            (lambda d, target=target: structure.move(d, [_at(d, node)], _at(d, target)),),
        )
    row = language_of(document).row(node)
    if row is not None and row.id in ("body", "link"):
        for axis in "xy":
            yield Case("mirror", f"mirror {words}", (lambda d, axis=axis: mirror(d, _at(d, node), axis).edits,))


def carried(document: Document, node: Node) -> Case:
    """An element of another document, pasted into this one as Ctrl+V does it."""
    xml = copying.copied(document, [node])

    def make(document: Document) -> list[ElementEdit]:
        tags = [child.tag for child in structure.parsed(document, xml).children]
        return copying.paste(document, *structure.place_for(document, document.root, tags), xml)

    return Case("paste elsewhere", f"paste {_words(node)} into another model", (make,))


def written(folder: Path, files: dict[str, str | bytes], main: str) -> str:
    """Write files, and the path of one of them."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(folder / main)
