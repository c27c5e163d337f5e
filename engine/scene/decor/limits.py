"""Ranges of joints with limits, and where in them the joints are.

An arc around a hinge spans its range, and a needle that turns with the body shows the present angle; a rail along a
slide joint spans its range, and a ball shows the present place. A cone around a ball joint holds the directions of the
body that its range allows, and a needle shows the present one; the range limits the whole turn, so that a body that
twists too reaches its limit within the cone. A joint at its limit has the colour of constraints. All show through what
hides them.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.geometry.orientation import rotation_vector
from kinetree.engine.model import enums
from kinetree.engine.scene.decor.look import Look, matrices, objects, vectors
from kinetree.engine.scene.decor.rows import IDENTITY, Decor
from kinetree.engine.scene.gizmo import across, ball_cone
from kinetree.engine.scene.rotation import quat_mat, unit
from kinetree.engine.scene.scene import Layer, ShapeKind

RADIUS = 0.35  # of an arc, in lengths of a joint's arrow
CONE = 0.65  # side of a cone likewise: its tip is inside the ball that marks the joint
THICK = 0.25  # radius of arc and rail, in widths of an arrow
PARTS, FEW_PARTS, MANY = 24, 6, 100  # straight parts of an arc; of each where there are many arcs
SPOKES = 6  # lines from a ball joint to the rim of its cone
AT_LIMIT = 0.005  # part of the range before its end that counts as the limit


def limits(decor: Decor, look: Look) -> None:
    """Draw the ranges of the joints whose groups are shown."""
    model = look.model
    kinds = np.asarray(model.jnt_type).astype(int)
    ids = look.shown("joint", model.jnt_group)
    ids = ids[np.asarray(model.jnt_limited).astype(bool)[ids]]
    for kind, draw in ((enums.JNT_HINGE, _hinges), (enums.JNT_SLIDE, _slides), (enums.JNT_BALL, _balls)):
        which = ids[kinds[ids] == kind]
        if len(which):
            draw(decor, look, which)


def _state(look: Look, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ranges (n, 2) seen from the present position, colours (n, 4), and the bodies (n,)."""
    model = look.model
    span = np.asarray(model.jnt_range, float).reshape(-1, 2)[ids]
    at = np.asarray(look.state.qpos, float)[np.asarray(model.jnt_qposadr).astype(int)[ids]]
    near = AT_LIMIT * (span[:, 1] - span[:, 0])
    ended = (at <= span[:, 0] + near) | (at >= span[:, 1] - near)
    rgba = np.where(ended[:, None], look.color("constraint"), look.color("joint"))
    return span - at[:, None], rgba, np.asarray(model.jnt_bodyid).astype(int)[ids]


def _hinges(decor: Decor, look: Look, ids: np.ndarray) -> None:
    state = look.state
    span, rgba, bodies = _state(look, ids)
    anchor, axis = vectors(state.xanchor)[ids], vectors(state.xaxis)[ids]
    radius, thick = RADIUS * look.scale("jointlength"), THICK * look.scale("jointwidth")
    needle = _across(axis, vectors(state.xipos)[bodies] - anchor, matrices(state.xmat)[bodies])
    side = np.cross(axis, needle)
    span[:, 1] = np.minimum(span[:, 1], span[:, 0] + 2 * np.pi)
    parts = PARTS if len(ids) <= MANY else FEW_PARTS
    angle = span[:, :1] + (span[:, 1:] - span[:, :1]) * np.linspace(0.0, 1.0, parts + 1)
    arc = np.cos(angle)[..., None] * needle[:, None] + np.sin(angle)[..., None] * side[:, None]
    points = anchor[:, None] + radius * arc
    starts, ends = points[:, :-1].reshape(-1, 3), points[:, 1:].reshape(-1, 3)
    object = objects(enums.OBJ_JOINT, ids)
    decor.capsules(starts, ends, thick, rgba.repeat(parts, 0), object=object.repeat(parts, 0), layer=Layer.OVER)
    for end in (0, -1):
        decor.capsules(anchor, points[:, end], 0.5 * thick, rgba, object=object, layer=Layer.OVER)
    decor.capsules(anchor, anchor + 1.15 * radius * needle, thick, rgba, object=object, layer=Layer.OVER)


