"""Normals at the corners of triangles: smooth within a surface, sharp along its edges."""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.geometry.unique_rows import distinct

STRAY = 0.8
"""Cosine of the angle to the mean of the faces at a vertex beyond which a face is on the other side of an edge: it does
not count in the mean, and its corners have normals of their own (as in MuJoCo)."""
SHARP = math.cos(math.radians(35))
"""Such faces share a normal where they meet at a smaller angle than this."""
_CROWDED = 64
"""Where more such faces meet, each corner has the normal of its face."""
Z = np.array([[0.0], [0.0], [1.0]])
Rows = np.ndarray | list[np.ndarray]


def corner_normals(vert: np.ndarray, face: np.ndarray, smooth: bool) -> tuple[np.ndarray, np.ndarray]:
    """(normal (k, 3), facenormal (m, 3)): at each corner the mean of the faces around the vertex, weighted by area.

    Unless `smooth`, faces that stray from that mean do not count in it, so that edges stay sharp.
    """
    point = np.ascontiguousarray(vert.T)
    first, second, third = (point.take(face[:, k], 1) for k in range(3))
    across = cross(second - first, third - first)
    corner = face.ravel()
    mean = np.stack([np.bincount(corner, np.repeat(part, 3), len(vert)) for part in across])
    if smooth:
        return _unit(mean).T.copy(), face
    return _creased(corner, across, mean)


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of the columns of two (3, n) arrays."""
    return np.stack([a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3] for k in range(3)])


def _dot(a: Rows, b: Rows) -> np.ndarray:
    return (a[0] * b[0] + a[2] * b[2]) + a[1] * b[1]


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Unit vectors of the columns (3, n); z where a column is zero."""
    size = np.sqrt(_dot(vectors, vectors))
    result = vectors / np.where(size > 0, size, 1)
    result[:, ~(size > 0)] = Z
    return result


def _creased(corner: np.ndarray, across: np.ndarray, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`corner_normals` from the vertex of each corner, the cross products of the faces and their sums at vertices."""
    count = mean.shape[1]
    flat = _unit(across)
    sides = [np.repeat(part, 3) for part in flat]
    stray = _dot(sides, _unit(mean).take(corner, 1)) < STRAY
    if stray.any():
        mean = np.stack([np.bincount(corner, np.repeat(part, 3) * ~stray, count) for part in across])
    middle = _unit(mean)
    # a normal at each vertex, and others at corners of faces that stray from it
    stray |= (_dot(sides, middle.take(corner, 1)) < STRAY) | (mean == 0.0).all(axis=0)[corner]
    corners = np.flatnonzero(stray)
    crowded = np.bincount(corner[corners], minlength=count)[corner[corners]] > _CROWDED
    own = flat.take(corners // 3, 1)
    own[:, ~crowded] = _unit(_sums(corner, corners[~crowded], across, flat))
    normals = np.concatenate([middle, own], 1).T
    index = corner.astype(np.int64)
    keys = np.column_stack([corner[corners], *np.round(own * 1e5).astype(np.int64)])
    first, inverse = distinct(keys)
    index[corners] = count + first[inverse]
    is_used = np.zeros(len(normals), bool)
    is_used[index] = True
    place = np.cumsum(is_used, dtype=np.int32) - 1
    return normals[is_used], place[index].reshape(-1, 3)


def _sums(corner: np.ndarray, corners: np.ndarray, across: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """For each of `corners` the sum over the faces at its vertex that meet its own at a small angle: (3, n).

    Vertices where equally many faces meet are taken together: rows of faces, each compared with one of its row after
    the other.
    """
    order = np.argsort(corner[corners], kind="stable")
    number = np.bincount(corner[corners])
    number = number[number > 0]
    start = np.cumsum(number) - number
    result = np.empty((3, len(corners)))
    for count in np.unique(number).tolist():
        row = order[start[number == count][:, None] + np.arange(count)]
        at = corners[row] // 3
        normal, part, sums = flat.take(at, 1), across.take(at, 1), np.zeros((3, *at.shape))
        for k in range(count):
            near = _dot(normal, normal[:, :, k : k + 1]) > SHARP
            sums += near * part[:, :, k : k + 1]
        result[:, row] = sums
    return result
