"""Derivatives of smooth joint forces by joint velocities (data.qDeriv), for the implicit integrators.

qDeriv and qDeriv_upper have the rows of M. At the entry of row i and column j, where dof j is an ancestor of dof i or
i itself, qDeriv holds d force_i / d velocity_j and qDeriv_upper d force_j / d velocity_i. On the diagonal both are the
same number. Derivatives between dofs of different branches of the tree are dropped, as in the reference. So are those
of clamped forces' clamping, of the bias of muscles and of user types. `implicitfast` reads qDeriv only.

Specification: Computation, "Numerical integration"; the derivative of the recursive Newton-Euler algorithm:
`bias_derivative`.
"""

from __future__ import annotations

from kinetree.engine.dynamics.force.actuation import is_disabled
from kinetree.engine.dynamics.position.flex import has_edges
from kinetree.engine.dynamics.position.spatial import (
    add6,
    addscale6,
    cross_force,
    cross_motion,
    dot6,
    load10,
    mul_inert,
)
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import dot3, load6, store6
from kinetree.engine.model import enums


@kernel
def add_outer(model, data, colind, values, first, number, scale):
    """qDeriv += scale v v' where it has entries; v has ascending columns colind[first:first + number].

    implicitfast, like the reference, keeps only the diagonal of dofs whose part of M is diagonal.
    """
    full = model.opt_integrator == enums.INT_IMPLICIT
    for a in range(first, first + number):
        i = colind[a]
        if not full and model.dof_simplenum[i] != 0:
            adr = model.M_rowadr[i] + model.M_rownnz[i] - 1
            value = scale * values[a] * values[a]
            data.qDeriv[adr] += value
            data.qDeriv_upper[adr] += value
            continue
        b = first
        adr = model.M_rowadr[i]
        last = model.M_rownnz[i]
        for k in range(last):
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
    if model.actuator_biastype[i] == enums.BIAS_AFFINE:
        slope += model.actuator_biasprm[i, 2]
    by_velocity = 0.0
    if model.actuator_gaintype[i] == enums.GAIN_AFFINE:
        by_velocity = model.actuator_gainprm[i, 2]
    elif model.actuator_gaintype[i] == enums.GAIN_MUSCLE:
        by_velocity = data.muscle_gain_vel[i]
    if by_velocity != 0.0:
        if model.actuator_dyntype[i] == enums.DYN_NONE:
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
    if not model.opt_disableflags & enums.DSBL_PASSIVE:
        for i in range(model.nv):
            at = model.M_rowadr[i] + model.M_rownnz[i] - 1
            data.qDeriv[at] = -model.dof_damping[i]
            data.qDeriv_upper[at] = -model.dof_damping[i]
        for t in range(model.ntendon):
            if model.tendon_damping[t] > 0.0:
                first, number = model.ten_J_rowadr[t], model.ten_J_rownnz[t]
                add_outer(model, data, model.ten_J_colind, data.ten_J, first, number, -model.tendon_damping[t])
        for f in range(model.nflex):
            if model.flex_edgedamping[f] > 0.0 and has_edges(model, f):
                for e in range(model.flex_edgeadr[f], model.flex_edgeadr[f] + model.flex_edgenum[f]):
                    first, number = model.flexedge_J_rowadr[e], model.flexedge_J_rownnz[e]
                    scale = -model.flex_edgedamping[f]
                    add_outer(model, data, model.flexedge_J_colind, data.flexedge_J, first, number, scale)
    if not model.opt_disableflags & enums.DSBL_ACTUATION:
        for i in range(model.nu):
            if not is_disabled(model, i):
                slope = _slope(model, data, i)
                if slope != 0.0:
                    first, number = data.moment_rowadr[i], data.moment_rownnz[i]
                    add_outer(model, data, data.moment_colind, data.actuator_moment, first, number, slope)


