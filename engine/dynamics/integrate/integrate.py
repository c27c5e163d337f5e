"""Integrators with one evaluation of the dynamics a step: Euler, implicit, implicitfast (RK4: `rk4.py`).

Each consists of stages: those that make and factor a matrix, and one that advances the state with it. Only Euler
without joint damping advances with qacc itself; the others with the acceleration of all forces, qfrc_smooth +
qfrc_constraint, under their matrix, which differs from qacc where the solver has not converged.

Specification: Computation, "Numerical integration".
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.force.actuation import is_disabled, next_activation
from kinetree.engine.dynamics.position.inertia import dofs_of_turn, entries, factor, factor_dofs, solve
from kinetree.engine.jit.kernel import apart, exact, exact_small, kernel, small, view
from kinetree.engine.jit.parallel import for_each, turns_for
from kinetree.engine.jit.vec import MINVAL, integrate_quat
from kinetree.engine.model import enums


@small
def integrate_pos(model, qpos, qvel, dt):
    """qpos <- qpos moved by the velocity qvel for dt; unit quaternions stay unit."""
    for j in range(model.njnt):
        q, dof = model.jnt_qposadr[j], model.jnt_dofadr[j]
        kind = model.jnt_type[j]
        if kind == enums.JNT_FREE or kind == enums.JNT_BALL:
            if kind == enums.JNT_FREE:
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


@exact_small
def _unit_quat(qpos, at):
    """The quaternion at a place in qpos, normalised."""
    a, b, c, d = qpos[at], qpos[at + 1], qpos[at + 2], qpos[at + 3]
    n = math.sqrt(a * a + b * b + c * c + d * d)
    if n < MINVAL:
        return 1.0, 0.0, 0.0, 0.0
    if abs(n - 1.0) <= MINVAL:
        return a, b, c, d
    s = 1.0 / n
    return a * s, b * s, c * s, d * s


@exact
def differentiate_pos(model, qvel, start, end, dt):
    """qvel <- the velocity that moves the positions from start to end within dt, along the shorter way.

    Differences of nearly equal positions are divided by small numbers: no operation is fused, so that compiled code and
    Python give the same bits.
    """
    for j in range(model.njnt):
        q, dof = model.jnt_qposadr[j], model.jnt_dofadr[j]
        kind = model.jnt_type[j]
        if kind == enums.JNT_FREE or kind == enums.JNT_BALL:
            if kind == enums.JNT_FREE:
                for k in range(3):
                    qvel[dof + k] = (end[q + k] - start[q + k]) / dt
                q += 3
                dof += 3
            a, b = _unit_quat(start, q), _unit_quat(end, q)
            w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
            x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
            y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
            z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
            length = math.sqrt(x * x + y * y + z * z)
            if length < MINVAL:
                x, y, z = 1.0, 0.0, 0.0
            else:
                s = 1.0 / length
                x, y, z = x * s, y * s, z * s
            speed = 2.0 * math.atan2(length, w)
            if speed > math.pi:
                speed -= 2.0 * math.pi
            speed /= dt
            qvel[dof] = x * speed
            qvel[dof + 1] = y * speed
            qvel[dof + 2] = z * speed
        else:
            qvel[dof] = (end[q] - start[q]) / dt


@small
def advance_activations(model, data, rates):
    """Activations after one time step with these rates. Those of a disabled group stay, but are clamped too."""
    if model.opt_disableflags & enums.DSBL_ACTUATION:
        return
    for i in range(model.nu):
        moving = not is_disabled(model, i)
        adr = model.actuator_actadr[i]
        for k in range(adr, adr + model.actuator_actnum[i]):  # plugins have some also without a dyntype
            data.act[k] = next_activation(model, i, data.act[k], rates[k] if moving else 0.0)


@kernel
def _advance(model, data, qacc):
    """Semi-implicit: activations and velocities first, positions with the new velocities."""
    dt = model.opt_timestep
    if model.na > 0:
        advance_activations(model, data, data.act_dot)
    for i in range(model.nv):
        data.qvel[i] += dt * qacc[i]
    integrate_pos(model, data.qpos, data.qvel, dt)
    data.time = data.time + dt


@kernel
def euler(model, data):
    """Semi-implicit Euler."""
    _advance(model, data, data.qacc)


@kernel
def damping_factor(model, data):
    """Factor of M + timestep diag(joint damping). The flag passive does not matter, as in the reference."""
    for_each(_damping_factor_of_trees, model, data, 0, turns_for(data, model.ntree))


@apart
def _damping_factor_of_trees(model, data, turn):
    """Task: the same for some kinematic trees."""
    first, end = dofs_of_turn(model, data, turn)
    begin, stop = entries(model, first, end)
    h, n = data.qH, end - first
    source, target = view(data.M, begin, stop - begin), view(h, begin, stop - begin)
    for i in range(stop - begin):
        target[i] = source[i]
    adrs, numbers = view(model.M_rowadr, first, n), view(model.M_rownnz, first, n)
    damping = view(model.dof_damping, first, n)
    for i in range(n):
        h[adrs[i] + numbers[i] - 1] += model.opt_timestep * damping[i]
    factor_dofs(model, h, data.qHDiagInv, first, end)


@kernel
def fast_factor(model, data):
    """implicitfast: factor of M - timestep qDeriv, a symmetric matrix; qDeriv is its lower triangle."""
    h, dt = data.qH, model.opt_timestep
    for i in range(model.nC):
        h[i] = data.M[i] - dt * data.qDeriv[i]
    factor(model, h, data.qHDiagInv)


@kernel
def advance_with_factor(model, data):
    """Euler with joint damping, and implicitfast: the acceleration is that of all forces under the factored matrix."""
    for i in range(model.nv):
        data.qacc_step[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i]
    solve(model, data.qH, data.qHDiagInv, data.qacc_step)
    _advance(model, data, data.qacc_step)


@kernel
def implicit_factor(model, data):
    """implicit: LU factor of M - timestep qDeriv without pivoting, from the leaves of the tree: nothing fills in.

    Pivots of no size count as MINVAL, so that a singular M gives finite states.
    """
    lower, upper, dt = data.qLU, data.qLU_upper, model.opt_timestep
    for i in range(model.nC):
        lower[i] = data.M[i] - dt * data.qDeriv[i]
        upper[i] = data.M[i] - dt * data.qDeriv_upper[i]
    for k in range(model.nv - 1, -1, -1):
        adr, number = model.M_rowadr[k], model.M_rownnz[k] - 1
        row, column = view(lower, adr, number + 1), view(upper, adr, number + 1)
        col = view(model.M_colind, adr, number + 1)
        if abs(row[number]) < MINVAL:
            row[number] = MINVAL
        inverse = 1.0 / row[number]
        for a in range(number):
            row[a] *= inverse
        for a in range(number - 1, -1, -1):
            left, up = row[a], column[a]
            to_lower, to_upper = view(lower, model.M_rowadr[col[a]], a + 1), view(upper, model.M_rowadr[col[a]], a + 1)
            for b in range(a + 1):
                to_lower[b] -= up * row[b]
                to_upper[b] -= left * column[b]


@kernel
def implicit(model, data):
    """The acceleration of all forces under the matrix whose LU factor is in qLU; then advance."""
    x = data.qacc_step
    for i in range(model.nv):
        x[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i]
    for k in range(model.nv - 1, -1, -1):
        adr, number = model.M_rowadr[k], model.M_rownnz[k] - 1
        column, col = view(data.qLU_upper, adr, number + 1), view(model.M_colind, adr, number + 1)
        value = x[k] / data.qLU[adr + number]
        x[k] = value
        for a in range(number):
            x[col[a]] -= column[a] * value
    for k in range(model.nv):
        adr, number = model.M_rowadr[k], model.M_rownnz[k] - 1
        row, col = view(data.qLU, adr, number + 1), view(model.M_colind, adr, number + 1)
        value = x[k]
        for a in range(number):
            value -= row[a] * x[col[a]]
        x[k] = value
    _advance(model, data, x)
