"""Contacts of a height field with a convex geom: one for each prism of the field that the geom overlaps.

Two triangles share a cell of the grid, and a prism reaches from its triangle down to the bottom of the base. The convex
collider works in the field's frame. As in the reference, the surface is raised by the whole margin, the geom is
inflated by half of it, and the distance is not corrected for that.

Source: specification, Computation, "Collision detection"; XML reference, "asset/hfield".
"""

from __future__ import annotations

from kinetree.engine.collision.ccd import collider, witness
from kinetree.engine.collision.outward import has_outward, outward
from kinetree.engine.collision.primitive import ZERO, put
from kinetree.engine.collision.support import CORNERS, set_geom, set_prism, support
from kinetree.engine.collision.unfused import minus, plus, times, to_local, to_world, turned, unit
from kinetree.engine.jit.kernel import exact, exact_small
from kinetree.engine.jit.rounding import floor, to_int
from kinetree.engine.jit.vec import load3

MOST = 50  # contacts of a pair


@exact
def set_local(model, data, g1, g2):
    """Make geom g2 in the frame of geom g1 object 1 of the convex collider."""
    set_geom(model, data, 1, g2, 0.0)
    Q = data.geom_xmat
    p = to_local(Q, g1, minus(load3(data.geom_xpos, g2), load3(data.geom_xpos, g1)))
    for column in range(3):
        axis = to_local(Q, g1, (Q[g2, column], Q[g2, 3 + column], Q[g2, 6 + column]))
        data.ccd_pos[1, column] = p[column]
        for c in range(3):
            data.ccd_mat[1, 3 * c + column] = axis[c]


@exact
def reach(model, data, axis, sign):
    """The farthest coordinate of object 1 along an axis (0, 1, 2), in the direction of the sign."""
    direction = (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)
    return support(model, data, 1, direction)[0][axis]


@exact
def add_vertex(data, x, y, z):
    """Append a vertex of the field to the triangle of the prism, whose first one leaves it."""
    C = data.ccd_corner
    for i in range(2):
        for k in range(3):
            C[i, k] = C[i + 1, k]
            C[3 + i, k] = C[4 + i, k]
    C[2, 0] = C[5, 0] = x
    C[2, 1] = C[5, 1] = y
    C[5, 2] = z


@exact_small
def put_contact(model, data, k, g1, g2):
    """Write contact k of the prism with object 1, in the world. Of a geom the surface says the normal."""
    a, b = witness(data, 0), witness(data, 1)
    pos = to_world(data.geom_xmat, g1, times(plus(a, b, 1.0), 0.5), data.geom_xpos)
    normal = turned(data.geom_xmat, g1, unit(minus(a, b)))
    if g2 >= 0:
        local = to_local(data.geom_xmat, g2, minus(pos, load3(data.geom_xpos, g2)))
        if has_outward(model, g2, local):  # else the normal keeps its bits
            round_one = outward(model, g2, local, to_local(data.geom_xmat, g2, times(normal, -1.0)))
            normal = times(turned(data.geom_xmat, g2, round_one), -1.0)
    put(data, k, data.ccd_dist, pos, normal, ZERO)


@exact
def hfield_convex(model, data, g1, g2, margin):
    """Contacts of height field g1 with geom g2."""
    field = model.geom_dataid[g1]
    size = load3(model.hfield_size, field)
    base = model.hfield_size[field, 3]
    set_local(model, data, g1, g2)
    sphere = model.geom_rbound[g2] + margin
    for k in range(3):
        p = data.ccd_pos[1, k]
        if size[k] < p - sphere or -(base if k == 2 else size[k]) > p + sphere:
            return 0
    x0, x1 = reach(model, data, 0, -1.0), reach(model, data, 0, 1.0)
    y0, y1 = reach(model, data, 1, -1.0), reach(model, data, 1, 1.0)
    z0, z1 = reach(model, data, 2, -1.0), reach(model, data, 2, 1.0)
    data.ccd_half[1] = 0.5 * margin
    return prism_contacts(model, data, g1, g2, margin, x0, x1, y0, y1, z0, z1)


@exact
def prism_contacts(model, data, g1, g2, margin, x0, x1, y0, y1, z0, z1):
    """Contacts of object 1 of the convex collider with the prisms of height field g1 that it overlaps, row by row
    of the field, into data.near_dist and so on; their number, at most 50.

    Object 1 is in the frame of the field and reaches from (x0, y0, z0) to (x1, y1, z1) there. It is geom g2, or
    something else where that is negative.
    """
    field = model.geom_dataid[g1]
    size = load3(model.hfield_size, field)
    base = model.hfield_size[field, 3]
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
                    put_contact(model, data, n, g1, g2)
                    n += 1
                    if n == MOST:
                        return n
    return n


@exact_small
def cells(low, high, half, number):
    """The lines of the grid (0 to number - 1) between which an extent lies."""
    first = (low + half) / (2.0 * half) * (number - 1)
    last = -floor(-((high + half) / (2.0 * half) * (number - 1)))
    return to_int(first, 0, number - 1), to_int(last, 0, number - 1)
