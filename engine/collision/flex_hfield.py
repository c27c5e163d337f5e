"""Contacts of a height field with an element of a flex: one for each prism of the field that the element overlaps.

As for geoms (`engine/collision/hfield.py`), with the reference's reach: cells and prisms are looked up by the bare
vertices, without the radius of the flex, so that a contact begins when a vertex is below the surface.
"""

from __future__ import annotations

import math

from engine.collision.ccd import collider, witness
from engine.collision.hfield import MOST, add_vertex, cells
from engine.collision.primitive import ZERO, put
from engine.collision.support import CORNERS, set_element, set_prism
from engine.collision.unfused import minus, plus, times, to_local, to_world, turned, unit
from engine.jit.kernel import exact, exact_small
from engine.jit.vec import load3


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
    """At most 50 contacts, row by row of the field, into data.near_dist and so on; their number."""
    field = model.geom_dataid[geom]
    size = load3(model.hfield_size, field)
    base = model.hfield_size[field, 3]
    set_local(model, data, geom, flex, element)
    x0, x1 = extent(data, 0)
    y0, y1 = extent(data, 1)
    z0, z1 = extent(data, 2)
    if x0 - margin > size[0] or x1 + margin < -size[0] or y0 - margin > size[1] or y1 + margin < -size[1]:
        return 0
    if z0 - margin > size[2] or z1 + margin < -base:
        return 0
    rows, columns = model.hfield_nrow[field], model.hfield_ncol[field]
    first, last = cells(x0, x1, size[0], columns)
    low, high = cells(y0, y1, size[1], rows)
    dx, dy = 2.0 * size[0] / (columns - 1), 2.0 * size[1] / (rows - 1)
    for i in range(CORNERS):
        for k in range(3):
            data.ccd_corner[i, k] = -base if k == 2 and i < 3 else 0.0
    data.ccd_half[1] += 0.5 * margin
    n = 0
    for r in range(low, high):
        vertices = 0
        for c in range(first, last + 1):
            for up in range(2):
                row = r + 1 - up
                z = float(model.hfield_data[model.hfield_adr[field] + row * columns + c]) * size[2] + margin
                add_vertex(data, dx * c - size[0], dy * row - size[1], z)
                vertices += 1
                top = max(data.ccd_corner[3, 2], data.ccd_corner[4, 2], data.ccd_corner[5, 2])
                if vertices < 3 or top < z0:
                    continue
                set_prism(data, 0)
                collider(model, data, 0.0)
                if data.ccd_dist < 0.0:
                    a, b = witness(data, 0), witness(data, 1)
                    pos = to_world(data.geom_xmat, geom, times(plus(a, b, 1.0), 0.5), data.geom_xpos)
                    put(data, n, data.ccd_dist, pos, turned(data.geom_xmat, geom, unit(minus(a, b))), ZERO)
                    n += 1
                    if n == MOST:
                        return n
    return n
