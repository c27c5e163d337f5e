"""Elastic constants of cables: bodies with the plugin mujoco.elasticity.cable, one after the other.

The bending and torsion constants are those of a straight rod with the cross section of the body's first geom: J G about
the rod, I E across it (Timoshenko and Goodier, Theory of Elasticity, chapter 10). Source: README of the plugin in
MuJoCo's repository; what it leaves open was found by comparing with mujoco 3.3.4.
"""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.jit.uncompiled import ListState, uncompiled
from kinetree.engine.jit.vec import subquat
from kinetree.engine.model import enums
from kinetree.engine.model.model import Model
from kinetree.engine.model.plugins import PLUGIN_CABLE

TWIST, BEND, FLAT = 0, 1, 2
"""Places in plugin_prm: shear modulus and Young's modulus, Pa; 1 where the cable is straight without torque."""


def fill(model: Model, state: ListState) -> None:
    """Set the rows of cables, with the size ncable. `state`: with poses at qpos0."""
    bodies = [
        body for body, at in enumerate(model.body_plugin.tolist()) if at >= 0 and model.plugin[at] == PLUGIN_CABLE
    ]
    if not bodies:
        return
    model.resize("ncable", len(bodies))
    model.cable_bodyid = bodies
    for i, body in enumerate(bodies):
        instance = model.body_plugin[body]
        is_next = i + 1 < len(bodies) and bodies[i + 1] == body + 1 and model.body_plugin[body + 1] == instance
        model.cable_next[i] = is_next
        follows = i > 0 and model.cable_next[i - 1]
        length = math.dist(state.xpos[body], state.xpos[body - 1]) if follows else 1.0
        model.cable_stiffness[i] = _stiffness(model, body, *model.plugin_prm[instance, :2].tolist()) / length
        if follows and model.plugin_prm[instance, FLAT] != 1.0:
            model.cable_rest[i] = uncompiled(subquat)(tuple(model.body_quat[body].tolist()), _joint(model, body))


def _joint(model: Model, body: int) -> tuple[float, ...]:
    """The orientation of a body's ball joint at qpos0."""
    last = model.body_jntadr[body] + model.body_jntnum[body] - 1
    kind = model.jnt_type[last] if last >= 0 else -1
    if kind not in (enums.JNT_BALL, enums.JNT_FREE):
        return 1.0, 0.0, 0.0, 0.0
    adr = model.jnt_qposadr[last] + (3 if kind == enums.JNT_FREE else 0)
    return tuple(model.qpos0[adr : adr + 4].tolist())


def _stiffness(model: Model, body: int, twist: float, bend: float) -> np.ndarray:
    """(3,) torsion about the body's x axis, bending about its y and z axes: torque times length by turn, N m^2."""
    geom = model.body_geomadr[body]
    kind = model.geom_type[geom] if geom >= 0 else -1
    if kind in (enums.GEOM_CAPSULE, enums.GEOM_CYLINDER):
        fourth = model.geom_size[geom, 0] ** 4
        polar, y, z = math.pi * fourth / 2, math.pi * fourth / 4, math.pi * fourth / 4
    elif kind == enums.GEOM_BOX:
        h, w = model.geom_size[geom, 1:].tolist()
        a, b = max(h, w), min(h, w)
        polar = a * b**3 * (16 / 3 - 3.36 * (b / a) * (1 - b**4 / a**4 / 12))
        y, z = (2 * w) ** 3 * 2 * h / 12, (2 * h) ** 3 * 2 * w / 12
    else:
        return np.zeros(3)
    return np.array((polar * twist, y * bend, z * bend))
