"""Positions of the vertices of flexes.

Specification: XML reference, "deformable/flex" (body, vertex, node) and "flexcomp" (dof). A vertex is fixed
to a body, or interpolated in a box whose eight corners, the nodes, are fixed to bodies (trilinear).
"""

from __future__ import annotations

from engine.dynamics.contact_side import corner_weight
from engine.jit.kernel import kernel
from engine.jit.vec import add3, addscale3, load3, load9, mulmat3, store3


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
            node = model.flex_nodeadr[f] + corner
            body = model.flex_nodebodyid[node]
            pos = load3(data.xpos, body)
            if not centered:
                pos = add3(pos, mulmat3(load9(data.xmat, body), load3(model.flex_node, node)))
            for v in range(first, end):
                weight = corner_weight(model, v, corner)
                store3(data.flexvert_xpos, v, addscale3(load3(data.flexvert_xpos, v), pos, weight))
