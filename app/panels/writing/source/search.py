"""Searching texts for a pattern, and what hits are replaced by."""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QRegularExpression

MOST_HITS = 20_000
MOST_SECONDS = 10.0
_WIDE = re.compile("[\U00010000-\U0010ffff]")
_GROUP = re.compile(r"\\(\d)|\$(\d)|\\(n|t|\\)")
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\"}


class Pattern(NamedTuple):
    """Search pattern. `is_regex`: a Perl-compatible regular expression."""

    text: str
    is_regex: bool = False
    matches_case: bool = False
    whole_words: bool = False

    def compiled(self) -> QRegularExpression:
        source = self.text if self.is_regex else QRegularExpression.escape(self.text)
        if self.whole_words:
            source = rf"(?<!\w)(?:{source})(?!\w)"
        options = QRegularExpression.PatternOption
        wanted = options.MultilineOption | options.UseUnicodePropertiesOption
        if not self.matches_case:
            wanted |= options.CaseInsensitiveOption
        return QRegularExpression(source, wanted)

    @property
    def mistake(self) -> str:
        """Error in the regular expression, "" if there is none."""
        compiled = self.compiled()
        return "" if compiled.isValid() else compiled.errorString()


class Hit(NamedTuple):
    """A span [start, end) of a text with the matches of the pattern's groups, the whole first."""

    start: int
    end: int
    groups: tuple[str, ...]


class Hits(NamedTuple):
    """Hits in a text. `more`: there may be more; `too_slow`: because the search took too long."""

    items: list[Hit]
    more: bool = False
    too_slow: bool = False


def find_all(text: str, pattern: Pattern, most: int = MOST_HITS, ended: Callable[[], bool] = lambda: False) -> Hits:
    """Every hit in a text, in order; empty ones are left out. `ended()`: nobody waits for the answer any more. For a
    thread: an expression may try very many ways before it fits."""
    if not pattern.text or pattern.mistake:
        return Hits([])
    # QRegularExpression counts UTF-16 units. It cannot be given half of a character.
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    wide = [] if text.isascii() else [match.start() + i for i, match in enumerate(_WIDE.finditer(text))]
    until = time.monotonic() + MOST_SECONDS
    found: list[Hit] = []
    matches = pattern.compiled().globalMatch(text)
    while matches.hasNext():
        match = matches.next()
        start, end = match.capturedStart(), match.capturedEnd()
        if end > start:
            if wide:
                start, end = start - bisect_left(wide, start), end - bisect_left(wide, end)
            found.append(Hit(start, end, tuple(match.capturedTexts())))
        is_late = time.monotonic() > until
        if len(found) >= most or is_late or ended():
            return Hits(found, True, is_late)
    given_up = not matches.isValid()  # PCRE stops after so many ways
    return Hits(found, given_up, given_up)


def replacement(hit: Hit, template: str, pattern: Pattern) -> str:
    r"""Replacement of a hit. For regular expressions $1 or \1 is the match of the first group, \n and \t are a line
    break and a tab.
    """
    if not pattern.is_regex:
        return template

    def expand(match: re.Match[str]) -> str:
        if match[3]:
            return _ESCAPES[match[3]]
        number = int(match[1] or match[2])
        return hit.groups[number] if number < len(hit.groups) else ""

    return _GROUP.sub(expand, template)
