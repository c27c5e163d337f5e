"""The point of a segment, triangle or tetrahedron that is nearest to the origin, by signed volumes.

Each function returns the weights of the vertices. A weight of exactly 0 means that the vertex is not needed.

Source: M. Montanari, N. Petrinic, E. Barbieri, Improving the GJK algorithm for faster and more reliable distance
queries between two convex objects, ACM Transactions on Graphics 36(3), 2017. What the paper leaves open (ties, flat
simplices) is decided as in MuJoCo 3.3.4.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.unfused import cross, det, dot, minus, plus, times
from kinetree.engine.jit.kernel import exact, exact_small
from kinetree.engine.jit.vec import MINVAL


@exact_small
def agree(a, b):
    """Whether two numbers have the same sign and neither is zero."""
    return (a > 0.0 and b > 0.0) or (a < 0.0 and b < 0.0)


@exact
def line_weights(a, b):
    """Of a segment; (0, 1) where the origin's projection lies outside of it, whichever end is nearer."""
    d = minus(b, a)
    p = plus(b, d, -(dot(b, d) / dot(d, d)))
    length, from_b, to_a = a[0] - b[0], p[0] - b[0], a[0] - p[0]
    if abs(a[1] - b[1]) >= abs(length):
        length, from_b, to_a = a[1] - b[1], p[1] - b[1], a[1] - p[1]
    if abs(a[2] - b[2]) >= abs(length):
        length, from_b, to_a = a[2] - b[2], p[2] - b[2], a[2] - p[2]
    if agree(length, from_b) and agree(length, to_a):
        return from_b / length, to_a / length
    return 0.0, 1.0


@exact_small
def foot(normal, base):
    """The point nearest to the origin on the plane through a point."""
    return times(normal, dot(normal, base) / dot(normal, normal))


@exact
def plane_point(a, b, c):
    """(whether the triangle has an area, the point of its plane that is nearest to the origin)

    The normal is taken at the first corner, of b, a and c, where it is large enough and not across the corner.
    """
    normal = cross(minus(c, b), minus(b, a))
    square = dot(normal, normal)
    if square == 0.0:
        return False, a
    if dot(normal, b) != 0.0 and square > MINVAL:
        return True, foot(normal, b)
    normal = cross(minus(b, a), minus(c, a))
    square = dot(normal, normal)
    if square == 0.0:
        return False, a
    if dot(normal, a) != 0.0 and square > MINVAL:
        return True, foot(normal, a)
    return True, foot(cross(minus(c, a), minus(c, b)), c)


@exact_small
def area(ax, ay, bx, by, cx, cy):
    """Twice the signed area of a triangle in a plane."""
    return bx * cy - by * cx - ax * cy + ay * cx + ax * by - ay * bx


@exact_small
def part(ax, ay, bx, by, cx, cy):
    """The same, added up in another order."""
    return ax * by + ay * cx + bx * cy - ax * cy - ay * bx - cx * by


@exact
def areas(a, b, c, p):
    """Twice the signed areas of the triangles (p, b, c), (a, p, c), (a, b, p) and (a, b, c).

    They are seen along the axis, of x, y and z, along which the last one is largest.
    """
    x, y, z = (
        area(a[1], a[2], b[1], b[2], c[1], c[2]),
        area(a[0], a[2], b[0], b[2], c[0], c[2]),
        area(a[0], a[1], b[0], b[1], c[0], c[1]),
    )
    if abs(x) >= abs(y) and abs(x) >= abs(z):
        total, ax, ay, bx, by, cx, cy, px, py = x, a[1], a[2], b[1], b[2], c[1], c[2], p[1], p[2]
    elif abs(y) >= abs(z):
        total, ax, ay, bx, by, cx, cy, px, py = y, a[0], a[2], b[0], b[2], c[0], c[2], p[0], p[2]
    else:
        total, ax, ay, bx, by, cx, cy, px, py = z, a[0], a[1], b[0], b[1], c[0], c[1], p[0], p[1]
    return part(px, py, bx, by, cx, cy), part(px, py, cx, cy, ax, ay), part(px, py, ax, ay, bx, by), total


@exact
def triangle_weights(a, b, c):
    """Of a triangle."""
    has_area, p = plane_point(a, b, c)
    if not has_area:
        u, v = line_weights(a, b)
        return u, v, 0.0
    A, B, C, total = areas(a, b, c, p)
    one, two, three = agree(A, total), agree(B, total), agree(C, total)
    if one and two and three:
        return A / total, B / total, C / total
    best = math.inf
    found = (0.0, 0.0, 0.0)
    for k in range(3):
        if (k == 0 and one) or (k == 1 and two) or (k == 2 and three):
            continue
        first = b if k == 0 else a
        second = b if k == 2 else c
        u, v = line_weights(first, second)
        x = plus(times(first, u), second, v)
        square = dot(x, x)
        if square < best:
            best = square
            found = (0.0 if k == 0 else u, u if k == 0 else (v if k == 2 else 0.0), 0.0 if k == 2 else v)
    return found


@exact
def tetrahedron_weights(a, b, c, d):
    """Of a tetrahedron."""
    A, B, C, D = -det(b, c, d), det(a, c, d), -det(a, b, d), det(a, b, c)
    total = A + B + C + D
    one, two, three, four = agree(A, total), agree(B, total), agree(C, total), agree(D, total)
    if one and two and three and four:
        return A / total, B / total, C / total, D / total
    best = math.inf
    found = (0.0, 0.0, 0.0, 0.0)
    for k in range(4):
        if (k == 0 and one) or (k == 1 and two) or (k == 2 and three) or (k == 3 and four):
            continue
        first = b if k == 0 else a
        second = c if k < 2 else b
        third = c if k == 3 else d
        u, v, w = triangle_weights(first, second, third)
        x = plus(plus(times(first, u), second, v), third, w)
        square = dot(x, x)
        if square < best:
            best = square
            found = (
                0.0 if k == 0 else u,
                u if k == 0 else (0.0 if k == 1 else v),
                v if k < 2 else (0.0 if k == 2 else w),
                0.0 if k == 3 else w,
            )
    return found
