"""Friction without regularisation, after any solver (noslip): it removes the slow sliding that soft friction allows.

A Gauss-Seidel method as in PGS, on A instead of A + R, which changes friction only: friction loss, and of
contacts the tangential forces at the normal forces that the solver found. Equalities, limits and frictionless
contacts stay. Specification: Computation, "Algorithms", noslip.
"""

from __future__ import annotations

from engine.dynamics.constraint_rows import CONE, FRICTION, PYRAMID
from engine.dynamics.dual import accelerations_from_forces, note_iteration, pad_forces, residual, states_from_forces
from engine.dynamics.ellipsoid import SIZE, minimise, to_surface
from engine.dynamics.solver_pgs import WORSE
from engine.jit.kernel import kernel, small, view
from engine.jit.vec import MINVAL

TINY = 1e-10  # least diagonal of a block of A


@kernel
def solve(model, data):
    """Stage: correct efc_force, and qacc, qfrc_constraint and efc_state that follow from it."""
    if data.nefc == 0:
        return
    pad_forces(data)
    scale = 1.0 / (model.stat_meaninertia * max(1, model.nv))
    states_from_forces(data)
    for k in range(model.opt_noslip_iterations):
        improvement = 0.0
        if k == 0:
            for r in range(data.nefc):
                improvement += 0.5 * data.efc_force[r] * data.efc_force[r] * data.efc_R[r]
        for g in range(data.ngrp):
            kind = data.grp_kind[g]
            if kind == FRICTION:
                improvement -= _friction_loss(data, g)
            elif kind == PYRAMID:
                improvement -= _pyramid(data, g)
            elif kind == CONE:
                improvement -= _cone(data, g)
        improvement *= scale
        active, changed = states_from_forces(data)
        note_iteration(data, improvement, active, changed)
        if improvement < model.opt_noslip_tolerance:
            break
    accelerations_from_forces(model, data)


@small
def _without_R(data, g):
    """Take R f off the residuals of a group."""
    for r in range(data.grp_row[g], data.grp_row[g] + data.grp_nrow[g]):
        data.efc_jar[r] -= data.efc_R[r] * data.efc_force[r]


@kernel
def _friction_loss(data, g):
    """The row of a dof or tendon; the change of cost."""
    own = residual(data, g, data.grp_nrow[g])
    _without_R(data, g)
    r = data.grp_row[g]
    diagonal = data.sol_AR[data.grp_AR[g] + own] - data.efc_R[r]
    old, loss = data.efc_force[r], data.efc_frictionloss[r]
    force = min(loss, max(-loss, old - data.efc_jar[r] / max(MINVAL, diagonal)))
    data.efc_force[r] = force
    step = force - old
    return 0.5 * step * step * diagonal + step * data.efc_jar[r]


@kernel
def _pyramid(data, g):
    """The pairs of opposite edges, each at its sum; the change of cost."""
    own = residual(data, g, data.grp_nrow[g])
    _without_R(data, g)
    row, number = data.grp_row[g], data.grp_nrow[g]
    matrix, length, begin = data.sol_AR, data.grp_ARnum[g], data.grp_AR[g] + own
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
def _cone(data, g):
    """The friction of a contact with an elliptic cone; the change of cost."""
    own = residual(data, g, data.grp_nrow[g])
    _without_R(data, g)
    row, n = data.grp_row[g], data.grp_dim[g] - 1
    matrix, length, begin = data.sol_AR, data.grp_ARnum[g], data.grp_AR[g] + own
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
