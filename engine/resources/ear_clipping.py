"""Triangulates polygons by ear clipping, many of equal size at a time.

An ear is a convex corner whose triangle contains no other corner (Meisters 1975); ears are cut in order around the
polygon, projected along the axis nearest to the normal of its first corner. As in the reference all arithmetic is
single precision, and the search ends when as many corners as the polygon has, counted from the last ear, were tried: an
ear found at the last try is cut, but no further one.
"""

from __future__ import annotations

import numpy as np

AT_ONCE = 1 << 18
"""Corners of the polygons that are cut in one go: bounds the memory."""
_EPSILON = np.finfo(np.float32).eps


def ears(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(the polygon of each triangle, its corners (t, 3) as numbers in the polygon), the polygons in their order.

    points  (n, k, 3) float32, the corners of each polygon in order around it
    """
    rows = max(AT_ONCE // points.shape[1], 1)
    parts = [(start, *_ears(points[start : start + rows])) for start in range(0, len(points), rows)]
    if not parts:
        return np.zeros(0, np.int64), np.zeros((0, 3), np.int64)
    return np.concatenate([start + part for start, part, _ in parts]), np.concatenate([cut for _, _, cut in parts])


def _ears(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    flat, is_bent = _projected(points)
    found = [_fans(np.flatnonzero(~is_bent), points.shape[1]), *_cut(flat, np.flatnonzero(is_bent))]
    polygon = np.concatenate([each for each, _ in found])
    order = np.argsort(polygon, kind="stable")
    return polygon[order], np.concatenate([corners for _, corners in found])[order]


def _fans(polygons: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    fan = np.array([(0, k, k + 1) for k in range(1, size - 1)], np.int64).reshape(-1, 3)
    return np.repeat(polygons, len(fan)), np.tile(fan, (len(polygons), 1))


def _projected(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(the polygons along the axis nearest to the normal of the first corner that bends, whether one does)."""
    after, third = np.roll(points, -1, 1), np.roll(points, -2, 1)
    normal = np.cross(after - points, third - after)
    bends = np.abs(normal).max(2) > _EPSILON
    row = np.arange(len(points))
    x, y, z = np.abs(normal[row, bends.argmax(1)]).T
    axes = np.where((x > y) & (x > z), 0, np.where((z > x) & (z > y), 2, 1))
    return points[row[:, None, None], np.arange(points.shape[1])[:, None], _LEFT[axes][:, None]], bends.any(1)


_LEFT = np.array([[1, 2], [0, 2], [0, 1]])
"""The coordinates that are left when one is dropped."""


def _cut(flat: np.ndarray, polygon: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The triangles of some polygons, in the order of cutting: (the polygon of each, its corners).

    Rows of the arrays below are polygons that are not finished yet: `left` holds the corners that were not cut off,
    `size` of them in the front; `at` is the corner that is tried next.
    """
    flat = flat[polygon]
    count = flat.shape[1]
    after = np.roll(flat, -1, 1)
    area = np.cumsum((flat[..., 0] * after[..., 1] - flat[..., 1] * after[..., 0]) * np.float32(0.5), axis=1)[:, -1]
    place = np.arange(count)
    left = np.tile(place, (len(polygon), 1))
    size, tries = np.full(len(polygon), count), np.full(len(polygon), count)
    at, cut = np.zeros(len(polygon), np.int64), np.zeros(len(polygon), bool)
    found: list[tuple[np.ndarray, np.ndarray]] = []
    while True:
        over = (size <= 3) | (tries == 0)
        if over.any():
            whole = over & (size == 3)
            found.append((polygon[whole], left[whole, :3]))
            polygon, flat, area, left = polygon[~over], flat[~over], area[~over], left[~over]
            size, tries, at, cut = size[~over], tries[~over], at[~over], cut[~over]
        if not len(polygon):
            return found
        tries = np.where(cut, size, tries - 1)
        at %= size
        row = np.arange(len(polygon))[:, None]
        turned = left[row, (at[:, None] + place) % size[:, None]]
        corners = flat[row, turned]
        bend = _bend(corners[:, 0], corners[:, 1], corners[:, 2])
        taken = (_inside(corners[:, 3:], corners[:, :3]) & (place[3:] < size[:, None])).any(1)
        cut = (bend * area >= 0) & ~taken
        found.append((polygon[cut], turned[cut, :3]))
        gone = (at + 1) % size
        left = np.where(cut[:, None] & (place >= gone[:, None]), np.roll(left, -1, 1), left)
        size = size - cut
        at = at + ~cut


def _bend(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    return (b[:, 0] - a[:, 0]) * (c[:, 1] - b[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - b[:, 0])


def _inside(points: np.ndarray, triangle: np.ndarray) -> np.ndarray:
    """Whether a ray from each of some points (n, k, 2) crosses the edges of the triangle (n, 3, 2) an odd number of
    times: (n, k)."""
    x, y = points[..., 0], points[..., 1]
    inside = np.zeros(x.shape, bool)
    with np.errstate(divide="ignore", invalid="ignore"):  # a level edge is crossed by no ray
        for start, end in ((0, 2), (1, 0), (2, 1)):
            (ax, ay), (bx, by) = triangle[:, start].T[..., None], triangle[:, end].T[..., None]
            inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return inside
