"""Joints: degrees of freedom, axes, ranges, and their part of the reference configuration."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine.compile import orientation
from engine.compile.indexing import DOFS, Index, joint_type, users
from engine.compile.limits import limited
from engine.compile.orientation import IDENTITY, ORIGIN, BadOrientation, Pose, compose, rotate
from engine.enums import JNT_BALL, JNT_FREE, JNT_HINGE, JNT_SLIDE
from engine.spec.elements import Body, Element

if TYPE_CHECKING:
    from engine.diagnostics import Diagnostics
    from engine.model import Model

JOINT_TYPES = {"free": JNT_FREE, "ball": JNT_BALL, "slide": JNT_SLIDE, "hinge": JNT_HINGE}
SOLREF = (0.02, 1.0)
SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)


class Joints:
    """The joints of one spec, checked and written.

    poses   each body's pose in its parent, by id: where free joints start
    """

    def __init__(self, index: Index, poses: list[Pose], diagnostics: Diagnostics):
        self.index = index
        self.spec = index.spec
        self.bodies = index.bodies
        self.poses = poses
        self.diagnostics = diagnostics
        for joint in self.bodies[0].joints:
            self.error(joint, "bad-place", "the world cannot move: put the joint into a body")
        for body in self.bodies[1:]:
            self.check_joints(body)

    def error(self, element: Element, code: str, message: str, *attributes: str) -> None:
        self.diagnostics.error(element.at(*attributes), code, message)

    def check_joints(self, body: Body) -> None:
        dofs, ball = 0, False
        for joint in body.joints:
            kind = joint_type(joint)
            if kind == "free" and body.parent is not self.bodies[0]:
                self.error(
                    joint,
                    "bad-place",
                    "a free joint is only possible in a child of the world; use another joint",
                )
            if ball and kind in ("ball", "hinge"):
                self.error(
                    joint,
                    "bad-joints",
                    "a ball joint already allows every rotation; remove the rotational joints that follow it",
                )
            ball = ball or kind == "ball"
            pair = joint.get("springdamper")
            if pair is not None and pair.any() and not (pair > 0).all():
                self.error(
                    joint,
                    "bad-value",
                    "springdamper is a time and a damping ratio: both must be above 0 (two zeros turn it off)",
                    "springdamper",
                )
            dofs += DOFS[kind]
        if dofs > 6:
            self.error(
                body,
                "bad-joints",
                f"the joints of {body.label()} have {dofs} degrees of freedom; 6 are possible",
            )

    def fill(self, m: Model) -> None:
        joints = self.index.objects["joint"]
        if not joints:
            return
        kinds = [joint_type(joint) for joint in joints]
        body_of = [body.id for body in self.bodies for _ in body.joints]
        m.jnt_type = [JOINT_TYPES[kind] for kind in kinds]
        m.jnt_bodyid = body_of
        m.jnt_group = [joint["group"] for joint in joints]
        qpos, spring, dof_body, dof_joint, dof_parent = [], [], [], [], []
        last = {}  # last dof of each body or of its nearest moving ancestor
        at = 0
        for body in self.bodies:
            before = last.get(body.parent.id, -1) if body.parent is not None else -1
            for joint in body.joints:
                kind = kinds[at]
                m.jnt_qposadr[at], m.jnt_dofadr[at] = len(qpos), len(dof_body)
                start, rest = self.joint(m, at, joint, kind, body)
                qpos += start
                spring += rest
                for _ in range(DOFS[kind]):
                    dof_body.append(body.id)
                    dof_joint.append(at)
                    dof_parent.append(before)
                    before = len(dof_body) - 1
                at += 1
            last[body.id] = before
        m.qpos0, m.qpos_spring = qpos, spring
        m.dof_bodyid, m.dof_jntid, m.dof_parentid = dof_body, dof_joint, dof_parent
        m.dof_treeid = m.body_treeid[m.dof_bodyid]
        depth = []
        for i, parent in enumerate(dof_parent):
            m.dof_Madr[i] = sum(depth[-1:]) and m.dof_Madr[i - 1] + depth[-1] if i else 0
            depth.append(1 + (depth[parent] if parent >= 0 else 0))
        for name in ("armature", "damping", "frictionloss"):
            # a joint of x_xy has a number for each dof
            values = [
                np.broadcast_to(joint.get(name, 0.0), DOFS[kind])
                for joint, kind in zip(joints, kinds, strict=True)
            ]
            setattr(m, "dof_" + name, np.concatenate(values))
        m.dof_solref = np.array([joint.get("solreffriction", SOLREF) for joint in joints])[m.dof_jntid]
        m.dof_solimp = np.array([joint.get("solimpfriction", SOLIMP) for joint in joints])[m.dof_jntid]
        users(m.jnt_user, joints)

    def joint(self, m: Model, i: int, joint: Element, kind: str, body: Body) -> tuple[list, list]:
        """Write one joint; returns its part of qpos0 and of qpos_spring."""
        values = joint.values
        angle = math.pi / 180 if self.spec.degree_of(joint) and kind in ("ball", "hinge") else 1.0
        pos, axis = ORIGIN, (0.0, 0.0, 1.0)
        if kind != "free":
            pos = tuple(values["pos"].tolist())
            if kind != "ball":
                try:
                    axis = orientation.direction(values["axis"].tolist(), "axis")
                except BadOrientation as error:
                    self.error(joint, "bad-value", str(error), "axis")
            if joint.frame is not None:
                pos = compose(joint.frame, (pos, IDENTITY))[0]
                axis = rotate(joint.frame[1], axis) if kind != "ball" else axis
        m.jnt_pos[i], m.jnt_axis[i] = pos, axis
        bounds_ = values.get("range", np.zeros(2))
        if kind != "free":
            on = m.jnt_limited[i] = limited(
                self.spec, self.diagnostics, joint, "limited", "range", empty=kind == "ball"
            )
            # angles stay as they are written where nothing is limited, as in the reference
            bounds_ = bounds_ * angle if on else bounds_
            if kind == "ball" and on and bounds_[0]:
                self.error(
                    joint,
                    "bad-range",
                    "the range of a ball joint begins with 0; then comes the greatest angle",
                    "range",
                )
            if kind != "ball":
                m.jnt_actfrclimited[i] = limited(
                    self.spec, self.diagnostics, joint, "actuatorfrclimited", "actuatorfrcrange"
                )
        m.jnt_range[i] = bounds_
        m.jnt_actfrcrange[i] = values.get("actuatorfrcrange", 0.0)
        m.jnt_actgravcomp[i] = values.get("actuatorgravcomp", False)
        m.jnt_solref[i] = values.get("solreflimit", SOLREF)
        m.jnt_solimp[i] = values.get("solimplimit", SOLIMP)
        m.jnt_stiffness[i] = values.get("stiffness", 0.0)
        m.jnt_margin[i] = values.get("margin", 0.0)
        if kind == "free":
            start = [*self.poses[body.id][0], *self.poses[body.id][1]]
            return start, start
        if kind == "ball":
            rest = values.get("springref")  # a quaternion in x_xy; MJCF has none for balls
            return list(IDENTITY), list(rest if np.ndim(rest) else IDENTITY)
        return [values["ref"] * angle], [values["springref"] * angle]
