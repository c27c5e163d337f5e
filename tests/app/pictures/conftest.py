"""A model with a floor without an end, a body before the camera and its state."""

import pytest

import kinetree
from kinetree.renderer.offscreen import Offscreen

TEXT = """<mujoco><visual><headlight ambient=".4 .4 .4"/></visual><worldbody>
  <geom name="floor" type="plane" size="0 0 1" rgba=".3 .3 .3 1"/>
  <camera name="front" pos="0 -2 1" xyaxes="1 0 0 0 0 1"/>
  <body pos="0 0 1"><freejoint/><geom name="ball" size=".4" rgba="1 0 0 1"/></body>
  <body pos=".8 0 1"><freejoint/><geom type="box" size=".2 .2 .2" rgba="0 0 1 .5"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="session")
def scene():
    """(model, data)"""
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    return model, data


@pytest.fixture(scope="session")
def offscreen():
    made = Offscreen()
    yield made
    made.release()
