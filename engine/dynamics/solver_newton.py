"""Constraint forces: Newton's method on the reduced primal problem, island by island.

Minimises over accelerations a: 1/2 (a - qacc_smooth)' M (a - qacc_smooth) + s(J a - aref), where s is quadratic
in active rows, linear where dry friction slips, and the squared distance from the dual cone in elliptic contacts.
Specification: Computation, "Reduced primal problem" and "Algorithms".

The gradient is carried along: after a step of length alpha it is (1 - alpha) of what it was, plus what the rows
contribute whose forces did not change as the Hessian foretold. The Hessian changes by the same rows.
"""

from __future__ import annotations

import math

from engine.dynamics.cholesky import factor_nodes, solve_nodes
from engine.dynamics.cone import cone_line, cone_update
from engine.dynamics.constraint import multiply_J
from engine.dynamics.constraint_rows import CONE, FRICTION, QUADRATIC
from engine.dynamics.hessian import add_JT, add_JTWJ, base_force, multiply_M, start_from_M, weight_change
from engine.enums import (
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
    CONE_ELLIPTIC,
    DSBL_WARMSTART,
)
from engine.kernel import kernel, small, view
from engine.vec import MINVAL


@kernel
def solve(model, data):
    """Constrained acceleration and constraint forces: qacc, qfrc_constraint, efc_force, efc_state.

    Starts from qacc_warmstart or qacc_smooth, whichever costs less, and leaves qacc in qacc_warmstart.
    """
    for i in range(model.nv):
        data.qacc[i] = data.qacc_smooth[i]
        data.qfrc_constraint[i] = 0.0
    data.solver_niter = 0
    for r in range(data.nefc):
        data.efc_force[r] = 0.0
        data.efc_state[r] = CNSTRSTATE_SATISFIED
        data.efc_weight[r] = 0.0
    if model.opt_cone == CONE_ELLIPTIC:
        for c in range(data.ncon):
            for k in range(36):
                data.contact_H[c, k] = 0.0
    for i in range(data.nisland):
        iterations = _solve_island(model, data, i)
        data.solver_niter = max(data.solver_niter, iterations)
    for i in range(model.nv):
        data.qacc_warmstart[i] = data.qacc[i]


@kernel
def _solve_island(model, data, island):
    groups, first, count = data.isl_grp, data.isl_grpadr[island], data.isl_grpnum[island]
    node, nodes = data.isl_nodeadr[island], data.isl_nodenum[island]
    scale = model.stat_meaninertia * max(1, data.isl_dofnum[island])
    gauss, cost = _start(model, data, island)
    start_from_M(model, data, island)
    changes = _advance(data, island, 0.0)
    iterations = 0
    while iterations < model.opt_iterations:
        _update_hessian(model, data, changes)
        for k in range(data.isl_Hnum[island]):
            data.sol_L[k] = data.sol_H[k]
        factor_nodes(data, node, nodes)
        _gather(model, data, island, data.sol_grad)
        solve_nodes(data, node, nodes, data.sol_x)
        slope, length = _scatter(model, data, island)
        if not slope < 0.0:
            break
        multiply_J(data, groups, first, count, data.sol_search, data.efc_Jv)
        force_Jv, Jv_W_Jv = _line_start(data, island)
        smooth1, smooth2 = slope + force_Jv, -slope - Jv_W_Jv
        least = model.opt_tolerance * model.opt_ls_tolerance * length * scale
        alpha, change = _line_search(data, island, smooth1, smooth2, least, model.opt_ls_iterations)
        if alpha == 0.0:
            break
        iterations += 1
        previous = gauss + cost
        gauss += alpha * (smooth1 + 0.5 * alpha * smooth2)
        cost = change
        size = _move(model, data, island, alpha)
        changes = _advance(data, island, alpha)
        if changes > 0:
            size = _norm(model, data, island)
        if previous - gauss - cost < model.opt_tolerance * scale or size < model.opt_tolerance * scale:
            break
    for k in range(first, first + count):
        base_force(data, groups[k], data.efc_force, data.sol_F)
        add_JT(data, groups[k], data.sol_F, 1.0, data.qfrc_constraint)
    return iterations


