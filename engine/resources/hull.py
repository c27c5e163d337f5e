"""Convex hulls of point sets, by Qhull through scipy."""

from __future__ import annotations

import numpy as np


class NoHull(ValueError):
    """The points have no hull with a volume; str() says why."""


def convex_hull(points: np.ndarray, most: int = -1) -> np.ndarray:
    """Triangles (n, 3) of the convex hull, counter-clockwise from outside, in Qhull's order.

    points  (n, 3) float64
    most    the greatest number of vertices, -1 for no limit

    Raises NoHull where the points are too few or lie in a plane.
    """
    from scipy.spatial import ConvexHull, QhullError

    if len(points) < 4:
        raise NoHull(f"a convex hull needs at least 4 points, there are {len(points)}")
    options = "Qt" if most < 0 else f"Qt TA{most - 4}"
    try:
        hull = ConvexHull(points, qhull_options=options)
    except QhullError as error:
        reason = str(error).strip().splitlines()
        raise NoHull(f"the points lie in a plane ({reason[0] if reason else 'Qhull failed'})") from None
    faces = hull.simplices.astype(np.int32)
    a, b, c = points[faces[:, 0]], points[faces[:, 1]], points[faces[:, 2]]
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward][:, [1, 0, 2]]
    return faces
