"""Elliptic friction cones in the solver: cost, force and Hessian of one contact.

With N = mu jar_0 and U_j = friction_j jar_j, T = |U|, the cost is 0 where N >= mu T (inside the dual cone),
quadratic in every row where mu N + T <= 0 (inside the cone), and D_0 (N - mu T)^2 / (2 mu^2 (1 + mu^2))
between. Specification: Computation, "Reduced primal problem" and "Friction cones".
"""

from __future__ import annotations

import math

from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.model import enums


@small
def _zone(n, t, mu):
    """State of a contact whose normal and tangential parts are n and t."""
    if n >= mu * t:
        return enums.CNSTRSTATE_SATISFIED
    if mu * n + t <= 0.0:
        return enums.CNSTRSTATE_QUADRATIC
    return enums.CNSTRSTATE_CONE


@kernel
def cone_line(data, row, dim, alpha):
    """Cost at efc_jar + alpha efc_Jv, its first and its second derivative by alpha."""
    c = data.efc_id[row]
    mu = data.contact_mu[c]
    jar0, Jv0 = data.efc_jar[row], data.efc_Jv[row]
    n, dn = mu * (jar0 + alpha * Jv0), mu * Jv0
    uu = uv = vv = 0.0
    for e in range(1, dim):
        friction = data.contact_friction[c, e - 1]
        u = friction * (data.efc_jar[row + e] + alpha * data.efc_Jv[row + e])
        v = friction * data.efc_Jv[row + e]
        uu += u * u
        uv += u * v
        vv += v * v
    t = math.sqrt(uu)
    state = _zone(n, t, mu)
    if state == enums.CNSTRSTATE_SATISFIED:
        return 0.0, 0.0, 0.0
    if state == enums.CNSTRSTATE_QUADRATIC:
        cost = slope = curve = 0.0
        for e in range(dim):
            d, Jv = data.efc_D[row + e], data.efc_Jv[row + e]
            jar = data.efc_jar[row + e] + alpha * Jv
            cost += 0.5 * d * jar * jar
            slope += d * jar * Jv
            curve += d * Jv * Jv
        return cost, slope, curve
    d = data.efc_D[row] / (mu * mu * (1.0 + mu * mu))
    dt = uv / t
    ddt = (vv - dt * dt) / t
    far = n - mu * t
    dfar = dn - mu * dt
    return 0.5 * d * far * far, d * far * dfar, d * (dfar * dfar - far * mu * ddt)


@kernel
def cone_update(data, row, dim, alpha):
    """Set the rows of a contact to efc_jar + alpha efc_Jv: state and force. Returns the state and the cost."""
    c = data.efc_id[row]
    mu = data.contact_mu[c]
    for e in range(dim):
        data.efc_jar[row + e] += alpha * data.efc_Jv[row + e]
    n, t = _normal_and_tangent(data, c, row, dim)
    state = _zone(n, t, mu)
    cost = 0.0
    if state == enums.CNSTRSTATE_CONE:
        d = data.efc_D[row] / (mu * mu * (1.0 + mu * mu))
        far = n - mu * t
        cost = 0.5 * d * far * far
        data.efc_force[row] = -d * far * mu
        for e in range(1, dim):
            friction = data.contact_friction[c, e - 1]
            u = friction * data.efc_jar[row + e]
            data.efc_force[row + e] = d * far * mu * u / t * friction
    else:
        for e in range(dim):
            data.efc_force[row + e] = 0.0
            if state == enums.CNSTRSTATE_QUADRATIC:
                jar = data.efc_jar[row + e]
                data.efc_force[row + e] = -data.efc_D[row + e] * jar
                cost += 0.5 * data.efc_D[row + e] * jar * jar
    for e in range(dim):
        data.efc_state[row + e] = state
    return state, cost


@small
def _normal_and_tangent(data, c, row, dim):
    """N and T at efc_jar."""
    square = 0.0
    for e in range(1, dim):
        u = data.contact_friction[c, e - 1] * data.efc_jar[row + e]
        square += u * u
    return data.contact_mu[c] * data.efc_jar[row], math.sqrt(square)


@kernel
def cone_predict(data, row, dim, alpha):
    """efc_correction <- minus the forces that contact_H predicts for a step of alpha along efc_Jv.

    Called before cone_update; adding the new forces gives what they differ by from the prediction.
    """
    c = data.efc_id[row]
    H = data.contact_H
    satisfied = data.efc_state[row] == enums.CNSTRSTATE_SATISFIED
    for e in range(dim):
        total = 0.0
        if not satisfied:
            for k in range(dim):
                total += H[c, e * dim + k] * data.efc_Jv[row + k]
        data.efc_correction[row + e] = alpha * total - data.efc_force[row + e]


@kernel
def cone_hessian(data, row, dim, old):
    """Set contact_H for the contact's state, and contact_dH to its change. old: the state that contact_H is for."""
    c = data.efc_id[row]
    H, dH = data.contact_H, data.contact_dH
    state = data.efc_state[row]
    n, t = _normal_and_tangent(data, c, row, dim)
    for e in range(dim):
        for k in range(dim):
            at = e * dim + k
            value = 0.0
            if state == enums.CNSTRSTATE_QUADRATIC and e == k:
                value = data.efc_D[row + e]
            elif state == enums.CNSTRSTATE_CONE:
                value = _entry(data, c, row, e, k, n, t, data.contact_mu[c])
            dH[c, at] = value - (H[c, at] if old != enums.CNSTRSTATE_SATISFIED else 0.0)
            H[c, at] = value


@small
def _entry(data, c, row, e, k, n, t, mu):
    """Entry (e, k) of the Hessian in the middle zone."""
    d = data.efc_D[row] / (mu * mu * (1.0 + mu * mu))
    if e == 0 and k == 0:
        return d * mu * mu
    friction = data.contact_friction
    if e == 0 or k == 0:
        j = max(e, k)
        f = friction[c, j - 1]
        return -d * mu * mu * f * f * data.efc_jar[row + j] / t
    fe, fk = friction[c, e - 1], friction[c, k - 1]
    ue, uk = fe * data.efc_jar[row + e], fk * data.efc_jar[row + k]
    far = n - mu * t
    value = mu * mu * ue * uk / (t * t) + mu * far * ue * uk / (t * t * t)
    if e == k:
        value -= mu * far / t
    return d * fe * fk * value
