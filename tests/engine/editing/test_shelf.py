"""New things from the shelf compile where they are put, and nothing else changes."""

from pathlib import Path

import numpy as np
import pytest

from kinetree.engine.assist.files import folder_of, named
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.project import Project
from kinetree.engine.editing.pose import NotPlaced, Precision
from kinetree.engine.editing.shelf import SHELF, put, put_mesh, put_model
from kinetree.engine.geometry.orientation import IDENTITY, unit
from kinetree.engine.mjcf.schema import ELEMENTS

FINE = Precision(0.001, 0.001)
TEXT = """<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="b" pos="0 0 1">
      <geom size=".1"/>
    </body>
  </worldbody>
</mujoco>
"""
SIDEWAYS = unit((1.0, 0.0, 1.0, 0.0))
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def start(text: str = TEXT, path: str = "model.xml"):
    project = Project()
    key = project.create(path, text)
    return project, key, project.snapshot(key).document


def body_of(document):
    return next(document.root.iter("body"))


@pytest.mark.parametrize("kind", SHELF["MJCF"])
@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("quat", [IDENTITY, SIDEWAYS])
def test_each_kind_compiles_where_it_is_put(kind, within, quat) -> None:
    project, key, document = start()
    parent = body_of(document) if within else None
    if kind == "joint" and not within:
        with pytest.raises(NotPlaced, match="onto a body"):
            put(document, parent, kind, ((0, 0, 0), quat), 0.05, FINE)
        return
    project.apply("Insert", put(document, parent, kind, ((0.5, 0, 0), quat), 0.05, FINE))
    compiled = project.snapshot(key).document
    model = compile_document(compiled).model
    lines = iter(project.text(key).splitlines())
    assert all(line in lines for line in TEXT.splitlines()), "the other lines stay, in their order"
    if kind in ("box", "sphere", "capsule", "cylinder", "ellipsoid"):
        geom = model.ngeom - 1 if within else 1
        normal = np.array((1.0, 0, 0)) if quat is SIDEWAYS else np.array((0, 0, 1.0))
        assert np.allclose(
            model.geom_pos[geom], np.array((0.5, 0, 0)) + SHELF["MJCF"][kind].height * 0.05 * normal, atol=1e-3
        )
    if kind == "body":
        assert model.nbody == 3
        assert model.njnt == (0 if within else 1)


KEYED = """<mujoco>
  <worldbody>
    <body name="a"><freejoint/><geom size=".1"/></body>
    <body name="b" pos="0 0 1"><joint type="ball"/><geom size=".1"/><body name="c"><geom size=".1"/></body></body>
    <body name="d" pos="0 0 2"><joint/><geom size=".1"/></body>
  </worldbody>
  <keyframe>
    <key name="full" qpos="0 0 2 1 0 0 0  .5 .5 .5 .5  .25" qvel="1 2 3 4 5 6 7 8 9 10"/>
    <key time="1"/>
  </keyframe>
</mujoco>
"""


def test_a_free_body_is_added_to_the_keyframes() -> None:
    project, key, document = start(KEYED)
    model = compile_document(document).model
    project.apply("Insert", put(document, None, "body", ((0.5, 0, 0), IDENTITY), 0.05, FINE))
    after = compile_document(project.snapshot(key).document).model
    assert np.allclose(after.key_qpos[0], [*model.key_qpos[0], 0.5, 0, 0.05, 1, 0, 0, 0])
    assert np.allclose(after.key_qvel[0], [*model.key_qvel[0], *[0] * 6])
    assert ".5 .5 .5 .5  .25 .5 0 .05 1 0 0 0" in project.text(key), "the spaces of the author stay"


