"""Tools on the shapes and links of URDF."""

from __future__ import annotations

import numpy as np
import pytest

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools.decompose import check, decomposed, folder_for, has_looks, surface, written
from kinetree.engine.editing.tools.fit import alone, fitted, name_of
from kinetree.engine.editing.tools.inertia import from_geoms, write_inertia, write_links
from tests.engine.editing.structural import Edited
from tests.engine.editing.tools.test_decompose import bar
from tests.engine.editing.tools.test_inertia import inertia_of

TEXT = """<?xml version="1.0"?>
<robot name="arm">
    <mujoco><compiler meshdir="nowhere" balanceinertia="true"/></mujoco>
    <link name="base">
        <visual>
            <geometry><mesh filename="package://arm/meshes/bar.obj"/></geometry>
        </visual>
        <collision name="hull">
            <origin xyz="0 0 0.5" rpy="0.1 0.2 0.3"/>
            <geometry>
                <!-- twice as long -->
                <mesh filename="package://arm/meshes/bar.obj" scale="1 2 1"/>
            </geometry>
        </collision>
    </link>
    <link name="tip">
        <collision group="x"><geometry><mesh filename="meshes/bar.obj"/></geometry></collision>
    </link>
    <link name="bare"/>
    <joint name="turn" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint>
    <joint name="weld" type="fixed"><parent link="tip"/><child link="bare"/></joint>
</robot>
"""
BAR = bar((0, 0, 0), (0.1, 0.2, 0.4))


@pytest.fixture
def edited(tmp_path) -> Edited:
    folder = tmp_path / "arm"
    (folder / "meshes").mkdir(parents=True)
    (written([BAR], folder / "meshes", "bar")[0]).rename(folder / "meshes" / "bar.obj")
    (folder / "arm.urdf").write_text(TEXT)
    return Edited(str(folder / "arm.urdf"))


def shape(edited: Edited, link: str, tag: str = "collision") -> Node:
    return next(node for node in edited.document.root.iter(tag) if (node.parent or node).get("name") == link)


def fit(edited: Edited, node: Node, kind: str) -> None:
    model = compile_document(alone(edited.document, node, kind)).model
    edits = fitted(edited.document, node, kind, model.geom_size[0], (model.geom_pos[0], model.geom_quat[0]))
    edited.step(edits)
    edited.project.apply("Fit", edits)


def full(model, body: int) -> np.ndarray:
    return inertia_of(model)["full"][body]


@pytest.mark.parametrize("link", ["base", "tip"])
def test_a_box_of_equal_inertia_takes_the_place_of_the_mesh(edited, link):
    before = compile_document(edited.document).model
    node = shape(edited, link)
    mesh = next(node.iter("mesh"))
    fit(edited, mesh, "box")
    text = edited.project.text(edited.path)
    assert text.count("<mesh") == 2 and ("<!-- twice as long -->" in text) and text.count("<box size=") == 1
    after = compile_document(edited.document).model
    for name, tolerance in (("body_mass", 1e-5), ("body_ipos", 1e-5)):
        np.testing.assert_allclose(getattr(after, name), getattr(before, name), atol=tolerance)
    np.testing.assert_allclose(full(after, -1), full(before, -1), rtol=1e-4, atol=1e-6)
    assert after.geom_type.tolist().count(6) == 1


@pytest.mark.parametrize(("kind", "tag"), [("sphere", "radius"), ("cylinder", "length"), ("capsule", "length")])
def test_every_primitive_of_urdf(edited, kind, tag):
    fit(edited, shape(edited, "tip"), kind)
    (made,) = edited.document.root.iter(kind)
    assert made.get(tag)
    assert compile_document(edited.document).model.ngeom == 2


