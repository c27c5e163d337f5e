"""Spatial tendons: paths through sites and around geoms, their lengths and gradients.

A path is a chain of points. A site gives one point; a wrapped geom that the path touches gives two, fixed to
the geom's body, because sliding along the surface does not change the length to first order. A pulley ends a
branch and divides the length of the next. Specification: XML reference, tendon/spatial; tendon armature:
Computation, "General framework" (the energy 1/2 m v^2 of a length adds m J'J to the inertia and m J' (dJ/dt
v) to the bias).
"""

from __future__ import annotations

from kinetree.engine.dynamics.position.jacobian import (
    arm_of,
    dof_velocity,
    last_dof,
    point_acceleration,
    point_velocity,
)
from kinetree.engine.dynamics.position.wrapping import wrap
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.rounding import to_int
from kinetree.engine.jit.vec import MINVAL, dot3, load3, load9, normalize3, scale3, sub3
from kinetree.engine.model import enums

PULLEY = -2
SITE = -1
"""Value of wrap_obj at points that are on no geom."""


@small
def _put(data, k, point, what):
    """Point number k of all paths."""
    row, first = k // 2, 3 * (k % 2)
    data.wrap_obj[row, k % 2] = what
    for c in range(3):
        data.wrap_xpos[row, first + c] = point[c]


@kernel
def _add_gradient(model, data, row, body, point, direction):
    """Add to a row of ten_J the velocity of a point of a body along a direction, for each dof of the row."""
    adr = model.ten_J_rowadr[row]
    k = adr + model.ten_J_rownnz[row] - 1
    arm = arm_of(model, data, body, point)
    dof = last_dof(model, body)
    while dof >= 0 and k >= adr:
        while k >= adr and model.ten_J_colind[k] > dof:
            k -= 1
        if k >= adr and model.ten_J_colind[k] == dof:
            _, linear = dof_velocity(data, dof, arm)
            data.ten_J[k] += dot3(linear, direction)
        dof = model.dof_parentid[dof]


@small
def _straight_piece(model, data, row, divisor, p0, body0, p1, body1):
    """The length of a straight piece; its gradient goes to ten_J."""
    direction, length = normalize3(sub3(p1, p0))
    if body0 != body1:
        if length < MINVAL:
            direction = (1.0, 0.0, 0.0)
        direction = scale3(direction, 1.0 / divisor)
        _add_gradient(model, data, row, body1, p1, direction)
        _add_gradient(model, data, row, body0, p0, scale3(direction, -1.0))
    return length / divisor


@kernel
def spatial_tendon(model, data):
    """ten_length, ten_J, ten_wrapadr, ten_wrapnum, wrap_obj and wrap_xpos of spatial tendons."""
    point = 0
    for t in range(model.ntendon):
        data.ten_wrapadr[t] = point
        data.ten_wrapnum[t] = 0
        first, end = model.tendon_adr[t], model.tendon_adr[t] + model.tendon_num[t]
        if model.wrap_type[first] == enums.WRAP_JOINT:
            continue
        for k in range(model.ten_J_rowadr[t], model.ten_J_rowadr[t] + model.ten_J_rownnz[t]):
            data.ten_J[k] = 0.0
        length, divisor = 0.0, 1.0
        w = first
        while w < end:
            kind = model.wrap_type[w]
            if kind == enums.WRAP_PULLEY:
                divisor = model.wrap_prm[w]
                _put(data, point, (0.0, 0.0, 0.0), PULLEY)
                point += 1
                w += 1
                continue
            # a site: it and what follows it, up to the next site
            here = model.wrap_objid[w]
            p0 = load3(data.site_xpos, here)
            _put(data, point, p0, SITE)
            point += 1
            if w + 1 >= end or model.wrap_type[w + 1] == enums.WRAP_PULLEY:
                w += 1
                continue
            body0 = model.site_bodyid[here]
            after = w + 1
            if model.wrap_type[after] != enums.WRAP_SITE:
                after = w + 2
            p1 = load3(data.site_xpos, model.wrap_objid[after])
            body1 = model.site_bodyid[model.wrap_objid[after]]
            around = -1.0
            if after == w + 2:
                geom, side = model.wrap_objid[w + 1], to_int(model.wrap_prm[w + 1], -1, model.nsite - 1)
                aside = (0.0, 0.0, 0.0)
                if side >= 0:
                    aside = load3(data.site_xpos, side)
                around, q0, q1 = wrap(
                    p0,
                    p1,
                    load3(data.geom_xpos, geom),
                    load9(data.geom_xmat, geom),
                    model.geom_size[geom, 0],
                    model.wrap_type[w + 1] == enums.WRAP_CYLINDER,
                    side >= 0,
                    aside,
                )
                if around >= 0.0:
                    on = model.geom_bodyid[geom]
                    _put(data, point, q0, geom)
                    _put(data, point + 1, q1, geom)
                    point += 2
                    length += around / divisor
                    length += _straight_piece(model, data, t, divisor, p0, body0, q0, on)
                    length += _straight_piece(model, data, t, divisor, q1, on, p1, body1)
            if around < 0.0:
                length += _straight_piece(model, data, t, divisor, p0, body0, p1, body1)
            w = after
        data.ten_length[t] = length
        data.ten_wrapnum[t] = point - data.ten_wrapadr[t]


@kernel
def spatial_armature(model, data):
    """Add the bias force of spatial tendons with armature to qfrc_bias: m J' (dJ/dt v).

    dJ/dt v is the acceleration of the length while no dof accelerates (rne_cacc), piece by piece of the path.
    The gravity in rne_cacc is the same at both ends of a piece and cancels.
    """
    for t in range(model.ntendon):
        armature = model.tendon_armature[t]
        first, end = model.tendon_adr[t], model.tendon_adr[t] + model.tendon_num[t]
        if armature == 0.0 or model.wrap_type[first] == enums.WRAP_JOINT:
            continue
        total, divisor = 0.0, 1.0
        for w in range(first, end):
            if model.wrap_type[w] == enums.WRAP_PULLEY:
                divisor = model.wrap_prm[w]
            elif w + 1 < end and model.wrap_type[w] == enums.WRAP_SITE and model.wrap_type[w + 1] == enums.WRAP_SITE:
                a, b = model.wrap_objid[w], model.wrap_objid[w + 1]
                p0, p1 = load3(data.site_xpos, a), load3(data.site_xpos, b)
                direction, length = normalize3(sub3(p1, p0))
                if length < MINVAL:
                    continue
                _, v0 = point_velocity(model, data, model.site_bodyid[a], p0)
                _, v1 = point_velocity(model, data, model.site_bodyid[b], p1)
                moving = sub3(v1, v0)
                along = dot3(moving, direction)
                _, a0 = point_acceleration(model, data, data.rne_cacc, model.site_bodyid[a], p0)
                _, a1 = point_acceleration(model, data, data.rne_cacc, model.site_bodyid[b], p1)
                total += (dot3(sub3(a1, a0), direction) + (dot3(moving, moving) - along * along) / length) / divisor
        for k in range(model.ten_J_rowadr[t], model.ten_J_rowadr[t] + model.ten_J_rownnz[t]):
            data.qfrc_bias[model.ten_J_colind[k]] += armature * data.ten_J[k] * total
