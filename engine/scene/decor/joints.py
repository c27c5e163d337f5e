"""Decor of joints and of the actuators that act on them, on tendons, sites and bodies."""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene.decor import tendons
from kinetree.engine.scene.decor.look import ARROW, Look, matrices, objects, vectors
from kinetree.engine.scene.decor.rows import IDENTITY, Decor, frames_along
from kinetree.engine.scene.scene import ShapeKind

KNOT = 0.3  # size of the box or ball of a free or ball joint, in lengths of a joint's arrow


def joints(decor: Decor, look: Look) -> None:
    """Draw boxes at free joints, balls at ball joints, arrows along the axes of the others."""
    model, state = look.model, look.state
    ids = look.shown("joint", model.jnt_group)
    kinds = np.asarray(model.jnt_type).astype(int)
    anchor, axis, mat = vectors(state.xanchor), vectors(state.xaxis), matrices(state.xmat)
    length, width = look.scale("jointlength"), look.scale("jointwidth")
    rgba = look.color("joint")
    for kind, shape in ((enums.JNT_FREE, ShapeKind.BOX), (enums.JNT_BALL, ShapeKind.SPHERE)):
        which = ids[kinds[ids] == kind]
        bodies = np.asarray(model.jnt_bodyid).astype(int)[which]
        decor.add(shape, anchor[which], mat[bodies], KNOT * length, rgba, object=objects(enums.OBJ_JOINT, which))
    which = ids[~np.isin(kinds[ids], (enums.JNT_FREE, enums.JNT_BALL))]
    decor.arrows(anchor[which], ARROW * length * axis[which], width, rgba, object=objects(enums.OBJ_JOINT, which))


def actuators(decor: Decor, look: Look) -> None:
    """Draw the joint, tendon, site or body that each actuator acts on, coloured from the resting colour towards
    negative or positive control."""
    model = look.model
    draw = {
        enums.TRN_JOINT: _joint,
        enums.TRN_JOINTINPARENT: _joint,
        enums.TRN_TENDON: _tendon,
        enums.TRN_SITE: _site,
        enums.TRN_BODY: _body,
    }
    rest, negative, positive = (look.color(name) for name in ("actuator", "actuatornegative", "actuatorpositive"))
    for i in look.shown("actuator", model.actuator_group):
        kind = int(model.actuator_trntype[i])
        if kind in draw:
            share = _share(look, i)
            rgba = rest + abs(share) * ((positive if share > 0 else negative) - rest)
            draw[kind](decor, look, i, int(model.actuator_trnid[i][0]), rgba)


def _share(look: Look, i: int) -> float:
    """-1 to 1: an actuator's control (or activation) in its range."""
    model, state = look.model, look.state
    if look.options.activation and model.actuator_actadr[i] >= 0:
        value = float(state.act[model.actuator_actadr[i] + model.actuator_actnum[i] - 1])
        limited, limits = model.actuator_actlimited[i], model.actuator_actrange[i]
    else:
        value = float(state.ctrl[i])
        limited, limits = model.actuator_ctrllimited[i], model.actuator_ctrlrange[i]
    span = max(abs(float(limits[0])), abs(float(limits[1]))) if limited else 1.0
    return min(1.0, max(-1.0, value / max(span, 1e-12)))


def _joint(decor: Decor, look: Look, i: int, joint: int, rgba) -> None:
    model, state = look.model, look.state
    kind = int(model.jnt_type[joint])
    length, width = look.scale("actuatorlength"), look.scale("actuatorwidth")
    anchor = np.asarray(state.xanchor[joint], float)
    object = (enums.OBJ_ACTUATOR, i)
    if kind in (enums.JNT_FREE, enums.JNT_BALL):
        mat = np.asarray(state.xmat[model.jnt_bodyid[joint]], float).reshape(3, 3)
        shape = ShapeKind.BOX if kind == enums.JNT_FREE else ShapeKind.SPHERE
        decor.add(shape, anchor, mat, KNOT * length, rgba, object=object)
        return
    vector = ARROW * length * np.asarray(state.xaxis[joint], float)
    if kind == enums.JNT_SLIDE:
        decor.arrows(anchor, vector, width, rgba, object=object)
    else:
        mat = frames_along(vector[None])[0]
        size = (width, width, 0.5 * ARROW * length)
        decor.add(ShapeKind.CYLINDER, anchor + 0.5 * vector, mat, size, rgba, object=object)


def _tendon(decor: Decor, look: Look, i: int, tendon: int, rgba) -> None:
    width = float(look.model.tendon_width[tendon]) * float(look.model.vis.map.actuatortendon)
    tendons.path(decor, look, tendon, width, rgba, (enums.OBJ_ACTUATOR, i))


def _site(decor: Decor, look: Look, i: int, site: int, rgba) -> None:
    size = np.asarray(look.model.site_size[site], float) * 1.05
    decor.add(
        ShapeKind.BOX,
        look.state.site_xpos[site],
        np.asarray(look.state.site_xmat[site], float).reshape(3, 3),
        np.maximum(size, KNOT * look.scale("actuatorwidth")),
        rgba,
        object=(enums.OBJ_ACTUATOR, i),
    )


def _body(decor: Decor, look: Look, i: int, body: int, rgba) -> None:
    size = 0.5 * look.scale("actuatorlength")
    decor.add(ShapeKind.SPHERE, look.state.xipos[body], IDENTITY, size, rgba, object=(enums.OBJ_ACTUATOR, i))


def slider_cranks(decor: Decor, look: Look) -> None:
    """Draw the slider of each slider-crank up to its pin, and the rod from there to the crank; a rod that is too short
    has a different colour. They are parts of the mechanism, so they are shown whether actuators are or not."""
    model = look.model
    is_crank = np.asarray(model.actuator_trntype) == enums.TRN_SLIDERCRANK
    if not is_crank.any():
        return
    use = look.shown("actuator", model.actuator_group)
    use = use[is_crank[use]]
    crank, slider = np.asarray(model.actuator_trnid)[use].astype(int).T
    start, end = vectors(look.state.site_xpos)[slider], vectors(look.state.site_xpos)[crank]
    axis = matrices(look.state.site_xmat)[slider][:, :, 2]
    along = np.einsum("ij,ij->i", end - start, axis)
    apart = np.einsum("ij,ij->i", end - start, end - start) - along * along
    spare = np.asarray(model.actuator_cranklength, float)[use] ** 2 - apart
    pin = start + (along - np.sqrt(np.maximum(spare, 0.0)))[:, None] * axis
    width, object = look.scale("slidercrank"), objects(enums.OBJ_ACTUATOR, use)
    mat = frames_along(pin - start)
    size = np.stack(
        [np.full(len(use), width), np.full(len(use), width), 0.5 * np.linalg.norm(pin - start, axis=1)], axis=1
    )
    decor.add(ShapeKind.CYLINDER, 0.5 * (start + pin), mat, size, look.color("slidercrank"), object=object, solid=True)
    rod = np.where((spare < 0)[:, None], look.color("crankbroken"), look.color("slidercrank"))
    decor.capsules(pin, end, 0.5 * width, rod, object=object, solid=True)
