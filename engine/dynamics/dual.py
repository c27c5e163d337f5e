"""Constraint rows as the dual solvers (PGS, noslip) need them: b, rows of A, states and accelerations from
forces.

The dual problem minimises 1/2 f'(A + R)f + f'b over the forces f that the constraints allow, with A = J
inverse(M) J' and b = J qacc_smooth - aref (efc_b). A is not formed as a whole: the vector inverse(M) J' of
one row gives a row of A, and is also the change of acceleration for a unit change of that row's force. It is
zero outside of the kinematic trees that the row acts on. Specification: Computation, "Dual problem" and
"Algorithms".

Vectors over dofs have four entries more than nv (data.sol_qacc has), because rows of seg_J are read in chunks
of four.
"""

from __future__ import annotations

import math

from engine.dynamics.constraint import add_JT, group_product, store_rows
from engine.dynamics.constraint_rows import CONE, FRICTION, QUADRATIC
from engine.dynamics.inertia import solve, solve_dofs
from engine.jit.kernel import kernel
from engine.model.enums import (
    CNSTRSTATE_CONE,
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
)


@kernel
def linear_term(model, data):
    """efc_b = J qacc_smooth - aref."""
    x = data.sol_qacc
    for i in range(model.nv):
        x[i] = data.qacc_smooth[i]
    for i in range(model.nv, model.nv + 4):
        x[i] = 0.0
    for g in range(data.ngrp):
        store_rows(data, g, group_product(data, g, data.seg_dof, x), data.efc_b)
    for r in range(data.nefc):
        data.efc_b[r] -= data.efc_aref[r]


@kernel
def clear_trees(model, data, g, x):
    """Zeros in x over the dofs of all kinematic trees that a group acts on."""
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        tree = model.dof_treeid[data.seg_dof[s]]
        for i in range(model.tree_dofadr[tree], model.tree_dofadr[tree] + model.tree_dofnum[tree]):
            x[i] = 0.0


@kernel
def inverse_column(model, data, g, row, x):
    """x <- inverse(M) J' of one constraint row of group g, in the trees that the group acts on (see
    clear_trees).
    """
    clear_trees(model, data, g, x)
    unit = data.efc_correction
    first = data.grp_row[g]
    for r in range(first, first + data.grp_nrow[g]):
        unit[r] = 1.0 if r == row else 0.0
    add_JT(data, g, data.seg_dof, unit, 1.0, x)
    tree = -1
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        other = model.dof_treeid[data.seg_dof[s]]  # segments of a tree follow each other
        if other != tree:
            tree = other
            first = model.tree_dofadr[tree]
            solve_dofs(model, data.qLD, data.qLDiagInv, x, first, first + model.tree_dofnum[tree])


@kernel
def dual_row(model, data, g, row, x, result):
    """result (nefc) <- the row of A of one constraint row of group g. x: scratch, zero in all other trees."""
    inverse_column(model, data, g, row, x)
    for h in range(data.ngrp):
        store_rows(data, h, group_product(data, h, data.seg_dof, x), result)
    clear_trees(model, data, g, x)


@kernel
def states_from_forces(data):
    """efc_state as it follows from efc_force."""
    for g in range(data.ngrp):
        kind, row, dim = data.grp_kind[g], data.grp_row[g], data.grp_dim[g]
        if kind == CONE:
            c = data.efc_id[row]
            mu = data.contact_mu[c]
            normal, square = data.efc_force[row] / mu, 0.0
            for e in range(1, dim):
                part = data.efc_force[row + e] / data.contact_friction[c, e - 1]
                square += part * part
            tangent = math.sqrt(square)
            state = CNSTRSTATE_CONE
            if mu * normal >= tangent:
                state = CNSTRSTATE_SATISFIED
            elif normal + mu * tangent <= 0.0:
                state = CNSTRSTATE_QUADRATIC
            for e in range(dim):
                data.efc_state[row + e] = state
            continue
        for r in range(row, row + data.grp_nrow[g]):
            force, state = data.efc_force[r], CNSTRSTATE_QUADRATIC
            if kind == FRICTION:
                if force <= -data.efc_frictionloss[r]:
                    state = CNSTRSTATE_LINEARPOS
                elif force >= data.efc_frictionloss[r]:
                    state = CNSTRSTATE_LINEARNEG
            elif kind != QUADRATIC and force <= 0.0:
                state = CNSTRSTATE_SATISFIED
            data.efc_state[r] = state


@kernel
def accelerations_from_forces(model, data):
    """qfrc_constraint = J' efc_force, qacc = qacc_smooth + inverse(M) qfrc_constraint."""
    x = data.sol_qacc
    for i in range(model.nv + 4):
        x[i] = 0.0
    for g in range(data.ngrp):
        add_JT(data, g, data.seg_dof, data.efc_force, 1.0, x)
    for i in range(model.nv):
        data.qfrc_constraint[i] = x[i]
    solve(model, data.qLD, data.qLDiagInv, x)
    for i in range(model.nv):
        data.qacc[i] = data.qacc_smooth[i] + x[i]
