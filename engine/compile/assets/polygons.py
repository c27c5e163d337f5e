"""Flat faces of a hull: its coplanar triangles joined to polygons, for contacts of faces with faces."""

from __future__ import annotations

import functools

import numpy as np

COPLANAR = 0.99999872  # cosine of the angle between normals of one face
MINVAL = 1e-15


def flat_faces(vert: np.ndarray, face: np.ndarray) -> list[list[int]]:
    """The polygons of a hull, as vertices counter-clockwise from outside.

    vert  (n, 3) float64
    face  (m, 3) triangles, counter-clockwise from outside

    Polygons are ordered by their normals: greater x first, then y, then z.
    """
    a, b, c = (vert[face[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.maximum(np.linalg.norm(normal, axis=1), MINVAL)[:, None]
    group = _groups(normal)
    members: dict[int, list[int]] = {}
    for i, first in enumerate(group):
        members.setdefault(first, []).append(i)
    result = []
    for first in _ordered(list(members), normal):
        result.extend(_loops(face[members[first]].tolist()))
    return result


def _groups(normal: np.ndarray) -> list[int]:
    """The triangle that began each triangle's group: the first one of about the same normal."""
    from scipy.spatial import KDTree

    group = list(range(len(normal)))
    near: dict[int, list[int]] = {}
    for i, j in KDTree(normal).query_pairs(1.01 * np.sqrt(2 - 2 * COPLANAR)):
        near.setdefault(max(i, j), []).append(min(i, j))
    for others in near.values():
        others.sort()
    for i in sorted(near):
        for j in near[i]:
            if group[j] == j and normal[i] @ normal[j] > COPLANAR:
                group[i] = j
                break
    return group


def _ordered(firsts: list[int], normal: np.ndarray) -> list[int]:
    """Groups by normal: greater x first; where it differs by no more than rounding, greater y, then z."""
    rows = normal.tolist()

    def compare(i: int, j: int) -> int:
        for x, y in zip(rows[i], rows[j], strict=True):
            if abs(x - y) > MINVAL:
                return -1 if x > y else 1
        return 0

    return sorted(firsts, key=functools.cmp_to_key(compare))


def _loops(triangles: list[list[int]]) -> list[list[int]]:
    """The boundary loops of some triangles, each from the first boundary edge that it has."""
    edges = [(t[k], t[(k + 1) % 3]) for t in triangles for k in range(3)]
    inside = set(edges)
    following: dict[int, list[int]] = {}
    for start, end in edges:
        if (end, start) not in inside:
            following.setdefault(start, []).append(end)
    result = []
    while following:
        start = at = next(iter(following))
        loop = []
        while at in following:
            loop.append(at)
            ends = following[at]
            at_next = ends.pop(0)
            if not ends:
                del following[at]
            at = at_next
            if at == start:
                break
        if len(loop) > 2:
            result.append(loop)
    return result
