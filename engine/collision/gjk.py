"""Distance of two convex objects: the Gilbert-Johnson-Keerthi algorithm.

The simplex is the first rows of data.ccd_point, its number of vertices data.ccd_nsimplex, the weights of its point
nearest to the origin data.ccd_weight.

Source: E. Gilbert, D. Johnson, S. Keerthi, A fast procedure for computing the distance between complex objects, IEEE
Journal on Robotics and Automation 4(2), 1988. Where to stop follows MuJoCo 3.3.4, also where that is a quirk: the
distance is that of the last iteration's start, which is out of date where the iteration ended with a tetrahedron. One
thing is not followed: a simplex that holds a vertex twice may count it twice in MuJoCo, so that the nearest points are
not on the objects (about 3 of 1000 contacts of spheres with ellipsoids).
"""

from __future__ import annotations

import math

from kinetree.engine.collision.simplex import line_weights, tetrahedron_weights, triangle_weights
from kinetree.engine.collision.support import copy_point, difference, is_flat
from kinetree.engine.collision.unfused import cross, dot, minus, times
from kinetree.engine.jit.kernel import exact, exact_small, small
from kinetree.engine.jit.vec import MINVAL

INSIDE, OUTSIDE, UNDECIDED = 0, 1, 2
LARGE = 1e20  # squared length of a normal


@small
def point(data, row):
    """The point of the difference in a row of data.ccd_point."""
    P = data.ccd_point
    return P[row, 0], P[row, 1], P[row, 2]


@exact
def weighted(data, first):
    """The weighted sum of columns first.. of the simplex: 0 difference, 3 point on object 0, 6 point on object 1."""
    P, W = data.ccd_point, data.ccd_weight
    x = y = z = 0.0
    for i in range(data.ccd_nsimplex):
        x += W[i] * P[i, first]
        y += W[i] * P[i, first + 1]
        z += W[i] * P[i, first + 2]
    return x, y, z


@exact
def height(data, i, j, k):
    """(unit normal of the triangle of three rows, height of its plane over the origin); inf for a bad triangle."""
    a = point(data, i)
    normal = cross(minus(point(data, k), a), minus(point(data, j), a))
    square = dot(normal, normal)
    if not (square > MINVAL * MINVAL and square < LARGE):
        return normal, math.inf
    normal = times(normal, 1.0 / math.sqrt(square))
    return normal, dot(normal, a)


@exact_small
def swap_points(data, i, j, spare):
    copy_point(data, spare, i)
    copy_point(data, i, j)
    copy_point(data, j, spare)


@exact
def walk(model, data, k):
    """Move a tetrahedron (rows 0 to 3) towards the origin: (INSIDE, OUTSIDE or UNDECIDED, number of iterations).

    In each iteration the vertex opposite to the face that the origin is farthest above is replaced. The rows after the
    tetrahedron are work space.
    """
    while k < model.opt_ccd_iterations:
        k += 1
        n0, h0 = height(data, 2, 1, 3)
        n1, h1 = height(data, 0, 2, 3)
        n2, h2 = height(data, 1, 0, 3)
        n3, h3 = height(data, 0, 1, 2)
        if h0 == 0.0 or h1 == 0.0 or h2 == 0.0 or h3 == 0.0:
            return UNDECIDED, k
        i, normal, least = (0, n0, h0) if h0 < h1 else (1, n1, h1)
        j, other, its = (2, n2, h2) if h2 < h3 else (3, n3, h3)
        if not least < its:
            i, normal, least = j, other, its
        if least > 0.0:
            return INSIDE, k
        difference(model, data, normal, i)
        if dot(normal, point(data, i)) < 0.0:
            return OUTSIDE, k
        swap_points(data, (i + 1) & 3, (i + 2) & 3, 4)
    return UNDECIDED, k


@exact
def reduce(data, n):
    """Set the weights of a simplex with n vertices, and drop the vertices that are not needed."""
    W = data.ccd_weight
    W[0], W[1], W[2], W[3] = 1.0, 0.0, 0.0, 0.0
    if n == 2:
        W[0], W[1] = line_weights(point(data, 0), point(data, 1))
    elif n == 3:
        W[0], W[1], W[2] = triangle_weights(point(data, 0), point(data, 1), point(data, 2))
    elif n == 4:
        W[0], W[1], W[2], W[3] = tetrahedron_weights(point(data, 0), point(data, 1), point(data, 2), point(data, 3))
    left = 0
    for i in range(n):
        if W[i] != 0.0:
            if i > left:
                W[left] = W[i]
                copy_point(data, left, i)
            left += 1
    data.ccd_nsimplex = left


@exact
def gjk(model, data, cutoff):
    """The distance of two objects; inf when it is certain to be above the cutoff, 0 when they are known to overlap.

    With a cutoff of 0 only the question of contact is answered: a distance above 0 may be inf.
    """
    tolerance = model.opt_ccd_tolerance
    gain = 0.0 if is_flat(data, 0) and is_flat(data, 1) else 0.5 * tolerance * tolerance
    p = data.ccd_pos
    x = (p[0, 0] - p[1, 0], p[0, 1] - p[1, 1], p[0, 2] - p[1, 2])
    distance = 0.0
    may_walk = cutoff <= 0.0
    data.ccd_nsimplex = 0
    data.ccd_weight[0] = 1.0
    k = 0
    while k < model.opt_ccd_iterations:
        square = dot(x, x)
        distance = math.sqrt(square)
        if square < MINVAL * MINVAL:
            break
        n = data.ccd_nsimplex
        difference(model, data, times(x, -1.0 / distance), n)
        s = point(data, n)
        if dot(x, minus(x, s)) < gain:
            if k == 0:
                data.ccd_nsimplex = 1
            break
        along = dot(x, s)
        if along > 0.0 and (cutoff <= 0.0 or along * along / square >= cutoff * cutoff):
            return math.inf
        if n == 3 and may_walk:
            for i in range(4):
                copy_point(data, 5 + i, i)
            outcome, k = walk(model, data, k)
            if outcome == INSIDE:
                data.ccd_nsimplex = 4
                return 0.0
            if outcome == OUTSIDE:
                return math.inf
            may_walk = False
            for i in range(4):
                copy_point(data, i, 5 + i)
        reduce(data, n + 1)
        before = x
        x = weighted(data, 0)
        if (
            abs(x[0] - before[0]) < MINVAL and abs(x[1] - before[1]) < MINVAL and abs(x[2] - before[2]) < MINVAL
        ) or data.ccd_nsimplex == 4:
            break
        k += 1
    return distance
