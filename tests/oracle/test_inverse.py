"""Inverse dynamics and its comparison with the forward dynamics, against mujoco."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from tests.oracle.bridge import copy_state
from tests.oracle.constrained import CONSTRAINED, settle
from tests.oracle.models import SENSOR_MODEL, SMOOTH_MODELS
from tests.oracle.test_integrators import DRIVEN, INTEGRATORS, pair
from tests.oracle.test_smooth import random_state

FWDINV, INVDISCRETE = int(mujoco.mjtEnableBit.mjENBL_FWDINV), int(mujoco.mjtEnableBit.mjENBL_INVDISCRETE)
MODELS = {**SMOOTH_MODELS, "sensors": SENSOR_MODEL, "driven": DRIVEN}


def assert_equal(d: mujoco.MjData, data: kinetree.Data, names: list[str], tolerance: float = 1e-9) -> None:
    for name in names:
        ours, theirs = np.ravel(getattr(data, name)), np.ravel(getattr(d, name))
        scale = max(1.0, np.abs(theirs).max(initial=0.0))
        np.testing.assert_allclose(ours / scale, theirs / scale, rtol=0, atol=tolerance, err_msg=name)


def with_flags(m: mujoco.MjModel, model: kinetree.Model, flags: int) -> None:
    m.opt.enableflags |= flags
    model.opt.enableflags |= flags


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("flags", [0, INVDISCRETE], ids=["", "invdiscrete"])
@pytest.mark.parametrize("xml", MODELS.values(), ids=MODELS)
def test_forces_of_smooth_models(xml, flags, integrator):
    m, d, model, data = pair(xml, integrator, int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT), 1)
    with_flags(m, model, flags)
    if flags and integrator == "RK4":
        with pytest.raises(ValueError, match="RK4"):
            kinetree.inverse(model, data)
        return
    data.ctrl_bad = 0
    data.qacc = d.qacc = np.random.default_rng(2).normal(size=m.nv)
    mujoco.mj_inverse(m, d)
    kinetree.inverse(model, data)
    assert_equal(d, data, ["qfrc_inverse", "qacc", "qfrc_constraint"])


def test_sensors_follow_the_acceleration():
    for flags in (0, INVDISCRETE):
        m, d, model, data = pair(SENSOR_MODEL, "implicit", int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT), 1)
        with_flags(m, model, flags)
        mujoco.mj_forward(m, d)  # forces of actuators stay what they were
        kinetree.forward(model, data)
        data.qacc = d.qacc = np.random.default_rng(2).normal(size=m.nv)
        mujoco.mj_inverse(m, d)
        kinetree.inverse(model, data)
        assert_equal(d, data, ["sensordata", "qfrc_inverse", "cacc"])


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
@pytest.mark.parametrize("name", CONSTRAINED)
def test_constraint_forces_and_the_comparison(name, integrator, cone):
    for flags in (FWDINV, FWDINV | INVDISCRETE):
        m, d, model, data = pair(CONSTRAINED[name], integrator, 0, 0)
        m.opt.cone = model.opt.cone = cone
        m.opt.iterations = model.opt.iterations = 100
        with_flags(m, model, flags)
        mujoco.mj_resetData(m, d)
        rng = np.random.default_rng(5)
        settle(m, d, 10, rng)
        d.qfrc_applied[:] = rng.normal(size=m.nv)
        d.xfrc_applied[:] = rng.normal(size=(m.nbody, 6))
        copy_state(m, d, data)
        kinetree.step(model, data)
        mujoco.mj_step(m, d)
        # what a solver leaves depends on the path to it; what the inverse dynamics adds to that does not
        names = ["qfrc_constraint", "qacc", "qvel"]
        if flags & INVDISCRETE and d.nefc:  # without rows mujoco computes no inverse dynamics here
            names += ["qfrc_inverse", "solver_fwdinv"]
        assert_equal(d, data, names, 1e-4)
        if not flags & INVDISCRETE:
            scale = max(1.0, np.abs(d.qfrc_constraint).max(initial=0.0))
            assert np.abs(data.solver_fwdinv).max() < 1e-4 * scale
        copy_state(m, d, data)
        mujoco.mj_forward(m, d)
        kinetree.forward(model, data)
        data.qacc = d.qacc = d.qacc + rng.normal(size=m.nv)
        mujoco.mj_inverse(m, d)
        kinetree.inverse(model, data)
        if d.ncon == 0 or np.array_equal(data.contact.geom, d.contact.geom):
            assert_equal(d, data, ["qfrc_inverse", "qfrc_constraint"], 1e-7)


def test_the_comparison_of_a_solution_that_is_not_converged():
    """One iteration: the differences are large, and those of mujoco."""
    m = mujoco.MjModel.from_xml_string(CONSTRAINED["limits"])
    model = kinetree.load_string(CONSTRAINED["limits"])
    for either in (m, model):
        either.opt.iterations = 0
        either.opt.enableflags |= FWDINV
    d, data = mujoco.MjData(m), kinetree.Data(model)
    random_state(m, d, np.random.default_rng(3))
    copy_state(m, d, data)
    mujoco.mj_step(m, d)
    kinetree.step(model, data)
    assert d.solver_fwdinv.max() > 1
    assert_equal(d, data, ["solver_fwdinv", "qfrc_inverse", "efc_force", "qfrc_constraint"], 1e-9)


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_discrete_inverse_recovers_what_was_applied(integrator):
    """Without the oracle: forces from differences of velocities are those that acted."""
    text = DRIVEN.replace("<option", f"<option integrator='{integrator}'")
    model = kinetree.load_string(text)
    model.opt.enableflags |= INVDISCRETE
    data = kinetree.Data(model)
    rng = np.random.default_rng(0)
    data.qvel = rng.normal(size=model.nv)
    applied = data.qfrc_applied = rng.normal(size=model.nv)
    before = data.qvel.copy()
    twin = kinetree.Data(model)
    twin.qvel = before
    kinetree.step(model, data)
    twin.qacc = (data.qvel - before) / model.opt.timestep
    kinetree.inverse(model, twin)
    np.testing.assert_allclose(twin.qfrc_inverse, applied + data.qfrc_actuator, atol=1e-9)
