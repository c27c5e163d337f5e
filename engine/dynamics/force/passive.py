"""Passive forces: springs, dampers and gravity compensation of joints, tendons and bodies.

Specification: Computation, "Passive forces"; XML reference, joint (stiffness, springref, damping), tendon
(springlength), body (gravcomp). Forces of a medium: engine/dynamics/force/fluid.py.
"""

from __future__ import annotations

from kinetree.engine.dynamics.position.jacobian import apply_force
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import load3, normalize4, scale3, subquat
from kinetree.engine.model import enums


@kernel
def passive(model, data):
    """qfrc_spring, qfrc_damper, qfrc_gravcomp and their sum qfrc_passive; qfrc_fluid is zero without a medium."""
    spring, damper, gravcomp = data.qfrc_spring, data.qfrc_damper, data.qfrc_gravcomp
    for i in range(model.nv):
        spring[i] = 0.0
        damper[i] = 0.0
        gravcomp[i] = 0.0
        data.qfrc_fluid[i] = 0.0
        data.qfrc_passive[i] = 0.0
    if model.opt_disableflags & enums.DSBL_PASSIVE:
        return
    for j in range(model.njnt):
        stiffness = model.jnt_stiffness[j]
        if stiffness == 0.0:
            continue
        q, dof = model.jnt_qposadr[j], model.jnt_dofadr[j]
        kind = model.jnt_type[j]
        if kind == enums.JNT_FREE or kind == enums.JNT_BALL:
            if kind == enums.JNT_FREE:
                for k in range(3):
                    spring[dof + k] = -stiffness * (data.qpos[q + k] - model.qpos_spring[q + k])
                q += 3
                dof += 3
            now = normalize4((data.qpos[q], data.qpos[q + 1], data.qpos[q + 2], data.qpos[q + 3]))
            rest = (
                model.qpos_spring[q],
                model.qpos_spring[q + 1],
                model.qpos_spring[q + 2],
                model.qpos_spring[q + 3],
            )
            away = subquat(now, rest)
            spring[dof] = -stiffness * away[0]
            spring[dof + 1] = -stiffness * away[1]
            spring[dof + 2] = -stiffness * away[2]
        else:
            spring[dof] = -stiffness * (data.qpos[q] - model.qpos_spring[q])
    for i in range(model.nv):
        damper[i] = -model.dof_damping[i] * data.qvel[i]
    for t in range(model.ntendon):
        length = data.ten_length[t]
        force = 0.0
        if length > model.tendon_lengthspring[t, 1]:
            force = model.tendon_stiffness[t] * (model.tendon_lengthspring[t, 1] - length)
        elif length < model.tendon_lengthspring[t, 0]:
            force = model.tendon_stiffness[t] * (model.tendon_lengthspring[t, 0] - length)
        drag = -model.tendon_damping[t] * data.ten_velocity[t]
        if force != 0.0 or drag != 0.0:
            for k in range(model.ten_J_rowadr[t], model.ten_J_rowadr[t] + model.ten_J_rownnz[t]):
                spring[model.ten_J_colind[k]] += data.ten_J[k] * force
                damper[model.ten_J_colind[k]] += data.ten_J[k] * drag
    if model.ngravcomp > 0 and not model.opt_disableflags & enums.DSBL_GRAVITY:
        gravity = (model.opt_gravity[0], model.opt_gravity[1], model.opt_gravity[2])
        for i in range(1, model.nbody):
            if model.body_gravcomp[i] != 0.0:
                lift = scale3(gravity, -model.body_mass[i] * model.body_gravcomp[i])
                apply_force(model, data, i, load3(data.xipos, i), lift, (0.0, 0.0, 0.0), gravcomp)
    for i in range(model.nv):
        data.qfrc_passive[i] = spring[i] + damper[i]
        if not model.jnt_actgravcomp[model.dof_jntid[i]]:
            data.qfrc_passive[i] += gravcomp[i]
