"""Mirrored limbs of URDF: poses, inertias and names are the mirror image."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools.mirror import AXES, mirror
from tests.engine.editing.structural import Edited

TEXT = """<?xml version="1.0"?>
<robot name="dog">
  <mujoco><compiler fusestatic="false"/></mujoco>
  <link name="trunk"><collision><geometry><box size=".4 .2 .1"/></geometry></collision></link>

  <!-- the left leg -->
  <joint name="FL_hip" type="revolute">
    <origin xyz="0.2 0.1 0" rpy="0.1 0.2 0.3"/>
    <parent link="trunk"/><child link="FL_hip"/>
    <limit lower="-0.5" upper="1" effort="20" velocity="20"/>
  </joint>
  <link name="FL_hip">
    <inertial>
      <origin xyz="0.01 0.02 0.03" rpy="0.3 0.2 0.1"/><mass value="2"/>
      <inertia ixx=".01" ixy=".001" ixz="-.002" iyy=".02" iyz=".003" izz=".015"/>
    </inertial>
    <visual name="FL_skin"><geometry><mesh filename="hip.obj" scale="1 2 1"/></geometry></visual>
    <collision><origin xyz="0 .05 0"/><geometry><sphere radius=".05"/></geometry></collision>
  </link>
  <joint name="FL_thigh" type="prismatic">
    <origin xyz="0 0.1 -.1" rpy="0 0.5 0"/>
    <axis xyz="0.6 0.8 0"/>
    <parent link="FL_hip"/><child link="FL_thigh"/>
    <limit lower="-0.1" upper=".1" effort="20" velocity="20"/>
  </joint>
  <link name="FL_thigh">
    <collision name="FL_bone"><origin xyz="0 .05 -.1" rpy="0.4 0 0"/><geometry><box size=".02 .03 .2"/></geometry></collision>
  </link>
  <link name="foot"><collision><geometry><sphere radius=".02"/></geometry></collision></link>
  <joint name="foot_fixed" type="continuous">
    <origin xyz="0 .02 -.2"/><axis xyz="0 1 0.1"/>
    <parent link="FL_thigh"/><child link="foot"/>
    <mimic joint="FL_hip" multiplier="2"/>
  </joint>
  <transmission name="FL_trans"><joint name="FL_hip"/></transmission>
</robot>
"""
LINKS = {"FL_hip": "FR_hip", "FL_thigh": "FR_thigh", "foot": "foot_R"}
JOINTS = {"FL_hip": "FR_hip", "FL_thigh": "FR_thigh", "foot_fixed": "foot_fixed_R"}


def mirrored(axis: str = "y", text: str = TEXT, name: str = "FL_hip") -> tuple[str, list[str]]:
    edited = Edited("/models/dog.urdf", text)
    link = next(node for node in edited.document.root.iter("link") if node.get("name") == name)
    found = mirror(edited.document, link, axis)
    changes = edited.step(found.edits)
    assert all(edit.start == edit.end for edits in changes.values() for edit in edits)  # nothing is taken away
    edited.project.apply("Mirror", found.edits)
    return edited.project.text(edited.path), found.notes


@pytest.mark.parametrize("axis", AXES)
def test_poses_and_inertias_are_the_mirror_image(axis):
    text, notes = mirrored(axis)
    assert notes == ['<transmission> "FL_trans" is not mirrored']
    assert text.count("hip.obj") == 2
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    flip = np.diag([-1.0 if each == axis else 1.0 for each in AXES])
    random = np.random.default_rng(3)
    for left, right in JOINTS.items():
        data.joint(left).qpos = data.joint(right).qpos = random.normal(scale=0.4)
        np.testing.assert_allclose(model.joint(right).range, model.joint(left).range)
    mujoco.mj_kinematics(model, data)
    for left, right in LINKS.items():
        one, other = model.body(left).id, model.body(right).id
        np.testing.assert_allclose(data.xpos[other], flip @ data.xpos[one], atol=1e-9)
        turn = flip @ data.xmat[one].reshape(3, 3) @ flip
        np.testing.assert_allclose(data.xmat[other].reshape(3, 3), turn, atol=1e-9)
        np.testing.assert_allclose(data.xipos[other], flip @ data.xipos[one], atol=1e-9)
        inertias = []
        for body in (one, other):
            axes = data.ximat[body].reshape(3, 3)
            inertias.append(axes @ np.diag(model.body_inertia[body]) @ axes.T)
        np.testing.assert_allclose(inertias[1], flip @ inertias[0] @ flip, atol=1e-9)


def test_names_references_and_forms():
    text, _ = mirrored()
    copy = text[text.index("</joint>\n  <joint", text.index("foot_fixed")) :]
    assert '<joint name="FR_hip" type="revolute">\n    <origin xyz="0.2 -0.1 0" rpy="-0.1 0.2 -0.3"/>' in copy
    assert '<axis xyz="-1 0 0"/>' in copy and '<axis xyz="0.6 -0.8 0"/>' in copy and '<axis xyz="0 1 -0.1"/>' in copy
    assert '<parent link="trunk"/><child link="FR_hip"/>' in copy and '<mimic joint="FR_hip" multiplier="2"/>' in copy
    assert '<visual name="FR_skin">' in copy and 'scale="1 -2 1"' in copy and '<collision name="FR_bone">' in copy
    assert 'ixy="-.001" ixz="-.002" iyy=".02" iyz="-.003"' in copy


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (TEXT, "trunk", "is the base of the robot"),
        (TEXT.replace('type="prismatic"', 'type="planar"'), "FL_hip", "its type is planar"),
        (mirrored()[0], "FL_hip", "there is a link 'FR_hip' already, in line|there is a joint 'FR_hip' already"),
        (TEXT.replace('<parent link="trunk"/>', '<parent link="foot"/>'), "FL_hip", "hangs on itself"),
    ],
)
def test_what_cannot_be_mirrored_is_refused(text, name, words):
    with pytest.raises(CannotEdit, match=words):
        mirrored(text=text, name=name)
