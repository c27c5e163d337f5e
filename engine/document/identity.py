"""Identity: which element of an edited text is which element of the text before.

An element is the same one if its "<" is still there, wherever it is now; so a tag that is retyped and text
that is a comment for a while cost no element its identity. An element whose text was replaced or moved is
found again by its tag and attributes, then by its tag and name, then by its tag and parent; where several
fit, in their order.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

from kinetree.engine.document.reparse import Placed, Shift
from kinetree.engine.document.subtree import Subtree


class Fate(NamedTuple):
    """Elements of a text that vanished, appeared or became hidden.

    vanished  elements that are gone: offset in the text before -> id
    appeared  elements that are new or came back: offset in the text after -> id
    hidden    elements that are parsed as text now although their "<" is still there: offset in the text after -> id
    """

    vanished: dict[int, int]
    appeared: dict[int, int]
    hidden: dict[int, int]


def identify(
    removed: Iterable[Placed],
    added: Iterable[Placed],
    shift: Shift,
    hidden: Mapping[int, int],
    returning: Mapping[int, int],
) -> Fate:
    """Give the elements that were read again the ids that they had; the only ones that change are those of
    `added`, which must not be part of a tree yet.

    removed    outermost subtrees of the text before that are no longer shared
    added      outermost subtrees of the text after that are not shared
    hidden     `Fate.hidden` of the text before
    returning  ids of elements that come back: offset in the text after -> id
    """
    there: dict[int, int] = {}
    """Old elements whose "<" is still there, by its place in the text after."""
    for offset, identity in hidden.items():
        place = shift.character(offset)
        if place is not None:
            there[place] = identity
    gone: list[Placed] = []
    before: dict[int, int] = {}
    for outermost in removed:
        for placed in outermost[0].walk(*outermost[1:]):
            subtree, offset, _ = placed
            before[subtree.id] = offset
            place = shift.character(offset)
            if place is None:
                gone.append(placed)
            else:
                there[place] = subtree.id
    after: dict[int, int] = {}
    fresh: list[Placed] = []
    for outermost in added:
        for placed in outermost[0].walk(*outermost[1:]):
            subtree, offset, _ = placed
            identity = there.pop(offset, None) or returning.get(offset)
            if identity is None:
                fresh.append(placed)
            else:
                subtree.id = identity
                after[identity] = offset
    gone = [placed for placed in gone if placed[0].id not in after]
    _match(gone, fresh)
    after.update((subtree.id, offset) for subtree, offset, _ in fresh)
    return Fate(
        {offset: identity for identity, offset in before.items() if identity not in after},
        {offset: identity for identity, offset in after.items() if identity not in before},
        there,
    )


def _match(gone: list[Placed], fresh: list[Placed]) -> None:
    """Give fresh elements the ids of like ones that are gone."""
    renamed: dict[int, int] = {}

    def place(subtree: Subtree, parent: int) -> Hashable:
        return subtree.tag, renamed.get(parent, parent)

    for likeness in (_attributes, _name, place):
        if not gone or not fresh:
            return
        waiting: dict[Hashable, deque[Placed]] = defaultdict(deque)
        for placed in gone:
            key = likeness(placed[0], placed[2])
            if key is not None:
                waiting[key].append(placed)
        found: set[int] = set()
        left = []
        for placed in fresh:
            subtree, _, parent = placed
            key = likeness(subtree, parent)
            if key is not None and waiting.get(key):
                identity = waiting[key].popleft()[0].id
                renamed[subtree.id] = identity
                subtree.id = identity
                found.add(identity)
            else:
                left.append(placed)
        gone = [placed for placed in gone if placed[0].id not in found]
        fresh = left


def _attributes(subtree: Subtree, parent: int) -> Hashable:
    if not subtree.values:
        return None
    return subtree.tag, tuple(_values(subtree))


def _name(subtree: Subtree, parent: int) -> Hashable:
    for name, value in _values(subtree):
        if name == "name":
            return subtree.tag, value
    return None


def _values(subtree: Subtree) -> list[tuple[str, str]]:
    if subtree.located:
        return [(name, value) for name, value, _ in subtree.values]
    return [(name, double or single) for name, double, single in subtree.values]
