"""Quantities that only sensors need: body accelerations, forces between bodies, subtree momenta.

Recursive Newton-Euler with all forces known: Featherstone 2008, section 5.3.
"""

from __future__ import annotations

from kinetree.engine.dynamics.position.contact_side import contact_bodies
from kinetree.engine.dynamics.position.jacobian import arm_of, point_velocity
from kinetree.engine.dynamics.position.spatial import add6, addscale6, cross_force, load10, mul_inert
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import (
    add3,
    addscale3,
    cross3,
    load3,
    load6,
    load9,
    mulmat3,
    mulmatT3,
    scale3,
    store3,
    store6,
    sub3,
)
from kinetree.engine.model import enums


@small
def contact_force(data, c):
    """(force, torque) of contact c in its own frame, acting on the second geom: normal first. N, N m"""
    row = data.contact_efc_address[c]
    zero = (0.0, 0.0, 0.0)
    if row < 0:
        return zero, zero
    dim = data.contact_dim[c]
    efc = data.efc_force
    if dim == 1:
        return (efc[row], 0.0, 0.0), zero
    kind = data.efc_type[row]
    if kind == enums.CNSTR_CONTACT_PYRAMIDAL:
        normal, t1, t2, r0, r1, r2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(dim - 1):
            plus, minus = efc[row + 2 * k], efc[row + 2 * k + 1]
            normal += plus + minus
            tangent = (plus - minus) * data.contact_friction[c, k]
            if k == 0:
                t1 = tangent
            elif k == 1:
                t2 = tangent
            elif k == 2:
                r0 = tangent
            elif k == 3:
                r1 = tangent
            else:
                r2 = tangent
        return (normal, t1, t2), (r0, r1, r2)
    if kind == enums.CNSTR_CONTACT_ELLIPTIC:
        r0 = efc[row + 3] if dim > 3 else 0.0
        r1 = efc[row + 4] if dim > 4 else 0.0
        r2 = efc[row + 5] if dim > 4 else 0.0
        return (efc[row], efc[row + 1], efc[row + 2]), (r0, r1, r2)
    return (efc[row], 0.0, 0.0), zero


@small
def _push(model, data, body, point, force, torque):
    """Add to cfrc_ext a force at a global point and a torque."""
    if body > 0:
        arm = arm_of(model, data, body, point)
        moment = add3(torque, cross3(arm, force))
        total = (moment[0], moment[1], moment[2], force[0], force[1], force[2])
        store6(data.cfrc_ext, body, add6(load6(data.cfrc_ext, body), total))


@small
def _equality_forces(model, data):
    row = 0
    while row < data.ne:
        eq = data.efc_id[row]
        kind = model.eq_type[eq]
        if data.efc_type[row] != enums.CNSTR_EQUALITY or (kind != enums.EQ_CONNECT and kind != enums.EQ_WELD):
            row += 1
            continue
        force = (data.efc_force[row], data.efc_force[row + 1], data.efc_force[row + 2])
        torque = (0.0, 0.0, 0.0)
        if kind == enums.EQ_WELD:
            torque = (data.efc_force[row + 3], data.efc_force[row + 4], data.efc_force[row + 5])
        one, two = model.eq_obj1id[eq], model.eq_obj2id[eq]
        if model.eq_objtype[eq] == enums.OBJ_SITE:
            point1, point2 = load3(data.site_xpos, one), load3(data.site_xpos, two)
            one, two = model.site_bodyid[one], model.site_bodyid[two]
        else:
            first = (model.eq_data[eq, 0], model.eq_data[eq, 1], model.eq_data[eq, 2])
            second = (model.eq_data[eq, 3], model.eq_data[eq, 4], model.eq_data[eq, 5])
            if kind == enums.EQ_WELD:  # the anchor stands in the second body's frame, the relative pose in the first's
                first, second = second, first
            point1 = add3(load3(data.xpos, one), mulmat3(load9(data.xmat, one), first))
            point2 = add3(load3(data.xpos, two), mulmat3(load9(data.xmat, two), second))
        _push(model, data, one, point1, force, torque)
        _push(model, data, two, point2, scale3(force, -1.0), scale3(torque, -1.0))
        row += 3 if kind == enums.EQ_CONNECT else 6


