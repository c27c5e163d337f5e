"""Contacts of a plane with the hull of a mesh: the lowest vertex and some of its neighbours."""

from __future__ import annotations

from kinetree.engine.collision.primitive import ZERO, axis_of, put, touch_plane
from kinetree.engine.collision.support import climb, hull_vertex, search, vertex
from kinetree.engine.collision.unfused import dot
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import add3, addscale3, dot3, load3, load9, mulmat3, mulmatT3, norm3, scale3, sub3

MOST = 3
SPREAD = 0.3  # a neighbour counts when it is farther from the first contact than this part of the bounding radius


@kernel
def plane_mesh(model, data, g1, g2, margin):
    """Up to three contacts: the lowest vertex, then hull neighbours within the margin and apart from it."""
    normal = axis_of(data, g1)
    origin = load3(data.geom_xpos, g1)
    centre = load3(data.geom_xpos, g2)
    R = load9(data.geom_xmat, g2)
    mesh = model.geom_dataid[g2]
    first = model.mesh_vertadr[mesh]
    graph = model.mesh_graphadr[mesh]
    down = mulmatT3(R, scale3(normal, -1.0))
    if graph >= 0:
        lowest = climb(model, first, graph, down, 0, dot(down, hull_vertex(model, first, graph, 0)))
        point = hull_vertex(model, first, graph, lowest)
    else:
        lowest = search(model, first, model.mesh_vertnum[mesh], down, -1)
        point = vertex(model, first + lowest)
    n = touch_plane(data, 0, origin, normal, add3(centre, mulmat3(R, point)), 0.0, margin, ZERO)
    if n == 0:
        return 0
    begin = load3(data.near_pos, 0)
    k = 0
    end = model.mesh_vertnum[mesh]
    if graph >= 0:
        ids = graph + 2 + model.mesh_graph[graph]
        k = ids + model.mesh_graph[graph] + model.mesh_graph[graph + 2 + lowest]
        end = model.nmeshgraph
    while k < end and n < MOST:
        i = k
        if graph >= 0:
            i = model.mesh_graph[k]
            if i < 0:
                break
            i = model.mesh_graph[ids + i]
        k += 1
        point = add3(centre, mulmat3(R, vertex(model, first + i)))
        dist = dot3(normal, sub3(point, origin))
        if dist < margin and norm3(sub3(point, begin)) > SPREAD * model.geom_rbound[g2]:
            put(data, n, dist, addscale3(point, normal, -0.5 * dist), normal, ZERO)
            n += 1
    return n
