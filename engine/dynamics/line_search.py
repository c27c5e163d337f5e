"""The length of a step along the search direction of a primal solver.

The cost along the line is phi(alpha) = smooth1 alpha + 1/2 smooth2 alpha^2 + the cost of the rows, up to a
constant: smooth1 and smooth2 come from the motion (Gauss) part, p'M(a - qacc_smooth) and p'Mp for the
direction p.
"""

from __future__ import annotations

import math

from engine.dynamics.cone import cone_sums
from engine.dynamics.constraint import group_product, store_rows
from engine.dynamics.constraint_rows import CONE
from engine.dynamics.cost import add_group_line
from engine.jit.kernel import kernel
from engine.jit.vec import MINVAL


@kernel
def line_start(data, island):
    """Set efc_Jv for the direction in sol_search, and look at the step of length 1.

    Returns sums over the rows of force times Jv and of Jv times weights times Jv, at alpha = 0; and at alpha
    = 1 the cost of the rows, its first and its second derivative.
    """
    force_sum = weight_sum = cost = slope = curve = 0.0
    first = data.isl_grpadr[island]
    for k in range(first, first + data.isl_grpnum[island]):
        g = data.isl_grp[k]
        row = data.grp_row[g]
        store_rows(data, g, group_product(data, g, data.seg_x, data.sol_search), data.efc_Jv)
        if data.grp_kind[g] == CONE:
            a, b = cone_sums(data, row, data.grp_dim[g])
            force_sum += a
            weight_sum += b
        else:
            for r in range(row, row + data.grp_nrow[g]):
                Jv = data.efc_Jv[r]
                force_sum += data.efc_force[r] * Jv
                weight_sum += data.efc_weight[r] * Jv * Jv
        cost, slope, curve = add_group_line(data, g, 1.0, cost, slope, curve)
    return force_sum, weight_sum, cost, slope, curve


@kernel
def line_search(model, data, island, smooth1, smooth2, least, cost, slope, curve):
    """The alpha that minimises the cost, and the cost of the rows there.

    cost, slope, curve: of the rows at alpha = 1 (line_start). least: a derivative of this size counts as
    zero.

    Newton's method on the derivative, which only grows, within a bracket; the bracket is halved where Newton
    leaves it or is slow.
    """
    low, high = 0.0, math.inf
    alpha = 1.0
    for k in range(model.opt_ls_iterations):
        slope += smooth1 + alpha * smooth2
        curve += smooth2
        if not abs(slope) > least:
            break
        if slope > 0.0:
            high = alpha
        else:
            low = alpha
        if high - low <= 1e-14 * high:
            break
        step = slope / max(curve, MINVAL)
        if abs(step) <= 1e-13 * alpha:
            break
        alpha -= step
        if not (low < alpha < high) or (k % 4 == 3 and high < math.inf):
            alpha = 0.5 * (low + high) if high < math.inf else 2.0 * low + 1.0
        cost = slope = curve = 0.0
        first = data.isl_grpadr[island]
        for m in range(first, first + data.isl_grpnum[island]):
            cost, slope, curve = add_group_line(data, data.isl_grp[m], alpha, cost, slope, curve)
    return alpha, cost
