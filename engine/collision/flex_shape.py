"""Vertices and elements of flexes as shapes: capsules, triangles, spheres, and the boxes around them."""

from __future__ import annotations

import numpy as np

from kinetree.engine.collision.primitive import touch_spheres
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL, add3, addscale3, cross3, dot3, load3, norm3, normalize3, scale3, sub3


@small
def corner(model, data, flex, element, k):
    """Vertex k of an element: its number in the flex."""
    return model.flex_elem[model.flex_elemdataadr[flex] + element * (model.flex_dim[flex] + 1) + k]


@small
def position(model, data, flex, vertex):
    return load3(data.flexvert_xpos, model.flex_vertadr[flex] + vertex)


@small
def line_of(model, data, flex, element):
    """An element of dimension 1 as a capsule (engine/collision/primitive.py), directed to its first vertex."""
    a = position(model, data, flex, corner(model, data, flex, element, 0))
    b = position(model, data, flex, corner(model, data, flex, element, 1))
    axis, length = normalize3(sub3(a, b))
    return scale3(add3(a, b), 0.5), axis, model.flex_radius[flex], 0.5 * length


@small
def _sign(x):
    return 1 if x > 0.0 else (-1 if x < 0.0 else 0)


@kernel
def touch_triangle(model, data, a, ra, flex, element, margin):
    """Contact of a sphere with a triangle that has a radius; the number of contacts."""
    rb = model.flex_radius[flex]
    t0 = position(model, data, flex, corner(model, data, flex, element, 0))
    t1 = position(model, data, flex, corner(model, data, flex, element, 1))
    t2 = position(model, data, flex, corner(model, data, flex, element, 2))
    normal, _ = normalize3(cross3(sub3(t1, t0), sub3(t2, t0)))
    height = dot3(normal, sub3(a, t0))
    if not abs(height) <= margin + ra + rb:
        return 0
    foot = addscale3(a, normal, -height)
    s0 = _sign(dot3(normal, cross3(sub3(t1, t0), sub3(foot, t0))))
    s1 = _sign(dot3(normal, cross3(sub3(t2, t1), sub3(foot, t1))))
    s2 = _sign(dot3(normal, cross3(sub3(t0, t2), sub3(foot, t2))))
    nearest = foot
    if not (s0 == s1 and s1 == s2):
        q0 = _nearest_on_edge(t0, t1, foot)
        q1 = _nearest_on_edge(t1, t2, foot)
        q2 = _nearest_on_edge(t2, t0, foot)
        nearest = q0
        if norm3(sub3(q1, a)) <= norm3(sub3(nearest, a)):
            nearest = q1
        if norm3(sub3(q2, a)) <= norm3(sub3(nearest, a)):
            nearest = q2
    return touch_spheres(data, 0, a, ra, nearest, rb, normal, normal, margin)


@small
def _nearest_on_edge(p, q, x):
    edge = sub3(q, p)
    t = dot3(edge, sub3(x, p)) / max(MINVAL, dot3(edge, edge))
    return addscale3(p, edge, max(0.0, min(1.0, t)))


@small
def boxes_overlap(data, i, j, reach):
    """Whether the boxes around elements i and j (of all flexes) are nearer than a distance along every axis."""
    A = data.flexelem_aabb
    i, j = np.uint64(i), np.uint64(j)  # unsigned: no test for negative indices
    x = abs(A[i, 0] - A[j, 0]) - (A[i, 3] + A[j, 3] + reach)
    y = abs(A[i, 1] - A[j, 1]) - (A[i, 4] + A[j, 4] + reach)
    z = abs(A[i, 2] - A[j, 2]) - (A[i, 5] + A[j, 5] + reach)
    return max(x, y, z) <= 0.0  # one branch


@small
def _bodies(model, flex, element, none):
    """The four bodies of an element's vertices; `none` for those that it does not have."""
    n = model.flex_dim[flex] + 1
    first = model.flex_vertadr[flex]
    k = np.uint64(model.flex_elemdataadr[flex] + element * n)
    B, E, one = model.flex_vertbodyid, model.flex_elem, np.uint64(1)
    a, b = B[np.uint64(first + E[k])], B[np.uint64(first + E[k + one])]
    c = d = none
    if n > 2:
        c = int(B[np.uint64(first + E[k + one + one])])
    if n > 3:
        d = int(B[np.uint64(first + E[k + one + one + one])])
    return int(a), int(b), c, d


@kernel
def share_a_body(model, flex1, element1, flex2, element2):
    """Whether a body moves vertices of both elements; never for interpolated flexes."""
    if model.flex_interp[flex1] or model.flex_interp[flex2]:
        return False
    one, other = _bodies(model, flex1, element1, -1), _bodies(model, flex2, element2, -2)
    return (
        _is_one_of(other[0], one) or _is_one_of(other[1], one) or _is_one_of(other[2], one) or _is_one_of(other[3], one)
    )


@small
def _is_one_of(x, four):
    return x == four[0] or x == four[1] or x == four[2] or x == four[3]


@small
def holds_body(model, flex, element, body):
    """Whether a body moves a vertex of an element; never for interpolated flexes."""
    n = model.flex_dim[flex] + 1
    adr, first = model.flex_elemdataadr[flex] + element * n, model.flex_vertadr[flex]
    found = False
    if model.flex_interp[flex] == 0:
        for i in range(adr, adr + n):
            found |= model.flex_vertbodyid[first + model.flex_elem[i]] == body
    return found


@small
def is_active(model, flex, element):
    """Whether an element of a flex collides: those of solids only in the outer layers."""
    if model.flex_dim[flex] != 3:
        return True
    return model.flex_elemlayer[model.flex_elemadr[flex] + element] < model.flex_activelayers[flex]
