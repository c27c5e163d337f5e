"""Descents in collisions with signed distance fields: the way of each from its start (blue) to its end (red)."""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene.decor.look import Look, objects, vectors
from kinetree.engine.scene.decor.rows import IDENTITY, Decor
from kinetree.engine.scene.scene import ShapeKind

BALL = 0.2  # radius at both ends, in mean sizes, as in the reference
LINE = 1.0  # half width of a line, pixels of the screen's scaling
BLUE, RED = np.array([0.0, 0.0, 1.0, 1.0]), np.array([1.0, 0.0, 0.0, 1.0])


def descents(decor: Decor, look: Look) -> None:
    """Draw lines between the points of each descent, redder with each step, and a ball at either end."""
    state = look.state
    count = int(getattr(state, "nsdfpoint", 0))  # another program's state has none
    if not count:
        return
    points = vectors(state.sdf_point[:count])
    steps, geoms = np.asarray(state.sdf_step[:count]), np.asarray(state.sdf_geom[:count])
    start = steps == 0
    end = np.append(start[1:], True)
    last = np.maximum(steps[end], 1).repeat(np.diff(np.append(np.flatnonzero(start), count)))
    owner = objects(enums.OBJ_GEOM, geoms[:, 1])
    for which, color in ((start, BLUE), (end, RED)):
        decor.add(
            ShapeKind.SPHERE, points[which], IDENTITY, BALL * look.meansize, color, object=owner[which], emission=1.0
        )
    on = np.flatnonzero(~start)
    share = (steps[on] / last[on])[:, None]
    decor.capsules(
        points[on - 1],
        points[on],
        look.pixels(points[on], LINE),
        BLUE * (1 - share) + RED * share,
        object=owner[on],
        emission=1.0,
    )
