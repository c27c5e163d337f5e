"""Convex parts in place of a mesh: mass, contacts and places; the library itself is tried in tests/app."""

import mujoco
import numpy as np
import pytest

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools.decompose import ConvexPart, decomposed, folder_for, surface, written
from kinetree.engine.editing.tools.fit import alone, geoms_of
from kinetree.engine.resources.hull import convex_hull
from tests.engine.editing.structural import Edited
from tests.engine.editing.test_structure import find

#: Two boxes that make an L, as one mesh: bars along X and Y.
MODEL = """<mujoco>
  <compiler meshdir="meshes" inertiafromgeom="true"/>
  <default><mesh scale="2 2 2" inertia="exact"/><default class="visual"><geom contype="0" conaffinity="0" group="2"/></default></default>
  <asset>
    <mesh name="ell" vertex="0 0 0  1 0 0  1 .2 0  .2 .2 0  .2 1 0  0 1 0  0 0 .2  1 0 .2  1 .2 .2  .2 .2 .2  .2 1 .2  0 1 .2"
      face="0 3 1 1 3 2 0 5 3 3 5 4  6 7 9 7 8 9 6 9 11 9 10 11  0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11"/>
  </asset>
  <worldbody>
    <body name="b"><freejoint/>
      <geom name="g" type="mesh" mesh="ell" pos=".1 .2 .3" euler="10 20 30" friction=".5" mass="3"/>
      <geom name="looks" type="mesh" mesh="ell" class="visual" mass="0"/>
    </body>
  </worldbody>
  <sensor><framepos objtype="geom" objname="looks"/></sensor>
</mujoco>
"""


def bar(low, high) -> ConvexPart:
    corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T.astype(float)
    return ConvexPart(corners, convex_hull(corners).face)


PARTS = [bar((0, 0, 0), (2, 0.4, 0.4)), bar((0, 0.4, 0), (0.4, 2, 0.4))]


def edited(tmp_path, name: str, keep: bool):
    made = Edited(str(tmp_path / "model.xml"), MODEL)
    document = made.document
    node = find(document, name, "geom")
    folder = folder_for(document, node)
    assert folder == tmp_path / "meshes"
    files = written(PARTS, folder, "ell")
    made.step(decomposed(document, [node], PARTS, files, keep))
    made.project.apply("Decompose", decomposed(document, [node], PARTS, files, keep))
    path = tmp_path / "model.xml"
    path.write_text(made.project.text(made.path))
    return mujoco.MjModel.from_xml_path(str(path)), path.read_text()


def test_the_surface_is_in_the_frame_of_the_text():
    document = Edited(text=MODEL).document
    mesh = surface(compile_document(alone(document, find(document, "g", "geom"))).model)
    assert mesh.volume == pytest.approx(8 * (0.2 * 0.2 * 1 + 0.2 * 0.2 * 0.8), rel=1e-6)
    np.testing.assert_allclose(mesh.vertices.min(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(mesh.vertices.max(axis=0), [2, 2, 0.4], atol=1e-6)
    assert sum(part.volume for part in PARTS) == pytest.approx(mesh.volume, rel=1e-6)


def test_a_geom_that_stays_keeps_the_mass_and_the_parts_collide(tmp_path):
    model, text = edited(tmp_path, "g", True)
    before = mujoco.MjModel.from_xml_string(MODEL)
    np.testing.assert_allclose(model.body("b").inertia, before.body("b").inertia)
    assert model.geom("g").contype == 0 and model.geom("g").conaffinity == 0
    for i in range(2):
        geom = model.geom(f"g_hull{i}")
        assert geom.contype == 1 and geom.group == 3 and geom.friction[0] == 0.5
    assert 'mesh="ell_hull0" pos=".1 .2 .3" euler="10 20 30" friction=".5" mass="0" group="3"' in text
    assert '<mesh name="ell_hull1" file="ell_hull1.obj" scale="1 1 1"/>' in text


def test_the_parts_of_a_geom_that_goes_have_its_mass_and_lie_where_it_lay(tmp_path):
    model, _ = edited(tmp_path, "g", False)
    before = mujoco.MjModel.from_xml_string(MODEL)
    assert model.body("b").mass == pytest.approx(3)
    np.testing.assert_allclose(model.body("b").ipos, before.body("b").ipos, atol=1e-5)
    np.testing.assert_allclose(model.body("b").inertia, before.body("b").inertia, rtol=1e-4)
    assert "g" not in [model.geom(i).name for i in range(model.ngeom)]


def test_the_parts_of_a_mesh_for_looks_collide(tmp_path):
    model, _ = edited(tmp_path, "looks", True)
    assert [model.geom(f"looks_hull{i}").contype[0] for i in range(2)] == [1, 1]


def test_files_are_never_written_over(tmp_path):
    first = written(PARTS, tmp_path, "a b/c")
    assert [each.name for each in first] == ["a_b_c_hull0.obj", "a_b_c_hull1.obj"]
    assert [each.name for each in written(PARTS, tmp_path, "a b/c")] == ["a_b_c_2_hull0.obj", "a_b_c_2_hull1.obj"]


def test_a_geom_that_something_refers_to_is_not_removed(tmp_path):
    with pytest.raises(CannotEdit, match=r"is referred to .*framepos"):
        edited(tmp_path, "looks", False)


def test_all_geoms_of_a_mesh_share_the_parts(tmp_path):
    made = Edited(str(tmp_path / "model.xml"), MODEL)
    document = made.document
    (mesh,) = (each for each in document.root.iter("mesh") if each.get("name") == "ell")
    geoms = geoms_of(document, [mesh, find(document, "g", "geom")])
    assert [each.get("name") for each in geoms] == ["g", "looks"]
    files = written(PARTS, folder_for(document, geoms[0]), "ell")
    made.project.apply("Decompose", decomposed(document, geoms, PARTS, files, True))
    model = compile_document(made.document).model
    assert model.nmesh == 3 and model.ngeom == 6
    with pytest.raises(CannotEdit, match="no geom uses"):
        geoms_of(Edited(text=MODEL.replace('mesh="ell"', 'mesh="other"')).document, [mesh])
