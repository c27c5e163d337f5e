"""Constraint forces by a projected Gauss-Seidel method on the dual problem (PGS).

A sweep visits the rows in order, and sets each force to its best value for the newest values of the others. A
contact with an elliptic cone is one block: its force is first scaled along its own direction, then friction
is minimised inside the ellipsoid that the normal force allows. A change that would raise the cost is taken
back. Specification: Computation, "Dual problem" and "Algorithms".
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint.cone import cone_update
from kinetree.engine.dynamics.constraint.rows import CONE, FRICTION, QUADRATIC
from kinetree.engine.dynamics.solver.cost import row_cost
from kinetree.engine.dynamics.solver.dual import (
    ROWS,
    accelerations_from_forces,
    add_row,
    add_rows,
    half_from_forces,
    note_iteration,
    residual,
    row_products,
    row_times_half,
    states_from_forces,
)
from kinetree.engine.dynamics.solver.ellipsoid import SIZE, minimise, to_surface
from kinetree.engine.dynamics.solver.primal import finish_solution
from kinetree.engine.jit.kernel import kernel, small, view
from kinetree.engine.jit.simd import WIDTH, padded, vadd, vfma, vload, vmul, vset, vstore, vsum
from kinetree.engine.jit.vec import MINVAL
from kinetree.engine.model import enums

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
    _start(model, data)
    scale = 1.0 / (model.stat_meaninertia * max(1, model.nv))
    states_from_forces(model, data)
    for _ in range(model.opt_iterations):
        improvement = scale * _sweep(data)
        active, changed = states_from_forces(model, data)
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
    if model.opt_disableflags & enums.DSBL_WARMSTART:
        half_from_forces(model, data)
        return
    row_products(model, data, data.qacc_warmstart, data.efc_jar)
    for g in range(data.ngrp):
        kind, row = data.grp_kind[g], data.grp_row[g]
        for r in range(row, row + data.grp_nrow[g]):
            jar = data.efc_jar[r] = data.efc_jar[r] - data.efc_aref[r]
            data.efc_Jv[r] = 0.0
            data.efc_state[r] = enums.CNSTRSTATE_SATISFIED
            if kind != CONE:
                force[r] = row_cost(kind, jar, data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r])[0]
        if kind == CONE:
            cone_update(data, row, data.grp_dim[g], 0.0)
    half_from_forces(model, data)
    cost = 0.0
    for batch in range(data.nbatch):
        row = data.batch_row[batch]
        number = data.batch_row[batch + 1] - row
        residual(data, batch, 0, number)
        for r in range(row, row + number):
            cost += force[r] * (0.5 * (data.efc_jar[r] + data.efc_b[r] + data.efc_R[r] * force[r]))
    if cost > 0.0:
        for r in range(data.nefc):
            force[r] = 0.0
        half_from_forces(model, data)


@kernel
def _sweep(data):
    """Visit every row once; by how much the cost fell."""
    improvement = 0.0
    count = data.nbatch
    rows, chunks = view(data.batch_row, 0, count + 1), view(data.batch_chunk, 0, count + 1)
    kinds, owns = view(data.batch_kind, 0, count), view(data.batch_own, 0, count)
    matrix, half, force = data.sol_B, data.sol_half, data.efc_force
    b, R, correction, losses = data.efc_b, data.efc_R, data.efc_correction, data.efc_frictionloss
    for batch in range(count):
        row, kind, own = rows[batch], kinds[batch], owns[batch]
        number = rows[batch + 1] - row
        if number == 1:
            n = chunks[batch + 1] - chunks[batch]
            places, line = view(data.chunk_x, chunks[batch], n), view(matrix, own + WIDTH, WIDTH * n)
            own_force, best, loss = view(force, row, 1), view(correction, row, 1)[0], view(losses, row, 1)[0]
            rest = row_times_half(line, places, half, n) + (view(b, row, 1)[0] + view(R, row, 1)[0] * own_force[0])
            step, cost = _step(kind, own_force, 0, rest, best, loss, view(matrix, own, 1)[0])
            improvement -= cost
            if step != 0.0:
                add_row(line, places, half, n, step)
            continue
        if kind == CONE:
            improvement -= _cone(data, batch, row, number, own)
        elif number <= ROWS:
            improvement -= _few(data, batch, kind, row, number, own)
        else:
            improvement -= _many(data, batch, kind, row, number, own)
    return improvement


@small
def _best(kind, force, loss):
    """The force of a row that is allowed and nearest to this one."""
    if kind == FRICTION:
        return min(loss, max(-loss, force))
    if kind != QUADRATIC:
        return max(0.0, force)
    return force


@kernel
def _few(data, batch, kind, row, n, own):
    """A batch of two to four rows whose forces are bounded one by one; the change of cost. own: as in batch_own."""
    first = data.batch_chunk[batch]
    chunks = data.batch_chunk[batch + 1] - first
    length, adr = WIDTH * chunks, own + padded(n * n)
    half, places, matrix = data.sol_half, view(data.chunk_x, first, chunks), view(data.sol_B, own, n * n)
    force, b, R = view(data.efc_force, row, n), view(data.efc_b, row, n), view(data.efc_R, row, n)
    best, loss = view(data.efc_correction, row, n), view(data.efc_frictionloss, row, n)
    k2, k3 = min(2, n - 1), min(3, n - 1)  # rows that are not there repeat the last one
    row0, row1 = view(data.sol_B, adr, length), view(data.sol_B, adr + length, length)
    row2, row3 = view(data.sol_B, adr + k2 * length, length), view(data.sol_B, adr + k3 * length, length)
    sum0 = sum1 = sum2 = sum3 = vset(0.0)
    for c in range(chunks):
        h = vload(half, places[c])
        sum0 = vfma(vload(row0, WIDTH * c), h, sum0)
        sum1 = vfma(vload(row1, WIDTH * c), h, sum1)
        sum2 = vfma(vload(row2, WIDTH * c), h, sum2)
        sum3 = vfma(vload(row3, WIDTH * c), h, sum3)
    rest0, rest1 = vsum(sum0) + (b[0] + R[0] * force[0]), vsum(sum1) + (b[1] + R[1] * force[1])
    rest2, rest3 = vsum(sum2) + (b[k2] + R[k2] * force[k2]), vsum(sum3) + (b[k3] + R[k3] * force[k3])
    step0, cost = _step(kind, force, 0, rest0, best[0], loss[0], matrix[0])
    rest1 += matrix[1] * step0
    step1, more = _step(kind, force, 1, rest1, best[1], loss[1], matrix[n + 1])
    cost += more
    step2 = step3 = 0.0
    if n > 2:
        rest2 += matrix[2] * step0 + matrix[n + 2] * step1
        step2, more = _step(kind, force, 2, rest2, best[2], loss[2], matrix[2 * n + 2])
        cost += more
    if n > 3:
        rest3 += matrix[3] * step0 + matrix[n + 3] * step1 + matrix[2 * n + 3] * step2
        step3, more = _step(kind, force, 3, rest3, best[3], loss[3], matrix[3 * n + 3])
        cost += more
    if step0 != 0.0 or step1 != 0.0 or step2 != 0.0 or step3 != 0.0:
        f0, f1, f2, f3 = vset(step0), vset(step1), vset(step2), vset(step3)
        for c in range(chunks):
            x = places[c]
            more2 = vfma(f2, vload(row2, WIDTH * c), vmul(f3, vload(row3, WIDTH * c)))
            most = vfma(f0, vload(row0, WIDTH * c), vload(half, x))
            vstore(half, x, vadd(vfma(f1, vload(row1, WIDTH * c), most), more2))
    return cost


@small
def _step(kind, force, k, rest, best, loss, diagonal):
    """Set force k to its best value at the residual `rest`; (change of force, change of cost)."""
    new = _best(kind, force[k] - rest * best, loss)
    step = new - force[k]
    cost = step * (0.5 * step * diagonal + rest)
    if cost > WORSE:
        return 0.0, 0.0
    force[k] = new
    return step, cost


@kernel
def _many(data, batch, kind, row, n, own):
    """The same for more rows."""
    residual(data, batch, 0, n)
    matrix, steps = view(data.sol_B, own, n * n), data.sol_W
    force, rest, R = view(data.efc_force, row, n), view(data.efc_jar, row, n), view(data.efc_R, row, n)
    best, loss = view(data.efc_correction, row, n), view(data.efc_frictionloss, row, n)
    total = 0.0
    for k in range(n):
        rest[k] += R[k] * force[k]
    for k in range(n):
        step, cost = _step(kind, force, k, rest[k], best[k], loss[k], matrix[k * n + k])
        total += cost
        steps[k] = step
        for j in range(k + 1, n):
            rest[j] += matrix[k * n + j] * step
    add_rows(data, batch, 0, n, steps)
    return total


@kernel
def _cone(data, batch, row, dim, begin):
    """A contact with an elliptic cone; the change of cost. begin: address of A + R of the batch."""
    residual(data, batch, 0, dim)
    matrix, length, n = data.sol_B, dim, dim - 1
    force, r = view(data.efc_force, row, dim), view(data.efc_jar, row, dim)
    old = data.sol_F
    for k in range(dim):
        old[k] = force[k]
        r[k] += data.efc_R[row + k] * force[k]
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
    for k in range(dim):
        old[k] = force[k] - old[k]
    add_rows(data, batch, 0, dim, old)
    return change
