"""A size that is set in the text is the compiled one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.project import Project
from kinetree.engine.editing.pose import NotPlaced
from kinetree.engine.editing.size import Use, shape_of

TYPES = {"sphere": ".1", "capsule": ".1 .3", "cylinder": ".1 .3", "box": ".1 .2 .3", "ellipsoid": ".1 .2 .3"}


def geom_of(xml: str):
    project = Project()
    path = project.create("model.xml", f"<mujoco><worldbody>{xml}</worldbody></mujoco>")
    document = project.snapshot(path).document
    return project, document, document.root.children[0].children[0]


def compiled(project: Project):
    return compile_document(project.snapshot("model.xml").document).model


@given(st.sampled_from(sorted(TYPES)), st.integers(0, 2), st.sampled_from([1, -1]), st.floats(0.25, 2))
def test_a_half_length_that_is_set_is_the_compiled_one(kind, axis, side, half) -> None:
    project, document, geom = geom_of(f'<geom type="{kind}" size="{TYPES[kind]}"/>')
    project.apply("Size", shape_of(document, geom).resize(axis, side, half, 1e-9))
    model = compiled(project)
    assert model.geom_aabb[0][3 + axis] == pytest.approx(half, abs=1e-8)
    assert np.array_equal(model.geom_pos[0], (0, 0, 0))
    assert shape_of(project.snapshot("model.xml").document, project.tree("model.xml").children[0].children[0]).reaches[
        axis, side
    ] == pytest.approx(half, abs=1e-8)


@given(st.sampled_from(["capsule", "cylinder", "box"]), st.sampled_from([1, -1]), st.floats(0.2, 2))
def test_the_dragged_end_of_fromto_moves_alone(kind, side, half) -> None:
    project, document, geom = geom_of(f'<geom type="{kind}" size=".1" fromto="0 0 1 0 0 -1"/>')
    shape = shape_of(document, geom)
    project.apply("Size", shape.resize(2, side, half, 1e-9))
    caps = 0.1 if kind == "capsule" else 0.0
    model = compiled(project)
    assert model.geom_pos[0][2] + side * (half - caps + 1) / 2 == pytest.approx(side * (half - caps), abs=1e-8)
    ends = [float(word) for word in project.tree("model.xml").children[0].children[0].get("fromto").split()]
    assert ends[2 if side < 0 else 5] == side * -1.0


def test_only_what_is_needed_is_written() -> None:
    project, document, geom = geom_of('<geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/>')
    project.apply("Size", shape_of(document, geom).resize(0, 1, 0.25, 0.01))
    assert 'size=".25" fromto="0 0 0 0 0 1"' in project.text("model.xml")
    project, document, geom = geom_of('<site type="box"/>')
    project.apply("Size", shape_of(document, geom).resize(1, 1, 0.25, 0.01))
    assert '<site type="box" size="0.005 0.25 0.005"/>' in project.text("model.xml")


def test_a_radius_does_not_vanish() -> None:
    project, document, geom = geom_of('<geom size=".1"/>')
    project.apply("Size", shape_of(document, geom).resize(0, 1, -3.0, 0.01))
    assert compiled(project).geom_size[0][0] == 0.01


def test_what_has_no_size_says_so() -> None:
    for xml in ('<body name="a"/>', '<geom type="mesh" mesh="m"/>', "<camera/>"):
        _, document, node = geom_of(xml)
        with pytest.raises(NotPlaced):
            shape_of(document, node)
    _, document, node = geom_of('<geom type="plane" size="0 1 1"/>')
    assert shape_of(document, node).reaches == {(1, 1): 1.0, (1, -1): 1.0}


def test_urdf_and_x_xy_write_full_lengths() -> None:
    project = Project()
    path = project.create(
        "r.urdf",
        '<robot name="r"><link name="a"><collision><geometry><cylinder radius="0.1" length="1"/></geometry></collision></link></robot>',
    )
    document = project.snapshot(path).document
    node = next(document.root.iter("collision"))
    project.apply("Size", shape_of(document, node).resize(2, 1, 0.75, 0.01))
    assert '<cylinder radius="0.1" length="1.5"/>' in project.text(path)
    path = project.create(
        "x.xml", '<x_xy model="m"><worldbody><geom type="box" mass="1" dim="1 1 1"/></worldbody></x_xy>'
    )
    document = project.snapshot(path).document
    node = next(document.root.iter("geom"))
    project.apply("Size", shape_of(document, node).resize(0, 1, 0.75, 0.01))
    assert 'dim="1.5 1 1"' in project.text(path)


MESH = """<mujoco>
  <asset>
    <mesh file="wedge.obj" scale=".5 .5 2"/>
    <hfield name="hills" nrow="3" ncol="3" elevation="0 0 0 0 1 0 0 0 0" size="1 2 .5 .1"/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="wedge" pos="1 0 0"/>
    <geom type="mesh" mesh="wedge"/>
    <geom type="hfield" hfield="hills"/>
  </worldbody>
