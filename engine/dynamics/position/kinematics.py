"""Kinematics: poses of bodies, joints, geoms, sites, cameras and lights; centres of mass; motion axes.

Poses equal MuJoCo 3.3.4's in every bit: without fused operations (`engine/jit/vec.py`), and with its order of sums.

Specification: Computation, "Kinematics"; XML reference, camera/mode and light/mode.
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.position.spatial import inert_com, store10
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import (
    MINVAL,
    add3,
    addscale3,
    axisangle,
    cross3,
    load3,
    load4,
    load9,
    mulmat3,
    mulquat,
    normalize3,
    normalize4,
    quat2mat,
    rotate,
    scale3,
    store3,
    store4,
    store6,
    store9,
    sub3,
)
from kinetree.engine.model import enums


@small
def _place(sameframe, model_pos, model_quat, i, body, data, out_pos, out_mat):
    """Pose of an object fixed to a body; parts that equal the body's (sameframe) are copied."""
    if sameframe == enums.SAMEFRAME_BODY:
        store3(out_pos, i, load3(data.xpos, body))
        store9(out_mat, i, load9(data.xmat, body))
    elif sameframe == enums.SAMEFRAME_INERTIA:
        store3(out_pos, i, load3(data.xipos, body))
        store9(out_mat, i, load9(data.ximat, body))
    else:
        mat = load9(data.xmat, body)
        store3(out_pos, i, add3(load3(data.xpos, body), mulmat3(mat, load3(model_pos, i))))
        if sameframe == enums.SAMEFRAME_BODYROT:
            store9(out_mat, i, mat)
        elif sameframe == enums.SAMEFRAME_INERTIAROT:
            store9(out_mat, i, load9(data.ximat, body))
        else:
            store9(out_mat, i, quat2mat(mulquat(load4(data.xquat, body), load4(model_quat, i))))


