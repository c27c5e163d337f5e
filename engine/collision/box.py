"""Contacts of two boxes: the axis of least penetration, then the overlap of the two faces that meet along it."""

from __future__ import annotations

import math

from engine.collision.primitive import ZERO, put
from engine.kernel import exact_small, kernel, small
from engine.vec import (
    add3,
    addscale3,
    cross3,
    dot3,
    load3,
    load9,
    mulmat3,
    mulmatmat3,
    mulmatT3,
    norm3,
    scale3,
    sub3,
    transpose3,
)

PREFER_FACE = 1e-12  # an edge direction has to be better than the best face by this part of its depth
ROUND = 1e-10  # of a length, where corners and edges coincide
STEEP = 0.5  # an edge is part of what meets a face when its direction along the normal is below this
OUTSIDE, INSIDE = 1.01, 0.99  # parts of a box's size


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
    """The dot product without fused operations: boxes that just touch are found or not as in the reference."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@exact_small
def overlap(size, reach, along):
    return size - abs(along) + reach


@kernel
def separating_axis(R1, R2, s1, s2, gap, margin):
    """The direction of least penetration of two boxes whose centres are gap apart.

    Returns (direction from the first to the second, in the frame of the first; which: 0 to 2 a face of the first
    box, 3 to 5 of the second, 6 and above a pair of edges, -1 when farther apart than the margin).
    """
    best = math.inf
    which = -1
    normal = (1.0, 0.0, 0.0)
    for i in range(15):
        if i < 6:
            k = i % 3
            axis = column(R1, k) if i < 3 else column(R2, k)
            along = dot(axis, gap)
            if i < 3:
                n = unit(k)
                t = (
                    abs(dot(axis, column(R2, 0))),
                    abs(dot(axis, column(R2, 1))),
                    abs(dot(axis, column(R2, 2))),
                )
                depth = overlap(pick(s1, k), dot(t, s2), along)
            else:
                n = (dot(column(R1, 0), axis), dot(column(R1, 1), axis), dot(column(R1, 2), axis))
                depth = overlap(pick(s2, k), dot((abs(n[0]), abs(n[1]), abs(n[2])), s1), along)
        else:
            n = cross3(unit((i - 6) // 3), mulmatT3(R1, column(R2, (i - 6) % 3)))
            length = norm3(n)
            if length < 1e-6:
                continue
            n = scale3(n, 1.0 / length)
            axis = mulmat3(R1, n)
            along = dot(axis, gap)
            depth = -abs(along)
            for k in range(3):
                depth += pick(s1, k) * abs(pick(n, k)) + pick(s2, k) * abs(dot3(axis, column(R2, k)))
        if not depth >= -margin:
            return normal, -1
        if depth < (best * (1.0 - PREFER_FACE) if i >= 6 else best):
            best = depth
            which = i
            normal = n if along >= 0.0 else scale3(n, -1.0)
    return normal, which


@small
def widest(v):
    """Index of the entry of the largest size."""
    a, b, c = abs(v[0]), abs(v[1]), abs(v[2])
    if a >= b and a >= c:
        return 0
    return 1 if b >= c else 2


@small
def outside(p, q, size, other, margin):
    """Whether a point is outside one box and not well inside the other; p, q: the point in the frames of both."""
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


@kernel
def box_box(model, data, g1, g2, margin):
    """Up to eight contacts: the corners of the overlap of two faces, seen along the contact normal.

    At each corner the distance is that of the planes of the two faces, measured along the normal; as in the
    reference it counts by half where a face penetrates. An edge of the second box steeper than 60 degrees to the
    first one's face is left out, as are points outside both boxes.
    """
    R1 = load9(data.geom_xmat, g1)
    R2 = load9(data.geom_xmat, g2)
    s1 = load3(model.geom_size, g1)
    s2 = load3(model.geom_size, g2)
    p1 = load3(data.geom_xpos, g1)
    p2 = load3(data.geom_xpos, g2)
    n, which = separating_axis(R1, R2, s1, s2, sub3(p2, p1), margin)
    if which < 0:
        return 0
    C = mulmatmat3(transpose3(R1), R2)
    d = mulmatT3(R1, sub3(p2, p1))
    out = mulmat3(R1, n)
    if which >= 3 and which < 6:  # the face belongs to the second box: exchange them
        n = scale3(mulmatT3(C, n), -1.0)
        d = mulmatT3(R2, sub3(p1, p2))
        C = transpose3(C)
        R1, p1 = R2, p2
        s1, s2 = s2, s1
    weight = 0.5 if which < 6 else 1.0
    # the face of each box that looks along the normal, and its two directions
    f = widest(n)
    local = mulmatT3(C, n)
    h = widest(local)
    ia, ib = (f + 1) % 3, (f + 2) % 3
    ha, hb = (h + 1) % 3, (h + 2) % 3
    centre = d
    for k in range(3):  # the lowest corner of the second box
        centre = addscale3(centre, column(C, k), -pick(s2, k) if pick(local, k) > 0.0 else pick(s2, k))
    height = pick(s1, f) if pick(n, f) > 0.0 else -pick(s1, f)
    a, b = pick(s1, ia), pick(s1, ib)
    nf = pick(n, f)
    # the second face, slid along the normal into the plane of the first: u and v of its lowest corner and of the
    # edges from there; w is how far it is above that plane
    above = (pick(centre, f) - height) / nf
    cu = pick(centre, ia) - above * pick(n, ia)
    cv = pick(centre, ib) - above * pick(n, ib)
    e = scale3(column(C, ha), (2.0 if pick(local, ha) > 0.0 else -2.0) * pick(s2, ha))
    ew = pick(e, f) / nf
    eu = pick(e, ia) - ew * pick(n, ia)
    ev = pick(e, ib) - ew * pick(n, ib)
    e = scale3(column(C, hb), (2.0 if pick(local, hb) > 0.0 else -2.0) * pick(s2, hb))
    gw = pick(e, f) / nf
    gu = pick(e, ia) - gw * pick(n, ia)
    gv = pick(e, ib) - gw * pick(n, ib)
    has_e = which >= 6 or abs(pick(local, ha)) < STEEP
    has_g = which >= 6 or abs(pick(local, hb)) < STEEP
    det = eu * gv - ev * gu
    count = 0
    for i in range(24):
        s = t = 0.0
        if i < 16:  # an edge of the second face against a side of the first
            along_e = i < 8
            other = 1.0 if i & 4 else 0.0
            if along_e:
                good = has_e and (has_g or other == 0.0)
                x, y, dx, dy = cu + other * gu, cv + other * gv, eu, ev
            else:
                good = has_g and (has_e or other == 0.0)
                x, y, dx, dy = cu + other * eu, cv + other * ev, gu, gv
            side = -1.0 if i & 1 else 1.0
            if i & 2:
                t = (side * b - y) / dy
                u = x + t * dx
                v = side * b
                good &= t > ROUND and t < 1.0 - ROUND and abs(u) < a * (1.0 - ROUND)
            else:
                t = (side * a - x) / dx
                u = side * a
                v = y + t * dy
                good &= t > ROUND and t < 1.0 - ROUND and abs(v) < b * (1.0 - ROUND)
            w = above + (t * ew + other * gw if along_e else t * gw + other * ew)
        elif i < 20:  # a corner of the second face
            s = 1.0 if i & 1 else 0.0
            t = 1.0 if i & 2 else 0.0
            u = cu + s * eu + t * gu
            v = cv + s * ev + t * gv
            w = above + s * ew + t * gw
            good = (has_e or s == 0.0) and (has_g or t == 0.0) and abs(u) <= a * (1.0 + ROUND)
            good &= abs(v) <= b * (1.0 + ROUND)
        else:  # a corner of the first face
            u = a if i & 1 else -a
            v = b if i & 2 else -b
            x = u - cu
            y = v - cv
            s = (x * gv - y * gu) / det
            t = (y * eu - x * ev) / det
            w = above + s * ew + t * gw
            good = has_e and has_g and abs(s - 0.5) <= 0.5 + ROUND and abs(t - 0.5) <= 0.5 + ROUND
            good &= abs(s - 0.5) < 0.5 - ROUND or abs(t - 0.5) < 0.5 - ROUND  # else it is a corner of both
        if good and count < 8 and w <= margin:
            point = (
                height if f == 0 else (v if f == 1 else u),
                u if f == 0 else (height if f == 1 else v),
                v if f == 0 else (u if f == 1 else height),
            )
            point = addscale3(point, n, 0.5 * w)
            if not outside(point, mulmatT3(C, sub3(point, d)), s1, s2, margin):
                put(data, count, weight * w, add3(p1, mulmat3(R1, point)), out, ZERO)
                count += 1
    return count
