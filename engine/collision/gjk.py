"""Distance of two convex cores: the Gilbert-Johnson-Keerthi algorithm.

The simplex lives in the first rows of data.ccd_point (see `difference`), the weights of its nearest point in
data.ccd_weight.

Source: E. Gilbert, D. Johnson, S. Keerthi, A fast procedure for computing the distance between complex
objects, 1988; the nearest point of a triangle by regions: C. Ericson, Real-Time Collision Detection, 5.1.5.
"""

from __future__ import annotations

import math

from engine.collision.support import difference
from engine.jit.kernel import kernel, small
from engine.jit.vec import add3, cross3, dot3, load3, scale3, sub3

NEAR = 10.0  # 1 / m: below the inverse of this distance the tolerance shrinks with it
SEPARATE, TOUCH, APART = 0, 1, 2  # outcomes: at a distance, cores overlap, farther than asked for


@kernel
def nearest_on_triangle(a, b, c):
    """Weights of the point of a triangle that is nearest to the origin. Zero weights: not needed for it."""
    ab = sub3(b, a)
    ac = sub3(c, a)
    d1 = -dot3(ab, a)
    d2 = -dot3(ac, a)
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    d3 = -dot3(ab, b)
    d4 = -dot3(ac, b)
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = d1 / (d1 - d3) if d1 > d3 else 0.0
        return 1.0 - t, t, 0.0
    d5 = -dot3(ab, c)
    d6 = -dot3(ac, c)
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6) if d2 > d6 else 0.0
        return 1.0 - t, 0.0, t
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 >= d3 and d5 >= d6:
        span = (d4 - d3) + (d5 - d6)
        t = (d4 - d3) / span if span > 0.0 else 0.0
        return 0.0, 1.0 - t, t
    s = 1.0 / (va + vb + vc)
    return va * s, vb * s, vc * s


@small
def foot(a, b, c, wa, wb, wc):
    """The weighted point; in a triangle from its plane, which keeps the direction exact near the origin."""
    if wa > 0.0 and wb > 0.0 and wc > 0.0:
        normal = cross3(sub3(b, a), sub3(c, a))
        square = dot3(normal, normal)
        if square > 0.0:
            return scale3(normal, dot3(normal, a) / square)
    return add3(add3(scale3(a, wa), scale3(b, wb)), scale3(c, wc))


@kernel
def reduce(data, n):
    """Set the weights of the simplex's nearest point to the origin and drop what is not needed for it.

    Returns (nearest point, number of vertices left, whether the origin is inside).
    """
    P = data.ccd_point
    W = data.ccd_weight
    for i in range(4):
        W[i] = 0.0
    inside = False
    if n == 1:
        W[0] = 1.0
    elif n == 2:
        a = load3(P, 0)
        ab = sub3(load3(P, 1), a)
        square = dot3(ab, ab)
        t = max(0.0, min(1.0, -dot3(a, ab) / square)) if square > 0.0 else 0.0
        W[0] = 1.0 - t
        W[1] = t
    elif n == 3:
        W[0], W[1], W[2] = nearest_on_triangle(load3(P, 0), load3(P, 1), load3(P, 2))
    else:
        best = math.inf
        inside = True
        for k in range(4):  # the face that lacks vertex k; all of them, as thin tetrahedra have no sure sides
            i0, i1, i2 = (k + 1) % 4, (k + 2) % 4, (k + 3) % 4
            a, b, c = load3(P, i0), load3(P, i1), load3(P, i2)
            normal = cross3(sub3(b, a), sub3(c, a))
            height = dot3(normal, sub3(load3(P, k), a))
            inside &= -dot3(normal, a) * height > 0.0 and abs(height) > 1e-14 * dot3(normal, normal)
            w0, w1, w2 = nearest_on_triangle(a, b, c)
            v = foot(a, b, c, w0, w1, w2)
            square = dot3(v, v)
            if square < best:
                best = square
                W[k] = 0.0
                W[i0], W[i1], W[i2] = w0, w1, w2
        if inside:
            return (0.0, 0.0, 0.0), 4, True
    left = 0
    for i in range(n):
        if W[i] > 0.0:
            if i > left:
                W[left] = W[i]
                for k in range(9):
                    P[left, k] = P[i, k]
            left += 1
    for i in range(left, 4):
        W[i] = 0.0
    v = foot(load3(P, 0), load3(P, min(1, left - 1)), load3(P, min(2, left - 1)), W[0], W[1], W[2])
    return v, left, inside


@small
def weighted(data, n, first):
    """The weighted sum of columns first.. of the simplex: 3 for the point on core 1, 6 on core 2."""
    x = y = z = 0.0
    for i in range(n):
        w = data.ccd_weight[i]
        x += w * data.ccd_point[i, first]
        y += w * data.ccd_point[i, first + 1]
        z += w * data.ccd_point[i, first + 2]
    return x, y, z


@kernel
def gjk(model, data, g1, g2, cutoff, tolerance, iterations):
    """(SEPARATE, TOUCH or APART; number of vertices of the simplex; vector from core 2 to core 1)."""
    p = data.geom_xpos
    v = (p[g1, 0] - p[g2, 0], p[g1, 1] - p[g2, 1], p[g1, 2] - p[g2, 2])
    if not dot3(v, v) > 0.0:
        v = (1.0, 0.0, 0.0)
    data.ccd_start1 = -1
    data.ccd_start2 = -1
    difference(model, data, g1, g2, scale3(v, -1.0), 0)
    v, n, inside = reduce(data, 1)
    scale = dot3(v, v)
    for _ in range(iterations):
        square = dot3(v, v)
        scale = max(scale, square)
        if inside or not square > 1e-20 * scale:
            return TOUCH, n, v
        length = math.sqrt(square)
        difference(model, data, g1, g2, scale3(v, -1.0 / length), n)
        w = load3(data.ccd_point, n)
        along = dot3(v, w) / length  # no point of the difference is nearer than this
        if along > cutoff:
            return APART, n, v
        if not length - along > tolerance * min(1.0, NEAR * length):  # cores that are near: a direction is wanted
            break
        known = False
        for i in range(n):
            q = load3(data.ccd_point, i)
            known |= q[0] == w[0] and q[1] == w[1] and q[2] == w[2]
        if known:
            break
        before = square
        v, n, inside = reduce(data, n + 1)
        if not inside and dot3(v, v) >= before:  # no progress is left in the arithmetic
            break
    if inside:
        return TOUCH, n, v
    return SEPARATE, n, v
