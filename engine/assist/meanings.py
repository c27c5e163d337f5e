"""What the values of a text are: numbers, keywords, names, default classes, files. For colouring beyond XML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from engine.assist.language import Language, Place, language_of
from engine.assist.stretch import elements_in, elements_of
from engine.document.document import Document
from engine.document.tree import Node
from engine.mjcf.schema_rows import AttributeRow, ElementRow

__all__ = ["Meaning", "Value", "values_in", "values_of"]


class Meaning(Enum):
    """What a value is."""

    NUMBER = "number"
    KEYWORD = "keyword"
    NAME = "name"
    REFERENCE = "reference"
    CLASS = "class"
    FILE = "file"
    TEXT = "text"


class Value(NamedTuple):
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


def values_in(document: Document, path: str, start: int, end: int) -> list[Value]:
    """The values of known attributes in a stretch of a file, in the order of the text. Raises KeyError for a file that
    is not part of the document."""
    return sorted(_values(language_of(document), elements_in(document, path, start, end), start, end))


def values_of(language: Language, node: Node, row: ElementRow | None, inside: Place | None, end: int) -> list[Value]:
    """The same for an element with what it holds, up to an offset, see `engine.assist.stretch.elements_of`."""
    return sorted(_values(language, elements_of(language, node, row, inside, node.start, end), node.start, end))


def _values(language: Language, elements: Iterable[tuple[Node, ElementRow]], start: int, end: int) -> Iterator[Value]:
    for node, row in elements:
        declared = language.declares(node, row)
        for attribute in node.attributes:
            known = row.attributes.get(attribute.name)
            if known is None:
                continue
            first, last = attribute.value_place
            if first < last and first < end and last > start:
                space = language.refers_by(node, row, known)
                declares = declared is not None and declared[0] is known
                yield Value(first, last, _meaning(known, declares, space))


def _meaning(row: AttributeRow, declares: bool, space: str | None) -> Meaning:
    if "class" in (space, row.declares):
        return Meaning.CLASS
    if declares:
        return Meaning.NAME
    return Meaning.REFERENCE if space is not None else _MEANINGS.get(row.type, Meaning.TEXT)