def test_what_urdf_does_not_have_is_refused(edited):
    with pytest.raises(CannotEdit, match="URDF has no ellipsoid"):
        fit(edited, shape(edited, "tip"), "ellipsoid")
    with pytest.raises(CannotEdit, match="no shape with a mesh"):
        alone(edited.document, edited.document.root)
    node = shape(edited, "tip")
    folder_for(edited.document, node).joinpath("bar.obj").unlink()
    with pytest.raises(CannotEdit, match=r"'meshes/bar.obj' .* is not there"):
        check(edited.document, [node], True)


@pytest.mark.parametrize("keep", [False, True])
def test_parts_take_the_place_of_a_mesh(edited, keep):
    node = shape(edited, "base")
    assert has_looks(edited.document, node) and not has_looks(edited.document, shape(edited, "base", "visual"))
    assert name_of(edited.document, node) == "bar"
    mesh = surface(compile_document(alone(edited.document, node)).model)
    np.testing.assert_allclose(mesh.vertices.max(axis=0), [0.1, 0.4, 0.4], atol=1e-6)
    parts = [bar((0, 0, 0), (0.1, 0.4, 0.2)), bar((0, 0, 0.2), (0.1, 0.4, 0.4))]
    before = compile_document(edited.document).model
    files = written(parts, folder_for(edited.document, node), "bar")
    edits = decomposed(edited.document, [node], parts, files, keep)
    edited.step(edits)
    edited.project.apply("Decompose", edits)
    text = edited.project.text(edited.path)
    part = """        <collision name="hull_hull0">
            <origin xyz="0 0 0.5" rpy="0.1 0.2 0.3"/>
            <geometry>
                <mesh filename="package://arm/meshes/bar_hull0.obj"/>
            </geometry>
        </collision>
"""
    assert part in text and ('<visual name="hull">' in text) == keep
    after = compile_document(edited.document).model
    assert after.ngeom == before.ngeom + 1
    np.testing.assert_allclose(after.geom_rbound[:2].max(), 0.23, atol=0.02)


def test_parts_in_another_folder_are_named_from_the_model(edited, tmp_path):
    node = shape(edited, "tip")
    files = written([BAR], tmp_path / "arm" / "parts", "bar")
    edited.project.apply("Decompose", decomposed(edited.document, [node], [BAR], files, True))
    text = edited.project.text(edited.path)
    assert "parts/bar_hull0.obj" in text
    assert '<visual><geometry><mesh filename="meshes/bar.obj"/></geometry></visual>' in text
    assert compile_document(edited.document).model.ngeom == 2


def test_the_inertia_of_links_is_written_and_removed(edited):
    document = edited.document
    before = compile_document(document).model
    links = [node for node in document.root.iter("link") if node.get("name") in ("base", "tip")]
    edits = write_links(document, links, lambda each: compile_document(each).model)
    edited.step(edits)
    edited.project.apply("Write", edits)
    assert "            <mass value=" in edited.project.text(edited.path)
    after = compile_document(edited.document).model
    one, two = inertia_of(before), inertia_of(after)
    for name in one:
        np.testing.assert_allclose(two[name], one[name], rtol=1e-9, atol=1e-12, err_msg=name)
    now = [each for each in map(edited.document.node, [link.id for link in links]) if each is not None]
    with pytest.raises(CannotEdit, match="has an <inertial> already"):
        write_links(edited.document, now, lambda each: compile_document(each).model)
    edited.project.apply("Remove", from_geoms(edited.document, now))
    assert edited.project.text(edited.path) == TEXT


def test_links_without_mass_are_refused(edited):
    document = edited.document
    (bare,) = [node for node in document.root.iter("link") if node.get("name") == "bare"]
    with pytest.raises(CannotEdit, match="has no mass"):
        write_links(document, [bare], lambda each: compile_document(each).model)
    with pytest.raises(CannotEdit, match="no link with an <inertial>"):
        from_geoms(document, [bare])
    box = Edited("/models/a.xml", '<x_xy model="a"><worldbody><body name="b"/></worldbody></x_xy>').document
    with pytest.raises(CannotEdit, match="x_xy has no element"):
        write_inertia(box, [box.root], compile_document(document).model)
