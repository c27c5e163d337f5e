"""Mirrored limbs: poses, inertias and motion are the mirror image, names and references follow, and the rest of the text
stays."""

import random

import mujoco
import numpy as np
import pytest

from kinetree.engine.editing.removal import remove
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools.mirror import AXES, mirror
from tests.corpus import listed
from tests.engine.editing.structural import Edited
from tests.engine.editing.test_structure import find

MODEL = """<mujoco>
  <compiler angle="degree" eulerseq="xyz"/>
  <option gravity="0 0 -9.81"><flag contact="disable"/></option>
  <default>
    <default class="arm">
      <joint axis="0 0 1" damping=".1" range="-60 30"/>
      <geom type="capsule" size=".03"/>
      <default class="slider"><joint type="slide" axis="1 1 0" stiffness="5"/></default>
      <default class="turned"><geom euler="10 20 30"/></default>
    </default>
  </default>
  <asset>
    <mesh name="wedge" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3  .1 .05 .2" scale="1 .5 1"/>
    <mesh name="tetra" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3" face="0 2 1  0 1 3  0 3 2  1 2 3" refpos=".01 .02 .03" refquat=".8 .6 0 0"/>
  </asset>
  <worldbody>
    <body name="torso" pos="0 0 1" euler="0 5 0">
      <joint name="spin" axis="0 1 0" damping="1"/>
      <geom name="trunk" size=".2"/>
      <site name="left_shoulder" pos="0 .2 .1"/>
      <site name="right_shoulder" pos="0 -.2 .1"/>
      <body name="left_arm" pos=".02 .25 0.10" euler="10 -20 30" childclass="arm">
        <!-- the upper arm -->
        <joint name="left_pitch" axis="0 1 .2" pos="0 .01 0"/>
        <joint name="left_roll" axis="1 0 0"/>
        <geom name="left_upper" type="cylinder" fromto="0 0 0 .1 .3 -.1"/>
        <geom class="turned" type="box" size=".01 .02 .03" pos=".1 .1 .1"/>
        <site name="left_elbow" pos="0 .3 0" quat=".9 .1 .3 -.2"/>
        <camera name="left_eye" pos="0 .1 0" xyaxes="1 .2 0 0 1 .3"/>
        <camera name="left_cam" pos="0 .1 0" euler="10 20 30"/>
        <light pos="0 .1 .5" dir="0 .3 -1"/>
        <light pos="0 .1 .5" mode="targetbody" target="lower"/>
        <body name="lower" pos=".1 .3 -.1" axisangle="1 2 3 40">
          <inertial pos="0 .02 .01" mass=".4" fullinertia=".01 .02 .015 .001 .002 -.003"/>
          <joint name="slide_left" class="slider"/>
          <geom name="left_mesh" type="mesh" mesh="wedge" pos="0 .1 0" zaxis="0 .3 1"/>
          <geom type="mesh" mesh="tetra" xyaxes="1 .2 0 0 1 .3"/>
          <frame pos="0 .1 0" euler="0 10 20"><geom name="hand" type="ellipsoid" size=".03 .04 .05" pos="0 .1 0"/></frame>
          <body name="ball" pos="0 .1 .1">
            <inertial pos="0 .02 .01" mass=".2" diaginertia=".001 .002 .0025" quat="1 2 3 4"/>
            <joint name="left_ball" type="ball" range="0 170"/>
            <site name="thrust" pos="0 .1 0" euler="0 30 10"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="left_string" stiffness="3"><site site="left_shoulder"/><geom geom="left_upper"/><site site="thrust"/></spatial>
    <fixed name="left_sum"><joint joint="left_pitch" coef="1"/><joint joint="slide_left" coef="-2"/></fixed>
  </tendon>
  <equality>
    <joint joint1="left_pitch" joint2="left_roll" polycoef="0 .5 0 0 0"/>
    <connect body1="ball" body2="torso" anchor="0 .1 .02" active="false"/>
  </equality>
  <contact><exclude body1="torso" body2="left_arm"/></contact>
  <actuator>
    <motor name="left_pitch" joint="left_pitch" gear="3"/>
    <position name="a2" joint="slide_left" kp="3"/>
    <motor joint="left_ball" gear=".1 .2 .3"/>
    <motor site="thrust" gear="1 2 3 .1 .2 .3"/>
    <motor tendon="left_sum"/>
  </actuator>
  <sensor>
    <jointpos name="left_angle" joint="left_pitch"/>
    <actuatorfrc actuator="left_pitch"/>
    <framepos objtype="site" objname="thrust" reftype="body" refname="torso"/>
    <tendonpos tendon="left_string"/>
  </sensor>
</mujoco>
"""
STILL = MODEL.replace('<joint name="spin" axis="0 1 0" damping="1"/>', "").replace(
    'gravity="0 0 -9.81"', 'gravity="0 0 0"'
)


