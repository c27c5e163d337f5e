"""Torques of cables: bodies with the plugin mujoco.elasticity.cable resist bending and twisting against each other.

Their constants are made by engine/compile/derived/cables.py. Source: README of the plugin in MuJoCo's repository;
what it leaves open was found by comparing with mujoco 3.3.4.
"""

from __future__ import annotations

from kinetree.engine.dynamics.position.jacobian import apply_force
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import add3, load3, load4, load9, mulmat3, mulquat, negquat, quat2vel, rotate, scale3, sub3
from kinetree.engine.model import enums


@small
def _turn(model, data, body):
    """The orientation of a body against its parent, a quaternion. That of a ball joint is not normalised."""
    last = model.body_jntadr[body] + model.body_jntnum[body] - 1
    kind = model.jnt_type[last] if model.body_jntnum[body] > 0 else -1
    if kind != enums.JNT_BALL and kind != enums.JNT_FREE:
        return mulquat(negquat(load4(data.xquat, model.body_parentid[body])), load4(data.xquat, body))
    at = model.jnt_qposadr[last] + (3 if kind == enums.JNT_FREE else 0)
    own = (data.qpos[at], data.qpos[at + 1], data.qpos[at + 2], data.qpos[at + 3])
    return mulquat(load4(model.body_quat, body), own)


@small
def _torque(model, i, quat):
    """Torque of a body of a cable on the one before it, in the axes of the latter, N m."""
    bent = sub3(quat2vel(quat, 1.0), load3(model.cable_rest, i))
    k = load3(model.cable_stiffness, i)
    return (k[0] * bent[0], k[1] * bent[1], k[2] * bent[2])


@kernel
def cable(model, data):
    """Stage: add the torques to qfrc_passive."""
    if model.opt_disableflags & enums.DSBL_PASSIVE:
        return
    follows = 0
    for i in range(model.ncable):
        body = model.cable_bodyid[i]
        torque = (0.0, 0.0, 0.0)
        if follows:
            quat = _turn(model, data, body)
            torque = rotate(negquat(quat), scale3(_torque(model, i, quat), -1.0))
        follows = model.cable_next[i]
        if follows:
            after = _turn(model, data, model.cable_bodyid[i + 1])
            torque = add3(torque, _torque(model, i + 1, after))
        k = load3(model.cable_stiffness, i)
        if k[0] != 0.0 or k[1] != 0.0 or k[2] != 0.0:
            torque = mulmat3(load9(data.xmat, body), torque)
            apply_force(model, data, body, load3(data.xpos, body), (0.0, 0.0, 0.0), torque, data.qfrc_passive)
