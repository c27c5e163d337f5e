"""One interface over the tables of the three formats."""

import pytest

from kinetree.engine.assist.language import language_of
from kinetree.engine.document.document import Document

MJCF = """<mujoco>
  <option><flag/></option>
  <asset><mesh file="a/arm.stl"/></asset>
  <default><default class="red"><geom rgba="1 0 0 1"/></default></default>
  <worldbody><body name="b"><frame><geom name="g" material="m"/></frame><inertial/></body></worldbody>
</mujoco>"""
URDF = """<robot name="r">
  <material name="steel"><color rgba="1 1 1 1"/></material>
  <link name="a"><visual><geometry><box size="1 1 1"/></geometry><material name="steel"/></visual></link>
  <link name="b"/>
  <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
</robot>"""
X_XY = '<x_xy><worldbody><body name="a" joint="ry"><geom type="box"/></body><geom type="xyz"/></worldbody></x_xy>'


def ids(text: str) -> list[str | None]:
    document = Document.from_string(text)
    language = language_of(document)
    rows = [language.row(node) for node in document.root.iter()]
    return [None if row is None else row.id for row in rows]


def test_rows_of_every_format() -> None:
    assert ids(MJCF)[:4] == ["mujoco", "option", "option.flag", "asset"]
    assert "default.geom" in ids(MJCF)
    assert ids(MJCF)[-4:] == ["body", "frame", "body.geom", "body.inertial"]
    assert ids(URDF)[:3] == ["robot", "robot.material", "color"]
    assert ids(X_XY) == ["x_xy", "worldbody", "body", "geom", "world.geom"]


@pytest.mark.parametrize(
    ("text", "name"), [(MJCF, "MJCF"), (URDF, "URDF"), (X_XY, "x_xy"), ("", "MJCF"), ("<a", "MJCF")]
)
def test_the_root_tells_the_format(text: str, name: str) -> None:
    assert language_of(Document.from_string(text)).name == name


def test_an_empty_urdf_file_is_urdf() -> None:
    assert language_of(Document.from_string("", name="arm.urdf")).name == "URDF"


def test_what_may_be_inserted_depends_on_what_is_there() -> None:
    document = Document.from_string(MJCF)
    language = language_of(document)
    body = next(document.root.iter("body"))
    assert "inertial" not in language.children(body)
    assert "inertial" in language.allowed(body)
    assert {"geom", "body", "frame", "include"} <= set(language.children(body))
    assert "geom" in language.children(next(document.root.iter("frame")))
    urdf = Document.from_string(URDF)
    visual = next(urdf.root.iter("visual"))
    assert list(language_of(urdf).children(visual)) == ["origin"]
    assert not language_of(urdf).children(next(urdf.root.iter("geometry")))


def test_names() -> None:
    document = Document.from_string(MJCF)
    language = language_of(document)
    names = [language.name_of(node) for node in document.root.iter()]
    assert [name for name in names if name] == ["arm", "main", "red", "b", "g"]
    urdf = Document.from_string(URDF)
    material = next(urdf.root.find("link").iter("material"))
    assert language_of(urdf).refers(material.attribute("name")) == "material"
    assert language_of(urdf).declares(urdf.root.find("material"))[1] == "material"


def test_an_included_file_is_judged_by_the_place_of_its_include(tmp_path) -> None:
    main = tmp_path / "main.xml"
    main.write_text('<mujoco><worldbody><body><include file="part.xml"/></body></worldbody></mujoco>')
    (tmp_path / "part.xml").write_text("<anything><geom/><body><joint/></body></anything>")
    document = Document.load(main)
    language = language_of(document)
    part = document.trees[str(tmp_path / "part.xml")]
    assert language.row(part) is None
    assert [language.row(node).id for node in part.iter() if node is not part] == ["body.geom", "body", "body.joint"]
    assert "joint" in language.children(part)
    assert [around.tag for around in language.ancestors(part.children[0])] == ["body", "worldbody", "mujoco"]
    merged = [language.row(node).id for node in document.merged.iter()]
    assert merged == ["mujoco", "worldbody", "body", "body.geom", "body", "body.joint"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<mujoco><body name="a"><geom/></body></mujoco>', ["mujoco", "body", "body.geom"]),
        ("<mujocoinclude><asset><mesh/></asset></mujocoinclude>", [None, "asset", "asset.mesh"]),
        ("<part><motor/><position/></part>", [None, "actuator.motor", "actuator.position"]),
        ("<mujoco><nothing/></mujoco>", ["mujoco", None]),
    ],
)
def test_a_part_of_a_model_is_judged_by_what_it_holds(text: str, expected: list) -> None:
    assert ids(text) == expected
