"""The rows of a document: its elements as they are written, the elements of included files below their <include>, and
what expansion made below the element that made it. No toolkit.

    shape = RowNesting.of(document, made)
    outline.set_rows(shape.block(), first_expanded(...), keep=False)
    changes = shape.changes(outline, newer)      what an edit did to the rows: replaced items and branches

The rows hold subtrees, which versions of a text share, so that the comparison of two versions looks only at what an
edit changed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kinetree.app.panels.writing.tree.outline import Block, TreeOutline, block_of
from kinetree.engine.document.subtree import Subtree

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document

MOST_ROWS = 1000
"""Rows that an update may compare or make in the GUI thread."""
MOST_PLACES = 60
"""Places in which an update may change the rows in the GUI thread."""
FEW_ROWS = 60
"""A model opens with branches of the world expanded, level by level, as long as no more rows are shown."""


class GeneratedRow(NamedTuple):
    """A row that is no element of the text: an object of the compiled model, or a group of rows.

    id      the identity of the row
    kind    the kind of the object, "made" for the group of generated objects of an element, "folder" for another group
    number  the object's id; -1 for a group
    name    the row's text
    detail  text after the name if there is space
    inside  the rows below it
    """

    id: Hashable
    kind: str
    number: int
    name: str
    detail: str = ""
    inside: tuple[Any, ...] = ()

    @property
    def is_heading(self) -> bool:
        """Whether it only gathers elements of the text."""
        return isinstance(self.id, tuple) and self.id[0] == "foreign"

    @property
    def is_made(self) -> bool:
        """Whether expansion made it of an element of the text."""
        return isinstance(self.id, tuple) and self.id[0] == "made"


class RowChange(NamedTuple):
    """Rows [start, stop) inside `parent` become those of `block`."""

    start: int
    stop: int
    parent: int
    items: list


class RowNesting:
    """Nesting of the tree's rows where it differs from the text: included files, generated objects.

    root      the root element; None for a text without any
    included  id of an <include> -> the root element of its file
    made      id of an element -> the group of the objects that it generated
    opened    tags of elements that are expanded when a model is opened, level by level
    """

    opened = frozenset({"worldbody", "body", "frame"})

    def __init__(
        self,
        root: Subtree | None,
        included: Mapping[int, Subtree] | None = None,
        made: Mapping[int, GeneratedRow] | None = None,
    ) -> None:
        self.root = root
        self.included = included or {}
        self.made = made or {}

    @classmethod
    def of(cls, document: Document, made: Mapping[int, GeneratedRow]) -> RowNesting:
        included = {}
        for path, root in document.trees.items():
            include = document.include_of(path)
            if include is not None:
                included[include.id] = root.subtree
        return cls(document.root.subtree if document.root.tag else None, included, made)

    def children(self, item: Subtree | GeneratedRow) -> Sequence[Any]:
        if isinstance(item, GeneratedRow):
            return item.inside
        inside = item.children
        if item.tag == "include" and item.id in self.included:
            inside = self.included[item.id].children
        group = self.made.get(item.id)
        return inside if group is None else [*inside, group]

    def tops(self) -> list[Subtree]:
        return [] if self.root is None else [self.root]

    def block(self) -> Block:
        """All rows."""
        return block_of(self.tops(), self.children)

    def changes(self, outline: TreeOutline, newer: RowNesting) -> tuple[dict[int, Any], list[RowChange]] | None:
        """Changes of the rows for another version of the text: items by row, and branches, the last ones first. None if
        so much changed that new rows are better made elsewhere.
        """
        items: dict[int, Any] = {}
        places: list[RowChange] = []
        stack: list[tuple[int, Sequence[Any], Sequence[Any], bool]] = [(-1, self.tops(), newer.tops(), True)]
        while stack:
            parent, before, after, includes = stack.pop()
            rows = outline.children(parent)
            for old, new, row in _compared(parent, rows, before, after, outline, places, includes):
                items[row] = new
                if len(items) > MOST_ROWS:
                    return None
                inside, others = self.children(old), newer.children(new)
                includes = _may_differ(new)
                if inside is not others or includes:
                    stack.append((row, inside, others, includes))
            if len(places) > MOST_PLACES or sum(_size(item) for place in places for item in place.items) > MOST_ROWS:
                return None
        return items, sorted(places, key=lambda place: -place.start)

    def made_changes(self, outline: TreeOutline, made: Mapping[int, GeneratedRow]) -> list[RowChange]:
        """Changes of the rows for other generated objects, the last place first."""
        places = []
        for identity in {*self.made, *made}:
            before, after = self.made.get(identity), made.get(identity)
            row = outline.row_of(identity)
            if before == after or row < 0:
                continue
            end = int(outline.ends[row])
            start = end if before is None else outline.row_of(before.id)
            places.append(RowChange(start, end, row, [] if after is None else [after]))
        return sorted(places, key=lambda place: -place.start)


def _size(item: Subtree | GeneratedRow) -> int:
    return sum(1 for _ in item.walk(0)) if isinstance(item, Subtree) else 1


def _compared(
    parent: int,
    rows: list[int],
    before: Sequence,
    after: Sequence,
    outline: TreeOutline,
    places: list[RowChange],
    includes: bool,
) -> Iterator[tuple[Any, Any, int]]:
    """The items that two lists of children have in common, with their rows, but for those that are the same and cannot
    differ; the differences go to `places`. `includes`: whether there are included files in them."""
    least = min(len(before), len(after))
    first = 0 if includes else _same(before, after)
    while first < least and (before[first] is after[first] or before[first].id == after[first].id):
        if before[first] is not after[first] or _may_differ(after[first]):
            yield before[first], after[first], rows[first]
        first += 1
    last = 0 if includes else min(_same(reversed(before), reversed(after)), least - first)
    while last < least - first and (
        before[-1 - last] is after[-1 - last] or before[-1 - last].id == after[-1 - last].id
    ):
        if before[-1 - last] is not after[-1 - last] or _may_differ(after[-1 - last]):
            yield before[-1 - last], after[-1 - last], rows[-1 - last]
        last += 1
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    if not old and not new:
        return
    was = {item.id for item in old}
    numbers = rows[first : len(before) - last]
    end = rows[len(before) - last] if last else (int(outline.ends[parent]) if parent >= 0 else len(outline))
    starts = [*numbers, end]
    i = j = 0
    place: RowChange | None = None
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and old[i].id == new[j].id:
            if old[i] is not new[j] or _may_differ(new[j]):
                yield old[i], new[j], numbers[i]
            i, j, place = i + 1, j + 1, None
            continue
        if place is None:
            place = RowChange(starts[i], starts[i], parent, [])
            places.append(place)
        if j < len(new) and new[j].id not in was:
            place.items.append(new[j])
            j += 1
        else:  # gone, or it stands somewhere else now
            was.discard(old[i].id)
            i += 1
            places[-1] = place = place._replace(stop=starts[i])


def _same(before: Iterable, after: Iterable) -> int:
    """How many items at the start are the same ones. Bodies have thousands of children, and each key press asks."""
    same = bytes(map(is_, before, after))
    found = same.find(0)
    return len(same) if found < 0 else found


def _may_differ(item: Any) -> bool:
    """Whether an item that is the same one may have other rows below it: those of included files."""
    return isinstance(item, Subtree) and bool(item.includes)


def first_expanded(block: Block, opened: frozenset[str] = RowNesting.opened) -> np.ndarray:
    """Which rows are expanded when a model is opened (bool, one for each row): the root, and the bodies in the world
    level by level while few rows are shown; `opened` are their tags."""
    expanded = np.zeros(len(block), bool)
    level = [row for row in range(len(block)) if block.depths[row] == 0]
    shown = len(level)
    while level:
        inside = []
        for row in level:
            first, last = row + 1, int(block.ends[row])
            inside.append((np.flatnonzero(block.parents[first:last] == row) + first).tolist())
        shown += sum(map(len, inside))
        if shown > FEW_ROWS and level[0] != 0:
            break
        expanded[level] = True
        level = [row for rows in inside for row in rows if getattr(block.items[row], "tag", "") in opened]
    return expanded