@pytest.mark.parametrize(("name", "qpos", "qvel"), [("c", 11, 9), ("d", 12, 10)])
def test_a_joint_is_added_to_the_keyframes_in_its_place(name, qpos, qvel) -> None:
    project, key, document = start(KEYED)
    model = compile_document(document).model
    body = next(node for node in document.root.iter("body") if node.get("name") == name)
    project.apply("Insert", put(document, body, "joint", ((0, 0, 0), IDENTITY), 0.05, FINE))
    after = compile_document(project.snapshot(key).document).model
    assert np.allclose(after.key_qpos[0], np.insert(model.key_qpos[0], qpos, 0))
    assert np.allclose(after.key_qvel[0], np.insert(model.key_qvel[0], qvel, 0))
    project.undo()
    assert project.text(key) == KEYED


def test_keyframes_of_replicas_are_left_to_the_author() -> None:
    text = """<mujoco>
  <worldbody>
    <replicate count="2" offset="1 0 0"><body name="r"><joint/><geom size=".1"/></body></replicate>
  </worldbody>
  <keyframe><key qpos="1"/></keyframe>
</mujoco>"""
    _, _, document = start(text)
    with pytest.raises(NotPlaced, match="in the text"):
        put(document, body_of(document), "joint", ((0, 0, 0), IDENTITY), 0.05, FINE)


def test_a_first_joint_is_added_to_the_keyframes() -> None:
    text = KEYED.replace('<body name="d"', '<body name="e"><geom size=".1"/></body>\n    <body name="d"')
    text = text.replace('<body name="a">', '<body name="z"><geom size=".1"/></body>\n    <body name="a">')
    project, key, document = start(text)
    body = next(node for node in document.root.iter("body") if node.get("name") == "z")
    project.apply("Insert", put(document, body, "joint", ((0, 0, 0), IDENTITY), 0.05, FINE))
    assert 'qpos="0 0 0 2 1' in project.text(key)
    compile_document(project.snapshot(key).document)


def test_a_model_without_a_world_gets_one() -> None:
    project, key, document = start("<mujoco/>")
    project.apply("Insert", put(document, None, "box", ((0, 0, 0), IDENTITY), 0.1, FINE))
    assert compile_document(project.snapshot(key).document).model.ngeom == 1


def test_a_mesh_file_is_one_asset_and_a_geom(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "cup & co.obj").write_text(TETRAHEDRON)
    text = TEXT.replace("<mujoco>", '<mujoco>\n  <compiler meshdir="meshes"/>')
    project, key, document = start(text, str(tmp_path / "model.xml"))
    name, inside = named(folder_of(document, ELEMENTS["asset.mesh"]), str(tmp_path / "meshes" / "cup & co.obj"))
    assert (name, inside) == ("cup & co.obj", True)
    for _ in range(2):
        document = project.snapshot(key).document
        project.apply("Add mesh", put_mesh(document, None, name, ((1, 0, 0), IDENTITY), FINE))
    document = project.snapshot(key).document
    model = compile_document(document).model
    assert (model.nmesh, model.ngeom) == (1, 4)
    assert project.text(key).count("<asset>") == 1
    assert named(folder_of(document, ELEMENTS["asset.mesh"]), str(tmp_path / "other.stl")) == ("../other.stl", False)
    project.undo()
    project.undo()
    assert project.text(key) == text


