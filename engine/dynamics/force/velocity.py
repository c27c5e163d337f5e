"""Velocities of bodies, tendons and actuators, and the bias forces that follow from them.

Specification: Computation, "Velocity"; recursive Newton-Euler: Featherstone 2008, section 5.3.
"""

from __future__ import annotations

from kinetree.engine.dynamics.position.spatial import (
    add6,
    addscale6,
    cross_force,
    cross_motion,
    dot6,
    load10,
    mul_inert,
)
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import load6, store6
from kinetree.engine.model import enums


@kernel
def com_vel(model, data):
    """Body velocities about the root's centre of mass (cvel) and rates of the motion axes (cdof_dot)."""
    cvel, cdof, cdof_dot = data.cvel, data.cdof, data.cdof_dot
    store6(cvel, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for i in range(1, model.nbody):
        v = load6(cvel, model.body_parentid[i])
        for j in range(model.body_jntadr[i], model.body_jntadr[i] + model.body_jntnum[i]):
            dof = model.jnt_dofadr[j]
            kind = model.jnt_type[j]
            if kind == enums.JNT_FREE or kind == enums.JNT_BALL:
                if kind == enums.JNT_FREE:
                    for k in range(3):
                        store6(cdof_dot, dof + k, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
                    v = (
                        v[0],
                        v[1],
                        v[2],
                        v[3] + data.qvel[dof],
                        v[4] + data.qvel[dof + 1],
                        v[5] + data.qvel[dof + 2],
                    )
                    dof += 3
                before = v
                for k in range(dof, dof + 3):
                    axis = load6(cdof, k)
                    store6(cdof_dot, k, cross_motion(before, axis))
                    v = addscale6(v, axis, data.qvel[k])
            else:
                axis = load6(cdof, dof)
                store6(cdof_dot, dof, cross_motion(v, axis))
                v = addscale6(v, axis, data.qvel[dof])
        store6(cvel, i, v)


@kernel
def tendon_velocity(model, data):
    for t in range(model.ntendon):
        value = 0.0
        for k in range(model.ten_J_rowadr[t], model.ten_J_rowadr[t] + model.ten_J_rownnz[t]):
            value += data.ten_J[k] * data.qvel[model.ten_J_colind[k]]
        data.ten_velocity[t] = value


@kernel
def actuator_velocity(model, data):
    """Not refreshed while actuation is disabled, as in the reference."""
    if model.opt_disableflags & enums.DSBL_ACTUATION:
        return
    for i in range(model.nu):
        value = 0.0
        for k in range(data.moment_rowadr[i], data.moment_rowadr[i] + data.moment_rownnz[i]):
            value += data.actuator_moment[k] * data.qvel[data.moment_colind[k]]
        data.actuator_velocity[i] = value


@kernel
def rne(model, data):
    """qfrc_bias: Coriolis, centrifugal and gravitational forces."""
    acc, force = data.rne_cacc, data.rne_cfrc
    g = model.opt_gravity
    if model.opt_disableflags & enums.DSBL_GRAVITY:
        store6(acc, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    else:
        store6(acc, 0, (0.0, 0.0, 0.0, -g[0], -g[1], -g[2]))
    for i in range(1, model.nbody):
        a = load6(acc, model.body_parentid[i])
        for k in range(model.body_dofadr[i], model.body_dofadr[i] + model.body_dofnum[i]):
            a = addscale6(a, load6(data.cdof_dot, k), data.qvel[k])
        store6(acc, i, a)
        inert = load10(data.cinert, i)
        v = load6(data.cvel, i)
        store6(force, i, add6(mul_inert(inert, a), cross_force(v, mul_inert(inert, v))))
    for i in range(model.nbody - 1, 0, -1):
        f = load6(force, i)
        for k in range(model.body_dofadr[i], model.body_dofadr[i] + model.body_dofnum[i]):
            data.qfrc_bias[k] = dot6(load6(data.cdof, k), f)
        parent = model.body_parentid[i]
        if parent > 0:
            store6(force, parent, add6(load6(force, parent), f))
