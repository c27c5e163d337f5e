"""Kinds of the values in a text: numbers, keywords, names, default classes, files. For syntax colouring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from typing import NamedTuple

from kinetree.engine.assist.index import value_of
from kinetree.engine.assist.language import ElementContent, Language, language_of
from kinetree.engine.assist.stretch import subtrees_in, subtrees_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow

__all__ = ["Meaning", "TextValue", "values_in", "values_of"]


class Meaning(Enum):
    """Kind of a value."""

    NUMBER = "number"
    KEYWORD = "keyword"
    NAME = "name"
    REFERENCE = "reference"
    CLASS = "class"
    FILE = "file"
    TEXT = "text"


class TextValue(NamedTuple):
    """A value without its quotes: the characters [start, end) of a file."""

    start: int
    end: int
    meaning: Meaning


_MEANINGS = {
    "real": Meaning.NUMBER,
    "int": Meaning.NUMBER,
    "memory": Meaning.NUMBER,
    "bool": Meaning.KEYWORD,
    "keyword": Meaning.KEYWORD,
    "file": Meaning.FILE,
    "directory": Meaning.FILE,
}


def values_in(document: Document, path: str, start: int, end: int) -> list[TextValue]:
    """The values of known attributes in a stretch of a file, in the order of the text. Raises KeyError for a file that
    is not part of the document."""
    elements = subtrees_in(document, path, start, end)
    return sorted(_values(language_of(document), elements, document.source_of(path).text, start, end))


def values_of(
    language: Language,
    subtree: Subtree,
    offset: int,
    row: ElementRow | None,
    inside: ElementContent | None,
    text: str,
    end: int,
) -> list[TextValue]:
    """Values in the text of an element with all its children, up to an offset; see `subtrees_of`."""
    elements = subtrees_of(language, subtree, offset, row, inside, offset, end)
    return sorted(_values(language, elements, text, offset, end))


def _values(
    language: Language, elements: Iterable[tuple[Subtree, int, ElementRow]], text: str, start: int, end: int
) -> Iterator[TextValue]:
    shared = language.grammar.shared or {}
    for subtree, offset, row in elements:
        known = _meanings(row, row.id in shared)
        for name, first, last in subtree.places(offset, text):
            meaning = known.get(name)
            if meaning is not None and first < last and first < end and last > start:
                if isinstance(meaning, AttributeRow):
                    meaning = _meaning_here(language, subtree, row, meaning)
                yield TextValue(first, last, meaning)


@cache
def _meanings(row: ElementRow, is_shared: bool) -> dict[str, Meaning | AttributeRow]:
    """The kinds of the values of an element, by attribute. Where the kind depends on the particular element, its row
    instead. `is_shared`: see Grammar.
    """
    declaring = next((each for each in row.attributes.values() if each.declares), None)
    found: dict[str, Meaning | AttributeRow] = {}
    for name, known in row.attributes.items():
        space = known.refers
        depends = (is_shared and name == "name") or (space is not None and space.startswith("@"))
        found[name] = known if depends else _meaning(known, not is_shared and known is declaring, space)
    return found


def _meaning_here(language: Language, subtree: Subtree, row: ElementRow, known: AttributeRow) -> Meaning:
    """The kind of a value that depends on the particular element."""
    element = _Element(subtree)
    declared = language.declares(element, row)
    space = language.refers_by(element, row, known)
    return _meaning(known, declared is not None and declared[0] is known, space)


class _Element(NamedTuple):
    """Adapts a subtree to the protocol that the language reads."""

    subtree: Subtree

    def get(self, name: str) -> str | None:
        return value_of(self.subtree, name)


def _meaning(row: AttributeRow, declares: bool, space: str | None) -> Meaning:
    if "class" in (space, row.declares):
        return Meaning.CLASS
    if declares:
        return Meaning.NAME
    return Meaning.REFERENCE if space is not None else _MEANINGS.get(row.type, Meaning.TEXT)