def test_a_model_is_attached(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_text(
        '<mujoco><worldbody><body name="p"><geom size=".1"/></body></worldbody></mujoco>'
    )
    project, key, document = start(TEXT, str(tmp_path / "model.xml"))
    for _ in range(2):
        document = project.snapshot(key).document
        project.apply("Attach", put_model(document, None, "part.xml", ((1, 0, 0), SIDEWAYS), FINE))
    model = compile_document(project.snapshot(key).document).model
    assert [name for name in model.names["body"] if "/" in name] == ["part/p", "part_2/p"]
    assert np.allclose(model.body_pos[-1], (1, 0, 0))
    assert np.allclose(np.abs(model.body_quat[-1]), np.abs(SIDEWAYS), atol=1e-4)


URDF = """<robot name="r">
    <link name="base">
        <visual><geometry><box size="1 1 1"/></geometry></visual>
    </link>
    <link name="box"/>
    <joint name="j" type="fixed">
        <parent link="base"/>
        <child link="box"/>
    </joint>
</robot>
"""


@pytest.mark.parametrize("kind", SHELF["URDF"])
@pytest.mark.parametrize("within", [True, False])
def test_each_kind_of_urdf_compiles_where_it_is_put(kind, within) -> None:
    project, key, document = start(URDF, "r.urdf")
    link = next(document.root.iter("link"))
    project.apply("Add", put(document, link if within else None, kind, ((0.5, 0, 1), SIDEWAYS), 0.05, FINE))
    text, thing = project.text(key), SHELF["URDF"][kind]
    document = project.snapshot(key).document
    model = compile_document(document).model
    lines = iter(text.splitlines())
    assert all(line in lines for line in URDF.splitlines()), "the other lines stay, in their order"
    links = [node.get("name") for node in document.root.iter("link")]
    if thing.tag == "visual" and within:
        assert links == ["base", "box"]
        assert [child.tag for child in next(document.root.iter("link")).children] == ["visual", "visual", "collision"]
        assert "\n        <collision>\n            <origin xyz=" in text, "indented as the file is"
        assert np.allclose(model.geom_pos[-1], (0.5 + thing.height * 0.05, 0, 1), atol=1e-3)
    else:
        assert len(links) == 3
        joint = list(document.root.iter("joint"))[1]
        assert joint.get("type") == (thing.variant or "fixed" if thing.tag == "joint" else "fixed")
        assert (joint.find("parent").get("link"), joint.find("child").get("link")) == ("base", links[2])
        assert model.njnt == (kind in ("revolute", "prismatic"))
    project.undo()
    assert project.text(key) == URDF


def test_a_mesh_of_urdf_is_seen_and_collides(tmp_path: Path) -> None:
    (tmp_path / "cup.obj").write_text(TETRAHEDRON)
    project, key, document = start(URDF, str(tmp_path / "r.urdf"))
    project.apply(
        "Add", put_mesh(document, list(document.root.iter("link"))[1], "cup.obj", ((0, 0, 1), IDENTITY), FINE)
    )
    model = compile_document(project.snapshot(key).document).model
    assert model.nmesh >= 1
    assert project.text(key).count('<mesh filename="cup.obj"/>') == 2


X_XY = """<x_xy model="m">
  <worldbody>
    <body name="b" joint="free"><geom type="box" mass="1" dim="1 1 1"/></body>
  </worldbody>
</x_xy>
"""


@pytest.mark.parametrize("kind", SHELF["x_xy"])
@pytest.mark.parametrize("within", [True, False])
def test_each_kind_of_x_xy_compiles_where_it_is_put(kind, within) -> None:
    project, key, document = start(X_XY, "x.xml")
    parent = body_of(document) if within else None
    project.apply("Add", put(document, parent, kind, ((0.5, 0, 0), SIDEWAYS), 0.05, FINE))
    model = compile_document(project.snapshot(key).document).model
    if kind == "body":
        assert model.nbody == 3
        assert model.nv == (7 if within else 12)
    else:
        assert model.ngeom == 2
        assert np.allclose(model.geom_pos[int(within)], (0.5 + SHELF["x_xy"][kind].height * 0.05, 0, 0), atol=1e-3)


def test_what_a_format_has_not_is_told() -> None:
    _, _, document = start(URDF, "r.urdf")
    with pytest.raises(NotPlaced, match="no camera for URDF"):
        put(document, None, "camera", ((0, 0, 0), IDENTITY), 0.1, FINE)
    _, _, document = start(X_XY, "x.xml")
    with pytest.raises(NotPlaced, match="no meshes"):
        put_mesh(document, None, "cup.obj", ((0, 0, 0), IDENTITY), FINE)
