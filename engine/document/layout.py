"""How a text is laid out: its indentation and line breaks."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

__all__ = ["indent_at", "indent_unit", "line_break", "reindented", "unit_of"]

_INDENT = re.compile(r"(?:\A|[\r\n])([ \t]*)<[^\s/!?]")
_LINE = re.compile(r"([ \t]*)([^\r\n]*(?:\r\n|\n|\r|\Z))")
_MARKUP = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+>", re.DOTALL)
LOOKED_AT = 20_000
"""Characters of a text that tell its layout."""


def line_break(text: str) -> str:
    """The line break that a text uses: that of its first line."""
    found = re.compile(r"\r\n|\n|\r").search(text)
    return "\n" if found is None else found[0]


def indent_at(text: str, offset: int) -> str:
    """The white space that the line of an offset starts with."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line = text[start:offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def indent_unit(text: str) -> str:
    """One step of indentation, see `unit_of`; two spaces where the text shows none."""
    return unit_of(text) or "  "


def unit_of(text: str) -> str | None:
    """One step of indentation: the most frequent step from one line that starts with a tag to the next deeper one; None
    where there is none."""
    return _unit(text[:LOOKED_AT])


@lru_cache(maxsize=16)
def _unit(text: str) -> str | None:
    steps: Counter[str] = Counter()
    before: str | None = None
    for found in _INDENT.finditer(text):
        indent = found[1]
        if before is not None and indent.startswith(before) and len(indent) > len(before):
            steps[indent[len(before) :]] += 1
        before = indent
    return steps.most_common(1)[0][0] if steps else None


def reindented(xml: str, step: str | None) -> str:
    """A piece of XML, whose first line is not indented, with another step of indentation; None for its own one. The
    lines of a tag, a comment or a value that is longer than a line follow the first of them."""
    unit = unit_of(xml)
    if unit is None or step is None or unit == step:
        return xml
    long = [(found.start(), found.end()) for found in _MARKUP.finditer(xml) if _has_lines(found[0])]
    at, old, new, result = 0, "", "", []
    for line in _LINE.finditer(xml):
        while at < len(long) and long[at][1] <= line.start():
            at += 1
        indent, rest = line.groups()
        if at < len(long) and long[at][0] < line.start():
            result.append(new + indent.removeprefix(old) if indent.startswith(old) else indent)
        else:
            count = 0
            while indent.startswith(unit, count * len(unit)):
                count += 1
            old, new = indent, step * count + indent[count * len(unit) :]
            result.append(new)
        result.append(rest)
    return "".join(result)


def _has_lines(text: str) -> bool:
    return "\n" in text or "\r" in text
