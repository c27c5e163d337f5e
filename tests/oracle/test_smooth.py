"""Every stage of the smooth dynamics against mujoco, on many models and random states."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics import forward
from kinetree.engine.jit.compiler import compiled
from tests.oracle.bridge import copy_state, model_from
from tests.oracle.models import SMOOTH_MODELS

STAGES = {
    "kinematics": ["xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat",
                   "site_xpos", "site_xmat"],
    "com_pos": ["subtree_com", "cinert", "cdof"],
    "camlight": ["cam_xpos", "cam_xmat", "light_xpos", "light_xdir"],
    "tendon": [],
    "spatial_tendon": ["ten_length", "ten_wrapadr", "ten_wrapnum"],
    "crb": ["crb"],
    "tendon_armature": [],
    "factor_m": ["M"],
    "transmission": [],
    "transmission_site": ["actuator_length"],
    "com_vel": ["cvel", "cdof_dot"],
    "tendon_velocity": ["ten_velocity"],
    "actuator_velocity": ["actuator_velocity"],
    "passive": ["qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_passive"],
    "rne": [],
    "spatial_armature": [],
    "muscle": [],
    "activation": ["act_dot"],
    "actuation": ["actuator_force", "qfrc_actuator"],
    "acceleration": ["qfrc_bias", "actuator_length", "ten_length", "qfrc_smooth", "qacc_smooth"],
    "potential_energy": [],
    "kinetic_energy": ["energy"],
}  # fmt: skip


def random_state(m, d, rng):
    for j in range(m.njnt):
        a, kind = m.jnt_qposadr[j], m.jnt_type[j]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            d.qpos[a : a + 7] = [*rng.normal(size=3), *rng.normal(size=4)]
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            d.qpos[a : a + 4] = rng.normal(size=4)
        else:
            d.qpos[a] = rng.normal()
    mujoco.mj_normalizeQuat(m, d.qpos)
    d.qvel[:] = rng.normal(size=m.nv)
    d.act[:] = rng.normal(size=m.na)
    d.ctrl[:] = rng.normal(size=m.nu)
    d.qfrc_applied[:] = rng.normal(size=m.nv)
    d.xfrc_applied[:] = rng.normal(size=(m.nbody, 6))
    d.mocap_pos[:] = rng.normal(size=(m.nmocap, 3))
    d.mocap_quat[:] = rng.normal(size=(m.nmocap, 4))


def reference(m, d, name):
    if name == "M":
        dense = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, dense, d.qM)
        return dense
    return np.array(getattr(d, name))


@pytest.mark.parametrize("xml", SMOOTH_MODELS.values(), ids=SMOOTH_MODELS)
def test_stages_agree_with_mujoco(xml):
    m = mujoco.MjModel.from_xml_string(xml)
    m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    d = mujoco.MjData(m)
    model = model_from(m)
    data = kinetree.Data(model)
    rng = np.random.default_rng(7)
    rows = [row for row in forward.stages(model) if row.name in STAGES]
    for _ in range(5):
        random_state(m, d, rng)
        mujoco.mj_forward(m, d)
        for name, array in data._arrays.items():
            if array.dtype == np.float64 and name not in ("efc_J",):
                array.fill(np.nan)
        copy_state(m, d, data)
        for row in rows:
            compiled(row.load())(model, data)
            for name in STAGES[row.name]:
                theirs = reference(m, d, name)
                ours = kinetree.full_m(model, data) if name == "M" else np.array(getattr(data, name))
                if name in ("cinert", "crb"):
                    ours, theirs = ours[1:], theirs[1:]
                scale = max(1.0, np.abs(theirs).max(initial=0))
                np.testing.assert_allclose(
                    ours.reshape(theirs.shape) / scale,
                    theirs / scale,
                    atol=1e-11,
                    err_msg=f"{row.name}: {name}",
                )


def test_uncompiled_kernels_do_what_compiled_ones_do():
    m = mujoco.MjModel.from_xml_string(SMOOTH_MODELS["all joints"])
    model = model_from(m)
    fast, slow = kinetree.Data(model), kinetree.Data(model)
    for row in forward.stages(model, forward.POSITION):
        if row.name in STAGES:
            compiled(row.load())(model, fast)
            row.load()(model, slow)
    for name in ("xpos", "xmat", "geom_xpos", "subtree_com", "cdof", "M", "qLD", "ten_J"):
        np.testing.assert_allclose(getattr(slow, name), getattr(fast, name), atol=1e-14)
