"""The kernel of a sensor that does not exist: the speed of a site."""

from kinetree.engine.dynamics.position.frames import velocity
from kinetree.engine.dynamics.sensor.values import cut_off
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import norm3
from kinetree.engine.model import enums

SPEED = 1000


@kernel
def speed(model, data):
    """Values of all speed sensors."""
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        if model.sensor_type[i] == SPEED:
            _, linear = velocity(model, data, enums.OBJ_SITE, model.sensor_objid[i])
            data.sensordata[model.sensor_adr[i]] = norm3(linear)
            cut_off(model, data, i)
