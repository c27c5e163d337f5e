"""Octrees of the signed distance of a mesh, for geoms of the plugin mujoco.sdf.sdflib.

A cube around the mesh is divided where the interpolation of distances and gradients from the corners of a cell
(tricubic, no mixed derivatives) is off at the middles of its edges, of its faces and of itself. Signs come from normals
that are weighted by angles at vertices and summed at edges (Baerentzen and Aanaes, 2005).

Source: Pujol and Chica, "Adaptive approximation of signed distance fields through piecewise continuous interpolation",
2023. The reference divides cells further, and makes them fit where large ones meet small ones.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

MARGIN = 0.1
"""Room around the mesh, times its largest side."""
FIRST, LAST = 3, 6
"""All cells are divided before the first of these depths, none from the last one on."""
ERROR = 1e-3
"""Root mean square of the interpolation's error at which a cell is divided, m."""
NEAREST = 12
"""Sampled points of the surface whose triangles are looked at for the nearest one."""
CHUNK = 1 << 15


class Octree(NamedTuple):
    """depth (n,), child (n, 8), aabb (n, 6): of the nodes that are divided, the root first; coeff (m, 64): of leaves.

    A child is a node, or -1 - row of coeff; child x + 2 y + 4 z. See model.oct_*.
    """

    depth: np.ndarray
    child: np.ndarray
    aabb: np.ndarray
    coeff: np.ndarray


CORNERS = np.array([(i & 1, i >> 1 & 1, i >> 2) for i in range(8)])
MIDDLES = np.array([p[::-1] for p in product((0, 1, 2), repeat=3) if 1 in p])
"""The points between the corners, in halves of the side of a cell."""
WEIGHTS = 2.0 ** (MIDDLES == 1).sum(1) / 64.0


@cache
def basis() -> np.ndarray:
    """(64, 32): from values and gradients (times the side) at the corners to the coefficients of x^i y^j z^k."""
    value = np.array([[1, 0, -3, 2], [0, 0, 3, -2]], float)
    slope = np.array([[0, 1, -2, 1], [0, 0, -1, 1]], float)
    columns = []
    for corner in CORNERS:
        for kind in range(4):
            x, y, z = ((slope if kind == 1 + axis else value)[corner[axis]] for axis in range(3))
            columns.append(np.einsum("k,j,i->kji", z, y, x).ravel())
    return np.array(columns).T


@cache
def at_middles() -> np.ndarray:
    """(19, 64): powers of the coordinates of MIDDLES."""
    powers = (MIDDLES / 2.0)[:, :, None] ** np.arange(4)
    return np.einsum("pk,pj,pi->pkji", powers[:, 2], powers[:, 1], powers[:, 0]).reshape(len(MIDDLES), 64)


