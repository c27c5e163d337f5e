"""Convex objects, and their farthest point in a direction (support).

Convex collision works on two objects, 0 and 1, which are rows of data.ccd_type, ccd_mesh, ccd_pos, ccd_mat, ccd_size
and ccd_half. An object is a geom (`set_geom`), a prism (`set_prism`) or an element of a flex (`set_element`), with the
vertices of these two in data.ccd_corner. It is inflated by half of the contact margin.
"""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.collision.unfused import dot, plus, to_local, to_world
from kinetree.engine.jit.kernel import exact, exact_small, kernel, small
from kinetree.engine.jit.rounding import to_int
from kinetree.engine.jit.vec import MINVAL
from kinetree.engine.model import enums

CLIMB = 10  # meshes with fewer vertices are searched as a whole
LARGE = 64  # vertices of a hull
CORNERS = 6  # of a prism
CLEAR = 1e-6  # relative: far above the rounding of a hull
CELLS = 8  # for each vertex of a hull, for which its graph has 15 entries


@kernel
def set_geom(model, data, k, g, half):
    """Make geom g, inflated by half a margin, object k (0 or 1)."""
    data.ccd_type[k] = model.geom_type[g]
    for c in range(3):
        data.ccd_pos[k, c] = data.geom_xpos[g, c]
        data.ccd_size[k, c] = model.geom_size[g, c]
    for c in range(9):
        data.ccd_mat[k, c] = data.geom_xmat[g, c]
    data.ccd_half[k] = half
    data.ccd_vertex[k] = -1
    mesh = model.geom_dataid[g]
    if model.geom_type[g] == enums.GEOM_MESH or model.geom_type[g] == enums.GEOM_SDF:
        data.ccd_type[k] = enums.GEOM_MESH
        data.ccd_mesh[k, 0] = model.mesh_vertadr[mesh]
        data.ccd_mesh[k, 1] = mesh
        data.ccd_mesh[k, 2] = model.mesh_graphadr[mesh]


@kernel
def set_prism(data, k):
    """Make the prism with the vertices 6 k to 6 k + 5 of data.ccd_corner object k: three below, three above.

    They are in the world, or in whatever frame the other object is given in. data.ccd_pos is their mean, rounded as in
    the reference: where ties are decided by the last bit, the search ends with the same face.
    """
    data.ccd_type[k] = enums.GEOM_HFIELD
    for c in range(3):
        total = 0.0
        for i in range(CORNERS):
            total += data.ccd_corner[CORNERS * k + i, c]
        data.ccd_pos[k, c] = total * (1.0 / CORNERS)
    data.ccd_half[k] = 0.0
    data.ccd_vertex[k] = -1


@kernel
def set_element(model, data, k, flex, element, half):
    """Make an element of a flex, inflated by its radius and half a margin, object k; its centre is that of its box."""
    corners = model.flex_dim[flex] + 1
    adr = model.flex_elemdataadr[flex] + element * corners
    first = model.flex_vertadr[flex]
    for i in range(corners):
        v = first + model.flex_elem[adr + i]
        for c in range(3):
            data.ccd_corner[CORNERS * k + i, c] = data.flexvert_xpos[v, c]
    box = model.flex_elemadr[flex] + element
    for c in range(3):
        data.ccd_pos[k, c] = data.flexelem_aabb[box, c]
    data.ccd_type[k] = enums.GEOM_FLEX
    data.ccd_mesh[k, 0] = corners
    data.ccd_half[k] = model.flex_radius[flex] + half
    data.ccd_vertex[k] = -1


@small
def vertex(model, i):
    return float(model.mesh_vert[i, 0]), float(model.mesh_vert[i, 1]), float(model.mesh_vert[i, 2])


@exact_small
def hull_vertex(model, first, graph, i):
    """Vertex i of a hull."""
    return vertex(model, first + model.mesh_graph[graph + 2 + model.mesh_graph[graph] + i])


