"""Outline of a text: its elements as symbols, and its foldable lines.

Both read subtrees without creating Nodes, so that a file with 10,000 elements takes little time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from kinetree.engine.assist.index import value_of
from kinetree.engine.assist.language import ElementContent, Language, language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.mjcf import exceptions
from kinetree.engine.mjcf.references import stem
from kinetree.engine.mjcf.schema_rows import ElementRow

__all__ = ["Fold", "Symbol", "folds", "symbol_of", "symbols"]

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(slots=True)
class Symbol:
    """An element.

    name        its name, else its tag
    tag         its tag
    kind        the id of its kind, such as "body.geom"; None where that is unknown
    start, end  the whole element; tag_start, tag_end: its name in the start tag
    children    its child elements
    id          the identity of the element
    """

    name: str
    tag: str
    kind: str | None
    start: int
    end: int
    tag_start: int
    tag_end: int
    id: int
    children: list[Symbol] = field(default_factory=list)


class Fold(NamedTuple):
    """Lines (1-based) that can be folded: all but the first are hidden. `is_comment`: a comment, else an element."""

    first: int
    last: int
    is_comment: bool


def symbols(document: Document, path: str) -> list[Symbol]:
    """The elements of one file as a tree. Raises KeyError for a file that is not part of the document."""
    language = language_of(document)
    root = document.trees[document.source_of(path).path]
    if not root.tag:
        return []
    return [symbol_of(language, root.subtree, root.start, language.row(root), language.inside(root))]


def symbol_of(
    language: Language,
    subtree: Subtree,
    start: int,
    row: ElementRow | None,
    inside: ElementContent | None,
    deep: bool = True,
) -> Symbol:
    """The symbol of an element at an offset, with all its descendants if `deep`; `inside`: the context of its
    children.
    """
    top = _symbol(subtree, start, row)
    stack = [(subtree, start, inside, top)] if deep else []
    while stack:
        subtree, start, place, symbol = stack.pop()
        for child, offset in zip(subtree.children, subtree.starts):
            row = None if place is None else language.child(place, child.tag)
            made = _symbol(child, start + offset, row)
            symbol.children.append(made)
            if child.children:
                inner = None if row is None or place is None else place.of(row)
                stack.append((child, start + offset, inner, made))
    return top


def _symbol(subtree: Subtree, start: int, row: ElementRow | None) -> Symbol:
    name = value_of(subtree, "name") or value_of(subtree, "class" if subtree.tag == "default" else "model")
    if not name and row is not None:
        name = stem(value_of(subtree, row.name_from)) if row.name_from else exceptions.NAMELESS.get(row.id)
    tag_start = start + subtree.name_at
    return Symbol(
        name or subtree.tag,
        subtree.tag,
        None if row is None else row.id,
        start,
        start + subtree.width,
        tag_start,
        tag_start + len(subtree.tag),
        subtree.id,
    )


def folds(document: Document, path: str) -> list[Fold]:
    """The foldable ranges of one file: elements and comments over several lines, in the order of the text. If several
    begin on one line, the outermost counts. Raises KeyError for a file that is not part of the document.
    """
    source = document.source_of(path)
    root = document.trees[source.path]
    found: dict[int, Fold] = {}
    for start, end, is_comment in sorted(_stretches(root.subtree if root.tag else None, root.start, source.text)):
        first, last = source.line_column(start)[0], source.line_column(max(end - 1, start))[0]
        if last > first:
            found.setdefault(first, Fold(first, last, is_comment))
    return list(found.values())


def _stretches(root: Subtree | None, start: int, text: str) -> Iterator[tuple[int, int, bool]]:
    for match in _COMMENT.finditer(text):
        yield match.start(), match.end(), True
    for subtree, offset, _ in root.walk(start) if root is not None else ():
        yield offset, offset + subtree.width, False
