"""A companion does what its model does alone with the same inputs, at the same times."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.run.companion import Companion
from kinetree.engine.run.history import History
from kinetree.engine.run.recorder import step

ARM = """<mujoco><option timestep="{dt}"/><worldbody>
  <body name="a" pos="0 0 1"><joint name="a" axis="0 1 0" damping="{damping}"/><geom size=".05" fromto="0 0 0 .4 0 0" type="capsule"/>
    {more}
  </body>
  <body name="m" mocap="true"/>
</worldbody><actuator><motor name="x" joint="a"/>{motor}</actuator>
<keyframe><key name="up" qpos="1 {pose}"/></keyframe></mujoco>"""
MORE = """<body name="b" pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom size=".05"/></body>"""


def arm(damping=0.1, dt=0.002, more="", motor=""):
    pose = "0" if more else ""
    return kinetree.load_string(ARM.format(damping=damping, dt=dt, more=more, motor=motor, pose=pose))


@pytest.fixture
def pair():
    """(model, data, history of the first, companion): advanced by `run`."""
    model, other = arm(), arm(damping=2.0)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    return model, data, History(), Companion(other, model, data)


def run(pair, count: int, ctrl=None) -> None:
    model, data, history, other = pair
    for _ in range(count):
        if ctrl is not None:
            data.ctrl[:] = ctrl
        history.before_step(model, data)
        step(model, data, 1, [])
        history.after_step(data, 1)
        other.follow(data, history.position)


def test_it_moves_as_its_model_does_alone(pair):
    run(pair, 50, 0.3)
    other = pair[3]
    alone = kinetree.Data(other.shared)
    alone.ctrl[:] = 0.3
    kinetree.step(other.shared, alone, 50)
    np.testing.assert_array_equal(other.data.qpos, alone.qpos)
    assert other.data.time == alone.time == pair[1].time
    assert not np.array_equal(other.data.qpos, pair[1].qpos)


def test_the_same_model_stays_the_same():
    model = arm(more=MORE)
    data = kinetree.Data(model)
    data.qvel[:] = 1.0
    kinetree.forward(model, data)
    pair = model, data, History(), Companion(model, model, data)
    run(pair, 100, 0.1)
    np.testing.assert_array_equal(pair[3].data.qpos, data.qpos)


def test_inputs_go_by_name():
    model = arm(more=MORE, motor='<motor name="y" joint="b"/>')
    other = arm()
    data = kinetree.Data(model)
    pair = model, data, History(), Companion(other, model, data)
    data.ctrl[:] = 0.2, 0.7
    data.mocap_pos[0] = 1, 2, 3
    data.xfrc_applied[model.names["body"].index("a")] = 1, 2, 3, 4, 5, 6
    run(pair, 1)
    found = pair[3].data
    assert found.ctrl.tolist() == [0.2]
    assert found.mocap_pos[0].tolist() == [1, 2, 3]
    assert found.xfrc_applied[other.names["body"].index("a")].tolist() == [1, 2, 3, 4, 5, 6]


def test_other_time_steps_reach_the_same_times():
    model, other = arm(dt=0.002), arm(dt=0.005)
    data = kinetree.Data(model)
    pair = model, data, History(), Companion(other, model, data)
    run(pair, 100)
    assert abs(pair[3].data.time - data.time) <= 0.0025 + 1e-12


def test_it_follows_into_the_past_and_on(pair):
    model, data, history, other = pair
    states = []
    for _ in range(40):
        run(pair, 1, 0.2)
        states.append(other.data.qpos.copy())
    history.seek(model, data, 15)
    other.seek(data, 15)
    np.testing.assert_array_equal(other.data.qpos, states[14])
    run(pair, 5, 0.2)
    np.testing.assert_array_equal(other.data.qpos, states[19])
    history.seek(model, data, 10)
    other.seek(data, 10)
    np.testing.assert_array_equal(other.data.qpos, states[9])


def test_poses_set_by_hand_are_those_of_both_and_resets_are_its_own(pair):
    model, data, _, other = pair
    run(pair, 10)
    before = other.data.qpos.copy()
    other.check(data)
    np.testing.assert_array_equal(other.data.qpos, before)
    data.qpos[0] = 0.7
    other.check(data)
    assert other.data.qpos[0] == 0.7
    kinetree.reset(model, data, "up")
    other.reset(data, "up")
    other.check(data)
    assert other.data.qpos[0] == 1.0 and other.data.time == data.time == 0.0
    other.reset(data, None)
    assert other.data.qpos[0] == 0.0