@kernel
def _start(model, data, island):
    """Choose where to begin: qacc, efc_jar and the gradient without forces. The cost in two parts."""
    groups, first, count = data.isl_grp, data.isl_grpadr[island], data.isl_grpnum[island]
    begin, end = data.isl_blockadr[island], data.isl_blockadr[island] + data.isl_blocknum[island]
    grad, step, qacc = data.sol_grad, data.sol_search, data.qacc
    multiply_J(data, groups, first, count, data.qacc_smooth, data.efc_jar)
    warm = not model.opt_disableflags & DSBL_WARMSTART
    for k in range(begin, end):
        block = data.isl_block[k]
        adr = model.block_dofadr[block]
        for i in range(adr, adr + model.block_dofnum[block]):
            grad[i] = 0.0
            step[i] = data.qacc_warmstart[i] - data.qacc_smooth[i]
    if warm:
        multiply_J(data, groups, first, count, step, data.efc_Jv)
    for k in range(first, first + count):
        g = groups[k]
        row = data.grp_row[g]
        for r in range(row, row + data.grp_nrow[g]):
            data.efc_jar[r] -= data.efc_aref[r]
            if not warm:
                data.efc_Jv[r] = 0.0
    cost, _, _ = _line(data, island, 0.0)
    if not warm:
        return 0.0, cost
    multiply_M(model, data, island, step, grad)
    gauss = 0.0
    for k in range(begin, end):
        block = data.isl_block[k]
        adr = model.block_dofadr[block]
        for i in range(adr, adr + model.block_dofnum[block]):
            gauss += 0.5 * step[i] * grad[i]
    warm_cost, _, _ = _line(data, island, 1.0)
    if gauss + warm_cost <= cost:
        for k in range(begin, end):
            block = data.isl_block[k]
            adr = model.block_dofadr[block]
            for i in range(adr, adr + model.block_dofnum[block]):
                qacc[i] = data.qacc_warmstart[i]
        for k in range(first, first + count):
            g = groups[k]
            row = data.grp_row[g]
            for r in range(row, row + data.grp_nrow[g]):
                data.efc_jar[r] += data.efc_Jv[r]
        return gauss, warm_cost
    for k in range(begin, end):
        block = data.isl_block[k]
        adr = model.block_dofadr[block]
        for i in range(adr, adr + model.block_dofnum[block]):
            grad[i] = 0.0
    return 0.0, cost


@small
def _law(kind, jar, d, r, loss):
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


@kernel
def _line(data, island, alpha):
    """Cost of the rows at efc_jar + alpha efc_Jv, its first and its second derivative by alpha."""
    cost = slope = curve = 0.0
    first = data.isl_grpadr[island]
    for k in range(first, first + data.isl_grpnum[island]):
        g = data.isl_grp[k]
        kind, row = data.grp_kind[g], data.grp_row[g]
        if kind == CONE:
            a, b, c = cone_line(data, row, data.grp_dim[g], alpha)
            cost += a
            slope += b
            curve += c
            continue
        for r in range(row, row + data.grp_nrow[g]):
            Jv = data.efc_Jv[r]
            jar = data.efc_jar[r] + alpha * Jv
            force, weight, value, _ = _law(kind, jar, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r])
            cost += value
            slope -= force * Jv
            curve += weight * Jv * Jv
    return cost, slope, curve


@kernel
def _line_start(data, island):
    """Sums over the rows: force times Jv, and Jv times weights times Jv."""
    first_sum = second_sum = 0.0
    first = data.isl_grpadr[island]
    for k in range(first, first + data.isl_grpnum[island]):
        g = data.isl_grp[k]
        row, dim = data.grp_row[g], data.grp_dim[g]
        if data.grp_kind[g] == CONE:
            W = data.contact_H
            c = data.efc_id[row]
            for e in range(dim):
                total = 0.0
                for m in range(dim):
                    total += W[c, e * dim + m] * data.efc_Jv[row + m]
                second_sum += data.efc_Jv[row + e] * total
                first_sum += data.efc_force[row + e] * data.efc_Jv[row + e]
            continue
        for r in range(row, row + data.grp_nrow[g]):
            Jv = data.efc_Jv[r]
            first_sum += data.efc_force[r] * Jv
            second_sum += data.efc_weight[r] * Jv * Jv
    return first_sum, second_sum


