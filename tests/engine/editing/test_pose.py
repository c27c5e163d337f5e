"""A pose that is set in the text is where the compiled model has the element, and nothing else of the text changes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.document.project import Project
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.orientation import same
from kinetree.engine.editing.pose import (
    EXACT,
    NotPlaced,
    Precision,
    place,
    set_pose,
    set_world_pose,
    world_frame,
    world_pose,
)
from kinetree.engine.geometry.orientation import IDENTITY, ORIGIN, compose, rotate, unit

MJCF = """<!-- {seq} -->
<mujoco>
  <compiler angle="{angle}" eulerseq="{seq}" alignfree="false"/>
  <default>
    <geom type="box" size=".1 .2 .3"/>
    <default class="turned"><geom euler="10 20 30" pos="1 2 3"/></default>
    <default class="along"><geom type="capsule" size=".05" fromto="0 0 0 0 0 1"/></default>
  </default>
  <worldbody>
    <body name="a" pos="0 0 1" euler="1 2 .5">
      <frame pos="1 0 0" axisangle="0 1 0 .7">
        <replicate count="3" offset="0 .5 0" euler="0 0 .3">
          <geom name="replicated" pos="0.5  0 0"/>
        </replicate>
        <body name="b" xyaxes="0 1 0 -1 0 0">
          <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
          <joint name="hinge" axis="0 1 0" pos=".1 0 0"/>
          <geom name="plain"/>
          <geom name="quat" quat="0 1 0 0"/>
          <geom name="axisangle" axisangle="0 0 1 1.5"/>
          <geom name="zaxis" type="sphere" zaxis="1 0 0"/>
          <geom name="classy" class="turned"/>
          <geom name="fromto" type="cylinder" size=".1"
                fromto="0 0 0  .3 .2 .1"/>
          <geom name="along" class="along"/>
          <site name="site" euler="0.100 0.20 0.3" pos="1e-1 2e-1 0"/>
          <camera name="camera" pos="1 1 1" xyaxes="1 0 0 0 1 0"/>
          <light name="light" dir="0 .5 -1"/>
          <frame name="frame" pos="0 0 .5"><geom name="framed"/></frame>
        </body>
      </frame>
    </body>
  </worldbody>
