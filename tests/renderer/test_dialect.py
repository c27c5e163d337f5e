"""Additions of the Motphys dialect to pictures: cameras that give depth, materials that are drawn nearer."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.options import ToneMapping, VisOptions

W, H = 96, 64
TEXT = """
<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><statistic extent="2"/>
<asset><material name="red" rgba="1 0 0 1"/><material name="blue" rgba="0 0 1 1" depthbias="{bias}"/></asset>
<worldbody>
  <camera name="depth" pos="0 -3 0" xyaxes="1 0 0 0 0 1" depth="true"/>
  <camera name="colour" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/>
  {geoms}
</worldbody></mujoco>"""
WALL = '<geom type="box" size="1 .5 1" material="{}"/>'


def picture(camera: str, geoms: str, bias: int = 0) -> np.ndarray:
    model = kinetree.load_string(TEXT.format(bias=bias, geoms=geoms))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    look = VisOptions(skybox=False, shadow=False, tonemap=ToneMapping.NONE)
    return kinetree.render(model, data, W, H, camera, look).astype(int)


def test_a_camera_that_gives_depth_shows_distances_as_grey():
    wall = picture("depth", '<geom type="box" size=".5 .5 .5" rgba="1 0 0 1"/>')
    assert wall[H // 2, W // 2].tolist() == pytest.approx([round(255 * 2 / (2 + 2.5))] * 3, abs=1)
    assert not wall[2, 2].any()  # nothing is there
    colours = picture("colour", '<geom type="box" size=".5 .5 .5" rgba="1 0 0 1"/>')[H // 2, W // 2]
    assert colours[0] > 200 and colours[1] < 20


@pytest.mark.parametrize(("bias", "channel"), [(4, 2), (-4, 0)])
@pytest.mark.parametrize("order", [("red", "blue"), ("blue", "red")])
def test_a_depth_bias_decides_between_surfaces_that_coincide(bias, channel, order):
    middle = picture("colour", "".join(WALL.format(name) for name in order), bias)[H // 2, W // 2]
    assert np.argmax(middle) == channel
