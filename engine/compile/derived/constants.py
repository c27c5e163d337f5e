"""Constants of the reference configuration qpos0: inverse weights, lengths, poses of cameras, statistics.

The stages of engine/dynamics compute kinematics and inertia. They run uncompiled (engine/jit/uncompiled.py), so that a
model can be shown before any kernel is compiled. Sources: XML reference ("statistic"; joint, springdamper; position,
dampratio; weld, relpose), Computation ("Constraint model": approximate inverse inertia).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.compile.derived import cables, weights
from kinetree.engine.dynamics.position import (
    inertia,
    kinematics,
    spatial_tendon,
    tendon,
    transmission,
    transmission_site,
)
from kinetree.engine.geometry.orientation import compose, conj, invert, mul, rotate
from kinetree.engine.jit.uncompiled import Arrays, Lists, ListState, uncompiled
from kinetree.engine.model import enums
from kinetree.engine.model.model import Model

if TYPE_CHECKING:
    from kinetree.engine.mjcf.elements import Element, SettingsValues

MINVAL = 1e-15
SAME = 1e-6
SMALLEST = 1e-5
"""Least size of a body and of a model, m."""


def simple_bodies(m: Lists) -> None:
    """Set body_simple and dof_simplenum: bodies and runs of dofs whose part of M is diagonal whatever the state."""
    parents, types = m.body_parentid, m.jnt_type
    simple = [0] * m.nbody
    for i, parent in enumerate(parents):
        # alone in its tree, or on a body welded to the world
        lowest = m.body_rootid[i] == i or (parents[parent] == 0 and m.body_jntnum[parent] == 0)
        simple[i] = int(m.body_sameframe[i] == enums.SAMEFRAME_BODY and lowest)
        if parent:
            simple[parent] = 0
    for j, body in enumerate(m.jnt_bodyid):
        last = j == m.body_jntadr[body] + m.body_jntnum[body] - 1
        away = any(abs(x) > SAME for x in m.jnt_pos[j])
        oblique = sum(abs(x) > MINVAL for x in m.jnt_axis[j]) > 1
        if away or oblique or (types[j] in (enums.JNT_BALL, enums.JNT_HINGE) and not last):
            simple[body] = 0
    for t, armature in enumerate(m.tendon_armature if m.ntendon else ()):
        if not armature:
            continue
        for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):  # it couples the dofs of these bodies
            at = m.wrap_objid[w]
            if m.wrap_type[w] == enums.WRAP_JOINT:
                simple[m.jnt_bodyid[at]] = 0
            elif m.wrap_type[w] == enums.WRAP_SITE:
                simple[m.site_bodyid[at]] = 0
    for i, (first, number) in enumerate(zip(m.body_jntadr, m.body_jntnum, strict=True)):
        if simple[i] and number and all(kind == enums.JNT_SLIDE for kind in types[first : first + number]):
            simple[i] = 2
    m.put(body_simple=simple)
    count, numbers = 0, []
    for body in reversed(m.dof_bodyid):
        count = count + 1 if simple[body] else 0
        numbers.append(count)
    m.model.dof_simplenum = numbers[::-1]


def fill(model: Model, lists: Lists, joints: list[Element], statistic: SettingsValues) -> list[int]:
    """Every constant of qpos0, in place. The model is otherwise complete; `lists` are its.

    Returns the first dof of each kinematic tree whose inertia is singular.
    """
    vars(lists).update(cam_mode=[enums.CAMLIGHT_FIXED] * model.ncam, light_mode=[enums.CAMLIGHT_FIXED] * model.nlight)
    state = ListState(lists)
    for stage in (kinematics.kinematics, kinematics.com_pos, kinematics.camlight):
        uncompiled(stage)(lists, state)
    if model.ntendon:
        _tendons(lists, state)
        model.tendon_length0 = state.ten_length
    if model.nv:
        uncompiled(inertia.crb)(lists, state)
        model.dof_M0 = _diagonal(lists, state)
        if model.ntendon and any(lists.tendon_armature):
            uncompiled(inertia.tendon_armature)(lists, state)
    if model.nu:
        for stage in (
            transmission.transmission,
            transmission_site.transmission_site,
            transmission_site.transmission_body,
        ):
            uncompiled(stage)(lists, state)
        model.actuator_length0 = state.actuator_length
    _camlight(model, lists, state)
    if model.neq:
        _equalities(model, state)
    if model.nplugin:
        cables.fill(model, state)
    singular = weights.fill(model, lists, state)
    _springs(model, joints)
    if model.ntendon:
        _tendon_springs(model, lists, state)
    if model.nu:
        _damping_ratios(model, state)
    _statistics(model, lists, state, statistic)
    return singular


def others(joints: list[Element], statistic: SettingsValues) -> tuple:
    """Inputs of `fill` besides the model: springdamper of joints and the statistics given in the text."""
    pairs = [(j, joint.get("springdamper")) for j, joint in enumerate(joints)]
    given = ((name, np.array(statistic[name], float).tobytes()) for name in statistic.given)
    return tuple((j, pair.tobytes()) for j, pair in pairs if pair is not None), tuple(given)


def _diagonal(model: Lists, state: ListState) -> list[float]:
    """The diagonal of M."""
    return [state.M[a + n - 1] for a, n in zip(model.M_rowadr, model.M_rownnz, strict=True)]


def _camlight(model: Model, lists: Lists, state: ListState) -> None:
    for kind, number in (("cam", model.ncam), ("light", model.nlight)):
        if not number:
            continue
        body, target = getattr(lists, kind + "_bodyid"), getattr(lists, kind + "_targetbodyid")
        place = getattr(state.arrays, kind + "_xpos")
        setattr(model, kind + "_pos0", place - state.arrays.xpos[body])
        about = [t if t >= 0 else b for b, t in zip(body, target, strict=True)]
        setattr(model, kind + "_poscom0", place - state.arrays.subtree_com[about])
    if model.ncam:
        model.cam_mat0 = state.cam_xmat
    if model.nlight:
        model.light_dir0 = state.light_xdir


def _equalities(model: Model, state: ListState) -> None:
    """Set the anchors in the second body, and relative poses that the text does not give."""

    def pose(body: int):
        return state.xpos[body], state.xquat[body]

    for i in range(model.neq):
        kind = model.eq_type[i]
        if kind not in (enums.EQ_CONNECT, enums.EQ_WELD) or model.eq_objtype[i] != enums.OBJ_BODY:
            continue
        one, two = pose(model.eq_obj1id[i]), pose(model.eq_obj2id[i])
        values = model.eq_data[i]
        if kind == enums.EQ_CONNECT:
            anchor = compose(one, (tuple(values[:3].tolist()), (1.0, 0.0, 0.0, 0.0)))[0]
            values[3:6] = rotate(conj(two[1]), [a - b for a, b in zip(anchor, two[0], strict=True)])
        elif not values[6:10].any():
            values[6:10] = mul(conj(one[1]), two[1])
            anchor = compose(two, (tuple(values[:3].tolist()), (1.0, 0.0, 0.0, 0.0)))[0]
            values[3:6] = compose(invert(one), (anchor, (1.0, 0.0, 0.0, 0.0)))[0]


# ---- springs and dampers ------------------------------------------------------------------------------


def _springs(model: Model, joints: list[Element]) -> None:
    """Set stiffness and damping of joints with springdamper, from a time constant and a damping ratio."""
    for j, joint in enumerate(joints):
        pair = joint.get("springdamper")
        if pair is None or not (pair[0] > 0 and pair[1] > 0):
            continue
        a = model.jnt_dofadr[j]
        number = {enums.JNT_FREE: 6, enums.JNT_BALL: 3}.get(int(model.jnt_type[j]), 1)
        mass = 1 / max(MINVAL, model.dof_invweight0[a : a + number].mean())
        time, ratio = pair
        model.jnt_stiffness[j] = mass / max(MINVAL, time * time * ratio * ratio)
        model.dof_damping[a : a + number] = 2 * mass / max(MINVAL, time)


def _tendons(model: Lists, state: ListState) -> None:
    """Compute lengths and gradients of all tendons, for the poses in `state`."""
    if enums.WRAP_JOINT in model.wrap_type:
        uncompiled(tendon.tendon)(model, state)
    if enums.WRAP_SITE in model.wrap_type:
        uncompiled(spatial_tendon.spatial_tendon)(model, state)


def _tendon_springs(model: Model, lists: Lists, state: ListState) -> None:
    """Set spring lengths that the text does not give to the lengths at qpos_spring."""
    open_ = (model.tendon_lengthspring == -1).all(1)
    if not open_.any():
        return
    lengths = state.arrays.ten_length
    if lists.qpos_spring != lists.qpos0:
        sprung = ListState(lists)
        sprung.qpos = lists.qpos_spring
        for stage in (kinematics.kinematics, kinematics.com_pos):
            uncompiled(stage)(lists, sprung)
        _tendons(lists, sprung)
        lengths = sprung.arrays.ten_length
    model.tendon_lengthspring[open_] = lengths[open_, None]


def _damping_ratios(model: Model, state: ListState) -> None:
    """Set the damping of position servos with dampratio: converts a positive biasprm[2] to a damping coefficient."""
    gains, biases = model.actuator_gainprm[:, 0].tolist(), model.actuator_biasprm[:, 1:3].tolist()
    for i, (kp, (bias, ratio)) in enumerate(zip(gains, biases, strict=True)):
        if kp != -bias or ratio <= 0:  # for all types, as in the reference
            continue
        a, n = state.moment_rowadr[i], state.moment_rownnz[i]
        moment = [v * v for v in state.actuator_moment[a : a + n]]
        dofs = state.moment_colind[a : a + n]
        mass = sum(model.dof_M0[d].item() / v for d, v in zip(dofs, moment, strict=True) if v > MINVAL)
        model.actuator_biasprm[i, 2] = -ratio * 2 * math.sqrt(kp * mass) if kp * mass >= 0 else math.nan


# ---- statistics ---------------------------------------------------------------------------------------


def _statistics(model: Model, lists: Lists, state: ListState, given: SettingsValues) -> None:
    """Set means, centre and extent of model.stat, where the text does not give them."""
    meaninertia, meanmass, meansize, extent = 1.0, 1.0, 0.2, 2.0
    if model.nv:
        meaninertia = _mean(_diagonal(lists, state))
    if model.nbody > 1:
        meanmass = _mean(lists.body_mass[1:])
        meansize = _mean([max(away, SMALLEST) for away in _reach(model, lists, state)[1:]])
    low, high = _box(lists, state)
    if low[0] <= high[0] and low[1] <= high[1] and low[2] <= high[2]:
        model.stat_center = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
        if high[0] > low[0]:
            extent = max(*(b - a for a, b in zip(low, high, strict=True)), SMALLEST)
    model.stat_meaninertia, model.stat_meanmass, model.stat_meansize = meaninertia, meanmass, meansize
    model.stat_extent = max(extent, 2 * meansize)
    for name in given.given:
        setattr(model, "stat_" + name, given[name])


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if len(values) < 8 else np.array(values).mean().item()


def _reach(model: Model, lists: Lists, state: ListState) -> list[float]:
    """Extent of each body from its centre of mass: to its joints, its children's joints and around its geoms."""
    reach = [0.0] * model.nbody
    places, owners, away = list(state.xipos), [], []
    for body, (x, y, z) in zip(lists.jnt_bodyid if model.njnt else (), state.xanchor):
        for at in (body, lists.body_parentid[body]):
            a, b, c = places[at]
            owners.append((at, 0.0))
            away.append((a - x, b - y, c - z))
    for at, radius, (x, y, z) in zip(
        *((lists.geom_bodyid, lists.geom_rbound) if model.ngeom else ((), ())), state.geom_xpos
    ):
        if radius > 0:
            a, b, c = places[at]
            owners.append((at, radius))
            away.append((a - x, b - y, c - z))
    if away:
        for (at, radius), v in zip(owners, np.array(away), strict=True):
            far = radius + math.sqrt(v.dot(v))
            if far > reach[at]:
                reach[at] = far
    if model.nflex:
        found = np.array(reach)
        _flex_reach(model, state.arrays, found)
        return found.tolist()
    return reach


