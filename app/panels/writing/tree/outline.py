"""A tree as a table: which rows are expanded, which match the filter, and which are shown, in order.

No toolkit: `app/panels/writing/tree/view.py` draws the shown rows as a flat list, so that the window's work depends on
the
height of the panel and not on the number of rows. Every operation is a few passes of numpy over the columns; an edit of
the text replaces only the rows that it changed (`splice`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np


class OutlineItem(Protocol):
    """An item of the tree: an element of a text (`kinetree.engine.document.subtree.Subtree`) or a `Thing`."""

    @property
    def id(self) -> Hashable: ...


class Block:
    """Some rows of a tree in depth-first order, each before its children.

    items    what each row shows; its `id` is the identity of the row, equal in the next version of the tree
    depths   (n,) 0 for top rows
    ends     (n,) one past the last row below
    parents  (n,) the row in which it is nested; -1 for the rows of the least depth
    """

    def __init__(self, items: list, depths: Sequence[int]) -> None:
        self.items = items
        count = len(items)
        ends, parents, ancestors = [count] * count, [-1] * count, []
        for row, depth in enumerate(depths):
            while ancestors and depths[ancestors[-1]] >= depth:
                ends[ancestors.pop()] = row
            parents[row] = ancestors[-1] if ancestors else -1
            ancestors.append(row)
        self.depths = np.array(depths, np.int64)
        self.ends = np.array(ends, np.int64)
        self.parents = np.array(parents, np.int64)

    def __len__(self) -> int:
        return len(self.items)


def block_of(tops: Iterable, children: Callable[[Any], Sequence], depth: int = 0) -> Block:
    """The rows of some items with all below them."""
    items, depths = [], []
    stack = [(item, depth) for item in reversed(list(tops))]
    while stack:
        item, at = stack.pop()
        items.append(item)
        depths.append(at)
        inside = children(item)
        if inside:
            stack += [(child, at + 1) for child in reversed(inside)]
    return Block(items, depths)


class TreeOutline:
    """The state of a tree on the screen: `shown` holds the numbers of the rows to draw, from top to bottom,
    and `matching` (bool, one for each row) says which match the filter; None without a filter.

    While there is a filter, a row is visible if it matches, if a row below it matches, or if it is below one
    that matches; ancestors of matches are expanded. What the user had expanded comes back when the filter is
    cleared.
    """

    def __init__(self) -> None:
        self.items: list = []
        self.matching: np.ndarray | None = None
        self.shown = np.zeros(0, np.int64)
        self._take(Block([], []))
        self._expanded = np.zeros(0, bool)
        self._visible: np.ndarray | None = None
        self._filter_expanded = np.zeros(0, bool)
        self._remembered: dict[Hashable, bool] = {}
        """Whether rows that are gone were expanded: they may come back."""

    def __len__(self) -> int:
        return len(self.items)

    # ---- rows ----------------------------------------------------------------------------------------------

    def set_rows(self, block: Block, expanded: np.ndarray, keep: bool) -> None:
        """Show other rows. `expanded` (bool, one for each row) is what is expanded at first; with `keep`,
        rows that were there before, by id, stay expanded or collapsed as they were. The filter is cleared.
        """
        if keep and len(self.items):
            before = {**self._remembered, **dict(zip(map(_id, self.items), self._expanded.tolist(), strict=True))}
            kept = [before.get(item.id, first) for item, first in zip(block.items, expanded.tolist(), strict=True)]
            expanded = np.array(kept, bool)
            self._remembered = before
        else:
            self._remembered = {}
        self._take(block)
        self._expanded = np.array(expanded, bool)
        self.set_matching(None)

    def _take(self, block: Block) -> None:
        self.items = block.items
        self.depths, self.ends, self.parents = block.depths, block.ends, block.parents
        self._changed()

    def _changed(self) -> None:
        self._has_children = self.ends > np.arange(1, len(self.items) + 1)
        self._rows: dict[Hashable, int] | None = None

    def splice(self, start: int, stop: int, parent: int, block: Block) -> None:
        """Put other rows in place of the rows [start, stop), which are whole branches inside `parent` (-1: top rows);
        `block` has their depths. Call `refresh` after the last one."""
        for row in np.flatnonzero(self._has_children[start:stop]).tolist():
            self._remembered[self.items[start + row].id] = bool(self._expanded[start + row])
        shift = len(block) - (stop - start)
        remembered = self._remembered
        expanded = np.array([remembered.get(item.id, False) for item in block.items], bool)
        matching = np.zeros(len(block), bool)
        around = parent
        while around >= 0:
            self.ends[around] += shift
            around = int(self.parents[around])
        after = self.parents[stop:]
        parents = block.parents + start
        parents[block.parents < 0] = parent
        self.parents = np.concatenate((self.parents[:start], parents, np.where(after >= stop, after + shift, after)))
        self.ends = np.concatenate((self.ends[:start], block.ends + start, self.ends[stop:] + shift))
        self.depths = np.concatenate((self.depths[:start], block.depths, self.depths[stop:]))
        self._expanded = np.concatenate((self._expanded[:start], expanded, self._expanded[stop:]))
        if self.matching is not None:
            self.matching = np.concatenate((self.matching[:start], matching, self.matching[stop:]))
        self.items[start:stop] = block.items
        self._changed()

    def refresh(self) -> None:
        """Bring what is shown in line with the rows after `splice`."""
        self.set_matching(self.matching)

    def row_of(self, identity: Hashable) -> int:
        """The row of an item, -1 if there is none."""
        if self._rows is None:
            self._rows = dict(zip(map(_id, self.items), range(len(self.items)), strict=True))
        return self._rows.get(identity, -1)

    def parent(self, row: int) -> int:
        """The row in which this one is nested, -1 for a top row."""
        return int(self.parents[row])

    def children(self, row: int) -> list[int]:
        """The rows directly inside one; of -1 the top rows."""
        first, last = (0, len(self.items)) if row < 0 else (row + 1, int(self.ends[row]))
        return (np.flatnonzero(self.parents[first:last] == row) + first).tolist()

    # ---- filter --------------------------------------------------------------------------------------------

    def set_matching(self, matching: np.ndarray | None) -> None:
        """Show the rows that match, and their surroundings; all for None."""
        self.matching = matching
        self._visible = None
        if matching is not None:
            self._filter_expanded = self.holds(matching)
            self._visible = matching | self._below(matching) | self._filter_expanded
        self._update()

    def holds(self, mask: np.ndarray) -> np.ndarray:
        """For each row, whether the mask is true for a row below it."""
        total = np.concatenate(([0], np.cumsum(mask)))
        return total[self.ends] > total[np.arange(len(mask)) + 1]

    def _below(self, mask: np.ndarray) -> np.ndarray:
        """For each row, whether the mask is true for a row above which it is nested."""
        chosen = np.flatnonzero(mask)
        count = len(mask) + 1
        change = np.bincount(chosen + 1, minlength=count) - np.bincount(self.ends[chosen], minlength=count)
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
        """Whether a row has rows below it that the filter does not hide. The filter hides no row below a match."""
        return bool(self._has_children[row]) and (
            self._visible is None or bool(self._visible[row + 1 : self.ends[row]].any())
        )

    def is_expanded(self, row: int) -> bool:
        return bool(self._state()[row])

    def expand(self, row: int, expanded: bool, everything: bool = False) -> None:
        """Expand or collapse a row, with `everything` also all rows below it."""
        self._state()[row : self.ends[row] if everything else row + 1] = expanded
        self._update()

    def expand_all(self, expanded: bool) -> None:
        """Expand or collapse all rows; top rows stay expanded."""
        self._state()[:] = expanded
        self._state()[self.depths == 0] = True
        self._update()

    def reveal(self, rows: Iterable[int]) -> None:
        """Expand what some rows are nested in; those that the filter hides stay hidden."""
        wanted = np.fromiter(rows, np.int64)
        if self._visible is not None:
            wanted = wanted[self._visible[wanted]]
        state, around = self._state(), np.unique(self.parents[wanted])
        while len(around := around[around >= 0]):
            state[around] = True
            around = np.unique(self.parents[around])
        self._update()

    def positions(self, rows: Iterable[int]) -> np.ndarray:
        """Where in `shown` some rows are, -1 for those that are not shown."""
        wanted = np.fromiter(rows, np.int64)
        places = np.searchsorted(self.shown, wanted)
        known = places < len(self.shown)
        known[known] = self.shown[places[known]] == wanted[known]
        return np.where(known, places, -1)

    def position(self, row: int) -> int:
        """Where in `shown` a row is, -1 if it is not shown."""
        return int(self.positions((row,))[0])


def _id(item: OutlineItem) -> Hashable:
    return item.id
