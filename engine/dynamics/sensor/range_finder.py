"""rangefinder sensors: the distance from a site along its z axis to the first geom.

Geoms of the site's own body are left out (for sites of the world all geoms of the world), invisible ones too;
-1 where nothing is met. Specification: XML reference, sensor/rangefinder.
"""

from __future__ import annotations

from kinetree.engine.dynamics.sensor.ray import ALL_GROUPS, first_geom
from kinetree.engine.dynamics.sensor.values import cut_off
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import load3
from kinetree.engine.model import enums


@kernel
def range_finder(model, data):
    """Values of all rangefinder sensors."""
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        if model.sensor_type[i] != enums.SENS_RANGEFINDER:
            continue
        site = model.sensor_objid[i]
        mat = data.site_xmat
        axis = (mat[site, 2], mat[site, 5], mat[site, 8])
        t, geom = first_geom(model, data, load3(data.site_xpos, site), axis, ALL_GROUPS, 1, model.site_bodyid[site])
        data.sensordata[model.sensor_adr[i]] = t if geom >= 0 else -1.0
        cut_off(model, data, i)
