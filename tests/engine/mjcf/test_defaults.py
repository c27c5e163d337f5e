"""Default classes: what an element gets, against what the reference compiles."""

import mujoco
import numpy as np
import pytest

from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf import schema, values
from kinetree.engine.mjcf.defaults import Defaults, default_group


def parse(text: str):
    return Document.from_string(text).merged


def of_geoms(text: str, name: str) -> list:
    """(our value or None, the reference's) of an attribute for every geom of a model, in order."""
    root = parse(text)
    defaults = Defaults(root)
    model = mujoco.MjModel.from_xml_string(text)
    field = {"contype": "geom_contype", "friction": "geom_friction", "size": "geom_size", "pos": "geom_pos"}[name]
    row = schema.ELEMENTS["body.geom"]
    geoms = list(root.find("worldbody").iter("geom"))
    assert len(geoms) == model.ngeom
    return [
        (defaults.values(node, row, defaults.childclass(node.parent)).get(name), getattr(model, field)[index])
        for index, node in enumerate(geoms)
    ]


DEFAULTS = """
  <default>
    <geom contype="2" size="0.1"/>
    <default class="a">
      <geom contype="3" friction="0.5 0.1 0.2"/>
      <default class="b"><geom contype="4" friction="0.7"/></default>
      <default class="c"/>
    </default>
    <default class="d"><geom pos="1 2 3"/></default>
  </default>
"""


@pytest.mark.parametrize(
    ("name", "world"),
    [
        ("contype", '<geom/><geom class="a"/><geom class="b"/><geom class="c"/><geom class="main"/><geom class="b" contype="9"/>'),
        ("contype", '<geom/><body childclass="a"><geom/><geom class="b"/><body><geom/></body><body childclass="b"><geom/></body></body>'),
        ("contype", '<geom/><frame childclass="b"><geom/><body><geom/></body></frame>'),
        ("contype", '<body childclass="a"><frame childclass="b"><geom/></frame><frame><geom/></frame></body>'),
        ("contype", '<frame class="b"><geom/><body><geom/></body></frame>'),
        ("contype", '<frame class="b" childclass="a"><geom/></frame><body childclass="a"><frame class="b"><geom/></frame></body>'),
        ("contype", '<replicate count="1" class="b"><geom/></replicate>'),
        ("contype", '<frame class="a"><replicate count="1" childclass="b" class="a"><geom/></replicate></frame>'),
        ("friction", '<geom/><geom class="a"/><geom class="b"/><geom class="b" friction="0.9"/><geom class="c" friction="3 4"/>'),
        ("pos", '<geom class="d"/><geom class="d" pos=""/><geom class="d" pos="4 5 6"/>'),
    ],
)  # fmt: skip
def test_values_as_the_reference(name, world):
    row = schema.ELEMENTS["body.geom"].attributes[name]
    for ours, theirs in of_geoms(f"<mujoco>{DEFAULTS}<worldbody>{world}</worldbody></mujoco>", name):
        np.testing.assert_allclose(
            values.fill(ours if ours is not None else values.default(row), values.default(row)), theirs
        )


@pytest.mark.parametrize(
    "sections",
    [
        '<default><default class="a"><geom type="box"/></default><geom size="2 2 2"/></default>',
        '<default><geom size="3 3 3"/><default class="a"/></default><default><geom size="2 2 2"/></default>',
        '<default><geom size="3 3 3"/></default><default><geom size="2 2 2"/><default class="a"/></default>',
        '<default class="main"><geom size="3 3 3"/></default><default class="main"><default class="a"/></default>',
    ],
)
def test_a_class_starts_from_what_is_around_it_then(sections):
    for text in (
        f'<mujoco>{sections}<worldbody><geom class="a"/></worldbody></mujoco>',
        f'<mujoco><worldbody><geom class="a"/></worldbody>{sections}</mujoco>',
    ):
        [(ours, theirs)] = of_geoms(text, "size")
        np.testing.assert_allclose(ours[0], theirs[0])


def test_resolve_keeps_attributes_with_their_places():
    text = '<mujoco>\n<default>\n<geom contype="2"\n friction="1 2 3"/></default><worldbody><geom contype="5" friction=" "/></worldbody></mujoco>'
    root = parse(text)
    geom = root.find("worldbody").find("geom")
    resolved = Defaults(root).resolve(geom, schema.ELEMENTS["body.geom"])
    assert resolved["contype"].node is geom
    assert resolved["friction"].value == "1 2 3" and resolved["friction"].line == 4
    assert "size" not in resolved


