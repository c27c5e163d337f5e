"""Penetration of two convex cores: the expanding polytope algorithm.

data.ccd_point holds the vertices, ccd_face the triangles (three vertices each, -1 first when unused),
ccd_plane their outward normals and distances from the origin.

Source: G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, 2001.
"""

from __future__ import annotations

import math

from engine.collision.gjk import nearest_on_triangle
from engine.collision.support import difference
from engine.jit.kernel import kernel, small
from engine.jit.vec import add3, cross3, dot3, load3, norm3, normalize3, scale3, sub3

VERTICES, FACES = 128, 256
ROUND = 1e-15
FLAT = 1e-9  # of a length: planes this near to each other are the same


@kernel
def add_face(data, number, i, j, k, within):
    """Add the triangle of three vertices, turned away from the point within; the number of face rows."""
    P = data.ccd_point
    a = load3(P, i)
    normal = cross3(sub3(load3(P, j), a), sub3(load3(P, k), a))
    area = norm3(normal)
    n = scale3(normal, 1.0 / area) if area > 0.0 else (0.0, 0.0, 0.0)
    if dot3(n, sub3(a, within)) < 0.0:
        n = scale3(n, -1.0)
    row = number
    for r in range(number):  # a free row, if there is one
        if data.ccd_face[r, 0] < 0:
            row = r
            break
    if row >= FACES:
        return number
    data.ccd_face[row, 0] = i
    data.ccd_face[row, 1] = j
    data.ccd_face[row, 2] = k
    data.ccd_plane[row, 0] = n[0]
    data.ccd_plane[row, 1] = n[1]
    data.ccd_plane[row, 2] = n[2]
    data.ccd_plane[row, 3] = dot3(n, a) if area > 0.0 else math.inf
    return max(number, row + 1)


