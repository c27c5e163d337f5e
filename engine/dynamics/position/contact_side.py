"""The two sides of a contact, and the bodies that move them.

A side is a geom (contact.geom), an element of a flex (contact.flex, contact.elem) or a vertex of a flex
(contact.flex, contact.vert); what does not apply is -1. A geom is moved by one body, a vertex by its body or
by the nodes of its flex, an element by all its vertices with weights that fall with their distance from the
contact.

The reference has no meaningful rotations in the Jacobian of a contact with a flex of condim 4 or 6 where the Jacobian
is sparse. Here they are the weighted angular velocities of the bodies, as for a dense one.

Specification: Computation, "Contact"; MuJoCo's mjContact.
"""

from __future__ import annotations

import math

from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL, load3, norm3, sub3

SMALL = 1e-5  # nodes with a smaller share do not count


@small
def side_body(model, data, c, side):
    """The body of a side that is a geom; -1 where the side is part of a flex."""
    geom = data.contact_geom[c, side]
    return model.geom_bodyid[geom] if geom >= 0 else -1


@small
def corner_weight(model, vertex, corner):
    """Weight of a node (0 to 7, bits x y z) in an interpolated vertex (trilinear)."""
    x, y, z = load3(model.flex_vert0, vertex)
    weight = x if corner & 4 else 1.0 - x
    weight *= y if corner & 2 else 1.0 - y
    weight *= z if corner & 1 else 1.0 - z
    return weight


@kernel
def contact_bodies(model, data, c):
    """List the bodies that move the sides of a contact in data.side_body; their number.

    data.side_weight holds their weights in the relative velocity of the contact point, negative for the first
    side.
    """
    n = 0
    for side in range(2):
        sign = -1.0 if side == 0 else 1.0
        body = side_body(model, data, c, side)
        if body >= 0:
            data.side_body[n] = body
            data.side_weight[n] = sign
            n += 1
        else:
            n = _add_flex(model, data, c, side, sign, n)
    return n


@kernel
def _add_flex(model, data, c, side, sign, n):
    """Append the bodies of a side that is part of a flex."""
    flex = data.contact_flex[c, side]
    first = model.flex_vertadr[flex]
    if data.contact_vert[c, side] >= 0:
        return _add_vertex(model, data, flex, first + data.contact_vert[c, side], sign, n, n)
    corners = model.flex_dim[flex] + 1
    adr = model.flex_elemdataadr[flex] + data.contact_elem[c, side] * corners
    other = _other_vertex(data, c, side)
    scale, point = sign * _scale(model, data, c, side), load3(data.contact_pos, c)
    begin = n
    for k in range(adr, adr + corners):
        if model.flex_elem[k] != other:
            vertex = first + model.flex_elem[k]
            n = _add_vertex(model, data, flex, vertex, scale * _nearness(data, vertex, point), begin, n)
    return n


@small
def _other_vertex(data, c, side):
    """Of a contact of a flex with itself: the vertex on the other side, -1 if there is none."""
    return data.contact_vert[c, 1 - side] if data.contact_flex[c, 1 - side] == data.contact_flex[c, side] else -1


@kernel
def _scale(model, data, c, side):
    """Factor that normalises the weights of an element's vertices to a unit vector, as in MuJoCo."""
    flex = data.contact_flex[c, side]
    corners, first = model.flex_dim[flex] + 1, model.flex_vertadr[flex]
    adr = model.flex_elemdataadr[flex] + data.contact_elem[c, side] * corners
    other, point = _other_vertex(data, c, side), load3(data.contact_pos, c)
    square = 0.0
    for k in range(adr, adr + corners):
        if model.flex_elem[k] != other:
            near = _nearness(data, first + model.flex_elem[k], point)
            square += near * near
    return 1.0 / math.sqrt(square)


@kernel
def inverse_mass(model, data, c):
    """The approximate inverse mass of the two sides of a contact together, 1/kg.

    As in the reference, only the last vertex counts of an element whose vertices are interpolated.
    """
    total = 0.0
    for side in range(2):
        body = side_body(model, data, c, side)
        if body >= 0:
            total += model.body_invweight0[body, 0]
            continue
        flex, element = data.contact_flex[c, side], data.contact_elem[c, side]
        n = _add_flex(model, data, c, side, 1.0, 0)
        if model.flex_interp[flex] and element >= 0:
            last = (element + 1) * (model.flex_dim[flex] + 1) - 1
            vertex = model.flex_vertadr[flex] + model.flex_elem[model.flex_elemdataadr[flex] + last]
            share = _scale(model, data, c, side) * _nearness(data, vertex, load3(data.contact_pos, c))
            n = _add_vertex(model, data, flex, vertex, share, 0, 0)
        for k in range(n):
            total += data.side_weight[k] * model.body_invweight0[data.side_body[k], 0]
    return total


@small
def _nearness(data, vertex, point):
    return 1.0 / max(MINVAL, norm3(sub3(point, load3(data.flexvert_xpos, vertex))))


@kernel
def _add_vertex(model, data, flex, vertex, weight, begin, n):
    """Append what moves a vertex; nodes that are listed from `begin` on already get a larger share."""
    if model.flex_interp[flex] == 0:
        data.side_body[n] = model.flex_vertbodyid[vertex]
        data.side_weight[n] = weight
        return n + 1
    for corner in range(model.flex_nodenum[flex]):
        share = corner_weight(model, vertex, corner)
        if share < SMALL:
            continue
        body = model.flex_nodebodyid[model.flex_nodeadr[flex] + corner]
        k = begin
        while k < n and data.side_body[k] != body:
            k += 1
        if k == n:
            data.side_body[n] = body
            data.side_weight[n] = 0.0
            n += 1
        data.side_weight[k] += weight * share
    return n
