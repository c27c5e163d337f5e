"""Joints: degrees of freedom, axes, ranges, qpos0 and qpos_spring."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.compile.autolimits import limited
from kinetree.engine.compile.indexing import ObjectIndex, users
from kinetree.engine.geometry import orientation
from kinetree.engine.geometry.orientation import IDENTITY, ORIGIN, BadOrientation, Pose, compose, rotate
from kinetree.engine.mjcf.elements import Body, Element
from kinetree.engine.mjcf.joint_types import DOFS, joint_type
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.jit.uncompiled import Lists

JOINT_TYPES = {"free": enums.JNT_FREE, "ball": enums.JNT_BALL, "slide": enums.JNT_SLIDE, "hinge": enums.JNT_HINGE}
_COLUMNS = tuple(
    "jnt_" + name
    for name in (
        "pos", "axis", "limited", "actfrclimited", "range", "actfrcrange", "actgravcomp", "solref", "solimp",
        "stiffness", "margin", "group",
    )
)  # fmt: skip
SOLREF = (0.02, 1.0)
SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)


class Joints:
    """The joints of one spec, checked and written.

    poses   each body's pose in its parent, by id: where free joints start
    """

    def __init__(self, index: ObjectIndex, poses: list[Pose], diagnostics: Diagnostics):
        self.index = index
        self.spec = index.spec
        self.bodies = index.bodies
        self.poses = poses
        self.diagnostics = diagnostics
        for joint in self.bodies[0].joints:
            self.error(joint, "bad-place", tr("the world cannot move: put the joint into a body"))
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
                    tr("a free joint is only possible in a child of the world; use another joint"),
                )
            if ball and kind in ("ball", "hinge"):
                self.error(
                    joint,
                    "bad-joints",
                    tr("a ball joint already allows every rotation; remove the rotational joints that follow it"),
                )
            ball = ball or kind == "ball"
            pair = joint.get("springdamper")
            if pair is not None and pair.any() and not (pair > 0).all():
                self.error(
                    joint,
                    "bad-value",
                    tr("springdamper is a time and a damping ratio: both must be above 0 (two zeros turn it off)"),
                    "springdamper",
                )
            dofs += DOFS[kind]
        if dofs > 6:
            self.error(
                body,
                "bad-joints",
                tr(
                    "the joints of {label} have {dofs} degrees of freedom; 6 are possible",
                    label=body.label(),
                    dofs=dofs,
                ),
            )

    def fill(self, m: Lists) -> None:
        joints = self.index.objects["joint"]
        if not joints:
            return
        kinds = [joint_type(joint) for joint in joints]
        qpos, spring, written = [], [], []
        for body in self.bodies:
            for joint in body.joints:
                row, start, rest = self.joint(joint, kinds[joint.id], body)
                written.append(row)
                qpos += start
                spring += rest
        columns = dict(zip(_COLUMNS, map(list, zip(*written, strict=True)), strict=True))
        dofs: dict[str, list] = {"armature": [], "damping": [], "frictionloss": []}
        for joint, kind in zip(joints, kinds, strict=True):
            for name, values in dofs.items():
                # a joint of x_xy has a number for each dof
                value = joint.values.get(name, 0.0)
                values += value.tolist() if isinstance(value, np.ndarray) else [value] * DOFS[kind]
        m.put(
            jnt_pos=columns.pop("jnt_pos"),
            jnt_axis=columns.pop("jnt_axis"),
            qpos0=qpos,
            qpos_spring=spring,
            dof_armature=dofs["armature"],
        )
        columns |= {
            "dof_damping": dofs["damping"],
            "dof_frictionloss": dofs["frictionloss"],
            "dof_solref": [joints[j].values.get("solreffriction", SOLREF) for j in m.dof_jntid],
            "dof_solimp": [joints[j].values.get("solimpfriction", SOLIMP) for j in m.dof_jntid],
        }
        m.model.put(columns)
        users(m.model, "jnt_user", joints)

    def joint(self, joint: Element, kind: str, body: Body) -> tuple[tuple, list, list]:
        """(_COLUMNS of one joint, its part of qpos0, its part of qpos_spring)."""
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
        interval = values.get("range")
        bounds = (0.0, 0.0) if interval is None else interval.tolist()
        on = forced = False
        if kind != "free":
            on = limited(self.spec, self.diagnostics, joint, "limited", "range", empty=kind == "ball")
            # ranges of joints without limits are not converted to radians, as in the reference
            bounds = [value * angle for value in bounds] if on else bounds
            if kind == "ball" and on and bounds[0]:
                self.error(
                    joint,
                    "bad-range",
                    tr("the range of a ball joint begins with 0; then comes the greatest angle"),
                    "range",
                )
            if kind != "ball":
                forced = limited(self.spec, self.diagnostics, joint, "actuatorfrclimited", "actuatorfrcrange")
        row = (
            pos, axis, on, forced, bounds, values.get("actuatorfrcrange", (0.0, 0.0)),
            values.get("actuatorgravcomp", False), values.get("solreflimit", SOLREF),
            values.get("solimplimit", SOLIMP), values.get("stiffness", 0.0), values.get("margin", 0.0),
            values["group"],
        )  # fmt: skip
        if kind == "free":
            start = [*self.poses[body.id][0], *self.poses[body.id][1]]
            return row, start, start
        if kind == "ball":
            rest = values.get("springref")  # a quaternion in x_xy; MJCF has none for balls
            return row, list(IDENTITY), list(IDENTITY if rest is None or not np.ndim(rest) else rest)
        return row, [values["ref"] * angle], [values["springref"] * angle]
