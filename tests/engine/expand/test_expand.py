"""Frames and replicas: names, order, poses, and what refers to them."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree


def _load(world: str, rest: str = "") -> kinetree.Model:
    return kinetree.load_string(f"<mujoco><worldbody>{world}</worldbody>{rest}</mujoco>")


def test_frames_put_poses_before():
    model = _load(
        "<frame quat='0 0 1 0'><geom name='Alice' quat='0 1 0 0' size='1'/></frame>"
        "<frame pos='0 1 0'><geom name='Bob' pos='0 1 0' size='1'/><body name='Carl' pos='1 0 0'/></frame>"
    )
    np.testing.assert_allclose(np.abs(model.geom_quat[0]), [0, 0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(model.geom_pos[1], [0, 2, 0])
    np.testing.assert_allclose(model.body_pos[1], [1, 1, 0])


def test_the_specifications_example():
    model = _load(
        "<replicate count='2' offset='0 1 0' euler='90 0 0'><replicate count='2' sep='-' offset='1 0 0' euler='0 90 0'>"
        "<geom name='Alice' size='.1'/><site name='Alice'/></replicate></replicate>",
        "<sensor><accelerometer name='Bob' site='Alice'/></sensor>",
    )
    assert model.names["geom"] == ["Alice-00", "Alice-10", "Alice-01", "Alice-11"]
    assert model.names["sensor"] == ["Bob-00", "Bob-10", "Bob-01", "Bob-11"]
    assert model.sensor_objid.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(model.geom_pos, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], atol=1e-12)
    half = np.sqrt(0.5)
    expected = [[1, 0, 0, 0], [half, 0, half, 0], [half, half, 0, 0], [0.5, 0.5, 0.5, 0.5]]
    np.testing.assert_allclose(model.geom_quat, expected, atol=1e-12)


@pytest.mark.parametrize(("count", "last"), [(1, "b0"), (9, "b8"), (10, "b09"), (100, "b099")])
def test_digits(count, last):
    assert _load(f"<replicate count='{count}'><body name='b'/></replicate>").names["body"][-1] == last


def test_what_refers_inside_is_copied_and_the_rest_stays():
    model = _load(
        "<body name='a'><joint name='ja'/><geom name='g' size='.1'/></body>"
        "<replicate count='2'><body name='b'><joint name='j'/><geom name='h' size='.1'/>"
        "<camera name='c' mode='targetbody' target='b'/></body></replicate>",
        "<contact><exclude body1='a' body2='b'/></contact><equality><joint name='e' joint1='j' joint2='ja'/></equality>"
        "<actuator><motor name='m' joint='j'/><motor name='ma' joint='ja'/></actuator>"
        "<sensor><clock name='t'/><actuatorpos name='p' actuator='m'/></sensor>",
    )
    assert model.names["actuator"] == ["ma", "m0", "m1"]
    assert model.actuator_trnid[:, 0].tolist() == [0, 1, 2]
    assert model.names["sensor"] == ["t", "p0", "p1"]
    assert model.sensor_objid.tolist() == [-1, 1, 2]
    assert model.eq_obj1id.tolist() == [1, 2]
    assert model.eq_obj2id.tolist() == [0, 0]
    assert model.nexclude == 2
    assert model.cam_targetbodyid.tolist() == [2, 3]


def test_replicas_know_their_text():
    text = "<mujoco><worldbody><replicate count='3'><geom size='.1'/></replicate></worldbody></mujoco>"
    model = kinetree.load_string(text)
    assert {model.provenance.origin("geom", i).node.start for i in range(3)} == {text.index("<geom")}
