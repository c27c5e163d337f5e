"""What the primal solvers (Newton; conjugate gradients) have in common: start, update of the rows, result.

They minimise over accelerations a: 1/2 (a - qacc_smooth)' M (a - qacc_smooth) + s(J a - aref), island by
island, where s is the cost of the constraint rows (engine/dynamics/cost.py). Specification: Computation,
"Reduced primal problem" and "Algorithms". A solver of this kind is

    begin_all
    for each island: begin_island, then until it has converged
        a direction in sol_search
        line_start, line_search (engine/dynamics/line_search.py)
        sol_qacc += alpha sol_search; sol_grad += alpha H sol_search; advance
    finish_island

Vectors of an island are in the order of elimination, padded (engine/dynamics/island.py).
"""

from __future__ import annotations

from engine.dynamics.cone import cone_update
from engine.dynamics.constraint import add_JT, group_product, store_rows
from engine.dynamics.constraint_rows import CONE
from engine.dynamics.cost import row_cost
from engine.dynamics.hessian import multiply_M
from engine.dynamics.statistics import begin_statistics
from engine.jit.kernel import kernel
from engine.model.enums import CNSTRSTATE_SATISFIED, DSBL_WARMSTART

# Where a solution starts: at qacc_warmstart; at qacc_smooth, to compare; back at qacc_warmstart; at
# qacc_smooth.
AT_WARM, AT_SMOOTH, BACK, DECIDED = 0, 1, 2, 3


@kernel
def begin_all(model, data):
    """Before the first island: no constraint forces, and the smooth accelerations where no island is."""
    for i in range(model.nv):
        data.qacc[i] = data.qacc_smooth[i]
        data.qfrc_constraint[i] = 0.0
    begin_statistics(data)
    for r in range(data.nefc):
        data.efc_force[r] = 0.0
        data.efc_state[r] = CNSTRSTATE_SATISFIED


@kernel
def gather(model, data, island, vector, result):
    """result, in the order of elimination, <- vector over dofs."""
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        place = data.node_x[data.block_node[block]] + data.block_off[block]
        adr = model.block_dofadr[block]
        for i in range(model.block_dofnum[block]):
            result[place + i] = vector[adr + i]


@kernel
def scatter(model, data, island, vector, result):
    """result over dofs <- vector in the order of elimination."""
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        place = data.node_x[data.block_node[block]] + data.block_off[block]
        adr = model.block_dofadr[block]
        for i in range(model.block_dofnum[block]):
            result[adr + i] = vector[place + i]


@kernel
def begin_island(model, data, island, again):
    """Set accelerations, rows and gradient of an island to where the solver starts.

    That is qacc_warmstart or qacc_smooth, whichever costs less. again: keep sol_qacc and recompute the rest.
    Returns the cost of the rows, and the number of groups in grp_changed: those with weights.
    """
    phase = DECIDED if model.opt_disableflags & DSBL_WARMSTART else AT_WARM
    warm = 0.0
    while True:
        if not again:
            for k in range(data.isl_xnum[island] + 4):  # the padding too
                data.sol_qacc[k] = data.sol_search[k] = data.sol_grad[k] = 0.0
            if phase == AT_WARM or phase == BACK:
                gather(model, data, island, data.qacc_warmstart, data.sol_qacc)
            else:
                gather(model, data, island, data.qacc_smooth, data.sol_qacc)
        begin = data.isl_blockadr[island]
        end = begin + data.isl_blocknum[island]
        for k in range(begin, end):
            block = data.isl_block[k]
            place = data.node_x[data.block_node[block]] + data.block_off[block]
            adr = model.block_dofadr[block]
            for i in range(model.block_dofnum[block]):
                data.sol_step[adr + i] = data.sol_qacc[place + i] - data.qacc_smooth[adr + i]
        gauss = multiply_M(model, data, island, data.sol_step, data.sol_Mstep)
        gather(model, data, island, data.sol_Mstep, data.sol_grad)
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
        changes, cost = advance(data, island, 0.0)
        slope = 0.0
        for k in range(begin, end):
            block = data.isl_block[k]
            place = data.node_x[data.block_node[block]] + data.block_off[block]
            adr = model.block_dofadr[block]
            for i in range(model.block_dofnum[block]):
                slope += data.sol_step[adr + i] * data.sol_grad[place + i]
        # The total cost is at least as convex as its Gauss part. So if its slope at qacc_warmstart, along the
        # line from qacc_smooth, is at most the Gauss cost, qacc_warmstart costs less, and qacc_smooth need
        # not be evaluated.
        if again or phase >= BACK or (phase == AT_WARM and slope <= gauss):
            return cost, changes
        if phase == AT_WARM:
            phase, warm = AT_SMOOTH, gauss + cost
        elif warm > cost:
            return cost, changes
        else:
            phase = BACK


@kernel
def advance(data, island, alpha):
    """Set the rows to efc_jar + alpha efc_Jv, and correct sol_grad where forces did not change as the Hessian
    predicts.

    The caller has added alpha H p to sol_grad before, for the Hessian H that efc_weight describes and the
    direction p. Returns the number of groups whose weights changed, which are in grp_changed, and the cost of
    the rows.
    """
    count = 0
    cost = 0.0
    first = data.isl_grpadr[island]
    correction = data.efc_correction
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
                force, _, value, state = row_cost(kind, jar, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r])
                cost += value
                correction[r] = 0.0
                if state != data.efc_state[r]:
                    correction[r] = force - data.efc_force[r] + data.efc_weight[r] * step
                    data.efc_state[r] = state
                    changed = True
                data.efc_force[r] = force
        if changed:
            data.grp_changed[count] = g
            count += 1
            add_JT(data, g, data.seg_x, correction, -1.0, data.sol_grad)
    return count, cost


@kernel
def finish_island(model, data, island):
    """qacc and qfrc_constraint of the island."""
    force = data.sol_grad
    for k in range(data.isl_xnum[island]):
        force[k] = 0.0
    first = data.isl_grpadr[island]
    for k in range(first, first + data.isl_grpnum[island]):
        add_JT(data, data.isl_grp[k], data.seg_x, data.efc_force, 1.0, force)
    scatter(model, data, island, data.sol_qacc, data.qacc)
    scatter(model, data, island, force, data.qfrc_constraint)
