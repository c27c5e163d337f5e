"""Draws the model's cameras with their fields of view, and its lights."""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene.decor.look import Look, matrices, objects, vectors
from kinetree.engine.scene.decor.rows import Decor, frames_along
from kinetree.engine.scene.scene import ShapeKind

_CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])


def cameras(decor: Decor, look: Look) -> None:
    """Draw a box with a lens for each camera, and the pyramid that it sees if it has a sensor."""
    size, rgba = look.scale("camera"), look.color("camera")
    glass = np.array([*(rgba[:3] * 0.5), 1.0])
    pos, mat = vectors(look.state.cam_xpos), matrices(look.state.cam_xmat)
    ids = objects(enums.OBJ_CAMERA, np.arange(len(pos)))
    decor.add(ShapeKind.BOX, pos, mat, (size, 0.8 * size, 0.4 * size), rgba, object=ids)
    lens = (0.4 * size, 0.4 * size, 0.3 * size)
    decor.add(ShapeKind.CYLINDER, pos - 0.6 * size * mat[:, :, 2], mat, lens, glass, object=ids)
    for i in range(len(pos)):
        if look.model.cam_sensorsize[i][1] > 0:
            _frustum(decor, look, i, pos[i], mat[i])


def _frustum(decor: Decor, look: Look, i: int, pos, mat) -> None:
    """Draw the pyramid that a camera with a sensor sees, up to `scale.frustum`: four faces and eight edges."""
    depth = look.scale("frustum")
    fx, fy, px, py = (float(value) for value in look.model.cam_intrinsic[i])
    half = 0.5 * np.asarray(look.model.cam_sensorsize[i], float)
    on_sensor = (_CORNERS * half + [px, py]) / [fx, fy]
    corners = pos + np.column_stack([on_sensor, -np.ones(4)]) * depth @ mat.T
    rgba = look.color("frustum")
    object = (enums.OBJ_CAMERA, i)
    starts = np.concatenate([np.tile(pos, (4, 1)), corners])
    ends = np.concatenate([corners, np.roll(corners, -1, axis=0)])
    edges = np.array([*rgba[:3], 1.0])
    decor.capsules(starts, ends, 0.004 * depth, edges, object=object, emission=0.3)
    centre = corners.mean(axis=0)
    basis = np.stack([0.5 * (corners[1] - corners[0]), 0.5 * (corners[3] - corners[0]), pos - centre], axis=1)
    decor.add(ShapeKind.PYRAMID, centre, basis, 1.0, rgba, object=object)


def lights(decor: Decor, look: Look) -> None:
    """Draw a cylinder along each light's direction; active ones glow."""
    size = look.scale("light")
    pos = vectors(look.state.light_xpos)
    decor.add(
        ShapeKind.CYLINDER,
        pos,
        frames_along(vectors(look.state.light_xdir)),
        (0.8 * size, 0.8 * size, size),
        look.color("light"),
        object=objects(enums.OBJ_LIGHT, np.arange(len(pos))),
        emission=np.where(np.asarray(look.model.light_active).reshape(-1), 0.3, 0.0),
    )
