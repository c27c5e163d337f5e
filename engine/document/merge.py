"""Merging two changed versions of one text, by lines and three ways: what only one side changed is taken from that
side, what both changed alike is taken once, and what both changed differently is a conflict that the user decides.

    merge = Merge.of(base, ours, theirs)
    merge.conflicts                      stretches that both changed
    merge.edits({0: ConflictChoice.THEIRS})      edits of `ours`: what the other side changed, and the choices

Source: Khanna, Kunal, Pierce, "A Formal Investigation of Diff3", 2007.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from kinetree.engine.document.edit import Edit, apply
from kinetree.engine.document.lines import matching_runs, split_lines


class ConflictChoice(Enum):
    """Text to use where both sides changed the same lines."""

    OURS = "ours"
    THEIRS = "theirs"
    BOTH = "both"
    """Our lines, then theirs."""


class Conflict(NamedTuple):
    """Lines that both sides changed, differently.

    start, end  the stretch of our text
    base, ours, theirs  what the three versions have there, whole lines; any may be empty
    line        the first line in our text, 1-based
    """

    start: int
    end: int
    base: str
    ours: str
    theirs: str
    line: int


@dataclass(frozen=True, slots=True)
class Merge:
    """Result of a three-way merge.

    ours       our text, to which the edits apply
    taken      edits of it: the changes made only by the other side
    conflicts  in the order of the text
    """

    ours: str
    taken: tuple[Edit, ...]
    conflicts: tuple[Conflict, ...]

    @classmethod
    def of(cls, base: str, ours: str, theirs: str) -> Merge:
        """Compare two versions with the one that both come from."""
        lines = [split_lines(text) for text in (base, ours, theirs)]
        offsets = [0, *accumulate(map(len, lines[1]))]
        taken: list[Edit] = []
        conflicts: list[Conflict] = []
        at = (0, 0, 0)
        for same, count in _common(*lines):
            was, mine, other = ("".join(side[a:b]) for side, a, b in zip(lines, at, same, strict=True))
            if other not in (was, mine):
                start, end = offsets[at[1]], offsets[same[1]]
                if mine == was:
                    taken.append(Edit(start, end, other))
                else:
                    conflicts.append(Conflict(start, end, was, mine, other, at[1] + 1))
            at = (same[0] + count, same[1] + count, same[2] + count)
        return cls(ours, tuple(taken), tuple(conflicts))

    def edits(self, choices: Mapping[int, ConflictChoice] | None = None) -> list[Edit]:
        """The edits that make the merged text of ours. `choices`: for conflicts by number; our lines stay in
        the others."""
        result = list(self.taken)
        for number, choice in (choices or {}).items():
            conflict = self.conflicts[number]
            if choice is ConflictChoice.THEIRS:
                result.append(Edit(conflict.start, conflict.end, conflict.theirs))
            elif choice is ConflictChoice.BOTH:
                between = "" if not conflict.ours or conflict.ours.endswith(("\n", "\r")) else "\n"
                result.append(Edit(conflict.end, conflict.end, between + conflict.theirs))
        return sorted(result)

    def text(self, choices: Mapping[int, ConflictChoice] | None = None) -> str:
        """The merged text, see `edits`."""
        return apply(self.ours, self.edits(choices))


def _common(base: list[str], ours: list[str], theirs: list[str]) -> Iterator[tuple[tuple[int, int, int], int]]:
    """The runs of lines that all three have, in order: (where they begin in each, how many). The last one is empty
    and stands at the ends."""
    first, second = matching_runs(base, ours), matching_runs(base, theirs)
    i = j = 0
    while i < len(first) and j < len(second):
        (a, mine, m), (b, other, n) = first[i], second[j]
        start, end = max(a, b), min(a + m, b + n)
        if start < end:
            yield (start, mine + start - a, other + start - b), end - start
        if a + m < b + n:
            i += 1
        else:
            j += 1
    yield (len(base), len(ours), len(theirs)), 0
