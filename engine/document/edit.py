"""Edit: replacements in one version of a text.

A list of edits speaks of one text: all offsets are those of the text before any of them. Edits do not
overlap; two that insert at the same place act in the order of the list.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kinetree.engine.translation import tr

_place = itemgetter(0, 1)
_END = 1 << 62  # beyond the end of any text


class Edit(NamedTuple):
    """Replace the characters [start, end) by `text`. start == end inserts, an empty text removes."""

    start: int
    end: int
    text: str


def ordered(edits: Iterable[Edit], length: int | None = None) -> list[Edit]:
    """The edits sorted by place. Raises ValueError if two overlap or one lies outside a text of that
    length."""
    result = sorted(edits, key=_place)
    position = 0
    for start, end, _ in result:
        if start < position:
            raise ValueError(tr("edits overlap at character {start}", start=start))
        if end < start:
            raise ValueError(tr("an edit ends at character {end}, before its start {start}", end=end, start=start))
        position = end
    if length is not None and position > length:
        raise ValueError(
            tr("an edit reaches to character {position} of a text of {length}", position=position, length=length)
        )
    return result


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits. Raises ValueError (see `ordered`)."""
    parts = []
    position = 0
    for edit in ordered(edits, len(text)):
        parts.append(text[position : edit.start])
        parts.append(edit.text)
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)


def inverse(text: str, edits: Iterable[Edit]) -> list[Edit]:
    """The edits of `apply(text, edits)` that give `text` back."""
    result = []
    shift = 0
    for edit in ordered(edits, len(text)):
        start = edit.start + shift
        result.append(Edit(start, start + len(edit.text), text[edit.start : edit.end]))
        shift += len(edit.text) - (edit.end - edit.start)
    return result


def compose(first: Iterable[Edit], second: Iterable[Edit]) -> list[Edit]:
    """The edits of one text that do what `first` does to it and then `second` to the result."""
    # The text between the two, as pieces: stretches of the old text and inserted text.
    pieces: list[tuple[int, int] | str] = []
    position = 0
    for edit in ordered(first):
        pieces += [(position, edit.start), edit.text]
        position = edit.end
    pieces.append((position, _END))
    result: list[tuple[int, int] | str] = []
    place, index, offset = 0, 0, 0  # in the text between; the piece there, and how far into it
    for edit in [*ordered(second), None]:
        for target, keep in ((_END, True),) if edit is None else ((edit.start, True), (edit.end, False)):
            while index < len(pieces) and place < target:
                piece = pieces[index]
                length = len(piece) if isinstance(piece, str) else piece[1] - piece[0]
                step = min(length - offset, target - place)
                if keep:
                    result.append(
                        piece[offset : offset + step]
                        if isinstance(piece, str)
                        else (piece[0] + offset, piece[0] + offset + step)
                    )
                place, offset = place + step, offset + step
                if offset == length:
                    index, offset = index + 1, 0
        if edit is not None:
            result.append(edit.text)
    edits = []
    position, text = 0, ""
    for piece in result:
        if isinstance(piece, str):
            text += piece
        elif piece[0] < piece[1]:
            if text or piece[0] > position:
                edits.append(Edit(position, piece[0], text))
            position, text = piece[1], ""
    return edits


def difference(old: str, new: str) -> list[Edit]:
    """One edit, from the first to the last character that differ, that makes `new` of `old`; [] if they are
    equal."""
    if old == new:
        return []
    start = _common(old, new)
    longest = min(len(old), len(new)) - start
    end = min(_common(old[::-1], new[::-1]), longest)
    return [Edit(start, len(old) - end, new[start : len(new) - end])]


def difference_of_tags(old: str, new: str) -> list[Edit]:
    """As `difference`, but an edit of more than one tag begins with the whole first tag. So if one of two elements that
    begin with the same characters is removed, the edit covers exactly that element.
    """
    edits = difference(old, new)
    for start, end, text in edits:
        opening = old.rfind("<", 0, start)
        if opening > old.rfind(">", 0, start) and any(mark in part for mark in "<>" for part in (text, old[start:end])):
            return [Edit(opening, end, old[opening:start] + text)]
    return edits


def moved(places: ArrayLike, edits: Iterable[Edit], after: bool = True) -> np.ndarray:
    """Maps offsets of the old text to the new one: int64, of the shape of `places`. An offset inside a replaced span
    goes to the end of the replacement; at the start of the span it stays there. Text inserted right at a place comes
    before it (`after`) or after it.
    """
    known, edits = np.asarray(places, np.int64), ordered(edits)
    if not edits:
        return known.copy()
    starts, ends = (np.array([edit[i] for edit in edits], np.int64) for i in (0, 1))
    lengths = np.array([len(edit.text) for edit in edits], np.int64)
    shifts = np.concatenate(([0], np.cumsum(lengths - (ends - starts))))
    counts = np.searchsorted(starts, known, "right" if after else "left")  # of the edits before each place
    last = np.maximum(counts - 1, 0)
    within = (counts > 0) & (ends[last] > known)
    inside = starts[last] + shifts[last] + np.where(starts[last] < known, lengths[last], 0)
    return np.where(within, inside, known + shifts[counts])


def carried(offset: int, edits: Iterable[Edit]) -> int | None:
    """Where a character of the old text is in the new one; None if it was replaced. The edits are sorted."""
    shift = 0
    for edit in edits:
        if edit.start > offset:
            break
        if edit.end > offset:
            return None
        shift += len(edit.text) - (edit.end - edit.start)
    return offset + shift


def _common(one: str, other: str) -> int:
    """Length of the common start: by halves, so that comparing is done in C."""
    high = min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    return bisect_right(range(high), False, key=lambda last: one[: last + 1] != other[: last + 1])
