"""Normals of surfaces where a ray meets them, from the shapes themselves.

Points and directions are in the frame of the geom. Normals are unit vectors that point against the ray: outwards,
unless the ray comes from within.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics.sensor.ray import mesh_face
from kinetree.engine.jit.uncompiled import uncompiled
from kinetree.engine.model import enums

UP = np.array([0.0, 0.0, 1.0])
SAME = 1e-6  # of a height field's height: how far from its surface a point of it may be by rounding


def against(normal: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """(3,) the unit normal of both that points against a direction; against the ray where there is none."""
    length = float(np.linalg.norm(normal))
    if not length > 0.0:
        return -direction / np.linalg.norm(direction)
    return normal / (-length if float(normal @ direction) > 0.0 else length)


def geom_normal(model, geom: int, origin: np.ndarray, direction: np.ndarray, distance: float) -> np.ndarray:
    """(3,) the normal where a ray meets geom number `geom` after `distance` lengths of its direction."""
    kind, size = int(model.geom_type[geom]), np.asarray(model.geom_size[geom], float)
    point = origin + distance * direction
    if kind in (enums.GEOM_MESH, enums.GEOM_SDF):
        mesh = int(model.geom_dataid[geom])
        _, face = uncompiled(mesh_face)(model, mesh, tuple(origin.tolist()), tuple(direction.tolist()))
        if face < 0:
            return against(np.zeros(3), direction)
        vertices = int(model.mesh_vertadr[mesh]) + np.asarray(model.mesh_face[face], int)
        return against(triangle_normal(np.asarray(model.mesh_vert[vertices], float)), direction)
    if kind == enums.GEOM_HFIELD:
        return against(_hfield(model, int(model.geom_dataid[geom]), point), direction)
    return against(NORMALS[kind](size, point), direction)


def triangle_normal(corners: np.ndarray) -> np.ndarray:
    """(3,) the normal of a triangle (3, 3), as long as twice its area."""
    return np.cross(corners[1] - corners[0], corners[2] - corners[0])


def capsule_normal(start: np.ndarray, end: np.ndarray, point: np.ndarray) -> np.ndarray:
    """(3,) from the line between two points (3,) to a point near it."""
    along = end - start
    square = float(along @ along)
    share = min(max(float((point - start) @ along) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return point - start - share * along


def _plane(size: np.ndarray, point: np.ndarray) -> np.ndarray:
    return UP


def _sphere(size: np.ndarray, point: np.ndarray) -> np.ndarray:
    return point


def _ellipsoid(size: np.ndarray, point: np.ndarray) -> np.ndarray:
    return point / (size * size)


def _capsule(size: np.ndarray, point: np.ndarray) -> np.ndarray:
    return capsule_normal(-size[1] * UP, size[1] * UP, point)


def _cylinder(size: np.ndarray, point: np.ndarray) -> np.ndarray:
    side = abs(float(np.hypot(point[0], point[1])) - size[0])
    return np.array([point[0], point[1], 0.0]) if side < abs(abs(point[2]) - size[1]) else point[2] * UP


def _box(size: np.ndarray, point: np.ndarray) -> np.ndarray:
    axis = int(np.argmin(np.abs(np.abs(point) - size)))
    return np.eye(3)[axis] * point[axis]


NORMALS = {
    enums.GEOM_PLANE: _plane,
    enums.GEOM_SPHERE: _sphere,
    enums.GEOM_ELLIPSOID: _ellipsoid,
    enums.GEOM_CAPSULE: _capsule,
    enums.GEOM_CYLINDER: _cylinder,
    enums.GEOM_BOX: _box,
}
"""Geom type -> function of its sizes and a point of its surface."""


def _hfield(model, hfield: int, point: np.ndarray) -> np.ndarray:
    """Surface normal at a point of a height field: of the triangle of its surface, or of its walls and its base."""
    sx, sy, top, base = np.asarray(model.hfield_size[hfield], float).tolist()
    if int(model.hfield_nrow[hfield]) > 1 and int(model.hfield_ncol[hfield]) > 1:
        height, normal = _surface(model, hfield, point)
        if abs(float(point[2]) - height) <= SAME * (top + base):
            return normal
    walls = np.array([sx - abs(point[0]), sy - abs(point[1]), point[2] + base])
    axis = int(np.argmin(np.abs(walls)))
    return np.eye(3)[axis] * (point[axis] if axis < 2 else -1.0)


def _surface(model, hfield: int, point: np.ndarray) -> tuple[float, np.ndarray]:
    """Height and (3,) normal of the triangle of a height field that is above or below a point."""
    sx, sy, top, _ = np.asarray(model.hfield_size[hfield], float).tolist()
    rows, columns = int(model.hfield_nrow[hfield]), int(model.hfield_ncol[hfield])
    start = int(model.hfield_adr[hfield])
    step = np.array([2.0 * sx / (columns - 1), 2.0 * sy / (rows - 1)])
    place = (point[:2] + [sx, sy]) / step
    c, r = np.nan_to_num(np.clip(np.floor(place), 0, [columns - 2, rows - 2])).astype(int).tolist()
    u, v = (place - [c, r]).tolist()
    first = start + r * columns + c
    third = first + 1 if u >= v else first + columns  # beside the diagonal
    low, middle, far = (top * float(model.hfield_data[k]) for k in (first, third, first + columns + 1))
    slope = (middle - low, far - middle) if u >= v else (far - middle, middle - low)
    return low + u * slope[0] + v * slope[1], np.array([-slope[0] / step[0], -slope[1] / step[1], 1.0])
