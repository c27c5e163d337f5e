"""Formatting on request: indentation, and the spaces between tags and attributes.

Elements and attributes keep their order and comments stay, also at the end of a line. Several blank lines become one.
Attributes stay on their lines; a short element with only empty children stays on one line. Values and elements with
character data are not changed. The result is a list of edits of white space, so that the model, the identities of the
elements and all other lines stay the same. A text with errors is not formatted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kinetree.engine.diagnostics import Severity
from kinetree.engine.document import scanner
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.layout import indent_unit, line_break
from kinetree.engine.document.source import Source

__all__ = ["CannotFormat", "format_edits"]

_BREAKS = re.compile(r"\r\n|\n|\r")
_EMPTY_WITH_SPACE = re.compile(r"\s/>")
_EMPTY_WITHOUT = re.compile(r"[^\s]/>")
_TIDY = re.compile(r"""(?: [^\s=]+=(?:"[^"]*"|'[^']*'))*""")  # attributes keep their lines
LONGEST = 120
"""Elements on one line: longest line that is made or kept."""
_LITERAL = {scanner.TEXT, scanner.CDATA}


class CannotFormat(ValueError):
    """A text has XML errors; str() names the first one."""


def format_edits(document: Document, path: str, unit: str | None = None) -> list[Edit]:
    """The edits that format one file.

    unit  one step of indentation; None: the one that the text uses

    Raises CannotFormat, and KeyError for a file that is not part of the document.
    """
    source = document.source_of(path)
    errors = [
        item
        for item in document.diagnostics
        if item.file == source.path and item.severity is Severity.ERROR and item.code.startswith("xml-")
    ]
    if errors:
        raise CannotFormat(f"line {errors[0].line}: {errors[0].message}")
    text = source.text
    return [
        edit
        for edit in _Formatter(source, unit or indent_unit(text)).edits()
        if text[edit.start : edit.end] != edit.text
    ]


class _Formatter:
    def __init__(self, source: Source, unit: str) -> None:
        self.text = source.text
        self.unit = unit
        self.line_break = line_break(source.text)
        with_space = len(_EMPTY_WITH_SPACE.findall(source.text))
        self.before_end = " " if with_space > len(_EMPTY_WITHOUT.findall(source.text)) else ""
        self.starts: list[str] = []  # indentation of lines, by depth, including the line break

    def edits(self) -> Iterator[Edit]:
        tokens = list(scanner.scan(self.text, lambda *report: None))
        literal = _with_text(tokens)
        together = self.short(tokens)
        last = -1  # the last token of a short element on one line
        depth, position = 0, 0
        quiet = 0  # depth of elements with character data 90# <body></body>
        before = None
        for number, token in enumerate(tokens):
            kind, start, end = token[:3]
            if kind == scanner.END:
                depth -= 1
            if number <= last and not quiet:
                yield Edit(position, start, " " if start > position else "")
            elif not quiet:
                yield from self.gap(position, start, depth, before, kind)
            last = max(last, together.get(number, -1))
            if kind == scanner.END and quiet:
                quiet -= 1
            if kind in (scanner.START, scanner.EMPTY):
                if not quiet:
                    yield from self.tag(token, depth)
                if kind == scanner.START:
                    depth += 1
                    quiet += bool(quiet or number in literal)
            elif kind == scanner.END and not quiet:
                yield from self.end_tag(token)
            before = kind
            position = end
        rest = self.text[position:]
        if rest.isspace() and tokens:
            yield Edit(position, len(self.text), self.line_break if _BREAKS.search(rest) else "")

    def short(self, tokens: list[scanner.Token]) -> dict[int, int]:
        """The elements that stay on one line: number of the start tag -> number of the end tag."""
        found = {}
        start = None
        depth = 0
        for number, (kind, _, end, *_) in enumerate(tokens):
            if kind == scanner.START:
                start, depth = number, depth + 1
            elif kind == scanner.END:
                depth -= 1
                if start is not None:
                    begin = tokens[start][1]
                    width = end - begin + depth * len(self.unit)
                    if width <= LONGEST and not _BREAKS.search(self.text, begin, end):
                        found[start] = number
                start = None
            elif kind != scanner.EMPTY:
                start = None
        return found

    def gap(self, start: int, end: int, depth: int, before: int | None, kind: int) -> Iterator[Edit]:
        """The white space between two tokens."""
        while depth >= len(self.starts):
            self.starts.append(self.line_break + self.unit * len(self.starts))
        if before is not None and self.text[start:end] == self.starts[depth]:
            return
        breaks = len(_BREAKS.findall(self.text[start:end]))
        if {kind, before} & _LITERAL:
            return
        if before is None:
            yield Edit(start, end, "")
        elif kind == scanner.COMMENT and not breaks:
            yield Edit(start, end, " " if before != scanner.COMMENT or end > start else "")
        elif kind == scanner.END and before == scanner.START and not breaks:
            yield Edit(start, end, "")  # <body></body>
        else:
            yield Edit(start, end, self.line_break * min(max(breaks, 1), 2) + self.unit * depth)

    def tag(self, token: scanner.Token, depth: int) -> Iterator[Edit]:
        """The white space inside a start tag."""
        kind, _, end, name, name_start, found = token
        text = self.text
        closing = end - (2 if kind == scanner.EMPTY else 1)
        before_end = self.before_end if kind == scanner.EMPTY else ""
        if not isinstance(found, list) and text[found[1] : closing] == before_end and _TIDY.fullmatch(text, *found):
            return
        attributes = found if isinstance(found, list) else scanner.attributes(text, *found)
        position = name_start + len(name)
        column = None
        for each, first, value_start, value_end in attributes:
            gap = text[position:first]
            if not _BREAKS.search(gap):
                yield Edit(position, first, " ")
                if column is None:
                    column = " " * (len(name) + 2)
            else:
                yield Edit(position, first, self.line_break + self.unit * depth + (column or self.unit))
                column = column or self.unit
            yield Edit(first + len(each), value_start - 1, "=")
            position = value_end + 1
        yield Edit(position, closing, before_end)

    def end_tag(self, token: scanner.Token) -> Iterator[Edit]:
        _, _, end, name, name_start, _ = token
        position = name_start + len(name)
        if self.text[position : end - 1].isspace():
            yield Edit(position, end - 1, "")


def _with_text(tokens: list[scanner.Token]) -> set[int]:
    """Numbers of the start tags of elements with character data."""
    found: set[int] = set()
    open_tags: list[int] = []
    for number, token in enumerate(tokens):
        kind = token[0]
        if kind == scanner.START:
            open_tags.append(number)
        elif kind == scanner.END and open_tags:
            open_tags.pop()
        elif kind in (scanner.TEXT, scanner.CDATA) and open_tags:
            found.add(open_tags[-1])
    return found
