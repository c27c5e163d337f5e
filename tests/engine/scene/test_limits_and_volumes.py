"""Ranges of joints with their present angle, and boxes around geoms, bodies, meshes and flexes."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.decor.table import collect
from kinetree.engine.scene.options import VisOptions

TEXT = """
<mujoco><compiler angle="radian"/><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
  <body name="hinge"><joint name="h" axis="0 0 1" range="-0.5 1.5" limited="true"/><geom size=".1" pos=".5 0 0"/></body>
  <body name="slide" pos="0 2 0"><joint name="s" type="slide" axis="1 0 0" range="-1 2" limited="true"/>
    <geom type="box" size=".1 .2 .3"/><geom type="capsule" size=".1 .4" pos=".5 0 0" euler=".3 .2 .1"/></body>
  <body pos="0 4 0"><joint/><geom type="mesh" mesh="m"/></body>
  <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".02" pos="0 0 3"/>
</worldbody></mujoco>
"""


@pytest.fixture
def rig():
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    return model, data


def rows(rig, **flags):
    model, data = rig
    kinetree.kinematics(model, data)
    view = build(model, data, VisOptions(), initial(model)).view
    everything = dict.fromkeys(("tendon", "rangefinder", "pertobj"), False)
    return collect(model, data, VisOptions(**(everything | flags)), None, view).rows


@pytest.mark.parametrize("angle", [-0.4, 0.0, 1.2])
def test_the_needle_turns_and_the_arc_stays(rig, angle):
    _, data = rig
    data.qpos[0] = angle
    found = rows(rig, joint=True)
    found = found[(found["object"] == [enums.OBJ_JOINT, 0]).all(axis=1) & (found["half"] > 0)]
    middles = found["pos"][:, :2]
    needle = middles[-1]  # drawn last
    assert np.arctan2(needle[1], needle[0]) == pytest.approx(angle, abs=1e-6)
    arc = np.arctan2(*middles[:-3].T[::-1])
    assert arc.min() == pytest.approx(-0.5, abs=0.05) and arc.max() == pytest.approx(1.5, abs=0.05)


BALLS = """
<mujoco><compiler angle="radian"/><worldbody>
  <body name="free"><joint type="ball"/><geom size=".1" pos=".5 0 0"/></body>
  <body name="near" pos="0 2 0" euler=".3 .2 0"><joint name="b" type="ball" range="0 0.6" limited="true"/><geom size=".1" pos=".5 0 0"/>
    <body pos="1 0 0"><joint type="ball" range="0 2.5" limited="true"/><geom size=".1" pos="0 0 .3"/></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("swing", [0.0, 0.4, 0.7])
def test_the_cone_of_a_ball_joint_holds_the_directions_that_it_allows(swing):
    """It stands still while the body swings; the needle goes along, and at the limit it leaves the cone."""
    model = kinetree.load_string(BALLS)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    rest = data.subtree_com[2] - data.xanchor[1]
    rest /= np.linalg.norm(rest)
    data.qpos[4:8] = [np.cos(swing / 2), 0, np.sin(swing / 2) * 0.6, np.sin(swing / 2) * 0.8]  # across its x axis
    found = rows((model, data), joint=True)
    assert not ((found["object"] == [enums.OBJ_JOINT, 0]).all(axis=1) & (found["half"] > 0)).any()  # no limit, no cone
    of = found[(found["object"] == [enums.OBJ_JOINT, 1]).all(axis=1) & (found["half"] > 0)]
    anchor = data.xanchor[1]
    away = of["pos"] - anchor
    angle = np.arccos(away @ rest / np.linalg.norm(away, axis=1))
    np.testing.assert_allclose(angle[:-1], 0.6, atol=0.01)
    needle = away[-1] / np.linalg.norm(away[-1])
    now = data.subtree_com[2] - anchor
    np.testing.assert_allclose(needle, now / np.linalg.norm(now), atol=1e-6)
    assert np.linalg.norm(away[-1]) < np.linalg.norm(now)
    expected = model.vis.rgba.constraint if swing > 0.6 else model.vis.rgba.joint
    np.testing.assert_allclose(of["rgba"][-1], expected, atol=1e-6)
    other = found[(found["object"] == [enums.OBJ_JOINT, 2]).all(axis=1) & (found["half"] > 0)]
    assert len(other) == len(of)


def test_a_joint_at_its_limit_has_the_colour_of_constraints(rig):
    model, data = rig
    constraint = np.asarray(model.vis.rgba.constraint)

    def is_marked() -> bool:
        found = rows(rig, joint=True)
        return bool(np.allclose(found["rgba"][(found["object"] == [enums.OBJ_JOINT, 1]).all(axis=1)][-1], constraint))

    assert not is_marked()
    data.qpos[1] = 2.0
    assert is_marked()


def test_the_rail_of_a_slide_joint_spans_its_range(rig):
    _, data = rig
    data.qpos[1] = 0.7
    found = rows(rig, joint=True)
    found = found[(found["object"] == [enums.OBJ_JOINT, 1]).all(axis=1)]
    np.testing.assert_allclose(found["pos"][-3:], [[-1, 2, 0], [2, 2, 0], [0.7, 2, 0]], atol=1e-9)


def test_boxes_hold_their_geoms_and_bodies(rig):
    model, data = rig
    found = rows(rig, bodybvh=True)
    assert (found["object"][:, 0] == enums.OBJ_GEOM).sum() == 12 * model.ngeom
    [body] = np.unique(found["object"][found["object"][:, 0] == enums.OBJ_BODY][:, 1])
    assert model.names["body"][body] == "slide"  # the only one with two geoms
    edges = found[(found["object"] == [enums.OBJ_BODY, body]).all(axis=1)]
    ends = edges["pos"] + edges["mat"][:, :, 2] * edges["half"][:, None]
    frame = np.asarray(data.ximat[body]).reshape(3, 3)
    local = (ends - data.xipos[body]) @ frame
    for geom in np.flatnonzero(model.geom_bodyid == body):
        centre = (np.asarray(data.geom_xpos[geom]) - data.xipos[body]) @ frame
        assert (local.min(0) < centre).all() and (local.max(0) > centre).all()


def test_meshes_and_flexes_have_boxes(rig):
    model, _ = rig
    found = rows(rig, meshbvh=True)
    assert len(found) % 12 == 0 and (found["object"] == [enums.OBJ_GEOM, 3]).all()
    found = rows(rig, flexbvh=True)
    assert len(found) == 12 * model.nflexelem and (found["object"] == [enums.OBJ_FLEX, 0]).all()
