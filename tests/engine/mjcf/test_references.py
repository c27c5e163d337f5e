"""Names, what refers to them, and renaming with all references."""

from __future__ import annotations

import re

import pytest

import kinetree
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import carry_out
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project
from kinetree.engine.mjcf import exceptions, schema
from kinetree.engine.mjcf.references import CannotRename, Names, rename

MODEL = """<mujoco>
  <default>
    <geom material="shiny"/>
    <default class="thick"><geom size="0.2"/></default>
  </default>
  <asset>
    <material name="shiny" texture="wood"/>
    <texture name="wood" type="2d" builtin="flat" width="1" height="1"/>
  </asset>
  <worldbody>
    <body name="arm" childclass="thick">
      <joint name="elbow"/>
      <geom name="arm" size="0.1"/>
      <site name="tip"/>
      <body name="hand"><geom class="main" size="0.3"/><joint name="wrist"/></body>
    </body>
    <replicate count="3" sep="-" offset="1 0 0">
      <replicate count="2" sep="_" offset="0 1 0">
        <body name="leg"><joint name="knee"/><geom size="0.1"/></body>
      </replicate>
    </replicate>
    <camera name="eye" mode="targetbody" target="arm"/>
  </worldbody>
  <contact><exclude body1="arm" body2="leg_1-2"/></contact>
  <tendon>
    <fixed name="pull"><joint joint="elbow" coef="1"/><joint joint="wrist" coef="1"/></fixed>
  </tendon>
  <actuator>
    <motor name="m" joint="elbow"/>
    <motor joint="knee_0-1"/>
    <motor tendon="pull"/>
  </actuator>
  <sensor>
    <framepos objtype="body" objname="arm" reftype="site" refname="tip"/>
    <framepos objtype="geom" objname="arm"/>
    <framepos objtype="xbody" objname="arm"/>
    <actuatorfrc actuator="m"/>
  </sensor>
  <custom><tuple name="t"><element objtype="joint" objname="elbow"/></tuple></custom>
</mujoco>
"""


def node(document: Document, tag: str, name: str | None = None):
    for each in document.merged.iter(tag):
        if name is None or name in (each.get("name"), each.get("class")):
            return each
    raise KeyError(name)


def renamed(text: str, tag: str, name: str | None, new: str) -> str:
    document = Document.from_string(text, name="m.xml")
    edits = rename(document, node(document, tag, name), new)
    parsed = document._parsed[document.main_file]
    return carry_out(edits, {"m.xml": parsed})["m.xml"][0].source.text if edits else text


@pytest.mark.parametrize(
    ("tag", "name", "new", "changes"),
    [
        (
            "body",
            "arm",
            "limb",
            {'<body name="arm"': 1, 'target="arm"': 1, 'body1="arm"': 1, 'body" objname="arm"': 2},
        ),
        ("geom", "arm", "limb", {'<geom name="arm"': 1, 'geom" objname="arm"': 1}),
        ("joint", "elbow", "hinge", {'"elbow"': 4}),
        ("site", "tip", "end", {'"tip"': 2}),
        ("material", "shiny", "dull", {'"shiny"': 2}),
        ("texture", "wood", "oak", {'"wood"': 2}),
        ("default", "thick", "fat", {'"thick"': 2}),
        ("fixed", "pull", "p", {'"pull"': 2}),
        ("motor", "m", "n", {'"m"': 2}),
    ],
)
def test_a_rename_changes_all_that_refers(tag, name, new, changes):
    text = renamed(MODEL, tag, name, new)
    count = 0
    for old, times in changes.items():
        assert len(re.findall(old, MODEL)) == times and not re.findall(old, text)
        count += times
    assert len(re.findall(rf'"{new}"', text)) == count
    assert re.sub(rf'"{new}"', f'"{name}"', text) == MODEL
    assert kinetree.load_string(text).nbody == kinetree.load_string(MODEL).nbody


def test_copies_keep_their_numbers():
    text = renamed(MODEL, "body", "leg", "foot")
    assert 'name="foot"' in text and 'body2="foot_1-2"' in text and "leg" not in text
    text = renamed(text, "joint", "knee", "ankle")
    assert 'joint="ankle_0-1"' in text
    kinetree.load_string(text)


def test_the_class_without_a_name():
    document = Document.from_string(MODEL)
    [reference] = Names(document.merged).references_to(node(document, "default"))
    assert reference.attribute.node.tag == "geom" and reference.name == "main"


def test_a_name_from_a_file_is_written_out():
    text = '<mujoco><asset><mesh file="parts/wheel.obj"/></asset><worldbody><geom type="mesh" mesh="wheel"/></worldbody></mujoco>'
    assert renamed(text, "mesh", None, "rim") == text.replace('obj"', 'obj" name="rim"').replace('"wheel"', '"rim"')


