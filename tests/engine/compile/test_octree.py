"""Octrees of signed distances: near to the distance that they interpolate, with the right sign and gradient."""

from __future__ import annotations

import numpy as np
import pytest

from kinetree.engine.collision import octree as kernel
from kinetree.engine.compile.assets import octree
from kinetree.engine.compile.assets.marching_cubes import surface


class Stub:
    """The fields of a Model that the kernel reads."""

    def __init__(self, tree: octree.Octree):
        self.mesh_octadr = np.zeros(1, int)
        self.oct_aabb, self.oct_child, self.oct_coeff = tree.aabb, tree.child, tree.coeff


def ball(cells: int = 24) -> tuple[np.ndarray, np.ndarray]:
    axes = np.linspace(-1, 1, cells + 1)
    x, y, z = np.meshgrid(axes, axes, axes, indexing="ij", sparse=True)
    points, face = surface(np.sqrt(x * x + y * y + z * z) - 0.7)
    return points * (2 / cells) - 1.0, face


@pytest.fixture(scope="module")
def model() -> Stub:
    return Stub(octree.build(*ball()))


def test_distances_of_a_ball(model):
    points = np.random.default_rng(0).uniform(-0.83, 0.83, (300, 3))
    radius = np.linalg.norm(points, axis=1)
    found = [kernel.octree_distance(model, 0, tuple(point)) for point in points.tolist()]
    off = np.abs(np.array(found) - (radius - 0.7))
    assert off[radius > 0.3].max() < 5e-3  # the triangles themselves are off by 3 mm
    assert off.max() < 0.02  # the gradient jumps in the middle


def test_gradients_are_those_of_the_distance(model):
    for point in np.random.default_rng(1).uniform(-0.8, 0.8, (60, 3)).tolist():
        gradient = kernel.octree_gradient(model, 0, tuple(point))
        for axis in range(3):
            ends = [list(point), list(point)]
            ends[0][axis] -= 1e-6
            ends[1][axis] += 1e-6
            low, high = (kernel.octree_distance(model, 0, tuple(end)) for end in ends)
            assert gradient[axis] == pytest.approx((high - low) / 2e-6, abs=1e-5)


def test_outside_of_the_octree_the_way_is_added(model):
    assert not kernel.is_in_octree(model, 0, (3.0, 0.0, 0.0))
    assert kernel.octree_distance(model, 0, (3.0, 0.0, 0.0)) == pytest.approx(2.3, abs=0.01)


def test_signs_at_corners_and_edges():
    """A box: nearest points are corners and edges, whose triangles face away from some points outside."""
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)], float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    face = np.array([corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))])
    points = np.random.default_rng(2).uniform(-4, 4, (500, 3))
    distance, gradient = octree.TriangleSurface(corners, face).distance(points)
    off = np.abs(points) - (1, 2, 3)
    expected = np.where((off < 0).all(1), off.max(1), np.linalg.norm(np.maximum(off, 0), axis=1))
    np.testing.assert_allclose(distance, expected, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(gradient, axis=1), 1, atol=1e-12)