def mirrored(text: str, name: str, axis: str = "y", inserts_only: bool = True, **more):
    """(the text with the mirrored limb, notes); undone and done again in between."""
    edited = Edited(text=text)
    found = mirror(edited.document, find(edited.document, name, "body"), axis, **more)
    changes = edited.step(found.edits)
    # nothing is taken away
    assert not inserts_only or all(edit.start == edit.end for edits in changes.values() for edit in edits)
    edited.project.apply("Mirror limb", found.edits)
    return edited.project.text(edited.path), found.notes


PAIRS = {
    "body": [("left_arm", "right_arm"), ("lower", "lower_right"), ("ball", "ball_right")],
    "site": [("left_elbow", "right_elbow"), ("thrust", "thrust_right")],
    "geom": [("left_upper", "right_upper"), ("hand", "hand_right")],
}
COPIES = {"left_pitch": "right_pitch", "left_roll": "right_roll", "slide_left": "slide_right"}


def world_inertia(model, data, body: int) -> np.ndarray:
    turn = data.ximat[body].reshape(3, 3)
    return turn @ np.diag(model.body_inertia[body]) @ turn.T


def check_image(model, data, flip: np.ndarray) -> None:
    """The right arm is the mirror image of the left one in the frame of the torso."""
    torso = data.body("torso")
    frame = torso.xmat.reshape(3, 3)
    image = frame @ flip @ frame.T

    def point(p):
        return torso.xpos + image @ (p - torso.xpos)

    for kind, pairs in PAIRS.items():
        for left, right in pairs:
            one, other = getattr(data, kind)(left), getattr(data, kind)(right)
            np.testing.assert_allclose(other.xpos, point(one.xpos), rtol=0, atol=1e-9)
            turned = image @ one.xmat.reshape(3, 3) @ flip
            np.testing.assert_allclose(other.xmat.reshape(3, 3), turned, rtol=0, atol=1e-9)
    for left, right in PAIRS["body"]:
        one, other = model.body(left).id, model.body(right).id
        assert model.body_mass[other] == pytest.approx(model.body_mass[one], rel=1e-12)
        np.testing.assert_allclose(data.xipos[other], point(data.xipos[one]), rtol=0, atol=1e-9)
        inertia = image @ world_inertia(model, data, one) @ image
        np.testing.assert_allclose(world_inertia(model, data, other), inertia, rtol=0, atol=1e-9)
    mesh = [i for i in range(model.ngeom) if model.geom_type[i] == mujoco.mjtGeom.mjGEOM_MESH]
    for one, other in zip(mesh[:2], mesh[2:], strict=True):
        np.testing.assert_allclose(data.geom_xpos[other], point(data.geom_xpos[one]), rtol=0, atol=1e-9)
        assert corners(model, data, other) == corners(model, data, one, point)
    np.testing.assert_allclose(data.cam("right_cam").xpos, point(data.cam("left_cam").xpos), rtol=0, atol=1e-9)
    for name in ("cam", "eye"):
        one, other = (data.cam(f"{side}_{name}").xmat.reshape(3, 3) for side in ("left", "right"))
        np.testing.assert_allclose(other, image @ one @ np.diag([-1, 1, 1]), rtol=0, atol=1e-9)
    for one, other in ((0, 2), (1, 3)):
        np.testing.assert_allclose(data.light_xpos[other], point(data.light_xpos[one]), rtol=0, atol=1e-9)
        np.testing.assert_allclose(data.light_xdir[other], image @ data.light_xdir[one], rtol=0, atol=1e-9)


def corners(model, data, geom: int, point=lambda p: p) -> set:
    """The vertices of a mesh geom in the world, rounded as the model stores them."""
    mesh = model.geom_dataid[geom]
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    turn = data.geom_xmat[geom].reshape(3, 3)
    at = [point(data.geom_xpos[geom] + turn @ vert) for vert in model.mesh_vert[first : first + count]]
    return {tuple(np.round(each, 5) + 0.0) for each in at}


