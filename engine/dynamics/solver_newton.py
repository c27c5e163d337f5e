"""Constraint forces by Newton's method on the reduced primal problem.

The iterates are MuJoCo's, also for models that allow few iterations: one step length for the whole part, its line
search and its tests for convergence. The Hessian has a block for each island, so directions are computed island by
island, and what did not change is not computed again: along a Newton direction p, H p = -gradient, so a step of length
alpha scales the gradient of an island by 1 - alpha, except for rows whose forces did not change as the Hessian
predicts. An island without such rows keeps its factor, and its next direction is 1 - alpha times this one; after a
step of length 1 it is at rest.

Specification: Computation, "Algorithms".
"""

from __future__ import annotations

import math

from engine.dynamics.cholesky import factor_nodes, solve_nodes
from engine.dynamics.constraint import add_forces, add_JT, multiply_J
from engine.dynamics.hessian import multiply_M, start_from_M, update_hessian
from engine.dynamics.line_search import evaluate, line_of_islands, line_search, newton_step, point
from engine.dynamics.solver_primal import (
    begin,
    finish_free,
    finish_solution,
    groups_of,
    scale_of,
    solves_islands,
    start,
    update_rows,
)
from engine.dynamics.statistics import add_iteration
from engine.jit.kernel import kernel
from engine.jit.simd import WIDTH
from engine.jit.vec import MINVAL

# The error of a direction, as a gradient, relative to its length and the largest pivot of the Hessian.
ROUNDING = 2e-16


@kernel
def solve(model, data):
    """Constrained acceleration and constraint forces: qacc, qfrc_constraint, efc_force, efc_state.

    Starts from qacc_warmstart or qacc_smooth, whichever costs less, and leaves qacc in qacc_warmstart.
    """
    if begin(model, data):
        cost, free, length, square = start(model, data, True)
        separate = solves_islands(model)
        left = 0.0
        for part in range(data.nisland if separate else 1):
            first, end, scale = 0, data.nisland, scale_of(model, data, part if separate else -1)
            if separate:
                first, end = part, part + 1
                cost, _, _ = line_of_islands(model, data, first, end, 0.0)
                free = length = square = 0.0
            left = _minimise(model, data, first, end, cost, free, length, square, scale)
        finish_free(model, data, 0.0 if separate else left)
    finish_solution(model, data)


@kernel
def _minimise(model, data, first, end, cost, free, length, square, scale):
    """Newton's method over a range of islands; sets qacc and qfrc_constraint there.

    free, length, square: the sums of `start` over dofs that no row touches. Returns the share of the way to qacc_smooth
    that these dofs have left.
    """
    search, grad = data.sol_search, data.sol_grad
    tolerance = model.opt_tolerance * scale
    for k in range(data.isl_xadr[first], data.isl_xadr[end - 1] + data.isl_xnum[end - 1] + WIDTH):  # the padding too
        data.sol_qacc[k] = search[k] = grad[k] = 0.0
    for island in range(first, end):
        _gather(model, data, island, data.qacc, data.sol_qacc)
        _gather(model, data, island, data.sol_Mstep, grad)
        start_from_M(model, data, island)
    left, shrink, resting, resting_cost = 1.0, 0.0, 0, 0.0
    exact = False  # whether the gradient is summed up anew in each iteration
    least_pivot, largest_pivot = math.inf, 0.0
    for iteration in range(model.opt_iterations):
        slope, size = -free * left * left, length * left * left
        for island in range(first, end):
            if data.isl_changenum[island] < 0:
                continue
            begin_x = data.isl_xadr[island]
            end_x = begin_x + data.isl_xnum[island]
            is_same = False
            if data.isl_changenum[island] > 0 or iteration == 0:
                update_hessian(data, island)
                low, high = factor_nodes(data, island)
                least_pivot, largest_pivot = min(least_pivot, low), max(largest_pivot, high)
            else:
                is_same = not exact
            start_group, end_group = groups_of(data, island, island + 1)
            if is_same:
                for k in range(begin_x, end_x):
                    search[k] *= shrink
                for k in range(start_group, end_group):
                    g = data.isl_grp[k]
                    for r in range(data.grp_row[g], data.grp_row[g] + data.grp_nrow[g]):
                        data.efc_Jv[r] *= shrink
            else:
                for k in range(begin_x, end_x):
                    search[k] = -grad[k]
                solve_nodes(data, island, search)
                multiply_J(data, start_group, end_group, data.seg_x, search, data.efc_Jv)
            for k in range(begin_x, end_x):
                slope += search[k] * grad[k]
                size += search[k] * search[k]
        size = math.sqrt(size)
        if not size >= MINVAL:
            break
        _, slope0, curve0 = line_of_islands(model, data, first, end, 0.0)
        # Along a Newton direction p, p'Hp = -p'gradient; the first step of the line search has length 1.
        smooth1, smooth2 = slope - slope0, -slope - curve0
        p0 = (0.0, cost, slope, max(-slope, MINVAL))
        if least_pivot < MINVAL:
            exact = True
            smooth2 = free * left * left + _inertial(model, data, first, end)
            p0 = point(0.0, smooth1, smooth2, cost, slope0, curve0)
        p1 = evaluate(model, data, first, end, smooth1, smooth2, newton_step(p0) if exact else 1.0)
        exact = exact or largest_pivot * size * ROUNDING > tolerance
        least = tolerance * model.opt_ls_tolerance * size
        alpha, line_slope, evaluations = line_search(model, data, first, end, smooth1, smooth2, least, p0, p1)
        if alpha == 0.0:
            break
        shrink = 1.0 - alpha
        left *= shrink
        before, cost = cost, resting_cost
        active, changes, updates = resting, 0, 0
        total = square * left * left
        for island in range(first, end):
            if data.isl_changenum[island] < 0:
                continue
            value, island_active, island_changes, island_updates = update_rows(data, island, alpha, True)
            cost += value
            active += island_active
            changes += island_changes
            updates += island_updates
            for k in range(data.isl_xadr[island], data.isl_xadr[island] + data.isl_xnum[island]):
                data.sol_qacc[k] += alpha * search[k]
                grad[k] *= shrink
            number = data.isl_changenum[island]
            if exact:
                _gradient(model, data, island)
            else:
                at = data.isl_grpadr[island]
                for k in range(at, at + number):
                    add_JT(data, data.grp_changed[k], data.seg_x, data.efc_correction, -1.0, grad)
            if number == 0 and shrink == 0.0 and not exact:
                _rest(data, island)
                resting_cost += value
                resting += island_active
            else:
                total += _norm2(data, island, grad)
        gain = before - cost - alpha * (smooth1 + 0.5 * alpha * smooth2)
        norm = math.sqrt(total)
        rate = abs(line_slope) / (size * scale)
        add_iteration(data, first, gain / scale, norm / scale, rate, active, changes, evaluations, updates)
        if gain < tolerance or norm < tolerance:
            break
    for island in range(first, end):
        _finish(model, data, island)
    return left


