"""Velocity and acceleration of an object with a frame, for callers.

Sensors use the same kernels (engine/dynamics/position/frames.py). Like mj_objectVelocity and mj_objectAcceleration.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics.position import frames
from kinetree.engine.dynamics.query.jac import jac, jac_dot
from kinetree.engine.jit.uncompiled import uncompiled
from kinetree.engine.model import enums
from kinetree.engine.model.arguments import choice, flag, object_id
from kinetree.engine.model.data import Data, check_computed
from kinetree.engine.model.model import Model

_KINDS = {
    "body": ("body", enums.OBJ_BODY),
    "xbody": ("body", enums.OBJ_XBODY),
    "geom": ("geom", enums.OBJ_GEOM),
    "site": ("site", enums.OBJ_SITE),
    "camera": ("camera", enums.OBJ_CAMERA),
}


def _object(model: Model, kind: str, which: int | str) -> tuple[int, int]:
    """(OBJ_, id)"""
    name, number = _KINDS[choice(kind, _KINDS, "the kind of an object with a frame")]
    return number, object_id(model, name, which)


def _in_axes(data: Data, kind: int, i: int, angular, linear, local: bool) -> np.ndarray:
    if flag(local, "local"):
        axes = np.reshape(uncompiled(frames.orientation)(data, kind, i), (3, 3))
        angular, linear = np.asarray(angular) @ axes, np.asarray(linear) @ axes
    return np.concatenate([angular, linear])


def object_velocity(model: Model, data: Data, kind: str, which: int | str, local: bool = False) -> np.ndarray:
    """Return the angular (rad/s) and linear (m/s) velocity of an object's frame, (6,).

    kind    "body" (at its centre of mass), "xbody" (its frame), "geom", "site" or "camera"
    which   id or name
    local   whether in the axes of the object, not the global ones

    Raises ValueError for another kind and where nothing has been computed yet (`kinetree.forward` or a step), KeyError
    for an unknown name, IndexError for an unknown id.

    Source: specification, API reference, mj_objectVelocity.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.step(model, data, 50)
        velocity = kinetree.object_velocity(model, data, "site", "tool", local=True)
        assert velocity.shape == (6,)
    """
    check_computed(model, data)
    number, i = _object(model, kind, which)
    angular, linear = uncompiled(frames.velocity)(model, data, number, i)
    return _in_axes(data, number, i, angular, linear, local)


def object_acceleration(model: Model, data: Data, kind: str, which: int | str, local: bool = False) -> np.ndarray:
    """Return the angular (rad/s^2) and linear (m/s^2) acceleration of an object's frame under data.qacc, (6,).

    Gravity counts as an acceleration upwards, as in an accelerometer.

    kind    "body" (at its centre of mass), "xbody" (its frame), "geom", "site" or "camera"
    which   id or name
    local   whether in the axes of the object, not the global ones

    Raises ValueError, KeyError and IndexError as `object_velocity` does.

    Source: specification, API reference, mj_objectAcceleration.

    Example:
        model = kinetree.load_string("<mujoco><worldbody><site name='here'/></worldbody></mujoco>")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        assert np.allclose(kinetree.object_acceleration(model, data, "site", "here"), [0, 0, 0, 0, 0, 9.81])
    """
    check_computed(model, data)
    number, i = _object(model, kind, which)
    body, point = int(uncompiled(frames.body_of)(model, number, i)), uncompiled(frames.position)(data, number, i)
    (jacp, jacr), (dotp, dotr) = jac(model, data, point, body), jac_dot(model, data, point, body)
    linear = jacp @ data.qacc + dotp @ data.qvel
    if not model.opt.disableflags & enums.DSBL_GRAVITY:
        linear -= model.opt.gravity
    return _in_axes(data, number, i, jacr @ data.qacc + dotr @ data.qvel, linear, local)
