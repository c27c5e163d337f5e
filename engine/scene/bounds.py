"""How much room objects take in the world: what a camera is fitted to."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.kinds import KINDS, ObjectId, body_of

PLACES = {"body": "xpos", "joint": "xanchor", "site": "site_xpos", "camera": "cam_xpos", "light": "light_xpos"}
"""Kinds of objects with a place -> the field of the state that has it."""
WIDEST_PLANE = 20.0  # half a side of a plane that counts, in extents; larger ones are scenery
SMALLEST = 0.5  # least radius, in mean sizes


def sphere(model, state, objects: Iterable[ObjectId] = ()) -> tuple[np.ndarray, float] | None:
    """Centre (3,) and radius, in metres, of a ball around objects and all below them; without objects around all
    geoms. Infinite planes take no room among others. None where the objects have no place."""
    objects = list(objects)
    points, radii = [], []
    for geom in _geoms(model, objects) if objects else range(int(model.ngeom)):
        radius = float(model.geom_rbound[geom])
        if int(model.geom_type[geom]) == enums.GEOM_PLANE:
            sides = np.asarray(model.geom_size[geom][:2], float)
            radius = float(np.hypot(*sides))
            if sides.min() <= 0 or radius > WIDEST_PLANE * float(model.stat.extent):
                continue
        points.append(state.geom_xpos[geom])
        radii.append(radius)
    for kind, number in objects:
        if kind == "flex":
            first, count = int(model.flex_vertadr[number]), int(model.flex_vertnum[number])
            vertices = np.asarray(state.flexvert_xpos, float).reshape(-1, 3)[first : first + count]
            points += list(vertices)
            radii += [0.0] * len(vertices)
    if not points:
        points = [place for place in (place_of(model, state, each) for each in objects) if place is not None]
        radii = [0.0] * len(points)
    if not points:
        return None
    centres, reach = np.asarray(points, float), np.asarray(radii, float)[:, None]
    low, high = (centres - reach).min(axis=0), (centres + reach).max(axis=0)
    middle = 0.5 * (low + high)
    radius = float((np.linalg.norm(centres - middle, axis=1) + reach[:, 0]).max())
    return middle, max(radius, SMALLEST * float(model.stat.meansize))


def place_of(model, state, what: ObjectId) -> np.ndarray | None:
    """(3,) where an object is in the world; where its body is, if it has no place of its own; None without either."""
    kind, number = what
    field = PLACES.get(kind, f"{kind}_xpos" if kind == "geom" else "")
    if field:
        return np.array(getattr(state, field)[number], float)
    body = body_of(model, kind, number) if kind in KINDS else -1
    return np.array(state.xpos[body], float) if body > 0 else None


def _geoms(model, objects: list[ObjectId]) -> list[int]:
    """The geoms among objects, and those on bodies among them and below; of a joint those of its body."""
    bodies = {number for kind, number in objects if kind == "body"}
    bodies |= {int(model.jnt_bodyid[number]) for kind, number in objects if kind == "joint"}
    found = {number for kind, number in objects if kind == "geom"}
    if bodies:
        for body, parent in enumerate(np.asarray(model.body_parentid).tolist()):
            if parent in bodies and body:
                bodies.add(body)
        found |= {geom for geom, body in enumerate(np.asarray(model.geom_bodyid).tolist()) if body in bodies}
    return sorted(found)
