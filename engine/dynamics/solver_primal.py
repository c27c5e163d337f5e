"""What the primal solvers (Newton; conjugate gradients) have in common: start, update of the rows, result.

They minimise over accelerations a: 1/2 (a - qacc_smooth)' M (a - qacc_smooth) + s(J a - aref), where s is the cost of
the constraint rows (engine/dynamics/cost.py). Specification: Computation, "Reduced primal problem" and "Algorithms".
A solver of this kind is

    begin, start
    for each part: until it has converged
        a direction in sol_search
        products with the rows, line_search (engine/dynamics/line_search.py)
        a step along the direction; update_rows
    finish

A part is a range of islands that are solved together, with one step length: all of them, as MuJoCo does unless its
islands are enabled, or one. Dofs that no row touches go straight to qacc_smooth: their direction is the rest of the
way, so a step of length alpha leaves 1 - alpha of it, and a few sums over them (`start`) are all that a solver needs.
"""

from __future__ import annotations

import math

from engine.dynamics.cone import cone_hessian, cone_predict, cone_update
from engine.dynamics.constraint import add_forces, multiply_J
from engine.dynamics.constraint_rows import CONE
from engine.dynamics.cost import line_of_rows, row_cost
from engine.dynamics.inertia import mul_m
from engine.dynamics.statistics import begin_statistics
from engine.jit.kernel import kernel, small
from engine.jit.simd import WIDTH
from engine.model.enums import CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC, CNSTRSTATE_SATISFIED, DSBL_WARMSTART, ENBL_ISLAND


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
    return model.opt_enableflags & ENBL_ISLAND != 0 and model.opt_noslip_iterations == 0


@kernel
def start(model, data, curved):
    """Set the accelerations to qacc_warmstart, or to qacc_smooth if that costs less, and all rows accordingly.

    Over dofs: qacc and qfrc_constraint; sol_Ma <- M (qacc - qacc_smooth), sol_Mstep <- the gradient. curved: whether to
    compute the Hessians of cones too. Returns the cost of the rows, and of the dofs that no row touches: twice their
    part of the cost; the squared lengths of what is left of their way, and of their gradient.
    """
    warm = model.opt_disableflags & DSBL_WARMSTART == 0
    x, force = data.sol_search, data.sol_grad  # over dofs here
    while True:
        energy = 0.0
        for i in range(model.nv):
            x[i] = data.qacc_warmstart[i] if warm else data.qacc_smooth[i]
            data.qacc[i] = x[i]
            data.sol_step[i] = x[i] - data.qacc_smooth[i]
            data.sol_Ma[i] = force[i] = 0.0
        for i in range(model.nv, model.nv + WIDTH):
            x[i] = force[i] = 0.0
        if warm:
            mul_m(model, data.M, data.sol_step, data.sol_Ma)
        _, groups = groups_of(data, 0, data.nisland)
        multiply_J(data, 0, groups, data.seg_dof, x, data.efc_jar)
        for r in range(data.nefc):
            data.efc_jar[r] -= data.efc_aref[r]
            data.efc_Jv[r] = data.efc_force[r] = data.efc_weight[r] = 0.0
            data.efc_state[r] = CNSTRSTATE_SATISFIED
        cost = 0.0
        for island in range(data.nisland):
            part, _, _, _ = update_rows(data, island, 0.0, curved)
            cost += part
        add_forces(data, 0, groups, data.seg_dof, data.efc_force, 1.0, force)
        slope = free = length = square = 0.0
        for i in range(model.nv):
            step, inertial = data.sol_step[i], data.sol_Ma[i]
            gradient = inertial - force[i]
            data.sol_Mstep[i] = gradient
            data.qfrc_constraint[i] = force[i]
            energy += step * inertial
            slope += step * gradient
            if data.dof_island[i] < 0:
                free += step * inertial
                length += step * step
                square += inertial * inertial
        # The total cost is at least as convex as its Gauss part. So if its slope at qacc_warmstart, along the line
        # from qacc_smooth, is at most the Gauss cost, qacc_warmstart costs no more: the common case.
        if not warm or slope <= 0.5 * energy < math.inf or not _smooth_cost(model, data) < 0.5 * energy + cost:
            return cost, free, length, square
        warm = False


@kernel
def _smooth_cost(model, data):
    """The cost of the rows at qacc_smooth. Overwrites sol_search and efc_jar."""
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
    them, and efc_correction is how much their forces differ from what efc_weight, or contact_H, predict.

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
                if state == CNSTRSTATE_QUADRATIC or old == CNSTRSTATE_QUADRATIC:
                    updates += 1
                is_changed = True
            data.efc_force[r] = force
            if state != CNSTRSTATE_SATISFIED:
                active += 1
    return cost, active, changes, updates, is_changed


@kernel
def _update_cone(data, row, dim, alpha, curved):
    """`update_group` for a contact with an elliptic cone."""
    old = data.efc_state[row]
    if curved:
        cone_predict(data, row, dim, alpha)
    state, cost = cone_update(data, row, dim, alpha)
    is_changed = state != old or state == CNSTRSTATE_CONE
    updates = 0
    if curved:
        if (state == CNSTRSTATE_QUADRATIC) != (old == CNSTRSTATE_QUADRATIC):
            updates += dim
        if state == CNSTRSTATE_CONE:
            updates += dim
        for r in range(row, row + dim):
            data.efc_correction[r] += data.efc_force[r]
        if is_changed:
            cone_hessian(data, row, dim, old)
    active = dim if state != CNSTRSTATE_SATISFIED else 0
    changes = dim if state != old else 0
    return cost, active, changes, updates, is_changed


@kernel
def scale_of(model, data, island):
    """What tolerances are multiplied by and statistics divided by: for one island, or the whole model (island -1)."""
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
