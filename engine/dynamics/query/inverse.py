"""Inverse dynamics: the forces that make a given acceleration; and its comparison with the forward dynamics.

Stages. Where the flag invdiscrete is set, data.qacc is a finite difference of velocities under the model's integrator:
it is turned into the acceleration in continuous time first, and put back at the end.

Specification: Computation, "Inverse dynamics"; XML reference, option/flag fwdinv and invdiscrete.
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.constraint.cone import cone_update
from kinetree.engine.dynamics.constraint.constraint import add_JT, group_product, store_rows
from kinetree.engine.dynamics.constraint.rows import CONE
from kinetree.engine.dynamics.position.inertia import mul_m, solve
from kinetree.engine.dynamics.position.jacobian import apply_force
from kinetree.engine.dynamics.solver.cost import row_cost
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import load3
from kinetree.engine.model import enums


@kernel
def discrete_acceleration(model, data):
    """Replace qacc by inverse(M) (M - timestep D) qacc, where D is what the integrator treats implicitly.

    That is the damping of joints for Euler, qDeriv for implicit and implicitfast. The former qacc goes to qacc_step.
    """
    given, product, dt = data.qacc_step, data.sol_grad, model.opt_timestep
    for i in range(model.nv):
        given[i] = data.qacc[i]
    mul_m(model, data.M, given, product)
    if model.opt_integrator == enums.INT_EULER:
        for i in range(model.nv):
            product[i] += dt * model.dof_damping[i] * given[i]
    else:
        upper = data.qDeriv_upper if model.opt_integrator == enums.INT_IMPLICIT else data.qDeriv
        for i in range(model.nv):
            adr, last = model.M_rowadr[i], model.M_rownnz[i] - 1
            for k in range(last):
                j = model.M_colind[adr + k]
                product[i] -= dt * data.qDeriv[adr + k] * given[j]
                product[j] -= dt * upper[adr + k] * given[i]
            product[i] -= dt * data.qDeriv[adr + last] * given[i]
    solve(model, data.qLD, data.qLDiagInv, product)
    for i in range(model.nv):
        data.qacc[i] = product[i]


@kernel
def restore_acceleration(model, data):
    """Put back the qacc that `discrete_acceleration` replaced."""
    for i in range(model.nv):
        data.qacc[i] = data.qacc_step[i]


@kernel
def inverse_constraint(model, data):
    """Constraint forces at qacc: efc_force, efc_state, qfrc_constraint. Given the acceleration, each follows alone."""
    x = data.sol_qacc  # rows are read in chunks of four
    for i in range(model.nv + 4):
        x[i] = data.qacc[i] if i < model.nv else 0.0
        data.sol_grad[i] = 0.0
    for g in range(data.ngrp):
        kind, row = data.grp_kind[g], data.grp_row[g]
        store_rows(data, g, group_product(data, g, data.seg_dof, x), data.efc_jar)
        for r in range(row, row + data.grp_nrow[g]):
            data.efc_jar[r] -= data.efc_aref[r]
            data.efc_Jv[r] = 0.0
            data.efc_state[r] = enums.CNSTRSTATE_SATISFIED
            if kind != CONE:
                force, _, _, state = row_cost(
                    kind, data.efc_jar[r], data.efc_D[r], data.efc_R[r], data.efc_frictionloss[r]
                )
                data.efc_force[r] = force
                data.efc_state[r] = state
        if kind == CONE:
            cone_update(data, row, data.grp_dim[g], 0.0)
        add_JT(data, g, data.seg_dof, data.efc_force, 1.0, data.sol_grad)
    for i in range(model.nv):
        data.qfrc_constraint[i] = data.sol_grad[i]


@kernel
def inverse(model, data):
    """qfrc_inverse: the applied and actuator forces that make qacc, given bias, passive and constraint forces."""
    if data.nefc == 0:
        for i in range(model.nv):
            data.qfrc_constraint[i] = 0.0
    mul_m(model, data.M, data.qacc, data.qfrc_inverse)
    for i in range(model.nv):
        data.qfrc_inverse[i] += data.qfrc_bias[i] - data.qfrc_passive[i] - data.qfrc_constraint[i]


@kernel
def keep_forward(model, data):
    """Keep the constraint forces of the forward dynamics, which those of the inverse dynamics overwrite."""
    for i in range(model.nv):
        data.sol_Mstep[i] = data.qfrc_constraint[i]
    for r in range(data.nefc):
        data.efc_weight[r] = data.efc_force[r]
        data.grp_changed[r] = data.efc_state[r]


@kernel
def compare_inverse(model, data):
    """solver_fwdinv: norms of the differences of constraint forces, and of applied forces from qfrc_inverse.

    Both are 0 without constraint rows. Constraint forces are put back.
    """
    constraint = applied = 0.0
    if data.nefc > 0:
        total = data.sol_grad
        for i in range(model.nv):
            total[i] = data.qfrc_applied[i] - data.qfrc_inverse[i]
            if model.nu > 0:
                total[i] += data.qfrc_actuator[i]
        for b in range(1, model.nbody):
            push = data.xfrc_applied
            force, torque = (push[b, 0], push[b, 1], push[b, 2]), (push[b, 3], push[b, 4], push[b, 5])
            apply_force(model, data, b, load3(data.xipos, b), force, torque, total)
        for i in range(model.nv):
            constraint += (data.sol_Mstep[i] - data.qfrc_constraint[i]) ** 2
            applied += total[i] * total[i]
    data.solver_fwdinv[0] = math.sqrt(constraint)
    data.solver_fwdinv[1] = math.sqrt(applied)
    for i in range(model.nv):
        data.qfrc_constraint[i] = data.sol_Mstep[i]
    for r in range(data.nefc):
        data.efc_force[r] = data.efc_weight[r]
        data.efc_state[r] = data.grp_changed[r]
