"""Poses are those of mujoco in every bit, given the same model and the same qpos."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.position import kinematics
from kinetree.engine.jit.compiler import compiled
from tests.oracle.bridge import model_from
from tests.oracle.models import SMOOTH_MODELS

POSES = (
    "xpos",
    "xquat",
    "xmat",
    "xipos",
    "ximat",
    "xanchor",
    "xaxis",
    "geom_xpos",
    "geom_xmat",
    "site_xpos",
    "site_xmat",
)
INERTIAS = ("subtree_com", "cinert", "cdof", "cam_xpos", "cam_xmat", "light_xpos")


@pytest.mark.parametrize("name", SMOOTH_MODELS)
def test_every_bit(name):
    m = mujoco.MjModel.from_xml_string(SMOOTH_MODELS[name])
    d, model = mujoco.MjData(m), model_from(m)
    data = kinetree.Data(model)
    rng = np.random.default_rng(1)
    for _ in range(20):
        mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv), 0.5)
        d.qpos *= 1 + 1e-4 * rng.normal()  # quaternions need not be of unit length
        d.mocap_pos += rng.normal(size=d.mocap_pos.shape)
        d.mocap_quat += 0.1 * rng.normal(size=d.mocap_quat.shape)
        data.qpos, data.mocap_pos, data.mocap_quat = d.qpos, d.mocap_pos, d.mocap_quat
        for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_camlight):
            stage(m, d)
        for stage in (kinematics.kinematics, kinematics.com_pos, kinematics.camlight):
            compiled(stage)(model, data)
        for field in POSES + INERTIAS:
            theirs = getattr(d, field)
            assert np.array_equal(np.reshape(getattr(data, field), theirs.shape), theirs), field


@pytest.mark.parametrize("form", ["quat", "euler", "axisangle", "xyaxes", "frame"])
def test_every_bit_of_compiled_orientations(form):
    rng = np.random.default_rng(2)
    geom = '<geom type="box" size=".1 .1 .1" pos="{}" {}="{}"/>'

    def line(count):
        return " ".join(map(str, rng.normal(size=count).round(3)))

    def one():
        if form == "frame":
            return f'<frame pos="{line(3)}" quat="{line(4)}">{geom.format(line(3), "quat", line(4))}</frame>'
        if form == "euler":
            return geom.format(line(3), form, " ".join(map(str, rng.uniform(-180, 180, 3).round(1))))
        return geom.format(line(3), form, line(6 if form == "xyaxes" else 4))

    xml = "<mujoco><worldbody>" + "".join(one() for _ in range(200)) + "</worldbody></mujoco>"
    m, model = mujoco.MjModel.from_xml_string(xml), kinetree.load_string(xml)
    assert np.array_equal(model.geom_pos, m.geom_pos)
    assert np.array_equal(model.geom_quat, m.geom_quat)
