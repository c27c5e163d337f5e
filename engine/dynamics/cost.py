"""Cost of constraint rows at J qacc - aref: its value, force and weight, and its values along a line.

A row's force is minus the derivative of its cost, its weight the second derivative. Contacts with elliptic
cones: engine/dynamics/cone.py. Specification: Computation, "Reduced primal problem".
"""

from __future__ import annotations

from engine.dynamics.cone import cone_line
from engine.dynamics.constraint_rows import CONE, FRICTION, QUADRATIC
from engine.jit.kernel import small
from engine.model.enums import (
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
)


@small
def row_cost(kind, jar, d, r, loss):
    """(force, weight, cost, state) of a row that is not part of a cone, at J qacc - aref."""
    if kind == QUADRATIC:
        return -d * jar, d, 0.5 * d * jar * jar, CNSTRSTATE_QUADRATIC
    if kind == FRICTION:
        if jar <= -r * loss:
            return loss, 0.0, -loss * (0.5 * r * loss + jar), CNSTRSTATE_LINEARNEG
        if jar >= r * loss:
            return -loss, 0.0, -loss * (0.5 * r * loss - jar), CNSTRSTATE_LINEARPOS
        return -d * jar, d, 0.5 * d * jar * jar, CNSTRSTATE_QUADRATIC
    if jar < 0.0:
        return -d * jar, d, 0.5 * d * jar * jar, CNSTRSTATE_QUADRATIC
    return 0.0, 0.0, 0.0, CNSTRSTATE_SATISFIED


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
