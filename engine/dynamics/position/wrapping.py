"""The shortest path between two points around, or through, a sphere or an endless cylinder.

Both reduce to a circle about the origin of a plane: for a sphere the plane through its centre and the two
points, for a cylinder the plane across its axis. In the plane a path leaves the first point along a tangent,
follows the circle and reaches the second point along another tangent. Specification: XML reference,
tendon/spatial (geom, sidesite).
"""

from __future__ import annotations

import math

from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL, add3, addscale3, cross3, dot3, mulmat3, mulmatT3, norm3, normalize3, sub3

NEWTON = 20
"""Largest number of iterations in search of the point where a path through a circle touches it."""
RESIDUAL = 1e-6
"""Angle, in rad, that they leave."""
_NO_PATH = (-1.0, 0.0, 0.0, 0.0, 0.0)


@small
def _hypot(x, y):
    return math.sqrt(x * x + y * y)


@small
def _turned(x, y, radius, distance, sign):
    """The tangent point of (x, y): its direction, turned by sign times the angle whose cosine is radius /
    distance.
    """
    c = radius / distance
    s = sign * math.sqrt(max(0.0, 1.0 - c * c))
    return c * (c * x - s * y), c * (s * x + c * y)


@small
def _arc(x0, y0, x1, y1, radius, sign):
    """(angle along the circle, tangent points) of the path that turns counterclockwise (sign 1) or clockwise
    (-1).

    The angle is negative where the tangents cross before they reach the circle.
    """
    d0, d1 = _hypot(x0, y0), _hypot(x1, y1)
    between = sign * math.atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1)
    if between < 0.0:
        between += 2.0 * math.pi
    angle = between - math.acos(min(1.0, radius / d0)) - math.acos(min(1.0, radius / d1))
    a0, b0 = _turned(x0, y0, radius, d0, sign)
    a1, b1 = _turned(x1, y1, radius, d1, -sign)
    return angle, a0, b0, a1, b1


@small
def _nearest(x0, y0, x1, y1):
    """The point of the straight line between two points that is nearest to the origin."""
    dx, dy = x1 - x0, y1 - y0
    t = min(1.0, max(0.0, -(x0 * dx + y0 * dy) / max(MINVAL, dx * dx + dy * dy)))
    return x0 + t * dx, y0 + t * dy


@small
def _meet(x0, y0, x1, y1, path):
    """Whether the two straight parts of a path cross before they reach the circle."""
    ux, uy, vx, vy = path[1] - x0, path[2] - y0, path[3] - x1, path[4] - y1
    across = ux * vy - uy * vx
    if abs(across) < MINVAL:
        return False
    s = ((x1 - x0) * vy - (y1 - y0) * vx) / across
    t = ((x1 - x0) * uy - (y1 - y0) * ux) / across
    return 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0


@small
def _towards(path, sx, sy):
    """How far towards (sx, sy) the middle of the two tangent points lies."""
    x, y = path[1] + path[3], path[2] + path[4]
    return (x * sx + y * sy) / max(MINVAL, _hypot(x, y))


@kernel
def around(x0, y0, x1, y1, radius, sided, sx, sy):
    """(length on the circle, tangent points) of the path around a circle; length -1 where it does not touch.

    Of the two ways around, the one that passes nearer to (sx, sy) where `sided`, else the shorter one.
    """
    if x0 * x0 + y0 * y0 < radius * radius or x1 * x1 + y1 * y1 < radius * radius:
        return _NO_PATH
    nx, ny = _nearest(x0, y0, x1, y1)
    if nx * nx + ny * ny > radius * radius and (not sided or nx * sx + ny * sy >= 0.0):
        return _NO_PATH
    left = _arc(x0, y0, x1, y1, radius, 1.0)
    right = _arc(x0, y0, x1, y1, radius, -1.0)
    if sided:
        first, second = _meet(x0, y0, x1, y1, left), _meet(x0, y0, x1, y1, right)
        if first and second:
            return _NO_PATH
        chosen = left
        if first or (not second and _towards(right, sx, sy) > _towards(left, sx, sy)):
            chosen = right
        angle = chosen[0] if chosen[0] >= 0.0 else chosen[0] + 2.0 * math.pi
        return radius * angle, chosen[1], chosen[2], chosen[3], chosen[4]
    chosen = left if left[0] <= right[0] else right
    if chosen[0] < 0.0:
        return _NO_PATH
    return radius * chosen[0], chosen[1], chosen[2], chosen[3], chosen[4]


