"""How a text is laid out: its indentation and line breaks."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

__all__ = ["indent_at", "indent_unit", "line_break"]

_INDENT = re.compile(r"(?:\A|[\r\n])([ \t]*)<[^\s/!?]")
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
    """One step of indentation: the most frequent step from one line that starts with a tag to the next deeper one;
    two spaces where there is none."""
    return _unit(text[:LOOKED_AT])


@lru_cache(maxsize=16)
def _unit(text: str) -> str:
    steps: Counter[str] = Counter()
    before: str | None = None
    for found in _INDENT.finditer(text):
        indent = found[1]
        if before is not None and indent.startswith(before) and len(indent) > len(before):
            steps[indent[len(before) :]] += 1
        before = indent
    return steps.most_common(1)[0][0] if steps else "  "
