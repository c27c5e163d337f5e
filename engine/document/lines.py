"""Comparing two texts by lines: which lines they have in common, and which ones are new, different or gone.

Lines that occur once in each text are found first and keep their order (patience difference, by Bram Cohen); what lies
between two of them is compared line by line. So the time grows with the length of the texts, not with its square.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import Enum
from typing import NamedTuple

__all__ = ["LineChange", "LineFate", "changed_lines", "matching_runs", "split_lines"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
MOST_PAIRS = 1_000_000
"""Stretches without a line of their own, which have more pairs of lines than this, count as different."""

Run = tuple[int, int, int]
"""where in the one text, where in the other, how many lines"""


class LineFate(Enum):
    """Result of an edit for a line: unchanged, changed, added or removed."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class LineChange(NamedTuple):
    """Lines [first, last) of the newer text, counted from 0, stand where the older one has [old_first, old_last)."""

    first: int
    last: int
    old_first: int
    old_last: int

    @property
    def fate(self) -> LineFate:
        if self.old_first == self.old_last:
            return LineFate.ADDED
        return LineFate.REMOVED if self.first == self.last else LineFate.CHANGED


def split_lines(text: str) -> list[str]:
    """The lines of a text, each with its line break."""
    return _LINE.findall(text)


def changed_lines(old: str, new: str) -> list[LineChange]:
    """The lines of `new` that differ from `old`, in order."""
    one, other = split_lines(old), split_lines(new)
    found = []
    a = b = 0
    for start, place, count in [*matching_runs(one, other), (len(one), len(other), 0)]:
        if start > a or place > b:
            found.append(LineChange(b, place, a, start))
        a, b = start + count, place + count
    return found


def matching_runs(one: Sequence[str], other: Sequence[str]) -> list[Run]:
    """Runs of lines that both have, in the order of both."""
    result: list[Run] = []
    for start, place, count in _runs(one, other):
        if result and (result[-1][0] + result[-1][2], result[-1][1] + result[-1][2]) == (start, place):
            result[-1] = (*result[-1][:2], result[-1][2] + count)
        elif count:
            result.append((start, place, count))
    return result


def _runs(one: Sequence[str], other: Sequence[str]) -> Iterator[Run]:
    head = _equal(one, other, 0, 0, len(one), len(other))
    tail = 0
    most = min(len(one), len(other)) - head
    while tail < most and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    yield 0, 0, head
    a, b = head, head
    last, end = len(one) - tail, len(other) - tail
    for i, j in [*_anchors(one, other, head, last, end), (last, end)]:
        if i < a or j < b:
            continue  # in a run already
        yield from _between(one, other, a, i, b, j)
        count = _equal(one, other, i, j, last, end)
        yield i, j, count
        a, b = i + count, j + count
    yield last, end, tail


def _equal(one: Sequence[str], other: Sequence[str], i: int, j: int, last: int, end: int) -> int:
    """How many lines are equal from i and j on."""
    count = 0
    while i + count < last and j + count < end and one[i + count] == other[j + count]:
        count += 1
    return count


def _anchors(one: Sequence[str], other: Sequence[str], first: int, last: int, end: int) -> list[tuple[int, int]]:
    """Places of lines that occur once in [first, last) and once in [first, end), as many as keep their order."""
    mine, theirs = _single(one, first, last), _single(other, first, end)
    pairs = [(i, theirs[line]) for line, i in mine.items() if line in theirs]
    ends: list[int] = []  # the smallest last place of an increasing sequence of each length
    at: list[int] = []  # the pair that ends it
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [j]
        at[length : length + 1] = [number]
    chain = []
    number = at[-1] if at else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    chain.reverse()
    return chain


def _single(lines: Sequence[str], first: int, last: int) -> dict[str, int]:
    """The lines that occur once, with their places, in order."""
    places: dict[str, int] = {}
    repeated = set()
    for i in range(first, last):
        line = lines[i]
        if line in places:
            repeated.add(line)
        else:
            places[line] = i
    for line in repeated:
        del places[line]
    return places


def _between(one: Sequence[str], other: Sequence[str], a: int, last: int, b: int, end: int) -> Iterator[Run]:
    """Runs between two anchors."""
    if a >= last or b >= end:
        return
    head = _equal(one, other, a, b, last, end)
    yield a, b, head
    a, b = a + head, b + head
    tail = 0
    while last - tail > a and end - tail > b and one[last - tail - 1] == other[end - tail - 1]:
        tail += 1
    if 0 < (last - tail - a) * (end - tail - b) <= MOST_PAIRS:
        inner = SequenceMatcher(None, one[a : last - tail], other[b : end - tail], autojunk=False)
        for i, j, count in inner.get_matching_blocks()[:-1]:
            yield a + i, b + j, count
    yield last - tail, end - tail, tail
