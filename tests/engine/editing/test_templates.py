"""Every new element that the menu offers makes a model that compiles."""

import pytest

import kinetree
from kinetree.engine.assist.language import grammar_of
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.templates import FIRST, choices, insert, template
from tests.engine.editing.structural import Edited

MJCF = """<mujoco>
  <compiler meshdir="meshes"/>
  <asset><texture name="t" type="2d" builtin="flat" width="8" height="8"/><material name="m"/></asset>
  <worldbody>
    <body name="a"><joint name="j" range="0 1" limited="true"/><geom name="g" size=".1"/><site name="s"/></body>
    <body name="b" pos="0 0 1"><joint name="ball" type="ball"/><geom name="h" size=".1"/><site name="s2"/></body>
    <body name="c" pos="0 0 2"><geom size=".1"/><site name="s3"/><site name="s4"/><camera name="eye"/></body>
  </worldbody>
  <contact/>
  <equality/>
  <tendon>
    <fixed name="f" range="0 1" limited="true"><joint joint="j" coef="1"/></fixed>
    <spatial name="sp"><site site="s"/><site site="s2"/></spatial>
  </tendon>
  <actuator><motor name="mo" joint="j"/></actuator>
  <sensor/>
  <keyframe/><custom/><deformable/><default/><visual/><option/>
</mujoco>
"""
URDF = """<robot name="r">
  <link name="base">
    <visual><geometry><box size="1 1 1"/></geometry></visual>
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
</robot>
"""
X_XY = """<x_xy model="m">
  <worldbody>
    <body name="b" joint="free"><geom type="box" mass="1" dim="1 1 1"/></body>
  </worldbody>
</x_xy>
"""
#: What a model needs more than one new element to compile with, or what the base models do not have.
UNFINISHED = {
    ("body", "joint"),  # beside the ball joint
    ("default", "intvelocity"),  # of the class that the motor uses
    ("default", "damper"),
    ("default", "adhesion"),
    ("joint", "mimic"),  # of the only joint, which is itself
}


@pytest.mark.parametrize(("path", "text"), [("/m/a.xml", MJCF), ("/m/a.urdf", URDF), ("/m/x.xml", X_XY)])
def test_what_the_menu_offers_compiles(path, text):
    edited = Edited(path, text)
    document = edited.document
    kinetree.load_string(text)
    tried = 0
    for node in list(document.root.iter()):
        for choice in choices(document, node):
            if choice.why is not None or choice.file is not None or (node.tag, choice.row.tag) in UNFINISHED:
                continue
            edited.project.apply("Insert", insert(document, node, None, choice.row.tag))
            try:
                kinetree.load_string(edited.project.text(edited.path))
            finally:
                edited.project.undo()
            tried += 1
    assert tried > {"/m/a.xml": 120, "/m/a.urdf": 10, "/m/x.xml": 4}[path]


def test_what_is_missing_is_told():
    document = Edited(text="<mujoco><worldbody><body/></worldbody><actuator/><asset/></mujoco>").document
    why = {choice.row.tag: choice.why for choice in choices(document, next(document.root.iter("actuator")))}
    assert why["motor"] == "<motor> needs a joint with a name"
    with pytest.raises(CannotEdit, match="needs a joint"):
        insert(document, next(document.root.iter("actuator")), None, "motor")
    with pytest.raises(CannotEdit, match="<mesh> needs a file"):
        insert(document, next(document.root.iter("asset")), None, "mesh")
    assert choices(document, next(document.root.iter("body"))) and "freejoint" in [
        choice.row.tag for choice in choices(document, next(document.root.iter("body"))) if choice.why is None
    ]


def test_an_actuator_takes_a_joint_that_has_none():
    text = MJCF.replace('<joint name="ball" type="ball"/>', '<joint name="second"/>')
    edited = Edited(text=text)
    document = edited.document
    edited.project.apply("Insert", insert(document, next(document.root.iter("actuator")), None, "motor"))
    assert '<motor name="motor" joint="second" ctrlrange="-1 1"/>' in edited.project.text(edited.path)


def test_a_file_is_named_from_the_folder_that_the_format_starts_from():
    document = Edited("/models/model.xml", MJCF).document
    asset = next(document.root.iter("asset"))
    assert '<mesh file="arm/hand.stl"/>' in template(document, asset, "mesh", "/models/meshes/arm/hand.stl")
    assert '<mesh file="/elsewhere/hand.stl"/>' in template(document, asset, "mesh", "/elsewhere/hand.stl")


def test_first_values_are_of_kinds_and_attributes_that_the_tables_have():
    for root, name in (("mujoco", "MJCF"), ("robot", "URDF"), ("x_xy", "x_xy")):
        rows = grammar_of(root).rows
        for kind, first in FIRST[name].items():
            attributes = first if isinstance(first, str) else first[0]
            for part in attributes.split('"')[::2]:
                assert not part.strip() or part.strip(" =") in rows[kind.partition("/")[0]].attributes, (kind, part)


@pytest.mark.parametrize(("angle", "range"), [("degree", "-90 90"), ("radian", "-1.57 1.57")])
def test_a_joint_of_a_class_that_is_limited_gets_a_range(angle, range):
    text = f"""<mujoco>
  <compiler angle="{angle}"/>
  <default><default class="arm"><joint limited="true"/></default></default>
  <worldbody><body childclass="arm"><geom size=".1"/><frame/></body></worldbody>
</mujoco>
"""
    edited = Edited(text=text)
    for parent in ("body", "frame"):
        place = next(edited.document.root.iter(parent))
        edited.project.apply("Insert", insert(edited.document, place, None, "joint"))
        assert f'<joint name="joint" type="hinge" axis="0 0 1" range="{range}"/>' in edited.project.text(edited.path)
        kinetree.load_string(edited.project.text(edited.path))
        edited.project.undo()