def test_an_element_without_a_name_gets_one():
    document = Document.from_string(MODEL)
    palm = node(document, "body", "hand").find("geom")
    [edit] = rename(document, palm, "palm")
    assert (edit.node.id, edit.name, edit.value) == (palm.id, "name", "palm")


def test_lists_of_names_keep_their_layout():
    text = (
        '<mujoco><worldbody><body name="a"/><body name="aa"/></worldbody><deformable><flex name="f" '
        'body="a  aa\n a"/></deformable></mujoco>'
    )
    assert renamed(text, "body", "a", "b") == text.replace('"a"', '"b"').replace('"a  aa\n a"', '"b  aa\n b"')
    with pytest.raises(CannotRename, match="has a space"):
        renamed(text, "body", "a", "b c")


def test_parts_of_a_flexcomp():
    text = (
        '<mujoco><worldbody><body name="f"/><flexcomp name="f"/></worldbody><equality><weld body1="f_3" body2="f"/>'
        '<weld body1="f_0_1_1"/><flex flex="f"/></equality></mujoco>'
    )
    changed = text.replace('comp name="f"', 'comp name="g"').replace("f_", "g_").replace('flex="f"', 'flex="g"')
    assert renamed(text, "flexcomp", "f", "g") == changed
    assert renamed(text, "body", "f", "g") == text.replace('body name="f"', 'body name="g"').replace('2="f"', '2="g"')


@pytest.mark.parametrize(
    ("tag", "name", "new", "why"),
    [
        ("body", "arm", "hand", "there is a body of that name in line 15 of m.xml"),
        ("body", "arm", "world", "the body itself"),
        ("body", "arm", "leg_1-0", "a copy or a part of the body 'leg' in line 19"),
        ("body", "leg", "", "cannot be empty"),
        ("option", None, "x", "has no name"),
        ("default", "thick", "main", "the class itself"),
        ("default", None, "base", "the class 'main' always has that name"),
    ],
)
def test_refusals(tag, name, new, why):
    with pytest.raises(CannotRename, match=why):
        renamed(MODEL.replace("<default>", "<option/><default>", 1), tag, name, new)


def test_renaming_to_the_same_name_changes_nothing():
    assert renamed(MODEL, "body", "arm", "arm") == MODEL


def test_references_to():
    document = Document.from_string(MODEL)
    names = Names(document.merged)
    found = names.references_to(node(document, "body", "arm"))
    assert [(each.attribute.node.tag, each.attribute.name) for each in found] == [
        ("camera", "target"),
        ("exclude", "body1"),
        ("framepos", "objname"),
        ("framepos", "objname"),
    ]
    assert names.references_to(node(document, "camera")) == []
    assert {each.space for each in names.declarations} >= {"body", "joint", "class", "tendon", "tuple"}


def test_over_included_and_attached_files(tmp_path):
    (tmp_path / "m.xml").write_text(
        '<mujoco>\n<include file="p.xml"/>\n<actuator><motor joint="j"/></actuator>\n</mujoco>'
    )
    (tmp_path / "p.xml").write_text(
        '<mujoco>\n<worldbody><body name="b"><joint name="j"/><geom size="1"/></body></worldbody>\n</mujoco>'
    )
    user = (
        '<mujoco>\n<asset><model name="x" file="m.xml"/></asset>\n<worldbody><replicate count="2" offset="3 0 0">'
        '<attach model="x" body="b" prefix="l-"/></replicate></worldbody>\n'
        '<sensor><jointpos joint="l-j1"/></sensor>\n</mujoco>'
    )
    (tmp_path / "user.xml").write_text(user)
    project = Project()
    paths = [project.open(read_file(tmp_path / name)) for name in ("m.xml", "user.xml")]
    project.provide(*map(read_file, project.wanted))

    def both(tag: str, new: str):
        document, user = (project.snapshot(path).document for path in paths)
        project.apply("Rename", rename(document, node(document, tag), new, [user]))

    both("joint", "k")
    assert '<motor joint="k"/>' in project.text(paths[0]) and 'joint="l-k1"' in project.text(paths[1])
    assert '<joint name="k"/>' in project.text(tmp_path / "p.xml")
    both("body", "c")
    assert 'body="c"' in project.text(paths[1])
    project.undo()
    project.undo()
    assert not project.modified


def test_every_namespace_can_be_renamed():
    """The table has no reference to a namespace in which nothing declares names."""
    spaces = {space for id in schema.ELEMENTS for space in schema.declares(id)}
    for element in schema.ELEMENTS.values():
        for row in element.attributes.values():
            assert row.refers is None or row.refers.startswith("@") or row.refers in spaces
    for id, attribute in exceptions.COPYING.items():
        assert attribute in schema.ELEMENTS[id].attributes
    for id, (model, part, space, prefix) in exceptions.ATTACHING.items():
        assert {model, part, prefix} <= set(schema.ELEMENTS[id].attributes) and space in spaces
