"""Objects with a frame (body, its inertial frame, geom, site, camera): pose, velocity, acceleration.

An object is given by its kind (OBJ_) and id, as in sensors.
"""

from __future__ import annotations

from kinetree.engine.dynamics.position.jacobian import point_acceleration, point_velocity
from kinetree.engine.jit.kernel import small
from kinetree.engine.jit.vec import load3, load4, load9, mulquat
from kinetree.engine.model import enums


@small
def body_of(model, kind, i):
    if kind == enums.OBJ_GEOM:
        return model.geom_bodyid[i]
    if kind == enums.OBJ_SITE:
        return model.site_bodyid[i]
    if kind == enums.OBJ_CAMERA:
        return model.cam_bodyid[i]
    return i


@small
def position(data, kind, i):
    if kind == enums.OBJ_BODY:
        return load3(data.xipos, i)
    if kind == enums.OBJ_GEOM:
        return load3(data.geom_xpos, i)
    if kind == enums.OBJ_SITE:
        return load3(data.site_xpos, i)
    if kind == enums.OBJ_CAMERA:
        return load3(data.cam_xpos, i)
    return load3(data.xpos, i)


@small
def orientation(data, kind, i):
    """Rotation matrix, local to global."""
    if kind == enums.OBJ_BODY:
        return load9(data.ximat, i)
    if kind == enums.OBJ_GEOM:
        return load9(data.geom_xmat, i)
    if kind == enums.OBJ_SITE:
        return load9(data.site_xmat, i)
    if kind == enums.OBJ_CAMERA:
        return load9(data.cam_xmat, i)
    return load9(data.xmat, i)


@small
def quaternion(model, data, kind, i):
    body = load4(data.xquat, body_of(model, kind, i))
    if kind == enums.OBJ_BODY:
        return mulquat(body, load4(model.body_iquat, i))
    if kind == enums.OBJ_GEOM:
        return mulquat(body, load4(model.geom_quat, i))
    if kind == enums.OBJ_SITE:
        return mulquat(body, load4(model.site_quat, i))
    if kind == enums.OBJ_CAMERA:
        return mulquat(body, load4(model.cam_quat, i))
    return body


@small
def velocity(model, data, kind, i):
    """(angular, linear) velocity of the frame, global axes."""
    return point_velocity(model, data, body_of(model, kind, i), position(data, kind, i))


@small
def acceleration(model, data, kind, i):
    """(angular, linear) acceleration of the frame, global axes; gravity counts as upward acceleration, as in
    an accelerometer.
    """
    return point_acceleration(model, data, data.cacc, body_of(model, kind, i), position(data, kind, i))
