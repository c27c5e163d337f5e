"""Forces of a medium without the reference: their work, their derivative, their symmetry."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinetree
from kinetree.engine.dynamics.force.fluid_derivative import fluid_derivative
from kinetree.engine.jit.compiler import compiled

TEXT = """<mujoco><option integrator="implicit" gravity="0 0 0" density="{density}" viscosity="{viscosity}" wind="{wind}"/>
 <worldbody><body pos="0 0 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3" {shape}/>
  <body pos=".3 .1 0" euler="20 0 40"><joint type="ball"/><geom type="box" size=".05 .2 .1" pos="0 .1 0" {shape}/>
   <body pos="0 .3 .1"><joint axis="1 2 3" pos=".1 .1 .1"/><joint type="slide" axis="0 1 1"/>
    <geom type="capsule" size=".04 .2" euler="50 30 0" {shape}/></body></body></body></worldbody></mujoco>"""
SHAPES = ["", 'fluidshape="ellipsoid"']
speeds = st.lists(st.floats(-5, 5), min_size=11, max_size=11)


def model_of(shape, density=0.0, viscosity=0.0, wind="0 0 0"):
    model = kinetree.load_string(TEXT.format(shape=shape, density=density, viscosity=viscosity, wind=wind))
    data = kinetree.Data(model)
    data.qpos[3:7] = data.qpos[7:11] = [0.5, 0.5, -0.5, 0.5]
    return model, data


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=30, deadline=None)
@given(speeds)
def test_a_medium_at_rest_takes_energy(shape, qvel):
    """Lift and added mass do no work, drag and friction only negative work."""
    for medium in ({"density": 1000.0}, {"viscosity": 2.0}):
        model, data = model_of(shape, **medium)
        data.qvel = qvel
        kinetree.forward(model, data)
        assert data.qfrc_fluid @ data.qvel <= 1e-9


@pytest.mark.parametrize("shape", SHAPES)
def test_wind_pushes_like_motion(shape):
    """A body that moves with the wind, without turning, feels no force."""
    model, data = model_of(shape, density=1.2, viscosity=0.1, wind="1 -2 3")
    data.qvel[:3] = [1, -2, 3]
    kinetree.forward(model, data)
    np.testing.assert_allclose(data.qfrc_fluid, 0.0, atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=15, deadline=None)
@given(speeds)
def test_derivative(shape, qvel):
    """Against central differences of the force; the small part keeps every body moving, where it is smooth."""
    model, data = model_of(shape, density=100.0, viscosity=0.5, wind="7.3 8.1 9.7")
    data.qvel = np.array(qvel) + np.linspace(0.1, 0.2, 11)
    kinetree.forward(model, data)
    data.qDeriv, data.qDeriv_upper = 0.0, 0.0
    compiled(fluid_derivative)(model, data)
    exact = np.zeros((model.nv, model.nv))
    for i in range(model.nv):
        row = slice(model.M_rowadr[i], model.M_rowadr[i] + model.M_rownnz[i])
        exact[i, model.M_colind[row]] = data.qDeriv[row]
        exact[model.M_colind[row], i] = data.qDeriv_upper[row]
    step, start = 1e-6, data.qvel.copy()
    for k in range(model.nv):
        sides = []
        for sign in (1, -1):
            data.qvel = start
            data.qvel[k] += sign * step
            kinetree.forward(model, data)
            sides.append(data.qfrc_fluid.copy())
        found = (sides[0] - sides[1]) / (2 * step)
        np.testing.assert_allclose(exact[:, k], found, rtol=1e-4, atol=1e-5 * abs(exact).max())
