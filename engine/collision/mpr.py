"""The older convex collider, for the flag nativeccd="disable": penetration by Minkowski portal refinement.

A portal is a triangle of points on the surface of the difference of two objects that the ray from an interior point
(the difference of the centres) through the origin passes. It is moved outwards until it lies on the surface.

Source: G. Snethen, XenoCollide: complex collision made simple, Game Programming Gems 7, 2008. The tests and tolerances
are those of libccd, which MuJoCo uses here. Depths agree to rounding, but for one in ten contacts of cylinders with
boxes and meshes, where portals become slivers: they differ by about 1e-4 m, at most 6e-3 m in 2000 poses.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.convex import put_witnesses
from kinetree.engine.collision.gjk import point
from kinetree.engine.collision.outward import correct_normal
from kinetree.engine.collision.support import climb, copy_point, hull_vertex, set_geom, support
from kinetree.engine.collision.unfused import cross, det, dot, minus, norm, plus, times, to_local, to_world, unit
from kinetree.engine.jit.kernel import exact, exact_small, kernel, takes
from kinetree.engine.model import enums

EPS = 2.220446049250313e-16  # numbers below it count as zero
APART, OVERLAP, AT_POINT, ON_RAY = -1, 0, 1, 2
LONGEST = 1000  # steps of a search that has no limit in the paper


@exact_small
def is_zero(x):
    return abs(x) < EPS


@exact_small
def sign(x):
    return 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)


@exact
def farthest(model, data, k, direction):
    """The farthest point of object k. Unlike `support`, it is in the middle of edges and faces across the direction."""
    t = data.ccd_type[k]
    if t != enums.GEOM_BOX and t != enums.GEOM_CAPSULE and t != enums.GEOM_MESH:
        p, _ = support(model, data, k, direction)
        return p
    d = to_local(data.ccd_mat, k, direction)
    S = data.ccd_size
    if t == enums.GEOM_BOX:
        p = (sign(d[0]) * S[k, 0], sign(d[1]) * S[k, 1], sign(d[2]) * S[k, 2])
    elif t == enums.GEOM_CAPSULE:
        p = (d[0] * S[k, 0], d[1] * S[k, 0], d[2] * S[k, 0] + sign(d[2]) * S[k, 1])
    else:
        first, graph, start = data.ccd_mesh[k, 0], data.ccd_mesh[k, 2], max(0, data.ccd_vertex[k])
        if graph < 0:
            p, _ = support(model, data, k, direction)
            return p
        found = climb(model, first, graph, d, start, dot(d, hull_vertex(model, first, graph, start)))
        data.ccd_vertex[k] = found
        p = hull_vertex(model, first, graph, found)
    return plus(to_world(data.ccd_mat, k, p, data.ccd_pos), direction, data.ccd_half[k])


@exact
def sample(model, data, direction, row):
    """Write row of data.ccd_point: the farthest point of object 0 minus object 1, then the points of both."""
    a = farthest(model, data, 0, direction)
    b = farthest(model, data, 1, times(direction, -1.0))
    P = data.ccd_point
    for c in range(3):
        P[row, c] = a[c] - b[c]
        P[row, 3 + c] = a[c]
        P[row, 6 + c] = b[c]


@exact_small
def no_length(v):
    return is_zero(v[0]) and is_zero(v[1]) and is_zero(v[2])


@exact
def across(data):
    """The unit normal of the plane through the interior point and the first two corners of the portal."""
    a = point(data, 0)
    return unit(cross(minus(point(data, 1), a), minus(point(data, 2), a)))


@exact
def outwards(data):
    """The unit normal of the portal."""
    a = point(data, 1)
    return unit(cross(minus(point(data, 2), a), minus(point(data, 3), a)))


@exact
def find_portal(model, data):
    """Fill the rows 0 (interior point) to 3: APART, OVERLAP when there is a portal, AT_POINT or ON_RAY."""
    P, p = data.ccd_point, data.ccd_pos
    for c in range(3):
        P[0, c] = p[0, c] - p[1, c]
        P[0, 3 + c] = p[0, c]
        P[0, 6 + c] = p[1, c]
    if no_length(point(data, 0)):
        P[0, 0] += 10.0 * EPS
    direction = unit(times(point(data, 0), -1.0))
    sample(model, data, direction, 1)
    along = dot(point(data, 1), direction)
    if is_zero(along) or along < 0.0:
        return APART
    direction = cross(point(data, 0), point(data, 1))
    if is_zero(dot(direction, direction)):
        return AT_POINT if no_length(point(data, 1)) else ON_RAY
    direction = unit(direction)
    sample(model, data, direction, 2)
    along = dot(point(data, 2), direction)
    if is_zero(along) or along < 0.0:
        return APART
    direction = across(data)
    if dot(direction, point(data, 0)) > 0.0:
        copy_point(data, 4, 1)
        copy_point(data, 1, 2)
        copy_point(data, 2, 4)
        direction = times(direction, -1.0)
    for _ in range(LONGEST):
        sample(model, data, direction, 3)
        along = dot(point(data, 3), direction)
        if is_zero(along) or along < 0.0:
            return APART
        centre, last = point(data, 0), point(data, 3)
        one, other = det(centre, point(data, 1), last), det(centre, last, point(data, 2))
        if one < 0.0 and not is_zero(one):  # the origin is outside of the side of corners 1 and 3
            copy_point(data, 2, 3)
        elif other < 0.0 and not is_zero(other):
            copy_point(data, 1, 3)
        else:
            return OVERLAP
        direction = across(data)
    return APART


@exact
def gain(data, direction):
    """How much farther the new point, row 4, is than the portal's farthest corner."""
    far = dot(point(data, 4), direction)
    near = max(dot(point(data, 1), direction), dot(point(data, 2), direction), dot(point(data, 3), direction))
    return far - near


