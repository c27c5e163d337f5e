"""The value in force of each attribute, and its origin; compared with the compiler."""

import pytest

from kinetree.engine.assist.in_force import InForce, ValueOrigin, in_force
from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf import values as typed
from kinetree.engine.mjcf.reader import read
from tests import corpus

MODEL = """<mujoco>
  <option timestep="0.001"/>
  <default>
    <geom rgba="1 0 0 1" friction="0.9"/>
    <default class="arm">
      <geom rgba="0 1 0 1" euler="0 90 0"/>
      <joint damping="3"/>
      <default class="hand"><geom friction="0.8 0.01"/></default>
    </default>
  </default>
  <worldbody>
    <geom name="plain"/>
    <body childclass="arm">
      <joint name="hinge"/>
      <geom name="child" rgba="0 0 1 1"/>
      <frame childclass="hand"><geom name="framed" friction="0.7"/></frame>
      <geom name="own" class="main" axisangle="1 0 0 30"/>
      <geom name="capsule" type="capsule" fromto="0 0 0 0 0 1"/>
      <geom name="lost" class="nowhere"/>
    </body>
  </worldbody>
  <option timestep="0.004" gravity="0 0 0"/>
</mujoco>"""


def values(text: str, name: str) -> dict[str, InForce]:
    document = Document.from_string(text)
    node = next(node for node in document.root.iter() if node.get("name") == name)
    return in_force(document, node)


@pytest.mark.parametrize(
    ("name", "attribute", "value", "origin", "class_name"),
    [
        ("plain", "rgba", "1 0 0 1", ValueOrigin.CLASS, "main"),
        ("plain", "friction", "0.9 0.005 0.0001", ValueOrigin.CLASS, "main"),
        ("plain", "condim", "3", ValueOrigin.FORMAT, None),
        ("plain", "mass", None, ValueOrigin.COMPILER, None),
        ("plain", "quat", "1 0 0 0", ValueOrigin.FORMAT, None),
        ("hinge", "damping", "3", ValueOrigin.CLASS, "arm"),
        ("child", "rgba", "0 0 1 1", ValueOrigin.WRITTEN, None),
        ("child", "quat", None, ValueOrigin.COMPILER, None),
        ("framed", "rgba", "0 1 0 1", ValueOrigin.CLASS, "arm"),
        ("framed", "friction", "0.7 0.01 0.0001", ValueOrigin.WRITTEN, None),
        ("own", "rgba", "1 0 0 1", ValueOrigin.CLASS, "main"),
        ("own", "axisangle", "1 0 0 30", ValueOrigin.WRITTEN, None),
        ("own", "euler", None, ValueOrigin.COMPILER, None),
        ("capsule", "pos", None, ValueOrigin.COMPILER, None),
        ("capsule", "euler", None, ValueOrigin.COMPILER, None),
        ("lost", "rgba", "1 0 0 1", ValueOrigin.CLASS, "main"),
    ],
)
def test_the_value_in_force(name: str, attribute: str, value: str, origin: ValueOrigin, class_name: str) -> None:
    found = values(MODEL, name)[attribute]
    assert (found.value, found.origin, found.class_name) == (value, origin, class_name)
    assert (found.where is None) == (origin in (ValueOrigin.FORMAT, ValueOrigin.COMPILER))


def test_settings_have_the_last_value_of_all_sections() -> None:
    document = Document.from_string(MODEL)
    first, last = document.root.children[0], document.root.children[-1]
    found = in_force(document, first)
    assert (found["timestep"].value, found["timestep"].origin) == ("0.004", ValueOrigin.SECTION)
    assert found["timestep"].where is last.attribute("timestep")
    assert in_force(document, last)["timestep"].origin is ValueOrigin.WRITTEN
    assert in_force(document, last)["integrator"].origin is ValueOrigin.FORMAT


def test_a_default_class_takes_from_the_class_around_it() -> None:
    document = Document.from_string(MODEL)
    hand = next(node for node in document.root.iter("geom") if node.parent.get("class") == "hand")
    found = in_force(document, hand)
    assert (found["rgba"].value, found["rgba"].class_name) == ("0 1 0 1", "arm")
    assert (found["friction"].value, found["friction"].origin) == ("0.8 0.01 0.0001", ValueOrigin.WRITTEN)


def test_classes_reach_into_included_files(tmp_path) -> None:
    (tmp_path / "part.xml").write_text("<part><geom/></part>")
    main = tmp_path / "main.xml"
    main.write_text(MODEL.replace('<joint name="hinge"/>', '<include file="part.xml"/>'))
    document = Document.load(main)
    geom = document.trees[str(tmp_path / "part.xml")].children[0]
    assert in_force(document, geom)["rgba"].class_name == "arm"


def test_other_formats() -> None:
    x_xy = Document.from_string(
        '<x_xy><defaults><geom color="red" quat="1 0 0 0"/></defaults><worldbody>'
        '<body name="b" joint="ry"><geom euler="0 0 9"/></body></worldbody></x_xy>'
    )
    found = in_force(x_xy, next(x_xy.root.find("worldbody").iter("geom")))
    assert (found["color"].value, found["color"].origin, found["color"].class_name) == (
        "red",
        ValueOrigin.CLASS,
        "defaults",
    )
    assert found["quat"].origin is ValueOrigin.COMPILER
    urdf = Document.from_string("<robot><mujoco><compiler/></mujoco><link name='a'/></robot>")
    compiler = next(urdf.root.iter("compiler"))
    assert (in_force(urdf, compiler)["strippath"].value, in_force(urdf, compiler)["angle"].value) == ("true", "radian")


def test_the_motphys_dialect_has_its_own_defaults() -> None:
    text = '<mujoco><compiler{}/><asset><material name="m"/></asset></mujoco>'
    assert values(text.format(""), "m")["metallic"].value == "-1"
    assert values(text.format(' dialect="mpex"'), "m")["metallic"].value == "0"


def test_an_unknown_element_has_no_attributes() -> None:
    document = Document.from_string("<mujoco><nothing/></mujoco>")
    assert in_force(document, document.root.children[0]) == {}


def test_agrees_with_the_reader_on_every_model(shared) -> None:
    """The values that the compiler's reader gives to each element."""
    compared = 0
    for listed in corpus.listed(shared / "corpus"):
        document = Document.load(listed.path) if listed.path.suffix == ".xml" and listed.loads == "yes" else None
        if document is None or document.root.tag != "mujoco" or document.diagnostics.has_errors:
            continue
        spec = read(document.merged, Diagnostics(), None, document.base)
        pending = [spec.world, *(element for elements in spec.lists.values() for element in elements)]
        for element in pending:
            pending.extend(element.items[:20])
            if element.row.id == "worldbody" or len(pending) > 300:
                continue
            for name, found in in_force(document, element.node).items():
                value = None if found.value is None else typed.read(found.value, found.row)[0]
                if (
                    found.origin is ValueOrigin.COMPILER
                    or found.row.same_as
                    or (value is None and found.value is not None)
                ):
                    continue
                given = element.values.get(name)
                same = given is None if value is None else typed.equal(value, given) or not typed.finite(given)
                assert same, (listed.place, element.node, name, found, given)
                compared += 1
    assert compared > 10_000
