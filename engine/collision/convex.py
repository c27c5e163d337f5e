"""Contact of two convex geoms."""

from __future__ import annotations

from kinetree.engine.collision.ccd import collider, witness
from kinetree.engine.collision.primitive import ZERO, put
from kinetree.engine.collision.support import set_geom
from kinetree.engine.collision.unfused import minus, plus, times, unit
from kinetree.engine.jit.kernel import exact, kernel
from kinetree.engine.jit.vec import add3, load3, load9, mulmat3, mulmatT3, sub3


@exact
def put_witnesses(data, k, margin):
    """Write contact k from the collider's result."""
    a, b = witness(data, 0), witness(data, 1)
    put(data, k, margin + data.ccd_dist, times(plus(a, b, 1.0), 0.5), unit(minus(a, b)), ZERO)


@kernel
def boxes_apart(model, data, g1, g2, margin):
    """Whether an axis of the box around one of two geoms separates the boxes by more than the margin.

    The collider would find no contact either: it looks at objects that are nearer than its tolerance.
    """
    P, Q, R = load9(data.geom_xmat, g1), load9(data.geom_xmat, g2), model.geom_aabb
    a = add3(load3(data.geom_xpos, g1), mulmat3(P, (R[g1, 0], R[g1, 1], R[g1, 2])))
    b = add3(load3(data.geom_xpos, g2), mulmat3(Q, (R[g2, 0], R[g2, 1], R[g2, 2])))
    d = sub3(b, a)
    x1, y1, z1 = R[g1, 3], R[g1, 4], R[g1, 5]
    x2, y2, z2 = R[g2, 3], R[g2, 4], R[g2, 5]
    reach = margin + 2.0 * model.opt_ccd_tolerance
    e, f = mulmatT3(P, d), mulmatT3(Q, d)
    u, v, w = mulmatT3(P, (Q[0], Q[3], Q[6])), mulmatT3(P, (Q[1], Q[4], Q[7])), mulmatT3(P, (Q[2], Q[5], Q[8]))
    return (
        abs(e[0]) > x1 + abs(u[0]) * x2 + abs(v[0]) * y2 + abs(w[0]) * z2 + reach
        or abs(e[1]) > y1 + abs(u[1]) * x2 + abs(v[1]) * y2 + abs(w[1]) * z2 + reach
        or abs(e[2]) > z1 + abs(u[2]) * x2 + abs(v[2]) * y2 + abs(w[2]) * z2 + reach
        or abs(f[0]) > x2 + abs(u[0]) * x1 + abs(u[1]) * y1 + abs(u[2]) * z1 + reach
        or abs(f[1]) > y2 + abs(v[0]) * x1 + abs(v[1]) * y1 + abs(v[2]) * z1 + reach
        or abs(f[2]) > z2 + abs(w[0]) * x1 + abs(w[1]) * y1 + abs(w[2]) * z1 + reach
    )


@exact
def convex(model, data, g1, g2, margin):
    """One contact, between the surfaces that are inflated by half the margin each."""
    if boxes_apart(model, data, g1, g2, margin):
        return 0
    set_geom(model, data, 0, g1, 0.5 * margin)
    set_geom(model, data, 1, g2, 0.5 * margin)
    collider(model, data, 0.0)
    if not data.ccd_dist < 0.0:
        return 0
    put_witnesses(data, 0, margin)
    return 1