</mujoco>
"""
PLACED = ("a", "b", "replicated", "plain", "quat", "axisangle", "classy", "fromto", "along", "site", "camera", "light", "framed", "zaxis")  # fmt: skip
TURNS = frozenset({"fromto", "along", "light", "zaxis"})
"""A turn about the own Z axis is not seen in these."""

numbers = st.floats(-3, 3, allow_subnormal=False)
poses = st.tuples(
    st.tuples(numbers, numbers, numbers),
    st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: math.hypot(*q) > 0.05).map(unit),
)


def document_of(text: str) -> tuple[Project, Document]:
    project = Project()
    path = project.create("model.xml", text)
    return project, project.snapshot(path).document


def named(document: Document, name: str) -> Node:
    return next(node for node in document.merged.iter() if node.get("name") == name and node.tag != "joint")


def compiled_pose(model, name: str, kind: str):
    """World pose at qpos0 of an object of a compiled model: bodies are chained here, without any kernel."""
    kinds = {"body": "body", "geom": "geom", "site": "site", "camera": "cam", "light": "light"}
    index = model.names[kind].index(name)
    prefix = kinds[kind]
    pos = tuple(getattr(model, f"{prefix}_pos")[index].tolist())
    if kind == "light":
        own = pos, tuple(model.light_dir[index].tolist())
    else:
        own = pos, tuple(getattr(model, f"{prefix}_quat")[index].tolist())
    body = int(model.body_parentid[index]) if kind == "body" else int(getattr(model, f"{prefix}_bodyid")[index])
    outer = ORIGIN, IDENTITY
    chain = []
    while body:
        chain.append(body)
        body = int(model.body_parentid[body])
    for body in reversed(chain):
        outer = compose(outer, (tuple(model.body_pos[body].tolist()), tuple(model.body_quat[body].tolist())))
    if kind == "light":
        return compose(outer, (own[0], IDENTITY))[0], rotate(outer[1], own[1])
    return compose(outer, own)


def assert_pose(found, wanted, name: str, tolerance: float) -> None:
    assert found[0] == pytest.approx(wanted[0], abs=tolerance)
    if name == "light":
        assert found[1] == pytest.approx(rotate(wanted[1], (0, 0, 1)), abs=tolerance)
    elif name in TURNS:
        assert rotate(found[1], (0, 0, 1)) == pytest.approx(rotate(wanted[1], (0, 0, 1)), abs=tolerance)
    else:
        assert same(found[1], wanted[1], tolerance), (found[1], wanted[1])


@settings(max_examples=60)
@given(st.sampled_from(PLACED), poses, st.sampled_from(["degree", "radian"]), st.sampled_from(["xyz", "ZYX", "zxz"]))
def test_a_world_pose_that_is_set_is_the_compiled_one(name, pose, angle, sequence) -> None:
    project, document = document_of(MJCF.format(angle=angle, seq=sequence))
    node = named(document, name)
    replicas = {node.parent.id: 2} if name == "replicated" else {}
    before, start, end = document.source.text, node.start, node.start + node.subtree.head
    forms = {each.name for each in node.attributes}
    project.apply("Move", set_world_pose(document, node, pose, EXACT, replicas))
    document = project.snapshot("model.xml").document
    text = document.source.text
    assert text[:start] == before[:start]
    assert text.endswith(before[end:])
    model = compile_document(document).model
    there = "replicated2" if name == "replicated" else name
    assert_pose(compiled_pose(model, there, node.tag), pose, name, 1e-6)
    if name != "light":
        assert_pose(world_pose(document, document.node(node.id), replicas), pose, name, 1e-6)
    after = {each.name for each in document.node(node.id).attributes}
    assert forms <= after, "no attribute goes"
    assert not after & {"quat", "pos"} or not after & {"fromto"}


@settings(max_examples=40)
@given(st.sampled_from(PLACED), poses, st.sampled_from([1e-2, 1e-3, 1e-5]))
def test_a_gesture_is_as_precise_as_it_says(name, pose, step) -> None:
    project, document = document_of(MJCF.format(angle="radian", seq="xyz"))
    node = named(document, name)
    project.apply("Move", set_pose(document, node, pose, Precision(step, step)))
    document = project.snapshot("model.xml").document
    found = place(document, document.node(node.id)).pose
    if name in TURNS:  # their length is rounded too
        assert found[0] == pytest.approx(pose[0], abs=step)
        assert rotate(found[1], (0, 0, 1)) == pytest.approx(rotate(pose[1], (0, 0, 1)), abs=12 * step)
    else:
        assert_pose(found, pose, name, 2 * step)


@given(st.sampled_from(PLACED))
def test_back_where_it_was_is_the_same_text(name) -> None:
    project, document = document_of(MJCF.format(angle="degree", seq="xyz"))
    node = named(document, name)
    placement = place(document, node)
    away = (0.5, 0.25, 0.125), unit((0.5, 0.5, 0.5, 0.5))
    project.apply("Move", placement.move(compose(placement.pose, away), Precision(1e-3, 1e-3)), "drag")
    assert project.text("model.xml") != document.source.text
    project.apply("Move", placement.move(placement.pose, Precision(1e-3, 1e-3)), "drag")
    assert project.text("model.xml") == document.source.text
    project.apply("Move", placement.move(compose(placement.pose, away)), "drag")
    project.apply("Move", placement.restore(), "drag")
    assert project.text("model.xml") == document.source.text


def test_numbers_are_written_as_the_author_writes_them() -> None:
    text = '<mujoco><worldbody><geom size=".1" pos=".25  1 0" euler="90 0 0"/></worldbody></mujoco>'
    project, document = document_of(text)
    geom = document.root.children[0].children[0]
    placement = place(document, geom)
    x, y, z = placement.pose[0]
    project.apply("Move", placement.move(((x + 0.1004, y, z), placement.pose[1]), Precision(0.01, 0.01)))
    assert project.text("model.xml") == text.replace(".25  1 0", ".35  1 0")
    turn = unit((math.cos(math.pi / 8), 0.0, 0.0, math.sin(math.pi / 8)))
    project.apply(
        "Turn", placement.move((placement.pose[0], compose((ORIGIN, turn), placement.pose)[1]), Precision(0.01, 0.01))
    )
    assert 'euler="90 0 0"' not in project.text("model.xml")
    assert "quat" not in project.text("model.xml")


def test_a_translation_leaves_the_orientation_as_it_is() -> None:
    project, document = document_of(MJCF.format(angle="degree", seq="xyz"))
    node = named(document, "site")
    pos, quat = world_pose(document, node)
    project.apply("Move", set_world_pose(document, node, ((pos[0] + 1, *pos[1:]), quat), Precision(1e-3, 1e-3)))
    assert 'euler="0.100 0.20 0.3"' in project.text("model.xml")


def test_a_joint_s_anchor_and_axis() -> None:
    project, document = document_of(MJCF.format(angle="degree", seq="xyz"))
    joint = next(document.root.iter("joint"))
    placement = place(document, joint)
    quarter = unit((1.0, 1.0, 0.0, 0.0))
    project.apply("Turn", placement.move((placement.pose[0], compose((ORIGIN, quarter), placement.pose)[1])))
    assert '<joint name="hinge" axis="0 0 1" pos=".1 0 0"/>' in project.text("model.xml")
    model = compile_document(project.snapshot("model.xml").document).model
    assert np.allclose(model.jnt_axis[0], (0, 0, 1))


def test_an_axis_with_a_twist_becomes_a_quaternion() -> None:
    text = '<mujoco><worldbody><camera zaxis="0 0 1"/></worldbody></mujoco>'
    project, document = document_of(text)
    camera = document.root.children[0].children[0]
    quat = unit((1.0, 0.0, 0.0, 1.0))
    project.apply("Turn", set_pose(document, camera, (ORIGIN, quat), Precision(1e-3, 1e-3)))
    found = project.snapshot("model.xml").document
    assert found.node(camera.id).get("zaxis") is None
    assert same(place(found, found.node(camera.id)).pose[1], quat, 1e-3)


@pytest.mark.parametrize("text", ["<joint type='free'/>", "<freejoint/>"])
def test_what_has_no_place_says_so(text) -> None:
    _, document = document_of(f"<mujoco><worldbody><body>{text}<geom size='1'/></body></worldbody></mujoco>")
    with pytest.raises(NotPlaced, match=r"free joint|no place"):
        place(document, document.root.children[0].children[0].children[0])


def test_numbers_that_are_none_are_refused_in_words() -> None:
    _, document = document_of('<mujoco><worldbody><geom size="1" pos="0 nan 0"/></worldbody></mujoco>')
    with pytest.raises(NotPlaced, match="infinite or none"):
        place(document, document.root.children[0].children[0])


URDF = """<robot name="r">
  <link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="arm"><collision><origin xyz="0 0 0.5" rpy="0 0.5 0"/><geometry><box size="1 1 1"/></geometry></collision>
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/>
    <origin xyz="1 0 0" rpy="0 0 1.57"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""