@pytest.mark.parametrize("axis", AXES)
def test_poses_inertias_and_motion_are_the_mirror_image(axis):
    text, notes = mirrored(MODEL if axis == "y" else STILL, "left_arm", axis)
    assert notes == []
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    flip = np.diag([-1.0 if each == axis else 1.0 for each in AXES])
    if axis != "z":  # the string has its ends at the shoulders, which are at y = .2 and -.2
        model.tendon_stiffness[:] = model.tendon_stiffness if axis == "y" else 0
    else:
        model.tendon_stiffness[:] = 0
    random = np.random.default_rng(7)
    for left, right in COPIES.items():
        data.joint(left).qpos = data.joint(right).qpos = random.normal(scale=0.3)
        data.joint(left).qvel = data.joint(right).qvel = random.normal()
    turn = -np.diag(flip)
    ball = random.normal(size=4)
    data.joint("left_ball").qpos, data.joint("right_ball").qpos = ball, ball * [1, *turn]
    half = model.nu // 2
    assert 2 * half == model.nu
    for _ in range(100):
        control = random.normal(size=half)
        data.ctrl[:half] = data.ctrl[half:] = control
        mujoco.mj_step(model, data)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_camlight(model, data)
        check_image(model, data, flip)
    assert np.ptp(data.qpos) > 0.1
    for left, right in COPIES.items():
        assert data.joint(right).qpos == pytest.approx(data.joint(left).qpos, abs=1e-9)
    np.testing.assert_allclose(model.joint("right_pitch").range, model.joint("left_pitch").range)
    assert model.nsensor == 8 and model.sensor_objid[5] == model.actuator("right_pitch").id


def test_the_author_s_form_and_digits_stay():
    text, _ = mirrored(MODEL, "left_arm")
    assert '<body name="right_arm" pos=".02 -.25 0.10" euler="-10 -20 -30" childclass="arm">' in text
    assert '<geom name="right_upper" type="cylinder" fromto="0 0 0 .1 -.3 -.1"/>' in text
    assert '<joint name="right_pitch" axis="0 1 -.2" pos="0 -.01 0"/>' in text
    assert '<joint name="slide_right" class="slider" axis="1 -1 0"/>' in text
    assert 'xyaxes="-1 .2 0 0 -1 .3"' in text and 'axisangle="-1 2 -3 40"' in text
    assert '<geom class="turned" type="box" size=".01 .02 .03" pos=".1 -.1 .1" euler="-10 20 -30"/>' in text


def test_a_limb_without_sides_gets_a_suffix_and_one_mirrored_twice_is_refused():
    text = '<mujoco><worldbody><body name="arm" pos="0 1 0"><geom name="arm" size=".1"/></body></worldbody></mujoco>'
    once, _ = mirrored(text, "arm")
    assert '<body name="arm_mirrored" pos="0 -1 0"><geom name="arm_mirrored" size=".1"/></body>' in once
    assert 'name="arm_mirrored_2"' in mirrored(once, "arm")[0]
    once, _ = mirrored(MODEL, "left_arm")
    with pytest.raises(CannotEdit, match="there is a body 'right_arm' already, in line"):
        mirrored(once, "left_arm")


BODY = '<mujoco><asset><mesh name="box" file="box.stl"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/><hfield name="f" file="a.png" size="1 1 1 1"/></asset><worldbody><body name="a" pos="1 1 1">{}</body></worldbody>{}</mujoco>'


def test_a_plane_mirrored_along_its_normal_faces_the_other_way():
    text, _ = mirrored(BODY.format('<geom type="plane" size="1 2 .1" euler="0 30 0"/>', ""), "a", "z")
    assets = '<mesh name="box" file="box.stl"/>', '<hfield name="f" file="a.png" size="1 1 1 1"/>'
    model = mujoco.MjModel.from_xml_string(text.replace(assets[0], "").replace(assets[1], ""))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    one, other = (data.geom_xmat[i].reshape(3, 3) for i in range(2))
    np.testing.assert_allclose(other[:, 2], one[:, 2] * [1, 1, -1], atol=1e-12)