@kernel
def kinematics(model, data):
    """Global poses from qpos and the mocap poses."""
    qpos = data.qpos
    store3(data.xpos, 0, (0.0, 0.0, 0.0))
    store4(data.xquat, 0, (1.0, 0.0, 0.0, 0.0))
    store9(data.xmat, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    store3(data.xipos, 0, (0.0, 0.0, 0.0))
    store9(data.ximat, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for i in range(1, model.nbody):
        first, number = model.body_jntadr[i], model.body_jntnum[i]
        if number == 1 and model.jnt_type[first] == enums.JNT_FREE:
            q = model.jnt_qposadr[first]
            pos = (qpos[q], qpos[q + 1], qpos[q + 2])
            quat = normalize4((qpos[q + 3], qpos[q + 4], qpos[q + 5], qpos[q + 6]))
            store3(data.xanchor, first, pos)
            store3(data.xaxis, first, load3(model.jnt_axis, first))
        else:
            parent = model.body_parentid[i]
            mocap = model.body_mocapid[i]
            if mocap >= 0:
                pos = load3(data.mocap_pos, mocap)
                quat = normalize4(load4(data.mocap_quat, mocap))
            else:
                pos = load3(model.body_pos, i)
                quat = load4(model.body_quat, i)
            if parent > 0:
                pos = add3(load3(data.xpos, parent), mulmat3(load9(data.xmat, parent), pos))
                quat = mulquat(load4(data.xquat, parent), quat)
            for j in range(first, first + number):
                q = model.jnt_qposadr[j]
                kind = model.jnt_type[j]
                at = load3(model.jnt_pos, j)
                axis = load3(model.jnt_axis, j)
                xaxis = rotate(quat, axis)
                anchor = add3(pos, rotate(quat, at))
                if kind == enums.JNT_SLIDE:
                    pos = addscale3(pos, xaxis, qpos[q] - model.qpos0[q])
                else:
                    if kind == enums.JNT_BALL:
                        turn = normalize4((qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3]))
                    else:
                        angle = qpos[q] - model.qpos0[q]
                        # Python's sine raises an error where that of compiled code is NaN
                        turn = axisangle(axis, math.nan if math.isinf(angle) else angle)
                    quat = mulquat(quat, turn)
                    pos = sub3(anchor, rotate(quat, at))
                store3(data.xanchor, j, anchor)
                store3(data.xaxis, j, xaxis)
        quat = normalize4(quat)
        mat = quat2mat(quat)
        store3(data.xpos, i, pos)
        store4(data.xquat, i, quat)
        store9(data.xmat, i, mat)
        same = model.body_sameframe[i]
        if same == enums.SAMEFRAME_BODY:
            store3(data.xipos, i, pos)
        else:
            store3(data.xipos, i, add3(pos, mulmat3(mat, load3(model.body_ipos, i))))
        if same == enums.SAMEFRAME_NONE:
            store9(data.ximat, i, quat2mat(mulquat(quat, load4(model.body_iquat, i))))
        else:
            store9(data.ximat, i, mat)
    for i in range(model.ngeom):
        _place(
            model.geom_sameframe[i], model.geom_pos, model.geom_quat, i, model.geom_bodyid[i],
            data, data.geom_xpos, data.geom_xmat,
        )  # fmt: skip
    for i in range(model.nsite):
        _place(
            model.site_sameframe[i], model.site_pos, model.site_quat, i, model.site_bodyid[i],
            data, data.site_xpos, data.site_xmat,
        )  # fmt: skip


@kernel
def com_pos(model, data):
    """Centres of mass of subtrees; inertias and motion axes about the centre of mass of each tree."""
    com = data.subtree_com
    for i in range(model.nbody):
        store3(com, i, (0.0, 0.0, 0.0))
    for i in range(model.nbody - 1, -1, -1):
        moment = addscale3(load3(com, i), load3(data.xipos, i), model.body_mass[i])
        store3(com, i, moment)
        if i > 0:
            parent = model.body_parentid[i]
            store3(com, parent, add3(load3(com, parent), moment))
    for i in range(model.nbody):
        mass = model.body_subtreemass[i]
        if mass < MINVAL:
            store3(com, i, load3(data.xipos, i))
        else:
            store3(com, i, scale3(load3(com, i), 1.0 / mass))
    cinert = data.cinert
    store10(cinert, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for i in range(1, model.nbody):
        offset = sub3(load3(data.xipos, i), load3(com, model.body_rootid[i]))
        inert = inert_com(load3(model.body_inertia, i), load9(data.ximat, i), offset, model.body_mass[i])
        store10(cinert, i, inert)
    cdof = data.cdof
    for j in range(model.njnt):
        body = model.jnt_bodyid[j]
        dof = model.jnt_dofadr[j]
        kind = model.jnt_type[j]
        offset = sub3(load3(com, model.body_rootid[body]), load3(data.xanchor, j))
        if kind == enums.JNT_SLIDE:
            x = load3(data.xaxis, j)
            store6(cdof, dof, (0.0, 0.0, 0.0, x[0], x[1], x[2]))
        elif kind == enums.JNT_HINGE:
            x = load3(data.xaxis, j)
            v = cross3(x, offset)
            store6(cdof, dof, (x[0], x[1], x[2], v[0], v[1], v[2]))
        else:
            if kind == enums.JNT_FREE:
                store6(cdof, dof, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
                store6(cdof, dof + 1, (0.0, 0.0, 0.0, 0.0, 1.0, 0.0))
                store6(cdof, dof + 2, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
                dof += 3
            mat = load9(data.xmat, body)
            for k in range(3):
                x = (mat[k], mat[3 + k], mat[6 + k])
                v = cross3(x, offset)
                store6(cdof, dof + k, (x[0], x[1], x[2], v[0], v[1], v[2]))


@small
def _target(data, mode, target):
    return load3(data.xpos, target) if mode == enums.CAMLIGHT_TARGETBODY else load3(data.subtree_com, target)


@kernel
def camlight(model, data):
    """Poses of cameras and lights: fixed to the body, tracking it, or looking at a target body."""
    for i in range(model.ncam):
        body = model.cam_bodyid[i]
        mode = model.cam_mode[i]
        pos = add3(load3(data.xpos, body), mulmat3(load9(data.xmat, body), load3(model.cam_pos, i)))
        mat = quat2mat(mulquat(load4(data.xquat, body), load4(model.cam_quat, i)))
        if mode == enums.CAMLIGHT_TRACK:
            pos = add3(load3(data.xpos, body), load3(model.cam_pos0, i))
            mat = load9(model.cam_mat0, i)
        elif mode == enums.CAMLIGHT_TRACKCOM:
            pos = add3(load3(data.subtree_com, body), load3(model.cam_poscom0, i))
            mat = load9(model.cam_mat0, i)
        elif mode != enums.CAMLIGHT_FIXED and model.cam_targetbodyid[i] >= 0:
            z, _ = normalize3(sub3(pos, _target(data, mode, model.cam_targetbodyid[i])))
            x, _ = normalize3(cross3((0.0, 0.0, 1.0), z))
            y, _ = normalize3(cross3(z, x))
            mat = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
        store3(data.cam_xpos, i, pos)
        store9(data.cam_xmat, i, mat)
    for i in range(model.nlight):
        body = model.light_bodyid[i]
        mode = model.light_mode[i]
        pos = add3(load3(data.xpos, body), mulmat3(load9(data.xmat, body), load3(model.light_pos, i)))
        direction = mulmat3(load9(data.xmat, body), load3(model.light_dir, i))
        if mode == enums.CAMLIGHT_TRACK:
            pos = add3(load3(data.xpos, body), load3(model.light_pos0, i))
            direction = load3(model.light_dir0, i)
        elif mode == enums.CAMLIGHT_TRACKCOM:
            pos = add3(load3(data.subtree_com, body), load3(model.light_poscom0, i))
            direction = load3(model.light_dir0, i)
        elif mode != enums.CAMLIGHT_FIXED and model.light_targetbodyid[i] >= 0:
            direction = sub3(_target(data, mode, model.light_targetbodyid[i]), pos)
        unit, _ = normalize3(direction)
        store3(data.light_xpos, i, pos)
        store3(data.light_xdir, i, unit)
