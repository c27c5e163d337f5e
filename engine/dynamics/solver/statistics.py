"""Statistics of the constraint solvers, as MuJoCo keeps them (mjSolverStat): a row for each iteration.

data.solver_niter[island] counts the iterations of an island. What is known about iteration k of island i stands in
entry ITERATIONS * i + k of solver_improvement, solver_gradient, solver_lineslope, solver_nactive, solver_nchange,
solver_neval and solver_nupdate. A model that is solved as a whole is island 0. Only the first ISLANDS islands, and the
first ITERATIONS iterations of each, have entries.

A solver calls `begin_statistics` once, then `add_iteration` after each iteration; a second solver (noslip) goes on
calling `add_iteration`: its entries follow those of the first.
"""

from __future__ import annotations

from kinetree.engine.jit.kernel import small

ISLANDS = 20
ITERATIONS = 200


@small
def begin_statistics(data):
    """No iterations yet. Entries of earlier solutions stay, as in MuJoCo."""
    for i in range(ISLANDS):
        data.solver_niter[i] = 0


@small
def add_iteration(data, island, improvement, gradient, lineslope, nactive, nchange, neval, nupdate):
    """Append an iteration. improvement, gradient, lineslope: scaled as the solver's tolerance is."""
    if island < ISLANDS:
        k = data.solver_niter[island]
        data.solver_niter[island] = k + 1
        if k < ITERATIONS:
            at = ITERATIONS * island + k
            data.solver_improvement[at] = improvement
            data.solver_gradient[at] = gradient
            data.solver_lineslope[at] = lineslope
            data.solver_nactive[at] = nactive
            data.solver_nchange[at] = nchange
            data.solver_neval[at] = neval
            data.solver_nupdate[at] = nupdate
