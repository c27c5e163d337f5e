"""Poses set by hand are taken back and set again, to the bit."""

import numpy as np

import kinetree
from kinetree.engine.run.poses import TOGETHER, Poses

TEXT = """
<mujoco><worldbody>
  <body name="hand" mocap="true"/>
  <body><freejoint/><geom size=".1"/></body>
</worldbody></mujoco>"""


def test_poses_are_taken_back_and_set_again():
    data = kinetree.Data(kinetree.load_string(TEXT))
    poses, states = Poses(), [data.qpos.copy()]
    data.qvel[0] = 2.0
    for number in range(3):
        poses.before(data, number, float(number))
        data.qpos[0] += 0.1
        data.mocap_pos[0, 1] = data.qpos[0]
        data.qvel[:] = 0.0
        states.append(data.qpos.copy())
    assert poses.counts == (3, 0)
    for number in (2, 1, 0):
        assert poses.back(data)
        np.testing.assert_array_equal(data.qpos, states[number])
    assert not poses.back(data) and poses.counts == (0, 3)
    assert data.qvel[0] == 2.0 and data.mocap_pos[0, 1] == 0.0
    assert poses.again(data) and poses.again(data)
    np.testing.assert_array_equal(data.qpos, states[2])
    assert data.mocap_pos[0, 1] == states[2][0]
    poses.before(data, "other", 9.0)
    assert poses.counts == (3, 0)
    poses.clear()
    assert poses.counts == (0, 0)


def test_one_drag_is_one_pose():
    data = kinetree.Data(kinetree.load_string(TEXT))
    poses = Poses()
    for number in range(10):
        poses.before(data, "slider", 0.1 * number)
        data.qpos[0] += 0.1
    assert poses.counts == (1, 0)
    poses.before(data, "slider", 0.9 + 2 * TOGETHER)
    assert poses.counts == (2, 0)


def test_a_drag_is_given_up():
    data = kinetree.Data(kinetree.load_string(TEXT))
    poses = Poses()
    poses.before(data, "first")
    data.qpos[0] = 1.0
    poses.before(data, "second")
    data.qpos[0] = 2.0
    assert not poses.give_up(data, "another")
    assert poses.give_up(data, "second") and data.qpos[0] == 1.0
    assert poses.counts == (1, 0) and not poses.give_up(data, "second")
    poses.before(data, "third")  # a press without a move
    poses.before(data, "fourth")
    assert poses.back(data) and data.qpos[0] == 0.0
