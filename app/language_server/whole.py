"""Answers about a whole text: its elements as symbols, its values as tokens.

A text of 1 MB has tens of thousands of them. They are written as JSON at once, and what was written of a part is kept
for the next version of the text, which has most of its parts too.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types

from kinetree.app.language_server.positions import PositionEncoding
from kinetree.app.language_server.replies import symbol_kind
from kinetree.engine.assist.language import Language, language_of
from kinetree.engine.assist.meanings import Meaning, TextValue, values_of
from kinetree.engine.assist.outline import Symbol, symbol_of
from kinetree.engine.assist.stretch import TextPart, parts
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import Source

__all__ = ["LEGEND", "CachedParts", "Written", "encoded", "symbols", "tokens"]

_TOKENS = {
    Meaning.NUMBER: (types.SemanticTokenTypes.Number, False),
    Meaning.KEYWORD: (types.SemanticTokenTypes.EnumMember, False),
    Meaning.NAME: (types.SemanticTokenTypes.Variable, True),
    Meaning.REFERENCE: (types.SemanticTokenTypes.Variable, False),
    Meaning.CLASS: (types.SemanticTokenTypes.Class, False),
}
"""Meaning of a value -> type of its token, and whether it declares. Other values keep the colour of a string."""
_TYPES = list(dict.fromkeys(token.value for token, _ in _TOKENS.values()))
_NUMBERS = {meaning: (_TYPES.index(kind.value), int(declares)) for meaning, (kind, declares) in _TOKENS.items()}
LEGEND = types.SemanticTokensLegend(_TYPES, [types.SemanticTokenModifiers.Declaration.value])


_encode = json.JSONEncoder().encode


class Written(str):
    """An answer that is JSON already."""

    __slots__ = ()


class CachedParts:
    """Cached parts of one text, for one kind of answer. Threads that answer at the same time may both write a part;
    they write the same.
    """

    def __init__(self) -> None:
        self._known: dict[tuple, Any] = {}

    def each(
        self, document: Document, path: str, positions: PositionEncoding, write: Callable[[TextPart], Any]
    ) -> Iterator[tuple[int, Any] | None]:
        """(line, what `write(part)` makes of it) of all parts of a file; None behind the children of those that are not
        whole. What is written of a part may depend on its column, not on its line."""
        source, known, now = document.source_of(path), self._known, {}
        text = source.text
        for part in parts(document, path):
            if part is None:
                yield None
                continue
            line, column = positions.place(source, part.start)
            if not part.is_whole:
                yield line, write(part)
                continue
            # The same characters in the same place of a model mean the same, even if the text was parsed again.
            subtree, inside = part.subtree, part.inside
            place = None if inside is None else (id(inside.row), id(inside.around))
            shape = subtree.head, subtree.tail, subtree.matched
            key = text[part.start : part.start + subtree.width], column, id(part.row), place, shape
            if key not in now:
                now[key] = known[key] if key in known else write(part)
            yield line, now[key]
        self._known = now


# ---- symbols ----------------------------------------------------------------------------------------


def symbols(document: Document, path: str, positions: PositionEncoding, kept: CachedParts) -> Written:
    """The elements of a file with all in them, as list of DocumentSymbol."""
    language, place = language_of(document), positions.places(document.source_of(path))

    def write(part: TextPart) -> tuple[str, list[int]]:
        symbol = symbol_of(language, part.subtree, part.start, part.row, part.inside, deep=part.is_whole)
        template, lines = _template(symbol, place)
        return (template if part.is_whole else template.removesuffix("]}")), lines

    pieces = ["["]
    for each in kept.each(document, path, positions, write):
        if each is None:
            pieces.append("]}")
            continue
        line, (template, lines) = each
        if pieces[-1][-1] != "[":
            pieces.append(", ")
        pieces.append(template % tuple([line + more for more in lines]))
    return Written("".join([*pieces, "]"]))


def _template(top: Symbol, place: Callable[[int], tuple[int, int]]) -> tuple[str, list[int]]:
    """An element with all in it as a DocumentSymbol, with "%d" for each line: these count from that of the element.
    `place(offset)` is line and column."""
    lines: list[int] = []
    first = place(top.start)[0]
    pieces = [""]
    stack: list[Symbol | None] = [top]  # None: the end of the enclosing element's content
    while stack:
        each = stack.pop()
        if each is None:
            pieces.append("]}")
            continue
        name, kind = _quoted(each.name), symbol_kind(each.tag).value
        detail = f'"detail": {_quoted(each.tag)}, ' if each.name != each.tag else ""
        (a, start), (b, end) = place(each.start), place(each.end)
        (c, tag_start), (d, tag_end) = place(each.tag_start), place(each.tag_end)
        lines += (a - first, b - first, c - first, d - first)
        pieces.append(
            f'{", " if pieces[-1].endswith("}") else ""}{{"name": {name}, {detail}"kind": {kind}, '
            f'"range": {{"start": {{"line": %d, "character": {start}}}, "end": {{"line": %d, "character": {end}}}}}, '
            f'"selectionRange": {{"start": {{"line": %d, "character": {tag_start}}}, '
            f'"end": {{"line": %d, "character": {tag_end}}}}}, "children": ['
        )
        stack.append(None)
        stack.extend(reversed(each.children))
    return "".join(pieces), lines


def _quoted(value: str) -> str:
    """A text as JSON in a template."""
    return _encode(value).replace("%", "%%")


# ---- tokens -----------------------------------------------------------------------------------------


def tokens(document: Document, path: str, positions: PositionEncoding, kept: CachedParts) -> Written:
    """The values of a file as SemanticTokens."""
    language, source = language_of(document), document.source_of(path)
    data: list[str] = []
    before = 0, 0

    def write(part: TextPart) -> tuple[int, int, str, int, int] | None:
        return _tokens_of(language, part, source, positions)

    for each in kept.each(document, path, positions, write):
        if each is None or each[1] is None:
            continue
        line, (first, column, rest, last, end) = each
        row = line + first
        data.append(f"{row - before[0]},{column - before[1] if row == before[0] else column}{rest}")
        before = line + last, end
    return Written(f'{{"data": [{",".join(data)}]}}')


def _tokens_of(
    language: Language, part: TextPart, source: Source, positions: PositionEncoding
) -> tuple[int, int, str, int, int] | None:
    """The tokens of a part: line (counted from that of the part) and column of the first one, its other numbers and
    those of the others, line and column of the last one. None where it has none."""
    end = part.start + (part.subtree.width if part.is_whole else part.subtree.head)
    inside = part.inside if part.is_whole else None
    values = values_of(language, part.subtree, part.start, part.row, inside, source.text, end)
    numbers = encoded(values, source, positions, positions.place(source, part.start)[0])
    if not numbers:
        return None
    line, column = numbers[0], numbers[1]
    for place in range(5, len(numbers), 5):
        column = numbers[place + 1] + (column if not numbers[place] else 0)
        line += numbers[place]
    rest = ",".join(map(str, numbers[2:]))
    return numbers[0], numbers[1], f",{rest}", line, column


def encoded(values: list[TextValue], source: Source, positions: PositionEncoding, line: int = 0) -> list[int]:
    """The values as tokens: for each piece of a line five numbers, the first two relative to the piece before; of the
    first piece to the beginning of a line."""
    data: list[int] = []
    column = 0
    starts, is_plain = source.line_starts, source.text.isascii()
    for start, end, meaning in values:
        found = _NUMBERS.get(meaning)
        if found is None:
            continue
        row = bisect_right(starts, start) - 1
        if is_plain and start < end and (row + 1 == len(starts) or end < starts[row + 1]):  # the usual case
            character = start - starts[row]
            data += (row - line, character - column if row == line else character, end - start, *found)
            line, column = row, character
            continue
        for first, last in _lines(source, start, end):
            row, character = positions.place(source, first)
            length = positions.place(source, last)[1] - character
            data += (row - line, character - column if row == line else character, length, *found)
            line, column = row, character
    return data


def _lines(source: Source, start: int, end: int) -> list[tuple[int, int]]:
    """The pieces of a stretch that are on one line each, without empty ones."""
    pieces = []
    while start < end:
        line = source.line_column(start)[0]
        line_end = source.line_starts[line] if line < len(source.line_starts) else len(source.text)
        if end < line_end:
            pieces.append((start, end))
            break
        last = min(end, line_end)
        text = source.text[start:last].rstrip("\r\n")
        if text:
            pieces.append((start, start + len(text)))
        start = last
    return pieces