def test_mirrored_meshes_are_made_once_and_not_at_all_where_they_are_symmetric():
    both = BODY.format('<geom type="mesh" mesh="box"/><geom type="mesh" mesh="box"/>', "")
    text, _ = mirrored(both, "a")
    assert text.count('<mesh name="box_mirrored" file="box.stl" scale="1 -1 1"/>') == 1
    assert text.count('mesh="box_mirrored"') == 2
    again = mirrored(text.replace('name="a_mirrored"', 'name="b"'), "a")[0]
    assert again.count('file="box.stl"') == 2 and again.count('mesh="box_mirrored"') == 4
    assert mirrored(both, "a", symmetric={"box"})[0].count("box.stl") == 1


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ('<geom type="hfield" hfield="f"/>', "its height field comes from a file"),
        ('<geom type="hfield" hfield="gone"/>', "its height field is not in this text"),
        ('<composite type="cable" count="3 1 1" prefix="c"/>', "follow from a curve"),
        ('<flexcomp name="c" type="grid" count="3 1 1" dim="1"/>', "points and elements have an order"),
        ('<attach model="m" prefix="p"/>', "stand in another model"),
        ('<plugin plugin="some.other"/>', "what its plugin would do"),
        ('<geom type="sdf" mesh="box"><plugin plugin="mujoco.sdf.bolt"/></geom>', "what its plugin would do"),
        ('<include file="gone.xml"/>', "was not read"),
        ('<geom type="mesh" mesh="gone"/>', "its mesh is not in this text"),
    ],
)
def test_what_cannot_be_mirrored_is_refused_in_words(inside, words):
    with pytest.raises(CannotEdit, match=words):
        mirrored(BODY.format(inside, ""), "a")


@pytest.mark.parametrize("axis", AXES)
def test_a_height_field_is_mirrored_with_its_heights(axis):
    text = """<mujoco>
  <asset><hfield name="left_hills" nrow="3" ncol="3" size="1 1 .5 .1" elevation="0 .1 .2  .3 .4 1  .6 .2 .8"/></asset>
  <worldbody><body name="left" pos=".3 .2 .1" euler="10 20 30"><geom type="hfield" hfield="left_hills" pos=".1 .1 .1"/></body>
  </worldbody>
</mujoco>"""
    after, notes = mirrored(text, "left", axis)
    assert notes == [] and '<hfield name="right_hills"' in after
    model = mujoco.MjModel.from_xml_string(after)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    points = []
    for geom in range(2):
        field = model.geom_dataid[geom]
        grid = model.hfield_data[field * 9 : field * 9 + 9].reshape(3, 3) * model.hfield_size[field, 2]
        x, y = np.meshgrid([-1, 0, 1], [-1, 0, 1])
        own = np.stack([x, y, grid], -1).reshape(-1, 3)
        points.append(data.geom_xpos[geom] + own @ data.geom_xmat[geom].reshape(3, 3).T)
    image = points[0] * [-1 if each == axis else 1 for each in AXES]
    assert {tuple(each) for each in np.round(points[1], 6) + 0.0} == {tuple(each) for each in np.round(image, 6) + 0.0}


def test_a_height_field_that_is_its_own_image_is_shared():
    after, _ = mirrored(BODY.format('<geom type="hfield" hfield="h"/>', ""), "a")
    assert after.count("<hfield") == 2 and after.count('hfield="h"') == 2


def test_a_torus_of_a_plugin_is_mirrored():
    inside = '<geom type="sdf" mesh="box" pos="0 .1 .2" euler="10 20 30"><plugin instance="ring"/></geom>'
    text = BODY.format(inside, "").replace(
        "<asset>", '<extension><plugin plugin="mujoco.sdf.torus"><instance name="ring"/></plugin></extension><asset>'
    )
    after, _ = mirrored(text, "a")
    assert '<geom type="sdf" mesh="box" pos="0 -.1 .2" euler="-10 20 -30"><plugin instance="ring"/></geom>' in after


