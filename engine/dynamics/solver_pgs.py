"""Constraint forces by a projected Gauss-Seidel method on the dual problem (PGS).

A sweep visits the rows in order, and sets each force to its best value for the newest values of the others. A
contact with an elliptic cone is one block: its force is first scaled along its own direction, then friction
is minimised inside the ellipsoid that the normal force allows. A change that would raise the cost is taken
back. Specification: Computation, "Dual problem" and "Algorithms".
"""

from __future__ import annotations

from engine.dynamics.cone import cone_update
from engine.dynamics.constraint_rows import CONE, FRICTION, QUADRATIC
from engine.dynamics.cost import row_cost
from engine.dynamics.dual import (
    ROWS,
    accelerations_from_forces,
    note_iteration,
    pad_forces,
    residual,
    row_products,
    states_from_forces,
)
from engine.dynamics.ellipsoid import SIZE, minimise, to_surface
from engine.dynamics.solver_primal import finish_solution
from engine.jit.kernel import kernel, small, view
from engine.jit.vec import MINVAL
from engine.model.enums import CNSTRSTATE_SATISFIED, DSBL_WARMSTART

WORSE = 1e-10  # a change that raises the cost by more is taken back


@kernel
def solve(model, data):
    """Stage: constrained acceleration and constraint forces: qacc, qfrc_constraint, efc_force, efc_state."""
    data.solver_niter[0] = 0
    if data.nefc == 0:
        for i in range(model.nv):
            data.qacc[i] = data.qacc_warmstart[i] = data.qacc_smooth[i]
            data.qfrc_constraint[i] = 0.0
        return
    pad_forces(data)
    _start(model, data)
    scale = 1.0 / (model.stat_meaninertia * max(1, model.nv))
    states_from_forces(data)
    for _ in range(model.opt_iterations):
        improvement = scale * _sweep(data)
        active, changed = states_from_forces(data)
        note_iteration(data, improvement, active, changed)
        if improvement < model.opt_tolerance:
            break
    accelerations_from_forces(model, data)
    finish_solution(model, data)


@kernel
def _start(model, data):
    """Begin at the forces that belong to qacc_warmstart, or at zero where that costs less."""
    force = data.efc_force
    for r in range(data.nefc):
        force[r] = 0.0
    if model.opt_disableflags & DSBL_WARMSTART:
        return
    row_products(model, data, data.qacc_warmstart, data.efc_jar)
    for g in range(data.ngrp):
        kind, row = data.grp_kind[g], data.grp_row[g]
        for r in range(row, row + data.grp_nrow[g]):
            jar = data.efc_jar[r] = data.efc_jar[r] - data.efc_aref[r]
            data.efc_Jv[r] = 0.0
            data.efc_state[r] = CNSTRSTATE_SATISFIED
            if kind != CONE:
                force[r] = row_cost(kind, jar, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r])[0]
        if kind == CONE:
            cone_update(data, row, data.grp_dim[g], 0.0)
    cost = 0.0
    for g in range(data.ngrp):
        residual(data, g, data.grp_nrow[g])
        for r in range(data.grp_row[g], data.grp_row[g] + data.grp_nrow[g]):
            cost += 0.5 * force[r] * (data.efc_jar[r] + data.efc_b[r])
    if cost > 0.0:
        for r in range(data.nefc):
            force[r] = 0.0


@kernel
def _sweep(data):
    """Visit every row once; by how much the cost fell."""
    improvement = 0.0
    g = 0
    while g < data.ngrp:
        number, last = data.grp_nrow[g], g + 1
        if data.grp_kind[g] == CONE:
            improvement -= _cone(data, g, residual(data, g, number))
        else:
            while last < data.ngrp and number + data.grp_nrow[last] <= ROWS and _continues(data, g, last, number):
                number += data.grp_nrow[last]
                last += 1
            improvement -= _rows(data, g, number, residual(data, g, number))
        g = last
    return improvement


@small
def _continues(data, g, h, number):
    """Whether group h follows the `number` rows from group g on, and is like it."""
    return (
        data.grp_kind[h] == data.grp_kind[g]
        and data.grp_run[h] == data.grp_run[g]
        and data.grp_row[h] == data.grp_row[g] + number
    )


@small
def _rows(data, g, number, own):
    """Rows whose forces are bounded one by one; the change of cost. own: place of the first one's column in its row."""
    kind, row = data.grp_kind[g], data.grp_row[g]
    matrix, length = data.sol_AR, data.grp_ARnum[g]
    change = 0.0
    for k in range(number):
        at = data.grp_AR[g] + k * length + own
        r = row + k
        old = data.efc_force[r]
        force = old - data.efc_jar[r] * data.efc_correction[r]
        if kind == FRICTION:
            loss = data.efc_frictionloss[r]
            force = min(loss, max(-loss, force))
        elif kind != QUADRATIC:
            force = max(0.0, force)
        step = force - old
        cost = 0.5 * step * step * matrix[at + k] + step * data.efc_jar[r]
        if cost > WORSE:
            continue
        change += cost
        data.efc_force[r] = force
        for j in range(k + 1, number):
            data.efc_jar[row + j] += matrix[at + j] * step
    return change


@kernel
def _cone(data, g, own):
    """A contact with an elliptic cone; the change of cost."""
    row, dim, n = data.grp_row[g], data.grp_dim[g], data.grp_dim[g] - 1
    matrix, length, begin = data.sol_AR, data.grp_ARnum[g], data.grp_AR[g] + own
    force, r = view(data.efc_force, row, dim), view(data.efc_jar, row, dim)
    old = data.sol_F
    for k in range(dim):
        old[k] = force[k]
    if force[0] < MINVAL:
        force[0] = max(0.0, force[0] - r[0] / matrix[begin])
        for k in range(1, dim):
            force[k] = 0.0
    else:
        top = bottom = 0.0
        for k in range(dim):
            top += force[k] * r[k]
            for j in range(dim):
                bottom += force[k] * matrix[begin + k * length + j] * force[j]
        if bottom >= MINVAL:
            scale = 1.0 + max(-1.0, -top / bottom)
            for k in range(dim):
                force[k] *= scale
    if force[0] < MINVAL:
        for k in range(1, dim):
            force[k] = 0.0
    else:
        work = data.sol_WJ
        a, c, y = view(work, 0, 25), view(work, 25, 5), view(work, 30, 5)
        friction = view(work, 35, 5)
        for k in range(n):
            friction[k] = data.contact_friction[data.efc_id[row], k]
            at = begin + (k + 1) * length
            c[k] = r[k + 1] + matrix[at] * (force[0] - old[0])
            for j in range(n):
                a[5 * k + j] = matrix[at + j + 1]
                c[k] -= matrix[at + j + 1] * old[j + 1]
        if minimise(n, a, c, friction, force[0], y, view(work, 40, SIZE)):
            to_surface(n, friction, force[0], y)
        for k in range(n):
            force[k + 1] = y[k]
    change = 0.0
    for k in range(dim):
        step = force[k] - old[k]
        change += step * r[k]
        for j in range(dim):
            change += 0.5 * step * matrix[begin + k * length + j] * (force[j] - old[j])
    if change > WORSE:
        for k in range(dim):
            force[k] = old[k]
        return 0.0
    return change
