"""Constraint forces by conjugate gradients on the reduced primal problem, preconditioned with M.

The direction is that of Polak and Ribiere, restarted where its factor would be negative; the iterates are MuJoCo's.
All vectors are over dofs. Specification: Computation, "Algorithms".
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.constraint.constraint import add_forces, multiply_J
from kinetree.engine.dynamics.constraint.rows import FRICTION, QUADRATIC
from kinetree.engine.dynamics.position.inertia import mul_dofs, solve_dofs
from kinetree.engine.dynamics.solver.cost import row_cost
from kinetree.engine.dynamics.solver.edges import add_edge_forces, find_edges, multiply_edges
from kinetree.engine.dynamics.solver.line_search import evaluate, line_search, newton_step
from kinetree.engine.dynamics.solver.primal import (
    ALPHA,
    batch,
    first_of_part,
    groups_of,
    number_of_batches,
    rows_at_start,
    scatter,
    solve_part_with,
    solve_with,
    solves_islands,
    update_group,
    update_rows,
)
from kinetree.engine.dynamics.solver.statistics import add_iteration
from kinetree.engine.jit.kernel import apart, dense, kernel, small, view
from kinetree.engine.jit.parallel import for_each
from kinetree.engine.jit.rounding import to_int
from kinetree.engine.jit.simd import WIDTH
from kinetree.engine.jit.vec import MINVAL
from kinetree.engine.model import enums

# Other columns of isl_part: what the last direction counts in the next one; the range of isl_grp that holds rows of
# edges (`find_edges`).
BETA, EDGES, EDGES_END = 1, 2, 3
# Columns of isl_sum. Along the direction: the first and the second derivative of the motion part of the cost; its
# squared length, after a step that of the gradient. Products of the gradient with the last preconditioned gradient and
# with its own.
SLOPE, CURVE, SIZE, MIXED, PRODUCT = range(5)


@kernel
def solve(model, data):
    """Stage: the solution of all islands (`solve_with`)."""
    solve_with(model, data, _start_rows, _solve_part)


@apart
def _start_rows(model, data, k):
    """Task: the rows of a batch of islands at the start."""
    rows_at_start(model, data, k, False)


@apart
def _solve_part(model, data, island):
    """Task: solve an island that is a part of its own, or (-1) the whole model."""
    solve_part_with(model, data, island, _minimise)


@small
def _islands(model, data, k):
    """The range of islands that a task handles: a batch, or the island that is a part of its own."""
    if solves_islands(model):
        return k, k + 1
    return batch(data, k)


@small
def _sum(data, first, end, column):
    """Sum of the tasks' results in a column of isl_sum."""
    total = 0.0
    for k in range(first, end):
        total += data.isl_sum[k, column]
    return total


@kernel
def _minimise(model, data, first, end, cost, free, length, square, scale):
    """Conjugate gradients over a range of islands; sets qacc and qfrc_constraint there.

    free, length, square: the sums of `start` over dofs that no row touches. Returns the share of the way to qacc_smooth
    that these dofs have left.
    """
    is_whole = not solves_islands(model)
    last = number_of_batches(data) if is_whole else end  # tasks are numbered from `first` to here
    tolerance = model.opt_tolerance * scale
    part = data.isl_part
    part[first, BETA] = 0.0
    start_group, end_group = groups_of(data, first, end)
    part[first, EDGES], part[first, EDGES_END] = find_edges(data, start_group, end_group)
    for_each(_begin_islands, model, data, first, last)
    # The direction of the dofs that no row touches is `going` times the way that they had at the start.
    left, going = 1.0, -1.0
    product = _sum(data, first, last, PRODUCT) + free
    for _ in range(model.opt_iterations):
        for_each(_turn_islands, model, data, first, last)
        for_each(_multiply, model, data, first, last)
        smooth1 = _sum(data, first, last, SLOPE) + going * left * free
        smooth2 = _sum(data, first, last, CURVE) + going * going * free
        size = math.sqrt(_sum(data, first, last, SIZE) + going * going * length)
        if not size >= MINVAL:
            break
        p0 = evaluate(model, data, first, end, smooth1, smooth2, 0.0)
        p1 = evaluate(model, data, first, end, smooth1, smooth2, newton_step(p0))
        least = tolerance * model.opt_ls_tolerance * size
        alpha, line_slope, evaluations = line_search(model, data, first, end, smooth1, smooth2, least, p0, p1)
        if alpha == 0.0:
            break
        before = cost
        if is_whole:
            cost, active, changes = _update_rows(model, data, alpha)
        else:
            cost, active, changes, _ = update_rows(data, first, alpha, False)
        before_step, left = left, left + alpha * going
        part[first, ALPHA] = alpha
        for_each(_advance, model, data, first, last)
        gain = before - cost - alpha * (smooth1 + 0.5 * alpha * smooth2)
        norm = math.sqrt(_sum(data, first, last, SIZE) + left * left * square)
        rate = abs(line_slope) / (size * scale)
        add_iteration(data, first, gain / scale, norm / scale, rate, active, changes, evaluations, 0)
        if gain < tolerance or norm < tolerance:
            break
        for_each(_precondition, model, data, first, last)
        mixed = _sum(data, first, last, MIXED) + left * before_step * free
        now = _sum(data, first, last, PRODUCT) + left * left * free
        beta = part[first, BETA] = max(0.0, (now - mixed) / max(MINVAL, product))
        product = now
        going = beta * going - left
    return left


