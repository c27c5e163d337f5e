"""Jacobians of points of bodies, applied: velocities and accelerations of points, joint forces of point
forces.
"""

from __future__ import annotations

from kinetree.engine.jit.kernel import exact_small, small
from kinetree.engine.jit.vec import add3, cross3, dot3, load3, load6, sub3


@small
def last_dof(model, body):
    """The last dof of a body or of its nearest ancestor with dofs, -1 if the body is fixed to the world."""
    while body > 0 and model.body_dofnum[body] == 0:
        body = model.body_parentid[body]
    if body == 0:
        return -1
    return model.body_dofadr[body] + model.body_dofnum[body] - 1


@small
def arm_of(model, data, body, point):
    """Vector to a global point of a body from the centre of mass of its tree, the reference point of cdof,
    cvel and cacc.
    """
    return sub3(point, load3(data.subtree_com, model.body_rootid[body]))


@exact_small
def dof_velocity(data, dof, arm):
    """(angular, linear) velocity that a unit of a dof gives to the point at `arm` (see arm_of).

    Without fused operations: what cancels is zero, which matters where forces are 1e17.
    """
    x, y, z, u, v, w = load6(data.cdof, dof)
    a, b, c = arm
    return (x, y, z), (u + (y * c - z * b), v + (z * a - x * c), w + (x * b - y * a))


@small
def apply_force(model, data, body, point, force, torque, result):
    """Add to result (nv) the joint forces of a force (N) at a global point of a body and a torque (N m)."""
    total = add3(torque, cross3(arm_of(model, data, body, point), force))
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
    return angular, add3((v[3], v[4], v[5]), cross3(angular, arm_of(model, data, body, point)))


@small
def point_acceleration(model, data, accelerations, body, point):
    """(angular, linear) acceleration of a global point of a body, in global axes.

    accelerations: of all bodies, (nbody, 6) about the centres of mass of their trees (cacc, rne_cacc)
    """
    a = load6(accelerations, body)
    angular = (a[0], a[1], a[2])
    turning, moving = point_velocity(model, data, body, point)
    linear = add3((a[3], a[4], a[5]), cross3(angular, arm_of(model, data, body, point)))
    return angular, add3(linear, cross3(turning, moving))
