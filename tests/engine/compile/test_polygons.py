"""Flat faces of hulls: every triangle of the hull is part of one, and each is flat, convex and wound outwards."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from kinetree.engine.compile.assets.polygons import flat_faces
from kinetree.engine.resources.hull import convex_hull

CUBE = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
PRISM = np.array([(np.cos(k), np.sin(k), z) for k in np.arange(7) * 2 * np.pi / 7 for z in (0.0, 1.0)])
CLOUD = np.random.default_rng(0).normal(size=(60, 3))


def test_a_cube_has_six():
    found = flat_faces(CUBE, convex_hull(CUBE).face)
    assert [len(polygon) for polygon in found] == [4] * 6
    normals = [np.cross(CUBE[b] - CUBE[a], CUBE[c] - CUBE[a]) for a, b, c, _ in found]
    assert np.sign(normals).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1], [0, -1, 0], [-1, 0, 0]]


@pytest.mark.parametrize("points", [CUBE, PRISM, CLOUD], ids=["cube", "prism", "cloud"])
def test_the_faces_close_the_hull(points):
    face = convex_hull(points).face
    found = flat_faces(points, face)
    edges = [(p[k], p[(k + 1) % len(p)]) for p in found for k in range(len(p))]
    assert len(set(edges)) == len(edges)
    assert {(b, a) for a, b in edges} == set(edges)
    area = 0.0
    for polygon in found:
        corners = points[polygon]
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        normal /= np.linalg.norm(normal)
        assert np.abs((corners - corners[0]) @ normal).max() < 2e-3
        assert ((points - corners[0]) @ normal).max() < 2e-3
        area += sum(
            np.linalg.norm(np.cross(a - corners[0], b - corners[0])) / 2 for a, b in itertools.pairwise(corners[1:])
        )
    a, b, c = (points[face[:, k]] for k in range(3))
    assert area == pytest.approx(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2, rel=1e-3)
