"""Marching cubes: closed surfaces, counter-clockwise from outside, in the order of the cubes."""

from __future__ import annotations

import numpy as np
import pytest

from kinetree.engine.compile.assets.marching_cubes import surface
from kinetree.engine.compile.assets.mesh import oriented


def _volume(points, face):
    a, b, c = (points[face[:, i]].astype(float) for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def _ball(shape, radius):
    x, y, z = np.meshgrid(*(np.arange(n) - (n - 1) / 2 for n in shape), indexing="ij")
    return np.sqrt(x * x + y * y + z * z) - radius


def test_ball():
    points, face = surface(_ball((23, 25, 27), 8.3))
    assert np.abs(np.linalg.norm(points - (11, 12, 13), axis=1) - 8.3).max() < 0.02
    assert _volume(points, face) == pytest.approx(4 / 3 * np.pi * 8.3**3, rel=0.02)
    assert len(points) - len(face) // 2 == 2  # Euler


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_closed(seed):
    """Every edge of every case has a triangle on both sides, in opposite directions, whatever the neighbours."""
    values = np.ones((14, 12, 10))
    values[1:-1, 1:-1, 1:-1] = np.random.default_rng(seed).uniform(-1, 1, (12, 10, 8))
    points, face = surface(values)
    edges = np.concatenate([face[:, [0, 1]], face[:, [1, 2]], face[:, [2, 0]]])
    there, number = np.unique(edges, axis=0, return_counts=True)
    back, again = np.unique(edges[:, ::-1], axis=0, return_counts=True)
    assert np.array_equal(there, back) and np.array_equal(number, again)
    assert np.array_equal(np.unique(face), np.arange(len(points)))
    assert _volume(points, face) > 0


def test_order():
    """One corner inside: edges along x, y, z are numbered in this order by the first cube that has them."""
    values = np.ones((3, 3, 3))
    values[1, 1, 1] = -1
    points, face = surface(values)
    half = [[0.5, 1, 1], [1, 0.5, 1], [1, 1, 0.5], [1.5, 1, 1], [1, 1.5, 1], [1, 1, 1.5]]
    assert points.tolist() == half
    assert face[0].tolist() == [1, 0, 2]
    assert len(face) == 8 and oriented(face)


def test_open_at_the_border():
    values = np.full((2, 2, 2), -1.0)
    values[:, :, 1] = 3
    points, face = surface(values)
    assert points.tolist() == [[0, 0, 0.25], [1, 0, 0.25], [0, 1, 0.25], [1, 1, 0.25]]
    assert len(face) == 2
    assert (np.cross(points[face[:, 1]] - points[face[:, 0]], points[face[:, 2]] - points[face[:, 0]])[:, 2] > 0).all()


def test_nothing():
    points, face = surface(np.ones((3, 4, 5)))
    assert points.shape == (0, 3) and face.shape == (0, 3)
    assert surface(-np.ones((3, 4, 5)))[1].shape == (0, 3)
