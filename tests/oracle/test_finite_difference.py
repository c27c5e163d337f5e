"""Derivatives of a step and of the inverse dynamics by finite differences, against mujoco's."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.query.state_vector import State
from tests.oracle.bridge import copy_state, model_from
from tests.oracle.constrained import CONSTRAINED
from tests.oracle.models import SENSOR_MODEL, SMOOTH_MODELS
from tests.oracle.test_integrators import DRIVEN
from tests.oracle.test_smooth import random_state

MODELS = {**SMOOTH_MODELS, "sensors": SENSOR_MODEL, "driven": DRIVEN}
EPS = 1e-6
INVERSE = ("DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq")


def case(xml: str, integrator: int, disabled: int = int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT), enabled: int = 0):
    m = mujoco.MjModel.from_xml_string(xml)
    m.opt.integrator = integrator
    m.opt.disableflags |= disabled
    m.opt.enableflags |= enabled
    m.opt.tolerance = 1e-14
    d, model = mujoco.MjData(m), model_from(m)
    data = kinetree.Data(model)
    random_state(m, d, np.random.default_rng(1))
    d.ctrl[:] = np.random.default_rng(2).uniform(-0.5, 0.5, m.nu)
    copy_state(m, d, data)
    return m, d, model, data


def transition(m, d, centered: bool) -> list[np.ndarray]:
    n = 2 * m.nv + m.na
    found = [np.zeros((n, n)), np.zeros((n, m.nu)), np.zeros((m.nsensordata, n)), np.zeros((m.nsensordata, m.nu))]
    mujoco.mjd_transitionFD(m, d, EPS, centered, *(part if part.size else None for part in found))
    return found


def assert_close(ours, theirs, tolerance: float, what: str) -> None:
    """Rounding of the results, relative to the size of theirs, is divided by eps on both sides."""
    scale = max(1.0, np.abs(theirs).max(initial=0.0))
    np.testing.assert_allclose(ours / scale, theirs / scale, rtol=0, atol=tolerance, err_msg=what)


@pytest.mark.parametrize("centered", [False, True], ids=["forward", "centered"])
@pytest.mark.parametrize("integrator", [0, 2, 3], ids=["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("xml", MODELS.values(), ids=MODELS)
def test_steps_of_smooth_models(xml, integrator, centered):
    m, d, model, data = case(xml, integrator)
    state = kinetree.get_state(model, data, State.INTEGRATION)
    theirs = transition(m, d, centered)
    ours = kinetree.transition_fd(model, data, EPS, centered)
    if centered:
        for i in range(m.nu):  # mujoco 3.3.4 gives the opposite sign where it has nudged to both sides
            low, high = m.actuator_ctrlrange[i] if m.actuator_ctrllimited[i] else (-np.inf, np.inf)
            if low <= d.ctrl[i] - EPS and d.ctrl[i] + EPS <= high:
                theirs[3][:, i] *= -1
    for name, one, other in zip("ABCD", ours, theirs, strict=True):
        assert_close(one, other, 1e-6, name)
    assert np.array_equal(kinetree.get_state(model, data, State.INTEGRATION), state)


@pytest.mark.parametrize("name", CONSTRAINED)
def test_steps_of_constrained_models(name):
    m, d, model, data = case(CONSTRAINED[name], 0, 0)
    mujoco.mj_resetData(m, d)
    copy_state(m, d, data)
    theirs = transition(m, d, True)
    ours = kinetree.transition_fd(model, data, EPS, True)
    for part, one, other in zip("AB", ours, theirs, strict=False):
        assert_close(one, other, 1e-3, part)


@pytest.mark.parametrize("actuation", [False, True])
@pytest.mark.parametrize("enabled", [0, int(mujoco.mjtEnableBit.mjENBL_INVDISCRETE)], ids=["", "invdiscrete"])
@pytest.mark.parametrize("integrator", [0, 2, 3], ids=["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("xml", MODELS.values(), ids=MODELS)
def test_inverse_dynamics(xml, integrator, enabled, actuation):
    m, d, model, data = case(xml, integrator, enabled=enabled)
    mujoco.mj_forward(m, d)
    kinetree.forward(model, data)
    data.qacc = d.qacc
    sizes = {"f": m.nv, "s": m.nsensordata, "m": m.nM}
    theirs = {name: np.zeros((m.nv, sizes[name[1]])) for name in INVERSE}
    mujoco.mjd_inverseFD(m, d, EPS, actuation, *(part if part.size else None for part in theirs.values()))
    ours = kinetree.inverse_fd(model, data, EPS, actuation)
    for name in INVERSE[:-1]:
        assert_close(getattr(ours, name), theirs[name], 1e-6, name)
    for mine, other in zip(ours.DmDq, theirs["DmDq"], strict=True):  # mujoco keeps M in another order here
        dense = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, dense, other)
        rows = np.repeat(np.arange(m.nv), model.M_rownnz)
        assert_close(mine, dense[rows, model.M_colind], 1e-6, "DmDq")


def test_controls_at_the_ends_of_their_range_and_beyond():
    text = (
        """<mujoco><worldbody><body><joint name="j" axis="0 1 0" damping=".1"/><geom size=".1" pos=".2 0 0"/></body>
      </worldbody><actuator>"""
        + '<motor joint="j" ctrlrange="-1 1" ctrllimited="true"/>' * 4
        + """</actuator>
      <sensor><actuatorfrc actuator="a"/></sensor></mujoco>"""
    )
    text = text.replace("<motor", '<motor name="a"', 1)
    m = mujoco.MjModel.from_xml_string(text)
    d, model = mujoco.MjData(m), kinetree.load_string(text)
    data = kinetree.Data(model)
    data.ctrl = d.ctrl[:] = [0.5, 1.0, -1.0, 2.0]
    for centered in (False, True):
        theirs, ours = transition(m, d, centered), kinetree.transition_fd(model, data, EPS, centered)
        assert_close(ours.B, theirs[1], 1e-7, "B")
        assert (ours.B[1, :3] > 0).all() and not ours.B[:, 3].any()
        np.testing.assert_allclose(ours.D, [[1, 0, 0, 0]], atol=1e-7)


def test_hooks_are_part_of_the_step():
    """A feedback law in the control hook closes the loop: A has it, and controls that it sets have no effect."""
    text = """<mujoco><worldbody><body><joint name="j" axis="0 1 0" type="slide"/><geom size=".1" mass="2"/></body>
      </worldbody><actuator><motor joint="j"/></actuator></mujoco>"""
    model = kinetree.load_string(text.replace("<worldbody>", "<option gravity='0 0 0' timestep='0.01'/><worldbody>"))
    data = kinetree.Data(model)

    def hold(model, data):
        data.ctrl[0] = -50 * data.qpos[0] - 4 * data.qvel[0]

    data.hooks = kinetree.Hooks(control=hold)
    found = kinetree.transition_fd(model, data)
    h = model.opt.timestep
    expected = np.array([[1 - 25 * h * h, h - 2 * h * h], [-25 * h, 1 - 2 * h]])
    np.testing.assert_allclose(found.A, expected, atol=1e-9)
    assert not found.B.any()


def test_what_has_no_finite_differences():
    model = kinetree.load_string(CONSTRAINED["limits"])
    data = kinetree.Data(model)
    for function in (kinetree.transition_fd, kinetree.inverse_fd):
        with pytest.raises(ValueError, match="eps"):
            function(model, data, 0.0)
    model.opt.noslip_iterations = 3
    with pytest.raises(ValueError, match="noslip"):
        kinetree.inverse_fd(model, data)
    model.opt.noslip_iterations = 0
    model.opt.integrator = 1
    for function in (kinetree.transition_fd, kinetree.inverse_fd):
        with pytest.raises(ValueError, match="RK4"):
            function(model, data)
