"""Sensors of the plugin mujoco.sensor.touch_grid: contact forces in the cells of a grid of directions.

Parameters (model.plugin_prm): nchannel, cells across and down, field of view across and down (degrees), gamma (0:
cells of equal angles, towards 1: finer in the middle).

Source: README of the plugin in MuJoCo's repository; what it leaves open was found by comparing with mujoco 3.3.4.
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.constraint.post_constraint import contact_force
from kinetree.engine.dynamics.position.contact_side import side_body
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.rounding import to_int
from kinetree.engine.jit.vec import load3, load9, mulmatT3, scale3, sub3
from kinetree.engine.model import enums
from kinetree.engine.model.plugins import PLUGIN_TOUCH_GRID


@small
def edge(k, number, gamma, half):
    """The angle (rad) where cell k of a number of cells begins, between -half and half."""
    u = -1.0 + 2.0 * k / number
    return (gamma * u**5 + (1.0 - gamma) * u) * half


@small
def grid(model, i):
    """Numbers of channels, of cells across and of cells down of sensor i; zeros where its values are fewer."""
    prm, plugin, dim = model.plugin_prm, model.sensor_plugin[i], model.sensor_dim[i]
    channels, across, down = (
        to_int(prm[plugin, 0], 0, dim),
        to_int(prm[plugin, 1], 0, dim),
        to_int(prm[plugin, 2], 0, dim),
    )
    return (channels, across, down) if channels * across * down <= dim else (0, 0, 0)


@kernel
def cell(angle, number, gamma, half):
    """The cell that an angle lies in, -1 outside: above its lower edge, up to its upper edge."""
    if not angle > edge(0, number, gamma, half):
        return -1
    for k in range(number):
        if angle <= edge(k + 1, number, gamma, half):
            return k
    return -1


@kernel
def touch_grid(model, data):
    """Stage: values of these sensors, channel by channel: force along z, x, y of the site, then torque likewise."""
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        plugin = model.sensor_plugin[i]
        if plugin < 0 or model.plugin[plugin] != PLUGIN_TOUCH_GRID:
            continue
        prm = model.plugin_prm
        channels, across, down = grid(model, i)
        adr = model.sensor_adr[i]
        for k in range(adr, adr + model.sensor_dim[i]):
            data.sensordata[k] = 0.0
        site = model.sensor_objid[i]
        origin, axes = load3(data.site_xpos, site), load9(data.site_xmat, site)
        weld = model.body_weldid[model.site_bodyid[site]]
        for c in range(data.ncon):
            first, second = side_body(model, data, c, 0), side_body(model, data, c, 1)
            if first < 0 or second < 0:
                continue
            if model.body_weldid[first] != weld and model.body_weldid[second] != weld:
                continue
            p = mulmatT3(axes, sub3(load3(data.contact_pos, c), origin))
            x = cell(math.atan2(p[0], -p[2]), across, prm[plugin, 5], math.radians(prm[plugin, 3]))
            y = cell(
                math.atan2(p[1], math.sqrt(p[0] * p[0] + p[2] * p[2])),
                down,
                prm[plugin, 5],
                math.radians(prm[plugin, 4]),
            )
            if x < 0 or y < 0:
                continue
            force, torque = contact_force(data, c)
            frame = load9(data.contact_frame, c)
            sign = -1.0 if weld < max(first, second) else 1.0  # also where the higher one is welded to the site's
            force = scale3(mulmatT3(axes, mulmatT3(frame, force)), sign)
            torque = scale3(mulmatT3(axes, mulmatT3(frame, torque)), sign)
            wrench = (force[2], force[0], force[1], torque[2], torque[0], torque[1])
            for channel in range(channels):
                data.sensordata[adr + (channel * down + y) * across + x] += wrench[channel]