@kernel
def _incidence(a, b, full):
    """The sine of the angle at which the two parts of a path through a circle meet its radius; -1 without a solution.

    a, b: radius over the distances of the two ends from the centre; full: the angle between them

    Where both parts make the same angle asin(z) with the radius, asin(a z) + asin(b z) + full = 2 asin(z). Newton's
    method from just below 1 ends at a residual of 1e-6, as in the reference: directions carry that error.
    """
    z = 1.0 - 1e-7
    residual = math.asin(a * z) + math.asin(b * z) + full - 2.0 * math.asin(z)
    if residual > 0.0:
        return -1.0
    for _ in range(NEWTON):
        if abs(residual) <= RESIDUAL:
            return z
        slope = a / math.sqrt(1.0 - a * a * z * z) + b / math.sqrt(1.0 - b * b * z * z) - 2.0 / math.sqrt(1.0 - z * z)
        if slope > -MINVAL or residual > 0.0:
            return -1.0
        z -= residual / slope
        if z < 0.0:
            return -1.0
        residual = math.asin(a * z) + math.asin(b * z) + full - 2.0 * math.asin(z)
    return z if abs(residual) <= RESIDUAL else -1.0


@kernel
def through(x0, y0, x1, y1, radius):
    """(0, the touched point twice) of the path that is held inside a circle; length -1 where it is straight.

    Where the straight line misses the circle, the shortest path between the points that touches it does so where its
    two parts make equal angles with the circle. Where that point is not found, it is taken to be halfway between the
    ends, on the circle.
    """
    d0, d1 = _hypot(x0, y0), _hypot(x1, y1)
    nx, ny = _nearest(x0, y0, x1, y1)
    if d0 <= radius or d1 <= radius or nx * nx + ny * ny <= radius * radius:
        return _NO_PATH
    across = x0 * y1 - y0 * x1
    full = abs(math.atan2(across, x0 * x1 + y0 * y1))
    if math.cos(full) < MINVAL - 1.0:
        return _NO_PATH
    z = _incidence(radius / d0, radius / d1, full) if math.cos(full) <= 1.0 - MINVAL else -1.0
    if z < 0.0:
        x, y = x0 + x1, y0 + y1
        scale = radius / max(MINVAL, _hypot(x, y))
        return 0.0, scale * x, scale * y, scale * x, scale * y
    # from the end that the other one follows counterclockwise
    x, y, d = (x0, y0, d0) if across > 0.0 else (x1, y1, d1)
    angle = math.asin(z) - math.asin(radius / d * z)
    c, s = radius / d * math.cos(angle), radius / d * math.sin(angle)
    tx, ty = c * x - s * y, s * x + c * y
    return 0.0, tx, ty, tx, ty


@kernel
def wrap(start, end, centre, mat, radius, cylinder, sided, side):
    """(length on the surface, first point, second point), the points in global coordinates; length -1: not
    touched.

    centre, mat: the geom's frame, a cylinder's axis is its z; side: the side site's global position where
    `sided`. A side site inside the geom holds the path inside.
    """
    nothing = (0.0, 0.0, 0.0)
    if radius < MINVAL:
        return -1.0, nothing, nothing
    a, b, s = mulmatT3(mat, sub3(start, centre)), mulmatT3(mat, sub3(end, centre)), nothing
    if sided:
        s = mulmatT3(mat, sub3(side, centre))
    inside = sided and norm3(s) < radius
    if norm3(a) < MINVAL or norm3(b) < MINVAL:
        return -1.0, nothing, nothing
    u, v = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    if not cylinder:
        u, _ = normalize3(a)
        other, _ = normalize3(b)
        normal, sine = normalize3(cross3(u, other))
        if sine < MINVAL:  # the points and the centre on one line: one of the planes through it
            x, y, z = abs(u[0]), abs(u[1]), abs(u[2])
            axis = (0.0, 1.0, 1.0) if x >= y and x >= z else ((1.0, 0.0, 1.0) if y >= z else (1.0, 1.0, 0.0))
            normal, _ = normalize3(cross3(u, axis))
        v = cross3(normal, u)
    x0, y0, x1, y1 = dot3(a, u), dot3(a, v), dot3(b, u), dot3(b, v)
    if inside:
        found = through(x0, y0, x1, y1, radius)
    else:
        found = around(x0, y0, x1, y1, radius, sided, dot3(s, u), dot3(s, v))
    length = found[0]
    if length < 0.0:
        return -1.0, nothing, nothing
    first = addscale3((u[0] * found[1], u[1] * found[1], u[2] * found[1]), v, found[2])
    second = addscale3((u[0] * found[3], u[1] * found[3], u[2] * found[3]), v, found[4])
    if cylinder:  # the height grows evenly along the path
        before = _hypot(x0 - found[1], y0 - found[2])
        after = _hypot(x1 - found[3], y1 - found[4])
        rise = (b[2] - a[2]) / max(MINVAL, before + length + after)
        first = (first[0], first[1], a[2] + rise * before)
        second = (second[0], second[1], b[2] - rise * after)
        length = _hypot(length, second[2] - first[2])
    return length, add3(centre, mulmat3(mat, first)), add3(centre, mulmat3(mat, second))
