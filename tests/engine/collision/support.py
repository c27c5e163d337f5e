"""Convex shapes by their support functions, and the depth of two of them by brute force: slow, simple, exact."""

from __future__ import annotations

import numpy as np

SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(2, 8)


def extent(model, geom: int, p, R, directions: np.ndarray) -> np.ndarray:
    """How far a geom at pose (p, R) reaches along each of some unit directions (n, 3). `model` may be mujoco's."""
    local, size = directions @ R, model.geom_size[geom]
    match int(model.geom_type[geom]):
        case 2:
            reach = np.full(len(local), size[0])
        case 3:
            reach = size[0] + size[1] * abs(local[:, 2])
        case 4:
            reach = np.linalg.norm(local * size, axis=1)
        case 5:
            reach = size[0] * np.hypot(local[:, 0], local[:, 1]) + size[1] * abs(local[:, 2])
        case 6:
            reach = abs(local) @ size
        case _:
            mesh = model.geom_dataid[geom]
            first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
            reach = (local @ model.mesh_vert[first : first + count].astype(float).T).max(1)
    return directions @ p + reach


def overlap(model, poses, directions: np.ndarray) -> np.ndarray:
    """How far the first of two geoms must move against each direction to leave the second; poses: (p, R) of both."""
    (p1, R1), (p2, R2) = poses
    return extent(model, 0, p1, R1, directions) + extent(model, 1, p2, R2, -directions)


def sphere_of(number: int) -> np.ndarray:
    """Unit vectors that cover all directions evenly (n, 3)."""
    k = np.arange(number) + 0.5
    polar, turn = np.arccos(1 - 2 * k / number), np.pi * (1 + 5**0.5) * k
    return np.stack([np.cos(turn) * np.sin(polar), np.sin(turn) * np.sin(polar), np.cos(polar)], axis=1)


DIRECTIONS = sphere_of(8000)


def depth(model, poses) -> float:
    """The least overlap of two geoms over all directions: their depth, or minus their distance; good to 1e-8."""
    overlaps = overlap(model, poses, DIRECTIONS)
    starts = DIRECTIONS[np.argsort(overlaps)[:16:8]]
    best = overlaps.min()
    steps = DIRECTIONS[::100]
    for start in starts:
        n, reach = start, 0.02
        for _ in range(40):
            around = n + reach * steps
            around /= np.linalg.norm(around, axis=1)[:, None]
            overlaps = overlap(model, poses, around)
            k = int(np.argmin(overlaps))
            if overlaps[k] < best:
                best = overlaps[k]
            if overlaps[k] < overlap(model, poses, n[None])[0]:
                n = around[k]
            else:
                reach *= 0.4
            if reach < 1e-7:
                break
    return float(best)
