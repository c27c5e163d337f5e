"""Signed distance of a mesh from its octree (engine/compile/assets/octree.py): a polynomial in each cell."""

from __future__ import annotations

from kinetree.engine.collision.unfused import minus, norm
from kinetree.engine.jit.kernel import exact, exact_small

INSET = 1e-6  # m: points outside count as this far inside the nearest side


@exact_small
def centre(model, node):
    A = model.oct_aabb
    return A[node, 0], A[node, 1], A[node, 2]


@exact_small
def clamped(model, node, p):
    """The point of a node's cube that is nearest to p."""
    c, half = centre(model, node), model.oct_aabb[node, 3] - INSET
    return (
        min(max(p[0], c[0] - half), c[0] + half),
        min(max(p[1], c[1] - half), c[1] + half),
        min(max(p[2], c[2] - half), c[2] + half),
    )


@exact_small
def is_in_octree(model, mesh, p):
    q = clamped(model, model.mesh_octadr[mesh], p)
    return q[0] == p[0] and q[1] == p[1] and q[2] == p[2]


@exact
def in_cell(model, mesh, p):
    """(value, gradient) of the polynomial of the cell that a point inside lies in."""
    root = model.mesh_octadr[mesh]
    half = model.oct_aabb[root, 3]
    c = centre(model, root)
    low = (c[0] - half, c[1] - half, c[2] - half)
    side = half
    child = 0
    node = root
    while True:
        x = 1 if p[0] >= low[0] + side else 0
        y = 1 if p[1] >= low[1] + side else 0
        z = 1 if p[2] >= low[2] + side else 0
        low = (low[0] + x * side, low[1] + y * side, low[2] + z * side)
        child = model.oct_child[node, x + 2 * y + 4 * z]
        if child < 0:
            break
        node = root + child
        side *= 0.5
    row = -1 - child
    x, y, z = (p[0] - low[0]) / side, (p[1] - low[1]) / side, (p[2] - low[2]) / side
    C = model.oct_coeff
    value = dx = dy = dz = 0.0
    for k in range(3, -1, -1):
        layer = layer_x = layer_y = 0.0
        for j in range(3, -1, -1):
            i = 4 * j + 16 * k
            a, b = float(C[row, i]), float(C[row, i + 1])
            c2, d = float(C[row, i + 2]), float(C[row, i + 3])
            line = a + x * (b + x * (c2 + x * d))
            layer_y = layer + y * layer_y
            layer_x = b + x * (2.0 * c2 + 3.0 * x * d) + y * layer_x
            layer = line + y * layer
        dz = value + z * dz
        dx = layer_x + z * dx
        dy = layer_y + z * dy
        value = layer + z * value
    return value, (dx / side, dy / side, dz / side)


@exact
def octree_distance(model, mesh, p):
    """Signed distance at a point of the mesh's file; outside of the octree that of its nearest point, plus the way."""
    q = clamped(model, model.mesh_octadr[mesh], p)
    return in_cell(model, mesh, q)[0] + norm(minus(p, q))


@exact
def octree_gradient(model, mesh, p):
    """Gradient of `octree_distance` inside of the octree."""
    return in_cell(model, mesh, p)[1]
