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

from kinetree.engine.dynamics.constraint.constraint import add_forces, add_JT, multiply_J
from kinetree.engine.dynamics.position.cholesky import factor_nodes, solve_nodes
from kinetree.engine.dynamics.solver.hessian import keep_weights, multiply_M, start_from_M, update_hessian
from kinetree.engine.dynamics.solver.line_search import evaluate, line_of_islands, line_search, newton_step, point
from kinetree.engine.dynamics.solver.primal import (
    ACTIVE,
    ALPHA,
    CHANGES,
    COST,
    UPDATES,
    collect_forces,
    first_of_part,
    gather,
    groups_of,
    rows_at_start,
    scatter,
    solve_part_with,
    solve_with,
    solves_islands,
    update_rows,
)
from kinetree.engine.dynamics.solver.statistics import add_iteration
from kinetree.engine.jit.kernel import apart, kernel
from kinetree.engine.jit.parallel import for_each, threads_of
from kinetree.engine.jit.rounding import to_int
from kinetree.engine.jit.simd import WIDTH
from kinetree.engine.jit.vec import MINVAL

# More columns of isl_part: whether no Hessian has been factored yet, and whether gradients are recomputed in each
# iteration.
FRESH, EXACT = 1, 2
# And of the row of each island: whether threads have shared the present change of its Hessian.
SHARED = 3
# More columns of isl_sum: products of the direction with the gradient and itself; the smallest and the largest pivot
# so far. After a step the first holds the squared length of the gradient.
SLOPE, SIZE, LOW, HIGH = range(4, 8)
NORM = SLOPE

LARGE = 40
"""An island with at least as many changed groups may be shared by several threads."""

MOST_COUNT = (1 << 31) - 1
"""Limit of the counters of an iteration: its statistics are 32-bit integers."""

# The error of a direction, as a gradient, relative to its length and the largest pivot of the Hessian.
ROUNDING = 2e-16


@kernel
def solve(model, data):
    """Stage: the solution of all islands (`solve_with`)."""
    solve_with(model, data, _start_rows, _solve_part)


@apart
def _start_rows(model, data, k):
    """Task: the rows of a batch of islands at the start."""
    rows_at_start(model, data, k, True)


@apart
def _solve_part(model, data, island):
    """Task: solve an island that is a part of its own, or (-1) the whole model."""
    solve_part_with(model, data, island, _minimise)


@kernel
def _minimise(model, data, first, end, cost, free, length, square, scale):
    """Newton's method over a range of islands; sets qacc and qfrc_constraint there.

    free, length, square: the sums of `start` over dofs that no row touches. Returns the share of the way to qacc_smooth
    that these dofs have left.
    """
    sums, part = data.isl_sum, data.isl_part
    tolerance = model.opt_tolerance * scale
    for_each(_begin_island, model, data, first, end)
    left = 1.0
    exact = False  # whether the gradient is recomputed in each iteration
    least_pivot, largest_pivot = math.inf, 0.0
    part[first, EXACT], part[first, FRESH] = 0.0, 1.0
    for _ in range(model.opt_iterations):
        if data.pool != 0 and not solves_islands(model):
            _share_hessians(model, data)
        for_each(_direct, model, data, first, end)
        part[first, FRESH] = 0.0
        slope, size = -free * left * left, length * left * left
        for island in range(first, end):
            if data.isl_changenum[island] >= 0:
                slope += sums[island, SLOPE]
                size += sums[island, SIZE]
                least_pivot = min(least_pivot, sums[island, LOW])
                largest_pivot = max(largest_pivot, sums[island, HIGH])
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
        left *= 1.0 - alpha
        part[first, ALPHA], part[first, EXACT] = alpha, 1.0 if exact else 0.0
        for_each(_advance, model, data, first, end)
        before, cost = cost, 0.0
        active = changes = updates = 0
        total = square * left * left
        for island in range(first, end):
            cost += sums[island, COST]
            active += to_int(sums[island, ACTIVE], 0, MOST_COUNT)
            changes += to_int(sums[island, CHANGES], 0, MOST_COUNT)
            updates += to_int(sums[island, UPDATES], 0, MOST_COUNT)
            total += sums[island, NORM]
        gain = before - cost - alpha * (smooth1 + 0.5 * alpha * smooth2)
        norm = math.sqrt(total)
        rate = abs(line_slope) / (size * scale)
        add_iteration(data, first, gain / scale, norm / scale, rate, active, changes, evaluations, updates)
        if gain < tolerance or norm < tolerance:
            break
    for_each(_finish, model, data, first, end)
    return left


@apart
def _begin_island(model, data, island):
    """Task: vectors by island, and the Hessian, before the first iteration."""
    x = data.isl_xadr[island]
    for k in range(x, x + data.isl_xnum[island] + WIDTH):  # the gap too
        data.sol_qacc[k] = data.sol_search[k] = data.sol_grad[k] = 0.0
    gather(model, data, island, island + 1, data.qacc, data.sol_qacc)
    gather(model, data, island, island + 1, data.sol_Mstep, data.sol_grad)
    start_from_M(model, data, island)
    data.isl_sum[island, LOW], data.isl_sum[island, HIGH] = math.inf, 0.0
    data.isl_part[island, SHARED] = 0.0


