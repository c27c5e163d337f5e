"""The farthest point of a convex geom in a direction.

The core of a sphere is a point, that of a capsule a segment; the radius is added after GJK and EPA, which
makes both faster and more exact.
"""

from __future__ import annotations

import math

from engine.jit.kernel import kernel, small
from engine.jit.vec import add3, dot3, load3, load9, mulmat3, mulmatT3
from engine.model.enums import (
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_MESH,
    GEOM_SPHERE,
)


@small
def radius_of(model, g):
    """The radius that a geom has around its core; 0 for geoms that are their own core."""
    t = model.geom_type[g]
    return model.geom_size[g, 0] if t == GEOM_SPHERE or t == GEOM_CAPSULE else 0.0


@small
def vertex(model, i):
    return float(model.mesh_vert[i, 0]), float(model.mesh_vert[i, 1]), float(model.mesh_vert[i, 2])


@kernel
def mesh_support(model, mesh, direction, start):
    """The farthest vertex of a mesh (index into its own vertices), by climbing along edges of its hull.

    The graph of the hull holds, after the number of vertices n and of faces: n addresses of edge lists, n
    indices of vertices, and the lists, each ended by -1 (mjModel, mesh_graph). Without a graph every vertex
    is tried.
    """
    first = model.mesh_vertadr[mesh]
    graph = model.mesh_graphadr[mesh]
    if graph < 0:
        best = 0
        most = -math.inf
        for i in range(model.mesh_vertnum[mesh]):
            value = dot3(direction, vertex(model, first + i))
            if value > most:
                most = value
                best = i
        return best
    number = model.mesh_graph[graph]
    addresses = graph + 2
    ids = addresses + number
    edges = ids + number
    best = start if start >= 0 and start < number else 0
    most = dot3(direction, vertex(model, first + model.mesh_graph[ids + best]))
    for _ in range(number):
        here = best
        k = edges + model.mesh_graph[addresses + here]
        while model.mesh_graph[k] >= 0:
            i = model.mesh_graph[k]
            value = dot3(direction, vertex(model, first + model.mesh_graph[ids + i]))
            if value > most:
                most = value
                best = i
            k += 1
        if best == here:
            break
    return best


@kernel
def support(model, data, g, direction, start):
    """(farthest point of the core of a geom, relative to its centre, in world axes; vertex to start from
    next).
    """
    t = model.geom_type[g]
    if t == GEOM_SPHERE:
        return (0.0, 0.0, 0.0), start
    R = load9(data.geom_xmat, g)
    size = load3(model.geom_size, g)
    d = mulmatT3(R, direction)
    if t == GEOM_MESH:
        mesh = model.geom_dataid[g]
        start = mesh_support(model, mesh, d, start)
        graph = model.mesh_graphadr[mesh]
        i = start if graph < 0 else model.mesh_graph[graph + 2 + model.mesh_graph[graph] + start]
        p = vertex(model, model.mesh_vertadr[mesh] + i)
    elif t == GEOM_CAPSULE:
        p = (0.0, 0.0, size[1] if d[2] >= 0.0 else -size[1])
    elif t == GEOM_ELLIPSOID:
        q = (d[0] * size[0], d[1] * size[1], d[2] * size[2])
        length = math.sqrt(dot3(q, q))
        s = 1.0 / length if length > 0.0 else 0.0
        p = (q[0] * size[0] * s, q[1] * size[1] * s, q[2] * size[2] * s)
    elif t == GEOM_CYLINDER:
        length = math.sqrt(d[0] * d[0] + d[1] * d[1])
        s = size[0] / length if length > 0.0 else 0.0
        p = (d[0] * s, d[1] * s, size[1] if d[2] >= 0.0 else -size[1])
    elif t == GEOM_BOX:
        p = (
            size[0] if d[0] >= 0.0 else -size[0],
            size[1] if d[1] >= 0.0 else -size[1],
            size[2] if d[2] >= 0.0 else -size[2],
        )
    else:
        p = (0.0, 0.0, 0.0)
    return mulmat3(R, p), start


@kernel
def difference(model, data, g1, g2, direction, row):
    """Write row of data.ccd_point: the farthest point of core 1 minus core 2, then the two points themselves.

    Positions are relative to the centre of the first geom.
    """
    a, data.ccd_start1 = support(model, data, g1, direction, data.ccd_start1)
    back = (-direction[0], -direction[1], -direction[2])
    b, data.ccd_start2 = support(model, data, g2, back, data.ccd_start2)
    p = data.geom_xpos
    b = add3(b, (p[g2, 0] - p[g1, 0], p[g2, 1] - p[g1, 1], p[g2, 2] - p[g1, 2]))
    for k in range(3):
        data.ccd_point[row, k] = a[k] - b[k]
        data.ccd_point[row, 3 + k] = a[k]
        data.ccd_point[row, 6 + k] = b[k]
