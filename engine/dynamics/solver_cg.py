"""Constraint forces by conjugate gradients on the reduced primal problem, preconditioned with M.

The direction is that of Polak and Ribiere, restarted where its factor would be negative; the iterates are MuJoCo's.
All vectors are over dofs. Specification: Computation, "Algorithms".
"""

from __future__ import annotations

import math

from engine.dynamics.constraint import add_forces, multiply_J
from engine.dynamics.constraint_rows import FRICTION, QUADRATIC
from engine.dynamics.cost import row_cost
from engine.dynamics.inertia import mul_dofs, solve_dofs
from engine.dynamics.line_search import evaluate, line_of_islands, line_search, newton_step
from engine.dynamics.solver_primal import (
    begin,
    finish_free,
    finish_solution,
    groups_of,
    scale_of,
    solves_islands,
    start,
    update_group,
    update_rows,
)
from engine.dynamics.statistics import add_iteration
from engine.jit.kernel import dense, kernel, small, view
from engine.jit.simd import WIDTH
from engine.jit.vec import MINVAL
from engine.model.enums import CNSTRSTATE_QUADRATIC, CNSTRSTATE_SATISFIED, CONE_PYRAMIDAL


@kernel
def solve(model, data):
    """Constrained acceleration and constraint forces: qacc, qfrc_constraint, efc_force, efc_state.

    Starts from qacc_warmstart or qacc_smooth, whichever costs less, and leaves qacc in qacc_warmstart.
    """
    if begin(model, data):
        cost, free, length, square = start(model, data, False)
        for i in range(model.nv):
            data.sol_grad[i] = data.sol_Mstep[i]
        for i in range(model.nv + WIDTH):
            data.sol_qacc[i] = 0.0
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
    """Conjugate gradients over a range of islands; sets qacc and qfrc_constraint there.

    free, length, square: the sums of `start` over dofs that no row touches. Returns the share of the way to qacc_smooth
    that these dofs have left.
    """
    tolerance = model.opt_tolerance * scale
    search, grad = data.sol_search, data.sol_grad
    for i in range(model.nv + WIDTH):
        search[i] = 0.0
    _precondition(model, data, first, end)
    # The direction of the dofs that no row touches is `going` times the way that they had at the start.
    left, going = 1.0, -1.0
    product = _dot(model, data, first, end, grad, data.sol_Mgrad) + free
    beta = 0.0
    for _ in range(model.opt_iterations):
        motion1, motion2, size = _direct(model, data, first, end, beta)
        smooth1 = motion1 + going * left * free
        smooth2 = motion2 + going * going * free
        size = math.sqrt(size + going * going * length)
        if not size >= MINVAL:
            break
        p0 = evaluate(model, data, first, end, smooth1, smooth2, 0.0)
        p1 = evaluate(model, data, first, end, smooth1, smooth2, newton_step(p0))
        least = tolerance * model.opt_ls_tolerance * size
        alpha, line_slope, evaluations = line_search(model, data, first, end, smooth1, smooth2, least, p0, p1)
        if alpha == 0.0:
            break
        before = cost
        if first == 0 and end == data.nisland:
            cost, active, changes = _update_rows(model, data, alpha)
        else:
            cost, active, changes, _ = update_rows(data, first, alpha, False)
        last, left = left, left + alpha * going
        total = _advance(model, data, first, end, alpha) + left * left * square
        gain = before - cost - alpha * (smooth1 + 0.5 * alpha * smooth2)
        norm = math.sqrt(total)
        rate = abs(line_slope) / (size * scale)
        add_iteration(data, first, gain / scale, norm / scale, rate, active, changes, evaluations, 0)
        if gain < tolerance or norm < tolerance:
            break
        mixed = _dot(model, data, first, end, grad, data.sol_Mgrad) + left * last * free
        _precondition(model, data, first, end)
        now = _dot(model, data, first, end, grad, data.sol_Mgrad) + left * left * free
        beta = max(0.0, (now - mixed) / max(MINVAL, product))
        product = now
        going = beta * going - left
    return left


