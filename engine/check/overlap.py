"""Penetration depth of two convex shapes, from their support functions.

The depth along a direction d is h_A(d) + h_B(-d), with h the distance of the farthest point of a shape; the shapes
overlap if it is positive along every direction, by the least of these (the separating axis theorem). Many directions
are tried at once, then the best one is refined. The result is never too small. Source: Ericson, Real-Time
Collision Detection, 5.2.1 and 5.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.model import enums

if TYPE_CHECKING:
    from kinetree.engine.jit.uncompiled import Arrays
    from kinetree.engine.model.model import Model

ROUNDS = 14
MAX_POINTS = 400


def _sphere(number: int) -> np.ndarray:
    """Directions spread evenly over the sphere (a Fibonacci lattice)."""
    k = np.arange(number) + 0.5
    z, turn = 1 - 2 * k / number, np.pi * (1 + 5**0.5) * k
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(turn), r * np.sin(turn), z], 1)


_DIRECTIONS = _sphere(128)
_AROUND = _sphere(24)


def _outermost(points: np.ndarray) -> np.ndarray:
    """The points that are farthest in some direction."""
    directions = _sphere(MAX_POINTS)
    kept = [(points @ directions[k : k + 32].T).argmax(0) for k in range(0, MAX_POINTS, 32)]
    return points[np.unique(np.concatenate(kept))]


class Convex:
    """A geom in the world: its support function, its own directions, and the least of its half sizes.

    hulls   outermost points of meshes, by id: filled on the way
    """

    def __init__(self, model: Model, data: Arrays, g: int, hulls: dict[int, np.ndarray]):
        self.kind = int(model.geom_type[g])
        self.place = data.geom_xpos[g].copy()
        self.axes = data.geom_xmat[g].reshape(3, 3).copy()
        self.size = model.geom_size[g].copy()
        self.points = None
        if self.kind == enums.GEOM_MESH:
            mesh = int(model.geom_dataid[g])
            if mesh not in hulls:
                first, number = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
                points = model.mesh_vert[first : first + number].astype(float)
                hulls[mesh] = _outermost(points) if number > MAX_POINTS else points
            self.points = hulls[mesh] @ self.axes.T + self.place
        half = {enums.GEOM_SPHERE: self.size[:1], enums.GEOM_CAPSULE: self.size[:1], enums.GEOM_CYLINDER: self.size[:2]}
        self.least = float(half.get(self.kind, model.geom_aabb[g, 3:] if self.points is not None else self.size).min())

    def support(self, d: np.ndarray) -> np.ndarray:
        """Distance of the farthest point along each direction: (n,) for (n, 3) unit vectors."""
        if self.points is not None:
            return (self.points @ d.T).max(0)
        local, size = d @ self.axes, self.size
        if self.kind == enums.GEOM_SPHERE:
            reach = np.full(len(d), size[0])
        elif self.kind == enums.GEOM_CAPSULE:
            reach = size[0] + size[1] * np.abs(local[:, 2])
        elif self.kind == enums.GEOM_ELLIPSOID:
            reach = np.linalg.norm(local * size, axis=1)
        elif self.kind == enums.GEOM_CYLINDER:
            reach = size[0] * np.hypot(local[:, 0], local[:, 1]) + size[1] * np.abs(local[:, 2])
        else:
            assert self.kind == enums.GEOM_BOX
            reach = np.abs(local) @ size
        return reach + d @ self.place


def depth(a: Convex, b: Convex, enough: float = 0.0) -> float:
    """Upper bound of the penetration depth of two shapes, m; 0 or less if a direction separates them.

    Returns early where the overlap is at most `enough`.
    """
    line = b.place - a.place
    cross = np.cross(a.axes.T[:, None], b.axes.T[None]).reshape(-1, 3)
    tried = np.concatenate([_DIRECTIONS, a.axes.T, -a.axes.T, b.axes.T, -b.axes.T, cross, -cross, line[None]])
    length = np.linalg.norm(tried, axis=1)
    tried = tried[length > 1e-9] / length[length > 1e-9, None]
    best, found = _deepest(a, b, tried)
    step = 0.2
    for _ in range(ROUNDS):
        if found <= enough:
            return found
        tried = best + step * _AROUND
        tried /= np.linalg.norm(tried, axis=1)[:, None]
        again, least = _deepest(a, b, tried)
        if least < found:
            best, found = again, least
        else:
            step *= 0.5
    return found


def _deepest(a: Convex, b: Convex, tried: np.ndarray) -> tuple[np.ndarray, float]:
    along = a.support(tried) + b.support(-tried)
    k = int(along.argmin())
    return tried[k], float(along[k])
