"""Contact of two convex geoms."""

from __future__ import annotations

from engine.collision.ccd import collider, witness
from engine.collision.primitive import ZERO, put
from engine.collision.support import set_geom
from engine.collision.unfused import minus, plus, times, unit
from engine.jit.kernel import exact


@exact
def put_witnesses(data, k, margin):
    """Write contact k from what the collider found."""
    a, b = witness(data, 0), witness(data, 1)
    put(data, k, margin + data.ccd_dist, times(plus(a, b, 1.0), 0.5), unit(minus(a, b)), ZERO)


@exact
def convex(model, data, g1, g2, margin):
    """One contact, between the surfaces that are inflated by half the margin each."""
    set_geom(model, data, 0, g1, 0.5 * margin)
    set_geom(model, data, 1, g2, 0.5 * margin)
    collider(model, data, 0.0)
    if not data.ccd_dist < 0.0:
        return 0
    put_witnesses(data, 0, margin)
    return 1
