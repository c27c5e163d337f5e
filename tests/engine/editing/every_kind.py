"""Small models that have every kind of element, with their files: MJCF, URDF and x_xy.

path = write(folder, "MJCF")        the model's path; its files stand beside it
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

_TETRAHEDRON = """v 0 0 0
v .1 0 0
v 0 .1 0
v 0 0 .1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""


def _png(size: int) -> bytes:
    """A grey image with a slope."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(16 * (x + y) % 256 for x in range(size)) for y in range(size))
    header = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


_MJCF = """<mujoco model="every kind">
  <compiler autolimits="true" meshdir="meshes" texturedir="meshes">
    <lengthrange mode="none"/>
  </compiler>
  <option timestep="0.002">
    <flag contact="enable"/>
  </option>
  <size nuserdata="1"/>
  <statistic extent="2"/>
  <visual>
    <global fovy="50"/>
    <quality shadowsize="512"/>
    <headlight diffuse=".6 .6 .6"/>
    <map znear=".01"/>
    <scale com=".2"/>
    <rgba haze="1 1 1 1"/>
  </visual>
  <default>
    <geom rgba=".8 .6 .4 1"/>
    <default class="arm">
      <joint damping=".1"/>
      <geom group="1"/>
    </default>
  </default>
  <extension>
    <plugin plugin="mujoco.elasticity.cable">
      <instance name="elastic">
        <config key="twist" value="1"/>
        <config key="bend" value="1"/>
      </instance>
    </plugin>
    <plugin plugin="mujoco.sdf.torus">
      <instance name="ring">
        <config key="radius1" value=".2"/>
        <config key="radius2" value=".1"/>
      </instance>
    </plugin>
    <plugin plugin="mujoco.pid">
      <instance name="pid"/>
    </plugin>
  </extension>
  <custom>
    <numeric name="numeric" data="1 2"/>
    <text name="text" data="words"/>
    <tuple name="tuple">
      <element objtype="body" objname="arm"/>
    </tuple>
  </custom>
  <asset>
    <mesh file="tetra.obj"/>
    <mesh name="named" file="tetra.obj" scale="2 2 2"/>
    <mesh name="shape" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <mesh name="torus">
      <plugin instance="ring"/>
    </mesh>
    <hfield file="slope.png" size="1 1 .1 .1"/>
    <hfield name="field" nrow="2" ncol="2" size="1 1 .1 .1"/>
    <texture file="slope.png" type="2d"/>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 0" width="8" height="8"/>
    <texture name="checker" type="2d" builtin="checker" width="8" height="8"/>
    <material name="textured" texture="checker"/>
    <material name="layered">
      <layer texture="checker" role="rgb"/>
    </material>
    <material name="plain" rgba="1 0 0 1"/>
    <model name="other" file="other.xml"/>
    <model file="third.xml"/>
    <skin name="leather" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" material="plain">
      <bone body="arm" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
    </skin>
  </asset>
  <worldbody>
    <light name="sun" pos="0 0 3"/>
    <camera name="eye" pos="0 -2 1"/>
    <geom name="floor" type="plane" size="1 1 .1" material="textured"/>
    <geom type="hfield" hfield="slope" pos="0 0 -3"/>
    <frame name="place" pos="0 0 1">
      <body name="inframe">
        <geom type="mesh" mesh="tetra"/>
      </body>
    </frame>
    <body name="base" pos="0 0 .5">
      <freejoint name="root"/>
      <inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>
      <geom name="trunk" size=".1"/>
      <site name="top"/>
      <camera name="bodycam"/>
      <light name="bodylight"/>
      <body name="arm" childclass="arm" pos=".3 0 0">
        <joint name="hinge" range="-1 1"/>
        <geom name="upper" type="cylinder" size=".02 .1"/>
        <geom name="sdf" type="sdf" mesh="torus">
          <plugin instance="ring"/>
        </geom>
        <site name="elbow"/>
        <site name="side"/>
        <body name="hand" pos=".3 0 0">
          <joint name="ball" type="ball"/>
          <geom name="palm" size=".05" material="layered"/>
          <site name="tip"/>
        </body>
      </body>
      <include file="limb.xml"/>
    </body>
    <body name="slider" pos="2 0 1">
      <joint name="slide" type="slide" range="-1 1"/>
      <geom name="box" type="box" size=".1 .1 .1"/>
      <attach model="other" body="thing" prefix="attached_"/>
    </body>
    <body name="mocap" mocap="true" pos="-1 0 1">
      <geom name="target" size=".1" contype="0" conaffinity="0"/>
    </body>
    <replicate count="2" offset=".3 0 0">
      <geom size=".02" pos="0 3 0"/>
    </replicate>
    <replicate count="2" offset=".3 0 0">
      <body name="copied" pos="0 4 0">
        <joint name="copiedhinge"/>
        <geom size=".02"/>
      </body>
    </replicate>
    <body name="rod">
      <geom type="capsule" size=".01 .1"/>
      <plugin instance="elastic"/>
    </body>
    <body>
      <geom size=".1"/>
    </body>
    <composite prefix="rope_" type="cable" curve="s 0 0" count="5 1 1" size="1" initial="none">
      <plugin plugin="mujoco.elasticity.cable">
        <config key="twist" value="1"/>
      </plugin>
      <joint kind="main" damping=".01"/>
      <geom type="capsule" size=".01"/>
      <site size=".01"/>
      <skin texcoord="true"/>
    </composite>
    <flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" mass=".1" radius=".01">
      <edge equality="true"/>
      <elasticity young="10"/>
      <contact selfcollide="none"/>
      <pin id="0"/>
    </flexcomp>
  </worldbody>
  <deformable>
    <flex name="thread" dim="1" body="base arm slider" element="0 1 1 2" radius=".01">
      <edge stiffness="1"/>
      <contact selfcollide="none"/>
    </flex>
    <skin name="cape" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
      <bone body="base" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
    </skin>
  </deformable>
  <contact>
    <pair geom1="floor" geom2="palm"/>
    <exclude body1="base" body2="arm"/>
  </contact>
  <equality>
    <connect name="pin" body1="slider" body2="base" anchor="0 0 0"/>
    <weld body1="mocap" body2="hand" active="false"/>
    <joint joint1="hinge" joint2="slide"/>
    <tendon tendon1="fixed"/>
    <flex flex="thread"/>
  </equality>
  <tendon>
    <fixed name="fixed" range="0 1">
      <joint joint="hinge" coef="1"/>
    </fixed>
    <spatial name="spatial">
      <site site="top"/>
      <geom geom="upper" sidesite="side"/>
      <site site="tip"/>
      <pulley divisor="2"/>
      <site site="top"/>
      <site site="elbow"/>
    </spatial>
  </tendon>
  <actuator>
    <motor name="motor" joint="hinge"/>
    <position joint="slide" kp="1"/>
    <plugin joint="hinge" plugin="mujoco.pid" instance="pid"/>
  </actuator>
  <include file="sensors.xml"/>
  <keyframe>
    <key name="home" time="1"/>
  </keyframe>