@kernel
def _line_search(data, island, smooth1, smooth2, least, iterations):
    """Length of the step that minimises the cost, and the cost of the rows there.

    Newton's method from 1 on the derivative, which only grows, within a bracket; halving it where Newton leaves it
    or is slow.
    """
    low, high = 0.0, math.inf
    alpha = 1.0
    cost, slope, curve = _line(data, island, alpha)
    for k in range(iterations):
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
        cost, slope, curve = _line(data, island, alpha)
    return alpha, cost


@kernel
def _gather(model, data, island, vector):
    """Minus a vector over dofs into sol_x, in the order of elimination."""
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        number = model.block_dofnum[block]
        x = view(data.sol_x, data.node_x[data.block_node[block]] + data.block_off[block], number)
        v = view(vector, model.block_dofadr[block], number)
        for i in range(number):
            x[i] = -v[i]


@kernel
def _scatter(model, data, island):
    """sol_x into the search direction; its product with the gradient, and its length."""
    slope = square = 0.0
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        number = model.block_dofnum[block]
        x = view(data.sol_x, data.node_x[data.block_node[block]] + data.block_off[block], number)
        search = view(data.sol_search, model.block_dofadr[block], number)
        grad = view(data.sol_grad, model.block_dofadr[block], number)
        for i in range(number):
            search[i] = x[i]
            slope += x[i] * grad[i]
            square += x[i] * x[i]
    return slope, math.sqrt(square)


@kernel
def _move(model, data, island, alpha):
    """Take the step; the gradient as the Hessian foretells it. The gradient's length."""
    square = 0.0
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        adr = model.block_dofadr[block]
        for i in range(adr, adr + model.block_dofnum[block]):
            data.qacc[i] += alpha * data.sol_search[i]
            data.sol_grad[i] *= 1.0 - alpha
            square += data.sol_grad[i] * data.sol_grad[i]
    return math.sqrt(square)


@kernel
def _norm(model, data, island):
    square = 0.0
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        adr = model.block_dofadr[block]
        for i in range(adr, adr + model.block_dofnum[block]):
            square += data.sol_grad[i] * data.sol_grad[i]
    return math.sqrt(square)


@kernel
def _advance(data, island, alpha):
    """Set the rows to efc_jar + alpha efc_Jv; put right the gradient where a force is not as foretold.

    The number of groups whose weights changed; they are in grp_changed.
    """
    count = 0
    first = data.isl_grpadr[island]
    surprise = data.efc_surprise
    for k in range(first, first + data.isl_grpnum[island]):
        g = data.isl_grp[k]
        kind, row = data.grp_kind[g], data.grp_row[g]
        changed = False
        if kind == CONE:
            changed = cone_update(data, row, data.grp_dim[g], alpha)
        else:
            for r in range(row, row + data.grp_nrow[g]):
                step = alpha * data.efc_Jv[r]
                jar = data.efc_jar[r] + step
                data.efc_jar[r] = jar
                force, weight, _, state = _law(
                    kind, jar, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r]
                )
                surprise[r] = 0.0
                if state != data.efc_state[r] or weight != data.efc_weight[r]:
                    surprise[r] = force - data.efc_force[r] + data.efc_weight[r] * step
                    data.efc_state[r] = state
                    changed = True
                data.efc_force[r] = force
        if changed:
            data.grp_changed[count] = g
            count += 1
            base_force(data, g, surprise, data.sol_F)
            add_JT(data, g, data.sol_F, -1.0, data.sol_grad)
    return count


@kernel
def _update_hessian(model, data, count):
    """Bring the weights of the changed groups into the Hessian."""
    for k in range(count):
        g = data.grp_changed[k]
        if data.grp_kind[g] == CONE:
            W = data.sol_W
            c = data.efc_id[data.grp_row[g]]
            dim = data.grp_dim[g]
            for e in range(dim * dim):
                W[e] = data.contact_dH[c, e]
            add_JTWJ(model, data, g, W)
        elif weight_change(data, g, data.sol_W):
            add_JTWJ(model, data, g, data.sol_W)
