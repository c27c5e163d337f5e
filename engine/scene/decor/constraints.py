"""Equality constraints between points, and what sensors of distances measure."""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene.decor.look import Look, matrices, objects, vectors
from kinetree.engine.scene.decor.rows import IDENTITY, Decor
from kinetree.engine.scene.scene import ShapeKind

TORN = 0.3  # distance between the points at which a constraint is all red, in mean sizes
TORN_COLOR = 1.0, 0.1, 0.1
LINE = 0.03  # radius of the line that shows a sensor's measurement, in mean sizes


def equalities(decor: Decor, look: Look) -> None:
    """Draw a ball at each of the two points that a connect or weld constraint holds together, and a capsule between;
    the farther they are apart, the redder."""
    model, state = look.model, look.state
    radius, held = 0.5 * look.scale("constraint"), look.color("constraint")
    torn = np.array([*TORN_COLOR, held[3]])
    active = getattr(state, "eq_active", None)
    for i in range(model.neq):
        ends = equality_ends(model, state, i) if active is None or active[i] else None
        if ends is not None:
            object = (enums.OBJ_EQUALITY, i)
            open_ = float(np.linalg.norm(ends[1] - ends[0])) / (TORN * look.meansize)
            rgba = held + min(open_, 1.0) * (torn - held)
            decor.add(ShapeKind.SPHERE, ends, IDENTITY, 2.0 * radius, rgba, object=object)
            decor.capsules(ends[0], ends[1], radius, rgba, object=object)


def equality_ends(model, state, i: int) -> np.ndarray | None:
    """(2, 3) world points that a connect or weld constraint holds together; None for other kinds."""
    kind = int(model.eq_type[i])
    if kind not in (enums.EQ_CONNECT, enums.EQ_WELD):
        return None
    pair = [int(model.eq_obj1id[i]), int(model.eq_obj2id[i])]
    if int(model.eq_objtype[i]) == enums.OBJ_SITE:
        return vectors(state.site_xpos)[pair]
    data = np.asarray(model.eq_data[i], float)
    local = np.stack([data[0:3], data[3:6]] if kind == enums.EQ_CONNECT else [data[3:6], data[0:3]])
    mat = np.stack([np.asarray(state.xmat[body], float).reshape(3, 3) for body in pair])
    return vectors(state.xpos)[pair] + (mat @ local[:, :, None])[:, :, 0]


def rangefinders(decor: Decor, look: Look) -> None:
    """Draw a line from each range finder's site to the point it hit, and between the points found by each sensor of
    nearest points; such a sensor gives zeros where geoms are farther apart than its cutoff."""
    model, state = look.model, look.state
    kinds = np.asarray(model.sensor_type)
    _between_geoms(decor, look, np.flatnonzero(kinds == enums.SENS_GEOMFROMTO))
    ids = np.flatnonzero(kinds == enums.SENS_RANGEFINDER)
    if not len(ids):
        return
    distance = np.asarray(state.sensordata, float)[np.asarray(model.sensor_adr)[ids]]
    ids, distance = ids[distance >= 0], distance[distance >= 0]
    sites = np.asarray(model.sensor_objid).astype(int)[ids]
    start = vectors(state.site_xpos)[sites]
    end = start + distance[:, None] * matrices(state.site_xmat)[sites][:, :, 2]
    _lines(decor, look, start, end, ids)


def _between_geoms(decor: Decor, look: Look, ids: np.ndarray) -> None:
    first = np.asarray(look.model.sensor_adr).astype(int)[ids]
    ends = np.asarray(look.state.sensordata, float)[first[:, None] + np.arange(6)]
    found = ends.any(axis=1)
    if found.any():
        _lines(decor, look, ends[found, :3], ends[found, 3:], ids[found])


def _lines(decor: Decor, look: Look, start: np.ndarray, end: np.ndarray, ids: np.ndarray) -> None:
    """Draw lines that show the measurements of sensors."""
    rgba = look.color("rangefinder")
    decor.capsules(start, end, LINE * look.meansize, rgba, object=objects(enums.OBJ_SENSOR, ids), emission=0.5)
