"""Several contacts of two convex geoms, for the flag multiccd.

Flat objects without margin give the corners of the faces that meet (`engine/collision/manifold.py`). Others are turned
by a small angle to and fro, about two axes in the contact's plane: contacts that appear elsewhere count too.
"""

from __future__ import annotations

from kinetree.engine.collision.ccd import collider
from kinetree.engine.collision.convex import boxes_apart, put_witnesses
from kinetree.engine.collision.driver import contact_frame
from kinetree.engine.collision.manifold import flat_contacts
from kinetree.engine.collision.outward import correct_normal
from kinetree.engine.collision.support import is_flat, set_geom
from kinetree.engine.collision.unfused import dot, minus, norm, unit
from kinetree.engine.jit.kernel import exact, kernel
from kinetree.engine.jit.vec import axisangle, load3, quat2mat
from kinetree.engine.model import enums

ANGLE = 1e-3
APART = 1e-3  # of the smaller bounding radius: how far a new contact has to be from the others


@exact
def turn(data, geom_xpos, geom_xmat, k, g, R, about):
    """Make the pose of object k that of geom g, turned by R about a point."""
    d = minus(load3(geom_xpos, g), about)
    for i in range(3):
        row = (R[3 * i], R[3 * i + 1], R[3 * i + 2])
        data.ccd_pos[k, i] = about[i] + dot(row, d)
        for j in range(3):
            data.ccd_mat[k, 3 * i + j] = dot(row, (geom_xmat[g, j], geom_xmat[g, 3 + j], geom_xmat[g, 6 + j]))


@kernel
def is_ball(model, g):
    return model.geom_type[g] == enums.GEOM_SPHERE or model.geom_type[g] == enums.GEOM_ELLIPSOID


@exact
def turned_contacts(model, data, g1, g2, margin):
    """Add the contacts of the turned geoms to the first one; the number of all."""
    normal = unit(load3(data.near_frame, 0))
    about = load3(data.near_pos, 0)
    dist = data.near_dist[0]
    first, second = contact_frame(normal, (0.0, 0.0, 0.0))
    least = APART * min(model.geom_rbound[g1], model.geom_rbound[g2])
    count = 1
    for i in range(4):
        R = quat2mat(axisangle(first if i < 2 else second, ANGLE if i & 1 else -ANGLE))
        turn(data, data.geom_xpos, data.geom_xmat, 0, g1, R, about)
        turn(data, data.geom_xpos, data.geom_xmat, 1, g2, (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]), about)
        collider(model, data, 0.0)
        if not data.ccd_dist < 0.0:
            continue
        put_witnesses(data, count, margin)
        if (model.opt_disableflags & enums.DSBL_NATIVECCD) != 0:
            correct_normal(model, data, count, g1, g2, data.ccd_pos, data.ccd_mat, 0, 1)
        data.near_dist[count] = dist
        apart = True
        for j in range(count):
            apart &= norm(minus(load3(data.near_pos, count), load3(data.near_pos, j))) > least
        if apart:
            count += 1
    return count


@exact
def multiccd(model, data, g1, g2, margin):
    """Up to five contacts; see `convex` of engine/collision/convex.py."""
    if boxes_apart(model, data, g1, g2, margin):
        return 0
    set_geom(model, data, 0, g1, 0.5 * margin)
    set_geom(model, data, 1, g2, 0.5 * margin)
    has_face = collider(model, data, 0.0)
    if not data.ccd_dist < 0.0:
        return 0
    put_witnesses(data, 0, margin)
    older = (model.opt_disableflags & enums.DSBL_NATIVECCD) != 0
    if older:
        correct_normal(model, data, 0, g1, g2, data.geom_xpos, data.geom_xmat, g1, g2)
    elif is_flat(data, 0) and is_flat(data, 1):
        return max(1, flat_contacts(model, data)) if has_face else 1
    if is_ball(model, g1) or is_ball(model, g2):
        return 1
    return turned_contacts(model, data, g1, g2, margin)
