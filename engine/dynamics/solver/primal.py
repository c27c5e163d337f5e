"""Shared by the primal solvers (Newton; conjugate gradients): start, update of the rows, result.

They minimise over accelerations a: 1/2 (a - qacc_smooth)' M (a - qacc_smooth) + s(J a - aref), where s is the cost of
the constraint rows (`cost.py`). Specification: Computation, "Reduced primal problem" and "Algorithms". A solver of this
kind is

    begin, start
    for each part: until it has converged
        a direction in sol_search
        products with the rows, line_search (engine/dynamics/solver/line_search.py)
        a step along the direction; update_rows
    finish

A part is a range of islands that are solved together, with one step length: all of them, as MuJoCo does unless its
islands are enabled, or one. Dofs that no row touches go straight to qacc_smooth: their direction is the rest of the
way, so a step of length alpha leaves 1 - alpha of it, and a few sums over them (`start`) are all that a solver needs.

Independent work on an island is a separate task; the threads of the data share the tasks (engine/jit/parallel.py). A
task leaves its sums in a row of isl_sum; the common values of all islands of a part are in the row of isl_part of the
first one. Small islands are handled in batches.
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.constraint.cone import cone_hessian, cone_predict, cone_update
from kinetree.engine.dynamics.constraint.constraint import add_forces, multiply_J
from kinetree.engine.dynamics.constraint.rows import CONE
from kinetree.engine.dynamics.position.inertia import mul_m
from kinetree.engine.dynamics.solver.cost import line_of_rows, row_cost
from kinetree.engine.dynamics.solver.line_search import line_of_islands
from kinetree.engine.dynamics.solver.statistics import begin_statistics
from kinetree.engine.jit.kernel import apart, kernel, small
from kinetree.engine.jit.parallel import for_each, for_each_part
from kinetree.engine.jit.simd import WIDTH
from kinetree.engine.jit.vec import load4, store4
from kinetree.engine.model import enums

# Columns of isl_part.
ALPHA = 0
"""Length of the last step."""

# Columns of isl_sum; each solver has more.
COST, ACTIVE, CHANGES, UPDATES = range(4)
"""Results of `update_rows`."""

BATCH = 64
"""Small islands are handled together until they have about as many dofs."""


@small
def begin(model, data):
    """Before a solution; whether there are rows. Without any the accelerations are the smooth ones."""
    begin_statistics(data)
    for i in range(model.nv):
        data.qacc[i] = data.qacc_smooth[i]
        data.qfrc_constraint[i] = 0.0
    return data.nisland > 0


@small
def finish_solution(model, data):
    """After a solution: qacc_warmstart <- qacc. Where there are rows and an acceleration is not finite, all become NaN.

    In MuJoCo sums over the whole model spread a NaN; here islands would keep it, or a solver would stop before it
    takes part, and the state would go on with forces that are not numbers.
    """
    bad = 0.0
    for i in range(model.nv if data.nefc > 0 else 0):
        bad += 0.0 * (data.qacc[i] + data.qacc_smooth[i])
    for i in range(model.nv):
        data.qfrc_constraint[i] += bad  # zero, or NaN
        data.qacc[i] += bad
        data.qacc_warmstart[i] = data.qacc[i]


@small
def solves_islands(model):
    """Whether the model's islands are solved one by one."""
    return model.opt_enableflags & enums.ENBL_ISLAND != 0 and model.opt_noslip_iterations == 0


@small
def first_of_part(model, island):
    """The first island of the part that an island belongs to."""
    return island if solves_islands(model) else 0