@kernel
def tetrahedron(model, data, g1, g2, n):
    """Grow the simplex of n vertices into a tetrahedron with volume around the origin; whether it worked."""
    P = data.ccd_point
    if n == 1:
        for k in range(6):
            s = 1.0 if k & 1 else -1.0
            axis = (s if k < 2 else 0.0, s if k // 2 == 1 else 0.0, s if k >= 4 else 0.0)
            difference(model, data, g1, g2, axis, 1)
            if norm3(sub3(load3(P, 1), load3(P, 0))) > 1e-9:
                n = 2
                break
    if n == 2:
        along, _ = normalize3(sub3(load3(P, 1), load3(P, 0)))
        best = 0.0
        x, y, z = abs(along[0]), abs(along[1]), abs(along[2])
        side = (
            1.0 if x <= y and x <= z else 0.0,
            1.0 if y < x and y <= z else 0.0,
            1.0 if z < x and z < y else 0.0,
        )
        u, _ = normalize3(cross3(along, side))
        v = cross3(along, u)
        for k in range(6):  # six directions around the line
            angle = k * math.pi / 3.0
            d = add3(scale3(u, math.cos(angle)), scale3(v, math.sin(angle)))
            difference(model, data, g1, g2, d, 3)
            off = norm3(cross3(along, sub3(load3(P, 3), load3(P, 0))))
            if off > best and off > 1e-9:
                best = off
                n = 3
                for c in range(9):
                    P[2, c] = P[3, c]
    if n == 3:
        a = load3(P, 0)
        normal, area = normalize3(cross3(sub3(load3(P, 1), a), sub3(load3(P, 2), a)))
        if not area > 0.0:
            return False
        for k in range(2):
            difference(model, data, g1, g2, normal if k == 0 else scale3(normal, -1.0), 3)
            if abs(dot3(normal, sub3(load3(P, 3), a))) > 1e-9:
                return True
        return False
    return n == 4


@small
def toggle(data, count, i, j):
    """Add an edge to the horizon, or remove it when it is there already; the number of edges."""
    E = data.ccd_edge
    for r in range(count):
        if (E[r, 0] == i and E[r, 1] == j) or (E[r, 0] == j and E[r, 1] == i):
            E[r, 0] = E[count - 1, 0]
            E[r, 1] = E[count - 1, 1]
            return count - 1
    if count < FACES:
        E[count, 0] = i
        E[count, 1] = j
        return count + 1
    return count


@small
def scale_of(data):
    """The size of the polytope, as a scale for rounding errors."""
    return norm3(sub3(load3(data.ccd_point, 1), load3(data.ccd_point, 0)))


@small
def point_on(P, row, first):
    return P[row, first], P[row, first + 1], P[row, first + 2]


@small
def combine(a, b, c, wa, wb, wc):
    return (
        a[0] * wa + b[0] * wb + c[0] * wc,
        a[1] * wa + b[1] * wb + c[1] * wc,
        a[2] * wa + b[2] * wb + c[2] * wc,
    )


@kernel
def epa(model, data, g1, g2, n, tolerance, iterations):
    """The nearest face of the difference of two cores that overlap; n: vertices of GJK's simplex.

    Returns (found, depth, normal from geom 1 to geom 2, point on core 1, point on core 2).
    """
    P = data.ccd_point
    zero = (0.0, 0.0, 0.0)
    if not tetrahedron(model, data, g1, g2, n):
        return False, 0.0, zero, zero, zero
    within = scale3(add3(add3(load3(P, 0), load3(P, 1)), add3(load3(P, 2), load3(P, 3))), 0.25)
    faces = 0
    for k in range(4):
        faces = add_face(data, faces, (k + 1) % 4, (k + 2) % 4, (k + 3) % 4, within)
    vertices = 4
    best = 0
    for _ in range(iterations):
        best = -1
        depth = math.inf
        for f in range(faces):
            if data.ccd_face[f, 0] >= 0 and data.ccd_plane[f, 3] < depth:
                depth = data.ccd_plane[f, 3]
                best = f
        if best < 0:
            return False, 0.0, zero, zero, zero
        if vertices >= VERTICES:
            break
        difference(model, data, g1, g2, load3(data.ccd_plane, best), vertices)
        w = load3(P, vertices)
        if not dot3(load3(data.ccd_plane, best), w) - depth > tolerance + ROUND * norm3(w):
            break
        edges = 0
        for f in range(faces):  # take away what w sees, keep the rim
            if data.ccd_face[f, 0] < 0:
                continue
            i, j, k = data.ccd_face[f, 0], data.ccd_face[f, 1], data.ccd_face[f, 2]
            if f == best or dot3(load3(data.ccd_plane, f), sub3(w, load3(P, i))) > 1e-12:
                data.ccd_face[f, 0] = -1
                edges = toggle(data, edges, i, j)
                edges = toggle(data, edges, j, k)
                edges = toggle(data, edges, k, i)
        if edges + 2 * vertices > 2 * FACES - 8:
            break
        for e in range(edges):
            faces = add_face(data, faces, data.ccd_edge[e, 0], data.ccd_edge[e, 1], vertices, within)
        vertices += 1
    if data.ccd_face[best, 0] < 0:
        return False, 0.0, zero, zero, zero
    normal = load3(data.ccd_plane, best)
    depth = data.ccd_plane[best, 3]
    foot = scale3(normal, depth)
    a = b = zero
    nearest = math.inf
    for f in range(faces):  # of the triangles in that plane, the one in which the foot lies
        if data.ccd_face[f, 0] < 0 or not data.ccd_plane[f, 3] - depth <= FLAT * scale_of(data):
            continue
        i, j, k = data.ccd_face[f, 0], data.ccd_face[f, 1], data.ccd_face[f, 2]
        w0, w1, w2 = nearest_on_triangle(sub3(load3(P, i), foot), sub3(load3(P, j), foot), sub3(load3(P, k), foot))
        p = combine(load3(P, i), load3(P, j), load3(P, k), w0, w1, w2)
        off = norm3(sub3(p, foot))
        if off < nearest:
            nearest = off
            a = combine(point_on(P, i, 3), point_on(P, j, 3), point_on(P, k, 3), w0, w1, w2)
            b = combine(point_on(P, i, 6), point_on(P, j, 6), point_on(P, k, 6), w0, w1, w2)
    return True, depth, normal, a, b
