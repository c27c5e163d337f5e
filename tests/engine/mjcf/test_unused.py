"""Attributes without a use for the type that an element has."""

import pytest

from kinetree.engine.mjcf.schema_table import ELEMENTS
from kinetree.engine.mjcf.unused import _TABLE, UnusedReason, unused


def of(kind, **values):
    return unused(ELEMENTS[kind], values.get)


def test_a_capsule_uses_no_height_field_and_no_mesh():
    found = of("body.geom", type="capsule", mesh="", fluidshape="none")
    assert found["hfield"] == found["mesh"] == UnusedReason("type", "capsule")
    assert found["fitscale"] == UnusedReason("mesh", "") and found["fluidcoef"] == UnusedReason("fluidshape", "none")
    assert "fromto" not in found and "size" not in found
    assert "fitscale" not in of("body.geom", type="capsule", mesh="hull")
    assert "mesh" not in of("body.geom", type="mesh", mesh="hull") and "size" in of("body.geom", type="mesh")


def test_joints_and_lights_by_type():
    assert {"axis", "range", "pos"} <= set(of("body.joint", type="free"))
    assert "range" not in of("body.joint", type="ball") and "axis" in of("body.joint", type="ball")
    assert not of("body.joint", type="hinge")
    assert "cutoff" in of("body.light", type="directional", mode="fixed")
    assert "target" not in of("body.light", type="spot", mode="targetbody")


def test_nothing_is_said_of_values_that_differ_or_of_classes():
    assert not of("body.geom", type=None) and not of("body.geom")
    assert not of("default.geom", type="capsule")


@pytest.mark.parametrize("line", _TABLE.strip().splitlines())
def test_the_table_names_attributes_and_values_of_the_format(line):
    kind, attribute, values, names = (part.strip() for part in line.split("|"))
    row = ELEMENTS[kind]
    assert set(names.split()) <= set(row.attributes)
    choices = set(row.attributes[attribute].choices)
    assert values == '""' or set(values.split()) <= choices


@pytest.mark.parametrize("kind", sorted({line.split("|")[0].strip() for line in _TABLE.strip().splitlines()}))
def test_the_values_of_a_type_are_complete(kind):
    """A type that is missing would show everything: sphere and hinge use all but what is listed, or nothing is."""
    types = {value for line in _TABLE.strip().splitlines() if line.startswith(f"{kind} | type")
             for value in line.split("|")[2].split()}  # fmt: skip
    if types:
        missing = set(ELEMENTS[kind].attributes["type"].choices) - types
        assert missing <= {"slide", "hinge", "capsule", "ellipsoid", "cylinder", "box", "cube", "skybox"}
