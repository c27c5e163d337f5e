"""Jacobians for callers, as dense arrays: of points, bodies, subtrees, geoms, sites and tendons.

A Jacobian J gives the velocity of its object, J @ data.qvel, in global axes: jacp (3, nv) the linear one, m/s, jacr (3,
nv) the angular one, rad/s. Its transpose turns forces into joint forces. An object is given by id or name.

All need the positions of the present state (`kinetree.forward` or a step), `jac_dot` its velocities too. They raise
KeyError for an unknown name, IndexError for an unknown id, and ValueError before the first computation. The step itself
uses engine/dynamics/position/jacobian.py. Specification: Computation, "Jacobian"; like mj_jac and its relatives.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.arguments import numbers, object_id
from kinetree.engine.model.data import Data, check_computed
from kinetree.engine.model.model import Model

Pair = tuple[np.ndarray, np.ndarray]


def chain(model: Model, body: int) -> np.ndarray:
    """The dofs that move a body, ascending."""
    while body > 0 and model.body_dofnum[body] == 0:
        body = model.body_parentid[body]
    dof = int(model.body_dofadr[body] + model.body_dofnum[body] - 1) if body > 0 else -1
    found = []
    while dof >= 0:
        found.append(dof)
        dof = int(model.dof_parentid[dof])
    return np.array(found[::-1], int)


def jac(model: Model, data: Data, point, body: int | str) -> Pair:
    """Return the Jacobians (jacp, jacr) of a point that is fixed to a body.

    jacp (3, nv) maps data.qvel to linear, jacr (3, nv) to angular velocity, m/s and rad/s, global axes.

    point   (3,) in global coordinates, m
    body    id or name

    Raises KeyError for an unknown name, IndexError for an unknown id, ValueError where nothing has been computed yet.

    Source: specification, Computation, "General framework"; API reference, mj_jac.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        jacp, jacr = kinetree.jac(model, data, [0.3, 0, 0.5], "hand")
        assert jacp.shape == jacr.shape == (3, model.nv)
    """
    check_computed(model, data)
    body = object_id(model, "body", body)
    dofs, jacp, jacr = chain(model, body), np.zeros((3, model.nv)), np.zeros((3, model.nv))
    axes = data.cdof[dofs]
    arm = numbers(point, (3,), "point") - data.subtree_com[model.body_rootid[body]]
    jacp[:, dofs] = (axes[:, 3:] + np.cross(axes[:, :3], arm)).T
    jacr[:, dofs] = axes[:, :3].T
    return jacp, jacr


def jac_body(model: Model, data: Data, body: int | str) -> Pair:
    """Return the Jacobians (jacp, jacr) of the frame of a body.

    jacp (3, nv) maps data.qvel to linear, jacr (3, nv) to angular velocity, m/s and rad/s, global axes.

    body   id or name

    Raises KeyError for an unknown name, IndexError for an unknown id, ValueError where nothing has been computed yet.

    Source: specification, Computation, "General framework"; API reference, mj_jacBody.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        jacp, _ = kinetree.jac_body(model, data, "hand")
        velocity = kinetree.object_velocity(model, data, "xbody", "hand")
        assert np.allclose(jacp @ data.qvel, velocity[3:])
    """
    check_computed(model, data)
    body = object_id(model, "body", body)
    return jac(model, data, data.xpos[body], body)


def jac_body_com(model: Model, data: Data, body: int | str) -> Pair:
    """Return the Jacobians (jacp, jacr) of the centre of mass of a body.

    jacp (3, nv) maps data.qvel to linear, jacr (3, nv) to angular velocity, m/s and rad/s, global axes.

    body   id or name

    Raises KeyError for an unknown name, IndexError for an unknown id, ValueError where nothing has been computed yet.

    Source: specification, Computation, "General framework"; API reference, mj_jacBodyCom.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        jacp, _ = kinetree.jac_body_com(model, data, "hand")
        velocity = kinetree.object_velocity(model, data, "body", "hand")
        assert np.allclose(jacp @ data.qvel, velocity[3:])
    """
    check_computed(model, data)
    body = object_id(model, "body", body)
    return jac(model, data, data.xipos[body], body)


def jac_geom(model: Model, data: Data, geom: int | str) -> Pair:
    """Return the Jacobians (jacp, jacr) of the centre of a geom.

    jacp (3, nv) maps data.qvel to linear, jacr (3, nv) to angular velocity, m/s and rad/s, global axes.

    geom   id or name

    Raises KeyError for an unknown name, IndexError for an unknown id, ValueError where nothing has been computed yet.

    Source: specification, Computation, "General framework"; API reference, mj_jacGeom.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        jacp, jacr = kinetree.jac_geom(model, data, "palm")
        assert jacp.shape == jacr.shape == (3, model.nv)
    """
    check_computed(model, data)
    geom = object_id(model, "geom", geom)
    return jac(model, data, data.geom_xpos[geom], int(model.geom_bodyid[geom]))


def jac_site(model: Model, data: Data, site: int | str) -> Pair:
    """Return the Jacobians (jacp, jacr) of a site.

    jacp (3, nv) maps data.qvel to linear, jacr (3, nv) to angular velocity, m/s and rad/s, global axes.

    site   id or name

    Raises KeyError for an unknown name, IndexError for an unknown id, ValueError where nothing has been computed yet.

    Source: specification, Computation, "General framework"; API reference, mj_jacSite.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        jacp, _ = kinetree.jac_site(model, data, "tool")
        force = jacp.T @ [0, 0, -9.81]
        assert force.shape == (model.nv,)
    """
    check_computed(model, data)
    site = object_id(model, "site", site)
    return jac(model, data, data.site_xpos[site], int(model.site_bodyid[site]))


def jac_subtree_com(model: Model, data: Data, body: int | str) -> np.ndarray:
    """Return the Jacobian jacp (3, nv), m/s, of the centre of mass of a body with all below it.

    A dof inside the subtree moves the part of the mass that is below the dof, a dof above it all of it.

    body   id or name

    Raises KeyError for an unknown name, IndexError for an unknown id, ValueError where nothing has been computed yet.

    Source: specification, Computation, "General framework"; API reference, mj_jacSubtreeCom.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        jacp = kinetree.jac_subtree_com(model, data, "shoulder")
        kinetree.subtree_vel(model, data)
        assert np.allclose(jacp @ data.qvel, data.subtree_linvel[kinetree.name2id(model, "body", "shoulder")])
    """
    check_computed(model, data)
    body = object_id(model, "body", body)
    jacp = np.zeros((3, model.nv))
    end = body + 1
    while end < model.nbody and model.body_parentid[end] >= body:
        end += 1
    inside = np.flatnonzero((model.dof_bodyid >= body) & (model.dof_bodyid < end))
    above = np.setdiff1d(chain(model, body), inside)
    dofs = np.concatenate([above, inside])
    moved = np.concatenate([np.full(len(above), body), model.dof_bodyid[inside]])
    axes = data.cdof[dofs]
    arms = data.subtree_com[moved] - data.subtree_com[model.body_rootid[moved]]
    share = model.body_subtreemass[moved] / max(1e-15, float(model.body_subtreemass[body]))
    jacp[:, dofs] = (share[:, None] * (axes[:, 3:] + np.cross(axes[:, :3], arms))).T
    return jacp


def jac_tendon(model: Model, data: Data, tendon: int | str) -> np.ndarray:
    """Return the Jacobian (nv,) of the length of a tendon: data.ten_velocity[tendon], m/s, is its product with
    data.qvel.

    tendon   id or name

    Raises KeyError for an unknown name, IndexError for an unknown id, ValueError where nothing has been computed yet.

    Source: specification, Computation, "General framework"; API reference, mj_tendon (data.ten_J).

    Example:
        model = kinetree.load("car.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        row = kinetree.jac_tendon(model, data, "steer")
        assert row.shape == (model.nv,) and row.any()
    """
    check_computed(model, data)
    tendon = object_id(model, "tendon", tendon)
    row, first = np.zeros(model.nv), model.ten_J_rowadr[tendon]
    at = slice(first, first + model.ten_J_rownnz[tendon])
    row[model.ten_J_colind[at]] = data.ten_J[at]
    return row


def jac_dot(model: Model, data: Data, point, body: int | str) -> Pair:
    """Return the time derivatives of (jacp, jacr), two arrays (3, nv), 1/s, of a point that moves with a body.

    point   (3,) in global coordinates, m
    body    id or name

    Raises KeyError for an unknown name, IndexError for an unknown id, ValueError where nothing has been computed yet.

    Source: specification, Computation, "General framework"; API reference, mj_jacDot.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        dotp, dotr = kinetree.jac_dot(model, data, [0.3, 0, 0.5], "hand")
        assert not dotp.any() and not dotr.any()  # nothing moves yet
    """
    check_computed(model, data)
    body = object_id(model, "body", body)
    dofs, jacp, jacr = chain(model, body), np.zeros((3, model.nv)), np.zeros((3, model.nv))
    axes, rates = data.cdof[dofs], data.cdof_dot[dofs].copy()
    joints = model.dof_jntid[dofs]
    types, first = model.jnt_type[joints], model.jnt_dofadr[joints]
    turning = (types == enums.JNT_BALL) | ((types == enums.JNT_FREE) & (dofs >= first + 3))
    # these axes are fixed to the body; cdof_dot has the rates that they have in qfrc_bias
    velocity = data.cvel[model.dof_bodyid[dofs[turning]]]
    spin, fixed = axes[turning, :3], velocity[:, :3]
    rates[turning, :3] = np.cross(fixed, spin)
    rates[turning, 3:] = np.cross(fixed, axes[turning, 3:]) + np.cross(velocity[:, 3:], spin)
    arm = numbers(point, (3,), "point") - data.subtree_com[model.body_rootid[body]]
    moving = data.cvel[body, 3:] + np.cross(data.cvel[body, :3], arm)
    jacp[:, dofs] = (rates[:, 3:] + np.cross(rates[:, :3], arm) + np.cross(axes[:, :3], moving)).T
    jacr[:, dofs] = rates[:, :3].T
    return jacp, jacr


def apply_ft(model: Model, data: Data, force, torque, point, body: int | str) -> np.ndarray:
    """Return the joint forces (nv,), N or N m, of a force and a torque on a body.

    force    (3,), N, global axes
    torque   (3,), N m, global axes
    point    (3,) at which the force acts, global coordinates, m
    body     id or name

    Raises KeyError for an unknown name, IndexError for an unknown id, ValueError where nothing has been computed yet.

    Source: specification, Computation, "General framework"; API reference, mj_applyFT.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        data.qfrc_applied[:] = kinetree.apply_ft(model, data, [5, 0, 0], [0, 0, 0], [0.3, 0, 0.5], "hand")
        assert data.qfrc_applied.any()
    """
    jacp, jacr = jac(model, data, point, body)
    return numbers(force, (3,), "force") @ jacp + numbers(torque, (3,), "torque") @ jacr
