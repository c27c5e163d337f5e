"""The force law of the mouse: how the selected body is pulled and turned.

A dragged point is pulled by a damped spring whose stiffness grows with the mass that the point feels, so
that light and heavy bodies follow the cursor alike; turning does the same with inertia. Mocap bodies are posed
instead, and while the simulation is paused all bodies: free ones are placed, limbs follow by inverse kinematics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from math import sqrt

import numpy as np

from kinetree.engine.geometry.orientation import Quat, conj, from_rotation_vector, matrix, mul, rotation_vector, unit
from kinetree.engine.model import enums
from kinetree.engine.posing.aim import Aim


class Active(IntFlag):
    """Effect of the mouse on the selection: none, translation, rotation."""

    NONE = 0
    TRANSLATE = 1
    ROTATE = 2


MASS_FLOOR = 1e-9
STEADY = 0.5
"""Share of a vertex's speed that the damper of a pull may take away in one time step."""


def soft_mass(model, body: int) -> float:
    """The mass of the bodies that carry the flex which this body carries a part of, kg; 0 if it carries none."""
    total = 0.0
    for flex in range(int(model.nflex)):
        bodies = np.unique(flex_bodies(model, flex))
        if body in bodies:
            total = max(total, float(np.asarray(model.body_mass, float)[bodies[bodies > 0]].sum()))
    return total


def flex_bodies(model, flex: int) -> np.ndarray:
    """The bodies of the vertices of a flex, or of the nodes that its vertices are interpolated between."""
    kind = "node" if int(model.flex_interp[flex]) else "vert"
    first, count = int(getattr(model, f"flex_{kind}adr")[flex]), int(getattr(model, f"flex_{kind}num")[flex])
    return np.asarray(getattr(model, f"flex_{kind}bodyid")).astype(int)[first : first + count]


