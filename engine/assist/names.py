"""Names in a document of any format: declarations, references, and renaming of both.

    names = names_of(document)
    names.declarations                   every element with a declared name
    names.declared(node)                 the declarations of one element
    names.references_to(node)            every attribute that refers to it
    names.references_in(node)            the references in its own attributes
    names.meant(space, name)             the declarations that a reference means
    rename(document, node, "new")        element edits that rename it everywhere, over all files

See `kinetree.engine.mjcf.references.Names`, the counterpart of `TableNames` for MJCF: both read the columns `declares`
and `refers` of the format's table. Nodes of the declarations are of the merged tree.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kinetree.engine.assist.kept import kept
from kinetree.engine.assist.language import MJCF, Language, language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import SetAttribute
from kinetree.engine.mjcf import references
from kinetree.engine.mjcf.references import AttributeReference, CannotRename, Declaration, Names
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node
    from kinetree.engine.mjcf.schema_rows import ElementRow

__all__ = ["AttributeReference", "CannotRename", "Declaration", "Names", "names_of", "rename"]


class TableNames(Names):
    """The names of a URDF or x_xy model."""

    def __init__(self, root: Node, language: Language) -> None:
        self.language = language
        self.implicit = language.grammar.implicit or {}
        super().__init__(root)

    def _read(self, root: Node, inside: tuple[ElementRow, ElementRow] | None = None) -> None:
        grammar, language = self.language.grammar, self.language
        if root.tag != grammar.root.tag:
            return
        stack = [(root, grammar.root)]
        while stack:
            node, row = stack.pop()
            declared = language.declares(node, row)
            if declared is not None:
                known, space = declared
                name = node.get(known.name)
                if name:
                    self.declarations.append(Declaration(node, space, name, known, None))
            for attribute in node.attributes:
                known = row.attributes.get(attribute.name)
                space = None if known is None else language.refers_by(node, row, known)
                if known is not None and space is not None and attribute.value:
                    self.references.append(AttributeReference(attribute, space, attribute.value, known))
            known_tags = grammar.inside(row, None)
            stack += [(child, known_tags[child.tag]) for child in reversed(node.children) if child.tag in known_tags]


@kept
def names_of(document: Document) -> Names:
    """The names of a document."""
    language = language_of(document)
    if language.grammar is not MJCF:
        return TableNames(document.merged, language)
    place = language.inside(document.root)
    return Names(document.merged, None if place is None else (place.row, place.around))


def rename(document: Document, node: Node, new: str, users: Iterable[Document] = ()) -> list[SetAttribute]:
    """The element edits that rename an element and update all references to it, in every file of the document.

    users  other documents, some of which may attach this one: their references to the element are updated too

    Raises CannotRename if the element declares no name, or the name is taken (with the place), empty, or has a space
    and stands in a list.
    """
    language = language_of(document)
    if language.grammar is MJCF:
        return references.rename(document, node, new, users, names_of(document))
    names = names_of(document)
    declared = names.declared(node)
    if not declared:
        found = language.declares(node)
        if found is None:
            raise CannotRename(tr("<{tag}> has no name in {name}", tag=node.tag, name=language.name))
        declared = [Declaration(node, found[1], "", found[0], None)]
    return list(references.renaming(names, node, declared, new).values())
