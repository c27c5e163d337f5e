"""Convex hulls of point sets, by Qhull through scipy."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from kinetree.engine.translation import tr


class NoHull(ValueError):
    """The points have no hull with a volume; str() says why."""


class Hull:
    """The convex hull of points.

    face    (n, 3) triangles, counter-clockwise from outside, in Qhull's order
    """

    def __init__(self, points: np.ndarray, simplices: np.ndarray, planes: np.ndarray):
        """simplices, planes: Qhull's facets with their corners in its own order, and their planes."""
        self.simplices, self.planes = simplices.astype(np.int32), planes
        face = self.simplices.copy()
        a, b, c = points[face[:, 0]], points[face[:, 1]], points[face[:, 2]]
        inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), planes[:, :3]) < 0
        face[inward] = face[inward][:, [1, 0, 2]]
        self.face = face

    @cached_property
    def vertices(self) -> np.ndarray:
        """Numbers of the points on the hull, in the order of Qhull's list of vertices, which the reference keeps.

        Each point that Qhull adds moves the corners of the facets that it makes to the end of that list. These facets
        stand together and have the new point first. Facets that are parts of one plane polygon are made last, in one
        go.
        """
        plane = np.unique(self.planes, axis=0, return_inverse=True)[1].ravel()
        in_polygon = np.bincount(plane)[plane] > 1
        maker = np.where(in_polygon, -1, self.simplices[:, 0])
        batch = np.repeat(np.cumsum(np.concatenate([[0], np.diff(maker) != 0])), 3)
        corner = self.simplices.ravel()
        last = np.zeros(corner.max() + 1, np.int64)
        np.maximum.at(last, corner, batch)
        moved = np.flatnonzero(batch == last[corner])
        number, first = np.unique(corner[moved], return_index=True)
        return number[np.argsort(moved[first])]

    def neighbours(self) -> tuple[np.ndarray, np.ndarray]:
        """(start, neighbour) of each edge in both directions; for each start the neighbours in the order in which
        Qhull's facets, and the corners of a facet, show them.
        """
        corner = self.simplices
        start = np.repeat(corner, 2, axis=1).ravel()
        other = corner[:, [1, 2, 0, 2, 0, 1]].ravel()
        _, first = np.unique(start.astype(np.int64) * (corner.max() + 1) + other, return_index=True)
        first.sort()
        return start[first], other[first]


def convex_hull(points: np.ndarray, most: int = -1) -> Hull:
    """The convex hull of points.

    points  (n, 3) float64
    most    the greatest number of vertices, -1 for no limit

    Raises NoHull where the points are too few or lie in a plane.
    """
    from scipy.spatial import ConvexHull, QhullError

    if len(points) < 4:
        raise NoHull(tr("a convex hull needs at least 4 points, there are {count}", count=len(points)))
    options = "Qt" if most < 0 else f"Qt TA{most - 4}"
    try:
        hull = ConvexHull(points, qhull_options=options)
    except QhullError as error:
        reason = str(error).strip().splitlines()
        raise NoHull(
            tr("the points lie in a plane ({value})", value=reason[0] if reason else tr("Qhull failed"))
        ) from None
    return Hull(points, hull.simplices, hull.equations)
