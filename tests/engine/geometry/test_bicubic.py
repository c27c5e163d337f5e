"""Bicubic weights: they sum to 1, keep what is straight, and go through the points."""

from __future__ import annotations

import numpy as np
import pytest

from kinetree.engine.geometry.bicubic import Bicubic


def _all(shape, steps):
    surface = Bicubic(shape, steps)
    weights = np.zeros((*surface.size, *shape))
    for i, j in np.ndindex(*shape):
        rows, columns, weight = surface.of((i, j))
        weights[rows, columns, i, j] += weight
    return weights


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (6, 3)])
@pytest.mark.parametrize("steps", [1, 2, 3, 7])
def test_weights(shape, steps):
    weights = _all(shape, steps)
    assert weights.shape == ((shape[0] - 1) * steps + 1, (shape[1] - 1) * steps + 1, *shape)
    np.testing.assert_allclose(weights.sum((2, 3)), 1, atol=1e-13)
    row, column = np.indices(shape)
    there = np.indices(weights.shape[:2]) / steps
    np.testing.assert_allclose(np.einsum("rcij,ij->rc", weights, row), there[0], atol=1e-13)
    np.testing.assert_allclose(np.einsum("rcij,ij->rc", weights, row * column), there[0] * there[1], atol=1e-12)
    points = weights[::steps, ::steps].reshape(np.prod(shape), -1)
    np.testing.assert_allclose(points, np.eye(np.prod(shape)), atol=1e-13)


def test_slopes_agree_between_patches():
    weights = _all((6, 3), 100)
    bend = np.einsum("rcij,ij->rc", weights, np.random.default_rng(0).normal(size=(6, 3)))
    for axis in (0, 1):
        slope = np.diff(bend, axis=axis) * 100
        assert np.abs(np.diff(slope, axis=axis)).max() < 0.2


def test_places_piece_by_piece():
    rows, columns, _ = Bicubic((5, 3), 2).of((2, 1))
    piece = np.minimum(rows // 2, 3) * 2 + np.minimum(columns // 2, 1)
    assert (np.diff(piece) >= 0).all()
