"""Constraint forces by conjugate gradients on the reduced primal problem, preconditioned with M.

The direction is that of Polak and Ribiere, restarted where its factor would be negative; the iterates are MuJoCo's.
All vectors are over dofs. Specification: Computation, "Algorithms".
"""

from __future__ import annotations

import math

from engine.dynamics.constraint import add_JT, group_product, store_rows
from engine.dynamics.hessian import multiply_M
from engine.dynamics.inertia import solve_dofs
from engine.dynamics.line_search import evaluate, line_search, newton_step
from engine.dynamics.solver_primal import begin, cost_of, finish_free, scale_of, solves_islands, start, update_rows
from engine.dynamics.statistics import add_iteration
from engine.jit.kernel import kernel, small
from engine.jit.simd import WIDTH
from engine.jit.vec import MINVAL


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
        if solves_islands(model):
            for island in range(data.nisland):
                cost = cost_of(data, island, island + 1)
                _minimise(model, data, island, island + 1, cost, 0.0, 0.0, 0.0, scale_of(model, data, island))
            finish_free(model, data, 0.0)
        else:
            left = _minimise(model, data, 0, data.nisland, cost, free, length, square, scale_of(model, data, -1))
            finish_free(model, data, left)
    for i in range(model.nv):
        data.qacc_warmstart[i] = data.qacc[i]


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
        p0 = evaluate(data, first, end, smooth1, smooth2, 0.0)
        p1 = evaluate(data, first, end, smooth1, smooth2, newton_step(p0))
        least = tolerance * model.opt_ls_tolerance * size
        alpha, line_slope, evaluations = line_search(model, data, first, end, smooth1, smooth2, least, p0, p1)
        if alpha == 0.0:
            break
        before, cost = cost, 0.0
        active = changes = 0
        for island in range(first, end):
            value, island_active, island_changes, _ = update_rows(data, island, alpha, False)
            cost += value
            active += island_active
            changes += island_changes
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


@small
def _blocks(data, first, end):
    """The range of isl_block that holds the blocks of a range of islands."""
    return data.isl_blockadr[first], data.isl_blockadr[end - 1] + data.isl_blocknum[end - 1]


@kernel
def _dot(model, data, first, end, a, b):
    """The product of two vectors over the dofs of a range of islands."""
    total = 0.0
    start, stop = _blocks(data, first, end)
    for k in range(start, stop):
        adr = model.block_dofadr[data.isl_block[k]]
        for i in range(adr, adr + model.block_dofnum[data.isl_block[k]]):
            total += a[i] * b[i]
    return total


@kernel
def _precondition(model, data, first, end):
    """sol_Mgrad <- inverse(M) sol_grad."""
    result = data.sol_Mgrad
    start, stop = _blocks(data, first, end)
    for k in range(start, stop):
        adr = model.block_dofadr[data.isl_block[k]]
        for i in range(adr, adr + model.block_dofnum[data.isl_block[k]]):
            result[i] = data.sol_grad[i]
    for k in range(start, stop):
        block = data.isl_block[k]
        if model.block_parentid[block] < 0:
            tree = model.dof_treeid[model.block_dofadr[block]]
            adr = model.tree_dofadr[tree]
            solve_dofs(model, data.qLD, data.qLDiagInv, result, adr, adr + model.tree_dofnum[tree])


@kernel
def _direct(model, data, first, end, beta):
    """The next direction: sol_search, sol_Mstep = M times it, efc_Jv.

    Returns the first and the second derivative of the motion part of the cost along it, and its squared length.
    """
    search = data.sol_search
    slope = size = motion = 0.0
    start, stop = _blocks(data, first, end)
    for k in range(start, stop):
        adr = model.block_dofadr[data.isl_block[k]]
        for i in range(adr, adr + model.block_dofnum[data.isl_block[k]]):
            search[i] = beta * search[i] - data.sol_Mgrad[i]
            size += search[i] * search[i]
            slope += search[i] * data.sol_Ma[i]
    for island in range(first, end):
        motion += 2.0 * multiply_M(model, data, island, search, data.sol_Mstep)
        begin_group = data.isl_grpadr[island]
        for k in range(begin_group, begin_group + data.isl_grpnum[island]):
            g = data.isl_grp[k]
            store_rows(data, g, group_product(data, g, data.seg_dof, search), data.efc_Jv)
    return slope, motion, size


@kernel
def _advance(model, data, first, end, alpha):
    """Move along the direction; qacc, qfrc_constraint and the gradient there. Returns the squared length of the
    gradient.
    """
    force = data.sol_qacc  # padded
    start, stop = _blocks(data, first, end)
    for k in range(start, stop):
        adr = model.block_dofadr[data.isl_block[k]]
        for i in range(adr, adr + model.block_dofnum[data.isl_block[k]]):
            force[i] = 0.0
    for island in range(first, end):
        begin_group = data.isl_grpadr[island]
        for k in range(begin_group, begin_group + data.isl_changenum[island]):
            add_JT(data, data.grp_changed[k], data.seg_dof, data.efc_force, 1.0, force)
    total = 0.0
    for k in range(start, stop):
        adr = model.block_dofadr[data.isl_block[k]]
        for i in range(adr, adr + model.block_dofnum[data.isl_block[k]]):
            data.qacc[i] += alpha * data.sol_search[i]
            data.sol_Ma[i] += alpha * data.sol_Mstep[i]
            data.qfrc_constraint[i] = force[i]
            gradient = data.sol_Ma[i] - force[i]
            data.sol_grad[i] = gradient
            total += gradient * gradient
    return total
