"""distance, normal and fromto sensors: the nearest points of two geoms, or of any two geoms of two bodies.

Specification: XML reference, sensor/distance, sensor/normal and sensor/fromto. The cutoff is the greatest distance that
is looked for. Beyond it the distance is the cutoff, the normal and the points are zero; without a cutoff only
penetration is seen. As in mujoco 3.3.4, the points of pairs that the convex collider measures are those on the geom of
the lower type first, whichever side of the sensor it is on.
"""

from __future__ import annotations

from kinetree.engine.collision.distance import geom_distance
from kinetree.engine.collision.driver import spheres_apart
from kinetree.engine.dynamics.sensor.values import cut_off, put3
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import normalize3
from kinetree.engine.model import enums

NOWHERE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
SLACK = 1e-3  # of the sizes of two geoms: more than the error of their distance


@small
def _geoms(model, kind, i):
    """First geom and number of geoms of a geom or body."""
    if kind == enums.OBJ_GEOM:
        return i, 1
    return model.body_geomadr[i], model.body_geomnum[i]


@small
def _is_farther(model, data, g1, g2, best):
    """Whether the bounding spheres show that a pair is not nearer than best, whatever the collider's tolerance."""
    slack = SLACK * (model.geom_rbound[g1] + model.geom_rbound[g2])
    return spheres_apart(model, data, g1, g2, best + slack)


@kernel
def _nearest(model, data, i):
    """(distance, points) of the nearest pair of geoms of sensor i."""
    best, points = model.sensor_cutoff[i], NOWHERE
    first, number = _geoms(model, model.sensor_objtype[i], model.sensor_objid[i])
    other, count = _geoms(model, model.sensor_reftype[i], model.sensor_refid[i])
    for g1 in range(first, first + number):
        for g2 in range(other, other + count):
            if _is_farther(model, data, g1, g2, best):
                continue
            distance = geom_distance(model, data, g1, g2, model.sensor_cutoff[i])
            if distance < best:
                near = data.dist_fromto
                best, points = distance, (near[0], near[1], near[2], near[3], near[4], near[5])
    return best, points


@small
def _measures_like_the_last(model, i, last):
    """Whether a sensor has the objects and the cutoff of sensor `last`."""
    return (
        last >= 0
        and model.sensor_objtype[i] == model.sensor_objtype[last]
        and model.sensor_objid[i] == model.sensor_objid[last]
        and model.sensor_reftype[i] == model.sensor_reftype[last]
        and model.sensor_refid[i] == model.sensor_refid[last]
        and model.sensor_cutoff[i] == model.sensor_cutoff[last]
    )


@kernel
def distance_sensor(model, data):
    """Values of all distance, normal and fromto sensors."""
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    last, distance, points = -1, 0.0, NOWHERE
    for i in range(model.nsensor):
        kind = model.sensor_type[i]
        if kind != enums.SENS_GEOMDIST and kind != enums.SENS_GEOMNORMAL and kind != enums.SENS_GEOMFROMTO:
            continue
        if not _measures_like_the_last(model, i, last):
            distance, points = _nearest(model, data, i)
            if data.needs_memory != 0:
                return
        last = i
        adr = model.sensor_adr[i]
        if kind == enums.SENS_GEOMDIST:
            data.sensordata[adr] = distance
            cut_off(model, data, i)
        elif kind == enums.SENS_GEOMNORMAL:
            away = (points[3] - points[0], points[4] - points[1], points[5] - points[2])
            if away[0] != 0.0 or away[1] != 0.0 or away[2] != 0.0:
                away, _ = normalize3(away)
            put3(data, adr, away)
        else:
            for k in range(6):
                data.sensordata[adr + k] = points[k]
