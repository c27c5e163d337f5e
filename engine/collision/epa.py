"""Penetration of two convex objects: the expanding polytope algorithm.

The polytope's vertices are rows of data.ccd_point, its faces rows of data.ccd_face (three vertices each), ccd_adjacent
(the face across each edge; edge i runs from vertex i to the next) and ccd_plane (the point of the plane that is nearest
to the origin, and its squared distance). Faces that may be the nearest one are listed in data.ccd_candidate.

Source: G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, Game Developers
Conference 2001. The first polytope, the order of faces and where to stop follow MuJoCo 3.3.4.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.gjk import point
from kinetree.engine.collision.simplex import agree, areas, plane_point
from kinetree.engine.collision.support import copy_point, difference, is_flat
from kinetree.engine.collision.unfused import cross, det, dot, minus, norm, plus, times, unit
from kinetree.engine.jit.kernel import exact, kernel, small
from kinetree.engine.jit.vec import MINVAL

DELETED, FINISHED = -2, -1  # in data.ccd_place: a face that is gone; one that cannot be the nearest
SINE = 0.86602540378  # of 120 degrees


@exact
def add_face(data, i, j, k):
    """Add the face of three vertices, not yet a candidate; its row, -1 when there is no room."""
    if data.ccd_nfree > 0:
        data.ccd_nfree -= 1
        f = data.ccd_free[data.ccd_nfree]
    else:
        f = data.ccd_nface
        if f >= data.nccdmax:
            return -1
        data.ccd_nface = f + 1
    data.ccd_face[f, 0] = i
    data.ccd_face[f, 1] = j
    data.ccd_face[f, 2] = k
    data.ccd_place[f] = FINISHED
    has_area, p = plane_point(point(data, k), point(data, j), point(data, i))
    if not has_area:
        p = (0.0, 0.0, 0.0)
    for c in range(3):
        data.ccd_plane[f, c] = p[c]
    data.ccd_plane[f, 3] = dot(p, p)
    return f


@small
def add_candidate(data, f):
    data.ccd_place[f] = data.ccd_ncandidate
    data.ccd_candidate[data.ccd_ncandidate] = f
    data.ccd_ncandidate += 1


@kernel
def delete_face(data, f):
    """Delete a face; the last candidate takes its place."""
    at = data.ccd_place[f]
    if at >= 0:
        data.ccd_ncandidate -= 1
        last = data.ccd_candidate[data.ccd_ncandidate]
        data.ccd_candidate[at] = last
        data.ccd_place[last] = at
    data.ccd_place[f] = DELETED
    data.ccd_free[data.ccd_nfree] = f
    data.ccd_nfree += 1


@kernel
def join_faces(data):
    """Find the faces across the edges of the first polytope."""
    F = data.ccd_face
    for f in range(data.ccd_nface):
        for e in range(3):
            for g in range(data.ccd_nface):
                for h in range(3):
                    if F[f, e] == F[g, (h + 1) % 3] and F[f, (e + 1) % 3] == F[g, h]:
                        data.ccd_adjacent[f, e] = g


@kernel
def begin(data, vertices):
    """Start a polytope with the first rows of data.ccd_point as vertices, without faces."""
    data.ccd_npoint = vertices
    data.ccd_nface = data.ccd_nfree = data.ccd_ncandidate = 0


@exact
def start_face(data, i, j, k):
    """Add a face of the first polytope; whether its plane keeps off the origin."""
    f = add_face(data, i, j, k)
    add_candidate(data, f)
    return data.ccd_plane[f, 3] >= MINVAL * MINVAL


@exact
def take_triangle(data, i, j, k):
    """Make three vertices the simplex. The rows 5 to 7 are work space."""
    copy_point(data, 5, i)
    copy_point(data, 6, j)
    copy_point(data, 7, k)
    for c in range(3):
        copy_point(data, c, 5 + c)
    data.ccd_nsimplex = 3


@exact
def is_on_triangle(data, row):
    """Whether a point lies on the triangle of the first three vertices."""
    a, b, c, p = point(data, 0), point(data, 1), point(data, 2), point(data, row)
    A, B, C, total = areas(a, b, c, p)
    u, v, w = A / total, B / total, C / total
    if u < 0.0 or v < 0.0 or w < 0.0 or u > 1.0 or v > 1.0 or w > 1.0:
        return False
    return norm(minus(plus(plus(times(a, u), b, v), c, w), p)) < MINVAL


@exact
def is_above(data, i, j, k, l):
    """Whether the origin and vertex l are on the same side of the plane of three vertices."""
    a = point(data, i)
    normal = cross(minus(point(data, j), a), minus(point(data, k), a))
    return agree(dot(normal, minus(point(data, l), a)), -dot(normal, a))


@exact
def from_segment(model, data):
    """The first polytope around a segment, made of two tetrahedra; whether it worked.

    When a face meets the origin, that face is the new simplex.
    """
    a, b = point(data, 0), point(data, 1)
    d = minus(b, a)
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    first = 0 if x <= y and x <= z else (1 if y <= z else 2)
    across = cross((1.0 if first == 0 else 0.0, 1.0 if first == 1 else 0.0, 1.0 if first == 2 else 0.0), d)
    axis = unit(d)
    for k in range(3):  # three directions around the segment
        difference(model, data, unit(across), 2 + k)
        along = dot(axis, across)
        across = plus(plus(times(across, -0.5), cross(axis, across), SINE), axis, 1.5 * along)
    begin(data, 5)
    for f in range(6):
        i = 0 if f < 3 else 1
        g = f % 3
        if f < 3:
            j = 2 if g == 0 else (4 if g == 1 else 3)
            k = 3 if g == 0 else (2 if g == 1 else 4)
        else:
            j = 3 if g == 0 else (2 if g == 1 else 4)
            k = 2 if g == 0 else (4 if g == 1 else 3)
        if not start_face(data, i, j, k):
            take_triangle(data, i, j, k)
            return False
    c = minus(point(data, 2), a)
    e = minus(point(data, 3), a)
    g = minus(point(data, 4), a)
    u, v, w = det(c, e, d), det(e, g, d), det(g, c, d)
    return (u >= 0.0 and v >= 0.0 and w >= 0.0) or (u <= 0.0 and v <= 0.0 and w <= 0.0)


@exact
def from_triangle(model, data):
    """The first polytope on both sides of a triangle; whether it worked."""
    a = point(data, 0)
    normal = cross(minus(point(data, 1), a), minus(point(data, 2), a))
    length = norm(normal)
    if length < MINVAL:
        return False
    normal = times(normal, 1.0 / length)
    difference(model, data, times(normal, -1.0), 4)
    if is_on_triangle(data, 4):
        return False
    difference(model, data, normal, 3)
    if is_on_triangle(data, 3):
        return False
    begin(data, 5)
    for f in range(6):
        g = f % 3
        i = 3 if f < 3 else 4
        if f < 3:
            j = 0 if g == 0 else (2 if g == 1 else 1)
            k = 1 if g == 0 else (0 if g == 1 else 2)
        else:
            j = 1 if g == 0 else (0 if g == 1 else 2)
            k = 0 if g == 0 else (2 if g == 1 else 1)
        if not start_face(data, i, j, k):
            return False
    return True


@exact
def from_tetrahedron(data):
    """The faces of a tetrahedron as the first polytope; whether the origin is inside.

    When a face meets the origin, that face is the new simplex.
    """
    begin(data, 4)
    for f in range(4):
        i = 3 if f == 3 else 0
        j = 1 if f == 0 else (3 if f == 1 else 2)
        k = 2 if f == 0 else (1 if f == 1 else (3 if f == 2 else 1))
        if not start_face(data, i, j, k):
            take_triangle(data, i, j, k)
            return False
    return (
        is_above(data, 0, 1, 2, 3)
        and is_above(data, 0, 1, 3, 2)
        and is_above(data, 0, 2, 3, 1)
        and is_above(data, 1, 2, 3, 0)
    )


@exact
def first_polytope(model, data):
    """Make GJK's simplex a polytope around the origin; whether it worked."""
    n = data.ccd_nsimplex
    if n == 2 and from_segment(model, data):
        return True
    if n == 4 and from_tetrahedron(data):
        return True
    return data.ccd_nsimplex == 3 and from_triangle(model, data)


