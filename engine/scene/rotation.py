"""Rotations and camera matrices by pyrr, in this project's conventions.

pyrr's matrices multiply row vectors and its quaternions are x, y, z, w. Here matrices multiply column vectors
(`clip = projection @ view @ point`) and quaternions are w, x, y, z, as in MuJoCo. Everything is float64.
"""

from __future__ import annotations

import numpy as np
from pyrr import matrix33, matrix44, quaternion, vector

_TO_PYRR, _FROM_PYRR = [1, 2, 3, 0], [3, 0, 1, 2]


def _pyrr(quat) -> np.ndarray:
    return np.asarray(quat, float)[_TO_PYRR]


def quat_mul(a, b) -> np.ndarray:
    """Hamilton product: the rotation b, then a."""
    return quaternion.cross(_pyrr(a), _pyrr(b))[_FROM_PYRR]


def quat_conj(quat) -> np.ndarray:
    """Inverse of a unit quaternion."""
    return quaternion.conjugate(_pyrr(quat))[_FROM_PYRR]


def quat_mat(quat) -> np.ndarray:
    """(3, 3) rotation matrix of a quaternion."""
    return matrix33.create_from_quaternion(_pyrr(quat))


def axis_quat(axis, angle: float) -> np.ndarray:
    """Rotation about an axis (3,) of any length but zero, by an angle in radians."""
    return quaternion.create_from_axis_rotation(np.asarray(axis, float), angle)[_FROM_PYRR]


def turned_towards(mat, target, most: float) -> np.ndarray:
    """(3, 3) rotation on the shortest way from `mat` to `target`, at most by an angle in radians."""
    from scipy.spatial.transform import Rotation

    start = Rotation.from_matrix(mat)
    way = (Rotation.from_matrix(target) * start.inv()).as_rotvec()
    return (Rotation.from_rotvec(way * min(1.0, most / max(float(np.linalg.norm(way)), 1e-12))) * start).as_matrix()


def look_at(eye, forward, up) -> np.ndarray:
    """(4, 4) world to camera: x right, y up, looking along -z."""
    matrix = matrix44.create_look_at(np.zeros(3), np.asarray(forward, float), up, dtype=float).T
    matrix[:3, 3] = -matrix[:3, :3] @ np.asarray(eye, float)  # pyrr adds forward to the eye, which may be far away
    return matrix


def orthographic(left, right, bottom, top, near, far) -> np.ndarray:
    """(4, 4) camera to clip, without perspective."""
    return matrix44.create_orthogonal_projection(left, right, bottom, top, near, far, dtype=float).T


def perspective(left, right, bottom, top, near, far: float | None = None) -> np.ndarray:
    """(4, 4) camera to clip; bounds are of the near plane. Without `far`, what is infinitely far is seen
    too."""
    beyond = 2.0 * near if far is None else far
    matrix = matrix44.create_perspective_projection_from_bounds(left, right, bottom, top, near, beyond, dtype=float).T
    if far is None:  # the limit of the third row, which pyrr does not have
        matrix[2, 2], matrix[2, 3] = -1.0, -2.0 * near
    return matrix


def unit(direction) -> np.ndarray:
    """A vector of length 1 in the same direction."""
    return vector.normalize(np.asarray(direction, float))