class TriangleSurface:
    """The triangles of a mesh, asked for distances. vert (n, 3) float64, face (m, 3)."""

    def __init__(self, vert: np.ndarray, face: np.ndarray):
        from scipy.spatial import KDTree

        self.corner = vert[face]
        a, b, c = self.corner[:, 0], self.corner[:, 1], self.corner[:, 2]
        across = np.cross(b - a, c - a)
        area = np.linalg.norm(across, axis=1, keepdims=True)
        self.normal = across / np.where(area > 0, area, 1)
        self.face = face
        samples = [
            (self.corner * np.roll([2 / 3, 1 / 6, 1 / 6], k)[None, :, None]).sum(1) for k in range(3)
        ]  # three inside each triangle
        self.tree = KDTree(np.concatenate(samples))
        self.vertex_normal = np.zeros_like(vert)
        for k in range(3):
            u, v = self.corner[:, (k + 1) % 3] - self.corner[:, k], self.corner[:, (k + 2) % 3] - self.corner[:, k]
            angle = np.arctan2(np.linalg.norm(np.cross(u, v), axis=1), (u * v).sum(1))
            np.add.at(self.vertex_normal, face[:, k], angle[:, None] * self.normal)
        pairs = np.sort(np.concatenate([face[:, [1, 2]], face[:, [2, 0]], face[:, [0, 1]]]), axis=1)
        _, place = np.unique(pairs, axis=0, return_inverse=True)
        edges = np.zeros((int(place.max()) + 1, 3))
        np.add.at(edges, place.ravel(), np.tile(self.normal, (3, 1)))
        self.edge_normal = edges[place.ravel()].reshape(3, -1, 3)

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Signed distances (n,) and their gradients (n, 3)."""
        parts = [self._distance(points[i : i + CHUNK]) for i in range(0, len(points), CHUNK)]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def _distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        _, near = self.tree.query(points, min(NEAREST, 3 * len(self.face)))
        near = np.asarray(near) % len(self.face)
        rows = np.arange(len(points))
        weights = _nearest(points[:, None], self.corner[near])
        at = np.einsum("pkc,pkcx->pkx", weights, self.corner[near])
        square = ((points[:, None] - at) ** 2).sum(2)
        best = square.argmin(1)
        triangle, weights, at = near[rows, best], weights[rows, best], at[rows, best]
        normal = self.normal[triangle].copy()
        used = weights > 1e-12
        for k in range(3):
            edge = ~used[:, k] & (used.sum(1) == 2)
            normal[edge] = self.edge_normal[k][triangle[edge]]
            alone = used[:, k] & (used.sum(1) == 1)
            normal[alone] = self.vertex_normal[self.face[triangle[alone], k]]
        away = points - at
        length = np.linalg.norm(away, axis=1)
        sign = np.where((away * normal).sum(1) < 0, -1.0, 1.0)
        inverse = sign / np.where(length > 1e-9, length, 1.0)
        gradient = np.where(length[:, None] > 1e-9, away * inverse[:, None], self.normal[triangle])
        return sign * length, gradient


def _nearest(p: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """Weights of the corners (..., 3) in the nearest points of triangles (..., 3, 3)."""
    a, b, c = corner[..., 0, :], corner[..., 1, :], corner[..., 2, :]
    best = np.full(corner.shape[:-2], np.inf)
    result = np.zeros(corner.shape[:-1])

    def take(weights: list[np.ndarray], where: np.ndarray) -> None:
        found = np.stack(weights, -1)
        square = ((np.einsum("...c,...cx->...x", found, corner) - p) ** 2).sum(-1)
        better = where & (square < best)
        best[better] = square[better]
        result[better] = found[better]

    zero = np.zeros_like(best)
    for i, (start, end) in enumerate(((a, b), (b, c), (c, a))):
        along = end - start
        t = np.clip(((p - start) * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-300), 0, 1)
        take(list(np.roll([1 - t, t, zero], i, axis=0)), np.ones(best.shape, bool))
    ab, ac, ap = b - a, c - a, p - a
    dd, de, ee = (ab * ab).sum(-1), (ab * ac).sum(-1), (ac * ac).sum(-1)
    u, v = (ap * ab).sum(-1), (ap * ac).sum(-1)
    area = dd * ee - de * de
    with np.errstate(all="ignore"):
        wb, wc = (ee * u - de * v) / area, (dd * v - de * u) / area
    inside = (area > 0) & (wb > 0) & (wc > 0) & (wb + wc < 1)
    take([1 - wb - wc, wb, wc], inside)
    return result


def build(vert: np.ndarray, face: np.ndarray) -> Octree:
    """The octree of a mesh."""
    surface = TriangleSurface(vert, face)
    low, high = vert.min(0), vert.max(0)
    half = float((high - low).max()) * (1 + 2 * MARGIN) / 2
    origin = (low + high) / 2 - half
    step = 2 * half / 2 ** (LAST + 1)  # of the finest points
    known: dict[int, int] = {}
    values = np.zeros((0, 4))

    def sample(lattice: np.ndarray) -> np.ndarray:
        """Distance and gradient at points in steps, (..., 3) -> (..., 4); each is computed once."""
        nonlocal values
        key = (lattice[..., 0] << 42) + (lattice[..., 1] << 21) + lattice[..., 2]
        unique, inverse = np.unique(key, return_inverse=True)
        new = np.array([k for k in unique.tolist() if k not in known], np.int64)
        if len(new):
            points = np.stack([new >> 42, new >> 21 & 0x1FFFFF, new & 0x1FFFFF], -1) * step + origin
            distance, gradient = surface.distance(points)
            known.update(zip(new.tolist(), range(len(values), len(values) + len(new)), strict=True))
            values = np.concatenate([values, np.column_stack([distance, gradient])])
        places = np.array([known[k] for k in unique.tolist()])
        return values[places][inverse.reshape(key.shape)]

    depth, child, aabb, coeff = [], [], [], []
    corner = np.zeros((1, 3), np.int64)
    owner, number = np.array([-1]), 0
    for level in range(LAST + 1):
        side = 2 ** (LAST + 1 - level)
        at_corners = sample(corner[:, None] + CORNERS * side)
        data = at_corners * np.array([1.0, *[side * step] * 3])
        found = data.reshape(len(corner), 32) @ basis().T
        divided = np.full(len(corner), level < FIRST)
        if FIRST <= level < LAST:
            exact = sample(corner[:, None] + MIDDLES * (side // 2))[..., 0]
            divided = np.sqrt(((found @ at_middles().T - exact) ** 2 * WEIGHTS).sum(1)) > ERROR
        leaves = np.flatnonzero(~divided)
        code = np.empty(len(corner), np.int64)
        code[leaves] = -1 - (sum(map(len, coeff)) + np.arange(len(leaves)))
        code[divided] = number + np.arange(int(divided.sum()))
        if level:
            for place, k, value in zip(owner // 8, owner % 8, code, strict=True):
                child[place][k] = value
        coeff.append(found[leaves].astype(np.float32))
        inner = corner[divided]
        depth += [level] * len(inner)
        child += [[0] * 8 for _ in range(len(inner))]
        aabb += [[*(origin + (at + side / 2) * step), *[side * step / 2] * 3] for at in inner]
        owner = (8 * code[divided][:, None] + np.arange(8)).ravel()
        corner = (inner[:, None] + CORNERS * (side // 2)).reshape(-1, 3)
        number += len(inner)
        if not len(corner):
            break
    return Octree(np.array(depth), np.array(child), np.array(aabb), np.concatenate(coeff))
