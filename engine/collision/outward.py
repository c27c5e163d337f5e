"""Normals of round geoms at a place in or near them.

Contacts of height fields, and those of the older convex collider, take their normal from the surfaces of round geoms.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.unfused import dot, minus, plus, times, to_local, turned, unit
from kinetree.engine.jit.kernel import exact
from kinetree.engine.jit.vec import load3
from kinetree.engine.model import enums

ROUNDS = 30
CHANGE = 1e-6


@exact
def ellipsoid_outward(size, p, normal):
    """The outward normal of an ellipsoid at the surface point that belongs to p, from where the search starts."""
    square = (size[0] * size[0], size[1] * size[1], size[2] * size[2])
    if p[0] * p[0] / square[0] + p[1] * p[1] / square[1] + p[2] * p[2] / square[2] <= 1.0:
        n = normal
        for _ in range(ROUNDS):  # where the ray from p along n leaves, n becomes the normal
            a = n[0] * n[0] / square[0] + n[1] * n[1] / square[1] + n[2] * n[2] / square[2]
            b = p[0] * n[0] / square[0] + p[1] * n[1] / square[1] + p[2] * n[2] / square[2]
            c = p[0] * p[0] / square[0] + p[1] * p[1] / square[1] + p[2] * p[2] / square[2] - 1.0
            root = b * b - a * c
            if root < 0.0 or a <= 0.0:
                break
            q = plus(p, n, (-b + math.sqrt(root)) / a)
            next_one = unit((q[0] / square[0], q[1] / square[1], q[2] / square[2]))
            change = minus(next_one, n)
            n = next_one
            if math.sqrt(dot(change, change)) < CHANGE:
                break
        return n
    at = 0.0
    for _ in range(ROUNDS):
        value, slope = -1.0, 0.0
        for k in range(3):
            below = square[k] + at
            value += p[k] * p[k] * square[k] / (below * below)
            slope -= 2.0 * p[k] * p[k] * square[k] / (below * below * below)
        if abs(value) < CHANGE or slope == 0.0:
            break
        change = -value / slope
        if abs(change) < CHANGE:
            break
        at += change
    return unit((p[0] / (square[0] + at), p[1] / (square[1] + at), p[2] / (square[2] + at)))


@exact
def has_outward(model, g, p):
    """Whether a geom is round at a point in its frame: spheres, capsules and ellipsoids; cylinders at their side."""
    t = model.geom_type[g]
    if t == enums.GEOM_CYLINDER:
        half = model.geom_size[g, 1]
        rho = math.sqrt(p[0] * p[0] + p[1] * p[1])
        return abs(p[2]) <= 0.95 * half and not abs(half - abs(p[2])) < 0.25 * abs(model.geom_size[g, 0] - rho)
    return t == enums.GEOM_SPHERE or t == enums.GEOM_CAPSULE or t == enums.GEOM_ELLIPSOID


@exact
def outward(model, g, p, normal):
    """The outward normal of a round geom at a point in its frame; `normal` where it is not round there."""
    if not has_outward(model, g, p):
        return normal
    t = model.geom_type[g]
    size = load3(model.geom_size, g)
    if t == enums.GEOM_SPHERE:
        return unit(p)
    if t == enums.GEOM_ELLIPSOID:
        return ellipsoid_outward(size, p, normal)
    z = 0.0
    if t == enums.GEOM_CAPSULE and abs(p[2]) > size[1]:
        z = p[2] - size[1] if p[2] > 0.0 else p[2] + size[1]
    return unit((p[0], p[1], z))


@exact
def correct_normal(model, data, k, g1, g2, pos, mat, first, second):
    """Make the normal of contact k that of the geoms' surfaces where they are round, of both if both are.

    pos, mat: arrays whose rows `first` and `second` are the poses of the geoms.
    """
    at, normal = load3(data.near_pos, k), load3(data.near_frame, k)
    p = to_local(mat, first, minus(at, load3(pos, first)))
    q = to_local(mat, second, minus(at, load3(pos, second)))
    n = turned(mat, first, outward(model, g1, p, to_local(mat, first, normal)))
    m = turned(mat, second, outward(model, g2, q, to_local(mat, second, times(normal, -1.0))))
    if has_outward(model, g1, p):
        normal = unit(minus(n, m)) if has_outward(model, g2, q) else n
    elif has_outward(model, g2, q):
        normal = times(m, -1.0)
    for c in range(3):
        data.near_frame[k, c] = normal[c]
