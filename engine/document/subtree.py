"""Subtree: an element with all that it holds, without its place in a text.

Subtrees never change once they are part of a tree, and know only distances, not offsets: an edit makes new
subtrees for the element that it is in and for those around it, and all others are shared by the trees before
and after. A `Node` (engine/document/tree.py) is a subtree at its place in one version of a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, count
from operator import attrgetter
from typing import Any, NamedTuple

from kinetree.engine.diagnostics import Severity
from kinetree.engine.document import scanner

next_id = count(1).__next__
"""An id that no other element of this process has."""


def number_from(first: int) -> None:
    """Give new elements of this process ids from `first` on: another process gives the smaller ones."""
    global next_id
    next_id = count(first).__next__


LINE = "\0"
"""Stands in the message of a report for the number of the line of `Report.line_of`."""

NO_END = 1 << 62
"""An offset beyond the end of any text."""

_REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,20})|#x([0-9a-fA-F]{1,20}));|&|\r\n|\n\r|\r")
_PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}

Text = tuple[int, int, bool]
"""Character data: (start, end, literal), as distances from the start of the element around it."""


class Subtree:
    """One element.

    id        the identity of the element; an edit keeps it
    tag       its name
    gap       characters between the end of the sibling before it (or of the parent's start tag, or the start
              of the text) and its "<"
    name_at   where its name starts; this and the next three count from its "<"
    head      where its start tag ends
    tail      where its end tag starts; the end of the element if it has none
    width     where the element ends
    values    its attributes: (name, value in double quotes, value in single quotes), one of the two empty,
              in the order of the text; or, if `located`, (name, resolved value, (start of the name, start
              and end of the value))
    children  list of Subtree
    text      character data directly in it
    matched   whether a start tag opened and the end tag of the same name closed it, with nothing left open
              inside
    proper    whether its start tag is well-formed
    includes  number of <include> elements in it, itself counted
    memo      what was computed of it (see engine/assist/index.py), None for nothing
    """

    __slots__ = (
        "_starts",
        "children",
        "gap",
        "head",
        "id",
        "includes",
        "located",
        "matched",
        "memo",
        "name_at",
        "proper",
        "tag",
        "tail",
        "text",
        "values",
        "width",
    )

    def __init__(self, tag: str, gap: int, name_at: int, head: int, proper: bool) -> None:
        self.id = next_id()
        self.tag = tag
        self.gap = gap
        self.name_at = name_at
        self.head = self.tail = self.width = head
        self.proper = proper
        self.values: list[tuple[str, str, Any]] = []
        self.located = False
        self.children: list[Subtree] = []
        self.text: list[Text] | tuple[()] = ()
        self.matched = False
        self.includes = 0
        self._starts: list[int] | None = None
        self.memo: Any = None

    @property
    def starts(self) -> list[int]:
        """Where the children start, counted from the start of the element."""
        if self._starts is None:
            # The end of the start tag, then the start and the end of each child in turn.
            steps = [self.head] * (2 * len(self.children) + 1)
            steps[1::2] = map(_GAP, self.children)
            steps[2::2] = map(_WIDTH, self.children)
            self._starts = list(accumulate(steps))[1::2]
        return self._starts

    def places(self, start: int, text: str) -> Iterator[tuple[str, int, int]]:
        """(name, start of the value, end of the value) of the attributes, for the element that starts at an offset of
        a text."""
        if self.located:
            for name, _, (_, first, last) in self.values:
                yield name, start + first, start + last
        elif self.values:
            after_tag = start + self.name_at + len(self.tag)
            for name, _, first, last in scanner.attributes(text, after_tag, start + self.head):
                yield name, first, last

    def copy(self, gap: int | None = None) -> Subtree:
        """The same element, to be changed before it becomes part of a tree."""
        made = object.__new__(Subtree)
        for name in Subtree.__slots__:
            setattr(made, name, getattr(self, name))
        if gap is not None:
            made.gap = gap
        made.memo = None
        return made

    def walk(self, start: int, parent: int = 0) -> Iterator[tuple[Subtree, int, int]]:
        """(subtree, its offset, id of its parent) of this element and all in it, in the order of the text,
        for this one starting at `start`."""
        stack = [(self, start, parent)]
        while stack:
            item = stack.pop()
            yield item
            subtree, start, _ = item
            if subtree.children:
                identity = subtree.id
                stack += [
                    (child, start + offset, identity)
                    for child, offset in zip(reversed(subtree.children), reversed(subtree.starts))
                ]


_GAP, _WIDTH = attrgetter("gap"), attrgetter("width")


class Report(NamedTuple):
    """Something wrong with a text.

    start, end  the characters that it is about
    line_of     offset whose line the message names in the place of LINE
    time        offset of the token at which it was found
    reach       end of the text that the scanner looked at to find that token; 0 if that is only the token
                itself
    """

    severity: Severity
    start: int
    end: int
    code: str
    message: str
    line_of: int = 0
    time: int = 0
    reach: int = 0


class Syntax(NamedTuple):
    """The parse of a text.

    root     the root element, None if there is none
    reports  in the order in which they were found
    whole    whether only a parse of the whole text can tell what an edit does to it
    doctype  whether a document type stands before the root element
    """

    root: Subtree | None
    reports: list[Report]
    whole: bool
    doctype: bool


def resolve(raw: str) -> str:
    """Character data or a value with references resolved and line breaks as "\\n". What is not a reference
    to one of XML's five entities or to a character stays as it is."""
    if "&" not in raw and "\r" not in raw:
        return raw
    return _REFERENCE.sub(_resolved, raw)


def stray_ampersands(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Each "&" in a stretch of the text that does not start a known reference: (start, end)."""
    for match in _REFERENCE.finditer(text, start, end):
        if match[0][0] == "&" and _resolved(match) == match[0]:
            yield match.span()


def _resolved(match: re.Match[str]) -> str:
    whole = match[0]
    if whole[0] != "&":
        return "\n"
    if match[1] is not None:
        return _PREDEFINED[match[1]]
    code = -1
    if match[2] is not None:
        code = int(match[2])
    elif match[3] is not None:
        code = int(match[3], 16)
    if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF:
        return chr(code)
    return whole
