"""A tree as a table: which rows are expanded, which match the filter, and which are shown, in order.

No toolkit: `app/panels/outline_view.py` draws the shown rows as a flat list, so that the window's work
depends on the height of the panel and not on the number of rows. Every operation is a few passes of numpy
over the columns.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np


class Rows:
    """The rows of a tree in depth-first order, each before its children; one list for each column.

    kinds    what a row is ("body", "geom", ...), also the name of its icon
    names    the text of a row
    details  what follows the text where there is space, such as a type; "" for nothing
    keys     the identity of a row, equal in the next version of the same tree
    values   what the user of the table connects with the row; None for a row that only groups others
    depths   0 for the top rows
    """

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.names: list[str] = []
        self.details: list[str] = []
        self.keys: list[Hashable] = []
        self.values: list[Hashable | None] = []
        self.depths: list[int] = []

    def __len__(self) -> int:
        return len(self.kinds)

    def add(self, depth: int, kind: str, name: str, detail: str, key: Hashable, value: Hashable | None) -> None:
        """Append a row; its parent is the last row before it with a smaller depth."""
        self.depths.append(depth)
        self.kinds.append(kind)
        self.names.append(name)
        self.details.append(detail)
        self.keys.append(key)
        self.values.append(value)


class Outline:
    """The state of a tree on the screen: `shown` holds the numbers of the rows to draw, from top to bottom,
    and `matching` (bool, one for each row) says which match the filter.

    While there is a filter, a row is visible if it matches, if a row below it matches, or if it is below one
    that matches; ancestors of matches are expanded. What the user had expanded comes back when the filter is
    cleared.
    """

    def __init__(self) -> None:
        self.rows = Rows()
        self.filter = ""
        self.matching = np.zeros(0, bool)
        self._set_columns()
        self._expanded = np.zeros(0, bool)
        self._visible: np.ndarray | None = None
        self._filter_expanded = np.zeros(0, bool)
        self.shown = np.zeros(0, np.int64)

    # ---- rows ----------------------------------------------------------------------------------------------

    def set_rows(self, rows: Rows, expanded: np.ndarray, keep: bool) -> None:
        """Show other rows. `expanded` (bool, one for each row) is what is expanded at first; with `keep`,
        rows that were there before, by key, stay expanded or collapsed as they were.
        """
        if keep and len(self.rows):
            before = dict(zip(self.rows.keys, self._expanded.tolist(), strict=True))
            kept = [before.get(key, first) for key, first in zip(rows.keys, expanded.tolist(), strict=True)]
            expanded = np.array(kept, bool)
        self.rows = rows
        self._set_columns()
        self._expanded = np.array(expanded, bool)
        self.set_filter(self.filter)

    def _set_columns(self) -> None:
        rows, count = self.rows, len(self.rows)
        depths = np.array([*rows.depths, -1], np.int64)
        ends, parents, ancestors = [count] * count, [-1] * count, []
        for row, depth in enumerate(rows.depths):
            while ancestors and rows.depths[ancestors[-1]] >= depth:
                ends[ancestors.pop()] = row
            parents[row] = ancestors[-1] if ancestors else -1
            ancestors.append(row)
        self._ends = np.array(ends, np.int64)  # one past the last row below
        self._parents = parents
        self._has_children = depths[1:] > depths[:-1]
        self._row_of_value = {value: row for row, value in enumerate(rows.values) if value is not None}
        self._searched: list[str] | None = None

    def row_of(self, value: Hashable) -> int:
        """The row that stands for a value, -1 if there is none."""
        return self._row_of_value.get(value, -1)

    def parent(self, row: int) -> int:
        """The row above which this one is nested, -1 for a top row."""
        return self._parents[row]

    # ---- filter --------------------------------------------------------------------------------------------

    def set_filter(self, text: str) -> None:
        """Show the rows for which each word of the text is part of the name or detail, or is the kind."""
        self.filter = text
        words = text.casefold().split()
        self._visible = None
        if words:
            hits = np.ones(len(self.rows), bool)
            for word in words:
                hits &= self._hits(word)
            self.matching = hits
            self._filter_expanded = self._holds(hits)
            self._visible = hits | self._below(hits) | self._filter_expanded
        else:
            self.matching = np.zeros(len(self.rows), bool)
        self._update()

    def _hits(self, word: str) -> np.ndarray:
        if self._searched is None:
            texts = zip(self.rows.names, self.rows.details, strict=True)
            self._searched = [f"{name}\n{detail}".casefold() for name, detail in texts]
        kind = _singular(word)
        pairs = zip(self._searched, self.rows.kinds, strict=True)
        return np.fromiter((word in text or kind == its for text, its in pairs), bool, len(self.rows))

    def _holds(self, mask: np.ndarray) -> np.ndarray:
        """For each row, whether the mask is true for a row below it."""
        total = np.concatenate(([0], np.cumsum(mask)))
        return total[self._ends] > total[np.arange(len(mask)) + 1]

    def _below(self, mask: np.ndarray) -> np.ndarray:
        """For each row, whether the mask is true for a row above which it is nested."""
        change = np.zeros(len(mask) + 1, np.int64)
        chosen = np.flatnonzero(mask)
        np.add.at(change, chosen + 1, 1)
        np.add.at(change, self._ends[chosen], -1)
        return np.cumsum(change)[:-1] > 0

    # ---- expanding -----------------------------------------------------------------------------------------

    def _state(self) -> np.ndarray:
        return self._expanded if self._visible is None else self._filter_expanded

    def _update(self) -> None:
        collapsed = self._has_children & ~self._state()
        shown = ~self._below(collapsed)
        if self._visible is not None:
            shown &= self._visible
        self.shown = np.flatnonzero(shown)

    def has_children(self, row: int) -> bool:
        """Whether the filter leaves rows below this one. All rows below a match are left."""
        return bool(self._has_children[row]) and (
            self._visible is None or bool(self._visible[row + 1 : self._ends[row]].any())
        )

    def is_expanded(self, row: int) -> bool:
        return bool(self._state()[row])

    def expand(self, row: int, expanded: bool, everything: bool = False) -> None:
        """Expand or collapse a row, with `everything` also all rows below it."""
        self._state()[row : self._ends[row] if everything else row + 1] = expanded
        self._update()

    def reveal(self, row: int) -> bool:
        """Expand what a row is nested in. False if the filter hides the row."""
        if self._visible is not None and not self._visible[row]:
            return False
        state, changed, parent = self._state(), False, self._parents[row]
        while parent >= 0:
            changed |= not state[parent]
            state[parent] = True
            parent = self._parents[parent]
        if changed:
            self._update()
        return True

    def position(self, row: int) -> int:
        """Where in `shown` a row is, -1 if it is not shown."""
        place = int(np.searchsorted(self.shown, row))
        return place if place < len(self.shown) and self.shown[place] == row else -1


def _singular(word: str) -> str:
    for plural, singular in (("ies", "y"), ("xes", "x"), ("s", "")):
        if word.endswith(plural):
            return word.removesuffix(plural) + singular
    return word