</mujoco>
"""

_MJCF_FILES: dict[str, str | bytes] = {
    "meshes/tetra.obj": _TETRAHEDRON,
    "meshes/slope.png": _png(8),
    "limb.xml": """<mujocoinclude>
  <body name="limb">
    <joint name="limbhinge"/>
    <geom name="shin" size=".05"/>
  </body>
</mujocoinclude>
""",
    "sensors.xml": """<mujoco>
  <sensor>
    <jointpos name="angle" joint="hinge"/>
    <framepos name="where" objtype="body" objname="arm" reftype="site" refname="tip"/>
    <touch site="tip"/>
    <user name="user" dim="1"/>
  </sensor>
</mujoco>
""",
    "other.xml": '<mujoco><worldbody><body name="thing"><geom size=".1"/></body></worldbody></mujoco>\n',
    "third.xml": '<mujoco model="third"><worldbody><body name="more"><geom size=".1"/></body></worldbody></mujoco>\n',
}

_URDF = """<robot name="robot">
  <mujoco>
    <compiler angle="radian" discardvisual="false">
      <lengthrange mode="none"/>
    </compiler>
    <option timestep="0.002">
      <flag contact="enable"/>
    </option>
    <size nuserdata="1"/>
  </mujoco>
  <material name="red">
    <color rgba="1 0 0 1"/>
    <texture filename="red.png"/>
  </material>
  <link name="base">
    <inertial>
      <origin xyz="0 0 0"/>
      <mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0"/>
      <geometry>
        <box size="1 1 1"/>
      </geometry>
      <material name="red"/>
    </visual>
    <visual>
      <geometry>
        <mesh filename="meshes/tetra.obj"/>
      </geometry>
      <material name="blue">
        <color rgba="0 0 1 1"/>
      </material>
    </visual>
    <collision>
      <geometry>
        <cylinder radius=".1" length=".1"/>
      </geometry>
      <material name="red"/>
    </collision>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1"/>
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
    <dynamics damping=".1"/>
    <safety_controller k_velocity="1"/>
    <calibration rising="0"/>
  </joint>
  <link name="arm">
    <inertial>
      <mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
    </inertial>
    <visual name="shape">
      <geometry>
        <sphere radius=".1"/>
      </geometry>
      <material name="blue"/>
    </visual>
  </link>
  <joint name="wrist" type="continuous">
    <parent link="arm"/>
    <child link="hand"/>
    <axis xyz="0 1 0"/>
    <mimic joint="shoulder" multiplier="2"/>
  </joint>
  <link name="hand">
    <collision>
      <geometry>
        <capsule radius=".1" length=".1"/>
      </geometry>
    </collision>
  </link>
</robot>
"""

_X_XY = """<x_xy model="every kind">
  <options gravity="0 0 9.81" dt="0.01"/>
  <defaults>
    <geom edge_color="black"/>
    <body pos="0 0 0"/>
  </defaults>
  <worldbody>
    <geom type="box" mass="1" dim="1 1 .1"/>
    <body name="first" joint="free">
      <geom type="sphere" mass="1" dim=".1"/>
      <body name="second" joint="rx" pos="0 0 1">
        <geom type="cylinder" mass="1" dim=".1 .1"/>
      </body>
    </body>
  </worldbody>
</x_xy>
"""

MODELS: dict[str, dict[str, str | bytes]] = {
    "MJCF": {"model.xml": _MJCF, **_MJCF_FILES},
    "URDF": {"model.urdf": _URDF, "meshes/tetra.obj": _TETRAHEDRON},
    "x_xy": {"model.xml": _X_XY},
}
"""Format -> the files of its model, the main one first."""


def write(folder: Path, format: str) -> str:
    """Write a model with its files; the path of the model."""
    files = MODELS[format]
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(folder / next(iter(files)))
