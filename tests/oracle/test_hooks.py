"""Hooks for Python functions: the numbers of mujoco's callbacks, when they are called, and what they cost."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics import forward
from tests.oracle.test_integrators import INTEGRATORS

XML = """<mujoco><option timestep="0.01"/><worldbody>
  <geom type="plane" size="3 3 .1"/>
  <body pos="0 0 1"><joint name="a" axis="0 1 0" limited="true" range="-40 40"/><geom size=".1" pos=".3 0 0"/>
    <body pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></body></worldbody>
  <actuator>
    <general joint="a" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
    <general joint="b" dyntype="filter" dynprm=".1" gaintype="user"/>
    <motor joint="b" gear="2"/>
    <general joint="a" biastype="user"/>
  </actuator>
  <sensor>
    <user name="p" dim="2" needstage="pos" cutoff=".3"/><user name="v" dim="1" needstage="vel"/>
    <jointpos joint="a"/><user name="f" dim="1" needstage="acc" datatype="positive" cutoff="2"/>
  </sensor></mujoco>"""


class Callbacks:
    """The same functions for both engines; `calls` lists which were called."""

    def __init__(self):
        self.calls: list[str] = []

    def control(self, m, d):
        self.calls.append("control")
        d.ctrl[:] = np.sin(d.time) - 2 * d.qpos.sum() - 0.1 * d.qvel.sum()
        d.qfrc_applied[1] = d.cvel[1, 1]

    def passive(self, m, d):
        self.calls.append("passive")
        d.qfrc_passive[:] -= 0.3 * d.qvel**3

    def sensor(self, m, d, stage):
        self.calls.append(f"sensor {int(stage)}")
        first = {1: 0, 2: 2, 3: 4}[int(stage)]
        if stage == 1:
            d.sensordata[first : first + 2] = d.xpos[2, :2] - 1
        else:
            d.sensordata[first] = d.subtree_linvel[1, 0] if stage == 2 else d.cacc[2, 3] + d.qacc.sum()

    def act_dyn(self, m, d, i):
        return d.ctrl[i] - 3 * d.act[m.actuator_actadr[i]]

    def act_gain(self, m, d, i):
        return 2.0 + d.actuator_length[i]

    def act_bias(self, m, d, i):
        return -0.5 * d.actuator_velocity[i] - i

    @property
    def hooks(self) -> kinetree.Hooks:
        return kinetree.Hooks(self.control, self.passive, self.sensor, self.act_dyn, self.act_gain, self.act_bias)


@pytest.fixture
def theirs():
    callbacks, m = Callbacks(), mujoco.MjModel.from_xml_string(XML)  # mujoco's compiler calls them as well
    names = ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias")
    for name in names:
        getattr(mujoco, f"set_mjcb_{name}")(getattr(callbacks, name))
    yield callbacks, m
    for name in names:
        getattr(mujoco, f"set_mjcb_{name}")(None)


@pytest.fixture
def model() -> kinetree.Model:
    return kinetree.load_string(XML)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_steps_are_those_of_mujoco_with_its_callbacks(theirs, model, integrator):
    callbacks, m = theirs
    m.opt.integrator = model.opt.integrator = INTEGRATORS.index(integrator)
    d, data, ours = mujoco.MjData(m), kinetree.Data(model), Callbacks()
    data.hooks = ours.hooks
    for _ in range(30):
        del callbacks.calls[:], ours.calls[:]
        mujoco.mj_step(m, d)
        kinetree.step(model, data)
        for name in ("qpos", "qvel", "act", "act_dot", "ctrl", "qfrc_passive", "actuator_force", "sensordata"):
            np.testing.assert_allclose(getattr(data, name), getattr(d, name), rtol=1e-7, atol=1e-7, err_msg=name)
        assert ours.calls == callbacks.calls
    assert data.nefc > 0 or np.abs(data.qpos).max() > 0.1


def test_without_hooks_user_types_are_neutral(model):
    m = mujoco.MjModel.from_xml_string(XML)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    data.ctrl = d.ctrl[:] = 0.3
    data.act = d.act[:] = 0.2
    mujoco.mj_step(m, d, 5)
    kinetree.step(model, data, 5)
    np.testing.assert_allclose(data.qpos, d.qpos, atol=1e-9)
    assert data.qpos.any()


def test_empty_hooks_change_no_bit(model):
    plain, hooked = kinetree.Data(model), kinetree.Data(model)
    hooked.hooks = kinetree.Hooks()
    for data in (plain, hooked):
        data.ctrl = 0.4
        kinetree.step(model, data, 20)
    for name in ("time", "qpos", "qvel", "act", "sensordata", "qacc_warmstart"):
        assert np.array_equal(getattr(plain, name), getattr(hooked, name)), name


def test_forward_and_inverse_call_them(model):
    data, callbacks = kinetree.Data(model), Callbacks()
    data.hooks = callbacks.hooks
    kinetree.forward(model, data)
    assert callbacks.calls == ["sensor 1", "passive", "sensor 2", "control", "sensor 3"]
    del callbacks.calls[:]
    kinetree.inverse(model, data)
    assert callbacks.calls == ["sensor 1", "passive", "sensor 2", "sensor 3"]


def test_a_state_that_went_bad_is_reset_with_hooks_too(model):
    def push(model, data):
        data.qfrc_applied[:] = np.inf if 0.045 < data.time < 0.055 else 0.0

    data = kinetree.Data(model)
    data.hooks = kinetree.Hooks(control=push)
    kinetree.step(model, data, 8)
    assert data.nreset == 1 and np.isfinite(data.qpos).all()
    assert data.time == pytest.approx(0.03)
    assert data.hooks is not None
    kinetree.reset(model, data)
    assert data.hooks is not None


def test_what_a_hook_raises_reaches_the_caller(model):
    def fail(model, data):
        raise RuntimeError("no plan")

    data = kinetree.Data(model)
    data.hooks = kinetree.Hooks(control=fail)
    with pytest.raises(RuntimeError, match="no plan"):
        kinetree.step(model, data)
    data.hooks = None
    kinetree.step(model, data)
    assert data.time == model.opt.timestep
    with pytest.raises(TypeError, match="hook control"):
        kinetree.Hooks(control="ctrl = 0")  # pyright: ignore[reportArgumentType]


def test_without_hooks_a_step_is_one_compiled_call(model, monkeypatch):
    calls = []
    run = forward.run_stages
    monkeypatch.setattr(forward, "run_stages", lambda *args: (calls.append(args), run(*args)))
    data = kinetree.Data(model)
    kinetree.step(model, data, 50)
    assert len(calls) == 1
