"""How a sensor's values are written into data.sensordata and clipped to its cutoff."""

from __future__ import annotations

from kinetree.engine.jit.kernel import small
from kinetree.engine.model import enums


@small
def put3(data, adr, v):
    """Write a vector into sensordata."""
    data.sensordata[adr] = v[0]
    data.sensordata[adr + 1] = v[1]
    data.sensordata[adr + 2] = v[2]


@small
def cut_off(model, data, i):
    """Clip the values of a sensor to its cutoff: on both sides, or positive ones from above."""
    cutoff = model.sensor_cutoff[i]
    kind = model.sensor_datatype[i]
    if cutoff > 0.0:
        for k in range(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i]):
            if kind == enums.DATATYPE_REAL:
                data.sensordata[k] = min(max(data.sensordata[k], -cutoff), cutoff)
            elif kind == enums.DATATYPE_POSITIVE:
                data.sensordata[k] = min(data.sensordata[k], cutoff)
