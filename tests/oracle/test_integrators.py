"""Integrators against mujoco: the state after steps, and the velocity derivatives of the implicit ones."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.query.inspect import velocity_derivative
from kinetree.engine.model.fields import select
from tests.oracle.bridge import copy_state, model_from
from tests.oracle.constrained import CONSTRAINED
from tests.oracle.models import SENSOR_MODEL, SMOOTH_MODELS
from tests.oracle.test_smooth import random_state

INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast")
FLAGS = {
    "none": 0,
    "eulerdamp": int(mujoco.mjtDisableBit.mjDSBL_EULERDAMP),
    "passive": int(mujoco.mjtDisableBit.mjDSBL_PASSIVE),
    "actuation": int(mujoco.mjtDisableBit.mjDSBL_ACTUATION),
    "gravity": int(mujoco.mjtDisableBit.mjDSBL_GRAVITY),
}
# Limits of activations, disabled groups, every dynamics, velocity gains, muscles that pull across branches.
DRIVEN = """<mujoco><option timestep="0.004" actuatorgroupdisable="2"/><worldbody>
  <body><joint name="a" axis="0 1 0" damping=".3"/><geom size=".1" pos=".2 0 0"/>
    <body pos=".4 0 0"><joint name="b" type="ball" damping=".2"/><geom type="capsule" size=".05 .1"/><site name="s"/>
      <body pos=".2 0 0"><joint name="c" type="slide" axis="1 1 0"/><geom type="box" size=".1 .05 .02"/></body></body>
    <body pos=".2 .3 0"><joint name="d" axis="1 0 1"/><geom type="ellipsoid" size=".1 .05 .07" pos="0 .2 0"/></body></body>
  <body pos="2 0 0"><freejoint name="f"/><geom type="box" size=".1 .2 .3"/></body>
  <body pos="3 0 0"><freejoint name="g"/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/><site name="t"/></body>
  </worldbody>
  <tendon><fixed name="ten" damping=".7"><joint joint="a" coef="1"/><joint joint="c" coef="-2"/>
    <joint joint="d" coef=".5"/></fixed></tendon>
  <actuator>
    <general joint="a" dyntype="filterexact" dynprm=".02" gaintype="affine" gainprm="1 2 -3" biastype="affine"
      biasprm="1 -2 -3" actlimited="true" actrange="-.3 .3"/>
    <general joint="d" dyntype="filter" dynprm=".03" gaintype="affine" gainprm="1 0 2" actearly="true"/>
    <general joint="c" dyntype="integrator" gaintype="affine" gainprm="1 0 .3" group="2" actlimited="true"
      actrange="-.1 .1"/>
    <velocity tendon="ten" kv="2" ctrlrange="-.2 .2"/>
    <general site="t" gear="1 2 3 4 5 6" gaintype="affine" gainprm="1 0 -1" ctrlrange="-.2 .2" ctrllimited="true"/>
    <muscle joint="d" lengthrange="-2 2"/>
    <muscle tendon="ten" lengthrange="-2 2"/>
    <damper joint="a" kv=".4" ctrlrange="0 1"/>
    <motor joint="b" gear="1 2 3" group="2"/>
  </actuator></mujoco>"""
MODELS = {**SMOOTH_MODELS, "sensors": SENSOR_MODEL, "driven": DRIVEN}


def poison(data: kinetree.Data) -> None:
    for field in select(lambda field: field.role in ("output", "scratch") and field.dtype == "f8"):
        if field.kind == "array":
            data._arrays[field.name].fill(np.nan)


def pair(xml: str, integrator: str, disabled: int, seed: int):
    m = mujoco.MjModel.from_xml_string(xml)
    m.opt.integrator = INTEGRATORS.index(integrator)
    m.opt.disableflags |= disabled
    m.opt.tolerance = 1e-14
    d = mujoco.MjData(m)
    model = model_from(m)
    data = kinetree.Data(model)
    random_state(m, d, np.random.default_rng(seed))
    poison(data)
    copy_state(m, d, data)
    return m, d, model, data


def assert_state_agrees(d: mujoco.MjData, data: kinetree.Data, tolerance: float) -> None:
    for name in ("time", "qpos", "qvel", "act", "act_dot", "qacc", "qacc_warmstart"):
        ours, theirs = np.ravel(getattr(data, name)), np.ravel(getattr(d, name))
        scale = max(1.0, np.abs(theirs).max(initial=0.0))
        np.testing.assert_allclose(ours / scale, theirs / scale, rtol=0, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("xml", MODELS.values(), ids=MODELS)
def test_smooth_models_move_as_in_mujoco(xml, integrator):
    for seed, disabled in enumerate(FLAGS.values()):
        disabled |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        m, d, model, data = pair(xml, integrator, disabled, seed)
        mujoco.mj_step(m, d, 3)
        kinetree.step(model, data, 3)
        assert_state_agrees(d, data, 1e-9)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", CONSTRAINED)
def test_constrained_models_move_as_in_mujoco(name, integrator):
    m, d, model, data = pair(CONSTRAINED[name], integrator, 0, 0)
    mujoco.mj_resetData(m, d)
    d.qvel[:] = np.random.default_rng(1).normal(size=m.nv)
    copy_state(m, d, data)
    for _ in range(3):
        mujoco.mj_step(m, d)
        kinetree.step(model, data)
    assert_state_agrees(d, data, 1e-5)


@pytest.mark.parametrize("xml", MODELS.values(), ids=MODELS)
def test_velocity_derivatives_agree(xml):
    for seed, disabled in enumerate(FLAGS.values()):
        m, d, model, data = pair(xml, "implicit", disabled, seed)
        mujoco.mj_step(m, d)
        theirs = np.zeros((m.nv, m.nv))
        for i in range(m.nv):
            first = d.D_rowadr[i]
            at = slice(first, first + d.D_rownnz[i])
            theirs[i, d.D_colind[at]] = d.qDeriv[at]
        kinetree.step(model, data)
        scale = max(1.0, np.abs(theirs).max(initial=0.0))
        np.testing.assert_allclose(velocity_derivative(model, data) / scale, theirs / scale, atol=1e-11)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("removed", ["", "potential", "kinetic"])
@pytest.mark.parametrize("flags", [0, int(mujoco.mjtEnableBit.mjENBL_ENERGY)])
def test_a_step_leaves_the_results_that_mujoco_leaves(flags, removed, integrator):
    """RK4: sensordata of the first evaluation, the rest of the fourth. Energy depends on the flag and on sensors."""
    xml = SENSOR_MODEL.replace(f"<e_{removed}", "<clock") if removed else SENSOR_MODEL
    m, d, model, data = pair(xml, integrator, 0, 3)
    data.energy = 0
    m.opt.enableflags = flags
    model.opt.enableflags = flags
    m.geom_contype[:] = m.geom_conaffinity[:] = 0
    model.geom_contype[:] = model.geom_conaffinity[:] = 0
    mujoco.mj_step(m, d, 2)
    kinetree.step(model, data, 2)
    for name in ("sensordata", "xpos", "cvel", "qfrc_bias", "actuator_force", "energy", "ten_length", "cacc"):
        ours, theirs = np.ravel(getattr(data, name)), np.ravel(getattr(d, name))
        scale = max(1.0, np.abs(theirs).max(initial=0.0))
        np.testing.assert_allclose(ours / scale, theirs / scale, rtol=0, atol=1e-9, err_msg=name)
