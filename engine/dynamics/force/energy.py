"""Potential and kinetic energy. Specification: XML reference, option/flag/energy."""

from __future__ import annotations

from kinetree.engine.dynamics.position.flex import has_edges
from kinetree.engine.dynamics.position.inertia import mul_m
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import dot3, load3, normalize4, subquat
from kinetree.engine.model import enums


@kernel
def potential_energy(model, data):
    """data.energy[0]: gravity, springs of joints and tendons and of edges of flexes, J.

    As in the reference the elasticity of surfaces and solids does not count.
    """
    potential = 0.0
    if not model.opt_disableflags & enums.DSBL_GRAVITY:
        gravity = (model.opt_gravity[0], model.opt_gravity[1], model.opt_gravity[2])
        for i in range(1, model.nbody):
            potential -= model.body_mass[i] * dot3(gravity, load3(data.xipos, i))
    if not model.opt_disableflags & enums.DSBL_PASSIVE:
        for j in range(model.njnt):
            stiffness = model.jnt_stiffness[j]
            q = model.jnt_qposadr[j]
            kind = model.jnt_type[j]
            squares = 0.0
            if stiffness == 0.0:
                continue
            if kind == enums.JNT_FREE or kind == enums.JNT_BALL:
                if kind == enums.JNT_FREE:
                    for k in range(3):
                        squares += (data.qpos[q + k] - model.qpos_spring[q + k]) ** 2
                    q += 3
                spring = model.qpos_spring
                away = subquat(
                    normalize4((data.qpos[q], data.qpos[q + 1], data.qpos[q + 2], data.qpos[q + 3])),
                    (spring[q], spring[q + 1], spring[q + 2], spring[q + 3]),
                )
                squares += dot3(away, away)
            else:
                squares = (data.qpos[q] - model.qpos_spring[q]) ** 2
            potential += 0.5 * stiffness * squares
        for t in range(model.ntendon):
            beyond = max(0.0, data.ten_length[t] - model.tendon_lengthspring[t, 1])
            beyond += max(0.0, model.tendon_lengthspring[t, 0] - data.ten_length[t])
            potential += 0.5 * model.tendon_stiffness[t] * beyond * beyond
        for f in range(model.nflex):
            if model.flex_edgestiffness[f] == 0.0 or not has_edges(model, f):
                continue
            for e in range(model.flex_edgeadr[f], model.flex_edgeadr[f] + model.flex_edgenum[f]):
                if not model.flexedge_rigid[e]:
                    stretch = data.flexedge_length[e] - model.flexedge_length0[e]
                    potential += 0.5 * model.flex_edgestiffness[f] * stretch * stretch
    data.energy[0] = potential


@kernel
def kinetic_energy(model, data):
    """data.energy[1]: half qvel' M qvel, with armature, J."""
    kinetic = 0.0
    mul_m(model, data.M, data.qvel, data.qacc_step)
    for i in range(model.nv):
        kinetic += 0.5 * data.qvel[i] * data.qacc_step[i]
    data.energy[1] = kinetic


@kernel
def clear_energy(model, data):
    """Set data.energy to zero: the flag energy is off, and what sensors needed has been used."""
    data.energy[0] = data.energy[1] = 0.0
