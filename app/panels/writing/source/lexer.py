"""Token kinds of the characters of a line, for colours: the tokens of the document's scanner, cut at the ends of the
line.

A tag, a comment or a value that is not closed ends here where it ends for the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum

from kinetree.engine.document import scanner

SEARCH = 200_000
"""So many characters before a line are searched for the start of the tag, comment or text that it is in."""
NEAR = 2_000
"""Characters that are scanned rather than left out on the way to the next line."""
MOST_LINES = 1_000
"""Lines whose tokens are kept."""


class TokenKind(IntEnum):
    """Kind of a token."""

    PUNCTUATION = 0
    ELEMENT = 1
    ATTRIBUTE = 2
    VALUE = 3
    NUMBER = 4
    COMMENT = 5
    REFERENCE = 6
    DECLARATION = 7
    NAME = 8
    """The value of an attribute that declares a name."""
    LINK = 9
    """The value of an attribute that refers to a name."""
    COLOUR = 10
    """The value of an attribute that is a colour: its numbers look like others."""


Token = tuple[int, int, TokenKind]
"""start and end in the line, and what it is"""

_NUMBER = re.compile(r"(?<![\w.+-])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])")
_REFERENCE = re.compile(r"&[^;\s<]{1,40};")
_IN_TAG = re.compile(r"""(?P<name>[^\s<>/="']+)|(?P<quote>["'])|/?>|=""")
_WHOLE = {
    scanner.COMMENT: TokenKind.COMMENT,
    scanner.CDATA: TokenKind.VALUE,
    scanner.INSTRUCTION: TokenKind.DECLARATION,
    scanner.DOCTYPE: TokenKind.DECLARATION,
}
"""Tokens of the scanner that are one token here."""


class Lexer:
    """The tokens of the lines of one text. Lines that follow each other are scanned in one go."""

    def __init__(self, text: str):
        self.text = text
        self._scan: Iterator[scanner.Token] = iter(())
        self._token: scanner.Token | None = None  # the first one that has not ended at `_place`
        self._place = -1
        self._lines: dict[tuple[int, int], list[Token]] = {}
        self._attributes: tuple[scanner.Token | None, list[scanner.AttributeToken]] = None, []

    def line(self, start: int, end: int) -> list[Token]:
        """The tokens of the line, or part of one, that is [start, end) of the text."""
        found = self._lines.get((start, end))
        if found is None:
            if len(self._lines) >= MOST_LINES:
                self._lines.clear()
            found = self._lines[start, end] = self._scan_line(start, end)
        return found

    def _scan_line(self, start: int, end: int) -> list[Token]:
        if not 0 <= self._place <= start < self._place + NEAR:
            self._scan = scanner.scan(self.text, lambda *_report: None, boundary_before(self.text, start))
            self._token = next(self._scan, None)
        found: list[Token] = []
        while self._token is not None and self._token[1] < end:
            if self._token[2] > start:
                for low, high, kind in self._parts(self._token, start, end):
                    low, high = max(low, start), min(high, end)
                    if low < high:
                        found.append((low - start, high - start, kind))
            if self._token[2] > end:
                break
            self._token = next(self._scan, None)
        self._place = end
        return found

    def _parts(self, token: scanner.Token, low: int, high: int) -> Iterator[Token]:
        """The tokens that one of the scanner has in a stretch of the text, and perhaps some around it."""
        kind, start, end, name, name_start, _ = token
        if kind in _WHOLE:
            yield start, end, _WHOLE[kind]
        elif kind == scanner.TEXT:
            if self.text.startswith("<", start):
                yield start, end, TokenKind.PUNCTUATION
            for match in _REFERENCE.finditer(self.text, max(start, low), min(end, high)):
                yield match.start(), match.end(), TokenKind.REFERENCE
        else:
            yield start, name_start, TokenKind.PUNCTUATION
            place = name_start + len(name)
            yield name_start, place, TokenKind.ELEMENT
            for attribute, attribute_start, value, value_end in self._attributes_of(token):
                if value_end >= low and place <= high:
                    yield from self._between(place, attribute_start)
                    after = attribute_start + len(attribute)
                    yield attribute_start, after, TokenKind.ATTRIBUTE
                    yield from self._between(after, value)
                    yield from self._value(max(value, low), min(value_end, high))
                    if value_end < end and self.text[value_end] in "\"'":
                        yield value_end, value_end + 1, TokenKind.VALUE
                place = value_end + (self.text[value_end : value_end + 1] in ('"', "'"))
            yield from self._between(place, end)

    def _attributes_of(self, token: scanner.Token) -> list[scanner.AttributeToken]:
        if self._attributes[0] is not token:
            found = token[5]
            known = scanner.attributes(self.text, *found) if isinstance(found, tuple) else found
            self._attributes = token, known
        return self._attributes[1]

    def _between(self, start: int, end: int) -> Iterator[Token]:
        """Kinds of the text in a tag around its names and values: also names that have no value yet."""
        for match in _IN_TAG.finditer(self.text, start, end):
            kind = (
                TokenKind.ATTRIBUTE if match["name"] else TokenKind.VALUE if match["quote"] else TokenKind.PUNCTUATION
            )
            yield match.start(), match.end(), kind

    def _value(self, start: int, end: int) -> Iterator[Token]:
        """A part of a value: numbers, and the rest."""
        place = start
        for match in _NUMBER.finditer(self.text, start, end):
            if match.start() > place:
                yield place, match.start(), TokenKind.VALUE
            yield match.start(), match.end(), TokenKind.NUMBER
            place = match.end()
        if end > place:
            yield place, end, TokenKind.VALUE


def boundary_before(text: str, offset: int) -> int:
    """Where the scan begins for a line at an offset: at the start of the tag, comment or CDATA section that it is in or
    that ends before it. A comment that stands in a value is taken for one: its "<" is a mistake anyway."""
    least = max(offset - SEARCH, 0)
    opening = max(text.rfind(mark, least, offset) for mark in ("<!--", "<![CDATA["))
    closed = 0
    if opening >= 0:
        terminator = "-->" if text.startswith("<!--", opening) else "]]>"
        found = text.find(terminator, opening + 4, offset)
        if found < 0:
            return opening
        closed = found + len(terminator)
    less = text.rfind("<", least, offset)
    return offset if less < 0 else max(less, closed)
