"""Forces and velocities of points of bodies in joint space, through the motion axes (cdof)."""

from __future__ import annotations

from engine.jit.kernel import small
from engine.jit.vec import add3, cross3, dot3, load3, load6, sub3


@small
def last_dof(model, body):
    """The last dof of a body or of its nearest ancestor that has one, -1 where nothing moves."""
    while body > 0 and model.body_dofnum[body] == 0:
        body = model.body_parentid[body]
    if body == 0:
        return -1
    return model.body_dofadr[body] + model.body_dofnum[body] - 1


@small
def apply_force(model, data, body, point, force, torque, result):
    """Add to result (nv) the joint forces of a force (N) at a global point of a body and a torque (N m)."""
    arm = sub3(point, load3(data.subtree_com, model.body_rootid[body]))
    total = add3(torque, cross3(arm, force))
    dof = last_dof(model, body)
    while dof >= 0:
        s = load6(data.cdof, dof)
        result[dof] += dot3((s[0], s[1], s[2]), total) + dot3((s[3], s[4], s[5]), force)
        dof = model.dof_parentid[dof]


@small
def point_velocity(model, data, body, point):
    """(angular, linear) velocity of a global point of a body, in global axes."""
    v = load6(data.cvel, body)
    angular = (v[0], v[1], v[2])
    arm = sub3(point, load3(data.subtree_com, model.body_rootid[body]))
    return angular, add3((v[3], v[4], v[5]), cross3(angular, arm))