@apart
def _share_hessians(model, data):
    """Let the threads share the change of Hessians that would keep one of them busy while others have nothing to do."""
    total, number, found = 0, threads_of(data), False
    for island in range(data.nisland):
        total += max(data.isl_changenum[island], 0)
    for island in range(data.nisland):
        changes = data.isl_changenum[island]
        if data.isl_nodenum[island] > number and changes > LARGE and changes * number > total:
            data.isl_part[island, SHARED] = 1.0
            found = True
    if found:
        for_each(_change_hessians, model, data, 0, number)


@apart
def _change_hessians(model, data, turn):
    """Task: change the Hessians of shared islands, in the panels of some of their nodes."""
    turns = threads_of(data)
    for island in range(data.nisland):
        if data.isl_part[island, SHARED] != 0.0:
            node, number = data.isl_nodeadr[island], data.isl_nodenum[island]
            update_hessian(data, island, node + number * turn // turns, node + number * (turn + 1) // turns)


@apart
def _direct(model, data, island):
    """Task: the next direction, sol_search, and its products with the rows, efc_Jv."""
    if data.isl_changenum[island] < 0:
        return
    sums, part, first = data.isl_sum, data.isl_part, first_of_part(model, island)
    search, grad = data.sol_search, data.sol_grad
    begin = data.isl_xadr[island]
    end = begin + data.isl_xnum[island]
    is_same = False
    if data.isl_changenum[island] > 0 or part[first, FRESH] != 0.0:
        if part[island, SHARED] == 0.0:
            node = data.isl_nodeadr[island]
            update_hessian(data, island, node, node + data.isl_nodenum[island])
        part[island, SHARED] = 0.0
        keep_weights(data, island)
        low, high = factor_nodes(data, island)
        sums[island, LOW], sums[island, HIGH] = min(sums[island, LOW], low), max(sums[island, HIGH], high)
    else:
        is_same = part[first, EXACT] == 0.0
    start_group, end_group = groups_of(data, island, island + 1)
    if is_same:
        shrink = 1.0 - part[first, ALPHA]
        for k in range(begin, end):
            search[k] *= shrink
        for k in range(start_group, end_group):
            g = data.isl_grp[k]
            for r in range(data.grp_row[g], data.grp_row[g] + data.grp_nrow[g]):
                data.efc_Jv[r] *= shrink
    else:
        for k in range(begin, end):
            search[k] = -grad[k]
        solve_nodes(data, island, search)
        multiply_J(data, start_group, end_group, data.seg_x, search, data.efc_Jv)
    slope = size = 0.0
    for k in range(begin, end):
        slope += search[k] * grad[k]
        size += search[k] * search[k]
    sums[island, SLOPE], sums[island, SIZE] = slope, size


@apart
def _advance(model, data, island):
    """Task: a step along the direction, the rows and the gradient there."""
    number = data.isl_changenum[island]
    if number < 0:
        return
    sums, part, first = data.isl_sum, data.isl_part, first_of_part(model, island)
    alpha, exact = part[first, ALPHA], part[first, EXACT] != 0.0
    shrink = 1.0 - alpha
    cost, active, changes, updates = update_rows(data, island, alpha, True)
    sums[island, COST], sums[island, ACTIVE] = cost, active
    sums[island, CHANGES], sums[island, UPDATES] = changes, updates
    begin = data.isl_xadr[island]
    end = begin + data.isl_xnum[island]
    for k in range(begin, end):
        data.sol_qacc[k] += alpha * data.sol_search[k]
        data.sol_grad[k] *= shrink
    number = data.isl_changenum[island]
    if exact:
        _gradient(model, data, island)
    else:
        at = data.isl_grpadr[island]
        for k in range(at, at + number):
            add_JT(data, data.grp_changed[k], data.seg_x, data.efc_correction, -1.0, data.sol_grad)
    total = 0.0
    if number == 0 and shrink == 0.0 and not exact:
        _rest(data, island)
    else:
        for k in range(begin, end):
            total += data.sol_grad[k] * data.sol_grad[k]
    sums[island, NORM] = total


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


@apart
def _gradient(model, data, island):
    """sol_grad of an island, recomputed from all rows."""
    scatter(model, data, island, island + 1, data.sol_qacc, data.sol_step)
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        adr = model.block_dofadr[data.isl_block[k]]
        for i in range(adr, adr + model.block_dofnum[data.isl_block[k]]):
            data.sol_step[i] -= data.qacc_smooth[i]
    multiply_M(model, data, island, data.sol_step, data.sol_Mstep)
    gather(model, data, island, island + 1, data.sol_Mstep, data.sol_grad)
    start_group, end_group = groups_of(data, island, island + 1)
    add_forces(data, start_group, end_group, data.seg_x, data.efc_force, -1.0, data.sol_grad)


@kernel
def _inertial(model, data, first, end):
    """p'Mp for the direction in sol_search."""
    total = 0.0
    for island in range(first, end):
        scatter(model, data, island, island + 1, data.sol_search, data.sol_step)
        total += 2.0 * multiply_M(model, data, island, data.sol_step, data.sol_Mstep)
    return total


@apart
def _finish(model, data, island):
    """Task: qacc and qfrc_constraint of an island."""
    collect_forces(model, data, island, island + 1, data.sol_grad)
    scatter(model, data, island, island + 1, data.sol_qacc, data.qacc)