@kernel
def _rest(data, island):
    """An island has converged: no direction any more."""
    data.isl_changenum[island] = -1
    for k in range(data.isl_xadr[island], data.isl_xadr[island] + data.isl_xnum[island]):
        data.sol_search[k] = 0.0
    start_group, end_group = groups_of(data, island, island + 1)
    for k in range(start_group, end_group):
        g = data.isl_grp[k]
        for r in range(data.grp_row[g], data.grp_row[g] + data.grp_nrow[g]):
            data.efc_Jv[r] = 0.0


@kernel
def _gather(model, data, island, vector, result):
    """result, in the order of elimination, <- vector over dofs."""
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        place = data.node_x[data.block_node[block]] + data.block_off[block]
        adr = model.block_dofadr[block]
        for i in range(model.block_dofnum[block]):
            result[place + i] = vector[adr + i]


@kernel
def _scatter(model, data, island, vector, result):
    """result over dofs <- vector in the order of elimination."""
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        place = data.node_x[data.block_node[block]] + data.block_off[block]
        adr = model.block_dofadr[block]
        for i in range(model.block_dofnum[block]):
            result[adr + i] = vector[place + i]


@kernel
def _norm2(data, island, vector):
    """The squared length of an island's part of a vector in the order of elimination."""
    total = 0.0
    for k in range(data.isl_xadr[island], data.isl_xadr[island] + data.isl_xnum[island]):
        total += vector[k] * vector[k]
    return total


@kernel
def _gradient(model, data, island):
    """sol_grad of an island, summed up anew."""
    _scatter(model, data, island, data.sol_qacc, data.sol_step)
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        adr = model.block_dofadr[data.isl_block[k]]
        for i in range(adr, adr + model.block_dofnum[data.isl_block[k]]):
            data.sol_step[i] -= data.qacc_smooth[i]
    multiply_M(model, data, island, data.sol_step, data.sol_Mstep)
    _gather(model, data, island, data.sol_Mstep, data.sol_grad)
    start_group, end_group = groups_of(data, island, island + 1)
    add_forces(data, start_group, end_group, data.seg_x, data.efc_force, -1.0, data.sol_grad)


@kernel
def _inertial(model, data, first, end):
    """p'Mp for the direction in sol_search."""
    total = 0.0
    for island in range(first, end):
        _scatter(model, data, island, data.sol_search, data.sol_step)
        total += 2.0 * multiply_M(model, data, island, data.sol_step, data.sol_Mstep)
    return total


@kernel
def _finish(model, data, island):
    """qacc and qfrc_constraint of the island."""
    force = data.sol_grad
    for k in range(data.isl_xadr[island], data.isl_xadr[island] + data.isl_xnum[island]):
        force[k] = 0.0
    start_group, end_group = groups_of(data, island, island + 1)
    add_forces(data, start_group, end_group, data.seg_x, data.efc_force, 1.0, force)
    _scatter(model, data, island, data.sol_qacc, data.qacc)
    _scatter(model, data, island, force, data.qfrc_constraint)