@exact
def find_horizon(data, f, w):
    """Delete face f and all faces that point w sees, list the edges around them; the number of edges.

    The search goes depth first from face to face. So the edges come in the order in which they follow each other.
    """
    S = data.ccd_stack
    edges = 0
    top = 3
    delete_face(data, f)
    for e in range(3):
        S[e, 0] = f
        S[e, 1] = 2 - e
    while top > 0:
        top -= 1
        before = S[top, 0]
        g = data.ccd_adjacent[before, S[top, 1]]
        if data.ccd_place[g] == DELETED:
            continue
        e = 0 if data.ccd_adjacent[g, 0] == before else (1 if data.ccd_adjacent[g, 1] == before else 2)
        p = data.ccd_plane[g, 0], data.ccd_plane[g, 1], data.ccd_plane[g, 2]
        if dot(p, w) - data.ccd_plane[g, 3] > MINVAL:
            delete_face(data, g)
            S[top, 0] = g
            S[top, 1] = (e + 2) % 3
            S[top + 1, 0] = g
            S[top + 1, 1] = (e + 1) % 3
            top += 2
            if top + 2 > data.nccdmax:
                return 0
        else:
            data.ccd_horizon[edges, 0] = g
            data.ccd_horizon[edges, 1] = e
            edges += 1
    return edges


