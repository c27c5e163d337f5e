"""Constraint forces: Newton's method on the reduced primal problem, island by island.

Minimises over accelerations a: 1/2 (a - qacc_smooth)' M (a - qacc_smooth) + s(J a - aref), where s is quadratic
in active rows, linear where dry friction slips, and the squared distance from the dual cone in elliptic contacts.
Specification: Computation, "Reduced primal problem" and "Algorithms".

The gradient is carried along: after a step of length alpha it is (1 - alpha) of what it was, plus what the rows
contribute whose forces did not change as the Hessian foretold. The Hessian changes by the same rows.

Vectors of an island are in the order of elimination, padded (engine/dynamics/island.py).
"""

from __future__ import annotations

import math

from engine.dynamics.cholesky import factor_nodes, solve_nodes
from engine.dynamics.cone import cone_line, cone_sums, cone_update
from engine.dynamics.constraint import group_product, store_rows
from engine.dynamics.constraint_rows import CONE, FRICTION, PYRAMID, QUADRATIC
from engine.dynamics.hessian import multiply_M, start_from_M, update_hessian
from engine.jit.kernel import kernel, small
from engine.jit.simd import vfma, vload, vset, vstore
from engine.jit.vec import MINVAL
from engine.model.enums import (
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
    DSBL_WARMSTART,
)

# Where a solution begins: at qacc_warmstart; at qacc_smooth, to compare; back at qacc_warmstart; at qacc_smooth.
AT_WARM, AT_SMOOTH, BACK, DECIDED = 0, 1, 2, 3

# Of the largest gradient met, what the sums carried along may have lost.
LOST = 1e-15


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
    search, grad = data.sol_search, data.sol_grad
    for island in range(data.nisland):
        entries = data.isl_xnum[island]
        tolerance = model.opt_tolerance * model.stat_meaninertia * data.isl_dofnum[island]
        iterations = 0
        for attempt in range(2):
            cost, changes = _begin(model, data, island, attempt > 0)
            start_from_M(model, data, island)
            most = 0.0
            for k in range(entries):
                most += grad[k] * grad[k]
            while iterations < model.opt_iterations:
                update_hessian(data, changes)
                factor_nodes(data, island)
                for k in range(entries):
                    search[k] = -grad[k]
                solve_nodes(data, island, search)
                slope = length = 0.0
                for k in range(entries):
                    slope += search[k] * grad[k]
                    length += search[k] * search[k]
                if not slope < 0.0:
                    break
                force_Jv, Jv_W_Jv, change, line1, line2 = _line_start(data, island)
                smooth1, smooth2 = slope + force_Jv, -slope - Jv_W_Jv
                least = tolerance * model.opt_ls_tolerance * math.sqrt(length)
                alpha = 1.0
                if abs(line1 + smooth1 + smooth2) > least:
                    alpha, change = _line_search(
                        model, data, island, smooth1, smooth2, least, change, line1, line2
                    )
                iterations += 1
                gain = cost - change - alpha * (smooth1 + 0.5 * alpha * smooth2)
                cost = change
                for k in range(entries):
                    data.sol_qacc[k] += alpha * search[k]
                    grad[k] *= 1.0 - alpha
                changes, _ = _advance(data, island, alpha)
                size = 0.0
                for k in range(entries):
                    size += grad[k] * grad[k]
                most = max(most, size)
                if gain < tolerance or math.sqrt(size) < tolerance:
                    break
            # Far from where it began, what was carried along has lost digits: sum up anew and go on from there.
            if not math.sqrt(most) * LOST > tolerance:
                break
        _finish(model, data, island)
        data.solver_niter = max(data.solver_niter, iterations)
    for i in range(model.nv):
        data.qacc_warmstart[i] = data.qacc[i]


@kernel
def _finish(model, data, island):
    """qacc and qfrc_constraint of the island."""
    force = data.sol_grad
    for k in range(data.isl_xnum[island]):
        force[k] = 0.0
    first = data.isl_grpadr[island]
    for k in range(first, first + data.isl_grpnum[island]):
        _add_JT(data, data.isl_grp[k], data.efc_force, 1.0, force)
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        place = data.node_x[data.block_node[block]] + data.block_off[block]
        adr = model.block_dofadr[block]
        for i in range(model.block_dofnum[block]):
            data.qacc[adr + i] = data.sol_qacc[place + i]
            data.qfrc_constraint[adr + i] = force[place + i]