@small
def _drift(model, data, j):
    """The constant part e of d cacc / d velocity_j (see bias_derivative).

    For the axis of a hinge or slide joint it is twice its rate. The axes of a ball or free joint turn with the
    velocity that the body has without the joint's own rotation, so that of each other they feel nothing.
    """
    rate = load6(data.cdof_dot, j)
    joint = model.dof_jntid[j]
    kind = model.jnt_type[joint]
    if kind != enums.JNT_FREE and kind != enums.JNT_BALL:
        return addscale6(rate, rate, 1.0)
    end = model.jnt_dofadr[joint] + (6 if kind == enums.JNT_FREE else 3)
    if j < end - 3:
        return rate
    body = model.dof_bodyid[j]
    after = load6(data.cvel, body)  # with the joint, without those that follow it on the body
    for k in range(end, model.body_dofadr[body] + model.body_dofnum[body]):
        after = addscale6(after, load6(data.cdof, k), -data.qvel[k])
    return add6(rate, cross_motion(after, load6(data.cdof, j)))


@small
def _rotation_rate(inert, v):
    """Rate of the rotational part of an inertia, six numbers, of a body that moves with v."""
    w, u, m = (v[0], v[1], v[2]), (v[3], v[4], v[5]), (inert[6], inert[7], inert[8])
    a = (inert[0], inert[3], inert[4], inert[3], inert[1], inert[5], inert[4], inert[5], inert[2])
    t = (  # [w]x A: the rate by turning is t + t'
        w[1] * a[6] - w[2] * a[3], w[1] * a[7] - w[2] * a[4], w[1] * a[8] - w[2] * a[5],
        w[2] * a[0] - w[0] * a[6], w[2] * a[1] - w[0] * a[7], w[2] * a[2] - w[0] * a[8],
        w[0] * a[3] - w[1] * a[0], w[0] * a[4] - w[1] * a[1], w[0] * a[5] - w[1] * a[2],
    )  # fmt: skip
    along = 2.0 * dot3(u, m)
    return (
        2.0 * (t[0] - u[0] * m[0]) + along,
        2.0 * (t[4] - u[1] * m[1]) + along,
        2.0 * (t[8] - u[2] * m[2]) + along,
        t[1] + t[3] - u[0] * m[1] - u[1] * m[0],
        t[2] + t[6] - u[0] * m[2] - u[2] * m[0],
        t[5] + t[7] - u[1] * m[2] - u[2] * m[1],
    )


@kernel
def bias_derivative(model, data):
    """Subtract the exact derivatives of qfrc_bias from qDeriv.

    Recursive Newton-Euler gives body i, with inertia I, velocity v and momentum h = I v, the force I a + v x* h. By the
    velocity of dof j with axis s, which moves it, v has the derivative s, and a has s x v + e, where e is the same
    for all bodies that dof j moves. So the force has I e + I' s + s x* h, with the rate I' = v x* I - I v x of the
    inertia. The sums of I, I' and h over subtrees are taken once; I' is an inertia without mass whose first moment is
    the linear momentum.
    """
    rate, momentum = data.rne_cacc, data.rne_cfrc
    for b in range(1, model.nbody):
        inert, v = load10(data.cinert, b), load6(data.cvel, b)
        store6(momentum, b, mul_inert(inert, v))
        store6(rate, b, _rotation_rate(inert, v))
    for b in range(model.nbody - 1, 0, -1):
        parent = model.body_parentid[b]
        if parent > 0:
            store6(momentum, parent, add6(load6(momentum, parent), load6(momentum, b)))
            store6(rate, parent, add6(load6(rate, parent), load6(rate, b)))
    for i in range(model.nv):
        b = model.dof_bodyid[i]
        h, r, axis = load6(momentum, b), load6(rate, b), load6(data.cdof, i)
        inert = load10(data.crb, b)
        changing = mul_inert((r[0], r[1], r[2], r[3], r[4], r[5], h[3], h[4], h[5], 0.0), axis)
        carried = cross_force(axis, h)
        by_drift, by_axis = mul_inert(inert, axis), addscale6(changing, carried, -1.0)
        force = add6(mul_inert(inert, _drift(model, data, i)), add6(changing, carried))
        adr = model.M_rowadr[i]
        for k in range(adr, adr + model.M_rownnz[i]):
            j = model.M_colind[k]
            other = load6(data.cdof, j)
            data.qDeriv[k] -= dot6(by_drift, _drift(model, data, j)) + dot6(by_axis, other)
            data.qDeriv_upper[k] -= dot6(force, other)