@exact
def climb(model, first, graph, direction, start, most):
    """The farthest vertex of a hull (number in the hull), by climbing along its edges from a vertex.

    The first neighbour has to be farther than `most`. The graph holds, after the numbers of vertices n and of faces: n
    addresses of edge lists, n numbers of vertices in the mesh, and the lists, each ended by -1 (mjModel.mesh_graph).
    """
    G, V = model.mesh_graph, model.mesh_vert
    number = G[graph]
    addresses = graph + 2
    ids = addresses + number
    edges = ids + number
    x, y, z = direction
    best = start
    for _ in range(number):
        here = best
        k = np.uint64(edges + G[addresses + here])
        i = G[k]
        while i >= 0:
            v = np.uint64(first + G[np.uint64(ids + i)])  # unsigned: no test for negative indices, which costs a third
            value = x * V[v, 0] + y * V[v, 1] + z * V[v, 2]
            if value > most:
                most = value
                best = i
            k += np.uint64(1)
            i = G[k]
        if best == here:
            break
    return best


@exact
def climb_from_guess(model, first, graph, direction, here):
    """The farthest vertex of a hull, if it is clear, so that `climb` finds it from any start; else -1.

    It is clear when it is farther than its neighbours by much more than rounding, as the hull is convex.
    """
    G, V = model.mesh_graph, model.mesh_vert
    number = G[graph]
    ids = graph + 2 + number
    edges = ids + number
    x, y, z = direction
    v = np.uint64(first + G[np.uint64(ids + here)])
    top = x * V[v, 0] + y * V[v, 1] + z * V[v, 2]
    for _ in range(number):
        most, best = -math.inf, here
        k = np.uint64(edges + G[np.uint64(graph + 2 + here)])
        i = G[k]
        while i >= 0:
            v = np.uint64(first + G[np.uint64(ids + i)])
            value = x * V[v, 0] + y * V[v, 1] + z * V[v, 2]
            if value > most:
                most = value
                best = i
            k += np.uint64(1)
            i = G[k]
        if not most > top:
            v = np.uint64(first + G[np.uint64(ids + here)])
            return here if most < top - CLEAR * (abs(V[v, 0]) + abs(V[v, 1]) + abs(V[v, 2])) else -1
        here, top = best, most
    return -1


@small
def cell_of(model, graph, direction):
    """The cell of a direction in data.ccd_guess: a square of the octahedral map, which has fewer cells than the graph
    has entries.
    """
    x, y, z = direction
    scale = 1.0 / max(abs(x) + abs(y) + abs(z), MINVAL)
    u, v = x * scale, y * scale
    if z < 0.0:
        u, v = math.copysign(1.0 - abs(v), u), math.copysign(1.0 - abs(u), v)
    if not (abs(u) <= 1.0 and abs(v) <= 1.0):  # not a number
        return graph
    number = CELLS * model.mesh_graph[graph]
    side = to_int(math.sqrt(float(number)), 0, number)
    i, j = to_int((u + 1.0) * (0.49999 * side), 0, side - 1), to_int((v + 1.0) * (0.49999 * side), 0, side - 1)
    return graph + side * i + j


@exact
def climb_large(model, data, first, graph, direction, start):
    """`climb` from a vertex, for large hulls: first from the vertex that was found last in this direction."""
    cell = cell_of(model, graph, direction)
    guess = data.ccd_guess[cell]
    found = climb_from_guess(model, first, graph, direction, guess)
    if found < 0:
        return climb(model, first, graph, direction, start, -math.inf)
    if found != guess:
        data.ccd_guess[cell] = found
    return found


@exact
def search(model, first, number, direction, start):
    """The farthest of all vertices of a mesh; the start, if it is not negative, unless another is farther."""
    best = max(0, start)
    most = dot(direction, vertex(model, first + start)) if start >= 0 else -math.inf
    for i in range(number):
        value = dot(direction, vertex(model, first + i))
        if value > most:
            most = value
            best = i
    return best


@exact
def mesh_support(model, data, k, direction):
    """(farthest vertex of the mesh of object k, its number in the mesh)"""
    first = data.ccd_mesh[k, 0]
    graph = data.ccd_mesh[k, 2]
    start = data.ccd_vertex[k]
    number = model.mesh_vertnum[data.ccd_mesh[k, 1]]
    if graph >= 0 and number >= CLIMB:
        if model.mesh_graph[graph] >= LARGE:
            found = climb_large(model, data, first, graph, direction, max(0, start))
        else:
            found = climb(model, first, graph, direction, max(0, start), -math.inf)
        i = model.mesh_graph[graph + 2 + model.mesh_graph[graph] + found]
    else:
        found = i = search(model, first, number, direction, start)
    data.ccd_vertex[k] = found
    return vertex(model, first + i), i


