"""The camera of small pictures."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.camera import view_of
from kinetree.engine.scene.portrait import FILLED, portrait

ROBOT = """<mujoco><worldbody>
  <geom type="plane" size="50 50 .1"/>
  <body pos="{place} 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/>
    <body pos=".4 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/>
      <body pos=".3 0 0"><joint axis="0 1 0"/><geom name="tip" type="sphere" size=".05"/></body></body></body>
  <body pos="0 8 .2"><freejoint/><geom name="far" type="box" size=".2 .2 .2"/></body>
</worldbody></mujoco>"""


def spread(model, data, camera, aspect, names):
    """How far the middles of geoms are from the middle of the picture, in halves of its sides."""
    view = view_of(camera, model, data, aspect)
    found = []
    for name in names:
        point = np.asarray(data.geom_xpos[model.names["geom"].index(name)]) - view.pos
        depth = point @ view.forward
        right = np.cross(view.forward, view.up)
        found.append(
            (point @ right / depth / (view.rightmost / view.near), point @ view.up / depth / (view.top / view.near))
        )
    return np.abs(found)


@pytest.mark.parametrize("place", [0, -20])
def test_the_mechanism_fills_the_picture_and_things_around_do_not_count(place):
    model = kinetree.load_string(ROBOT.format(place=place))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    camera = portrait(model, data, 1.6)
    (tip,), (far,) = spread(model, data, camera, 1.6, ["tip"]), spread(model, data, camera, 1.6, ["far"])
    assert 0.3 < tip.max() < FILLED + 0.01
    assert far.max() > 1.0


@pytest.mark.parametrize(
    "text",
    [
        "<mujoco/>",
        '<mujoco><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>',
        '<mujoco><worldbody><geom size=".1" pos="3 0 0"/></worldbody></mujoco>',
        '<mujoco><visual><global orthographic="true" fovy="2"/></visual><worldbody><body><geom size=".1"/></body></worldbody></mujoco>',
    ],
)
def test_any_model_has_a_camera(text):
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    camera = portrait(model, data, 1.6)
    assert np.isfinite(camera.lookat).all() and camera.distance > 0


def test_all_that_moves_is_shown_where_no_mechanism_is_the_largest():
    text = """<mujoco><worldbody>
      <body pos="-1 0 0"><freejoint/><geom name="one" size=".1"/></body>
      <body pos="1 .5 0"><freejoint/><geom name="two" size=".1"/></body></worldbody></mujoco>"""
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    found = spread(model, data, portrait(model, data, 1.6), 1.6, ["one", "two"])
    assert (found <= FILLED).all() and found.max() > 0.5


def test_nothing_is_cut_by_the_near_plane():
    text = """<mujoco><worldbody><geom type="box" size="9 9 .1" pos="0 0 -30"/>
      <body><joint/><geom name="small" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    view = view_of(portrait(model, data, 1.6), model, data, 1.6)
    middle = (np.asarray(data.geom_xpos[1]) - view.pos) @ view.forward
    assert middle - 0.18 > view.near
