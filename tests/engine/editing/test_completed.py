"""Edits that need something more to compile get it, in the same step; others are refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinetree.engine.editing import copying, removal, structure, templates
from kinetree.engine.editing.structure import CannotEdit
from tests.engine.editing.every_kind import MODELS
from tests.engine.editing.sweep import Swept


def swept(folder: Path, text: str, name: str = "model.xml", **files: str) -> Swept:
    mesh = {"hand.obj": MODELS["MJCF"]["meshes/tetra.obj"]}
    for path, content in {name: text, **mesh, **{f"{stem}.xml": each for stem, each in files.items()}}.items():
        (folder / path).write_bytes(content.encode() if isinstance(content, str) else content)
    found = Swept(str(folder / name))
    assert not found.error()
    return found


def node(model: Swept, tag: str, number: int = 0):
    found = [each for root in model.document.trees.values() for each in root.iter(tag)]
    return found[number]


def after(model: Swept, edits) -> str:
    """The text after one step, which compiles and can be undone."""
    model.project.apply("Edit", edits)
    text, why = model.project.text(model.path), model.error()
    assert not why, f"{why}\n{text}"
    model.project.undo()
    assert model.data() == model.before
    model.project.redo()
    return text


def test_a_copy_of_what_is_named_by_its_file_gets_a_name(tmp_path):
    model = swept(tmp_path, '<mujoco><asset><mesh file="hand.obj"/></asset></mujoco>')
    text = after(model, copying.duplicate(model.document, [node(model, "mesh")]))
    assert '<mesh file="hand.obj"/><mesh file="hand.obj" name="hand_2"/>' in text


def test_a_copy_has_what_an_included_file_holds_written_out(tmp_path):
    text = '<mujoco>\n <worldbody>\n  <body name="a">\n   <include file="limb.xml"/>\n  </body>\n </worldbody>\n</mujoco>\n'
    limb = '<mujocoinclude>\n <geom name="shin" size=".1"/>\n <site name="tip"/>\n</mujocoinclude>\n'
    model = swept(tmp_path, text, limb=limb)
    xml = copying.copied(model.document, [node(model, "body")])
    copy = '  <body name="a_2">\n   <geom name="shin_2" size=".1"/>\n   <site name="tip_2"/>\n  </body>\n'
    assert copy in after(model, copying.duplicate(model.document, [node(model, "body")]))
    model.project.undo()
    pasted = after(model, copying.paste(model.document, node(model, "worldbody"), None, xml))
    assert 'name="shin_2"' in pasted and pasted.count("<include") == 1


def test_a_pasted_include_is_read_again_once_the_first_is_gone(tmp_path):
    text = '<mujoco>\n <worldbody>\n  <include file="limb.xml"/>\n  <body name="a"/>\n </worldbody>\n</mujoco>\n'
    model = swept(tmp_path, text, limb='<mujocoinclude><geom size=".1"/></mujocoinclude>')
    xml = copying.copied(model.document, [node(model, "include")])
    model.project.apply("Cut", removal.remove(model.document, [node(model, "include")]))
    model.before = model.data()
    assert '<body name="a">\n   <include file="limb.xml"/>' in after(
        model, copying.paste(model.document, node(model, "body"), None, xml)
    )


def test_the_include_goes_with_the_last_element_of_its_file(tmp_path):
    text = '<mujoco>\n <worldbody>\n  <include file="limb.xml"/>\n  <body name="a"/>\n </worldbody>\n</mujoco>\n'
    model = swept(tmp_path, text, limb='<mujocoinclude><geom size=".1"/></mujocoinclude>')
    assert "<include" not in after(model, removal.remove(model.document, [node(model, "geom")]))
    assert model.data() != model.before and (tmp_path / "limb.xml").read_text().count("<geom") == 1
    model.project.undo()
    moved = after(model, structure.move(model.document, [node(model, "geom")], node(model, "body")))
    assert "<include" not in moved and '<body name="a">\n   <geom size=".1"/>' in moved


def test_a_layer_takes_over_the_texture_of_its_material(tmp_path):
    texture = '<texture name="t" type="2d" builtin="flat" width="4" height="4"/>'
    model = swept(tmp_path, f'<mujoco><asset>{texture}<material name="m" texture="t"/></asset></mujoco>')
    edits = templates.insert(model.document, node(model, "material"), None, "layer")
    assert '<material name="m"><layer texture="t" role="rgb"/></material>' in after(model, edits)
    model.before = model.data()
    text = after(model, copying.duplicate(model.document, [node(model, "layer")]))
    assert text.count("role=") == 2 and text.count('role="rgb"') == 1


def test_a_flexcomp_names_its_body_and_is_refused_where_joints_are_limited(tmp_path):
    model = swept(tmp_path, '<mujoco><worldbody><body><geom size=".1"/></body></worldbody></mujoco>')
    text = after(model, templates.insert(model.document, node(model, "body"), None, "flexcomp"))
    assert '<body name="body">' in text
    limited = '<mujoco><default><joint limited="true"/></default><worldbody><body name="b"/></worldbody></mujoco>'
    model = swept(tmp_path, limited)
    choices = {each.row.tag: each.why for each in templates.choices(model.document, node(model, "body"))}
    assert "limits joints and gives no range" in (choices["flexcomp"] or "")


def test_a_material_of_urdf_takes_what_refers_to_it_along(tmp_path):
    shape = '<visual><geometry><box size="1 1 1"/></geometry><material name="red"/></visual>'
    text = (
        f'<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a">{shape}</link></robot>'
    )
    model = swept(tmp_path, text, "r.urdf")
    assert "material" not in after(model, removal.remove(model.document, [node(model, "material")], True))


def test_a_copied_joint_of_urdf_moves_a_copy_of_its_link(tmp_path):
    mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    model = swept(tmp_path, f'<robot name="r"><link name="a"/>{joint}<link name="b">{mass}</link></robot>', "r.urdf")
    text = after(model, copying.duplicate(model.document, [node(model, "joint")]))
    assert '<joint name="j_2" type="continuous"><parent link="a"/><child link="b_2"/></joint>' in text
    assert f'<link name="b_2">{mass}</link>' in text


TENDON = """<mujoco><worldbody><body name="b"><geom size=".1"/><site name="s"/></body><site name="w"/></worldbody>
<tendon><spatial name="t"><site site="s"/><site site="w"/></spatial></tendon></mujoco>"""


def test_an_element_that_means_something_else_is_refused(tmp_path):
    model = swept(tmp_path, TENDON)
    path, body = node(model, "site", 2), node(model, "body")
    xml = copying.copied(model.document, [path])
    with pytest.raises(CannotEdit, match="<site> cannot stand in <body> as it is: unknown attribute 'site'"):
        copying.paste(model.document, body, None, xml)
    with pytest.raises(CannotEdit, match="cannot stand in <body> as it is"):
        structure.move(model.document, [path], body)
    with pytest.raises(CannotEdit, match="no path for a tendon"):
        copying.duplicate(model.document, [path])


def test_what_is_not_complete_without_a_site_goes_with_it(tmp_path):
    model = swept(tmp_path, TENDON)
    found = removal.referring(model.document, [node(model, "site")])
    assert [each.node.tag for each in found if each.removed] == ["spatial"]
    assert "<spatial" not in after(model, removal.remove(model.document, [node(model, "site")], True))


def test_what_the_model_does_not_have_is_named(tmp_path):
    model = swept(tmp_path, "<mujoco><worldbody/></mujoco>")
    with pytest.raises(CannotEdit, match="<geom> \"g\" refers to the material 'steel', which this model does not have"):
        copying.paste(model.document, node(model, "worldbody"), None, '<geom name="g" size="1" material="steel"/>')


def test_a_copy_of_an_attached_model_has_a_prefix_of_its_own(tmp_path):
    other = '<mujoco><worldbody><body name="x"><geom size=".1"/></body></worldbody></mujoco>'
    text = '<mujoco><asset><model name="o" file="other.xml"/></asset><worldbody><frame/></worldbody></mujoco>'
    model = swept(tmp_path, text, other=other)
    frame = node(model, "frame")
    model.project.apply("Insert", templates.insert(model.document, frame, None, "attach"))
    model.before = model.data()
    text = after(model, copying.duplicate(model.document, [node(model, "attach")]))
    assert 'prefix="attached_"' in text and 'prefix="attached2_"' in text


@pytest.mark.parametrize(
    ("body", "tag", "words"),
    [
        ('<joint/><geom size="1"/>', "geom", "would have no mass"),
        ('<joint name="a"/><geom size="1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>', "geom", None),
    ],
)
def test_the_last_mass_of_a_moving_body_stays(tmp_path, body, tag, words):
    model = swept(tmp_path, f"<mujoco><worldbody><body>{body}</body></worldbody></mujoco>")
    if words is None:
        assert "<geom" not in after(model, removal.remove(model.document, [node(model, tag)]))
        return
    with pytest.raises(CannotEdit, match=words):
        removal.remove(model.document, [node(model, tag)])


def test_joints_that_a_body_cannot_have_are_refused(tmp_path):
    bodies = '<body name="a"><joint type="ball"/><geom size="1"/></body><body name="b" mocap="true"/>'
    model = swept(tmp_path, f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    with pytest.raises(CannotEdit, match="allows every rotation already"):
        copying.duplicate(model.document, [node(model, "joint")])
    with pytest.raises(CannotEdit, match="a mocap body cannot have joints"):
        copying.paste(model.document, node(model, "body", 1), None, "<joint/>")
