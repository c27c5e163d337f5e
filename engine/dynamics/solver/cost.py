"""Cost of constraint rows at J qacc - aref: its value, force and weight, and its values along a line.

A row's force is minus the derivative of its cost, its weight the second derivative. Contacts with elliptic cones:
engine/dynamics/constraint/cone.py. Specification: Computation, "Reduced primal problem".

Rows follow each other by kind: equality, friction loss, limits, contacts. `line_of_rows` uses this: its loops over rows
of one kind become vector code.
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint.cone import cone_line
from kinetree.engine.dynamics.constraint.rows import CONE, FRICTION, QUADRATIC
from kinetree.engine.jit.kernel import dense, kernel, small, view
from kinetree.engine.model import enums


@small
def row_cost(kind, jar, d, r, loss):
    """(force, weight, cost, state) of a row that is not part of a cone, at J qacc - aref."""
    if kind == QUADRATIC:
        return -d * jar, d, 0.5 * d * jar * jar, enums.CNSTRSTATE_QUADRATIC
    if kind == FRICTION:
        if jar <= -r * loss:
            return loss, 0.0, -loss * (0.5 * r * loss + jar), enums.CNSTRSTATE_LINEARNEG
        if jar >= r * loss:
            return -loss, 0.0, -loss * (0.5 * r * loss - jar), enums.CNSTRSTATE_LINEARPOS
        return -d * jar, d, 0.5 * d * jar * jar, enums.CNSTRSTATE_QUADRATIC
    if jar < 0.0:
        return -d * jar, d, 0.5 * d * jar * jar, enums.CNSTRSTATE_QUADRATIC
    return 0.0, 0.0, 0.0, enums.CNSTRSTATE_SATISFIED


@small
def add_group_line(data, g, alpha, cost, slope, curve):
    """Add the cost of a group of rows at efc_jar + alpha efc_Jv, and its first and second derivative by
    alpha.
    """
    kind, row = data.grp_kind[g], data.grp_row[g]
    if kind == CONE:
        a, b, c = cone_line(data, row, data.grp_dim[g], alpha)
        return cost + a, slope + b, curve + c
    for r in range(row, row + data.grp_nrow[g]):
        Jv = data.efc_Jv[r]
        force, weight, value, _ = row_cost(
            kind, data.efc_jar[r] + alpha * Jv, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r]
        )
        cost += value
        slope -= force * Jv
        curve += weight * Jv * Jv
    return cost, slope, curve


@dense
def _quadratic_line(jar, Jv, d, n, alpha):
    """`line_of_rows` for n rows that are always active."""
    cost = slope = curve = 0.0
    for r in range(n):
        x = jar[r] + alpha * Jv[r]
        force = d[r] * x
        cost += force * x
        slope += force * Jv[r]
        curve += d[r] * Jv[r] * Jv[r]
    return 0.5 * cost, slope, curve


@dense
def _unilateral_line(jar, Jv, d, n, alpha):
    """`line_of_rows` for n rows that are active where they are negative."""
    cost = slope = curve = 0.0
    for r in range(n):
        x = jar[r] + alpha * Jv[r]
        weight = d[r] if x < 0.0 else 0.0
        force = weight * x
        cost += force * x
        slope += force * Jv[r]
        curve += weight * Jv[r] * Jv[r]
    return 0.5 * cost, slope, curve


@kernel
def line_of_rows(model, data, alpha):
    """Cost of all rows at efc_jar + alpha efc_Jv, its first and its second derivative by alpha."""
    jar, Jv, d = data.efc_jar, data.efc_Jv, data.efc_D
    n = data.ne
    cost, slope, curve = _quadratic_line(view(jar, 0, n), view(Jv, 0, n), view(d, 0, n), n, alpha)
    begin = data.ne + data.nf
    for r in range(data.ne, begin):
        force, weight, value, _ = row_cost(
            FRICTION, jar[r] + alpha * Jv[r], d[r], data.efc_R[r], data.efc_frictionloss[r]
        )
        cost += value
        slope -= force * Jv[r]
        curve += weight * Jv[r] * Jv[r]
    end = data.nefc if model.opt_cone == enums.CONE_PYRAMIDAL else begin + data.nl
    n = end - begin
    a, b, c = _unilateral_line(view(jar, begin, n), view(Jv, begin, n), view(d, begin, n), n, alpha)
    cost += a
    slope += b
    curve += c
    if end < data.nefc:
        for g in range(data.ngrp - 1, -1, -1):
            if data.grp_row[g] < end:
                break
            cost, slope, curve = add_group_line(data, g, alpha, cost, slope, curve)
    return cost, slope, curve