def _flex_reach(model: Model, data: Arrays, reach: np.ndarray) -> None:
    """Extend the reach of bodies of flexes: to the other ends of the edges at their vertices, for nodes to each other's
    bodies."""
    for flex in range(model.nflex):
        if model.flex_interp[flex]:
            nodes = slice(model.flex_nodeadr[flex], model.flex_nodeadr[flex] + model.flex_nodenum[flex])
            bodies = model.flex_nodebodyid[nodes]
            place = data.xpos[bodies]
            away = np.linalg.norm(place[:, None] - place, axis=2).max(1)
            np.maximum.at(reach, bodies, away)
            continue
        edges = slice(model.flex_edgeadr[flex], model.flex_edgeadr[flex] + model.flex_edgenum[flex])
        bodies = model.flex_vertbodyid[model.flex_vertadr[flex] + model.flex_edge[edges]]
        for side in (0, 1):
            np.maximum.at(reach, bodies[:, side], model.flexedge_length0[edges])


def _box(model: Lists, state: ListState) -> tuple[list[float], list[float]]:
    """The box around bodies, their centres of mass, joints, sites and bounding spheres of geoms.

    A plane counts as a sphere of a tenth of its size, an endless one of 1 m. What is all further than 1e10 m from the
    origin is seen from there, as in the reference.
    """
    points = [*state.xpos[1:], *state.xipos[1:], *state.xanchor, *state.site_xpos]
    if model.ngeom:
        for g, ((x, y, z), r, kind) in enumerate(zip(state.geom_xpos, model.geom_rbound, model.geom_type, strict=True)):
            if kind == enums.GEOM_PLANE:
                size = max(model.geom_size[g][:2])
                r = 0.1 * size if size > 0 else 1.0
            points.append((x - r, y - r, z - r))
            points.append((x + r, y + r, z + r))
    if not points:
        return [1.0] * 3, [0.0] * 3
    if 1 < len(points) < 100 and math.isfinite(sum(map(sum, points))):
        low, high = list(map(min, *points)), list(map(max, *points))
    else:
        every = np.array(points)
        low, high = every.min(0).tolist(), every.max(0).tolist()
    return [min(x, 1e10) for x in low], [max(x, -1e10) for x in high]
