"""Shapes: closed, facing outwards, with normals that fit."""

import numpy as np
import pytest

from kinetree.engine.scene.scene import LODS, SEGMENTS, ShapeKind
from kinetree.renderer.shapes import sources, triangles
from tests.engine.scene.worlds import load

CLOSED = (
    ShapeKind.SPHERE,
    ShapeKind.CAPSULE,
    ShapeKind.CYLINDER,
    ShapeKind.BOX,
    ShapeKind.CONE,
    ShapeKind.PYRAMID,
    ShapeKind.HULL,
    ShapeKind.HFIELD,
)


@pytest.fixture(scope="module")
def model():
    return load()[0]


def volume_of(vertices, faces, spread=0.0):
    """Volume by the divergence theorem; capsule ends moved apart by `spread`."""
    position = vertices[:, :3].astype(float) + np.outer(vertices[:, 8], [0, 0, spread])
    a, b, c = (position[faces[:, k]] for k in range(3))
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


@pytest.mark.parametrize("lod", range(LODS))
@pytest.mark.parametrize(
    ("kind", "volume"),
    [
        (ShapeKind.SPHERE, 4 / 3 * np.pi),
        (ShapeKind.CAPSULE, 4 / 3 * np.pi),
        (ShapeKind.CYLINDER, 2 * np.pi),
        (ShapeKind.CONE, 2 / 3 * np.pi),
        (ShapeKind.BOX, 8.0),
        (ShapeKind.PYRAMID, 4 / 3),
    ],
)
def test_volumes_approach_the_curved_ones(model, kind, volume, lod):
    vertices, faces = triangles(model, kind, 0, lod)
    measured = volume_of(vertices, faces)
    # a circle of n corners lacks 6.6 / n^2 of its area, a ball of such circles 9.9 / n^2 besides
    lacks = {ShapeKind.SPHERE: 17.0, ShapeKind.CAPSULE: 17.0, ShapeKind.CYLINDER: 7.0, ShapeKind.CONE: 7.0}.get(
        kind, 0.0
    )
    assert volume * (0.9999 - lacks / SEGMENTS[lod] ** 2) < measured < volume * 1.0001
    if kind == ShapeKind.CAPSULE:
        assert volume_of(vertices, faces, 0.5) - measured == pytest.approx(np.pi, rel=7.0 / SEGMENTS[lod] ** 2)


@pytest.mark.parametrize("kind", CLOSED)
def test_closed_surfaces(model, kind):
    """Every edge, by position, is used once in each direction."""
    vertices, faces = triangles(model, kind, 0, 2)
    position = np.round(vertices[:, :3].astype(float) + np.outer(vertices[:, 8], [0, 0, 1.0]), 5)
    _, index = np.unique(position, axis=0, return_inverse=True)
    corner = index.reshape(-1)[faces]
    edges = np.concatenate([corner[:, [0, 1]], corner[:, [1, 2]], corner[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    if kind == ShapeKind.HFIELD:  # its base is one rectangle: the skirts' feet have more vertices
        low = position[:, 2].min()
        heights = np.array([position[np.flatnonzero(index.reshape(-1) == e), 2][0] for e in edges.ravel()])
        edges = edges[(heights.reshape(-1, 2) > low).any(axis=1)]
    forward, backward = {tuple(e) for e in edges.tolist()}, {tuple(e[::-1]) for e in edges.tolist()}
    assert forward == backward
    assert volume_of(vertices, faces, 1.0) > 0


@pytest.mark.parametrize(
    "kind", [k for k in ShapeKind if k not in (ShapeKind.LINES_BOX, ShapeKind.FLEX, ShapeKind.SKIN)]
)
def test_normals_point_out(model, kind):
    vertices, faces = triangles(model, kind, 0, 0)
    normals = vertices[:, 3:6].astype(float)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-5)
    position = vertices[:, :3].astype(float) + np.outer(vertices[:, 8], [0, 0, 1.0])
    a, b, c = (position[faces[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    face /= np.linalg.norm(face, axis=1, keepdims=True)
    for k in range(3):
        assert np.einsum("ij,ij->i", face, normals[faces[:, k]]).min() > 0.3


def test_a_hull_encloses_its_mesh(model):
    mesh, _ = triangles(model, ShapeKind.MESH, 0, 0)
    hull, faces = triangles(model, ShapeKind.HULL, 0, 0)
    a, b, c = (hull[faces[:, k], :3].astype(float) for k in range(3))
    normal = np.cross(b - a, c - a)
    for point in mesh[:, :3].astype(float):
        assert np.einsum("ij,ij->i", point - a, normal).max() < 1e-6


@pytest.mark.parametrize("kind", [ShapeKind.MESH, ShapeKind.HULL, ShapeKind.HFIELD])
def test_the_sources_of_a_shape_are_all_that_it_is_made_of(model, kind):
    """Change each array of the model a little: where the shape changes, its sources do."""
    before, made = [each.copy() for each in sources(model, kind, 0)], triangles(model, kind, 0, 0)
    changed = []
    for name in dir(model):
        if not name.startswith(("mesh_", "hfield_")) or not getattr(model, name).size:
            continue
        array = getattr(model, name)
        old = array.copy()
        array.flat[0] += 1
        try:
            other = triangles(model, kind, 0, 0)
            same = all(map(np.array_equal, made, other))
        except (IndexError, ValueError):
            same = True  # no model has such an address
        if not same:
            changed.append(name)
            after = sources(model, kind, 0)
            assert not (len(after) == len(before) and all(map(np.array_equal, before, after))), name
        array[...] = old
    assert changed
