"""Constraint forces by Newton's method on the reduced primal problem, island by island.

The gradient is carried along (engine/dynamics/solver_primal.py): along a Newton direction p, H p = -gradient,
so a step of length alpha scales it by 1 - alpha, except for rows whose forces did not change as the Hessian
predicts. The Hessian changes by the same rows. Specification: Computation, "Algorithms".
"""

from __future__ import annotations

import math

from engine.dynamics.cholesky import factor_nodes, solve_nodes
from engine.dynamics.hessian import start_from_M, update_hessian
from engine.dynamics.line_search import line_search, line_start
from engine.dynamics.solver_primal import advance, begin_all, begin_island, finish_island
from engine.dynamics.statistics import ISLANDS
from engine.jit.kernel import kernel

# The rounding error of the gradient that is carried along, relative to the largest gradient so far.
ROUNDING = 1e-15


@kernel
def solve(model, data):
    """Constrained acceleration and constraint forces: qacc, qfrc_constraint, efc_force, efc_state.

    Starts from qacc_warmstart or qacc_smooth, whichever costs less, and leaves qacc in qacc_warmstart.
    """
    begin_all(model, data)
    search, grad = data.sol_search, data.sol_grad
    for island in range(data.nisland):
        entries = data.isl_xnum[island]
        tolerance = model.opt_tolerance * model.stat_meaninertia * data.isl_dofnum[island]
        iterations = 0
        for attempt in range(2):
            cost, changes = begin_island(model, data, island, attempt > 0)
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
                force_Jv, Jv_W_Jv, change, line1, line2 = line_start(data, island)
                smooth1, smooth2 = slope + force_Jv, -slope - Jv_W_Jv
                least = tolerance * model.opt_ls_tolerance * math.sqrt(length)
                alpha = 1.0
                if abs(line1 + smooth1 + smooth2) > least:
                    alpha, change = line_search(model, data, island, smooth1, smooth2, least, change, line1, line2)
                iterations += 1
                gain = cost - change - alpha * (smooth1 + 0.5 * alpha * smooth2)
                cost = change
                for k in range(entries):
                    data.sol_qacc[k] += alpha * search[k]
                    grad[k] *= 1.0 - alpha
                changes, _ = advance(data, island, alpha)
                size = 0.0
                for k in range(entries):
                    size += grad[k] * grad[k]
                most = max(most, size)
                if gain < tolerance or math.sqrt(size) < tolerance:
                    break
            # The rounding error may be as large as the tolerance: sum the gradient up anew and go on from
            # there.
            if not math.sqrt(most) * ROUNDING > tolerance:
                break
        finish_island(model, data, island)
        if island < ISLANDS:
            data.solver_niter[island] = iterations
    for i in range(model.nv):
        data.qacc_warmstart[i] = data.qacc[i]