def test_included_files_in_a_limb_are_written_out_in_the_copy(tmp_path):
    (tmp_path / "arm.xml").write_text("""<mujocoinclude>
    <geom name="left_skin" fromto="0 0 0 0 .3 0" size=".1"/>
    <!-- the hand -->
    <body name="left_hand" pos="0 .3 0">
        <include file="finger.xml"/>
    </body>
</mujocoinclude>
""")
    (tmp_path / "finger.xml").write_text(
        '<mujocoinclude>\n<joint name="left_finger" axis="1 0 1"/>\n<geom size=".1" pos="0 .1 0"/>\n</mujocoinclude>'
    )
    (tmp_path / "model.xml").write_text("""<mujoco>
  <worldbody>
    <body name="left_arm" pos="0 1 0">
      <include file="arm.xml"/>
    </body>
  </worldbody>
  <actuator><motor name="left" joint="left_finger"/></actuator>
  <keyframe><key qpos=".5"/></keyframe>
</mujoco>
""")
    edited = Edited(str(tmp_path / "model.xml"))
    found = mirror(edited.document, find(edited.document, "left_arm", "body"))
    changes = edited.step(found.edits)
    assert list(changes) == [edited.path] and found.notes == []
    edited.project.apply("Mirror", found.edits)
    assert """    <body name="right_arm" pos="0 -1 0">
      <geom name="right_skin" fromto="0 0 0 0 -.3 0" size=".1"/>
      <!-- the hand -->
      <body name="right_hand" pos="0 -.3 0">
        <joint name="right_finger" axis="-1 0 -1"/>
        <geom size=".1" pos="0 -.1 0"/>
      </body>
    </body>
""" in edited.project.text(edited.path)
    assert '<key qpos=".5 .5"/>' in edited.project.text(edited.path)
    assert '<motor name="right" joint="right_finger"/>' in edited.project.text(edited.path)


def test_other_elements_and_formats_are_refused():
    edited = Edited(text=BODY.format('<geom name="g" size="1"/>', ""))
    with pytest.raises(CannotEdit, match="is no body"):
        mirror(edited.document, find(edited.document, "g", "geom"))
    other = Edited("/models/robot.xml", '<x_xy model="r"><worldbody><body name="a"/></worldbody></x_xy>')
    with pytest.raises(CannotEdit, match="in MJCF and URDF only"):
        mirror(other.document, next(other.document.root.iter("body")))


def test_what_is_left_alone_is_told():
    rest = (
        '<equality><connect body1="other" body2="a" anchor="0 0 0"/></equality><keyframe><key act="0 0"/></keyframe><actuator><motor joint="j"/><muscle joint="j"/></actuator>'
        '<custom><tuple name="t"><element objtype="body" objname="a" prm="0"/></tuple></custom>'
    )
    text = BODY.format('<joint name="j"/><geom size="1"/>', rest)
    text = text.replace("</worldbody>", '<body name="other"><geom size="1"/></body></worldbody>')
    _, notes = mirrored(text, "a")
    assert any("<connect>" in note and "frame of other" in note for note in notes)
    assert any("<tuple>" in note or '"t"' in note for note in notes)
    assert any("activations of the new actuators" in note for note in notes)


def test_keyframes_get_the_mirrored_state():
    text = """<mujoco>
  <worldbody>
    <body name="first"><joint/><geom size=".1"/></body>
    <body name="arm_l" pos="0 1 0">
      <freejoint/><geom size=".1"/>
      <body name="hand"><joint type="ball"/><joint name="slide" type="slide"/><geom size=".1"/></body>
    </body>
    <body name="m" mocap="true"/>
    <body name="last"><joint/><geom size=".1"/></body>
  </worldbody>
  <actuator>
    <general site="s" name="first" dyntype="filter"/>
    <motor joint="slide"/><position joint="slide" timeconst=".1"/><intvelocity joint="slide" actrange="-1 1"/>
    <general site="s" name="free" dyntype="integrator"/>
  </actuator>
  <keyframe>
    <key act="1 2 3 4" qpos="7  1 2 3 .5 .5 -.5 .5  .5 .5 .5 .5  4  8" ctrl="4 5 6 7 8" mpos="1 2 3"/>
    <key qvel="7 1 2 3 4 5 6 1 2 3 4 8"/>
  </keyframe>
</mujoco>""".replace(
        '<geom size=".1"/></body>\n    <body name="arm_l"',
        '<geom size=".1"/><site name="s"/></body>\n    <body name="arm_l"',
    )
    after, notes = mirrored(text, "arm_l", inserts_only=False)
    assert notes == []
    assert 'qpos="7  1 2 3 .5 .5 -.5 .5  .5 .5 .5 .5  4 1 -2 3 .5 -.5 -.5 -.5 .5 -.5 .5 -.5 4  8"' in after
    model = mujoco.MjModel.from_xml_string(after)
    assert model.key_ctrl[0].tolist() == [4, 5, 6, 7, 5, 6, 7, 8] and model.key_act[0].tolist() == [1, 2, 3, 2, 3, 4]
    assert model.key_mpos[0].tolist() == [1, 2, 3]
    assert model.key_qvel[1].tolist() == [7, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 1, -2, 3, -4, 5, -6, -1, 2, -3, 4, 8]


