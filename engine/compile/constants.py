"""What follows from the reference configuration qpos0: inverse weights, lengths, poses of cameras, statistics.

The engine's own stages compute kinematics and inertia, run by Python (`interpreted`) so that nothing has to be
compiled before a model can be looked at. Sources: XML reference ("statistic"; joint, springdamper; position,
dampratio; weld, relpose), Computation ("Constraint model": approximate inverse inertia).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine.compile.flex_weights import EdgeWeights
from engine.data import Data
from engine.enums import (
    CAMLIGHT_FIXED,
    EQ_CONNECT,
    EQ_WELD,
    GEOM_PLANE,
    JNT_BALL,
    JNT_FREE,
    JNT_HINGE,
    JNT_SLIDE,
    OBJ_BODY,
    SAMEFRAME_BODY,
    WRAP_JOINT,
    WRAP_SITE,
)
from engine.model import Model, full_m

if TYPE_CHECKING:
    from engine.spec.elements import Element, Settings

MINVAL = 1e-15
SAME = 1e-6
SMALLEST = 1e-5
"""Least size of a body and of a model, m."""
SINGULAR = 1e-13
"""Relative size of a pivot below which the inertia counts as singular."""


def simple_bodies(model: Model) -> None:
    """body_simple and dof_simplenum: bodies and runs of dofs whose part of M is diagonal whatever the state."""
    simple = model.body_simple
    for i in range(model.nbody):
        # alone in its tree, or on a body that is fixed to the world
        parent = model.body_parentid[i]
        lowest = model.body_rootid[i] == i or (
            model.body_parentid[parent] == 0 and model.body_jntnum[parent] == 0
        )
        simple[i] = model.body_sameframe[i] == SAMEFRAME_BODY and lowest
        if parent:
            simple[parent] = 0
    for j in range(model.njnt):
        body, turns = model.jnt_bodyid[j], model.jnt_type[j] in (JNT_BALL, JNT_HINGE)
        last = j == model.body_jntadr[body] + model.body_jntnum[body] - 1
        away = (np.abs(model.jnt_pos[j]) > SAME).any()
        oblique = (np.abs(model.jnt_axis[j]) > MINVAL).sum() > 1
        if away or oblique or (turns and not last):
            simple[body] = 0
    for t in np.flatnonzero(model.tendon_armature):  # its inertia couples the dofs of these bodies
        for w in range(model.tendon_adr[t], model.tendon_adr[t] + model.tendon_num[t]):
            at = model.wrap_objid[w]
            if model.wrap_type[w] == WRAP_JOINT:
                simple[model.jnt_bodyid[at]] = 0
            elif model.wrap_type[w] == WRAP_SITE:
                simple[model.site_bodyid[at]] = 0
    for i in range(model.nbody):
        first, number = model.body_jntadr[i], model.body_jntnum[i]
        if simple[i] and number and (model.jnt_type[first : first + number] == JNT_SLIDE).all():
            simple[i] = 2
    count = 0
    for i in range(model.nv - 1, -1, -1):
        count = count + 1 if simple[model.dof_bodyid[i]] else 0
        model.dof_simplenum[i] = count


def fill(model: Model, joints: list[Element], statistic: Settings) -> list[int]:
    """Every constant of qpos0, in place. The model is otherwise complete.

    Returns the first dof of each kinematic tree whose inertia is singular.
    """
    from engine.dynamics import inertia, kinematics, transmission, transmission_site
    from engine.kernel import interpreted

    data = Data(model)
    cameras, lights = model.cam_mode.copy(), model.light_mode.copy()
    model.cam_mode[...] = CAMLIGHT_FIXED
    model.light_mode[...] = CAMLIGHT_FIXED
    for stage in (kinematics.kinematics, kinematics.com_pos, kinematics.camlight):
        interpreted(stage)(model, data)
    model.cam_mode, model.light_mode = cameras, lights
    if model.ntendon:
        _tendons(model, data)
        model.tendon_length0 = data.ten_length
    if model.nv:
        interpreted(inertia.crb)(model, data)
        model.dof_M0 = data.M[model.M_rowadr + model.M_rownnz - 1]
        if model.tendon_armature.any():
            interpreted(inertia.tendon_armature)(model, data)
    if model.nu:
        for stage in (
            transmission.transmission,
            transmission_site.transmission_site,
            transmission_site.transmission_body,
        ):
            interpreted(stage)(model, data)
        model.actuator_length0 = data.actuator_length
    _camlight(model, data)
    _equalities(model, data)
    singular = _weights(model, data)
    _springs(model, joints)
    _tendon_springs(model)
    _damping_ratios(model, data)
    _statistics(model, data, statistic)
    return singular


def _camlight(model: Model, data: Data) -> None:
    for kind in ("cam", "light"):
        body, target = getattr(model, kind + "_bodyid"), getattr(model, kind + "_targetbodyid")
        place = getattr(data, kind + "_xpos")
        setattr(model, kind + "_pos0", place - data.xpos[body])
        setattr(model, kind + "_poscom0", place - data.subtree_com[np.where(target >= 0, target, body)])
    model.cam_mat0 = data.cam_xmat
    model.light_dir0 = data.light_xdir


def _equalities(model: Model, data: Data) -> None:
    """Anchors in the second body, and relative poses that were left to the reference configuration."""
    from engine.compile.orientation import compose, conj, invert, mul, rotate

    def pose(body: int):
        return tuple(data.xpos[body].tolist()), tuple(data.xquat[body].tolist())

    for i in range(model.neq):
        kind = model.eq_type[i]
        if kind not in (EQ_CONNECT, EQ_WELD) or model.eq_objtype[i] != OBJ_BODY:
            continue
        one, two = pose(model.eq_obj1id[i]), pose(model.eq_obj2id[i])
        values = model.eq_data[i]
        if kind == EQ_CONNECT:
            anchor = compose(one, (tuple(values[:3].tolist()), (1.0, 0.0, 0.0, 0.0)))[0]
            values[3:6] = rotate(conj(two[1]), [a - b for a, b in zip(anchor, two[0], strict=True)])
        elif not values[6:10].any():
            values[6:10] = mul(conj(one[1]), two[1])
            anchor = compose(two, (tuple(values[:3].tolist()), (1.0, 0.0, 0.0, 0.0)))[0]
            values[3:6] = compose(invert(one), (anchor, (1.0, 0.0, 0.0, 0.0)))[0]


# ---- inverse weights ----------------------------------------------------------------------------------


def _blocks(model: Model) -> list[np.ndarray]:
    """Sets of dofs between which M has no entries: kinematic trees, or all dofs where tendons couple them."""
    if model.tendon_armature.any():
        return [np.arange(model.nv)]
    return [np.arange(a, a + n) for a, n in zip(model.tree_dofadr, model.tree_dofnum, strict=True)]


def _chains(model: Model) -> list[np.ndarray]:
    """For each body, the dofs that move it."""
    result = [np.zeros(0, int)]
    for i in range(1, model.nbody):
        before = result[model.body_parentid[i]]
        number = model.body_dofnum[i]
        if number:
            first = model.body_dofadr[i]
            before = np.concatenate([before, np.arange(first, first + number)])
        result.append(before)
    return result


def _weights(model: Model, data: Data) -> list[int]:
    """Inverse weights; returns the first dof of each block whose inertia is singular."""
    singular: list[int] = []
    if not model.nv:
        return singular
    columns = model.M_colind
    diagonal = model.M_rowadr + model.M_rownnz - 1
    ten_rows = _rows(model.nv, model.ten_J_rownnz, model.ten_J_rowadr, model.ten_J_colind, data.ten_J)
    act_rows = _rows(
        model.nv, data.moment_rownnz, data.moment_rowadr, data.moment_colind, data.actuator_moment
    )
    tendon = np.zeros(model.ntendon)
    acc = np.zeros(model.nu)
    inverse_diagonal = np.zeros(model.nv)
    chains = _chains(model)
    bodies_of = [[] for _ in range(max(model.ntree, 1))]
    for i in range(1, model.nbody):
        if model.body_weldid[i]:
            bodies_of[model.body_treeid[i]].append(i)
    blocks = _blocks(model)
    whole = len(blocks) == 1
    edges = EdgeWeights(model, data, chains, blocks)
    rows = np.repeat(np.arange(model.nv), model.M_rownnz)
    dense = full_m(model, data) if whole else None
    for t, dofs in enumerate(blocks):
        start, size = dofs[0], len(dofs)
        if dense is None:
            first, last = model.M_rowadr[start], diagonal[dofs[-1]] + 1
            m = np.zeros((size, size))
            r, c = rows[first:last] - start, columns[first:last] - start
            m[r, c] = m[c, r] = data.M[first:last]
        else:
            m = dense
        inverse, regular = _inverse(m)
        if not regular:
            singular.append(int(start))
        inverse_diagonal[dofs] = inverse.diagonal()
        bodies = [b for of in bodies_of for b in of] if whole else bodies_of[t]
        _body_weights(model, data, bodies, chains, inverse, start)
        edges.add(t, inverse, start)
        for i, (cols, values) in enumerate(ten_rows):
            inside = (cols >= start) & (cols < start + size)
            if inside.any():
                j, at = values[inside], cols[inside] - start
                tendon[i] += j @ inverse[np.ix_(at, at)] @ j
        for i, (cols, values) in enumerate(act_rows):
            inside = (cols >= start) & (cols < start + size)
            if inside.any():
                v = inverse[:, cols[inside] - start] @ values[inside]
                acc[i] += v @ v
    model.tendon_invweight0 = tendon
    model.actuator_acc0 = np.sqrt(acc)
    for j in range(model.njnt):
        a = model.jnt_dofadr[j]
        groups = {JNT_FREE: (3, 3), JNT_BALL: (3,)}.get(int(model.jnt_type[j]), (1,))
        for number in groups:
            inverse_diagonal[a : a + number] = inverse_diagonal[a : a + number].mean()
            a += number
    for i in np.flatnonzero(model.body_simple == 2):  # only sliders: the mass, whatever their armature
        weight = 1 / max(MINVAL, model.body_mass[i])
        model.body_invweight0[i] = weight, 0.0
        first = model.body_dofadr[i]
        inverse_diagonal[first : first + model.body_dofnum[i]] = weight
    model.dof_invweight0 = inverse_diagonal
    edges.finish()
    return singular


def _rows(nv: int, rownnz, rowadr, colind, values) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(colind[a : a + n], values[a : a + n]) for a, n in zip(rowadr, rownnz, strict=True)]


def _inverse(m: np.ndarray) -> tuple[np.ndarray, bool]:
    """(inverse, True) of a positive definite matrix; (what is nearest to it, False) of a singular one."""
    try:
        factor = np.linalg.cholesky(m)
        if (factor.diagonal() ** 2 > SINGULAR * m.diagonal()).all():
            inverse = np.linalg.inv(factor)
            return inverse.T @ inverse, True
    except np.linalg.LinAlgError:
        pass
    if not np.isfinite(m).all():  # the last check says where
        return np.full_like(m, np.nan), True
    return np.linalg.pinv(m), False


def _body_weights(model: Model, data: Data, bodies, chains, inverse: np.ndarray, start: int) -> None:
    for i in bodies:
        dofs = chains[i]
        axis = data.cdof[dofs]
        away = data.xipos[i] - data.subtree_com[model.body_rootid[i]]
        j = np.empty((6, len(dofs)))
        j[:3] = axis[:, 3:].T + np.cross(axis[:, :3], away).T
        j[3:] = axis[:, :3].T
        at = dofs - start
        a = np.einsum("ij,jk,ik->i", j, inverse[np.ix_(at, at)], j)
        linear, angular = a[:3].mean(), a[3:].mean()
        model.body_invweight0[i] = linear, angular


# ---- springs and dampers ------------------------------------------------------------------------------


def _springs(model: Model, joints: list[Element]) -> None:
    """springdamper: stiffness and damping from a time constant and a damping ratio."""
    for j, joint in enumerate(joints):
        pair = joint.get("springdamper")
        if pair is None or not (pair[0] > 0 and pair[1] > 0):
            continue
        a = model.jnt_dofadr[j]
        number = {JNT_FREE: 6, JNT_BALL: 3}.get(int(model.jnt_type[j]), 1)
        mass = 1 / max(MINVAL, model.dof_invweight0[a : a + number].mean())
        time, ratio = pair
        model.jnt_stiffness[j] = mass / max(MINVAL, time * time * ratio * ratio)
        model.dof_damping[a : a + number] = 2 * mass / max(MINVAL, time)


def _tendons(model: Model, data: Data) -> None:
    """Lengths and gradients of all tendons, for the poses in data."""
    from engine.dynamics import spatial_tendon, tendon
    from engine.kernel import interpreted

    if (model.wrap_type == WRAP_JOINT).any():
        interpreted(tendon.tendon)(model, data)
    if (model.wrap_type == WRAP_SITE).any():
        interpreted(spatial_tendon.spatial_tendon)(model, data)


def _tendon_springs(model: Model) -> None:
    """Spring lengths that were left out: the lengths at qpos_spring."""
    from engine.dynamics import kinematics
    from engine.kernel import interpreted

    open_ = (model.tendon_lengthspring == -1).all(1)
    if not open_.any():
        return
    lengths = model.tendon_length0
    if (model.qpos_spring != model.qpos0).any():
        data = Data(model)
        data.qpos = model.qpos_spring
        for stage in (kinematics.kinematics, kinematics.com_pos):
            interpreted(stage)(model, data)
        _tendons(model, data)
        lengths = data.ten_length
    model.tendon_lengthspring[open_] = lengths[open_, None]


def _damping_ratios(model: Model, data: Data) -> None:
    """dampratio of position servos: a positive biasprm[2] becomes the damping that it stands for."""
    for i in range(model.nu):
        kp, ratio = model.actuator_gainprm[i, 0], model.actuator_biasprm[i, 2]
        if kp != -model.actuator_biasprm[i, 1] or ratio <= 0:  # whatever the types are, as in the reference
            continue
        a, n = data.moment_rowadr[i], data.moment_rownnz[i]
        moment = data.actuator_moment[a : a + n] ** 2
        dofs = data.moment_colind[a : a + n]
        mass = sum(model.dof_M0[d] / v for d, v in zip(dofs, moment, strict=True) if v > MINVAL)
        model.actuator_biasprm[i, 2] = -ratio * 2 * math.sqrt(kp * mass)


# ---- statistics ---------------------------------------------------------------------------------------


def _statistics(model: Model, data: Data, given: Settings) -> None:
    """Means, centre and extent, where the text does not give them."""
    stat = model.stat
    stat.meanmass, stat.meaninertia, stat.meansize, stat.extent = 1.0, 1.0, 0.2, 2.0
    if model.nv:
        stat.meaninertia = data.M[model.M_rowadr + model.M_rownnz - 1].mean()
    if model.nbody > 1:
        stat.meanmass = model.body_mass[1:].mean()
        stat.meansize = np.maximum(_reach(model, data)[1:], SMALLEST).mean()
    low, high = _box(model, data)
    if (low <= high).all():
        stat.center = (low + high) / 2
        if high[0] > low[0]:
            stat.extent = max((high - low).max(), SMALLEST)
    stat.extent = max(stat.extent, 2 * stat.meansize)
    for name, value in given.items():
        if name in given.given:
            setattr(stat, name, value)


def _reach(model: Model, data: Data) -> np.ndarray:
    """How far each body reaches from its centre of mass: to joints, to its children's joints, around its geoms."""
    reach = np.zeros(model.nbody)
    for j in range(model.njnt):
        body = model.jnt_bodyid[j]
        for at in (body, model.body_parentid[body]):
            reach[at] = max(reach[at], np.linalg.norm(data.xipos[at] - data.xanchor[j]))
    for g in range(model.ngeom):
        if model.geom_rbound[g] > 0:
            at = model.geom_bodyid[g]
            away = np.linalg.norm(data.xipos[at] - data.geom_xpos[g])
            reach[at] = max(reach[at], model.geom_rbound[g] + away)
    _flex_reach(model, data, reach)
    return reach


def _flex_reach(model: Model, data: Data, reach: np.ndarray) -> None:
    """Bodies reach to the other ends of the edges at their vertices, those of nodes to each other's bodies."""
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


def _box(model: Model, data: Data) -> tuple[np.ndarray, np.ndarray]:
    """The box around bodies, their centres of mass, joints, sites and bounding spheres of geoms.

    A plane counts as a sphere of a tenth of its size, an endless one of 1 m. What is all further than 1e10 m from the origin
    is seen from there, as in the reference.
    """
    radius = model.geom_rbound.copy()
    for g in np.flatnonzero(model.geom_type == GEOM_PLANE):
        size = model.geom_size[g, :2].max()
        radius[g] = 0.1 * size if size > 0 else 1.0
    round_ = data.geom_xpos - radius[:, None], data.geom_xpos + radius[:, None]
    points = np.concatenate([data.xpos[1:], data.xipos[1:], data.xanchor, data.site_xpos, *round_])
    if not len(points):
        return np.ones(3), np.zeros(3)
    return np.minimum(points.min(0), 1e10), np.maximum(points.max(0), -1e10)
