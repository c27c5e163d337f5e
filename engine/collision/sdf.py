"""Signed distance fields: the distance of a geom at a point, negative inside, and its gradient.

Points are in the geom's own frame; a geom of type sdf has the frame of its mesh's file. Distances of primitives are
exact, but for ellipsoids and for the inside of boxes; those of meshes (plugin mujoco.sdf.sdflib) are interpolated.

Sources: Quilez, "Distance functions"; what the specification leaves open was found by comparing with mujoco 3.3.4.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.octree import is_in_octree, octree_distance, octree_gradient
from kinetree.engine.collision.sdf_shapes import shape_distance, torus_gradient
from kinetree.engine.collision.unfused import minus, norm, plus, times, unit
from kinetree.engine.jit.kernel import exact, exact_small, kernel
from kinetree.engine.jit.vec import MINVAL, load3, load9, mulmat3, quat2mat
from kinetree.engine.model import enums
from kinetree.engine.model.plugins import PLUGIN_SDFLIB, PLUGIN_TORUS

STEP = 1e-8  # of finite differences


@exact_small
def rounded_box(a, b):
    """Distance from a corner region with coordinates a and b outwards."""
    x, y = max(a, 0.0), max(b, 0.0)
    return min(max(a, b), 0.0) + math.sqrt(x * x + y * y)


@exact_small
def signs(p):
    return (
        1.0 if p[0] > 0.0 else (-1.0 if p[0] < 0.0 else 0.0),
        1.0 if p[1] > 0.0 else (-1.0 if p[1] < 0.0 else 0.0),
        1.0 if p[2] > 0.0 else (-1.0 if p[2] < 0.0 else 0.0),
    )


@exact_small
def box_direction(size, p):
    """Inside a box, the direction (x, y, z >= 0) along which the distance is measured."""
    return unit((size[0] / (size[0] - abs(p[0])), size[1] / (size[1] - abs(p[1])), size[2] / (size[2] - abs(p[2]))))


@exact_small
def is_in_box(size, p):
    return abs(p[0]) <= size[0] and abs(p[1]) <= size[1] and abs(p[2]) <= size[2]


@exact
def sdf_distance(model, g, p):
    """Signed distance of geom g at a point in its frame, negative inside, m.

    0 for height fields, meshes and fields without a plugin, which have none.
    """
    t = model.geom_type[g]
    if t == enums.GEOM_SDF:
        plugin = model.geom_plugin[g]
        if plugin < 0:
            return 0.0
        if model.plugin[plugin] == PLUGIN_SDFLIB:
            return octree_distance(model, model.geom_dataid[g], p)
        return shape_distance(model, plugin, p[0], p[1], p[2])
    size = load3(model.geom_size, g)
    if t == enums.GEOM_PLANE:
        return p[2]
    if t == enums.GEOM_SPHERE:
        return norm(p) - size[0]
    if t == enums.GEOM_CAPSULE:
        return norm((p[0], p[1], p[2] - min(max(p[2], -size[1]), size[1]))) - size[0]
    if t == enums.GEOM_CYLINDER:
        return rounded_box(math.sqrt(p[0] * p[0] + p[1] * p[1]) - size[0], abs(p[2]) - size[1])
    if t == enums.GEOM_ELLIPSOID:
        k0 = norm((p[0] / size[0], p[1] / size[1], p[2] / size[2]))
        k1 = norm((p[0] / (size[0] * size[0]), p[1] / (size[1] * size[1]), p[2] / (size[2] * size[2])))
        return k0 * (k0 - 1.0) / k1
    if t == enums.GEOM_BOX:
        if is_in_box(size, p):
            f = box_direction(size, p)
            least = (size[0] - abs(p[0])) / f[0]
            least = min(least, (size[1] - abs(p[1])) / f[1])
            return -min(least, (size[2] - abs(p[2])) / f[2])
        return norm((max(abs(p[0]) - size[0], 0.0), max(abs(p[1]) - size[1], 0.0), max(abs(p[2]) - size[2], 0.0)))
    return 0.0


@exact_small
def ellipsoid_gradient(size, p):
    a = (p[0] / size[0], p[1] / size[1], p[2] / size[2])
    b = (a[0] / size[0], a[1] / size[1], a[2] / size[2])
    c = (b[0] / (size[0] * size[0]), b[1] / (size[1] * size[1]), b[2] / (size[2] * size[2]))
    k0, k1 = norm(a), norm(b)
    return unit(plus(times(b, (2.0 * k0 - 1.0) / (k1 * k0)), c, -k0 * (k0 - 1.0) / (k1 * k1 * k1)))


@exact_small
def cylinder_gradient(size, p):
    across = math.sqrt(p[0] * p[0] + p[1] * p[1])
    a, b = across - size[0], abs(p[2]) - size[1]
    x, y = max(a, 0.0), max(b, 0.0)
    length = math.sqrt(x * x + y * y)
    if max(a, b) < 0.0:
        x, y = (1.0, 0.0) if a > b else (0.0, 1.0)
    else:
        x, y = x / max(MINVAL, length), y / max(MINVAL, length)
    inverse = 1.0 / max(MINVAL, across)
    return p[0] * inverse * x, p[1] * inverse * x, y if p[2] > 0.0 else -y


@exact
def sdf_gradient(model, g, p):
    """Gradient of `sdf_distance`."""
    t = model.geom_type[g]
    size = load3(model.geom_size, g)
    if t == enums.GEOM_SDF:
        plugin = model.geom_plugin[g]
        if plugin >= 0 and model.plugin[plugin] == PLUGIN_TORUS:
            return torus_gradient(p[0], p[1], p[2], model.plugin_prm[plugin, 0])
        if plugin >= 0 and model.plugin[plugin] == PLUGIN_SDFLIB and is_in_octree(model, model.geom_dataid[g], p):
            return octree_gradient(model, model.geom_dataid[g], p)
        here = sdf_distance(model, g, p)
        return (
            (sdf_distance(model, g, (p[0] + STEP, p[1], p[2])) - here) / STEP,
            (sdf_distance(model, g, (p[0], p[1] + STEP, p[2])) - here) / STEP,
            (sdf_distance(model, g, (p[0], p[1], p[2] + STEP)) - here) / STEP,
        )
    if t == enums.GEOM_SPHERE:
        return unit(p)
    if t == enums.GEOM_CAPSULE:
        return unit((p[0], p[1], p[2] - min(max(p[2], -size[1]), size[1])))
    if t == enums.GEOM_CYLINDER:
        return cylinder_gradient(size, p)
    if t == enums.GEOM_ELLIPSOID:
        return ellipsoid_gradient(size, p)
    if t == enums.GEOM_BOX:
        side = signs(p)
        if is_in_box(size, p):
            f = box_direction(size, p)
        else:
            f = unit((max(abs(p[0]) - size[0], 0.0), max(abs(p[1]) - size[1], 0.0), max(abs(p[2]) - size[2], 0.0)))
        return side[0] * f[0], side[1] * f[1], side[2] * f[2]
    return 0.0, 0.0, 1.0


@kernel
def sdf_frame(model, data, g):
    """(position, orientation) of the frame that the distances of a geom are given in."""
    p, R = load3(data.geom_xpos, g), load9(data.geom_xmat, g)
    if model.geom_type[g] != enums.GEOM_SDF:
        return p, R
    mesh = model.geom_dataid[g]
    Q = model.mesh_quat
    q = quat2mat((Q[mesh, 0], Q[mesh, 1], Q[mesh, 2], Q[mesh, 3]))
    x, y, z = mulmat3(R, (q[0], q[1], q[2])), mulmat3(R, (q[3], q[4], q[5])), mulmat3(R, (q[6], q[7], q[8]))
    turned = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
    return minus(p, mulmat3(turned, load3(model.mesh_pos, mesh))), turned
