"""Integrators: advance the state by one time step; and checks for NaN and huge values in the state.

Specification: Computation, "Numerical integration".
"""

from __future__ import annotations

import math

from engine.dynamics.actuation import control, is_disabled, next_activation
from engine.dynamics.inertia import factor, solve
from engine.dynamics.warn import warn
from engine.jit.addresses import bytes_at, field_address
from engine.jit.kernel import kernel, small
from engine.jit.vec import MAXVAL, integrate_quat
from engine.model.enums import (
    BIAS_AFFINE,
    DSBL_ACTUATION,
    DSBL_AUTORESET,
    DSBL_EULERDAMP,
    DSBL_PASSIVE,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_MUSCLE,
    JNT_BALL,
    JNT_FREE,
    WARN_BADQACC,
    WARN_BADQPOS,
    WARN_BADQVEL,
)


@small
def integrate_pos(model, qpos, qvel, dt):
    """qpos <- qpos moved by the velocity qvel for dt; unit quaternions stay unit."""
    for j in range(model.njnt):
        q, dof = model.jnt_qposadr[j], model.jnt_dofadr[j]
        kind = model.jnt_type[j]
        if kind == JNT_FREE or kind == JNT_BALL:
            if kind == JNT_FREE:
                for k in range(3):
                    qpos[q + k] += dt * qvel[dof + k]
                q += 3
                dof += 3
            turned = integrate_quat(
                (qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3]),
                (qvel[dof], qvel[dof + 1], qvel[dof + 2]),
                dt,
            )
            qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3] = turned
        else:
            qpos[q] += dt * qvel[dof]


@small
def _advance(model, data, qacc):
    """Semi-implicit: activations and velocities first, positions with the new velocities."""
    dt = model.opt_timestep
    if model.na > 0:
        for i in range(model.nu):
            if model.actuator_dyntype[i] != DYN_NONE and not is_disabled(model, i):
                data.act[model.actuator_actadr[i] + model.actuator_actnum[i] - 1] = next_activation(model, data, i)
    for i in range(model.nv):
        data.qvel[i] += dt * qacc[i]
        data.qacc_warmstart[i] = data.qacc[i]
    integrate_pos(model, data.qpos, data.qvel, dt)
    data.time = data.time + dt


@kernel
def euler(model, data):
    """Semi-implicit Euler, with implicit joint damping unless the flag eulerdamp is off (the flag passive
    does not matter).
    """
    damped = False
    if not model.opt_disableflags & DSBL_EULERDAMP:
        for i in range(model.nv):
            damped |= model.dof_damping[i] > 0.0
    if not damped:
        _advance(model, data, data.qacc)
        return
    for i in range(model.nC):
        data.qH[i] = data.M[i]
    for i in range(model.nv):
        data.qH[model.M_rowadr[i] + model.M_rownnz[i] - 1] += model.opt_timestep * model.dof_damping[i]
        data.qacc_step[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i]
    factor(model, data.qH, data.qHDiagInv)
    solve(model, data.qH, data.qHDiagInv, data.qacc_step)
    _advance(model, data, data.qacc_step)


@small
def _add_outer(model, h, colind, values, first, number, scale):
    """h += scale v v' where M has entries; v has ascending columns colind[first:first + number].

    Of dofs whose part of M is diagonal, only the diagonal, as in the reference.
    """
    for a in range(first, first + number):
        i = colind[a]
        b = first
        adr = model.M_rowadr[i]
        last = model.M_rownnz[i]
        for k in range(last - 1 if model.dof_simplenum[i] > 0 else 0, last):
            j = model.M_colind[adr + k]
            while b < first + number and colind[b] < j:
                b += 1
            if b < first + number and colind[b] == j:
                h[adr + k] += scale * values[a] * values[b]


@kernel
def implicitfast(model, data):
    """Implicit in the velocity derivatives of passive and actuator forces, Coriolis terms left out.

    As in the reference, derivatives ignore the clamping of forces to their range.
    Solves (M - dt dF/dv) qacc = F with the symmetric matrix kept in the rows of M.
    """
    dt = model.opt_timestep
    h = data.qH
    for i in range(model.nC):
        h[i] = data.M[i]
    if not model.opt_disableflags & DSBL_PASSIVE:
        for i in range(model.nv):
            h[model.M_rowadr[i] + model.M_rownnz[i] - 1] += dt * model.dof_damping[i]
        for t in range(model.ntendon):
            if model.tendon_damping[t] != 0.0:
                first, number = model.ten_J_rowadr[t], model.ten_J_rownnz[t]
                _add_outer(model, h, model.ten_J_colind, data.ten_J, first, number, dt * model.tendon_damping[t])
    if not model.opt_disableflags & DSBL_ACTUATION:
        for i in range(model.nu):
            if is_disabled(model, i):
                continue
            slope = 0.0
            if model.actuator_biastype[i] == BIAS_AFFINE:
                slope += model.actuator_biasprm[i, 2]
            by_velocity = 0.0
            if model.actuator_gaintype[i] == GAIN_AFFINE:
                by_velocity = model.actuator_gainprm[i, 2]
            elif model.actuator_gaintype[i] == GAIN_MUSCLE:
                by_velocity = data.muscle_gain_vel[i]
            if by_velocity != 0.0:
                # the reference takes the present activation here, whatever actearly says
                if model.actuator_dyntype[i] == DYN_NONE:
                    factor_of_gain = control(model, data, i)
                else:
                    factor_of_gain = data.act[model.actuator_actadr[i] + model.actuator_actnum[i] - 1]
                slope += by_velocity * factor_of_gain
            if slope != 0.0:
                first, number = data.moment_rowadr[i], data.moment_rownnz[i]
                _add_outer(model, h, data.moment_colind, data.actuator_moment, first, number, -dt * slope)
    for i in range(model.nv):
        data.qacc_step[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i]
    factor(model, h, data.qHDiagInv)
    solve(model, h, data.qHDiagInv, data.qacc_step)
    _advance(model, data, data.qacc_step)


@small
def _is_bad(values, n):
    """1 + the index of the first value that is NaN or beyond MAXVAL, 0 if there is none."""
    for i in range(n):
        if math.isnan(values[i]) or values[i] > MAXVAL or values[i] < -MAXVAL:
            return i + 1
    return 0


@small
def _reset(model, data, warning, index):
    """Count a warning; set state and inputs to their start values, unless automatic reset is switched off."""
    warn(data, warning, index)
    if model.opt_disableflags & DSBL_AUTORESET:
        return False
    for row in range(data.start_table.shape[0]):
        count = data.start_table[row, 1]
        array = bytes_at(field_address(data, data.start_table[row, 0]), count)
        start = bytes_at(data.start_table[row, 2], count)
        for k in range(count):
            array[k] = start[k]
    data.time = 0.0
    data.nreset += 1
    return True


@kernel
def check_state(model, data):
    """Warn and reset if a position or velocity is NaN or huge."""
    bad = _is_bad(data.qpos, model.nq)
    if bad:
        _reset(model, data, WARN_BADQPOS, bad - 1)
    bad = _is_bad(data.qvel, model.nv)
    if bad:
        _reset(model, data, WARN_BADQVEL, bad - 1)


@kernel
def check_acc(model, data):
    """Warn and reset if an acceleration is NaN or huge, and run the step again from the reset state.

    Only once a step: otherwise a model whose rest pose gives bad accelerations would be reset for ever.
    """
    if data.redo == 2:
        data.redo = 0
        return
    bad = _is_bad(data.qacc, model.nv)
    if bad and _reset(model, data, WARN_BADQACC, bad - 1):
        data.redo = 1