def test_resolve_gives_only_what_the_element_takes():
    root = parse(
        '<mujoco><default><general ctrlrange="0 1" dyntype="filter"/><position kp="5"/></default>'
        '<actuator><motor joint="J"/><position joint="J"/></actuator></mujoco>'
    )
    motor, position = root.find("actuator").children
    defaults = Defaults(root)
    assert set(defaults.resolve(motor, schema.of(motor))) == {"joint", "ctrlrange"}
    assert set(defaults.resolve(position, schema.of(position))) == {"joint", "ctrlrange", "kp"}


def test_shortcuts_share_one_default_and_the_last_wins():
    text = (
        '<mujoco><default><motor ctrlrange="-1 1" gear="3"/><position ctrlrange="-2 2"/>'
        '<default class="a"><velocity gear="7 1"/></default></default>'
        '<worldbody><body><joint name="J"/><geom size="1"/></body></worldbody>'
        '<actuator><motor joint="J"/><motor joint="J" class="a"/><motor joint="J" class="a" gear="2"/></actuator></mujoco>'
    )
    root, model = parse(text), mujoco.MjModel.from_xml_string(text)
    defaults = Defaults(root)
    for index, node in enumerate(root.find("actuator").children):
        ours = defaults.values(node, schema.of(node))
        np.testing.assert_allclose(ours["ctrlrange"], model.actuator_ctrlrange[index])
        np.testing.assert_allclose(ours["gear"], model.actuator_gear[index])
    chain = defaults.chain(node, schema.of(node))
    assert [element.tag for element in chain] == ["motor", "position", "velocity"]
    assert default_group("default.motor") == default_group("default.general") == "default.general"
    assert default_group("default.geom") == "default.geom"


def test_elements_that_share_a_default():
    root = parse(
        '<mujoco><default><equality solref="0.1 1"/><tendon width="0.5"/></default><equality><weld body1="a"/></equality>'
        "<tendon><spatial/><fixed/></tendon></mujoco>"
    )
    defaults = Defaults(root)
    weld, (spatial, fixed) = root.find("equality").find("weld"), root.find("tendon").children
    assert defaults.values(weld, schema.of(weld))["solref"].tolist() == [0.1, 1]
    assert defaults.values(spatial, schema.of(spatial)) == {"width": 0.5}
    assert defaults.values(fixed, schema.of(fixed)) == {"width": 0.5}
    assert defaults.resolve(root.find("tendon"), schema.ELEMENTS["tendon"]) == {}


@pytest.mark.parametrize(
    ("inside", "code", "line"),
    [
        ('<default>\n<default class="a"/>\n<default class="a"/></default>', "repeated-class", 3),
        ('<default>\n<default class="a">\n<default class="a"/></default></default>', "repeated-class", 3),
        (
            '<default><default class="a"/></default>\n<default><default class="a"/></default>',
            "repeated-class",
            2,
        ),
        ('<default>\n<default class="main"/></default>', "repeated-class", 2),
        ("<default>\n<default/></default>", "missing-attribute", 2),
        ('<default>\n<default class=""/></default>', "missing-attribute", 2),
        ('<default class="top"/>', "bad-class", 1),
        ('<default/>\n<default class="top"/>', "bad-class", 2),
    ],
)
def test_errors_of_classes(inside, code, line):
    text = f"<mujoco>{inside}</mujoco>"
    with pytest.raises(ValueError, match="class"):
        mujoco.MjModel.from_xml_string(text)
    diagnostics = Diagnostics()
    Defaults(parse(text), diagnostics)
    assert [(item.code, item.line) for item in diagnostics.errors] == [(code, line)]


def test_unknown_classes_count_as_main():
    root = parse('<mujoco><default><geom contype="7"/></default><worldbody><geom class="nope"/></worldbody></mujoco>')
    defaults = Defaults(root)
    geom = root.find("worldbody").find("geom")
    assert defaults.find("nope") is None and defaults.class_of(geom) is defaults.main
    assert defaults.values(geom, schema.ELEMENTS["body.geom"]) == {"class": "nope", "contype": 7}
    assert [each.name for each in defaults] == ["main"]


def test_wrong_values_in_classes_are_not_taken():
    root = parse('<mujoco><default><geom contype="x" condim="4"/></default><worldbody><geom/></worldbody></mujoco>')
    geom = root.find("worldbody").find("geom")
    assert Defaults(root).values(geom, schema.ELEMENTS["body.geom"]) == {"condim": 4}
