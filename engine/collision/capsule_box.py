"""Contacts of a capsule with a box: at the nearest point of its segment, and where it leaves the box."""

from __future__ import annotations

import math

from engine.collision.box import pick, unit
from engine.collision.primitive import axis_of, touch_box
from engine.jit.kernel import kernel, small
from engine.jit.vec import addscale3, dot3, load3, load9, mulmatT3, norm3, scale3, sub3

TIE = 1e-9  # an edge has to be nearer than the ends by this part of the distance to count


@small
def clamp_to(p, size):
    return (
        max(-size[0], min(size[0], p[0])),
        max(-size[1], min(size[1], p[1])),
        max(-size[2], min(size[2], p[2])),
    )


@kernel
def nearest_on_edge(p, u, corner, k, length):
    """Nearest points of the segment p + s u, |s| <= 1, and of an edge from a corner along axis k.

    Returns (s, distance, where on the edge: -1 and 1 its ends, 0 between).
    """
    gap = sub3(p, corner)
    uu = dot3(u, u)
    uk = pick(u, k)
    ug = dot3(u, gap)
    gk = pick(gap, k)
    det = uu - uk * uk
    s = 0.0
    if det > 1e-12 * uu:
        s = max(-1.0, min(1.0, (uk * gk - ug) / det))
    t = gk + s * uk
    where = 0
    if t < 0.0 or t > length:
        where = -1 if t < 0.0 else 1
        t = max(0.0, min(length, t))
        s = max(-1.0, min(1.0, (uk * t - ug) / uu)) if uu > 0.0 else 0.0
    return s, norm3(addscale3(addscale3(gap, u, s), unit(k), -t)), where


@small
def corner_of_edge(size, k, i):
    """Where edge i (its two low bits count) along axis k begins."""
    one = 1.0 if i & 1 else -1.0
    two = 1.0 if i & 2 else -1.0
    return (
        size[0] * (-1.0 if k == 0 else one),
        size[1] * (-1.0 if k == 1 else (one if k == 0 else two)),
        size[2] * (-1.0 if k == 2 else two),
    )


@kernel
def capsule_box(model, data, g1, g2, margin):
    """At most two contacts.

    The first is at an end of the segment or where an edge comes nearest. The second is where the segment,
    followed from there over the box, leaves it or ends; an end inside the box has none.
    """
    radius = model.geom_size[g1, 0]
    R = load9(data.geom_xmat, g2)
    b = load3(data.geom_xpos, g2)
    size = load3(model.geom_size, g2)
    axis = axis_of(data, g1)
    half = model.geom_size[g1, 1]
    a = load3(data.geom_xpos, g1)
    p = mulmatT3(R, sub3(a, b))
    u = scale3(mulmatT3(R, axis), half)
    # the two ends, and the twelve edges
    best = math.inf
    s = 0.0
    edge = -1  # the axis of the edge that is nearest
    where = 0
    for i in range(14):
        if best <= 0.0:
            break
        if i < 2:
            at = -1.0 if i == 0 else 1.0
            q = addscale3(p, u, at)
            distance = norm3(sub3(q, clamp_to(q, size)))
            side = 0
            k = -1
        else:
            k = (i - 2) // 4
            corner = corner_of_edge(size, k, i - 2)
            at, distance, side = nearest_on_edge(p, u, corner, k, 2.0 * pick(size, k))
        if distance < best * (1.0 - TIE):
            best = distance
            s = at
            edge = k
            where = side
    n = touch_box(data, 0, addscale3(a, axis, s * half), radius, b, R, size, margin)
    if n == 0 or best <= 0.0:
        return n
    # how far the segment runs on over the box
    q = addscale3(p, u, s)
    count = 0
    leading = 0
    inwards = 0  # of the axes along which the box is left or entered at q: how many lead inwards as s grows
    steepest = -1.0
    for c in range(3):
        beside = edge >= 0 and (c != edge or where != 0)
        if edge < 0:
            beside = abs(pick(q, c)) > pick(size, c)
        if beside:
            count += 1
            grows = pick(u, c) * pick(q, c) < 0.0
            inwards += 1 if grows else -1
            if abs(pick(u, c)) > steepest:
                steepest = abs(pick(u, c))
                leading = c
    ahead = -s
    if count > 1:
        if count == 2 and inwards != 0:
            return n
        ahead = 1.0 if pick(u, leading) * pick(q, leading) < 0.0 else -1.0
    far = 1.0 - s if ahead > 0.0 else 1.0 + s
    for c in range(3):
        step = ahead * pick(u, c)
        beside = edge >= 0 and (c != edge or where != 0)
        if edge < 0:
            beside = abs(pick(q, c)) > pick(size, c)
        if step == 0.0 or (beside and (count == 1 or c != leading)):
            continue
        if beside:
            room = 2.0 * pick(size, c) / abs(step)
        else:
            room = ((pick(size, c) if step > 0.0 else -pick(size, c)) - pick(q, c)) / step
        far = min(far, max(0.0, room))
    return touch_box(data, n, addscale3(a, axis, (s + ahead * far) * half), radius, b, R, size, margin)
