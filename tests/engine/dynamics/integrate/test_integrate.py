"""Invariants of any correct integrator: order of convergence, conservation, dissipation, ideal constraints, the same
bits.
"""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.query.inspect import efc_J
from kinetree.engine.model import enums
from tests.engine.dynamics.test_invariants import MODELS, bits

INTEGRATORS = {
    "Euler": enums.INT_EULER,
    "RK4": enums.INT_RK4,
    "implicit": enums.INT_IMPLICIT,
    "implicitfast": enums.INT_IMPLICITFAST,
}

# Springs, dampers, velocity feedback, an activation: smooth, and nothing is at a limit.
SMOOTH = """<mujoco><option gravity="1 2 -9.81"/><worldbody>
 <body><joint axis="0 1 0" damping=".02" stiffness="3"/><geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/>
  <body pos=".4 0 0">{joint}<geom type="box" size=".1 .05 .08" pos=".1 0 0"/>
   <body pos=".2 0 0"><joint name="s" type="slide" axis="1 0 1" stiffness="40"/><geom size=".05" pos="0 .1 0"/></body>
  </body></body></worldbody>
 <actuator><general joint="s" dyntype="filter" dynprm=".1" gainprm="5" biastype="affine" biasprm="0 0 -.5"/></actuator>
 </mujoco>"""
HINGES = '<joint axis="1 0 0" damping=".01"/><joint axis="0 1 1"/>'
BALL = '<joint type="ball" damping=".01"/>'

# Nothing around it; its orientation is three angles, as RK4 is of second order only for quaternions.
TUMBLING = """<mujoco><option gravity="0 0 0"><flag energy="enable"/></option><worldbody>
 <body name="b"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
  <joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="box" size=".1 .2 .35"/>
  <body pos=".1 .2 .4"><joint axis="1 1 0"/><joint axis="0 0 1"/><geom type="capsule" size=".05 .2" pos="0 0 .2"/></body>
 </body></worldbody><sensor><subtreelinvel body="b"/><subtreeangmom body="b"/></sensor></mujoco>"""


def tumbling(integrator: str, dt: float) -> tuple[kinetree.Model, kinetree.Data]:
    model = kinetree.load_string(TUMBLING)
    model.opt.integrator, model.opt.timestep = INTEGRATORS[integrator], dt
    data = kinetree.Data(model)
    data.qvel = [0.1, -0.2, 0.3, 2, 0.7, -1, 0.5, -2]
    kinetree.forward(model, data)
    return model, data


def end_state(integrator: int, dt: float, joint: str, seconds: float = 0.32) -> np.ndarray:
    model = kinetree.load_string(SMOOTH.format(joint=joint))
    model.opt.integrator, model.opt.timestep = integrator, dt
    data = kinetree.Data(model)
    data.qvel = np.linspace(-1, 2, model.nv)
    data.ctrl = 1.0
    kinetree.step(model, data, round(seconds / dt))
    assert data.time == pytest.approx(seconds)
    return np.concatenate([data.qpos, data.qvel, data.act])


@pytest.mark.parametrize(
    ("name", "joint", "order"),
    [
        ("Euler", HINGES, 1),
        ("RK4", HINGES, 4),
        ("implicit", HINGES, 1),
        ("implicitfast", HINGES, 1),
        ("RK4", BALL, 2),  # as in the reference: angular velocities of different orientations are averaged
    ],
)
def test_order_of_convergence(name, joint, order):
    """Half the step: the error falls to half, with RK4 to a sixteenth."""
    exact = end_state(enums.INT_RK4, 2.5e-4, joint)
    steps = np.array([0.016, 0.008, 0.004]) if order == 4 else np.array([0.004, 0.002, 0.001])
    errors = np.array([np.abs(end_state(INTEGRATORS[name], dt, joint) - exact).max() for dt in steps])
    orders = np.log2(errors[:-1] / errors[1:])
    assert (np.abs(orders - order) < 0.15 * order).all(), (errors, orders)


@pytest.mark.parametrize("name", INTEGRATORS)
def test_momentum_and_energy_of_a_closed_system(name):
    """Two tumbling bodies on a joint: RK4 keeps momenta and energy to 9 digits, the others to first order."""
    drift = []
    for dt in (2e-3, 1e-3):
        model, data = tumbling(name, dt)
        start, energy = data.sensordata.copy(), data.energy[1]
        kinetree.step(model, data, round(1 / dt))
        kinetree.forward(model, data)
        now = data.sensordata
        gaps = np.abs(now - start)
        linear, angular = gaps[:3].max() / np.abs(start[:3]).max(), gaps[3:].max() / np.abs(start[3:]).max()
        drift.append([linear, angular, abs(data.energy[1] / energy - 1)])
    coarse, fine = np.array(drift)
    if name == "RK4":
        assert (fine < 1e-9).all() and (coarse < 1e-7).all(), drift
    else:
        assert (fine < 0.65 * coarse).all() and (coarse < 0.05).all(), drift


