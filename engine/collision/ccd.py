"""The convex collider: distance or penetration of two convex objects, whatever they are.

A caller describes the objects (`set_geom`, `set_prism` of engine/collision/support.py) and calls `collide`; the result
is data.ccd_dist and data.ccd_witness. Compiled callers use `collider`, so that the algorithms are compiled once.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.epa import epa
from kinetree.engine.collision.gjk import gjk, weighted
from kinetree.engine.collision.support import is_rounded
from kinetree.engine.collision.unfused import minus, plus, unit
from kinetree.engine.jit.addresses import call_int
from kinetree.engine.jit.capacity import NCCDMAX, request
from kinetree.engine.jit.kernel import exact, kernel, small, takes

COLLIDER = 81  # place in data.collision_function, after the 9 x 9 pairs of geom types
MOST = 1000  # iterations of the polytope algorithm that the allocated memory allows


@small
def rows(iterations):
    """Vertices and faces that a polytope has at most after some iterations."""
    return 2 * min(iterations, MOST) + 16


@small
def take_radius(data, k):
    """Shrink object k to a point or segment, if it is a sphere or capsule; the radius that it loses."""
    if not is_rounded(data, k):
        return 0.0
    radius = data.ccd_size[k, 0] + data.ccd_half[k]
    data.ccd_size[k, 0] = 0.0
    data.ccd_half[k] = 0.0
    return radius


@exact
def set_witnesses(data, u, r0, r1):
    """The nearest points of the cores from the simplex, moved outwards by the radii along u."""
    a = plus(weighted(data, 3), u, r0)
    b = plus(weighted(data, 6), u, -r1)
    for c in range(3):
        data.ccd_witness[0, c] = a[c]
        data.ccd_witness[1, c] = b[c]


@takes("Model", "Data", "f8")
@exact
def collide(model, data, cutoff):
    """Set data.ccd_dist (inf above the cutoff) and data.ccd_witness. Returns 1 when EPA found a face, else 0.

    The caller need not ask whether distances between 0 and the cutoff matter: with a cutoff of 0 only overlaps do.
    Asks for memory, with a distance of inf, when the polytope does not fit.
    """
    data.ccd_dist = math.inf
    if data.nccdmax < rows(model.opt_ccd_iterations):
        request(data, NCCDMAX, rows(model.opt_ccd_iterations))
        return 0
    tolerance = model.opt_ccd_tolerance
    zero = (0.0, 0.0, 0.0)
    if is_rounded(data, 0) or is_rounded(data, 1):
        sizes = data.ccd_size[0, 0], data.ccd_size[1, 0]
        halves = data.ccd_half[0], data.ccd_half[1]
        r0 = take_radius(data, 0)
        r1 = take_radius(data, 1)
        distance = gjk(model, data, cutoff + r0 + r1)
        for k in range(2):
            data.ccd_size[k, 0] = sizes[k]
            data.ccd_half[k] = halves[k]
        if distance > tolerance:
            if distance < math.inf:
                set_witnesses(data, unit(minus(weighted(data, 6), weighted(data, 3))), r0, r1)
                distance -= r0 + r1
                data.ccd_dist = distance if distance <= cutoff else math.inf
            return 0
    distance = gjk(model, data, cutoff)
    if distance > tolerance or data.ccd_nsimplex < 2:
        data.ccd_dist = distance
        if distance < math.inf:
            set_witnesses(data, zero, 0.0, 0.0)
        return 0
    depth = epa(model, data)
    data.ccd_dist = -depth
    return 1 if depth > 0.0 else 0


@kernel
def collider(model, data, cutoff):
    """`collide`, compiled apart."""
    return call_int(data.collision_function[COLLIDER], (model, data, cutoff))


@small
def witness(data, k):
    """The nearest point, or the end of the penetration, on object k."""
    X = data.ccd_witness
    return X[k, 0], X[k, 1], X[k, 2]