@exact
def corner_support(data, k, direction):
    """The farthest vertex of an element or a prism; of the upper three of a prism where the direction points up."""
    first, number = CORNERS * k, 3
    if data.ccd_type[k] == enums.GEOM_FLEX:
        number = data.ccd_mesh[k, 0]
    elif not direction[2] < 0.0:
        first += 3
    C = data.ccd_corner
    p = C[first, 0], C[first, 1], C[first, 2]
    most = dot(direction, p)
    for i in range(first + 1, first + number):
        q = C[i, 0], C[i, 1], C[i, 2]
        value = dot(direction, q)
        if value > most:
            most = value
            p = q
    return p


@exact_small
def cylinder_support(radius, half, d):
    """The point of the rim; in the middle of the side where the direction is exactly across the axis."""
    square = d[0] * d[0] + d[1] * d[1]
    s = radius / math.sqrt(square) if square > MINVAL * MINVAL else 0.0
    return d[0] * s, d[1] * s, half if d[2] > 0.0 else (-half if d[2] < 0.0 else 0.0)


@exact_small
def ellipsoid_support(size, d):
    x, y, z = d[0] * size[0], d[1] * size[1], d[2] * size[2]
    length = math.sqrt(x * x + y * y + z * z)
    if length < MINVAL:
        return size[0], 0.0, 0.0
    s = 1.0 / length
    return x * (size[0] * s), y * (size[1] * s), z * (size[2] * s)


@exact
def support(model, data, k, direction):
    """(farthest point of object k along a unit direction, number of the vertex that it is)

    The number counts the vertices of a mesh; the bits of a box's corner are 1 x, 2 y, 4 z. It is -1 for other objects.
    """
    t = data.ccd_type[k]
    i = -1
    if t == enums.GEOM_HFIELD or t == enums.GEOM_FLEX:
        p = corner_support(data, k, direction)
    else:
        d = to_local(data.ccd_mat, k, direction)
        size = data.ccd_size[k, 0], data.ccd_size[k, 1], data.ccd_size[k, 2]
        if t == enums.GEOM_MESH:
            p, i = mesh_support(model, data, k, d)
        elif t == enums.GEOM_BOX:
            i = (1 if d[0] >= 0.0 else 0) + (2 if d[1] >= 0.0 else 0) + (4 if d[2] >= 0.0 else 0)
            p = size[0] if i & 1 else -size[0], size[1] if i & 2 else -size[1], size[2] if i & 4 else -size[2]
        elif t == enums.GEOM_CYLINDER:
            p = cylinder_support(size[0], size[1], d)
        elif t == enums.GEOM_ELLIPSOID:
            p = ellipsoid_support(size, d)
        elif t == enums.GEOM_CAPSULE:
            p = d[0] * size[0], d[1] * size[0], d[2] * size[0] + (size[1] if d[2] >= 0.0 else -size[1])
        else:
            p = d[0] * size[0], d[1] * size[0], d[2] * size[0]
        p = to_world(data.ccd_mat, k, p, data.ccd_pos)
    return plus(p, direction, data.ccd_half[k]), i


@exact
def difference(model, data, direction, row):
    """Write row of data.ccd_point: the farthest point of object 0 minus object 1, then the points of both.

    data.ccd_index gets the numbers of their vertices.
    """
    a, i = support(model, data, 0, direction)
    b, j = support(model, data, 1, (-direction[0], -direction[1], -direction[2]))
    P = data.ccd_point
    for c in range(3):
        P[row, c] = a[c] - b[c]
        P[row, 3 + c] = a[c]
        P[row, 6 + c] = b[c]
    data.ccd_index[row, 0] = i
    data.ccd_index[row, 1] = j


@small
def copy_point(data, to, source):
    """Copy a row of data.ccd_point and data.ccd_index."""
    for c in range(9):
        data.ccd_point[to, c] = data.ccd_point[source, c]
    for c in range(2):
        data.ccd_index[to, c] = data.ccd_index[source, c]


@exact_small
def is_flat(data, k):
    """Whether object k is a polytope that is not inflated."""
    t = data.ccd_type[k]
    return (t == enums.GEOM_BOX or t == enums.GEOM_MESH or t == enums.GEOM_HFIELD) and data.ccd_half[k] == 0.0


@small
def is_rounded(data, k):
    """Whether object k is a point or segment with a radius."""
    return data.ccd_type[k] == enums.GEOM_SPHERE or data.ccd_type[k] == enums.GEOM_CAPSULE
