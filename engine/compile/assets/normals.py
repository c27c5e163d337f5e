"""Normals at the corners of triangles: smooth within a surface, sharp along its edges."""

from __future__ import annotations

import math

import numpy as np

from engine.geometry.unique_rows import distinct

SHARP = math.cos(math.radians(35))
"""Faces that meet at a larger angle than this keep their own normals at the common vertices."""
_EVEN = math.cos(math.radians(17.5))
"""Faces that are all nearer than this to their mean are all near each other."""
_CROWDED = 64
"""Where more faces than this meet, the mean of all of them counts."""


def corner_normals(vert: np.ndarray, face: np.ndarray, smooth: bool) -> tuple[np.ndarray, np.ndarray]:
    """(normal (k, 3), facenormal (m, 3)): at each corner the mean of the faces around the vertex, weighted by area.

    Unless `smooth`, only faces that meet this one at a small angle count, so that edges stay sharp.
    """
    corner = vert[face]
    edge, other = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    across = np.column_stack(
        [
            edge[:, 1] * other[:, 2] - edge[:, 2] * other[:, 1],
            edge[:, 2] * other[:, 0] - edge[:, 0] * other[:, 2],
            edge[:, 0] * other[:, 1] - edge[:, 1] * other[:, 0],
        ]
    )
    mean = _gather(face.ravel(), np.repeat(across, 3, axis=0), len(vert))
    if smooth:
        return _unit(mean), face
    return _creased(face, across, mean)


def _gather(where: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """Sums of the rows of `values` that go to the same place: (count, 3)."""
    return np.column_stack([np.bincount(where, values[:, k], count) for k in range(3)])


def _unit(vectors: np.ndarray) -> np.ndarray:
    size = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return np.where(size > 0, vectors / np.where(size > 0, size, 1), (0.0, 0.0, 1.0))


def _creased(face: np.ndarray, across: np.ndarray, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    flat, middle = _unit(across), _unit(mean)
    corner = face.ravel()
    apart = np.einsum("ij,ij->i", np.repeat(flat, 3, axis=0), middle[corner]) <= _EVEN
    number = np.bincount(corner, minlength=len(mean))
    uneven = np.bincount(corner, apart, len(mean)) > 0
    uneven &= number <= _CROWDED
    # even vertices have one normal, the others one for each group of faces
    corners = np.flatnonzero(uneven[corner])
    sums = _sums(corner, corners, across, flat)
    normals = np.concatenate([middle, _unit(sums)])
    index = corner.astype(np.int64)
    keys = np.column_stack([corner[corners], np.round(_unit(sums) * 1e5).astype(np.int64)])
    first, inverse = distinct(keys)
    index[corners] = len(middle) + first[inverse]
    used, index = np.unique(index, return_inverse=True)
    return normals[used], index.reshape(-1, 3).astype(np.int32)


def _sums(corner: np.ndarray, corners: np.ndarray, across: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """For each of `corners` the sum over the faces at its vertex that meet its own at a small angle."""
    order = corners[np.argsort(corner[corners], kind="stable")]
    vertex = corner[order]
    number = np.bincount(vertex, minlength=1)
    start = np.cumsum(number) - number
    many = number[vertex]
    one = np.repeat(np.arange(len(order)), many)
    two = start[vertex[one]] + np.arange(len(one)) - np.repeat(np.cumsum(many) - many, many)
    f, g = order[one] // 3, order[two] // 3
    near = np.einsum("ij,ij->i", flat[f], flat[g]) > SHARP
    place = np.zeros(len(corner), np.int64)
    place[corners] = np.arange(len(corners))
    return _gather(place[order[one[near]]], across[g[near]], len(corners))
