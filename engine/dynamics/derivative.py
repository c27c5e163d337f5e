"""Derivatives of smooth joint forces by joint velocities (data.qDeriv), for the implicit integrators.

qDeriv and qDeriv_upper have the rows of M. At the entry of row i and column j, where dof j is an ancestor of dof i or
i itself, qDeriv holds d force_i / d velocity_j and qDeriv_upper d force_j / d velocity_i. On the diagonal both are the
same number. Derivatives between dofs of different branches of the tree are dropped, as in the reference. So are those
of clamped forces' clamping, of the bias of muscles and of user types. `implicitfast` reads qDeriv only.

Specification: Computation, "Numerical integration"; the derivative of the recursive Newton-Euler algorithm follows
the algorithm itself, column by column.
"""

from __future__ import annotations

from engine.dynamics.actuation import is_disabled
from engine.dynamics.spatial import add6, addscale6, cross_force, cross_motion, dot6, load10, mul_inert
from engine.jit.kernel import kernel, small
from engine.jit.vec import load6, store6
from engine.model.enums import (
    BIAS_AFFINE,
    DSBL_ACTUATION,
    DSBL_PASSIVE,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_MUSCLE,
    INT_IMPLICIT,
    JNT_BALL,
    JNT_FREE,
)


@kernel
def add_outer(model, data, colind, values, first, number, scale):
    """qDeriv += scale v v' where it has entries; v has ascending columns colind[first:first + number].

    implicitfast, like the reference, keeps only the diagonal of dofs whose part of M is diagonal.
    """
    full = model.opt_integrator == INT_IMPLICIT
    for a in range(first, first + number):
        i = colind[a]
        b = first
        adr = model.M_rowadr[i]
        last = model.M_rownnz[i]
        for k in range(0 if full or model.dof_simplenum[i] == 0 else last - 1, last):
            j = model.M_colind[adr + k]
            while b < first + number and colind[b] < j:
                b += 1
            if b < first + number and colind[b] == j:
                value = scale * values[a] * values[b]
                data.qDeriv[adr + k] += value
                data.qDeriv_upper[adr + k] += value


@small
def _slope(model, data, i):
    """Derivative of the force of actuator i by its velocity.

    As in the reference the control counts as it is given, beyond its range too, and the activation is the present one,
    whatever actearly says.
    """
    slope = 0.0
    if model.actuator_biastype[i] == BIAS_AFFINE:
        slope += model.actuator_biasprm[i, 2]
    by_velocity = 0.0
    if model.actuator_gaintype[i] == GAIN_AFFINE:
        by_velocity = model.actuator_gainprm[i, 2]
    elif model.actuator_gaintype[i] == GAIN_MUSCLE:
        by_velocity = data.muscle_gain_vel[i]
    if by_velocity != 0.0:
        if model.actuator_dyntype[i] == DYN_NONE:
            slope += 0.0 if data.ctrl_bad else by_velocity * data.ctrl[i]
        else:
            slope += by_velocity * data.act[model.actuator_actadr[i] + model.actuator_actnum[i] - 1]
    return slope


@kernel
def smooth_derivative(model, data):
    """Set qDeriv to the derivatives of damping and actuator forces."""
    for i in range(model.nC):
        data.qDeriv[i] = 0.0
        data.qDeriv_upper[i] = 0.0
    if not model.opt_disableflags & DSBL_PASSIVE:
        for i in range(model.nv):
            at = model.M_rowadr[i] + model.M_rownnz[i] - 1
            data.qDeriv[at] = -model.dof_damping[i]
            data.qDeriv_upper[at] = -model.dof_damping[i]
        for t in range(model.ntendon):
            if model.tendon_damping[t] > 0.0:
                first, number = model.ten_J_rowadr[t], model.ten_J_rownnz[t]
                add_outer(model, data, model.ten_J_colind, data.ten_J, first, number, -model.tendon_damping[t])
    if not model.opt_disableflags & DSBL_ACTUATION:
        for i in range(model.nu):
            if not is_disabled(model, i):
                slope = _slope(model, data, i)
                if slope != 0.0:
                    first, number = data.moment_rowadr[i], data.moment_rownnz[i]
                    add_outer(model, data, data.moment_colind, data.actuator_moment, first, number, slope)


@small
def _first_of_joint(model, dof):
    """The first of the dofs that turn with a ball or free joint together, else the dof itself.

    The axes of the three rotations move with the velocity that the body has without any of the three.
    """
    joint = model.dof_jntid[dof]
    kind = model.jnt_type[joint]
    first = model.jnt_dofadr[joint]
    if kind == JNT_FREE:
        return first + 3 if dof >= first + 3 else dof
    return first if kind == JNT_BALL else dof


@small
def _is_translation_of_free(model, dof):
    joint = model.dof_jntid[dof]
    return model.jnt_type[joint] == JNT_FREE and dof < model.jnt_dofadr[joint] + 3


@kernel
def bias_derivative(model, data):
    """Subtract the exact derivatives of qfrc_bias from qDeriv.

    For each dof j, recursive Newton-Euler over the bodies that j moves, differentiated by its velocity.
    """
    acc, force = data.rne_cacc, data.rne_cfrc
    for j in range(model.nv):
        axis = load6(data.cdof, j)
        top = model.dof_bodyid[j]
        end = top
        while end < model.nbody and (end == top or model.body_parentid[end] >= top):
            rate = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            if end > top:
                rate = load6(acc, model.body_parentid[end])
            for k in range(model.body_dofadr[end], model.body_dofadr[end] + model.body_dofnum[end]):
                if k == j:
                    rate = add6(rate, load6(data.cdof_dot, j))
                if _first_of_joint(model, k) > j and not _is_translation_of_free(model, k):
                    rate = addscale6(rate, cross_motion(axis, load6(data.cdof, k)), data.qvel[k])
            store6(acc, end, rate)
            inert, v = load10(data.cinert, end), load6(data.cvel, end)
            change = add6(mul_inert(inert, rate), cross_force(axis, mul_inert(inert, v)))
            store6(force, end, add6(change, cross_force(v, mul_inert(inert, axis))))
            end += 1
        place = model.M_rownnz[j] - 1  # the rows of descendants begin with the ancestors of j, then j
        for i in range(end - 1, top - 1, -1):
            f = load6(force, i)
            for k in range(model.body_dofadr[i], model.body_dofadr[i] + model.body_dofnum[i]):
                if k >= j:
                    data.qDeriv[model.M_rowadr[k] + place] -= dot6(load6(data.cdof, k), f)
            if i > top:
                parent = model.body_parentid[i]
                store6(force, parent, add6(load6(force, parent), f))
        f = load6(force, top)
        adr = model.M_rowadr[j]
        for k in range(place + 1):
            data.qDeriv_upper[adr + k] -= dot6(load6(data.cdof, model.M_colind[adr + k]), f)