@kernel
def rne_post_constraint(model, data):
    """cacc, cfrc_ext and cfrc_int, from applied, contact, connect and weld forces."""
    for b in range(model.nbody):
        store6(data.cfrc_ext, b, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for b in range(1, model.nbody):
        push = load6(data.xfrc_applied, b)
        _push(model, data, b, load3(data.xipos, b), (push[0], push[1], push[2]), (push[3], push[4], push[5]))
    for c in range(data.ncon):
        if data.contact_efc_address[c] < 0:
            continue
        force, torque = contact_force(data, c)
        frame = load9(data.contact_frame, c)
        force, torque = mulmatT3(frame, force), mulmatT3(frame, torque)
        point = load3(data.contact_pos, c)
        for k in range(contact_bodies(model, data, c)):
            weight = data.side_weight[k]
            _push(model, data, data.side_body[k], point, scale3(force, weight), scale3(torque, weight))
    _equality_forces(model, data)
    g = model.opt_gravity
    down = (0.0, 0.0, 0.0) if model.opt_disableflags & enums.DSBL_GRAVITY else (g[0], g[1], g[2])
    store6(data.cacc, 0, (0.0, 0.0, 0.0, -down[0], -down[1], -down[2]))
    store6(data.cfrc_int, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for b in range(1, model.nbody):
        a = load6(data.cacc, model.body_parentid[b])
        for k in range(model.body_dofadr[b], model.body_dofadr[b] + model.body_dofnum[b]):
            a = addscale6(a, load6(data.cdof_dot, k), data.qvel[k])
            a = addscale6(a, load6(data.cdof, k), data.qacc[k])
        store6(data.cacc, b, a)
        inert = load10(data.cinert, b)
        v = load6(data.cvel, b)
        force6 = add6(mul_inert(inert, a), cross_force(v, mul_inert(inert, v)))
        store6(data.cfrc_int, b, addscale6(force6, load6(data.cfrc_ext, b), -1.0))
    for b in range(model.nbody - 1, 0, -1):
        parent = model.body_parentid[b]
        store6(data.cfrc_int, parent, add6(load6(data.cfrc_int, parent), load6(data.cfrc_int, b)))


@kernel
def subtree_vel(model, data):
    """Linear velocity of each subtree's centre of mass, and angular momentum about it."""
    lin, ang = data.subtree_linvel, data.subtree_angmom
    for b in range(model.nbody):
        _, v = point_velocity(model, data, b, load3(data.xipos, b))
        store3(lin, b, scale3(v, model.body_mass[b]))
    for b in range(model.nbody - 1, 0, -1):
        parent = model.body_parentid[b]
        store3(lin, parent, add3(load3(lin, parent), load3(lin, b)))
    for b in range(model.nbody):
        store3(lin, b, scale3(load3(lin, b), 1.0 / max(1e-15, model.body_subtreemass[b])))
    for b in range(model.nbody):
        spin, v = point_velocity(model, data, b, load3(data.xipos, b))
        axes = load9(data.ximat, b)
        local = mulmatT3(axes, spin)
        spin_local = (
            local[0] * model.body_inertia[b, 0],
            local[1] * model.body_inertia[b, 1],
            local[2] * model.body_inertia[b, 2],
        )
        arm = sub3(load3(data.xipos, b), load3(data.subtree_com, b))
        orbit = cross3(arm, sub3(v, load3(lin, b)))
        store3(ang, b, addscale3(mulmat3(axes, spin_local), orbit, model.body_mass[b]))
    for b in range(model.nbody - 1, 0, -1):
        parent = model.body_parentid[b]
        arm = sub3(load3(data.subtree_com, b), load3(data.subtree_com, parent))
        orbit = cross3(arm, sub3(load3(lin, b), load3(lin, parent)))
        total = addscale3(load3(ang, b), orbit, model.body_subtreemass[b])
        store3(ang, parent, add3(load3(ang, parent), total))
