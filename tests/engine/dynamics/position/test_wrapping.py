"""Invariants of paths around circles: tangents, symmetry, shortest of their kind."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.dynamics.position import wrapping

around, through = wrapping.around, wrapping.through
_angle, _far = st.floats(-3.1, 3.1), st.floats(1.01, 4.0)


def _point(angle, distance):
    return distance * math.cos(angle), distance * math.sin(angle)


@given(_angle, _far, _angle, _far)
def test_around_is_tangent_and_longer_than_straight(a0, d0, a1, d1):
    p, q = _point(a0, d0), _point(a1, d1)
    arc, *t = around(*p, *q, 1.0, False, 0.0, 0.0)
    straight = math.dist(p, q)
    if arc < 0:
        return
    first, second = t[:2], t[2:]
    for point, tangent in ((p, first), (q, second)):
        assert math.isclose(math.hypot(*tangent), 1.0, abs_tol=1e-9)
        assert abs(np.dot(np.subtract(point, tangent), tangent)) < 1e-7
    assert math.dist(p, first) + arc + math.dist(second, q) >= straight - 1e-9
    assert arc <= math.pi + 1e-9
    back, *u = around(*q, *p, 1.0, False, 0.0, 0.0)
    assert math.isclose(arc, back, abs_tol=1e-9)
    assert np.allclose(u, [*second, *first], atol=1e-7) or math.isclose(
        abs(a0 - a1), math.pi, abs_tol=1e-6
    )  # both ways are as long


@given(_angle, _far, st.floats(0.05, 1.5), _far)
def test_through_is_the_shortest_that_touches(a0, d0, between, d1):
    p, q = _point(a0, d0), _point(a0 + between, d1)
    arc, x, y, *_ = through(*p, *q, 1.0)
    if arc < 0:
        return
    length = math.dist(p, (x, y)) + math.dist((x, y), q)
    for k in range(200):
        touched = _point(a0 + between * k / 199, 1.0)
        assert length <= math.dist(p, touched) + math.dist(touched, q) + 1e-9