@small
def _islands_in_batch(data):
    last = data.nisland - 1
    return max(1, BATCH * data.nisland // (data.isl_xadr[last] + data.isl_xnum[last]))


@small
def number_of_batches(data):
    """How many batches the islands of the model make."""
    number = _islands_in_batch(data)
    return (data.nisland + number - 1) // number


@small
def batch(data, k):
    """The range of islands in a batch."""
    number = _islands_in_batch(data)
    return k * number, min((k + 1) * number, data.nisland)


@kernel
def solve_with(model, data, start_rows, solve_part):
    """Constrained acceleration and constraint forces: qacc, qfrc_constraint, efc_force, efc_state.

    Starts from qacc_warmstart or qacc_smooth, whichever costs less, and leaves qacc in qacc_warmstart. The solver gives
    its method as tasks: start_rows is that of `start`, solve_part solves one island, or (-1) the whole model.
    """
    if begin(model, data):
        start(model, data, start_rows)
        if solves_islands(model):
            for_each_part(solve_part, model, data, 0, data.nisland)
            finish_free(model, data, 0.0)
        else:
            solve_part(model, data, -1)
    finish_solution(model, data)


@kernel
def solve_part_with(model, data, island, minimise):
    """The task solve_part of `solve_with`, for a solver with a function `minimise` that returns what `left` is below.

    minimise(model, data, first, end, cost, free, length, square, scale) solves a range of islands. cost is that of the
    rows; free, length, square are the sums of `start`, left the share of their way that the dofs without rows keep.
    """
    first, end = island, island + 1
    free = length = square = 0.0
    if island < 0:
        first, end = 0, data.nisland
        cost, free, length, square = load4(data.isl_part, 0)
    else:
        cost, _, _ = line_of_islands(model, data, first, end, 0.0)
    left = minimise(model, data, first, end, cost, free, length, square, scale_of(model, data, island))
    if island < 0:
        finish_free(model, data, left)


@kernel
def start(model, data, start_rows):
    """Set the accelerations to qacc_warmstart, or to qacc_smooth if that costs less, and all rows accordingly.

    Over dofs: qacc and qfrc_constraint; sol_Ma <- M (qacc - qacc_smooth), sol_Mstep <- the gradient, sol_search <- 0.
    start_rows: the task `rows_at_start` for a batch. Leaves in row 0 of isl_part the cost of the rows, and of the dofs
    that no row touches: twice their part of the cost; the squared lengths of their remaining way, and of their
    gradient.
    """
    warm = model.opt_disableflags & enums.DSBL_WARMSTART == 0
    x = data.sol_search
    while True:
        for i in range(model.nv):
            x[i] = data.qacc_warmstart[i] if warm else data.qacc_smooth[i]
            data.qacc[i] = x[i]
            data.sol_step[i] = x[i] - data.qacc_smooth[i]
            data.sol_Ma[i] = 0.0
        for i in range(model.nv, model.nv + WIDTH):
            x[i] = 0.0
        if warm:
            mul_m(model, data.M, data.sol_step, data.sol_Ma)
        batches = number_of_batches(data)
        for_each(start_rows, model, data, 0, batches)
        cost = 0.0
        for k in range(batches):
            cost += data.isl_sum[k, COST]
        energy = slope = free = length = square = 0.0
        for i in range(model.nv):
            step, inertial = data.sol_step[i], data.sol_Ma[i]
            gradient = inertial - data.qfrc_constraint[i]
            data.sol_Mstep[i] = gradient
            energy += step * inertial
            slope += step * gradient
            if data.dof_island[i] < 0:
                free += step * inertial
                length += step * step
                square += inertial * inertial
        # The total cost is at least as convex as its Gauss part. So if its slope at qacc_warmstart, along the line
        # from qacc_smooth, is at most the Gauss cost, qacc_warmstart costs no more: the common case.
        if not warm or slope <= 0.5 * energy < math.inf or not _smooth_cost(model, data) < 0.5 * energy + cost:
            break
        warm = False
    for i in range(model.nv):
        x[i] = 0.0
    store4(data.isl_part, 0, (cost, free, length, square))


@kernel
def rows_at_start(model, data, k, curved):
    """Set the rows of a batch of islands to the accelerations in sol_search, over dofs; qfrc_constraint.

    curved: whether to compute the Hessians of cones too.
    """
    first, end = batch(data, k)
    start_group, end_group = groups_of(data, first, end)
    multiply_J(data, start_group, end_group, data.seg_dof, data.sol_search, data.efc_jar)
    for j in range(start_group, end_group):
        g = data.isl_grp[j]
        for r in range(data.grp_row[g], data.grp_row[g] + data.grp_nrow[g]):
            data.efc_jar[r] -= data.efc_aref[r]
            data.efc_Jv[r] = data.efc_force[r] = data.efc_weight[r] = 0.0
            data.efc_state[r] = enums.CNSTRSTATE_SATISFIED
    cost = 0.0
    for island in range(first, end):
        value, _, _, _ = update_rows(data, island, 0.0, curved)
        cost += value
    data.isl_sum[k, COST] = cost
    collect_forces(model, data, first, end, data.sol_grad)


@apart
def collect_forces(model, data, first, end, force):
    """qfrc_constraint of a range of islands; first in `force`, a vector by island."""
    for k in range(data.isl_xadr[first], data.isl_xadr[end - 1] + data.isl_xnum[end - 1] + WIDTH):
        force[k] = 0.0
    start_group, end_group = groups_of(data, first, end)
    add_forces(data, start_group, end_group, data.seg_x, data.efc_force, 1.0, force)
    scatter(model, data, first, end, force, data.qfrc_constraint)


@apart
def gather(model, data, first, end, vector, result):
    """result, by island, <- vector over dofs, for a range of islands."""
    for k in range(data.isl_blockadr[first], data.isl_blockadr[end - 1] + data.isl_blocknum[end - 1]):
        block = data.isl_block[k]
        place, adr = data.block_x[block], model.block_dofadr[block]
        for i in range(model.block_dofnum[block]):
            result[place + i] = vector[adr + i]


@apart
def scatter(model, data, first, end, vector, result):
    """result over dofs <- vector by island, for a range of islands."""
    for k in range(data.isl_blockadr[first], data.isl_blockadr[end - 1] + data.isl_blocknum[end - 1]):
        block = data.isl_block[k]
        place, adr = data.block_x[block], model.block_dofadr[block]
        for i in range(model.block_dofnum[block]):
            result[adr + i] = vector[place + i]


@kernel
def _smooth_cost(model, data):
    """The cost of the rows at qacc_smooth. Overwrites sol_search."""
    x = data.sol_search
    for i in range(model.nv):
        x[i] = data.qacc_smooth[i]
    for r in range(data.nefc):
        data.efc_correction[r] = data.efc_jar[r]
    _, groups = groups_of(data, 0, data.nisland)
    multiply_J(data, 0, groups, data.seg_dof, x, data.efc_jar)
    for r in range(data.nefc):
        data.efc_jar[r] -= data.efc_aref[r]
    cost, _, _ = line_of_rows(model, data, 0.0)
    for r in range(data.nefc):
        data.efc_jar[r] = data.efc_correction[r]
    return cost


@small
def groups_of(data, first, end):
    """The range of isl_grp that holds the groups of a range of islands."""
    return data.isl_grpadr[first], data.isl_grpadr[end - 1] + data.isl_grpnum[end - 1]


@kernel
def update_rows(data, island, alpha, curved):
    """Set the island's rows to efc_jar + alpha efc_Jv: efc_force, efc_state.

    With curved also: the groups whose weights changed are listed in grp_changed, from isl_grpadr on, isl_changenum of
    them, and efc_correction is the difference of their forces from the prediction of efc_weight, or contact_H.

    Returns the cost, the number of active rows, of rows whose state changed, and of rank-one changes of the Hessian.
    """
    first = data.isl_grpadr[island]
    count, active, changes, updates = first, 0, 0, 0
    cost = 0.0
    for k in range(first, first + data.isl_grpnum[island]):
        g = data.isl_grp[k]
        value, group_active, group_changes, group_updates, is_changed = update_group(data, g, alpha, curved)
        cost += value
        active += group_active
        changes += group_changes
        updates += group_updates
        if is_changed:
            data.grp_changed[count] = g
            count += 1
    data.isl_changenum[island] = count - first
    return cost, active, changes, updates


@small
def update_group(data, g, alpha, curved):
    """`update_rows` for one group. Returns the same, and with curved whether its weights changed."""
    active = changes = updates = 0
    cost = 0.0
    is_changed = False
    correction = data.efc_correction
    kind, row, nrow = data.grp_kind[g], data.grp_row[g], data.grp_nrow[g]
    if kind == CONE:
        cost, active, changes, updates, is_changed = _update_cone(data, row, nrow, alpha, curved)
    else:
        for r in range(row, row + nrow):
            step = alpha * data.efc_Jv[r]
            jar = data.efc_jar[r] + step
            data.efc_jar[r] = jar
            force, _, value, state = row_cost(kind, jar, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r])
            cost += value
            correction[r] = 0.0
            old = data.efc_state[r]
            if state != old:
                correction[r] = force - data.efc_force[r] + data.efc_weight[r] * step
                data.efc_state[r] = state
                changes += 1
                if state == enums.CNSTRSTATE_QUADRATIC or old == enums.CNSTRSTATE_QUADRATIC:
                    updates += 1
                is_changed = True
            data.efc_force[r] = force
            if state != enums.CNSTRSTATE_SATISFIED:
                active += 1
    return cost, active, changes, updates, is_changed


