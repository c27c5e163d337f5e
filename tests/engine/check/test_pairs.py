"""Pairs of geoms near each other: all of them are found, in work that grows with the geoms and not with their square."""

from __future__ import annotations

import numpy as np
import pytest

from kinetree.engine.check import pairs
from kinetree.engine.check.pairs import Geoms, overlapping


def geoms(count: int, side: float, groups: int, seed: int = 0) -> Geoms:
    """Geoms of many sizes in a cube with a side."""
    generator = np.random.default_rng(seed)
    bits = generator.choice([0, 1, 1, 1, 2, 3], (2, count)).astype(np.int32)
    radius = 0.1 * 2.0 ** generator.integers(0, 5, count)
    return Geoms(generator.random((count, 3)) * side, radius, generator.integers(0, groups, count), *bits)


def by_hand(found: Geoms) -> list[list[int]]:
    gap = np.linalg.norm(found.place[:, None] - found.place, axis=2) - found.radius[:, None] - found.radius
    bits = (found.contype[:, None] & found.conaffinity) | (found.contype & found.conaffinity[:, None])
    wanted = (gap < 0) & (bits != 0) & (found.group[:, None] != found.group)
    return np.argwhere(np.triu(wanted, 1)).tolist()


def asked(found: Geoms, most: int = 10**9) -> tuple[np.ndarray, int]:
    """The pairs, and how many pairs of spheres that overlap were asked about."""
    count = 0

    def may_touch(i: np.ndarray, j: np.ndarray) -> np.ndarray:
        nonlocal count
        count += len(i)
        return found.group[i] != found.group[j]

    return overlapping(found, most, may_touch, lambda: False), count


@pytest.mark.parametrize("count", [1, 2, 3, 7, 64, 400])
@pytest.mark.parametrize("side", [0.0, 3.0, 12.0])
@pytest.mark.parametrize("groups", [1, 2, 1000])
def test_all_pairs_are_found(count: int, side: float, groups: int):
    found = geoms(count, side, groups)
    assert asked(found)[0].tolist() == by_hand(found)


def test_all_pairs_are_found_a_few_at_a_time(monkeypatch):
    found = geoms(300, 5, 40)
    whole = by_hand(found)
    monkeypatch.setattr(pairs, "AT_ONCE", 7)
    assert asked(found)[0].tolist() == whole and len(whole) > 100


def compared(found: Geoms, monkeypatch) -> int:
    """How many pairs of nodes are compared."""
    count = 0
    plain = pairs._Nodes.may_meet

    def counting(self, i, j):
        nonlocal count
        count += len(i)
        return plain(self, i, j)

    with monkeypatch.context() as patch:
        patch.setattr(pairs._Nodes, "may_meet", counting)
        asked(found)
    return count


def grid(count: int, group: np.ndarray | int, apart: float = 3.0) -> Geoms:
    k = np.arange(count)
    place = apart * np.stack([k % 20, k // 20 % 20, k // 400], 1).astype(float)
    ones = np.ones(count, np.int32)
    return Geoms(place, ones.astype(float), np.zeros(count, np.int64) + group, ones, ones)


@pytest.mark.parametrize(
    "make",
    [
        lambda count: grid(count, 0),  # in one body
        lambda count: grid(count, 0, 0.0),  # at one place in it
        lambda count: grid(count, np.arange(count)),  # a body each
        lambda count: grid(count, np.random.default_rng(1).permutation(count)),  # a body each, in any order
        lambda count: grid(count, np.arange(count) // 50),  # fifty in a body
        lambda count: grid(count, np.random.default_rng(1).integers(0, 2, count)),  # two bodies that interlock
    ],
)
def test_the_work_grows_with_the_geoms(make, monkeypatch):
    few, many = (compared(make(count), monkeypatch) for count in (2000, 8000))
    assert many < 6 * few + 100


def test_the_search_ends_with_enough_pairs(monkeypatch):
    crowd = grid(3000, np.arange(3000), 0.0)
    monkeypatch.setattr(pairs, "AT_ONCE", 1000)
    found, count = asked(crowd, most=500)
    assert 500 <= len(found) <= count < 3000
    monkeypatch.setattr(pairs, "MAX_COMPARED", 10_000)
    assert len(asked(crowd)[0]) < 10_000


def test_nothing_is_looked_for_when_it_is_not_wanted_any_more():
    assert not len(overlapping(geoms(50, 0, 50), 100, lambda i, j: i != j, lambda: True))
