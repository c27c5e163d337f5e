"""Forces of a medium and their derivatives by velocity, against mujoco on random models and states."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.force.fluid_derivative import fluid_derivative
from kinetree.engine.jit.compiler import compiled
from tests.oracle.bridge import copy_state, model_from
from tests.oracle.test_smooth import random_state

BODIES = """
<mujoco><option {option}/><default><geom fluidcoef=".4 .2 1.3 .9 1.1"/></default><worldbody>
 <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" {first}/>
  <body pos=".3 .1 0" euler="20 0 40"><joint type="ball"/>
   <geom type="ellipsoid" size=".05 .2 .1" pos="0 .1 0" euler="10 20 30" {shape}/>
   <geom size=".1" pos=".2 .3 0" {first}/>
   <body pos="0 .3 .1"><joint axis="1 2 3" pos=".1 .1 .1"/><joint type="slide" axis="0 1 1"/>
    <geom type="capsule" size=".04 .2" euler="50 30 0" {shape}/></body>
   <body pos="0 -.3 .1"><geom type="cylinder" size=".2 .05" euler="50 30 0" {shape}/></body></body></body>
 <body pos="2 0 0"><freejoint/><geom type="box" size=".1 .01 .2" {shape}/></body>
 <body pos="3 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom size=".2" {shape}/></body>
</worldbody></mujoco>"""
OPTIONS = {
    "dense": 'density="1000"',
    "viscous": 'viscosity="3"',
    "air with wind": 'density="1.2" viscosity="2e-5" wind="1 -3 2"',
}
ELLIPSOID = 'fluidshape="ellipsoid"'
SHAPES = {"boxes": ("", ""), "ellipsoids": ("", ELLIPSOID), "all ellipsoids": (ELLIPSOID, ELLIPSOID)}


def poisoned(m, d, rng):
    """A random state on both sides, everything else of ours not a number."""
    model = model_from(m)
    data = kinetree.Data(model)
    random_state(m, d, rng)
    for array in data._arrays.values():
        if array.dtype == np.float64:
            array[...] = np.nan
    copy_state(m, d, data)
    return model, data


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
def test_forces(option, shapes):
    m = mujoco.MjModel.from_xml_string(BODIES.format(option=option, first=shapes[0], shape=shapes[1]))
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    d = mujoco.MjData(m)
    rng = np.random.default_rng(3)
    for speed in (0.0, 1e-9, 1.0, 10.0):
        model, data = poisoned(m, d, rng)
        d.qvel *= speed
        data.qvel = d.qvel
        mujoco.mj_forward(m, d)
        kinetree.forward(model, data)
        for name in ("qfrc_fluid", "qfrc_passive", "qacc_smooth"):
            ours, theirs = getattr(data, name), getattr(d, name)
            np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-11 * np.abs(theirs).max(), err_msg=name)


def derivatives(m, d):
    """The derivatives of smooth forces by velocities, dense, that an implicit step of the reference uses."""
    mujoco.mj_implicit(m, d)
    dense = np.zeros((m.nv, m.nv))
    for i in range(m.nv):
        for k in range(d.D_rowadr[i], d.D_rowadr[i] + d.D_rownnz[i]):
            dense[i, d.D_colind[k]] = d.qDeriv[k]
    return dense


def compare_derivatives(m, rng, speed=1.0):
    full = m.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICIT
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    d, still = mujoco.MjData(m), mujoco.MjData(m)
    model, data = poisoned(m, d, rng)
    d.qvel *= speed
    data.qvel = d.qvel
    mujoco.mj_forward(m, d)
    still.qpos, still.qvel = d.qpos, d.qvel
    wanted = derivatives(m, d)
    density, viscosity = m.opt.density, m.opt.viscosity
    m.opt.density = m.opt.viscosity = 0.0
    mujoco.mj_forward(m, still)
    wanted -= derivatives(m, still)
    m.opt.density, m.opt.viscosity = density, viscosity
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER  # only the poses and velocities are needed
    kinetree.forward(model, data)
    model.opt.integrator = int(m.opt.integrator)
    data.qDeriv, data.qDeriv_upper = 0.0, 0.0
    compiled(fluid_derivative)(model, data)
    scale = np.abs(wanted).max()
    if not full:  # M, from which implicitfast subtracts, has only the diagonal of simple dofs
        for i in np.flatnonzero(m.dof_simplenum):
            wanted[i, :i] = 0.0
    for i in range(m.nv):
        row = slice(model.M_rowadr[i], model.M_rowadr[i] + model.M_rownnz[i])
        columns = model.M_colind[row]
        np.testing.assert_allclose(data.qDeriv[row], wanted[i, columns], rtol=1e-9, atol=1e-9 * scale)
        if full:
            np.testing.assert_allclose(data.qDeriv_upper[row], wanted[columns, i], rtol=1e-9, atol=1e-9 * scale)


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
def test_derivatives(option, shapes, integrator):
    text = BODIES.format(option=f'integrator="{integrator}" {option}', first=shapes[0], shape=shapes[1])
    compare_derivatives(mujoco.MjModel.from_xml_string(text), np.random.default_rng(4))


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_derivatives_of_small_and_slow_bodies(integrator):
    """Down to sizes at which the reference's smallest denominators matter."""
    rng = np.random.default_rng(9)
    for _ in range(30):
        size = " ".join(map(str, 10.0 ** rng.uniform(-4, -1, 3)))
        text = f"""<mujoco><option integrator="{integrator}" {OPTIONS["air with wind"]}/><worldbody><body><freejoint/>
          <geom type="ellipsoid" size="{size}" pos=".01 0 0" {ELLIPSOID}/></body></worldbody></mujoco>"""
        compare_derivatives(mujoco.MjModel.from_xml_string(text), rng, 10.0 ** rng.uniform(-6, 2))