@kernel
def _gather(model, data, island, warm):
    """qacc_warmstart or qacc_smooth into sol_qacc."""
    for k in range(data.isl_xnum[island] + 4):
        data.sol_qacc[k] = data.sol_search[k] = data.sol_grad[k] = 0.0
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        place = data.node_x[data.block_node[block]] + data.block_off[block]
        adr = model.block_dofadr[block]
        for i in range(model.block_dofnum[block]):
            data.sol_qacc[place + i] = data.qacc_warmstart[adr + i] if warm else data.qacc_smooth[adr + i]


@kernel
def _begin(model, data, island, again):
    """Rows and gradient, all anew, where the solution begins: (cost of the rows, number of groups in grp_changed).

    That is at qacc_warmstart or at qacc_smooth, or again at sol_qacc, where it had come to.
    """
    phase = DECIDED if model.opt_disableflags & DSBL_WARMSTART else AT_WARM
    warm = 0.0
    while True:
        if not again:
            _gather(model, data, island, phase == AT_WARM or phase == BACK)
        begin = data.isl_blockadr[island]
        end = begin + data.isl_blocknum[island]
        for k in range(begin, end):
            block = data.isl_block[k]
            place = data.node_x[data.block_node[block]] + data.block_off[block]
            adr = model.block_dofadr[block]
            for i in range(model.block_dofnum[block]):
                data.sol_step[adr + i] = data.sol_qacc[place + i] - data.qacc_smooth[adr + i]
        gauss = multiply_M(model, data, island, data.sol_step, data.sol_Mstep)
        for k in range(begin, end):
            block = data.isl_block[k]
            place = data.node_x[data.block_node[block]] + data.block_off[block]
            adr = model.block_dofadr[block]
            for i in range(model.block_dofnum[block]):
                data.sol_grad[place + i] = data.sol_Mstep[adr + i]
        first = data.isl_grpadr[island]
        for k in range(first, first + data.isl_grpnum[island]):
            g = data.isl_grp[k]
            row = data.grp_row[g]
            store_rows(data, g, group_product(data, g, data.seg_x, data.sol_qacc), data.efc_jar)
            for r in range(row, row + data.grp_nrow[g]):
                data.efc_jar[r] -= data.efc_aref[r]
                data.efc_Jv[r] = 0.0
                data.efc_force[r] = 0.0
                data.efc_weight[r] = 0.0
                data.efc_state[r] = CNSTRSTATE_SATISFIED
        changes, cost = _advance(data, island, 0.0)
        slope = 0.0
        for k in range(begin, end):
            block = data.isl_block[k]
            place = data.node_x[data.block_node[block]] + data.block_off[block]
            adr = model.block_dofadr[block]
            for i in range(model.block_dofnum[block]):
                slope += data.sol_step[adr + i] * data.sol_grad[place + i]
        # The cost is convex, more so than the motion's part of it: where it does not grow by more than that on the
        # way from qacc_smooth, qacc_warmstart is the better place, and qacc_smooth need not be looked at.
        if again or phase >= BACK or (phase == AT_WARM and slope <= gauss):
            return cost, changes
        if phase == AT_WARM:
            phase, warm = AT_SMOOTH, gauss + cost
        elif warm > cost:
            return cost, changes
        else:
            phase = BACK


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
def _line_start(data, island):
    """efc_Jv of the search direction; sums over the rows of force times Jv and of Jv times weights times Jv.

    And at a step of length 1: the cost of the rows, its first and its second derivative.
    """
    force_sum = weight_sum = cost = slope = curve = 0.0
    first = data.isl_grpadr[island]
    for k in range(first, first + data.isl_grpnum[island]):
        g = data.isl_grp[k]
        kind, row = data.grp_kind[g], data.grp_row[g]
        store_rows(data, g, group_product(data, g, data.seg_x, data.sol_search), data.efc_Jv)
        if kind == CONE:
            a, b = cone_sums(data, row, data.grp_dim[g])
            force_sum += a
            weight_sum += b
            a, b, c = cone_line(data, row, data.grp_dim[g], 1.0)
            cost += a
            slope += b
            curve += c
            continue
        for r in range(row, row + data.grp_nrow[g]):
            Jv = data.efc_Jv[r]
            force_sum += data.efc_force[r] * Jv
            weight_sum += data.efc_weight[r] * Jv * Jv
            force, weight, value, _ = _law(
                kind, data.efc_jar[r] + Jv, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r]
            )
            cost += value
            slope -= force * Jv
            curve += weight * Jv * Jv
    return force_sum, weight_sum, cost, slope, curve


