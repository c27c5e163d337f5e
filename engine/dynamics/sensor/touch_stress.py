"""Sensors of the plugin mujoco.sensor.touch_stress: pressure and slip on a sphere around a site, from penetration.

Parameters (model.plugin_prm) as in engine/dynamics/sensor/touch.py. The nodes lie in the middle of the cells, at the
bounding radius of the last geom of the site's body that can collide.

Source: README of the plugin in MuJoCo's repository; what it leaves open was found by comparing with mujoco 3.3.4.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.sdf import sdf_distance, sdf_frame
from kinetree.engine.dynamics.position.contact_side import side_body
from kinetree.engine.dynamics.position.jacobian import point_velocity
from kinetree.engine.dynamics.sensor.touch import edge, grid
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import add3, cross3, dot3, load3, load9, mulmat3, mulmatT3, normalize3, scale3, sub3
from kinetree.engine.model import enums
from kinetree.engine.model.plugins import PLUGIN_TOUCH_STRESS

THICKNESS = 0.05  # of the elastic layer, m


@small
def radius_of(model, body):
    """Bounding radius of the last geom of a body that can collide."""
    radius = 0.0
    for g in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
        if model.geom_contype[g] != 0 or model.geom_conaffinity[g] != 0:
            radius = model.geom_rbound[g]
    return radius


@small
def other_geom(model, data, c, weld):
    """The geom of contact c that is not fixed to a body, -1 where neither is."""
    first, second = side_body(model, data, c, 0), side_body(model, data, c, 1)
    if first < 0 or second < 0:
        return -1
    if model.body_weldid[first] == weld:
        return data.contact_geom[c, 1]
    return data.contact_geom[c, 0] if model.body_weldid[second] == weld else -1


@kernel
def add_geom(model, data, i, g):
    """Add what geom g does to sensor i."""
    plugin, site = model.sensor_plugin[i], model.sensor_objid[i]
    prm = model.plugin_prm
    channels, across, down = grid(model, i)
    half_x, half_y, gamma = math.radians(prm[plugin, 3]), math.radians(prm[plugin, 4]), prm[plugin, 5]
    body = model.site_bodyid[site]
    radius = radius_of(model, body)
    origin, axes = load3(data.site_xpos, site), load9(data.site_xmat, site)
    pos, R = sdf_frame(model, data, g)
    _, other = point_velocity(model, data, model.geom_bodyid[g], load3(data.geom_xpos, g))
    for x in range(across):
        a = 0.5 * (edge(x, across, gamma, half_x) + edge(x + 1, across, gamma, half_x))
        for y in range(down):
            e = 0.5 * (edge(y, down, gamma, half_y) + edge(y + 1, down, gamma, half_y))
            p = (radius * math.cos(e) * math.sin(a), radius * math.sin(e), -radius * math.cos(e) * math.cos(a))
            node = add3(origin, mulmat3(axes, p))
            depth = min(0.0, sdf_distance(model, g, mulmatT3(R, sub3(node, pos))))
            if depth == 0.0:
                continue
            ta, _ = normalize3((math.cos(e) * math.cos(a), 0.0, math.cos(e) * math.sin(a)))
            te, _ = normalize3((-math.sin(e) * math.sin(a), math.cos(e), math.sin(e) * math.cos(a)))
            normal = cross3(te, ta)
            out = model.sensor_adr[i] + y * across + x
            outward, _ = normalize3(p)
            q = scale3(outward, 1.0 / (THICKNESS - depth) - 1.0 / THICKNESS)
            data.sensordata[out] += ta[2] * q[0] + te[2] * q[1] + normal[2] * q[2]
            if channels > 1:
                _, own = point_velocity(model, data, body, node)
                slip = sub3(own, other)
                data.sensordata[out + down * across] += abs(dot3(slip, ta))
                if channels > 2:
                    data.sensordata[out + 2 * down * across] += abs(dot3(slip, te))


@kernel
def touch_stress(model, data):
    """Stage: values of these sensors, channel by channel: pressure, slip across, slip up."""
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        plugin = model.sensor_plugin[i]
        if plugin < 0 or model.plugin[plugin] != PLUGIN_TOUCH_STRESS:
            continue
        for k in range(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i]):
            data.sensordata[k] = 0.0
        weld = model.body_weldid[model.site_bodyid[model.sensor_objid[i]]]
        for c in range(data.ncon):
            g = other_geom(model, data, c, weld)
            if g < 0 or model.geom_type[g] == enums.GEOM_MESH or model.geom_type[g] == enums.GEOM_HFIELD:
                continue
            known = False
            for before in range(c):
                known |= other_geom(model, data, before, weld) == g
            if not known:
                add_geom(model, data, i, g)