@kernel
def _update_rows(model, data, alpha):
    """`update_rows` for the whole model, kind by kind as in `line_of_rows`."""
    begin = data.ne + data.nf
    end = data.nefc if model.opt_cone == CONE_PYRAMIDAL else begin + data.nl
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
            if states[r] != CNSTRSTATE_QUADRATIC:
                changes += 1
                states[r] = CNSTRSTATE_QUADRATIC
        else:
            forces[r] = 0.0
            if states[r] != CNSTRSTATE_SATISFIED:
                changes += 1
                states[r] = CNSTRSTATE_SATISFIED
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


@kernel
def _add(a, b, n, scale):
    """a += scale b, for vectors of n numbers."""
    for i in range(n):
        a[i] += scale * b[i]


@kernel
def _subtract(result, a, b, n):
    """result <- a - b, for vectors of n numbers."""
    for i in range(n):
        result[i] = a[i] - b[i]


@kernel
def _turn(direction, gradient, n, beta):
    """direction <- beta direction - gradient, for vectors of n numbers."""
    for i in range(n):
        direction[i] = beta * direction[i] - gradient[i]


@kernel
def _dot(model, data, first, end, a, b):
    """The product of two vectors over the dofs of a range of islands."""
    total = 0.0
    k, stop = _blocks(data, first, end)
    while k < stop:
        adr, last, k = _dofs(model, data, k, stop)
        total += _product(view(a, adr, last - adr), view(b, adr, last - adr), last - adr)
    return total


@kernel
def _precondition(model, data, first, end):
    """sol_Mgrad <- inverse(M) sol_grad."""
    result = data.sol_Mgrad
    k, stop = _blocks(data, first, end)
    while k < stop:
        adr, last, k = _dofs(model, data, k, stop)
        for i in range(adr, last):
            result[i] = data.sol_grad[i]
        solve_dofs(model, data.qLD, data.qLDiagInv, result, adr, last)


@kernel
def _direct(model, data, first, end, beta):
    """The next direction: sol_search, sol_Mstep = M times it, efc_Jv.

    Returns the first and the second derivative of the motion part of the cost along it, and its squared length.
    """
    search = data.sol_search
    k, stop = _blocks(data, first, end)
    while k < stop:
        adr, last, k = _dofs(model, data, k, stop)
        _turn(view(search, adr, last - adr), view(data.sol_Mgrad, adr, last - adr), last - adr, beta)
        mul_dofs(model, data.M, search, data.sol_Mstep, adr, last)
    start_group, end_group = groups_of(data, first, end)
    multiply_J(data, start_group, end_group, data.seg_dof, search, data.efc_Jv)
    slope = _dot(model, data, first, end, search, data.sol_Ma)
    motion = _dot(model, data, first, end, search, data.sol_Mstep)
    return slope, motion, _dot(model, data, first, end, search, search)


@kernel
def _advance(model, data, first, end, alpha):
    """Move along the direction; qacc, qfrc_constraint and the gradient there. Returns the squared length of the
    gradient.
    """
    force = data.sol_qacc  # padded
    k, stop = _blocks(data, first, end)
    while k < stop:
        adr, last, k = _dofs(model, data, k, stop)
        for i in range(adr, last):
            force[i] = 0.0
    start_group, end_group = groups_of(data, first, end)
    add_forces(data, start_group, end_group, data.seg_dof, data.efc_force, 1.0, force)
    k, stop = _blocks(data, first, end)
    while k < stop:
        adr, last, k = _dofs(model, data, k, stop)
        n = last - adr
        inertial = view(data.sol_Ma, adr, n)
        _add(view(data.qacc, adr, n), view(data.sol_search, adr, n), n, alpha)
        _add(inertial, view(data.sol_Mstep, adr, n), n, alpha)
        _subtract(view(data.sol_grad, adr, n), inertial, view(force, adr, n), n)
        for i in range(adr, last):
            data.qfrc_constraint[i] = force[i]
    return _dot(model, data, first, end, data.sol_grad, data.sol_grad)