def test_coefficients():
    """geom_fluid of shapes of all proportions, flat and long ones too."""
    rng = np.random.default_rng(6)
    for kind in ("sphere", "capsule", "ellipsoid", "cylinder", "box"):
        for _ in range(40):
            size = 10.0 ** rng.uniform(-3, 1, 3)
            given = " ".join(map(str, rng.uniform(0, 2, 5)))
            text = f"""<mujoco><worldbody><body><freejoint/><geom type="{kind}" size="{" ".join(map(str, size))}" mass="1"
              {ELLIPSOID} fluidcoef="{given}"/></body></worldbody></mujoco>"""
            wanted = mujoco.MjModel.from_xml_string(text).geom_fluid[0]
            np.testing.assert_allclose(
                kinetree.load_string(text).geom_fluid[0], wanted, rtol=1e-9, err_msg=f"{kind} {size}"
            )


@pytest.mark.parametrize("shape", ["", ELLIPSOID])
def test_small_and_thin_bodies(shape):
    """Down to sizes at which the reference's smallest denominators matter."""
    rng = np.random.default_rng(7)
    for _ in range(30):
        size = " ".join(map(str, 10.0 ** rng.uniform(-4, -1, 3)))
        text = f"""<mujoco><option {OPTIONS["air with wind"]}/><worldbody><body><freejoint/>
          <geom type="box" size="{size}" {shape}/></body></worldbody></mujoco>"""
        m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
        d, data = mujoco.MjData(m), kinetree.Data(model)
        random_state(m, d, rng)
        d.qvel *= 10.0 ** rng.uniform(-6, 2)
        mujoco.mj_forward(m, d)
        copy_state(m, d, data)
        kinetree.forward(model, data)
        np.testing.assert_allclose(data.qfrc_fluid, d.qfrc_fluid, rtol=1e-9, atol=1e-12 * abs(d.qfrc_fluid).max())


def test_switched_on_and_off_while_it_runs():
    text = BODIES.format(option=OPTIONS["dense"], first="", shape=ELLIPSOID)
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    data.qvel = 1.0
    kinetree.forward(model, data)
    assert data.qfrc_fluid.any()
    model.opt.density = 0.0
    kinetree.forward(model, data)
    assert not data.qfrc_fluid.any()
    model.opt.viscosity = 0.1
    kinetree.forward(model, data)
    assert data.qfrc_fluid.any()
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_PASSIVE)
    kinetree.forward(model, data)
    assert not data.qfrc_fluid.any() and not data.qfrc_passive.any()
