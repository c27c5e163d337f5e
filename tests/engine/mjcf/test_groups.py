"""Groups of attributes: every attribute of every format has one, and the table has nothing that no attribute uses."""

import pytest

from kinetree.engine.formats import urdf_table, x_xy_table
from kinetree.engine.mjcf import groups, schema
from kinetree.engine.mjcf.schema_rows import attribute, element

TABLES = {"MJCF": schema.ELEMENTS.values(), "URDF": urdf_table.ROWS, "x_xy": x_xy_table.ROWS}
FREE = {"user"}
"""Attributes that belong to no other group."""


@pytest.mark.parametrize("table", TABLES)
def test_every_attribute_has_a_group(table):
    unsorted = [
        f"{row.id}.{known.name}"
        for row in TABLES[table]
        for known in row.attributes.values()
        if groups.group(row, known) == groups.OTHER and known.name not in FREE
    ]
    assert not unsorted, "add these attributes to engine/mjcf/groups.py"


def test_the_tables_name_only_what_exists():
    rows = [row for table in TABLES.values() for row in table]
    names = {name for row in rows for name in row.attributes}
    assert set(groups._BY_NAME) <= names
    ids = {part for row in rows for part in (row.id, row.id.partition(".")[0])}
    assert {element for element, _ in groups._EXCEPTIONS} <= ids
    assert {name for _, name in groups._EXCEPTIONS} <= names | {"*"}


def test_the_groups_of_an_element_hold_all_its_attributes_once():
    for row in schema.ELEMENTS.values():
        shown = [known for rows in groups.grouped(row).values() for known in rows]
        assert sorted(known.name for known in shown) == sorted(row.attributes)


def test_a_made_up_attribute_is_shown_under_other():
    row = element("gadget", "*", "A gadget.", [attribute("wobble", "real(2)", "0 0", "How it wobbles.")])
    assert list(groups.grouped(row)) == [groups.OTHER]
    assert groups.components(row, row.attributes["wobble"]) == ()


def test_the_same_name_may_mean_different_things():
    joint, geom = schema.ELEMENTS["body.joint"], schema.ELEMENTS["body.geom"]
    assert groups.group(joint, joint.attributes["type"]) == "Motion"
    assert groups.group(geom, geom.attributes["type"]) == "Shape"
    option, headlight = schema.ELEMENTS["option"], schema.ELEMENTS["visual.headlight"]
    assert groups.group(option, option.attributes["density"]) == "World"
    assert groups.is_colour(headlight, headlight.attributes["diffuse"])
    assert not groups.is_colour(geom, geom.attributes["friction"])
    assert groups.is_colour(geom, geom.attributes["rgba"])


def test_components_are_named_where_the_count_fits():
    geom = schema.ELEMENTS["body.geom"]
    assert groups.components(geom, geom.attributes["pos"]) == ("x", "y", "z")
    assert groups.components(geom, geom.attributes["friction"]) == ("slide", "spin", "roll")
    assert groups.components(geom, geom.attributes["size"], "capsule") == ("radius", "half")
    pair = schema.ELEMENTS["contact.pair"]
    assert len(groups.components(pair, pair.attributes["friction"])) == 5
    flexcomp = schema.ELEMENTS["body.flexcomp"]
    assert groups.components(flexcomp, flexcomp.attributes["mass"]) == ()
