"""Geom types: their enumeration, and how a shape is given by its two ends (XML reference, body/geom/type and
fromto).
"""

from __future__ import annotations

from kinetree.engine.model.enums import (
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_PLANE,
    GEOM_SDF,
    GEOM_SPHERE,
)

GEOM_TYPES = {
    "plane": GEOM_PLANE,
    "hfield": GEOM_HFIELD,
    "sphere": GEOM_SPHERE,
    "capsule": GEOM_CAPSULE,
    "ellipsoid": GEOM_ELLIPSOID,
    "cylinder": GEOM_CYLINDER,
    "box": GEOM_BOX,
    "mesh": GEOM_MESH,
    "sdf": GEOM_SDF,
}

SIZES = {GEOM_SPHERE: 1, GEOM_CAPSULE: 2, GEOM_ELLIPSOID: 3, GEOM_CYLINDER: 2, GEOM_BOX: 3}
"""How many sizes a shape needs."""
FROMTO = {GEOM_CAPSULE: 2, GEOM_CYLINDER: 2, GEOM_ELLIPSOID: 3, GEOM_BOX: 3}


def stretch(kind: int, size: list[float], half: float) -> None:
    """Set the half length of a shape given by its two ends; its width is the first size."""
    if FROMTO[kind] == 3:
        size[1] = size[0]
    size[FROMTO[kind] - 1] = half
