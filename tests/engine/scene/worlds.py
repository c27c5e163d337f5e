"""Small models for the tests of scene and renderer."""

import mujoco

PRIMITIVES = """
<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
    <material name="tex" texture="t"/>
    <material name="metal" metallic="1" roughness="0.2"/>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <hfield name="hill" nrow="5" ncol="6" size="0.5 0.4 0.2 0.05"
      elevation="0 0 0 0 0 0  0 1 1 1 1 0  0 1 3 3 1 0  0 1 1 1 1 0  0 0 0 0 0 0"/>
  </asset>
  <worldbody>
    <light pos="0 0 4" dir="0 0 -1" type="directional"/>
    <camera name="front" pos="0 -6 1" xyaxes="1 0 0 0 0.1 1"/>
    <geom name="floor" type="plane" size="0 0 1" material="tex"/>
    <geom name="pane" type="plane" size="0.5 0.5 1" pos="0 2 1" euler="90 0 0"/>
    <body name="a" pos="-2 0 1"><freejoint/><geom name="sphere" type="sphere" size="0.4"/></body>
    <body name="b" pos="-1 0 1"><freejoint/><geom name="capsule" type="capsule" size="0.2 0.3" rgba="1 1 0 0.5"/></body>
    <body name="c" pos="0 0 1"><freejoint/><geom name="ellipsoid" type="ellipsoid" size="0.4 0.3 0.2"/></body>
    <body name="d" pos="1 0 1"><freejoint/><geom name="cylinder" type="cylinder" size="0.3 0.4" material="metal"/></body>
    <body name="e" pos="2 0 1"><freejoint/><geom name="box" type="box" size="0.3 0.2 0.4" group="1"/></body>
    <body name="f" pos="3 0 1"><geom name="tetra" type="mesh" mesh="tetra"/></body>
    <body name="m" pos="0 0 2.5" mocap="true"><geom name="mocap" type="sphere" size="0.2" contype="0" conaffinity="0"/></body>
    <geom name="hill" type="hfield" hfield="hill" pos="-2 3 0.5"/>
    <geom name="hidden" type="sphere" size="0.5" pos="0 -2 1" group="3"/>
    <geom name="clear" type="sphere" size="0.5" pos="0 -3 1" rgba="1 1 1 0"/>
    <site name="s" pos="0 1 1"/>
  </worldbody>
</mujoco>
"""


def load(text: str = PRIMITIVES):
    """(model, data) of the reference, which has the field names that the scene reads."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data