def _slides(decor: Decor, look: Look, ids: np.ndarray) -> None:
    state = look.state
    span, rgba, _bodies = _state(look, ids)
    address = np.asarray(look.model.jnt_qposadr).astype(int)[ids]
    moved = np.asarray(state.qpos, float)[address] - np.asarray(look.model.qpos0, float)[address]
    axis = vectors(state.xaxis)[ids]
    anchor = vectors(state.xanchor)[ids] + moved[:, None] * axis  # MuJoCo's anchor stays behind
    thick, object = THICK * look.scale("jointwidth"), objects(enums.OBJ_JOINT, ids)
    low, high = anchor + span[:, :1] * axis, anchor + span[:, 1:] * axis
    decor.capsules(low, high, thick, rgba, object=object, layer=Layer.OVER)
    for end in (low, high):
        decor.add(ShapeKind.SPHERE, end, IDENTITY, 2.5 * thick, rgba, object=object, layer=Layer.OVER)
    decor.add(ShapeKind.SPHERE, anchor, IDENTITY, 4.0 * thick, rgba, object=object, layer=Layer.OVER)


def _balls(decor: Decor, look: Look, ids: np.ndarray) -> None:
    model, state = look.model, look.state
    radius, thick = CONE * look.scale("jointlength"), THICK * look.scale("jointwidth")
    cones = [ball_cone(model, state, id) for id in ids.tolist()]
    anchor, rest = (np.array(part) for part in zip(*cones))
    address = np.asarray(model.jnt_qposadr).astype(int)[ids]
    quats = [unit(state.qpos[at : at + 4]) for at in address.tolist()]
    turn = np.linalg.norm([rotation_vector(quat) for quat in quats], axis=1)
    own = np.array([quat_mat(quat) for quat in quats])
    turned = matrices(state.xmat)[np.asarray(model.jnt_bodyid).astype(int)[ids]]
    now = np.einsum("nij,njk,nlk,nl->ni", turned, own, turned, rest)  # the turn that `ball_cone` takes back
    most = np.asarray(model.jnt_range, float).reshape(-1, 2)[ids].max(axis=1)
    ended = turn >= (1.0 - AT_LIMIT) * most
    rgba = np.where(ended[:, None], look.color("constraint"), look.color("joint"))
    half = np.minimum(most, np.pi)[:, None, None]
    parts = PARTS if len(ids) <= MANY else FEW_PARTS
    angle = np.linspace(0.0, 2 * np.pi, parts + 1)[:, None]
    u, v = (np.array(side)[:, None] for side in zip(*map(across, rest)))
    rim = np.cos(half) * rest[:, None] + np.sin(half) * (np.cos(angle) * u + np.sin(angle) * v)
    rim = anchor[:, None] + radius * rim
    object = objects(enums.OBJ_JOINT, ids)
    for starts, ends, width in (
        (rim[:, :-1], rim[:, 1:], thick),
        (
            np.broadcast_to(anchor[:, None], rim[:, : -1 : parts // SPOKES].shape),
            rim[:, : -1 : parts // SPOKES],
            0.5 * thick,
        ),
        (anchor[:, None], (anchor + 1.15 * radius * now)[:, None], thick),
    ):
        count = starts.shape[1]
        decor.capsules(
            starts.reshape(-1, 3),
            ends.reshape(-1, 3),
            width,
            rgba.repeat(count, 0),
            object=object.repeat(count, 0),
            layer=Layer.OVER,
        )


def _across(axis: np.ndarray, wanted: np.ndarray, mat: np.ndarray) -> np.ndarray:
    """(n, 3) unit vectors across the axes, towards `wanted` (n, 3); where that is along the axis, fixed in the body."""
    along = np.einsum("ni,ni->n", wanted, axis)
    across = wanted - along[:, None] * axis
    size = np.linalg.norm(across, axis=1)
    local = np.einsum("nji,nj->ni", mat, axis)
    least = np.argmin(np.abs(local), axis=1)
    other = np.cross(axis, mat[np.arange(len(mat)), :, least])
    poor = size < 0.05 * np.maximum(np.linalg.norm(wanted, axis=1), 1e-9)
    across = np.where(poor[:, None], other, across)
    return across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