@kernel
def _update_rows(model, data, alpha):
    """`update_rows` for the whole model, kind by kind as in `line_of_rows`."""
    begin = data.ne + data.nf
    end = data.nefc if model.opt_cone == enums.CONE_PYRAMIDAL else begin + data.nl
    cost = 0.0
    active = changes = 0
    for r in range(begin):
        jar = data.efc_jar[r] + alpha * data.efc_Jv[r]
        kind = QUADRATIC if r < data.ne else FRICTION
        force, _, value, state = row_cost(kind, jar, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r])
        cost += value
        active += 1
        if state != data.efc_state[r]:
            changes += 1
        data.efc_jar[r], data.efc_force[r], data.efc_state[r] = jar, force, state
    n = end - begin
    jars, Jv, d = view(data.efc_jar, begin, n), view(data.efc_Jv, begin, n), view(data.efc_D, begin, n)
    forces, states = view(data.efc_force, begin, n), view(data.efc_state, begin, n)
    for r in range(n):
        jar = jars[r] + alpha * Jv[r]
        jars[r] = jar
        if jar < 0.0:
            force = -d[r] * jar
            forces[r] = force
            cost -= 0.5 * force * jar
            active += 1
            if states[r] != enums.CNSTRSTATE_QUADRATIC:
                changes += 1
                states[r] = enums.CNSTRSTATE_QUADRATIC
        else:
            forces[r] = 0.0
            if states[r] != enums.CNSTRSTATE_SATISFIED:
                changes += 1
                states[r] = enums.CNSTRSTATE_SATISFIED
    g = data.ngrp - 1
    while g >= 0 and data.grp_row[g] >= end:
        value, group_active, group_changes, _, _ = update_group(data, g, alpha, False)
        cost += value
        active += group_active
        changes += group_changes
        g -= 1
    return cost, active, changes


@small
def _dofs(model, data, k, stop):
    """The consecutive dofs of the blocks in isl_block[k:stop], as far as they follow each other: first, end, next k."""
    first = model.block_dofadr[data.isl_block[k]]
    end = first
    while k < stop and model.block_dofadr[data.isl_block[k]] == end:
        end += model.block_dofnum[data.isl_block[k]]
        k += 1
    return first, end, k


@small
def _blocks(data, first, end):
    """The range of isl_block that holds the blocks of a range of islands."""
    return data.isl_blockadr[first], data.isl_blockadr[end - 1] + data.isl_blocknum[end - 1]


@dense
def _product(a, b, n):
    """The product of two vectors of n numbers."""
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@dense
def _products(x, a, b, n):
    """The products of a vector of n numbers with two others, and with itself."""
    with_a = with_b = square = 0.0
    for i in range(n):
        with_a += x[i] * a[i]
        with_b += x[i] * b[i]
        square += x[i] * x[i]
    return with_a, with_b, square


@dense
def _step(model, data, adr, n, alpha):
    """A step along the direction, of n dofs from adr on; the squared length of the gradient there."""
    acc, search = view(data.qacc, adr, n), view(data.sol_search, adr, n)
    inertial, rate = view(data.sol_Ma, adr, n), view(data.sol_Mstep, adr, n)
    forces, gradient = view(data.qfrc_constraint, adr, n), view(data.sol_grad, adr, n)
    for i in range(n):
        acc[i] += alpha * search[i]
        inertial[i] += alpha * rate[i]
    square = 0.0
    for i in range(n):
        g = inertial[i] - forces[i]
        gradient[i] = g
        square += g * g
    return square


@dense
def _replace(a, b, n):
    """a <- b, for vectors of n numbers; their product before."""
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
        a[i] = b[i]
    return total


@kernel
def _turn(direction, gradient, n, beta):
    """direction <- beta direction - gradient, for vectors of n numbers."""
    for i in range(n):
        direction[i] = beta * direction[i] - gradient[i]


