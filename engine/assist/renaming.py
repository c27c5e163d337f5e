"""Renaming in every model that uses the name, whether or not it is open.

    edits = rename_everywhere(document, node, "new", surroundings.survey(texts))

A name in a file that several models include or attach is renamed in all of them, or in none. CannotRename says which
file prevents it and why: some uses cannot be found, or the name means something else in one of the models.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from kinetree.engine.assist.attached import attached_names
from kinetree.engine.assist.describe import one
from kinetree.engine.assist.language import MJCF, language_of
from kinetree.engine.assist.names import AttributeReference, CannotRename, names_of, rename
from kinetree.engine.assist.surroundings import FolderSurvey, unreadable
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import SetAttribute
from kinetree.engine.document.tree import Node
from kinetree.engine.translation import tr

__all__ = ["rename_everywhere", "unresolved"]


def rename_everywhere(document: Document, node: Node, new: str, survey: FolderSurvey) -> list[SetAttribute]:
    """The element edits that rename an element of a document and update all references to it, in every file of every
    model that the survey knows. Raises CannotRename, see `names.rename`.
    """
    if language_of(document).grammar is not MJCF:  # no other file can include it, or use its names
        return rename(document, node, new)
    return _Renaming(survey, document, node.source.path).run(node, new)


def unresolved(document: Document) -> tuple[Node, str, str] | None:
    """The first undeclared reference of a model: (element, namespace, name)."""
    names = names_of(document)
    made = [each.get("prefix") or "" for each in document.merged.iter("composite")]
    for reference in names.references:
        space, name = reference.space, reference.name
        if not name or name in names.implicit.get(space, ()) or names.meant(space, name):
            continue
        if space == "model" or any(re.fullmatch(rf"{re.escape(prefix)}[A-Z]+\d*_\w+", name) for prefix in made):
            continue
        attached = attached_names(document, space)
        # Copies and parts of attached elements have names that begin with its name.
        if name not in attached and not any(name.startswith(each) for each in attached):
            return reference.attribute.node, space, name
    return None


class _Plan(NamedTuple):
    """Changes that a rename makes to one model with the declaration: element edits by element and attribute, and the
    models that attach it.
    """

    document: Document
    users: list[Document]
    edits: dict[tuple[int, str], SetAttribute]


class _Change(NamedTuple):
    """The value of an attribute before and after."""

    node: Node
    attribute: str
    old: str
    new: str

    def of(self, reference: AttributeReference) -> str | None:
        """The new name in a reference; None if it stays the same."""
        if reference.attribute.name != self.attribute:
            return None
        if reference.row.max_count == 1:
            return self.new
        words = dict(zip(self.old.split(), self.new.split(), strict=True))
        return words[reference.name] if words[reference.name] != reference.name else None


class _Renaming:
    def __init__(self, survey: FolderSurvey, document: Document, path: str) -> None:
        self.survey, self.document, self.path = survey, document, path
        self.plans: dict[str, _Plan] = {}
        self.pending: deque[tuple[Document, Node, str]] = deque()
        survey.take(document)

    def run(self, node: Node, new: str) -> list[SetAttribute]:
        had_name = any(each.name for each in names_of(self.document).declared(node))
        self.pending.append((self.document, node, new))
        while self.pending:
            document, node, new = self.pending.popleft()
            if document.main_file not in self.plans:
                self.plan(document, node, new, had_name)
        found: dict[str, dict[tuple[int, str], SetAttribute]] = {}
        for plan in self.plans.values():
            for key, edit in plan.edits.items():
                known = found.setdefault(edit.node.source.path, {}).setdefault(key, edit)
                if known.value != edit.value:
                    self.refuse_other(edit, plan.document)
        for plan in self.plans.values():
            for path, edits in found.items():
                for key, edit in edits.items() if path in plan.document.files else ():
                    if key not in plan.edits:
                        self.refuse_other(edit, plan.document)
        return [edit for edits in found.values() for edit in edits.values()]

    def plan(self, document: Document, node: Node, new: str, had_name: bool) -> None:
        attaching = self.survey.attaching(document.main_file)
        if had_name:
            self.refuse_unknown(attaching.unknown)
            self.refuse_part(document)
            for each in (document, *attaching.documents):
                self.refuse_hidden(each)
        users = [each for each in attaching.documents if each.main_file != document.main_file]
        try:
            edits = rename(document, node, new, users)
        except CannotRename as error:
            if document is self.document:
                raise
            raise CannotRename(
                tr("in '{file}', which has the same part: {reason}", file=document.main_file, reason=error)
            ) from None
        plan = _Plan(document, users, {(edit.node.id, edit.name): edit for edit in edits})
        self.plans[document.main_file] = plan
        for path, change in _changes(edits).items():
            models = self.survey.models(path)
            if had_name:
                self.refuse_unknown(models.unknown)
            for other in models.documents:
                self.follow(other, change, users)
            own = self.survey.document(path)  # the file as a model of its own, which others may attach
            if own is not None and own.root.tag == "mujoco" and self.survey.attaching(path).documents:
                self.follow(own, change, users)

    def follow(self, other: Document, change: _Change, users: Iterable[Document]) -> None:
        """Apply the rename to another model with the same file."""
        if other.main_file in self.plans or any(each.main_file == other.main_file for each in users):
            return
        self.refuse_hidden(other)
        names, node = names_of(other), other.node(change.node.id)
        if node is None:
            return
        if any(each.row.name == change.attribute for each in names.declared(node)) or not change.old:
            self.pending.append((other, node, change.new))
            return
        for reference in names.references_in(node):
            after = change.of(reference)
            if after is not None:
                self.follow_reference(other, reference, after)
                return

    def follow_reference(self, document: Document, reference: AttributeReference, after: str) -> None:
        """Rename the element that a reference of another model means, so that its new name is `after`."""
        space, name = reference.space, reference.name
        meant = names_of(document).meant(space, name)
        if meant:
            suffix = meant[0].suffix(name) or ""
            self.pending.append((document, meant[0].node, after.removesuffix(suffix)))
            return
        attached = attached_names(document, space).get(name)
        if attached is None:
            self.refuse_undeclared(document, reference.attribute.node, space, name)
            return
        declared = attached.spot.get(attached.spot.attribute.name) or name
        owner = names_of(attached.document).declaring(space, declared)
        if owner:
            prefix = name.removesuffix(declared)
            self.pending.append((attached.document, owner[0].node, after.removeprefix(prefix)))

    # ---- refusals -----------------------------------------------------------------------------------

    def refuse_unknown(self, reasons: list[str]) -> None:
        if reasons:
            raise CannotRename(
                tr("other models may use this name, and they cannot all be searched: {reason}", reason=reasons[0])
            )

    def refuse_hidden(self, document: Document) -> None:
        """Refuse the rename if the model is malformed in a file other than the one with the name."""
        place = unreadable(document, self.path)
        if place is not None:
            raise CannotRename(tr("other uses of this name may be hidden by {place}: fix that first", place=place))

    def refuse_part(self, document: Document) -> None:
        """Refuse the rename if a model seems to be a part of an unknown one."""
        if any(each.main_file != document.main_file for each in self.survey.models(document.main_file).documents):
            return  # the enclosing model is examined instead
        if document.root.tag != "mujoco":
            raise CannotRename(
                tr(
                    "'{file}' is a part of a model that is not open and not in a folder near it: open the model that "
                    "includes it",
                    file=document.main_file,
                )
            )
        found = unresolved(document)
        if found is not None:
            self.refuse_undeclared(document, *found)

    def refuse_undeclared(self, document: Document, node: Node, space: str, name: str) -> None:
        raise CannotRename(
            tr(
                "'{file}' seems to be a part of a model that is not known: nothing declares {one} with the name "
                "'{name}' ('{place}', line {line}); open the model that includes it, or correct that name",
                file=document.main_file,
                place=os.path.basename(node.source.path),
                one=one(space),
                name=name,
                line=node.line,
            )
        )

    def refuse_other(self, edit: SetAttribute, document: Document) -> None:
        raise CannotRename(
            tr(
                "{attribute} in '{file}', line {line}, means something else in '{model}'",
                attribute=edit.name,
                file=os.path.basename(edit.node.source.path),
                line=edit.node.line,
                model=document.main_file,
            )
        )


def _changes(edits: Iterable[SetAttribute]) -> dict[str, _Change]:
    """The first change of each file."""
    found: dict[str, _Change] = {}
    for edit in edits:
        found.setdefault(
            edit.node.source.path, _Change(edit.node, edit.name, edit.node.get(edit.name) or "", edit.value)
        )
    return found
