"""Targets in a keyframe: the mocap bodies, and the bodies with a joint, that are selected together with it."""

from __future__ import annotations

import numpy as np

from kinetree.app.viewport.gizmo.target import GizmoTarget, find
from kinetree.app.workspace.selection import Selection, select_object
from kinetree.engine import editing
from kinetree.engine.document.document import Document
from kinetree.engine.geometry.orientation import Pose, Quat, mul, unit
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import body_of, name_of
from kinetree.engine.model.model import Model
from kinetree.engine.scene.gizmo import anchor_of
from kinetree.engine.translation import tr

TOLERANCE = 1e-9


def is_shown(model: Model, snapshot, key: int) -> bool:
    """Whether the state that is shown is that of a keyframe."""
    if snapshot is None or snapshot.model is not model or not 0 <= key < model.nkey:
        return False
    same = np.allclose(snapshot.qpos, model.key_qpos[key], rtol=0, atol=TOLERANCE)
    return same and np.allclose(np.ravel(snapshot.mocap_pos), np.ravel(model.key_mpos[key]), rtol=0, atol=TOLERANCE)


def key_target(document: Document | None, model: Model, snapshot, key: Selection, selection: Selection) -> GizmoTarget:
    """The target for a body or joint in a keyframe. Raises NotPlaced."""
    found = None if key.element is None else find(document, key.element)
    if found is None or not 0 <= key.id < model.nkey:
        raise editing.pose.NotPlaced(tr("the keyframe is not in the text any more"))
    body = max(body_of(model, selection.kind, selection.id), 0) if selection.kind else 0
    mocap = int(model.body_mocapid[body]) if body else -1
    if mocap >= 0:
        pos, quat = np.ravel(model.key_mpos[key.id]).tolist(), np.ravel(model.key_mquat[key.id]).tolist()
        return GizmoTarget(*found, editing.keyframe.mocap_body(found[1], pos, quat, mocap), None, selection)
    joint = selection.id if selection.kind == "joint" else _only_joint(model, body)
    chosen = select_object(model, "joint", joint)
    return GizmoTarget(*found, _placement(model, snapshot, found[1], key.id, joint), None, chosen)


def key_value(model: Model, target: GizmoTarget, key: int) -> editing.keyframe.KeyValue | None:
    """The position in a keyframe of the hinge or slide that is the target."""
    joint = target.selection.id if target.selection.kind == "joint" else -1
    if joint < 0 or int(model.jnt_type[joint]) not in (enums.JNT_HINGE, enums.JNT_SLIDE):
        return None
    turns = int(model.jnt_type[joint]) == enums.JNT_HINGE
    return editing.keyframe.joint_value(target.node, model.key_qpos[key].tolist(), int(model.jnt_qposadr[joint]), turns)


def _only_joint(model: Model, body: int) -> int:
    """The single joint of a body, or of its nearest moving ancestor."""
    while body and not int(model.body_jntnum[body]):
        body = int(model.body_parentid[body])
    if not body:
        raise editing.pose.NotPlaced(tr("nothing in a keyframe moves this: it is fixed to the world"))
    first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    if count > 1:
        names = ", ".join(name_of(model, "joint", first + i) for i in range(count))
        raise editing.pose.NotPlaced(tr("it has several joints: select one of {names}", names=names))
    return first


def _placement(model: Model, snapshot, node, key: int, joint: int) -> editing.keyframe.KeyPlacement:
    qpos, address = model.key_qpos[key].tolist(), int(model.jnt_qposadr[joint])
    match int(model.jnt_type[joint]):
        case enums.JNT_FREE:
            return editing.keyframe.free_body(node, qpos, address)
        case enums.JNT_BALL:
            return editing.keyframe.ball(node, qpos, address, rest_of_ball(model, snapshot, joint))
        case _:
            return editing.keyframe.anchor(node, anchor_of(model, snapshot, joint).tolist())


def rest_of_ball(model: Model, snapshot, joint: int) -> Pose:
    """The anchor of a ball joint, and how its body is turned before that joint turns it, in the world."""
    body = int(model.jnt_bodyid[joint])
    quat = mul(_quat(snapshot.xquat[model.body_parentid[body]]), _quat(model.body_quat[body]))
    for each in range(int(model.body_jntadr[body]), joint):
        address = int(model.jnt_qposadr[each])
        if int(model.jnt_type[each]) == enums.JNT_HINGE:
            half = 0.5 * float(snapshot.qpos[address] - model.qpos0[address])
            axis = np.sin(half) * np.asarray(model.jnt_axis[each], float)
            quat = mul(quat, (float(np.cos(half)), *axis.tolist()))
        elif int(model.jnt_type[each]) == enums.JNT_BALL:
            quat = mul(quat, _quat(snapshot.qpos[address : address + 4]))
    return tuple(map(float, snapshot.xanchor[joint])), quat


def _quat(values) -> Quat:
    return unit(tuple(map(float, values)))
