"""Offsets of a text and positions in the QTextDocument that shows it.

The project counts characters (code points), QTextDocument counts UTF-16 units and takes every line break for one
position. The two differ behind characters outside the Basic Multilingual Plane, which are two units, and behind
"\\r\\n", which is one position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from kinetree.engine.document.edit import Edit, ordered

_SPECIAL = re.compile("\r\n|[\U00010000-\U0010ffff]")
_UNSHOWN = re.compile("[\0\u2028\u2029\ufdd0-\ufdef\ud800-\udfff]")
MANY = 50
"""Above this number of edits at once the text is searched again, instead of moving the hits."""


def shown(text: str) -> str:
    """The text as the QTextDocument gets it: characters that mean something to it (its own separators, bytes that
    are no text) are shown as U+FFFD. As many UTF-16 units as before."""
    return text if text.isascii() and "\0" not in text else _UNSHOWN.sub("\ufffd", text)


def whole_breaks(text: str, edits: Iterable[Edit]) -> list[Edit]:
    """The same edits of `text`, in order, widened so that none begins or ends inside a "\\r\\n" of the text before or
    after it.
    """
    edits = ordered(edits)
    if "\r" not in text and not any("\r" in edit.text for edit in edits):
        return edits
    result: list[Edit] = []
    for start, end, new in edits:
        if result and start <= result[-1].end:  # what the two insert may make one line break too
            before = result.pop()
            beyond = before.end - start  # 1 where that one was widened
            start, new = before.start, before.text[: len(before.text) - beyond] + new
        elif start > 0 and text[start - 1] == "\r":
            start, new = start - 1, "\r" + new
        splits = end > 0 and text[end - 1] == "\r"
        if text[end : end + 1] == "\n" and (splits or new.endswith("\r")):
            end, new = end + 1, new + "\n"
        result.append(Edit(start, end, new))
    return result


class TextPositions:
    """Offsets and positions of one text, which can be edited."""

    def __init__(self, text: str) -> None:
        self._set(*_special(text))

    def _set(self, places: np.ndarray, steps: np.ndarray) -> None:
        """places: offsets of the special characters; steps: 1 where one is two units, -1 where it is a "\\r\\n"."""
        self._places, self._steps = places, steps
        self._sums = np.concatenate(([0], np.cumsum(steps)))
        self._positions = places + self._sums[:-1]

    def position(self, offset: int) -> int:
        """The position in the QTextDocument of an offset of the text."""
        if not len(self._places):
            return offset
        return offset + int(self._sums[np.searchsorted(self._places, offset)])

    def offset(self, position: int) -> int:
        """The offset in the text of a position in the QTextDocument."""
        if not len(self._places):
            return position
        return position - int(self._sums[np.searchsorted(self._positions, position)])

    def follow(self, edits: Sequence[Edit], text: str) -> None:
        """Follow edits, in order and not inside of line breaks (`whole_breaks`), that made `text`."""
        if len(edits) > MANY:
            self._set(*_special(text))
            return
        places, steps = self._places, self._steps
        changed = False
        for start, end, new in reversed(edits):
            low, high = np.searchsorted(places, (start, end)) if len(places) else (0, 0)
            more, weights = _special(new)
            if len(places) or len(more):
                shift = len(new) - (end - start)
                places = np.concatenate((places[:low], more + start, places[high:] + shift))
                steps = np.concatenate((steps[:low], weights, steps[high:]))
                changed = True
        if changed:
            self._set(places, steps)


def _special(text: str) -> tuple[np.ndarray, np.ndarray]:
    if text.isascii() and "\r" not in text:
        found: list[re.Match[str]] = []
    else:
        found = list(_SPECIAL.finditer(text))
    places = np.array([match.start() for match in found], dtype=np.int64)
    steps = np.array([-1 if match[0] == "\r\n" else 1 for match in found], dtype=np.int64)
    return places, steps