@pytest.mark.parametrize("name", ["implicit", "implicitfast"])
def test_damping_takes_energy_at_any_step(name):
    """Velocity feedback far too strong for an explicit method at this step: the motion dies out."""
    text = """<mujoco><option timestep=".05" gravity="0 0 0"><flag energy="enable"/></option><worldbody>
      <body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
       <body pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></body></worldbody>
      <tendon><fixed name="t" damping="40"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>
      <actuator><velocity joint="a" kv="60"/></actuator></mujoco>"""
    model = kinetree.load_string(text)
    energies = {}
    for integrator in (enums.INT_EULER, INTEGRATORS[name]):
        model.opt.integrator = integrator
        data = kinetree.Data(model)
        data.qvel = [1.0, -2.0]
        values = []
        for _ in range(20):
            kinetree.step(model, data)
            kinetree.forward(model, data)
            values.append(data.energy[1])
        energies[integrator] = np.array(values)
    steady = energies[INTEGRATORS[name]]
    assert (np.diff(steady) <= 1e-12).all() and steady[-1] < 1e-4 * steady[0]
    assert energies[enums.INT_EULER].max() > 1e3 * steady[0]


def test_ideal_constraints_do_no_work():
    """Whatever the forces of a loop of hinges are: velocities that the constraints allow make no power with them."""
    text = """<mujoco><option gravity="0 0 -9.81"/><worldbody>
      <body name="a"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/>
       <body name="b" pos=".4 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 .4"/>
        <body name="c" pos="0 0 .4"><joint axis="0 1 0"/><joint axis="1 0 0"/>
         <geom type="capsule" size=".03" fromto="0 0 0 -.4 0 0"/></body></body></body></worldbody>
      <equality><connect body1="c" body2="world" anchor="-.4 0 0"/></equality></mujoco>"""
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    jacobian = efc_J(model, data)
    allowed = np.linalg.svd(jacobian)[2][np.linalg.matrix_rank(jacobian) :]
    assert len(allowed) == 2
    data.qvel = 2.0 * allowed[0] - 3.0 * allowed[1]
    kinetree.forward(model, data)
    assert np.abs(data.qfrc_constraint).max() > 1
    power = data.qfrc_constraint * data.qvel
    assert abs(power.sum()) < 1e-12 * np.abs(power).sum()
    np.testing.assert_allclose(efc_J(model, data) @ data.qvel, data.efc_vel, atol=1e-12)
    assert power.sum() == pytest.approx(data.efc_force @ data.efc_vel, abs=1e-10)


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
def test_sliding_friction_only_takes_energy(cone):
    text = """<mujoco><worldbody><geom type="plane" size="9 9 1"/><body pos="0 0 .099"><freejoint/>
      <geom type="box" size=".2 .1 .1"/></body></worldbody></mujoco>"""
    model = kinetree.load_string(text)
    model.opt.cone = cone
    data = kinetree.Data(model)
    kinetree.step(model, data, 200)
    data.qvel = [1.5, -0.7, 0, 0, 0, 2]
    kinetree.forward(model, data)
    for i in range(data.ncon):
        point = data.contact.pos[i]
        velocity = kinetree.jac(model, data, point, 1)[0] @ data.qvel
        frame = data.contact.frame[i].reshape(3, 3)
        force = kinetree.contact_force(model, data, i)[:3]
        assert force[0] > 0 and force[1:] @ (frame @ velocity)[1:] < 0


@pytest.mark.parametrize("name", INTEGRATORS)
def test_same_bits_again_and_however_steps_are_split(name):
    model = kinetree.load(MODELS / "boxes.xml")
    model.opt.integrator = INTEGRATORS[name]
    first, again, split = kinetree.Data(model), kinetree.Data(model), kinetree.Data(model)
    kinetree.step(model, first, 60)
    kinetree.step(model, again, 60)
    for part in (1, 2, 7, 20, 30):
        kinetree.step(model, split, part)
    assert bits(first) == bits(again) == bits(split)
    assert first.ncon > 0


