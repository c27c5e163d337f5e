"""Finds the pairs of geoms that can touch and whose bounding spheres overlap.

The geoms are the leaves of a binary tree, sorted so that near ones stand together, those of one rigid group (bodies
welded together) first of all. Pairs of nodes are descended from the root, many at a time, and left where their boxes
do not meet, where all geoms belong to one rigid group, or where contype and conaffinity forbid each contact. The work
grows with the number of geoms and of pairs near each other, not with its square.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

AT_ONCE = 1 << 16
"""Pairs of nodes that are compared in one go: bounds the memory."""
MAX_COMPARED = 20_000_000
"""Pairs of nodes after which no more are looked at."""


@dataclass
class Geoms:
    """Data of the geoms for judging pairs; an entry a geom.

    place (n, 3), radius  the bounding sphere
    group                 the rigid group
    contype, conaffinity
    """

    place: np.ndarray
    radius: np.ndarray
    group: np.ndarray
    contype: np.ndarray
    conaffinity: np.ndarray


@dataclass
class _Nodes:
    """The nodes of one level of the tree: the box around their spheres (low and high, (3, n)), the least and the
    greatest of their groups, and their bits together. A node without geoms has the box from infinity to -infinity."""

    low: np.ndarray
    high: np.ndarray
    first: np.ndarray
    last: np.ndarray
    contype: np.ndarray
    conaffinity: np.ndarray

    def parents(self) -> _Nodes:
        join = (np.minimum, np.maximum, np.minimum, np.maximum, np.bitwise_or, np.bitwise_or)
        values = (getattr(self, each.name) for each in fields(self))
        return _Nodes(*(f(value[..., ::2], value[..., 1::2]) for f, value in zip(join, values, strict=True)))

    def may_meet(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Which pairs of nodes may hold a pair of geoms that touch."""
        meet = ((self.contype[i] & self.conaffinity[j]) | (self.contype[j] & self.conaffinity[i])) != 0
        meet &= (self.first[i] != self.last[j]) | (self.last[i] != self.first[j])
        for low, high in zip(self.low, self.high, strict=True):
            meet &= (low[i] <= high[j]) & (low[j] <= high[i])
        return meet


def overlapping(
    geoms: Geoms, most: int, may_touch: Callable[[np.ndarray, np.ndarray], np.ndarray], cancelled: Callable[[], bool]
) -> np.ndarray:
    """Pairs of geoms whose bounding spheres overlap, in ascending order: (n, 2), the lower number first.

    most       pairs after which no more are looked for
    may_touch  which of some pairs are wanted, asked for those whose spheres overlap
    """
    order = _by_place(geoms)
    levels = _levels(geoms, order)
    found: list[np.ndarray] = []
    number = compared = 0
    root = np.zeros(1, np.int64)
    waiting = [(0, root, root)]
    while waiting and number < most and compared < MAX_COMPARED and not cancelled():
        depth, i, j = waiting.pop()
        if len(i) > AT_ONCE:
            waiting += [(depth, i[AT_ONCE:], j[AT_ONCE:]), (depth, i[:AT_ONCE], j[:AT_ONCE])]
            continue
        compared += len(i)
        meet = levels[depth].may_meet(i, j)
        i, j = i[meet], j[meet]
        if depth + 1 < len(levels):
            same = i == j
            i, j = (
                np.concatenate([2 * i, 2 * i, 2 * i + 1, 2 * i[~same] + 1]),
                np.concatenate([2 * j, 2 * j + 1, 2 * j + 1, 2 * j[~same]]),
            )
            if len(i):
                waiting.append((depth + 1, i, j))
            continue
        g, h = order[i], order[j]
        gap = ((geoms.place[g] - geoms.place[h]) ** 2).sum(1) - (geoms.radius[g] + geoms.radius[h]) ** 2
        g, h = g[gap < 0], h[gap < 0]
        wanted = may_touch(g, h)
        found.append(np.stack([np.minimum(g, h), np.maximum(g, h)], 1)[wanted])
        number += len(found[-1])
    pairs = np.concatenate(found) if found else np.zeros((0, 2), np.int64)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _by_place(geoms: Geoms) -> np.ndarray:
    """The geoms along a curve through space, those of one group together, and the groups along such a curve."""
    _, group = np.unique(geoms.group, return_inverse=True)
    number = np.bincount(group)
    middle = np.stack([np.bincount(group, axis) / number for axis in geoms.place.T], 1)
    return np.lexsort((_along(geoms.place), group, _along(middle)[group]))


def _along(points: np.ndarray) -> np.ndarray:
    """The places of points on a Morton curve: the bits of their coordinates interleaved."""
    low = points.min(0)
    extent = max(float((points.max(0) - low).max()), 1e-300)
    cell = np.clip((points - low) / extent * 2**20, 0, 2**20 - 1).astype(np.int64)
    place = np.zeros(len(points), np.int64)
    for bit in range(20):
        for axis in range(3):
            place |= ((cell[:, axis] >> bit) & 1) << (3 * bit + axis)
    return place


def _levels(geoms: Geoms, order: np.ndarray) -> list[_Nodes]:
    """The nodes of each level, the root first; the leaves in the given order."""
    count = 1 << max(len(order) - 1, 0).bit_length()

    def leaves(values: np.ndarray, empty: float) -> np.ndarray:
        filled = np.full((*values.shape[:-1], count), empty, values.dtype)
        filled[..., : len(order)] = values[..., order]
        return filled

    place, group = geoms.place.T, geoms.group.astype(np.int64)
    levels = [
        _Nodes(
            leaves(place - geoms.radius, np.inf),
            leaves(place + geoms.radius, -np.inf),
            leaves(group, np.iinfo(np.int64).max),
            leaves(group, -1),
            leaves(geoms.contype, 0),
            leaves(geoms.conaffinity, 0),
        )
    ]
    while len(levels[-1].first) > 1:
        levels.append(levels[-1].parents())
    return levels[::-1]
