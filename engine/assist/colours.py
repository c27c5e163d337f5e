"""Colours in a text: where they are, and the edit that sets one.

A colour is an attribute of three or four numbers from 0 to 1 whose name in the table is that of a colour (rgba,
ambient, ...). Numbers written back have the digits that a colour picker gives: three after the point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kinetree.engine.assist.cursor import attributes_at
from kinetree.engine.assist.language import Grammar, language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from kinetree.engine.mjcf.schema_rows import AttributeRow

__all__ = ["Colour", "colour_edit", "colour_of", "colour_text", "colours", "is_colour"]

_NAMES = re.compile(r"rgba?\d?|markrgb|ambient|diffuse|specular")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBERS = re.compile(rf"\s*{_NUMBER}(?:\s+{_NUMBER}){{2,3}}\s*")


class Colour(NamedTuple):
    """A colour: the characters [start, end) of a file, and red, green, blue and opacity from 0 to 1."""

    start: int
    end: int
    rgba: tuple[float, float, float, float]


def is_colour(row: AttributeRow) -> bool:
    """Whether an attribute is a colour."""
    if row.type != "real" or row.max_count not in (3, 4) or row.min_count != row.max_count:
        return False
    return _NAMES.fullmatch(row.name) is not None or (row.low == 0 and row.high == 1 and row.max_count == 4)


def colours(document: Document, path: str) -> list[Colour]:
    """The colours of one file, in the order of the text. Raises KeyError for a file that is not part of the
    document."""
    source = document.source_of(path)
    root = document.trees[source.path]
    known = _colours_of(language_of(document).grammar)
    found = []
    for subtree, start, _ in root.subtree.walk(root.start):
        names = known.get(subtree.tag)
        if names is None or not any(each[0] in names for each in subtree.values):
            continue
        for name, _, first, last in attributes_at(source, start):
            rgba = colour_of(source.text[first:last]) if name in names else None
            if rgba is not None:
                found.append(Colour(first, last, rgba))
    return found


def colour_of(value: str) -> tuple[float, float, float, float] | None:
    """Red, green, blue and opacity, each from 0 to 1, for a value of three or four numbers; None for any other
    value.
    """
    match = _NUMBERS.fullmatch(value)
    if match is None:
        return None
    values = [min(max(float(word), 0.0), 1.0) for word in match[0].split()]
    red, green, blue, opacity = [*values, 1.0][:4]
    return red, green, blue, opacity


def colour_text(rgba: Sequence[float], old: str) -> str:
    """The numbers of a colour as text, to replace the value `old`: a value of three numbers gets no opacity."""
    return " ".join(f"{round(value, 3):g}" for value in rgba[: 3 if len(old.split()) == 3 else 4])


def colour_edit(document: Document, path: str, start: int, end: int, rgba: tuple[float, ...]) -> Edit:
    """The edit that replaces a colour in a file. A value of three numbers gets no opacity."""
    return Edit(start, end, colour_text(rgba, document.source_of(path).text[start:end]))


def _colours_of(grammar: Grammar) -> dict[str, set[str]]:
    """The attributes that are colours, by the tag of their elements."""
    found: dict[str, set[str]] = {}
    for row in grammar.rows.values():
        names = {known.name for known in row.attributes.values() if is_colour(known)}
        if names:
            found.setdefault(row.tag, set()).update(names)
    return found