# ---- names -----------------------------------------------------------------------------------------------------


def limb(inside: str, name: str = "hip", outside: str = "") -> str:
    return f'<mujoco><worldbody><body name="{name}" pos="0 1 0">{inside}<geom size=".1"/></body></worldbody>{outside}</mujoco>'


def names_of_copy(text: str, name: str, notes: list[str] | None = None) -> list[str]:
    after, found = mirrored(text, name)
    assert notes is None or found == notes
    mujoco.MjModel.from_xml_string(after)
    spec = mujoco.MjSpec.from_string(after)
    before = mujoco.MjSpec.from_string(text)
    return [
        each.name
        for kind in ("bodies", "joints", "geoms", "sites", "actuators")
        for each in getattr(spec, kind)
        if each.name and each.name not in {other.name for other in getattr(before, kind)}
    ]


def test_a_name_with_a_side_comes_before_one_that_only_gets_it():
    text = limb('<joint name="leg"/><joint name="leg_left" axis="1 0 0"/>', "left_hip")
    assert names_of_copy(text, "left_hip", ["some names of the other side are taken, so that the copy has others: leg → leg_right_2"]) == [
        "right_hip", "leg_right_2", "leg_right"
    ]  # fmt: skip


def test_a_limb_with_both_sides_gets_both_with_numbers():
    inside = '<body name="left_leg" pos="0 .1 0"><joint name="left_knee"/><geom size=".1"/></body><body name="right_leg" pos="0 -.1 0"><joint name="right_knee"/><geom size=".1"/></body>'
    text = limb(
        inside, "torso", '<actuator><motor name="left_knee" joint="left_knee"/><motor joint="right_knee"/></actuator>'
    )
    after, notes = mirrored(text, "torso")
    assert notes == [
        "some names of the other side are taken, so that the copy has others: "
        "left_leg → right_leg_2, left_knee → right_knee_2, right_leg → left_leg_2, right_knee → left_knee_2"
    ]
    assert '<motor name="right_knee_2" joint="right_knee_2"/><motor joint="left_knee_2"/>' in after
    model = mujoco.MjModel.from_xml_string(after)
    assert model.body("torso_mirrored").pos.tolist() == [0, -1, 0]
    assert model.body("right_leg_2").pos.tolist() == [0, -0.1, 0]


def test_every_side_of_a_name_becomes_the_other_one():
    inside = '<joint name="front_left_hip_joint"/><site name="FL_foot"/><site name="LeftFoot"/><site name="armL"/>'
    assert names_of_copy(limb(inside, "FL_hip"), "FL_hip", []) == [
        "FR_hip", "front_right_hip_joint", "FR_foot", "RightFoot", "armR",
    ]  # fmt: skip


def test_comments_in_the_copy_speak_of_the_other_side():
    inside = '<!-- the left leg, of FL_hip; its rod (l = 0.3) is bright --><!-- left_knee:\n left, Left-most --><joint name="left_knee"/><site name="rod"/><site name="rod_1"/><!-- rod_1 -->'
    after, _ = mirrored(limb(inside, "FL_hip"), "FL_hip")
    copy = after[after.index('name="FR_hip"') :]
    assert "<!-- the right leg, of FR_hip; its rod (l = 0.3) is bright -->" in copy
    assert "<!-- right_knee:\n right, Right-most -->" in copy.replace("\n    ", "\n ")
    assert "<!-- rod_1_R -->" in copy
    assert "the left leg, of FL_hip" in after[: after.index('name="FR_hip"')]


def test_a_name_is_the_same_in_all_namespaces():
    text = limb('<joint name="tip"/><site name="tip"/>', "arm").replace(
        "<worldbody>", '<worldbody><site name="tip_mirrored"/>'
    )
    found = names_of_copy(text, "arm")
    assert found == ["arm_mirrored", "tip_mirrored_2", "tip_mirrored_2"]


