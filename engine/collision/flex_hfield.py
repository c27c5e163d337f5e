"""Contacts of a height field with an element of a flex: one for each prism of the field that the element overlaps.

As for geoms (`engine/collision/hfield.py`), with the reference's reach: cells and prisms are looked up by the bare
vertices, without the radius of the flex, so that a contact begins when a vertex is below the surface.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.hfield import prism_contacts
from kinetree.engine.collision.support import CORNERS, set_element
from kinetree.engine.collision.unfused import minus, to_local
from kinetree.engine.jit.kernel import exact, exact_small
from kinetree.engine.jit.vec import load3


@exact
def set_local(model, data, geom, flex, element):
    """Make an element, in the frame of a geom, object 1 of the convex collider."""
    set_element(model, data, 1, flex, element, 0.0)
    C, origin = data.ccd_corner, load3(data.geom_xpos, geom)
    for i in range(CORNERS, CORNERS + data.ccd_mesh[1, 0]):
        p = to_local(data.geom_xmat, geom, minus((C[i, 0], C[i, 1], C[i, 2]), origin))
        for c in range(3):
            C[i, c] = p[c]
    p = to_local(data.geom_xmat, geom, minus(load3(data.ccd_pos, 1), origin))
    for c in range(3):
        data.ccd_pos[1, c] = p[c]


@exact_small
def extent(data, axis):
    """Low and high end of the vertices of object 1 along an axis."""
    low, high = math.inf, -math.inf
    for i in range(CORNERS, CORNERS + data.ccd_mesh[1, 0]):
        low, high = min(low, data.ccd_corner[i, axis]), max(high, data.ccd_corner[i, axis])
    return low, high


@exact
def hfield_element(model, data, geom, flex, element, margin):
    """Contacts of a height field with an element, as those of `prism_contacts`."""
    set_local(model, data, geom, flex, element)
    x0, x1 = extent(data, 0)
    y0, y1 = extent(data, 1)
    z0, z1 = extent(data, 2)
    data.ccd_half[1] += 0.5 * margin
    return prism_contacts(model, data, geom, -1, margin, x0, x1, y0, y1, z0, z1)