@pytest.mark.parametrize("name", INTEGRATORS)
def test_mirrored_motion(name):
    """Reflection in the plane y = 0, with spin, a medium, an actuator with a velocity gain and contact."""

    def build(s: int) -> tuple[kinetree.Model, kinetree.Data]:
        model = kinetree.load_string(f"""<mujoco><option density="50" viscosity=".5" iterations="200" tolerance="1e-14"
            integrator="{name}"/><worldbody><geom type="plane" size="2 2 .1"/>
          <body pos="0 {0.1 * s} .4" quat=".9 {0.1 * s} .2 {0.3 * s}"><freejoint/><geom type="capsule" size=".08 .15"/>
           <body pos=".1 {0.05 * s} .1"><joint name="j" axis="{0.3 * s} .4 {0.7 * s}" damping=".01"/>
            <geom size=".1" pos=".1 {0.02 * s} .05"/></body></body></worldbody>
          <actuator><velocity joint="j" kv=".3"/></actuator></mujoco>""")
        data = kinetree.Data(model)
        data.qvel = [0.4, 0.3 * s, -0.5, s * 1, 2, s * 3, 0.7]
        data.ctrl = 0.5
        return model, data

    (one, a), (other, b) = build(1), build(-1)
    vector, axial = np.array([1, -1, 1.0]), np.array([-1, 1, -1.0])
    touched = 0
    for _ in range(150):
        kinetree.step(one, a)
        kinetree.step(other, b)
        touched += a.ncon > 0
    assert touched > 10
    np.testing.assert_allclose(b.qpos[:3], vector * a.qpos[:3], atol=1e-6)
    np.testing.assert_allclose(b.qpos[4:7], axial * a.qpos[4:7], atol=1e-6)
    np.testing.assert_allclose(b.qpos[[3, 7]], a.qpos[[3, 7]], atol=1e-6)
    np.testing.assert_allclose(b.qvel[:3], vector * a.qvel[:3], atol=1e-5)


@pytest.mark.parametrize("name", INTEGRATORS)
def test_inverse_dynamics_find_the_applied_forces(name):
    """Forward with forces applied, then inverse: the same forces, contacts and limits included."""
    model = kinetree.load(MODELS / "walker.xml")
    model.opt.integrator, model.opt.iterations, model.opt.tolerance = INTEGRATORS[name], 200, 1e-14
    data = kinetree.Data(model)
    kinetree.step(model, data, 100)
    applied = data.qfrc_applied = np.random.default_rng(0).normal(size=model.nv)
    kinetree.forward(model, data)
    assert data.nefc > 0
    forces = data.efc_force.copy()
    kinetree.inverse(model, data)
    scale = max(1.0, np.abs(forces).max())
    np.testing.assert_allclose(data.qfrc_inverse, applied + data.qfrc_actuator, atol=1e-7 * scale)
    np.testing.assert_allclose(data.efc_force, forces, atol=1e-7 * scale)


def test_velocity_derivatives_are_those_of_the_forces():
    """qDeriv against differences of the forces themselves, on pairs of dofs of one branch."""
    from kinetree.engine.dynamics.query.inspect import velocity_derivative

    model = kinetree.load_string(SMOOTH.format(joint=BALL))
    model.opt.integrator = enums.INT_IMPLICIT
    data, rng, eps = kinetree.Data(model), np.random.default_rng(1), 1e-6
    data.qpos, data.qvel = (
        kinetree.integrate_pos(model, data.qpos, rng.normal(size=model.nv), 1.0),
        rng.normal(size=model.nv),
    )
    twin = kinetree.Data(model)
    twin.qpos, twin.qvel, twin.ctrl = data.qpos, data.qvel, data.ctrl

    def forces(velocity):
        twin.qvel = velocity
        kinetree.forward(model, twin)
        return twin.qfrc_passive + twin.qfrc_actuator - twin.qfrc_bias

    kinetree.step(model, data)
    start = twin.qvel.copy()
    found = velocity_derivative(model, data)
    for k in range(model.nv):
        unit = eps * np.eye(model.nv)[k]
        column = (forces(start + unit) - forces(start - unit)) / (2 * eps)
        related = kinetree.full_m(model, data)[:, k] != 0
        np.testing.assert_allclose(found[related, k], column[related], atol=1e-7)


@pytest.mark.parametrize("name", INTEGRATORS)
def test_a_singular_inertia_gives_finite_states(name):
    """Two slide joints on one axis: nothing says how they share the motion."""
    text = """<mujoco><worldbody><body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="1 0 0"/>
      <geom size=".1"/></body></worldbody></mujoco>"""
    for push in (0.0, 3.0):
        model = kinetree.load_string(text)
        model.opt.integrator = INTEGRATORS[name]
        data = kinetree.Data(model)
        data.qfrc_applied = push
        for _ in range(20):
            kinetree.step(model, data)
            assert np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()


@pytest.mark.parametrize("name", INTEGRATORS)
@pytest.mark.parametrize("damage", ["long steps", "negative masses", "no masses"])
def test_states_stay_finite_whatever_happens(damage, name):
    """A diverging state is reset within the step, also where the start itself is bad: no step ends with NaN."""
    model = kinetree.load_string(SMOOTH.format(joint=BALL))
    model.opt.integrator = INTEGRATORS[name]
    if damage == "long steps":
        model.opt.timestep = 1.0
    else:
        model.body_mass *= -1 if damage == "negative masses" else 0
        model.body_inertia *= -1 if damage == "negative masses" else 0
    data = kinetree.Data(model)
    data.qvel = np.linspace(-5, 5, model.nv)
    for _ in range(40):
        kinetree.step(model, data)
        assert np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()
    assert data.nreset == 0 or data.warning[:, 1].any()
