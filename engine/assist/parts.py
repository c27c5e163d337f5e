"""Checks whether an element can be inserted into a document, before it is.

    found = errors_in(document, parent, node)      the errors of <node> as a child of <parent>, and of all in it

`node` may come from another text, such as the clipboard. References are not checked: their targets may be inserted
together with it.
"""

from __future__ import annotations

from importlib import import_module

from kinetree.engine import formats
from kinetree.engine.assist.language import MJCF, language_of
from kinetree.engine.diagnostics import Diagnostic, Diagnostics
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Node
from kinetree.engine.formats.check import check_part
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.validate import validate_part

__all__ = ["errors_in"]


def errors_in(document: Document, parent: Node, node: Node) -> list[Diagnostic]:
    """The errors of an element as a child of another one; none if its kind there is unknown."""
    language = language_of(document)
    place = language.inside(parent)
    row = None if place is None else language.child(place, node.tag)
    found = Diagnostics()
    if place is None or row is None or row is schema.INCLUDE:
        return []
    if language.grammar is MJCF:
        validate_part(node, row, place.around, found)
    else:
        table = import_module(f"{formats.ROOTS[language.grammar.root.tag]}_table").TABLE
        check_part(node, row, table, found)
    return found.errors