@kernel
def _update_cone(data, row, dim, alpha, curved):
    """`update_group` for a contact with an elliptic cone."""
    old = data.efc_state[row]
    if curved:
        cone_predict(data, row, dim, alpha)
    state, cost = cone_update(data, row, dim, alpha)
    is_changed = state != old or state == enums.CNSTRSTATE_CONE
    updates = 0
    if curved:
        if (state == enums.CNSTRSTATE_QUADRATIC) != (old == enums.CNSTRSTATE_QUADRATIC):
            updates += dim
        if state == enums.CNSTRSTATE_CONE:
            updates += dim
        for r in range(row, row + dim):
            data.efc_correction[r] += data.efc_force[r]
        if is_changed:
            cone_hessian(data, row, dim, old)
    active = dim if state != enums.CNSTRSTATE_SATISFIED else 0
    changes = dim if state != old else 0
    return cost, active, changes, updates, is_changed


@kernel
def scale_of(model, data, island):
    """Scale of tolerances and statistics: for one island, or the whole model (island -1)."""
    if island < 0:
        return model.stat_meaninertia * model.nv
    total = 0.0
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        adr = model.block_dofadr[data.isl_block[k]]
        for i in range(adr, adr + model.block_dofnum[data.isl_block[k]]):
            total += data.M[model.M_rowadr[i] + model.M_rownnz[i] - 1]
    return total


@kernel
def finish_free(model, data, left):
    """The accelerations of the dofs that no row touches, when a share of their way to qacc_smooth is left."""
    for i in range(model.nv):
        if data.dof_island[i] < 0:
            data.qacc[i] = data.qacc_smooth[i] + left * (data.qacc[i] - data.qacc_smooth[i])
