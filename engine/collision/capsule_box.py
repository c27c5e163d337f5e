"""Contacts of a capsule with a box: a first point on the capsule's segment, and a second along it over the box.

The first point is an end that is over a face or inside, or the point nearest to an edge of the box. Which second
point belongs to it depends on what it is nearest to: a corner, the inside of an edge, or a face. The rules are the
reference's (mujoco 3.3.4).

In the frame of the box the segment is p + t h, -1 <= t <= 1. Corners are numbered by the signs of their coordinates:
bit i is set where coordinate i is positive.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.box import pick
from kinetree.engine.collision.primitive import capsule_of, touch_box
from kinetree.engine.collision.unfused import rotated_back
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL, addscale3, dot3, load3, load9, scale3, sub3

FAR = 2.0
"""The length of the segment in t."""
NONE = 2.0 * FAR
"""Step to a missing second point."""


@small
def _over(length, speed):
    """The time to run a length at a speed of any sign, infinite for none."""
    return length / abs(speed) if speed != 0.0 else math.inf


@small
def _bit(bits, i):
    return (bits >> i) & 1


@small
def _sign(bits, i):
    return 1.0 if (bits >> i) & 1 else -1.0


@kernel
def _first_end(p, h, size, best):
    """(squared distance, t, face) of the nearer end over a face or inside; face 3: inside, -1: no such end."""
    t, face = 0.0, -1
    for i in range(2):
        end = -1.0 if i == 0 else 1.0
        q = addscale3(p, h, end)
        outside, axis, distance = 0, 3, 0.0
        for c in range(3):
            away = abs(pick(q, c)) - pick(size, c)
            if away > 0.0:
                outside += 1
                axis = c
                distance += away * away
        if outside <= 1 and distance < best:
            best, t, face = distance, end, axis
    return best, t, face


@kernel
def _nearest_edge(p, h, size, best):
    """(squared distance, t, axis, corner, x) of the edge nearest to the segment; axis -1: none nearer than `best`.

    corner: of the edge, the end where the nearest point is clamped, else the lower one; x: where on the edge the
    nearest point is, from -1 to 1, and 2 where it is clamped.
    """
    found_t, found_axis, found_corner, found_x = 0.0, -1, 0, 0.0
    hh = dot3(h, h)
    for axis in range(3):
        half = pick(size, axis)
        hj = half * pick(h, axis)
        det = half * half * hh - hj * hj
        if abs(det) < MINVAL:
            continue
        for corner in range(8):
            if _bit(corner, axis):
                continue
            middle = (
                0.0 if axis == 0 else _sign(corner, 0) * size[0],
                0.0 if axis == 1 else _sign(corner, 1) * size[1],
                0.0 if axis == 2 else _sign(corner, 2) * size[2],
            )
            gap = sub3(middle, p)
            along, hg = half * pick(gap, axis), dot3(h, gap)
            x = (hj * hg - hh * along) / det
            t = (half * half * hg - hj * along) / det
            side = 0
            if x > 1.0:
                x, side = 1.0, 1
                t = (hg + hj) / hh
            elif x < -1.0:
                x, side = -1.0, -1
                t = (hg - hj) / hh
            if t > 1.0 or t < -1.0:
                t = 1.0 if t > 1.0 else -1.0
                x = (t * hj - along) / (half * half)
                if x > 1.0:
                    x, side = 1.0, 1
                elif x < -1.0:
                    x, side = -1.0, -1
            away = addscale3(gap, h, -t)
            away = (
                away[0] + (x * half if axis == 0 else 0.0),
                away[1] + (x * half if axis == 1 else 0.0),
                away[2] + (x * half if axis == 2 else 0.0),
            )
            distance = dot3(away, away)
            if distance < best - MINVAL:
                best, found_t, found_axis = distance, t, axis
                found_corner = corner + (1 << axis) if side > 0 else corner
                found_x = x if side == 0 else FAR
    return best, found_t, found_axis, found_corner, found_x


@kernel
def _from_corner(h, size, crossed, t):
    """The step in t from a first point nearest to a corner to the second point, NONE for none.

    crossed: bits of the axes along which the segment leads from the corner inwards, with growing t
    """
    if crossed == 0 or crossed == 7:
        return NONE
    m = 1.0
    if crossed != 1 and crossed != 2 and crossed != 4:
        m = -1.0
        crossed = 7 - crossed
    k = 0 if crossed == 1 else (1 if crossed == 2 else 2)
    hk = pick(h, k)
    if hk * hk > 0.5 * dot3(h, h):  # along an edge
        return m * min(1.0 - m * t, _over(2.0 * pick(size, k), hk))
    far = 1.0 + m * t  # over a face
    for c in range(3):
        if c != k:
            far = min(far, _over(2.0 * pick(size, c), pick(h, c)))
    return -m * far


@kernel
def _from_edge(h, size, bits, crossed, axis, x, t):
    """The same, nearest to the inside of an edge along an axis; bits: signs of h."""
    crossed &= 7 - (1 << axis)
    if crossed != 1 and crossed != 2 and crossed != 4:
        return NONE
    one, other = (axis + 1) % 3, (axis + 2) % 3
    b = one if abs(pick(h, one)) > abs(pick(h, other)) else other
    inwards = _bit(crossed, b)
    m = 1.0 if inwards else -1.0
    ahead = 1.0 - x if _bit(bits, axis) == inwards else 1.0 + x
    far = min(1.0 - m * t, _over(2.0 * pick(size, b), pick(h, b)))
    return m * min(far, _over(ahead * pick(size, axis), pick(h, axis)))


@kernel
def _from_face(p, h, size, face, t):
    """The same, for an end over a face."""
    end = addscale3(p, h, t)
    far = FAR
    for c in range(3):
        if c == face or pick(h, c) == 0.0:
            continue
        for i in range(2):
            side = pick(size, c) if i == 0 else -pick(size, c)
            there = (side - pick(end, c)) / pick(h, c) * -t
            if 0.0 < there < far:
                far = there
    return -t * far


@kernel
def capsule_box(model, data, g1, g2, margin):
    return touch_capsule_box(model, data, capsule_of(model, data, g1), g2, margin)


@kernel
def touch_capsule_box(model, data, capsule, g2, margin):
    """Contacts of a capsule (see `capsule_of`) with a box; at most two."""
    a, axis, radius, half = capsule
    R = load9(data.geom_xmat, g2)
    b = load3(data.geom_xpos, g2)
    size = load3(model.geom_size, g2)
    p = rotated_back(R, sub3(a, b))
    h = scale3(rotated_back(R, axis), half)
    limit = margin + 2.0 * (radius + half + size[0] + size[1] + size[2])
    best, t, face = _first_end(p, h, size, limit)
    best, edge_t, edge, corner, x = _nearest_edge(p, h, size, best)
    step = NONE
    if edge >= 0:
        t = edge_t
        bits = (1 if h[0] > 0.0 else 0) + (2 if h[1] > 0.0 else 0) + (4 if h[2] > 0.0 else 0)
        if x == FAR:
            step = _from_corner(h, size, bits ^ corner, t)
        else:
            step = _from_edge(h, size, bits, bits ^ corner, edge, x, t)
    elif 0 <= face < 3:
        step = _from_face(p, h, size, face, t)
    n = touch_box(data, 0, addscale3(a, axis, t * half), radius, b, R, size, margin)
    if step != NONE:
        n = touch_box(data, n, addscale3(a, axis, (t + step) * half), radius, b, R, size, margin)
    return n