@dataclass
class Perturb:
    """The selection and what is being done to it.

    `select`: body id, 0: none; `active`: Active flags; `localpos`: the selected point in the body's frame;
    `refpos`, `refquat`: the pose to reach, of the body's centre of mass and inertial frame; `refselpos`:
    where the selected point is pulled to; `scale`: metres a window height at the selection's depth;
    `localmass`: mass felt at the point, kg.
    """

    select: int = 0
    active: Active = Active.NONE
    localpos: np.ndarray = field(default_factory=lambda: np.zeros(3))
    refpos: np.ndarray = field(default_factory=lambda: np.zeros(3))
    refquat: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    refselpos: np.ndarray = field(default_factory=lambda: np.zeros(3))
    scale: float = 1.0
    localmass: float = 0.0
    localinertia: float = 0.0
    _startquat: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    _iquat: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))

    def clear(self) -> None:
        """Select nothing."""
        self.select, self.active = 0, Active.NONE

    def point(self, state) -> np.ndarray:
        """(3,) world position of the selected point."""
        mat = np.asarray(state.xmat[self.select], float).reshape(3, 3)
        return np.asarray(state.xpos[self.select], float) + mat @ self.localpos

    def refmat(self) -> np.ndarray:
        """(3, 3) orientation to reach, of the body's own frame."""
        return np.array(matrix(mul(self.refquat, conj(self._iquat))))

    def turned(self) -> float:
        """By how much the reference was turned since the drag began, at most pi, rad."""
        return float(np.linalg.norm(rotation_vector(mul(self.refquat, conj(self._startquat)))))

    def inertial_offset(self, model) -> np.ndarray:
        """(3, 3) rotation from the body's frame to its inertial frame."""
        return np.array(matrix(model.body_iquat[self.select]))

    def begin(self, active: Active, model, state, scale: float) -> None:
        """Begin a drag, or change between moving and turning: take the body's present pose as the reference, and the
        mass felt at the selected point. `scale`: metres a window height at that point."""
        if self.select <= 0:
            return
        self.active, self.scale = active, scale
        body = self.select
        self.refpos = np.array(state.xipos[body], float)
        self._iquat = np.array(model.body_iquat[body], float)
        self.refquat = np.array(mul(state.xquat[body], self._iquat))
        self._startquat = self.refquat
        self.refselpos = self.point(state)
        invweight = np.asarray(model.body_invweight0[body], float)
        # the apparent mass at the centre, from the joint-space inertia at qpos0
        mass = max(float(model.body_subtreemass[body]), MASS_FLOOR)
        self.localmass = 1.0 / invweight[0] if invweight[0] > 0 else mass
        whole = soft_mass(model, body)
        if whole > self.localmass:  # a vertex alone is too light to take the flex along
            steady = STEADY / (sqrt(float(model.vis.map.stiffness)) * max(float(model.opt.timestep), MASS_FLOOR))
            self.localmass = min(whole, self.localmass * max(1.0, steady))
        inertia = float(np.asarray(model.body_inertia[body], float).mean())
        self.localinertia = 1.0 / invweight[1] if invweight[1] > 0 else max(inertia, MASS_FLOOR)

    def end(self) -> None:
        """Stop dragging; the selection stays."""
        self.active = Active.NONE

    def shift(self, by: np.ndarray) -> None:
        """Move the reference by (3,) metres."""
        self.refpos, self.refselpos = self.refpos + by, self.refselpos + by

    def turn(self, rotation: np.ndarray) -> None:
        """Turn the reference by a (3,) rotation vector in the world, rad."""
        self.refquat = np.array(unit(mul(from_rotation_vector(rotation), self.refquat)))

    def force(self, model, state) -> np.ndarray:
        """(6,) force and torque on the selected body's centre of mass for `xfrc_applied`; zeros when idle.

        Stiffness is map.stiffness x mass (map.stiffnessrot x inertia), damping its root x mass: half of
        critical, so that the body follows briskly and settles after one overshoot.
        """
        result = np.zeros(6)
        body = self.select
        if body <= 0 or not self.active:
            return result
        if int(model.body_mocapid[body]) >= 0:
            return result
        centre = np.asarray(state.xipos[body], float)
        point = self.point(state)
        cvel = np.asarray(state.cvel[body], float)
        root = int(model.body_rootid[body])
        spin = cvel[:3]
        if self.active & Active.TRANSLATE:
            velocity = cvel[3:] + np.cross(spin, point - np.asarray(state.subtree_com[root], float))
            stiffness = float(model.vis.map.stiffness)
            pull = self.localmass * (stiffness * (self.refselpos - point) - sqrt(stiffness) * velocity)
            result[:3] += pull
            result[3:] += np.cross(point - centre, pull)
        if self.active & Active.ROTATE:
            stiffness = float(model.vis.map.stiffnessrot)
            quat = mul(state.xquat[body], model.body_iquat[body])
            error = np.array(rotation_vector(mul(self.refquat, conj(quat))))
            result[3:] += self.localinertia * (stiffness * error - sqrt(stiffness) * spin)
        return result

    def pose(self, model, state, paused: bool) -> tuple[str, int, np.ndarray, np.ndarray] | None:
        """The pose to set, or None where a force does the work.

        ("mocap", mocap id, pos (3,), quat (4,)) for a mocap body or one that hangs rigidly on it, while
        running or paused; ("free", qpos address, pos, quat) while paused for a free body, or one that hangs rigidly on
        it. Poses are of the body's own frame.
        """
        if self.select <= 0 or not self.active:
            return None
        body = self.select
        root = int(model.body_rootid[body])
        mocap = int(model.body_mocapid[root])
        own = self._own_quat()
        pos = self.refpos - np.array(matrix(own)) @ np.asarray(model.body_ipos[body], float)
        if int(model.body_weldid[body]) != int(model.body_weldid[root]):
            return None
        if mocap >= 0:
            target, address = "mocap", mocap
        elif (
            paused
            and int(model.body_jntnum[root]) == 1
            and int(model.jnt_type[model.body_jntadr[root]]) == enums.JNT_FREE
        ):
            target, address = "free", int(model.jnt_qposadr[model.body_jntadr[root]])
        else:
            return None
        if body != root:  # carry the root along with the selected body
            relative = mul(own, conj(state.xquat[body]))
            offset = np.asarray(state.xpos[root], float) - np.asarray(state.xpos[body], float)
            pos = pos + np.array(matrix(relative)) @ offset
            own = mul(relative, state.xquat[root])
        return target, address, pos, np.array(unit(own))

    def aim(self, model) -> Aim | None:
        """Where the body is to go by inverse kinematics, None while nothing is dragged: the selected point to where it
        is pulled, or the body to its orientation, its centre of mass in place."""
        if self.select <= 0 or not self.active:
            return None
        if self.active & Active.ROTATE:
            centre = np.array(model.body_ipos[self.select], float)
            return Aim(self.refpos.tolist(), self._own_quat(), centre.tolist())
        return Aim(self.refselpos.tolist(), None, self.localpos.tolist())

    def _own_quat(self) -> Quat:
        """The orientation to reach, of the body's own frame."""
        return unit(mul(self.refquat, conj(self._iquat)))