@pytest.mark.slow("every model of the corpus")
def test_limbs_of_the_corpus_are_mirrored_in_mujoco_too(shared, monkeypatch):
    random_, done = random.Random(2), 0
    for each in [row for row in listed(shared / "corpus") if row.loads == "yes"][::3]:
        text = each.path.read_bytes()
        if len(text) > 40_000 or b"fusestatic" in text or b"flex" in text or b"<replicate" in text:
            continue
        document = Edited(str(each.path)).document
        bodies = [
            node
            for node in document.root.iter("body")
            if node.get("name") and node.parent is not None and node.parent.tag in ("body", "worldbody")
        ]
        for node in random_.sample(bodies, min(3, len(bodies))):
            axis = random_.choice(AXES)
            edited = Edited(str(each.path))
            target = next(n for n in edited.document.root.iter("body") if n.get("name") == node.get("name"))
            try:
                element_edits = mirror(edited.document, target, axis).edits
            except CannotEdit:
                continue
            edited.project.apply("Mirror", element_edits)
            if edited.data().keys() != {edited.path} and len(edited.data()) > 1:
                continue
            monkeypatch.chdir(each.path.parent)
            try:
                model = mujoco.MjModel.from_xml_string(edited.project.text(edited.path))
            except ValueError as error:
                if any(word in str(error) for word in ("Error opening file", "resource", "plugin")):
                    continue
                raise AssertionError((each.path, node, axis)) from error
            data = mujoco.MjData(model)
            mujoco.mj_kinematics(model, data)
            one = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, node.get("name"))
            others = [
                i for i in range(1, model.nbody) if i > one and model.body_parentid[i] == model.body_parentid[one]
            ]
            count = sum(1 for i in range(model.nbody) if inside_of(model, i, one))
            other = one + count
            assert other in others, each.path
            flip = np.diag([-1.0 if letter == axis else 1.0 for letter in AXES])
            parent = int(model.body_parentid[one])
            frame = data.xmat[parent].reshape(3, 3)
            image = frame @ flip @ frame.T
            for i in range(count):
                expected = data.xpos[parent] + image @ (data.xpos[one + i] - data.xpos[parent])
                np.testing.assert_allclose(data.xpos[other + i], expected, atol=1e-8, err_msg=str(each.path))
            done += 1
    assert done > 60


def inside_of(model, body: int, limb: int) -> bool:
    while body > limb:
        body = int(model.body_parentid[body])
    return body == limb


@pytest.mark.parametrize(("left", "right"), [("thigh_left", "thigh_right"), ("upper_arm_right", "upper_arm_left")])
def test_a_limb_of_the_humanoid_that_was_removed_comes_back_as_the_mirror_image(corpus, left, right):
    path = corpus("humanoid/humanoid.xml")
    edited = Edited(str(path))
    before = mujoco.MjModel.from_xml_string(path.read_text())
    document = edited.document
    edited.project.apply("Remove", remove(document, [find(document, right, "body")], with_referring=True))
    found = mirror(edited.document, find(edited.document, left, "body"))
    edited.project.apply("Mirror", found.edits)
    after = mujoco.MjModel.from_xml_string(edited.project.text(edited.path))
    for kind in ("body", "jnt", "geom", "actuator", "exclude"):
        type = getattr(mujoco.mjtObj, f"mjOBJ_{ {'jnt': 'JOINT'}.get(kind, kind.upper()) }")
        count = f"n{ {'actuator': 'u'}.get(kind, kind) }"
        names = [{mujoco.mj_id2name(model, type, i) for i in range(getattr(model, count))} for model in (before, after)]
        assert names[0] == names[1], kind
    data = [mujoco.MjData(model) for model in (before, after)]
    for model, each in zip((before, after), data, strict=True):
        mujoco.mj_kinematics(model, each)
    for i in range(before.nbody):
        name = before.body(i).name
        np.testing.assert_allclose(data[1].body(name).xpos, data[0].body(name).xpos, atol=1e-9)
        np.testing.assert_allclose(data[1].body(name).xipos, data[0].body(name).xipos, atol=1e-9)
        assert after.body(name).mass[0] == pytest.approx(before.body(name).mass[0])
    for i in range(before.njnt):
        name = before.joint(i).name
        np.testing.assert_allclose(after.joint(name).range, before.joint(name).range)
