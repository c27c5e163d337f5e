"""Contact of two convex geoms: distance (GJK) or penetration depth (EPA) of their cores, less their radii."""

from __future__ import annotations

from engine.collision.epa import epa
from engine.collision.gjk import APART, TOUCH, gjk, weighted
from engine.collision.primitive import ZERO, put
from engine.collision.support import radius_of
from engine.jit.kernel import kernel, small
from engine.jit.vec import add3, addscale3, load3, norm3, scale3
from engine.model.enums import GEOM_CYLINDER, GEOM_ELLIPSOID

SHARPER = 1e-3  # on round geoms positions vary with the square root of the distance's error: ask for a smaller one
EXACT = 1e-9  # flat ones end at a vertex: nothing is gained by stopping early
MORE = 2  # and allow more iterations for it


@small
def is_round(model, g):
    """Whether the core of a geom has a curved surface."""
    t = model.geom_type[g]
    return t == GEOM_ELLIPSOID or t == GEOM_CYLINDER


@kernel
def convex(model, data, g1, g2, margin):
    """One contact between the nearest points, or along the direction of least penetration."""
    r1 = radius_of(model, g1)
    r2 = radius_of(model, g2)
    curved = is_round(model, g1) or is_round(model, g2)
    tolerance = (SHARPER if curved else EXACT) * model.opt_ccd_tolerance
    iterations = MORE * model.opt_ccd_iterations
    outcome, n, v = gjk(model, data, g1, g2, r1 + r2 + margin, tolerance, iterations)
    if outcome == APART:
        return 0
    length = norm3(v)
    if outcome == TOUCH or length < 1e-9:
        found, depth, normal, a, b = epa(model, data, g1, g2, n, tolerance, iterations)
        if not found:
            return 0
        dist = -depth - r1 - r2
    else:
        normal = scale3(v, -1.0 / length)
        a = weighted(data, n, 3)
        b = weighted(data, n, 6)
        dist = length - r1 - r2
    if not dist <= margin:
        return 0
    middle = scale3(add3(addscale3(a, normal, r1), addscale3(b, normal, -r2)), 0.5)
    put(data, 0, dist, add3(load3(data.geom_xpos, g1), middle), normal, ZERO)
    return 1
