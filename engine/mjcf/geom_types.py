"""Geom types: their enumeration, and how a shape is given by its two ends (XML reference, body/geom/type and
fromto).
"""

from __future__ import annotations

from kinetree.engine.model import enums

GEOM_TYPES = {
    "plane": enums.GEOM_PLANE,
    "hfield": enums.GEOM_HFIELD,
    "sphere": enums.GEOM_SPHERE,
    "capsule": enums.GEOM_CAPSULE,
    "ellipsoid": enums.GEOM_ELLIPSOID,
    "cylinder": enums.GEOM_CYLINDER,
    "box": enums.GEOM_BOX,
    "mesh": enums.GEOM_MESH,
    "sdf": enums.GEOM_SDF,
}

SIZES = {
    enums.GEOM_SPHERE: 1,
    enums.GEOM_CAPSULE: 2,
    enums.GEOM_ELLIPSOID: 3,
    enums.GEOM_CYLINDER: 2,
    enums.GEOM_BOX: 3,
}
"""How many sizes a shape needs."""
FROMTO = {enums.GEOM_CAPSULE: 2, enums.GEOM_CYLINDER: 2, enums.GEOM_ELLIPSOID: 3, enums.GEOM_BOX: 3}


def stretch(kind: int, size: list[float], half: float) -> None:
    """Set the half length of a shape given by its two ends; its width is the first size."""
    if FROMTO[kind] == 3:
        size[1] = size[0]
    size[FROMTO[kind] - 1] = half
