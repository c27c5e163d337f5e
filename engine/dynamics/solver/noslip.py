"""Friction without regularisation, after any solver (noslip): it removes the slow sliding that soft friction allows.

A Gauss-Seidel method as in PGS, on A instead of A + R, which changes friction only: friction loss, and of
contacts the tangential forces at the normal forces that the solver found. Equalities, limits and frictionless
contacts stay. Specification: Computation, "Algorithms", noslip.
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint.rows import CONE, FRICTION, PYRAMID
from kinetree.engine.dynamics.solver.dual import (
    accelerations_from_forces,
    add_rows,
    half_from_forces,
    note_iteration,
    residual,
    states_from_forces,
)
from kinetree.engine.dynamics.solver.ellipsoid import SIZE, minimise, to_surface
from kinetree.engine.dynamics.solver.pgs import WORSE
from kinetree.engine.jit.kernel import kernel, view
from kinetree.engine.jit.vec import MINVAL

TINY = 1e-10  # least diagonal of a block of A


@kernel
def solve(model, data):
    """Stage: correct efc_force, and qacc, qfrc_constraint and efc_state that follow from it."""
    if data.nefc == 0:
        return
    half_from_forces(model, data)
    scale = 1.0 / (model.stat_meaninertia * max(1, model.nv))
    states_from_forces(model, data)
    for k in range(model.opt_noslip_iterations):
        improvement = 0.0
        if k == 0:
            for r in range(data.nefc):
                improvement += 0.5 * data.efc_force[r] * data.efc_force[r] * data.efc_R[r]
        for batch in range(data.nbatch):
            improvement -= _visit(data, batch)
        improvement *= scale
        active, changed = states_from_forces(model, data)
        note_iteration(data, improvement, active, changed)
        if improvement < model.opt_noslip_tolerance:
            break
    accelerations_from_forces(model, data)


@kernel
def _visit(data, batch):
    """Visit the groups of a batch; the change of cost."""
    kind, row = data.batch_kind[batch], data.batch_row[batch]
    if kind != FRICTION and kind != PYRAMID and kind != CONE:
        return 0.0
    rows, own = data.batch_row[batch + 1] - row, data.batch_own[batch]
    number = 1 if kind == FRICTION else rows  # of rows in a group
    force, change = data.efc_force, data.sol_W
    total = 0.0
    for at in range(0, rows, number):
        residual(data, batch, at, number)
        for k in range(number):
            change[k] = force[row + at + k]
        if kind == FRICTION:
            total += _friction_loss(data, row + at, own + at * rows + at)
        elif kind == PYRAMID:
            total += _pyramid(data, row, rows, own)
        else:
            total += _cone(data, row, rows - 1, own)
        for k in range(number):
            change[k] = force[row + at + k] - change[k]
        add_rows(data, batch, at, number, change)
    return total


@kernel
def _friction_loss(data, r, own):
    """The row of a dof or tendon, at efc_jar; the change of cost. own: address of its own entry of A + R."""
    diagonal = data.sol_B[own] - data.efc_R[r]
    old, loss = data.efc_force[r], data.efc_frictionloss[r]
    force = min(loss, max(-loss, old - data.efc_jar[r] / max(MINVAL, diagonal)))
    data.efc_force[r] = force
    step = force - old
    return 0.5 * step * step * diagonal + step * data.efc_jar[r]


@kernel
def _pyramid(data, row, number, begin):
    """The pairs of opposite edges, each at its sum, at efc_jar; the change of cost. begin: address of A + R."""
    matrix, length = data.sol_B, number
    change = 0.0
    for k in range(0, number, 2):
        r, at = row + k, begin + k * length + k
        a = max(TINY, matrix[at] - data.efc_R[r])
        b = matrix[at + 1]
        d = max(TINY, matrix[at + length + 1] - data.efc_R[r + 1])
        old0, old1 = data.efc_force[r], data.efc_force[r + 1]
        r0, r1 = data.efc_jar[r], data.efc_jar[r + 1]
        mean = 0.5 * (old0 + old1)
        c0, c1 = r0 - a * old0 - b * old1, r1 - b * old0 - d * old1
        curve = a + d - 2.0 * b
        side = 0.0
        if curve >= MINVAL:
            side = min(mean, max(-mean, -(mean * (a - d) + c0 - c1) / curve))
        step0, step1 = mean + side - old0, mean - side - old1
        cost = 0.5 * (a * step0 * step0 + d * step1 * step1) + b * step0 * step1 + r0 * step0 + r1 * step1
        if cost > WORSE:
            continue
        change += cost
        data.efc_force[r], data.efc_force[r + 1] = mean + side, mean - side
        for j in range(k + 2, number):
            at = begin + j * length + k
            data.efc_jar[row + j] += matrix[at] * step0 + matrix[at + 1] * step1
    return change


@kernel
def _cone(data, row, n, begin):
    """The n tangential forces of a contact with an elliptic cone, likewise."""
    matrix, length = data.sol_B, n + 1
    force, r = view(data.efc_force, row + 1, n), view(data.efc_jar, row + 1, n)
    normal = data.efc_force[row]
    work = data.sol_WJ
    a, c, y, friction = view(work, 0, 25), view(work, 25, 5), view(work, 30, 5), view(work, 35, 5)
    for k in range(n):
        friction[k] = data.contact_friction[data.efc_id[row], k]
        c[k] = r[k]
        y[k] = 0.0
        for j in range(n):
            value = matrix[begin + (k + 1) * length + j + 1]
            if j == k:
                value = max(TINY, value - data.efc_R[row + 1 + k])
            a[5 * k + j] = value
            c[k] -= value * force[j]
    if normal >= MINVAL and minimise(n, a, c, friction, normal, y, view(work, 40, SIZE)):
        to_surface(n, friction, normal, y)
    change = 0.0
    for k in range(n):
        step = y[k] - force[k]
        change += step * r[k]
        for j in range(n):
            change += 0.5 * step * a[5 * k + j] * (y[j] - force[j])
    if change > WORSE:
        return 0.0
    for k in range(n):
        force[k] = y[k]
    return change