</mujoco>
"""
WEDGE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


@pytest.fixture
def with_assets(tmp_path):
    """(project, path) of a model of two geoms with one mesh, and one with a height field."""
    (tmp_path / "wedge.obj").write_text(WEDGE)
    project = Project()
    return project, project.create(str(tmp_path / "model.xml"), MESH)


def test_a_mesh_is_scaled_towards_the_sides_that_its_origin_is_away_from(with_assets) -> None:
    project, path = with_assets
    document = project.snapshot(path).document
    asset = next(document.root.iter("mesh"))
    shape = shape_of(document, asset, Use((0, 0, 0), (0.5, 0.5, 2.0), 2))
    assert shape.reaches == {(0, 1): 0.5, (1, 1): 0.5, (2, 1): 2.0}
    project.apply("Size", shape.resize(0, 1, 1.0, 0.01))
    assert 'scale="1 .5 2"' in project.text(path)
    document = project.snapshot(path).document
    project.apply("Size", shape_of(document, next(document.root.iter("mesh")), shape.use).scale(3.0, 0.01))
    assert '<mesh file="wedge.obj" scale="3 1.5 6"/>' in project.text(path)
    model = compile_document(project.snapshot(path).document).model
    assert np.ptp(model.mesh_vert, axis=0).max() == pytest.approx(6, rel=0.2)


def test_a_geom_that_shares_its_mesh_gets_one_of_its_own(with_assets) -> None:
    project, path = with_assets
    document = project.snapshot(path).document
    geoms = list(document.root.iter("geom"))
    use = Use((0, 0, 0), (0.5, 0.5, 2.0), 2)
    shape = shape_of(document, geoms[0], use)
    assert shape.grows
    project.apply("Size", shape.resize(2, 1, 1.0, 0.01), ("test",))
    text = project.text(path)
    assert (
        '<mesh file="wedge.obj" scale=".5 .5 2"/>\n    <mesh file="wedge.obj" scale=".5 .5 1" name="wedge_2"/>' in text
    )
    assert '<geom type="mesh" mesh="wedge_2" pos="1 0 0"/>\n    <geom type="mesh" mesh="wedge"/>' in text
    document = project.snapshot(path).document
    again = shape.regrown(document, next(document.root.iter("geom")))
    assert not again.grows
    assert again.reaches == shape.reaches, "the drag goes on from where it began"
    project.apply("Size", again.resize(2, 1, 4.0, 0.01), ("test",))
    assert 'scale=".5 .5 4" name="wedge_2"' in project.text(path)
    assert compile_document(project.snapshot(path).document).model.nmesh == 2
    project.undo()
    assert project.text(path) == MESH


def test_geoms_that_are_scaled_together_share_their_copy(with_assets) -> None:
    project, path = with_assets
    document = project.snapshot(path).document
    copies: dict[int, str] = {}
    edits = []
    for geom in list(document.root.iter("geom"))[:2]:
        edits += shape_of(document, geom, Use((0, 0, 0), (0.5, 0.5, 2.0), 3)).scale(2.0, 0.01, copies)
    project.apply("Size", edits)
    assert project.text(path).count('mesh="wedge_2"') == 2
    assert compile_document(project.snapshot(path).document).model.nmesh == 2


def test_each_side_of_a_height_field(with_assets) -> None:
    project, path = with_assets
    document = project.snapshot(path).document
    geom = list(document.root.iter("geom"))[2]
    use = Use((-1, -2, -0.1), (1, 2, 0.5))
    assert shape_of(document, geom, use).reaches == {
        (0, 1): 1.0, (0, -1): 1.0, (1, 1): 2.0, (1, -1): 2.0, (2, 1): 0.5, (2, -1): 0.1,
    }  # fmt: skip
    for axis, side, reach, size in (
        (0, -1, 3, "3 2 .5 .1"),
        (1, 1, 1, "3 1 .5 .1"),
        (2, 1, 0.75, "3 1 .75 .1"),
        (2, -1, 0.2, "3 1 .75 .2"),
    ):
        document = project.snapshot(path).document
        geom = list(document.root.iter("geom"))[2]
        project.apply("Size", shape_of(document, geom, use).resize(axis, side, reach, 0.01))
        assert f'size="{size}"' in project.text(path)
    assert np.allclose(compile_document(project.snapshot(path).document).model.hfield_size[0], (3, 1, 0.75, 0.2))


@pytest.mark.parametrize("kind", TYPES)
def test_a_scaled_primitive_keeps_its_proportions(kind) -> None:
    project, document, geom = geom_of(f'<geom type="{kind}" size="{TYPES[kind]}"/>')
    before = compiled(project).geom_size[0].copy()
    project.apply("Size", shape_of(document, geom).scale(2.0, 1e-6))
    assert np.allclose(compiled(project).geom_size[0], 2 * before)


def test_a_scaled_fromto_keeps_its_middle() -> None:
    project, document, geom = geom_of('<geom type="capsule" size=".1" fromto="0 0 1 0 0 3"/>')
    project.apply("Size", shape_of(document, geom).scale(1.5, 1e-6))
    assert 'size=".15" fromto="0 0 .5 0 0 3.5"' in project.text("model.xml")
