"""Which entries a query means, and how well: every word of the query is found in an entry, if only as letters in
order. No toolkit."""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence
from typing import NamedTuple

EXACT, START, WORD, INSIDE, AROUND, LETTERS = 0.0, 1.0, 2.0, 4.0, 5.0, 7.0
"""Costs of a match: the whole name, its start, the start of a word, inside a word, in the text around the name, as
letters with others between them."""
MOST = 200
"""Entries of an answer."""


class SearchEntry(NamedTuple):
    """An entry of the search.

    name     displayed name
    folded   the name in lower case
    around   lower-case text that is searched after the name, such as the path of a menu
    bonus    subtracted from the cost, so that recently used entries come first
    payload  the object that it stands for
    """

    name: str
    folded: str
    around: str
    bonus: float
    payload: object


class Finder:
    """Finds entries while a query is typed: a query that begins as the one before searches what that one found."""

    def __init__(self, entries: Sequence[SearchEntry]):
        self._entries = entries
        self._query = ""
        self._numbers: Sequence[int] = range(len(entries))

    def found(self, query: str, most: int = MOST) -> list[SearchEntry]:
        """The best entries for a query, the best first; equally good ones in their order. All of them without a
        query."""
        entries, folded = self._entries, query.casefold()
        words = folded.split()
        if not words:
            return sorted(entries, key=lambda entry: -entry.bonus)
        numbers = self._numbers if self._query and folded.startswith(self._query) else range(len(entries))
        costs = [0.01 * len(entries[number].name) - entries[number].bonus for number in numbers]
        for word in words:
            pattern, kept, sums = _letters(word), [], []
            for number, before in zip(numbers, costs, strict=True):
                cost = _cost(word, pattern, entries[number])
                if cost is not None:
                    kept.append(number)
                    sums.append(before + cost)
            numbers, costs = kept, sums
        self._query, self._numbers = folded, numbers
        return [entries[number] for _, number in heapq.nsmallest(most, zip(costs, numbers, strict=True))]


def places(name: str, query: str) -> list[int]:
    """Which characters of a name a query has found, in order."""
    folded, hit = name.casefold(), set()
    if len(folded) != len(name):
        return []
    for word in query.casefold().split():
        start = _start(word, folded)
        if start >= 0:
            hit.update(range(start, start + len(word)))
        else:
            match = _letters(word).search(folded)
            if match is not None:
                hit.update(match.start(i + 1) for i in range(len(word)))
    return sorted(hit)


def _start(word: str, folded: str) -> int:
    """Where a word is in a name, at the start of a word of it if there is such a place; -1 if it is nowhere."""
    first = place = folded.find(word)
    while place > 0 and folded[place - 1].isalnum():
        place = folded.find(word, place + 1)
    return place if place >= 0 else first


def _letters(word: str) -> re.Pattern[str]:
    """Finds the letters of a word with any others between them; the first at the start of a word."""
    letters = [f"({re.escape(letter)})" for letter in word]
    return re.compile(r"(?:^|(?<=[\W_]))" + ".*?".join(letters))


def _cost(word: str, pattern: re.Pattern[str], entry: SearchEntry) -> float | None:
    """Cost of finding a word in an entry; None if it is not there."""
    folded = entry.folded
    if word in folded:
        if len(word) == len(folded):
            return EXACT
        start = _start(word, folded)
        return START if start == 0 else INSIDE if folded[start - 1].isalnum() else WORD
    if word in entry.around:
        return AROUND
    if len(word) < 2:
        return None
    match = pattern.search(folded)
    if match is None:
        return None
    spread = match.end() - match.start() - len(word)
    return LETTERS + 0.1 * spread