@exact
def expand(data):
    """Replace one corner of the portal by row 4, so that the ray passes the new portal."""
    side = cross(point(data, 4), point(data, 0))
    if dot(point(data, 1), side) > 0.0:
        row = 1 if dot(point(data, 2), side) > 0.0 else 3
    else:
        row = 2 if dot(point(data, 3), side) > 0.0 else 1
    copy_point(data, row, 4)


@exact
def reaches_origin(model, data):
    """Move the portal outwards until the origin is behind it; whether that happens."""
    for _ in range(LONGEST):
        direction = outwards(data)
        along = dot(direction, point(data, 1))
        if is_zero(along) or along > 0.0:
            return True
        sample(model, data, direction, 4)
        along = dot(point(data, 4), direction)
        if not (is_zero(along) or along > 0.0) or gain(data, direction) <= model.opt_ccd_tolerance:
            return False
        expand(data)
    return False


@exact
def nearest_on_segment(a, b):
    """The point of a segment nearest to the origin."""
    d = minus(b, a)
    square = dot(d, d)
    t = max(0.0, min(1.0, -dot(a, d) / square)) if square > 0.0 else 0.0
    return plus(a, d, t)


@exact
def nearest_on_portal(data):
    """The point of the portal nearest to the origin."""
    a, b, c = point(data, 1), point(data, 2), point(data, 3)
    e, f = minus(b, a), minus(c, a)
    ee, ff, ef, ae, af = dot(e, e), dot(f, f), dot(e, f), dot(a, e), dot(a, f)
    d = ff * ee - ef * ef
    if not is_zero(d):
        u = (af * ef - ff * ae) / d
        v = (-u * ef - af) / ff
        if (u > 0.0 or is_zero(u)) and (v > 0.0 or is_zero(v)) and (u + v < 1.0 or is_zero(u + v - 1.0)):
            return plus(plus(a, e, u), f, v)
    best = nearest_on_segment(a, b)
    q = nearest_on_segment(b, c)
    if dot(q, q) < dot(best, best):
        best = q
    q = nearest_on_segment(a, c)
    if dot(q, q) < dot(best, best):
        best = q
    return best


@exact
def middle(data, direction):
    """Between the points of both objects that belong to the origin, by its coordinates in the tetrahedron."""
    v0, v1, v2, v3 = point(data, 0), point(data, 1), point(data, 2), point(data, 3)
    b0, b1, b2, b3 = det(v3, v1, v2), det(v0, v3, v2), det(v3, v0, v1), det(v0, v2, v1)
    total = b0 + b1 + b2 + b3
    if is_zero(total) or total < 0.0:
        b0, b1, b2, b3 = 0.0, det(direction, v2, v3), det(direction, v3, v1), det(direction, v1, v2)
        total = b1 + b2 + b3
    P = data.ccd_point
    x = (0.0, 0.0, 0.0)
    for c in range(3, 9, 3):
        for row in range(4):
            b = b0 if row == 0 else (b1 if row == 1 else (b2 if row == 2 else b3))
            x = plus(x, (P[row, c], P[row, c + 1], P[row, c + 2]), 0.5 * b / total)
    return x


@exact
def penetration(model, data):
    """(depth, direction of object 1 out of object 0, place); a depth of -1 when the objects are apart."""
    zero = (0.0, 0.0, 0.0)
    P = data.ccd_point
    found = find_portal(model, data)
    if found == APART or found == AT_POINT:
        return -1.0, zero, zero
    if found == ON_RAY:
        d = point(data, 1)
        place = (0.5 * (P[1, 3] + P[1, 6]), 0.5 * (P[1, 4] + P[1, 7]), 0.5 * (P[1, 5] + P[1, 8]))
        return norm(d), unit(d), place
    if not reaches_origin(model, data):
        return -1.0, zero, zero
    for step in range(model.opt_ccd_iterations + 2):
        direction = outwards(data)
        sample(model, data, direction, 4)
        if gain(data, direction) <= model.opt_ccd_tolerance or step > model.opt_ccd_iterations:
            break
        expand(data)
    d = nearest_on_portal(data)
    depth = norm(d)
    if is_zero(depth):
        return -1.0, zero, zero
    return depth, unit(d), middle(data, direction)


@takes("Model", "Data", "f8")
@exact
def collide_mpr(model, data, cutoff):
    """Like `collide` of engine/collision/ccd.py, but only for overlaps. Never returns a face."""
    depth, normal, place = penetration(model, data)
    data.ccd_dist = math.inf
    if depth > 0.0:
        data.ccd_dist = -depth
        for c in range(3):
            data.ccd_witness[0, c] = place[c] + 0.5 * depth * normal[c]
            data.ccd_witness[1, c] = place[c] - 0.5 * depth * normal[c]
    return 0


@kernel
def convex_mpr(model, data, g1, g2, margin):
    """One contact; see `convex` of engine/collision/convex.py."""
    set_geom(model, data, 0, g1, 0.5 * margin)
    set_geom(model, data, 1, g2, 0.5 * margin)
    collide_mpr(model, data, 0.0)
    if not data.ccd_dist < 0.0:
        return 0
    put_witnesses(data, 0, margin)
    correct_normal(model, data, 0, g1, g2, data.geom_xpos, data.geom_xmat, g1, g2)
    return 1
