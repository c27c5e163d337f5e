"""Finite differences are what steps from nudged states give."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree

BRANCHES = """<mujoco><option timestep=".005"/><worldbody><geom type="plane" size="2 2 1"/>
 <body pos="0 0 .12" euler="5 3 20"><freejoint/><geom type="box" size=".1 .15 .1"/>
  <body pos=".2 0 0"><joint type="ball" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 .1"/>
   <body pos=".3 0 .1"><joint axis="0 1 0"/><geom size=".05" pos=".1 0 0"/></body></body></body></worldbody></mujoco>"""

# Without contacts at the start. A nudge downwards makes more of them than Data has room for.
RAFT = (
    '<mujoco><worldbody><geom type="plane" size="9 9 1"/><body pos="0 0 .1005"><joint type="slide" axis="0 0 1"/>'
    + "".join(f'<geom type="box" size=".1 .1 .1" pos="{0.3 * i} 0 0"/>' for i in range(20))
    + "</body></worldbody></mujoco>"
)


def stepped(model, data, dof, step):
    """The state after one step from a state whose position is moved along one dof."""
    twin = kinetree.Data(model)
    twin.qvel, twin.qacc_warmstart, twin.time = data.qvel, data.qacc_warmstart, data.time
    unit = np.zeros(model.nv)
    unit[dof] = step
    twin.qpos = kinetree.integrate_pos(model, data.qpos, unit, 1.0)
    kinetree.step(model, twin)
    return twin


@pytest.mark.parametrize(("xml", "eps"), [(BRANCHES, 1e-6), (RAFT, 1e-3)], ids=["branches", "raft"])
def test_columns_of_positions_are_differences_of_steps(xml, eps):
    model = kinetree.load_string(xml)
    data = kinetree.Data(model)
    if xml is BRANCHES:
        kinetree.step(model, data, 40)
    found = kinetree.transition_fd(model, data, eps, centered=True).A
    for dof in range(model.nv):
        up, down = stepped(model, data, dof, eps), stepped(model, data, dof, -eps)
        positions = kinetree.differentiate_pos(model, down.qpos, up.qpos) / (2 * eps)
        velocities = (up.qvel - down.qvel) / (2 * eps)
        assert np.array_equal(found[:, dof], np.concatenate([positions, velocities]))
    if xml is RAFT:
        assert down.ncon == 80 > kinetree.Data(model).nconmax


def test_the_data_stays_and_the_result_is_the_same_again():
    model = kinetree.load_string(BRANCHES)
    data = kinetree.Data(model)
    kinetree.step(model, data, 10)
    kept = {name: getattr(data, name).copy() for name in ("qpos", "qvel", "qacc", "efc_force", "sensordata")}
    first, second = kinetree.transition_fd(model, data), kinetree.transition_fd(model, data)
    assert all(one.tobytes() == other.tobytes() for one, other in zip(first, second, strict=True))
    assert all(np.array_equal(getattr(data, name), value) for name, value in kept.items())


def test_hooks_that_change_nothing_change_no_bit():
    """With hooks the runs are split at Python functions."""
    model = kinetree.load_string(BRANCHES)
    data = kinetree.Data(model)
    kinetree.step(model, data, 10)
    without = kinetree.transition_fd(model, data), kinetree.inverse_fd(model, data, actuation=True)
    calls = []
    data.hooks = kinetree.Hooks(passive=lambda model, data: calls.append(data))
    hooked = kinetree.transition_fd(model, data), kinetree.inverse_fd(model, data, actuation=True)
    assert len(calls) > 2 * model.nv
    for one, other in zip(without, hooked, strict=True):
        assert all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("xml", ["<mujoco/>", '<mujoco><worldbody><body mocap="true"/></worldbody></mujoco>'])
def test_a_model_that_does_not_move(xml):
    model = kinetree.load_string(xml)
    found = kinetree.transition_fd(model, kinetree.Data(model)), kinetree.inverse_fd(model, kinetree.Data(model))
    assert all(part.size == 0 for result in found for part in result)