@small
def _groups(model, data, first, end):
    """The range of isl_grp that holds the groups of a range of islands, and in it that of rows of edges:
    begin, begin of the edges, end of the edges, end.
    """
    start_group, end_group = groups_of(data, first, end)
    part = first_of_part(model, first)
    edges = to_int(data.isl_part[part, EDGES], start_group, end_group)
    edges_end = to_int(data.isl_part[part, EDGES_END], edges, end_group)
    return start_group, edges, edges_end, end_group


@apart
def _begin_islands(model, data, k):
    """Task: the gradient at the start."""
    first, end = _islands(model, data, k)
    at, stop = _blocks(data, first, end)
    while at < stop:
        adr, last, at = _dofs(model, data, at, stop)
        for i in range(adr, last):
            data.sol_grad[i] = data.sol_Mstep[i]
    _precondition(model, data, k)


@apart
def _precondition(model, data, k):
    """Task: sol_Mgrad <- inverse(M) sol_grad; MIXED, PRODUCT."""
    first, end = _islands(model, data, k)
    gradient, result = data.sol_grad, data.sol_Mgrad
    mixed = product = 0.0
    at, stop = _blocks(data, first, end)
    while at < stop:
        adr, last, at = _dofs(model, data, at, stop)
        n = last - adr
        mixed += _replace(view(result, adr, n), view(gradient, adr, n), n)
        solve_dofs(model, data.qLD, data.qLDiagInv, result, adr, last)
        product += _product(view(gradient, adr, n), view(result, adr, n), n)
    data.isl_sum[k, MIXED], data.isl_sum[k, PRODUCT] = mixed, product


@apart
def _turn_islands(model, data, k):
    """Task: the next direction, sol_search, and sol_Mstep = M times it."""
    first, end = _islands(model, data, k)
    beta = data.isl_part[first_of_part(model, first), BETA]
    at, stop = _blocks(data, first, end)
    while at < stop:
        adr, last, at = _dofs(model, data, at, stop)
        _turn(view(data.sol_search, adr, last - adr), view(data.sol_Mgrad, adr, last - adr), last - adr, beta)
        mul_dofs(model, data.M, data.sol_search, data.sol_Mstep, adr, last)


@apart
def _multiply(model, data, k):
    """Task: products of the direction with the rows, efc_Jv; SLOPE, CURVE, SIZE.

    Apart from the task before: a chunk of four may read the direction of the next island.
    """
    first, end = _islands(model, data, k)
    search, sums = data.sol_search, data.isl_sum
    start_group, edges, edges_end, end_group = _groups(model, data, first, end)
    multiply_J(data, start_group, edges, data.seg_dof, search, data.efc_Jv)
    multiply_edges(data, edges, edges_end, search, data.efc_Jv)
    multiply_J(data, edges_end, end_group, data.seg_dof, search, data.efc_Jv)
    slope = curve = size = 0.0
    at, stop = _blocks(data, first, end)
    while at < stop:
        adr, last, at = _dofs(model, data, at, stop)
        n = last - adr
        a, b, c = _products(view(search, adr, n), view(data.sol_Ma, adr, n), view(data.sol_Mstep, adr, n), n)
        slope += a
        curve += b
        size += c
    sums[k, SLOPE], sums[k, CURVE], sums[k, SIZE] = slope, curve, size


@kernel
def _collect_forces(model, data, first, end):
    """`collect_forces` with the rows of edges apart."""
    force = data.sol_qacc
    for k in range(data.isl_xadr[first], data.isl_xadr[end - 1] + data.isl_xnum[end - 1] + WIDTH):
        force[k] = 0.0
    start_group, edges, edges_end, end_group = _groups(model, data, first, end)
    add_forces(data, start_group, edges, data.seg_x, data.efc_force, 1.0, force)
    add_edge_forces(data, edges, edges_end, data.efc_force, force)
    add_forces(data, edges_end, end_group, data.seg_x, data.efc_force, 1.0, force)
    scatter(model, data, first, end, force, data.qfrc_constraint)


@apart
def _advance(model, data, k):
    """Task: a step along the direction; qacc, qfrc_constraint and the gradient there, SIZE."""
    first, end = _islands(model, data, k)
    alpha = data.isl_part[first_of_part(model, first), ALPHA]
    _collect_forces(model, data, first, end)
    size = 0.0
    at, stop = _blocks(data, first, end)
    while at < stop:
        adr, last, at = _dofs(model, data, at, stop)
        size += _step(model, data, adr, last - adr, alpha)
    data.isl_sum[k, SIZE] = size