@settings(max_examples=25)
@given(poses, st.sampled_from(["arm", "collision"]))
def test_urdf_writes_origins(pose, what) -> None:
    project, document = document_of(URDF)
    node = named(document, "arm") if what == "arm" else next(document.root.iter("collision"))
    project.apply("Move", set_world_pose(document, node, pose))
    text = project.text("model.xml")
    assert text.count("<origin") == 2
    model = compile_document(project.snapshot("model.xml").document).model
    index = model.names["body"].index("arm")
    found = tuple(model.body_pos[index].tolist()), tuple(model.body_quat[index].tolist())
    if what == "collision":
        found = compose(found, (tuple(model.geom_pos[0].tolist()), tuple(model.geom_quat[0].tolist())))
    assert_pose(found, pose, what, 1e-6)


def test_urdf_inserts_an_origin_where_there_is_none() -> None:
    project, document = document_of(URDF)
    visual = next(document.root.iter("visual"))
    placement = place(document, visual)
    assert placement.grows
    project.apply("Move", placement.move(((0.5, 0, 0), IDENTITY), Precision(0.01, 0.01)))
    assert '<visual><origin xyz="0.5 0 0" rpy="0 0 0"/><geometry>' in project.text("model.xml")


X_XY = """<x_xy model="m"><worldbody><body name="a" joint="free" pos="0 0 1" euler="0 90 0">
  <geom type="box" mass="1" dim="1 1 1" pos="1 0 0" quat="0 1 0 0"/></body></worldbody></x_xy>
"""


@settings(max_examples=25)
@given(poses, st.sampled_from(["body", "geom"]))
def test_x_xy_keeps_its_conventions(pose, tag) -> None:
    project, document = document_of(X_XY)
    node = next(document.root.iter(tag))
    names = [attribute.name for attribute in node.attributes]
    project.apply("Move", set_world_pose(document, node, pose))
    after = project.snapshot("model.xml").document
    assert [attribute.name for attribute in after.node(node.id).attributes] == names
    assert_pose(world_pose(after, after.node(node.id)), pose, tag, 1e-6)
    model = compile_document(after).model
    index = model.names["body"].index("a")
    found = tuple(model.body_pos[index].tolist()), tuple(model.body_quat[index].tolist())
    if tag == "geom":
        found = compose(found, (tuple(model.geom_pos[0].tolist()), tuple(model.geom_quat[0].tolist())))
        assert_pose(found, pose, tag, 1e-6)


def test_an_included_file_is_edited_where_it_stands(tmp_path) -> None:
    (tmp_path / "part.xml").write_text('<x><body name="b"><geom name="g" size="1"/></body></x>')
    (tmp_path / "main.xml").write_text(
        '<mujoco><compiler angle="radian"/><worldbody><frame pos="0 0 1"><include file="part.xml"/></frame></worldbody></mujoco>'
    )
    document = Document.load(tmp_path / "main.xml")
    node = next(document.trees[str(tmp_path / "part.xml")].iter("geom"))
    assert world_frame(document, node) == ((0, 0, 1), IDENTITY)
    edit = set_world_pose(document, node, ((0, 0, 2), IDENTITY), Precision(0.1, 0.1))[0]
    assert (edit.node.source.path, edit.value) == (str(tmp_path / "part.xml"), "0 0 1")
