"""Index of the names of a document, fast enough to be rebuilt after every keystroke.

    index = index_of(document)
    index.names("geom")                  declared names of a namespace -> their places
    index.references("geom", "tip")      the places that refer to a name

`names_of` gives the same names and more (copies and parts of elements, conflicts with a new name), but creates a Node
for every element. The index reads subtrees only, and caches the names of each small subtree: versions of a text share
all subtrees except those around the change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from kinetree.engine.assist.kept import kept
from kinetree.engine.assist.language import ElementContent, Grammar, language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import Source
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.mjcf import exceptions, schema
from kinetree.engine.mjcf.references import stem
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow

__all__ = ["NameIndex", "NameSpot", "index_of", "value_of"]

SMALL = 400
"""Size of the subtrees whose names are cached together, characters."""


class _Name(NamedTuple):
    """A name in a subtree.

    offset     from the start of the subtree to the element
    declares   whether this is a declaration, else a reference
    subtree    the element; None for the caching subtree itself, to avoid a reference cycle
    """

    space: str
    name: str
    declares: bool
    offset: int
    subtree: Subtree | None
    row: ElementRow
    attribute: AttributeRow


class NameSpot(NamedTuple):
    """An attribute of an element that declares a name or refers to one.

    source     the file
    start      offset of the element
    subtree    the element
    row        its kind
    attribute  the attribute; absent from the text where the name is derived (from a file name)
    """

    source: Source
    start: int
    subtree: Subtree
    row: ElementRow
    attribute: AttributeRow

    def get(self, name: str) -> str | None:
        """The value of an attribute of the element."""
        return value_of(self.subtree, name)


def value_of(subtree: Subtree, name: str) -> str | None:
    """The value of an attribute of a subtree."""
    if subtree.located:
        return next((value for each, value, _ in subtree.values if each == name), None)
    return next((double or single for each, double, single in subtree.values if each == name), None)


_Piece = tuple[Source, int, Subtree, tuple[_Name, ...]]


class NameIndex:
    """The names of a document, by namespace. `pieces`: (source, offset of a subtree, that subtree, names in it)."""

    def __init__(self, pieces: list[_Piece]) -> None:
        self._pieces = pieces
        self._declared: dict[str, dict[str, list[NameSpot]]] = {}
        self._referred: dict[str, dict[str, list[NameSpot]]] = {}

    def names(self, space: str) -> Mapping[str, list[NameSpot]]:
        """The names declared in a namespace, in the order of the text, with their places: one place each in a valid
        model.
        """
        space = _SAME.get(space, space)
        if space not in self._declared:
            self._declared[space] = self._collected(space, True)
        return self._declared[space]

    def references(self, space: str, name: str) -> list[NameSpot]:
        """The attributes that refer to a name: by itself, or in a list."""
        return self.referring(space).get(name, [])

    def referring(self, space: str) -> Mapping[str, list[NameSpot]]:
        """The names of a namespace that are referred to, with the attributes that refer to them."""
        space = _SAME.get(space, space)
        if space not in self._referred:
            self._referred[space] = self._collected(space, False)
        return self._referred[space]

    def all_names(self) -> Iterator[tuple[str, NameSpot]]:
        """Every declared name, with its places."""
        for source, start, subtree, names in self._pieces:
            for each in names:
                if each.declares:
                    yield each.name, NameSpot(source, start + each[3], each[4] or subtree, *each[5:])

    def _collected(self, space: str, declares: bool) -> dict[str, list[NameSpot]]:
        found: dict[str, list[NameSpot]] = {}
        for source, start, subtree, names in self._pieces:
            for each in names:
                if each[0] == space and each[2] is declares:
                    spot = NameSpot(source, start + each[3], each[4] or subtree, *each[5:])
                    found.setdefault(each[1], []).append(spot)
        return found


_SAME = {"xbody": "body"}


@kept
def index_of(document: Document) -> NameIndex:
    """The index of a document."""
    language = language_of(document)
    root = document.root
    place = language.inside(root)
    pieces: list[_Piece] = []
    if place is None:
        return NameIndex(pieces)
    grammar, includes = language.grammar, document.includes
    stack = _children(root.subtree, root.source, root.start, place)
    while stack:
        subtree, source, start, place = stack.pop()
        if subtree.id in includes:
            parsed = includes[subtree.id]
            if parsed is not None:
                stack += _children(parsed.root.subtree, parsed.source, parsed.root.start, place)
        elif subtree.width <= SMALL and not subtree.includes:
            names = _remembered(grammar, subtree, place)
            if names:
                pieces.append((source, start, subtree, names))
        else:
            row = grammar.inside(place.row, place.around).get(subtree.tag)
            if row is not None:
                pieces.append((source, start, subtree, tuple(_own(grammar, subtree, row, 0, None))))
                stack += _children(subtree, source, start, ElementContent(row, schema.enclosing(row, place.around)))
    return NameIndex(pieces)


def _children(
    subtree: Subtree, source: Source, start: int, place: ElementContent
) -> list[tuple[Subtree, Source, int, ElementContent]]:
    return [
        (child, source, start + offset, place)
        for child, offset in zip(reversed(subtree.children), reversed(subtree.starts))
    ]


def _remembered(grammar: Grammar, subtree: Subtree, place: ElementContent) -> tuple[_Name, ...]:
    """The names in a small subtree."""
    memo = subtree.memo
    if memo is not None and memo[0] is place.row and memo[1] is place.around:
        return memo[2]
    names = tuple(_names(grammar, subtree, place))
    subtree.memo = (place.row, place.around, names)
    return names


def _names(grammar: Grammar, subtree: Subtree, place: ElementContent) -> Iterator[_Name]:
    top, stack = subtree, [(subtree, 0, place)]
    while stack:
        subtree, start, place = stack.pop()
        row = grammar.inside(place.row, place.around).get(subtree.tag)
        if row is None:
            continue
        yield from _own(grammar, subtree, row, start, None if subtree is top else subtree)
        inner = ElementContent(row, schema.enclosing(row, place.around))
        stack += [
            (child, start + offset, inner)
            for child, offset in zip(reversed(subtree.children), reversed(subtree.starts))
        ]


class _Naming(NamedTuple):
    """For a kind of element: the attribute that declares its name, and those that refer to names, by attribute name."""

    declaring: AttributeRow | None
    referring: dict[str, AttributeRow]


@cache
def _naming(row: ElementRow) -> _Naming:
    declaring = next((each for each in row.attributes.values() if each.declares), None)
    return _Naming(declaring, {each.name: each for each in row.attributes.values() if each.refers})


def _own(grammar: Grammar, subtree: Subtree, row: ElementRow, offset: int, noted: Subtree | None) -> Iterator[_Name]:
    """Notes the names that one element declares and refers to. `noted`: receives the names of the subtree."""
    if grammar.shared and row.id in grammar.shared:
        name = value_of(subtree, "name")
        if name:
            space = grammar.shared[row.id]
            yield _Name(space, name, bool(subtree.children), offset, noted, row, row.attributes["name"])
        return
    declaring, referring = _naming(row)
    for each in subtree.values if referring else ():
        known = referring.get(each[0])
        if known is None:
            continue
        space = known.refers or ""
        if space.startswith("@"):
            space = value_of(subtree, space[1:]) or ""
        space = _SAME.get(space, space)
        value = each[1] if subtree.located else each[1] or each[2]
        for word in value.split() if known.max_count != 1 else (value,):
            if space:
                yield _Name(space, word, False, offset, noted, row, known)
    if declaring is not None:
        own = value_of(subtree, declaring.name)
        if not own and row.name_from is not None:
            own = stem(value_of(subtree, row.name_from))
        own = own or exceptions.NAMELESS.get(row.id)
        if own:
            yield _Name(declaring.declares or "", own, True, offset, noted, row, declaring)
