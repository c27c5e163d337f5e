"""camprojection sensors: the pixel at which a camera sees a site.

Specification: XML reference, sensor/camprojection. As in mujoco 3.3.4, the camera's axis is the middle of the
image whatever the principal point, and an orthographic camera projects in perspective.
"""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.dynamics.sensor.values import cut_off
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import MINVAL, load3, load9, mulmatT3, sub3
from kinetree.engine.model import enums


@kernel
def camera_projection(model, data):
    """Pixel coordinates, from the top left corner of the image; not clipped to it."""
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        if model.sensor_type[i] != enums.SENS_CAMPROJECTION:
            continue
        site, cam = model.sensor_objid[i], model.sensor_refid[i]
        away = sub3(load3(data.site_xpos, site), load3(data.cam_xpos, cam))
        x, y, z = mulmatT3(load9(data.cam_xmat, cam), away)
        width, height = model.cam_resolution[cam, 0], model.cam_resolution[cam, 1]
        fx = fy = 0.5 * height / math.tan(model.cam_fovy[cam] * math.pi / 360.0)
        if model.cam_sensorsize[cam, 0] > 0.0 and model.cam_sensorsize[cam, 1] > 0.0:  # in single precision
            fx = 1.0 * (model.cam_intrinsic[cam, 0] / model.cam_sensorsize[cam, 0] * np.float32(width))
            fy = 1.0 * (model.cam_intrinsic[cam, 1] / model.cam_sensorsize[cam, 1] * np.float32(height))
        depth = z if abs(z) > MINVAL else math.copysign(MINVAL, z)
        adr = model.sensor_adr[i]
        data.sensordata[adr] = 0.5 * width - fx * x / depth
        data.sensordata[adr + 1] = 0.5 * height + fy * y / depth
        cut_off(model, data, i)
