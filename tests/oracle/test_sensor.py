"""Sensors against mujoco, with nothing constrained and in contact."""

from __future__ import annotations

import mujoco
import numpy as np

import engine
from engine.dynamics import forward
from tests.oracle.bridge import copy_state, model_from
from tests.oracle.models import SENSOR_MODEL
from tests.oracle.test_smooth import random_state


def compare(m, d, data, tolerance):
    for i in range(m.nsensor):
        a, n = m.sensor_adr[i], m.sensor_dim[i]
        theirs = d.sensordata[a : a + n]
        kind = mujoco.mjtSensor(m.sensor_type[i]).name
        scale = max(1.0, np.abs(theirs).max())
        np.testing.assert_allclose(
            data.sensordata[a : a + n] / scale, theirs / scale, atol=tolerance, err_msg=f"{i} {kind}"
        )


def test_free_motion():
    m = mujoco.MjModel.from_xml_string(SENSOR_MODEL)
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    d = mujoco.MjData(m)
    model = model_from(m)
    model.geom_contype = model.geom_conaffinity = 0
    data = engine.Data(model)
    rng = np.random.default_rng(11)
    for _ in range(10):
        random_state(m, d, rng)
        d.time = 1.25
        mujoco.mj_forward(m, d)
        copy_state(m, d, data)
        data.sensordata = np.nan
        engine.forward(model, data)
        compare(m, d, data, 1e-10)


def test_every_stage_is_needed_by_a_sensor_of_this_model():
    model = model_from(mujoco.MjModel.from_xml_string(SENSOR_MODEL))
    names = [row.name for row in forward.stages(model)]
    assert {"kinetic_energy", "subtree_vel", "rne_post_constraint", "sensor_pos", "sensor_vel", "sensor_acc"} <= set(
        names
    )
