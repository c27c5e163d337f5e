"""Contacts of two boxes: axis of least penetration, then the overlap of the two faces that meet along it."""

from __future__ import annotations

import math

from kinetree.engine.collision.primitive import ZERO, put
from kinetree.engine.jit.kernel import exact, exact_small, kernel, small
from kinetree.engine.jit.vec import (
    add3,
    cross3,
    load3,
    load9,
    normalize3,
    scale3,
    sub3,
    transpose3,
)

PREFER_FACE = 1e-12  # an edge direction has to be better than the best face by this part of its depth
PARALLEL = 1e-6  # sine of the angle between edges that count as parallel
ROUND = 2e-16  # of a length: points that differ by no more than the last bit are one
STEEP = 0.5  # edges count as part of the touching feature if their direction along the normal is below this
OUTSIDE, INSIDE = 1.01, 1 / 1.01  # parts of a box's size


@small
def pick(v, i):
    return v[0] if i == 0 else (v[1] if i == 1 else v[2])


@small
def column(m, i):
    return (m[0], m[3], m[6]) if i == 0 else ((m[1], m[4], m[7]) if i == 1 else (m[2], m[5], m[8]))


@small
def unit(i):
    return 1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0


@exact_small
def dot(a, b):
    """The dot product without fused operations: so boxes that just touch are decided as in the reference."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@exact_small
def at(start, s, step):
    return start + s * step


@small
def row(m, i):
    return (m[0], m[1], m[2]) if i == 0 else ((m[3], m[4], m[5]) if i == 1 else (m[6], m[7], m[8]))


@exact_small
def turned(R, v):
    """R v"""
    return dot(row(R, 0), v), dot(row(R, 1), v), dot(row(R, 2), v)


@exact_small
def turned_back(R, v):
    """transpose(R) v"""
    return dot(column(R, 0), v), dot(column(R, 1), v), dot(column(R, 2), v)


@exact_small
def shifted(v, direction, by):
    return at(v[0], by, direction[0]), at(v[1], by, direction[1]), at(v[2], by, direction[2])


@exact_small
def overlap(size, reach, along):
    return size - abs(along) + reach


@exact_small
def edge_overlap(s1, s2, C, d, i, j):
    """(overlap along the cross product of edge i of one box and j of the other, sine of their angle)."""
    i1, i2 = (i + 1) % 3, (i + 2) % 3
    j1, j2 = (j + 1) % 3, (j + 2) % 3
    c = column(C, j)
    row = (C[0], C[1], C[2]) if i == 0 else ((C[3], C[4], C[5]) if i == 1 else (C[6], C[7], C[8]))
    c1, c2 = pick(c, i1), pick(c, i2)
    sine = math.sqrt(c1 * c1 + c2 * c2)
    reach = pick(s1, i1) * abs(c2) + pick(s1, i2) * abs(c1)
    reach += pick(s2, j1) * abs(pick(row, j2)) + pick(s2, j2) * abs(pick(row, j1))
    return reach - abs(pick(d, i2) * c1 - pick(d, i1) * c2), sine


@exact_small
def relative(R1, R2):
    """transpose(R1) R2"""
    a, b, c = column(R1, 0), column(R1, 1), column(R1, 2)
    x, y, z = column(R2, 0), column(R2, 1), column(R2, 2)
    return (dot(a, x), dot(a, y), dot(a, z), dot(b, x), dot(b, y), dot(b, z), dot(c, x), dot(c, y), dot(c, z))


@kernel
def separating_axis(R1, R2, s1, s2, C, gap, margin):
    """The direction of least penetration of two boxes. gap: between their centres; C: transpose(R1) R2.

    Returns (direction from the first to the second, in the frame of the first; which: 0 to 2 a face of the
    first box, 3 to 5 of the second, 6 and above a pair of edges, -1 when farther apart than the margin).
    """
    best = math.inf
    which = -1
    d = (dot(column(R1, 0), gap), dot(column(R1, 1), gap), dot(column(R1, 2), gap))
    A = (abs(C[0]), abs(C[1]), abs(C[2]), abs(C[3]), abs(C[4]), abs(C[5]), abs(C[6]), abs(C[7]), abs(C[8]))
    for i in range(15):
        if i < 3:
            row = (A[0], A[1], A[2]) if i == 0 else ((A[3], A[4], A[5]) if i == 1 else (A[6], A[7], A[8]))
            depth = overlap(pick(s1, i), dot(row, s2), pick(d, i))
        elif i < 6:
            depth = overlap(pick(s2, i - 3), dot(column(A, i - 3), s1), dot(column(R2, i - 3), gap))
        else:
            depth, sine = edge_overlap(s1, s2, C, d, (i - 6) // 3, (i - 6) % 3)
            if sine < PARALLEL:
                continue
            depth /= sine
        if not depth >= -margin:
            return d, -1
        if depth < (best * (1.0 - PREFER_FACE) if i >= 6 else best):
            best = depth
            which = i
    if which < 0:
        return d, -1
    n = unit(which)
    if which >= 6:
        n, _ = normalize3(cross3(unit((which - 6) // 3), column(C, (which - 6) % 3)))
    elif which >= 3:
        n = column(C, which - 3)
    return (n if dot(n, d) >= 0.0 else scale3(n, -1.0)), which


@exact_small
def lowest(start, along, size, local):
    """Subtract the extent of a box along a direction from start, in the reference's order of summation.

    Where faces touch with zero depth, rounding decides which corners are found, so the order matters.
    """
    for k in range(3):
        part = pick(along, k) * pick(size, k)
        start = start - part if pick(local, k) >= 0.0 else start + part
    return start


@small
def widest(v):
    """Index of the entry with the largest absolute value."""
    a, b, c = abs(v[0]), abs(v[1]), abs(v[2])
    if a >= b and a >= c:
        return 0
    return 1 if b >= c else 2


@small
def outside(p, q, size, other, margin):
    """Whether a point is outside one box and not well inside the other. p, q: the point in both frames."""
    far = False
    near = False
    far_other = False
    near_other = False
    for k in range(3):
        a = abs(pick(p, k))
        b = abs(pick(q, k))
        far |= a > OUTSIDE * (pick(size, k) + margin)
        near |= a > INSIDE * (pick(size, k) + margin)
        far_other |= b > OUTSIDE * (pick(other, k) + margin)
        near_other |= b > INSIDE * (pick(other, k) + margin)
    return (far and near_other) or (far_other and near)


@small
def remove_duplicate(data, count, place, near):
    """Remove an earlier contact within `near` of a place, if there is one; returns the number left."""
    for k in range(count):
        x = abs(data.near_pos[k, 0] - place[0])
        y = abs(data.near_pos[k, 1] - place[1])
        z = abs(data.near_pos[k, 2] - place[2])
        if x <= near and y <= near and z <= near:
            for j in range(k, count - 1):
                data.near_dist[j] = data.near_dist[j + 1]
                for c in range(3):
                    data.near_pos[j, c] = data.near_pos[j + 1, c]
                for c in range(6):
                    data.near_frame[j, c] = data.near_frame[j + 1, c]
            return count - 1
    return count


@exact_small
def lowest_corner(d, C, s2, local):
    """The corner of the second box that is lowest along the normal, in the frame of the first."""
    corner = d
    for k in range(3):
        corner = shifted(corner, column(C, k), -pick(s2, k) if pick(local, k) >= 0.0 else pick(s2, k))
    return corner


@exact_small
def slid_edge(C, s2, local, n, h, f, ia, ib):
    """(u, v, w) of edge h of the second face from its lowest corner, projected along n into face f."""
    e = scale3(column(C, h), (2.0 if pick(local, h) >= 0.0 else -2.0) * pick(s2, h))
    w = pick(e, f) / pick(n, f)
    return pick(e, ia) - w * pick(n, ia), pick(e, ib) - w * pick(n, ib), w


@exact_small
def edge_crossing(i, a, b, su, sv, corner, e, g, has_e, has_g):
    """Crossing i (0 to 15) of an edge of the second face with a side of the first: (found, u, v, s, t).

    Four edges (along e from the corner, along g, then the two opposite ones) with four sides each: first those along
    v, then those along u. su, sv: which of two sides comes first, the negative one (1) or the positive one (-1).
    """
    edge = i // 4
    along_e = edge == 0 or edge == 3
    other = 0.0 if edge < 2 else 1.0
    if along_e:
        found = has_e and (has_g or other == 0.0)
        x, y, dx, dy = at(corner[0], other, g[0]), at(corner[1], other, g[1]), e[0], e[1]
    else:
        found = has_g and (has_e or other == 0.0)
        x, y, dx, dy = at(corner[0], other, e[0]), at(corner[1], other, e[1]), g[0], g[1]
    side = 1.0 if i & 1 else -1.0
    side *= sv if i & 2 else su
    if i & 2:
        t = (side * b - y) / dy
        u = at(x, t, dx)
        v = side * b
        found &= abs(u) <= a
    else:
        t = (side * a - x) / dx
        u = side * a
        v = at(y, t, dy)
        found &= abs(v) <= b
    found &= t >= 0.0 and t <= 1.0
    if along_e:
        return found, u, v, t, other
    return found, u, v, other, t


@exact_small
def first_corner(i, a, b, su, sv, corner, e, g):
    """Corner i (0 to 3) of the first face: (whether it is within the second face, u, v, s, t)."""
    u = su * (-a if i < 2 else a)
    v = sv * (-b if i % 2 == 0 else b)
    x = u - corner[0]
    y = v - corner[1]
    det = e[0] * g[1] - e[1] * g[0]
    s = (x * g[1] - y * g[0]) / det
    t = (y * e[0] - x * e[1]) / det
    return s > 0.0 and s < 1.0 and t > 0.0 and t < 1.0, u, v, s, t


@exact_small
def second_corner(i, a, b, corner, e, g, has_e, has_g):
    """Corner i (0 to 3) of the second face, the lowest first: (whether in the first face, u, v, s, t)."""
    s = 1.0 if i & 1 else 0.0
    t = 1.0 if i & 2 else 0.0
    u = at(at(corner[0], s, e[0]), t, g[0])
    v = at(at(corner[1], s, e[1]), t, g[1])
    there = (has_e or s == 0.0) and (has_g or t == 0.0)
    return there and abs(u) < a and abs(v) < b, u, v, s, t


@small
def face_point(f, height, u, v):
    """A point of face f in the frame of the box: u along z, x, x and v along y, z, y for f = 0, 1, 2."""
    return (
        height if f == 0 else u,
        v if f != 1 else height,
        u if f == 0 else (v if f == 1 else height),
    )


@exact
def add_point(data, count, boxes, point, dist, out, margin):
    """Add the contact at a point in the frame of the first box; returns the count.

    Points outside both boxes are left out; of equal ones the last remains.
    """
    R1, p1, s1, s2, C, d, near = boxes
    if outside(point, turned_back(C, sub3(point, d)), s1, s2, margin):
        return count
    place = add3(p1, turned(R1, point))
    count = remove_duplicate(data, count, place, near)
    put(data, count, dist, place, out, ZERO)
    return count + 1


@exact
def add_corner(data, count, boxes, face, u, v, s, t, weight, out, margin):
    """Add the contact at (u, v) on the first face, s and t along the edges of the second; returns the count.

    It is left out where the faces are farther apart than the margin.
    """
    n, f, height, above, ew, gw = face
    w = at(at(above, s, ew), t, gw)
    if not w <= margin:
        return count
    point = shifted(face_point(f, height, u, v), n, 0.5 * w)
    return add_point(data, count, boxes, point, weight * w, out, margin)


@exact
def edge_corners(data, count, crossed, boxes, face, a, b, su, sv, corner, e, g, ia, ib, out, margin):
    """Add the corners of both faces in a contact of two edges; returns the count.

    crossed: whether edges of the second face cross sides of the first within the margin

    The reference loses most corners of the first face after the first one that is within the second: it overwrites
    the determinant of its equations by the square of that corner's distance. So it is here.
    """
    n, f, height, above, ew, gw = face
    det = e[0] * g[1] - e[1] * g[0]
    nu, nv, nf = pick(n, ia), pick(n, ib), pick(n, f)
    within = False
    for i in range(4):
        u = su * (-a if i < 2 else a)
        v = sv * (-b if i % 2 == 0 else b)
        x = u - corner[0]
        y = v - corner[1]
        s = (x * g[1] - y * g[0]) / det
        t = (y * e[0] - x * e[1]) / det
        beside_s = not (s >= 0.0 and s <= 1.0)
        beside_t = not (t >= 0.0 and t <= 1.0)
        if (beside_s and beside_t) or (crossed and (beside_s or beside_t)):
            continue
        s, t = min(max(s, 0.0), 1.0), min(max(t, 0.0), 1.0)
        w = at(at(above, s, ew), t, gw)
        dx = at(at(corner[0], s, e[0]), t, g[0]) + w * nu - u
        dy = at(at(corner[1], s, e[1]), t, g[1]) + w * nv - v
        dz = w * nf
        square = dx * dx + dy * dy + dz * dz
        det = su * sv * square
        if w > 0.0 and square > margin * margin:
            continue
        within = True
        dist = math.sqrt(square)
        point = face_point(f, height + 0.5 * dz, u + 0.5 * dx, v + 0.5 * dy)
        count = add_point(data, count, boxes, point, -dist if w < 0.0 else dist, out, margin)
    for i in range(4):
        s = 1.0 if i & 1 else 0.0
        t = 1.0 if i & 2 else 0.0
        u = at(at(corner[0], s, e[0]), t, g[0])
        v = at(at(corner[1], s, e[1]), t, g[1])
        over_u, over_v = max(abs(u) - a, 0.0), max(abs(v) - b, 0.0)
        if crossed and (over_u > 0.0 or over_v > 0.0):
            continue
        if within and over_u > 0.0 and over_v > 0.0:
            continue
        w = at(at(above, s, ew), t, gw)
        square = over_u * over_u + over_v * over_v + w * w
        if w > 0.0 and square > margin * margin:
            continue
        u0, v0 = min(max(u, -a), a), min(max(v, -b), b)
        dist = math.sqrt(square)
        point = face_point(f, height + 0.5 * w * nf, 0.5 * (u + w * nu + u0), 0.5 * (v + w * nv + v0))
        count = add_point(data, count, boxes, point, -dist if w < 0.0 else dist, out, margin)
    return count


@exact
def box_box(model, data, g1, g2, margin):
    """Up to eight contacts: the corners of the overlap of two faces, seen along the contact normal.

    The distance of a contact is that of the two face planes at the corner, along the normal.
    As in the reference:

    - the distance is halved where the normal is a face normal;
    - edges of the second face steeper than 30 degrees to the first are left out;
    - points outside both boxes are left out;
    - in an edge-edge contact few corners of the first face count (see `edge_corners`);
    - in a face contact the lowest corner of the second face always counts;
    - a corner that is found twice counts once if both points agree to the last bit.

    Rounding decides such cases, so operations keep the reference's order.
    """
    R1 = load9(data.geom_xmat, g1)
    R2 = load9(data.geom_xmat, g2)
    s1 = load3(model.geom_size, g1)
    s2 = load3(model.geom_size, g2)
    p1 = load3(data.geom_xpos, g1)
    p2 = load3(data.geom_xpos, g2)
    C = relative(R1, R2)
    n, which = separating_axis(R1, R2, s1, s2, C, sub3(p2, p1), margin)
    if which < 0:
        return 0
    d = turned_back(R1, sub3(p2, p1))
    out = turned(R1, n)
    if which >= 3 and which < 6:  # the face belongs to the second box: exchange them
        n = scale3(turned_back(C, n), -1.0)
        d = turned_back(R2, sub3(p1, p2))
        C = transpose3(C)
        R1, p1 = R2, p2
        s1, s2 = s2, s1
    edges_meet = which >= 6
    # the face of each box that looks along the normal, and its two directions
    f = widest(n)
    local = turned_back(C, n)
    h = widest(local)
    ia, ib = 2 if f == 0 else 0, 2 if f == 1 else 1
    ha, hb = 1 if h == 0 else 0, 1 if h == 2 else 2
    if edges_meet:  # the corners of the second face begin at the positive end of the edge that meets the other
        if hb == (which - 6) % 3:
            ha, hb = hb, ha
        local = (
            -1.0 if ha == 0 else local[0],
            -1.0 if ha == 1 else local[1],
            -1.0 if ha == 2 else local[2],
        )
    a, b = pick(s1, ia), pick(s1, ib)
    nf = pick(n, f)
    sign = 1.0 if nf > 0.0 else -1.0
    # the reference turns the box so that the face looks along z: u and v are its x and y, with these signs
    su, sv = (1.0 if f == 1 else (sign if f == 2 else -sign)), (-sign if f == 1 else 1.0)
    height = sign * pick(s1, f)
    # the second face, slid along the normal into the plane of the first: u, v and height w above that plane
    # of its lowest corner, and of the edges from there
    centre = lowest_corner(d, C, s2, local)
    above = lowest(pick(d, f) - height, row(C, f), s2, local) / nf
    corner = (at(pick(centre, ia), -above, pick(n, ia)), at(pick(centre, ib), -above, pick(n, ib)))
    e = slid_edge(C, s2, local, n, ha, f, ia, ib)
    g = slid_edge(C, s2, local, n, hb, f, ia, ib)
    has_e = edges_meet or abs(pick(local, ha)) < STEEP
    has_g = edges_meet or abs(pick(local, hb)) < STEEP
    near = ROUND * (a + b)
    boxes = (R1, p1, s1, s2, C, d, near)
    face = (n, f, height, above, e[2], g[2])
    weight = 1.0 if edges_meet else 0.5
    count = 0
    crossed = False
    for i in range(16):
        found, u, v, s, t = edge_crossing(i, a, b, su, sv, corner, e, g, has_e, has_g)
        if found:
            crossed |= at(at(above, s, e[2]), t, g[2]) <= margin
            count = add_corner(data, count, boxes, face, u, v, s, t, weight, out, margin)
    if edges_meet:
        return edge_corners(data, count, crossed, boxes, face, a, b, su, sv, corner, e, g, ia, ib, out, margin)
    if has_e and has_g:
        for i in range(4):
            found, u, v, s, t = first_corner(i, a, b, su, sv, corner, e, g)
            if found:
                count = add_corner(data, count, boxes, face, u, v, s, t, weight, out, margin)
    for i in range(4):
        found, u, v, s, t = second_corner(i, a, b, corner, e, g, has_e, has_g)
        if found or i == 0:
            count = add_corner(data, count, boxes, face, u, v, s, t, weight, out, margin)
    return count