@exact
def cover(data, edges, w, lower, upper):
    """Join the edges of the horizon with vertex w; whether it worked.

    Candidates are the new faces whose squared distance is within the limits.
    """
    H = data.ccd_horizon
    first = before = -1
    for i in range(edges):
        g, e = H[i, 0], H[i, 1]
        f = add_face(data, w, data.ccd_face[g, (e + 1) % 3], data.ccd_face[g, e])
        if f < 0 or not data.ccd_plane[f, 3] > 0.0:
            return False
        data.ccd_adjacent[f, 1] = g
        data.ccd_adjacent[g, e] = f
        if before < 0:
            first = f
        else:
            data.ccd_adjacent[f, 0] = before
            data.ccd_adjacent[before, 2] = f
        before = f
        if data.ccd_plane[f, 3] >= lower and data.ccd_plane[f, 3] <= upper:
            add_candidate(data, f)
    data.ccd_adjacent[first, 0] = before
    data.ccd_adjacent[before, 2] = first
    return True


@small
def is_known(data, row):
    """Whether the vertices of the two objects in a row occurred together before."""
    for i in range(row):
        if data.ccd_index[i, 0] == data.ccd_index[row, 0] and data.ccd_index[i, 1] == data.ccd_index[row, 1]:
            return True
    return False


@kernel
def set_answer(data, f):
    for c in range(3):
        data.ccd_answer[c] = data.ccd_face[f, c]


@exact
def expand(model, data):
    """Grow the polytope to the face that is nearest to the origin: (whether one was found, point of its plane).

    data.ccd_answer gets the vertices of the face.
    """
    flat = is_flat(data, 0) and is_flat(data, 1)
    tolerance = MINVAL if flat else model.opt_ccd_tolerance
    upper = math.inf
    p = (0.0, 0.0, 0.0)
    for step in range(model.opt_ccd_iterations):
        f = -1
        square = math.inf
        for i in range(data.ccd_ncandidate):
            g = data.ccd_candidate[i]
            if data.ccd_plane[g, 3] < square:
                square = data.ccd_plane[g, 3]
                f = g
        if f < 0:
            return step > 0, p
        lower = math.sqrt(square)
        if lower > upper:
            return step > 0, p
        p = data.ccd_plane[f, 0], data.ccd_plane[f, 1], data.ccd_plane[f, 2]
        set_answer(data, f)
        w = data.ccd_npoint
        if w >= data.nccdmax:
            return True, p
        difference(model, data, (p[0] / lower, p[1] / lower, p[2] / lower), w)
        data.ccd_npoint = w + 1
        upper = min(upper, dot(p, point(data, w)) / lower)
        if upper - lower < tolerance:
            return True, p
        if flat and is_known(data, w):
            return True, p
        edges = find_horizon(data, f, point(data, w))
        if edges < 3 or not cover(data, edges, w, square, upper * upper):
            return False, p
    return model.opt_ccd_iterations > 0, p


@exact
def witness(data, p, first):
    """The point of object 0 (first = 3) or 1 (first = 6) that belongs to a point of the answer's plane."""
    i, j, k = data.ccd_answer[0], data.ccd_answer[1], data.ccd_answer[2]
    A, B, C, total = areas(point(data, i), point(data, j), point(data, k), p)
    u, v, w = A / total, B / total, C / total
    P = data.ccd_point
    return (
        P[i, first] * u + P[j, first] * v + P[k, first] * w,
        P[i, first + 1] * u + P[j, first + 1] * v + P[k, first + 1] * w,
        P[i, first + 2] * u + P[j, first + 2] * v + P[k, first + 2] * w,
    )


@exact
def epa(model, data):
    """The depth of two objects that overlap, from GJK's simplex; 0 when none is found. Sets data.ccd_witness."""
    if not first_polytope(model, data):
        return 0.0
    join_faces(data)
    found, p = expand(model, data)
    if not found:
        return 0.0
    for k in range(2):
        x = witness(data, p, 3 + 3 * k)
        for c in range(3):
            data.ccd_witness[k, c] = x[c]
    return norm(p)
