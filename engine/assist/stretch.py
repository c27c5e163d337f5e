"""The elements in a stretch of a text, without visiting the others; and the division of a text into parts that its
versions share.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from kinetree.engine.assist.language import ElementContent, Language, language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.subtree import NO_END, Subtree
from kinetree.engine.document.tree import Node
from kinetree.engine.mjcf.schema_rows import ElementRow

__all__ = ["TextPart", "elements_in", "parts", "subtrees_in", "subtrees_of"]

SMALL = 1000
"""Size up to which an element with all its children is one part, characters."""


def elements_in(document: Document, path: str, start: int, end: int) -> Iterator[tuple[Node, ElementRow]]:
    """(element, kind) of the elements of known kinds whose start tags overlap the stretch between two offsets of a
    file, in the order of the text. Raises KeyError for a file that is not part of the document.
    """
    root = document.trees[document.source_of(path).path]
    for _, offset, row in subtrees_in(document, path, start, end):
        node = root.at(offset)
        assert node is not None
        yield node, row


def subtrees_in(document: Document, path: str, start: int, end: int) -> Iterator[tuple[Subtree, int, ElementRow]]:
    """(element, its offset, kind) of the same elements, without creating Nodes."""
    root = document.trees[document.source_of(path).path]
    if root.tag:
        language = language_of(document)
        row, inside = language.row(root), language.inside(root)
        yield from subtrees_of(language, root.subtree, root.start, row, inside, start, end)


def subtrees_of(
    language: Language,
    subtree: Subtree,
    offset: int,
    row: ElementRow | None,
    inside: ElementContent | None,
    start: int = 0,
    end: int = NO_END,
) -> Iterator[tuple[Subtree, int, ElementRow]]:
    """(element, its offset, kind) of an element and all its children that meet a stretch; `inside`: the context of its
    children."""
    stack = [(subtree, offset, row, inside)]
    while stack:
        subtree, offset, row, place = stack.pop()
        if row is not None and offset < end and offset + subtree.head > start:
            yield subtree, offset, row
        if not subtree.children:
            continue
        starts = subtree.starts
        first = max(bisect_right(starts, start - offset) - 1, 0)
        for index in range(bisect_left(starts, end - offset) - 1, first - 1, -1):
            child, there = subtree.children[index], offset + starts[index]
            if there + child.width > start:
                inner = None if place is None else language.child(place, child.tag)
                around = None if inner is None or place is None or not child.children else place.of(inner)
                stack.append((child, there, inner, around))


class TextPart(NamedTuple):
    """A part of a text: an element. Its subtree stays the same object until an edit touches it.

    subtree   the element
    start     its offset
    row       its kind; None where that is unknown
    inside    the context of its children; None where its kind is unknown
    is_whole  whether its children belong to the part, else they are parts that follow
    around    the parent, whose child number `index` it is; with the index -1 the element itself
    """

    subtree: Subtree
    start: int
    row: ElementRow | None
    inside: ElementContent | None
    is_whole: bool
    around: Node
    index: int = -1

    @property
    def node(self) -> Node:
        """The element in the tree of its file."""
        return self.around if self.index < 0 else self.around.child(self.index)


def parts(document: Document, path: str) -> Iterator[TextPart | None]:
    """The parts of a file in the order of the text. A None follows the children of each part that is not whole. Raises
    KeyError for a file that is not part of the document.
    """
    root = document.trees[document.source_of(path).path]
    if not root.tag:
        return
    language = language_of(document)
    stack: list[TextPart | None] = [
        TextPart(root.subtree, root.start, language.row(root), language.inside(root), False, root)
    ]
    while stack:
        part = stack.pop()
        yield part
        if part is None or part.is_whole:
            continue
        node, inside = part.node, part.inside
        stack.append(None)
        known: dict[str, tuple[ElementRow | None, ElementContent | None]] = {}
        children = []
        for index, (child, offset) in enumerate(zip(part.subtree.children, part.subtree.starts)):
            if child.tag not in known:
                row = None if inside is None else language.child(inside, child.tag)
                known[child.tag] = row, None if row is None or inside is None else inside.of(row)
            is_whole = child.width <= SMALL
            children.append(TextPart(child, node.start + offset, *known[child.tag], is_whole, node, index))
        stack += reversed(children)
