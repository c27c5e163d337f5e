"""Positions of flexes: vertices, boxes around elements, lengths of edges and their derivatives.

Specification: XML reference, "deformable/flex" (body, vertex, node) and "flexcomp" (dof). A vertex is fixed
to a body, or interpolated in a box whose eight corners, the nodes, are fixed to bodies (trilinear).
"""

from __future__ import annotations

import math

from kinetree.engine.collision.flex_tree import RUN
from kinetree.engine.dynamics.position.contact_side import corner_weight
from kinetree.engine.dynamics.position.jacobian import arm_of, dof_velocity, last_dof
from kinetree.engine.jit.kernel import exact_small, kernel, small
from kinetree.engine.jit.vec import MINVAL, add3, addscale3, dot3, load3, load6, load9, mulmat3, scale3, store3, sub3


@small
def node_position(model, data, flex, node):
    """The position of a node of an interpolated flex, m."""
    body = model.flex_nodebodyid[node]
    pos = load3(data.xpos, body)
    if not model.flex_centered[flex]:
        pos = add3(pos, mulmat3(load9(data.xmat, body), load3(model.flex_node, node)))
    return pos


@kernel
def flex_positions(model, data):
    """data.flexvert_xpos from the poses of the bodies."""
    for f in range(model.nflex):
        first = model.flex_vertadr[f]
        end = first + model.flex_vertnum[f]
        centered = model.flex_centered[f]
        if model.flex_interp[f] == 0:
            for v in range(first, end):
                body = model.flex_vertbodyid[v]
                pos = load3(data.xpos, body)
                if not centered:
                    pos = add3(pos, mulmat3(load9(data.xmat, body), load3(model.flex_vert, v)))
                store3(data.flexvert_xpos, v, pos)
            continue
        for v in range(first, end):
            store3(data.flexvert_xpos, v, (0.0, 0.0, 0.0))
        for corner in range(model.flex_nodenum[f]):
            pos = node_position(model, data, f, model.flex_nodeadr[f] + corner)
            for v in range(first, end):
                weight = corner_weight(model, v, corner)
                store3(data.flexvert_xpos, v, addscale3(load3(data.flexvert_xpos, v), pos, weight))


@kernel
def flex_boxes(model, data):
    """data.flexelem_aabb, and flexrun_aabb around runs of them, from the positions of the vertices."""
    R = data.flexrun_aabb
    for f in range(model.nflex):
        corners, first, radius = model.flex_dim[f] + 1, model.flex_vertadr[f], model.flex_radius[f]
        for e in range(model.flex_elemnum[f]):
            adr = model.flex_elemdataadr[f] + e * corners
            low = high = load3(data.flexvert_xpos, first + model.flex_elem[adr])
            for k in range(adr + 1, adr + corners):
                x, y, z = load3(data.flexvert_xpos, first + model.flex_elem[k])
                low = (min(low[0], x), min(low[1], y), min(low[2], z))
                high = (max(high[0], x), max(high[1], y), max(high[2], z))
            at, run = model.flex_elemadr[f] + e, model.flex_elemadr[f] + e // RUN
            begins = e % RUN == 0
            for k in range(3):
                middle, half = 0.5 * (high[k] + low[k]), 0.5 * (high[k] - low[k]) + radius
                data.flexelem_aabb[at, k], data.flexelem_aabb[at, 3 + k] = middle, half
                R[run, k] = middle - half if begins else min(R[run, k], middle - half)
                R[run, 3 + k] = middle + half if begins else max(R[run, 3 + k], middle + half)


@small
def has_edges(model, f):
    """Whether the edges of a flex have lengths that may change."""
    return not model.flex_rigid[f] and not model.flex_interp[f]


@small
def uses_edges(model, f):
    """Whether anything acts along the edges of a flex, so that the derivatives of their lengths are needed."""
    return (
        model.flex_edgeequality[f]
        or model.flex_edgedamping[f] != 0.0
        or model.flex_edgestiffness[f] != 0.0
        or model.flex_damping[f] != 0.0
    )


@exact_small
def _length(v):
    """Without fused operations, as the compiler of models computes flexedge_length0: a flex at rest has no force."""
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@kernel
def flex_edges(model, data):
    """flexedge_length and, where something acts along them, flexedge_J."""
    for f in range(model.nflex):
        if not has_edges(model, f):
            continue
        acts = uses_edges(model, f)
        first = model.flex_vertadr[f]
        for e in range(model.flex_edgeadr[f], model.flex_edgeadr[f] + model.flex_edgenum[f]):
            one, two = first + model.flex_edge[e, 0], first + model.flex_edge[e, 1]
            pos1, pos2 = load3(data.flexvert_xpos, one), load3(data.flexvert_xpos, two)
            way = sub3(pos2, pos1)
            length = _length(way)
            data.flexedge_length[e] = length
            if acts:
                begin = model.flexedge_J_rowadr[e]
                end = begin + model.flexedge_J_rownnz[e]
                for k in range(begin, end):
                    data.flexedge_J[k] = 0.0
                along = scale3(way, 1.0 / length) if length >= MINVAL else (1.0, 0.0, 0.0)
                back = (-along[0], -along[1], -along[2])
                _add_end(model, data, model.flex_vertbodyid[one], pos1, back, begin, end)
                _add_end(model, data, model.flex_vertbodyid[two], pos2, along, begin, end)


@kernel
def _add_end(model, data, body, point, along, begin, end):
    """Add the velocity of a body's point along a direction by each dof to entries of flexedge_J."""
    if begin == end:
        return
    lowest = model.flexedge_J_colind[begin]
    if model.body_simple[body] == 2:  # its own dofs are all that move it
        dof = model.body_dofadr[body]
        k = begin
        while model.flexedge_J_colind[k] < dof:
            k += 1
        for i in range(model.body_dofnum[body]):
            s = load6(data.cdof, dof + i)
            data.flexedge_J[k + i] += dot3(along, (s[3], s[4], s[5]))
        return
    arm = arm_of(model, data, body, point)
    k, dof = end - 1, last_dof(model, body)
    while dof >= lowest:
        while model.flexedge_J_colind[k] > dof:
            k -= 1
        if model.flexedge_J_colind[k] == dof:
            data.flexedge_J[k] += dot3(along, dof_velocity(data, dof, arm)[1])
        dof = model.dof_parentid[dof]