@kernel
def _line_search(model, data, island, smooth1, smooth2, least, cost, slope, curve):
    """Length of the step that minimises the cost, and the cost of the rows there, from their values at 1.

    Newton's method on the derivative, which only grows, within a bracket; halving it where Newton leaves it or is
    slow.
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
            g = data.isl_grp[m]
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
                force, weight, value, _ = _law(
                    kind, jar, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r]
                )
                cost += value
                slope -= force * Jv
                curve += weight * Jv * Jv
    return alpha, cost


@kernel
def _advance(data, island, alpha):
    """Set the rows to efc_jar + alpha efc_Jv; put right the gradient where a force is not as foretold.

    The number of groups whose weights changed, which are in grp_changed, and the cost of the rows.
    """
    count = 0
    cost = 0.0
    first = data.isl_grpadr[island]
    surprise = data.efc_surprise
    for k in range(first, first + data.isl_grpnum[island]):
        g = data.isl_grp[k]
        kind, row = data.grp_kind[g], data.grp_row[g]
        changed = False
        if kind == CONE:
            changed, value = cone_update(data, row, data.grp_dim[g], alpha)
            cost += value
        else:
            for r in range(row, row + data.grp_nrow[g]):
                step = alpha * data.efc_Jv[r]
                jar = data.efc_jar[r] + step
                data.efc_jar[r] = jar
                force, _, value, state = _law(
                    kind, jar, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r]
                )
                cost += value
                surprise[r] = 0.0
                if state != data.efc_state[r]:
                    surprise[r] = force - data.efc_force[r] + data.efc_weight[r] * step
                    data.efc_state[r] = state
                    changed = True
                data.efc_force[r] = force
        if changed:
            data.grp_changed[count] = g
            count += 1
            _add_JT(data, g, surprise, -1.0, data.sol_grad)
    return count, cost


@kernel
def _add_JT(data, g, force, sign, vector):
    """vector += sign J' force for the rows of a group."""
    f = data.sol_F
    row, dim = data.grp_row[g], data.grp_dim[g]
    if data.grp_kind[g] == PYRAMID:
        c = data.efc_id[row]
        f[0] = 0.0
        for e in range(dim - 1):
            plus, minus = sign * force[row + 2 * e], sign * force[row + 2 * e + 1]
            f[0] += plus + minus
            f[e + 1] = data.contact_friction[c, e] * (plus - minus)
    else:
        for e in range(dim):
            f[e] = sign * force[row + e]
    values = data.seg_J
    first = data.grp_seg[g]
    f0 = vset(f[0])
    for s in range(first, first + data.grp_nseg[g]):
        num, adr, place = data.seg_num[s], data.seg_adr[s], data.seg_x[s]
        if dim == 1:
            if num == 1:
                vector[place] += f[0] * values[adr]
            else:
                for c in range(0, num, 4):
                    vstore(vector, place + c, vfma(f0, vload(values, adr + c), vload(vector, place + c)))
        else:
            n = (num + 3) // 4 * 4
            f1, f2 = vset(f[1]), vset(f[2])
            for c in range(0, n, 4):
                v = vfma(f0, vload(values, adr + c), vload(vector, place + c))
                v = vfma(f1, vload(values, adr + n + c), v)
                v = vfma(f2, vload(values, adr + 2 * n + c), v)
                for e in range(3, dim):
                    v = vfma(vset(f[e]), vload(values, adr + e * n + c), v)
                vstore(vector, place + c, v)
