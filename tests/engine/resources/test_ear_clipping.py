"""Ear clipping: against a plain implementation for one polygon, and what its triangles must be."""

from __future__ import annotations

import numpy as np
import pytest

from kinetree.engine.resources import ear_clipping
from kinetree.engine.resources.ear_clipping import ears


def stars(count: int, size: int) -> np.ndarray:
    """Flat polygons around the origin, not convex, whose edges do not cross."""
    generator = np.random.default_rng(size)
    turn = 2 * np.pi * (np.arange(size) + 0.8 * generator.random((count, size))) / size
    radius = generator.uniform(0.3, 1, (count, size))
    return np.stack([radius * np.cos(turn), radius * np.sin(turn), 0 * turn], -1).astype(np.float32)


def wild(count: int, size: int) -> np.ndarray:
    """Polygons in space that cross themselves, with corners at one place."""
    points = np.random.default_rng(size).integers(-2, 3, (count, size, 3)).astype(np.float32)
    return points


def areas(points: np.ndarray) -> np.ndarray:
    """Of polygons in the plane, positive where their corners go counter-clockwise."""
    after = np.roll(points, -1, -2)
    return 0.5 * (points[..., 0] * after[..., 1] - points[..., 1] * after[..., 0]).sum(-1, dtype=float)


@pytest.mark.parametrize("size", [3, 4, 5, 6, 9, 17, 60])
def test_triangles_fill_the_polygon(size: int):
    points = stars(50, size)
    polygon, corners = ears(points)
    assert np.array_equal(polygon, np.repeat(np.arange(50), size - 2))
    each = areas(points[polygon[:, None], corners])
    assert np.allclose(np.bincount(polygon, each), areas(points), rtol=1e-5)
    assert each.min() > -1e-6  # none is turned over


@pytest.mark.parametrize("size", [3, 4, 5, 7, 12, 100])
@pytest.mark.parametrize("shapes", [stars, wild])
def test_many_polygons_are_cut_as_one_alone(size: int, shapes, monkeypatch):
    points = shapes(40, size)
    alone = [ears(points[k : k + 1])[1] for k in range(len(points))]
    for at_once in (ear_clipping.AT_ONCE, 3 * size):
        monkeypatch.setattr(ear_clipping, "AT_ONCE", at_once)
        polygon, corners = ears(points)
        for k, cut in enumerate(alone):
            assert np.array_equal(corners[polygon == k], cut)


def test_a_polygon_without_extent_is_a_fan():
    polygon, corners = ears(np.zeros((2, 5, 3), np.float32))
    assert polygon.tolist() == [0, 0, 0, 1, 1, 1]
    assert corners.tolist() == 2 * [[0, 1, 2], [0, 2, 3], [0, 3, 4]]


def test_a_concave_corner_is_no_ear():
    arrow = np.array([[[0, 0, 0], [1, 1, 0], [0, 3, 0], [-1, 1, 0]], [[0, 2, 0], [1, 0, 0], [0, 3, 0], [-1, 0, 0]]])
    polygon, corners = ears(arrow.astype(np.float32))
    assert [sorted(map(tuple, corners[polygon == k].tolist())) for k in range(2)] == [
        [(0, 1, 2), (0, 2, 3)],
        [(0, 2, 3), (0, 1, 2)][::-1],
    ]


def test_none():
    polygon, corners = ears(np.zeros((0, 4, 3), np.float32))
    assert len(polygon) == len(corners) == 0
