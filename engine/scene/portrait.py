"""The camera of a small picture of a model: what the model is about, as large as the picture allows.

That is its largest mechanism, if it has one, such as a robot among the things around it; else all that can move; else
all that it shows. Floors do not count.
"""

from __future__ import annotations

from math import radians, tan

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene.camera import Camera, default_free, perspective_fovy, view_of

FILLED = 0.76
"""Share of the picture that the model takes, in the direction in which it is larger."""
NEAR = 1.1
"""Distances of the near plane between the camera and the nearest corner."""
LEAST_JOINTS = 3
"""A mechanism has so many joints, and twice as many as any other."""
HIDDEN_GROUP = 3
"""Geoms of this group and above are not shown at first."""


def portrait(model, state, aspect: float) -> Camera:
    """A free camera that looks as the file says, from where its subject fills a picture of this width / height."""
    camera = default_free(model)
    points = _points(model, state)
    if not len(points) or camera.orthographic:
        return camera
    view = view_of(camera, model, state, aspect)
    forward, up = np.asarray(view.forward, float), np.asarray(view.up, float)
    right = np.cross(forward, up)
    depth, across, high = points @ forward, points @ right, points @ up
    slope = tan(0.5 * radians(perspective_fovy(model))) * FILLED
    x, x_depth = _fit(across, depth, slope * aspect)
    y, y_depth = _fit(high, depth, slope)
    place = min(x_depth, y_depth, float(depth.min()) - NEAR * view.near)
    distance = max(float(depth.mean()) - place, 1e-3 * float(model.stat.extent))
    camera.lookat = x * right + y * up + (place + distance) * forward
    camera.distance = distance
    return camera


def _fit(sideways: np.ndarray, depth: np.ndarray, slope: float) -> tuple[float, float]:
    """Where a camera stands, sideways and in depth, as near as it can with all points between two planes through it of
    this slope."""
    low, high = float((sideways - slope * depth).max()), float((sideways + slope * depth).min())
    return 0.5 * (low + high), 0.5 * (high - low) / slope


def _points(model, state) -> np.ndarray:
    """Corners of the boxes around the subject, (n, 3)."""
    shown = (model.geom_type != enums.GEOM_PLANE) & (model.geom_group < HIDDEN_GROUP) & (model.geom_rgba[:, 3] > 0)
    moving = shown & np.isin(np.asarray(model.geom_bodyid), _bodies(model))
    chosen = np.flatnonzero(moving if moving.any() else shown)
    corners = np.array(np.meshgrid((-1, 1), (-1, 1), (-1, 1))).reshape(3, -1).T
    box = np.asarray(model.geom_aabb, float).reshape(-1, 6)[chosen]
    own = box[:, None, :3] + corners[None] * box[:, None, 3:]
    turned = np.einsum("nij,nkj->nki", np.asarray(state.geom_xmat, float).reshape(-1, 3, 3)[chosen], own)
    found = (turned + np.asarray(state.geom_xpos, float)[chosen, None]).reshape(-1, 3)
    soft = np.asarray(state.flexvert_xpos, float).reshape(-1, 3)
    return np.concatenate([found, soft]) if len(soft) else found


def _bodies(model) -> np.ndarray:
    """The bodies of the largest mechanism; where none is the largest by far, all that can move."""
    root, joints = np.asarray(model.body_rootid), np.asarray(model.body_jntnum)
    count = np.bincount(root, joints, minlength=int(model.nbody))
    count[0] = 0
    largest = int(count.argmax())
    others = np.delete(count, largest).max(initial=0)
    is_main = count[largest] >= LEAST_JOINTS and count[largest] >= 2 * others
    return np.flatnonzero(root == largest) if is_main else np.flatnonzero(count[root] > 0)
