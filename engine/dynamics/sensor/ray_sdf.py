"""Rays against geoms of type sdf, whose surface is where the signed distance of their plugin is zero.

The ray is followed in steps of the signed distance (sphere tracing, Hart 1996) once it meets the geom's box; at most
40 steps, as in the reference. Kernels of their own: models without such geoms do not compile the distances.
"""

from __future__ import annotations

from kinetree.engine.collision.sdf import sdf_distance, sdf_frame
from kinetree.engine.dynamics.sensor.ray import ALL_GROUPS, MISS, is_left_out, is_traced, ray_box
from kinetree.engine.dynamics.sensor.values import cut_off
from kinetree.engine.jit.kernel import kernel, takes
from kinetree.engine.jit.vec import addscale3, dot3, load3, load9, mulmatT3, norm3, scale3, sub3
from kinetree.engine.model import enums

STEPS = 40
NEAR, FAR = 1e-7, 1e6
"""The surface is met at a distance below NEAR, missed at one above FAR, m."""


@kernel
def ray_sdf(model, data, g, point, direction):
    """Geom g against a ray in world coordinates; see engine/dynamics/sensor/ray.py."""
    axes = load9(data.geom_xmat, g)
    p = mulmatT3(axes, sub3(point, load3(data.geom_xpos, g)))
    if not ray_box(load3(model.geom_size, g), p, mulmatT3(axes, direction)) < MISS:
        return MISS
    origin, axes = sdf_frame(model, data, g)
    length = norm3(direction)
    p = mulmatT3(axes, sub3(point, origin))
    v = mulmatT3(axes, scale3(direction, 1.0 / length))
    way = 0.0
    for _ in range(STEPS):
        distance = sdf_distance(model, g, addscale3(p, v, way))
        way += distance
        if abs(distance) < NEAR:
            return way / length if way >= 0.0 else MISS
        if distance > FAR:
            return MISS
    return MISS


@kernel
def first_sdf(model, data, point, direction, groups, static, bodyexclude, best):
    """(t, geom) of the first geom of type sdf that the ray meets before t = best; (best, -1). See first_geom."""
    found = -1
    square = dot3(direction, direction)
    for g in range(model.ngeom):
        if is_traced(model, g) and not is_left_out(
            model, data, g, point, direction, square, groups, static, bodyexclude, best
        ):
            t = ray_sdf(model, data, g, point, direction)
            if t < best:
                best, found = t, g
    return best, found


@takes("Model", "Data", "f8[1]", "f8[2]", "i8", "i8", "i8", "f8[1]", "i8[1]")
@kernel
def sdf_rays(model, data, point, directions, groups, static, bodyexclude, distance, geom):
    """Replace in distance (n,) and geom (n,), which `rays` has filled, hits behind a geom of type sdf."""
    start = (point[0], point[1], point[2])
    for k in range(len(directions)):
        best = distance[k]
        t, g = first_sdf(model, data, start, load3(directions, k), groups, static, bodyexclude, best)
        if g >= 0:
            distance[k], geom[k] = t, g


@kernel
def range_finder_sdf(model, data):
    """Shorten the values of rangefinder sensors (`range_finder.py`) that see a geom of type sdf."""
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        if model.sensor_type[i] != enums.SENS_RANGEFINDER:
            continue
        site, adr = model.sensor_objid[i], model.sensor_adr[i]
        mat = data.site_xmat
        axis = (mat[site, 2], mat[site, 5], mat[site, 8])
        best = data.sensordata[adr] if data.sensordata[adr] >= 0.0 else MISS
        start, body = load3(data.site_xpos, site), model.site_bodyid[site]
        t, g = first_sdf(model, data, start, axis, ALL_GROUPS, 1, body, best)
        if g >= 0:
            data.sensordata[adr] = t
            cut_off(model, data, i)
