"""Counts, choices and required attributes of every row, against what the reference does with them."""

import pytest

from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf import schema, validate, values
from tests.engine.mjcf.minimal import PLACES, model, verdict


def rows(id: str, *types: str) -> list[schema.AttributeRow]:
    """MuJoCo's attributes of a kind that have one of these types, less those that 3.3.4 does not know."""
    return [
        row
        for row in schema.ELEMENTS[id].attributes.values()
        if row.type in types and row.dialect == "mujoco" and (id, row.name) not in REFUSED
    ]


#: Attributes that 3.3.4 refuses altogether, and that the specification gives (see test_schema_print).
REFUSED = {
    ("default.tendon", "actuatorfrcrange"),
    ("default.tendon", "actuatorfrclimited"),
    ("default.tendon", "armature"),
    ("default.muscle", "tausmooth"),
}
#: Multiples are checked by us at once, by the reference when compiling or not at all.
COUNT_ERRORS = ("too much data", "does not have enough data")


def test_most_kinds_can_be_asked():
    left_out = {id for id in schema.ELEMENTS if id not in PLACES and schema.ELEMENTS[id].dialect == "mujoco"}
    assert {id for id in left_out if rows(id, "real", "int")} <= {
        "actuator.plugin",
        "sensor.plugin",
        "body.composite",
    }


def test_refused_ones_are_still_refused():
    for id, name in REFUSED:
        assert "unrecognized attribute" in verdict(model(id, {name: "1"}))


@pytest.mark.parametrize("id", PLACES)
def test_counts(id):
    for row in rows(id, "real", "int"):
        check_counts(id, row)


def check_counts(id, row):
    written = (row.default or "").split()
    most = row.max_count if row.max_count is not None else row.multiple * 2
    for count in sorted({1, 2, row.min_count, max(row.min_count - 1, 1), most, most + 1}):
        text = " ".join((written + ["1"] * count)[:count])
        theirs = verdict(model(id, {row.name: text}))
        _, problem = values.read(text, row)
        if row.multiple > 1 and count % row.multiple:
            continue
        refused_count = any(words in theirs for words in COUNT_ERRORS)
        allowed = row.mpex_max_count is not None and count == row.mpex_max_count
        assert (problem is not None) == refused_count or allowed, (
            f"{row.name}, {count} values: {theirs or 'loads'} / {problem}"
        )


@pytest.mark.parametrize("id", PLACES)
def test_choices(id):
    for row in rows(id, "keyword", "bool"):
        if row.name in ("objtype", "reftype") or (id, row.name) == ("body.flexcomp", "type"):
            continue  # the first are not keywords to the reference; some types without their data crash it
        for choice in row.choices:
            assert "invalid keyword" not in verdict(model(id, {row.name: choice})), (row.name, choice)
        # a wrong role of a layer ends the process of the reference, a wrong limited of a composite is not looked at
        if id != "material.layer" and (id, row.name) != ("composite.joint", "limited"):
            assert "invalid keyword" in verdict(model(id, {row.name: "surely-not"})), row.name
        value, problem = values.read("surely-not", row)
        assert value is None and problem.code == "bad-choice"


@pytest.mark.parametrize("id", PLACES)
def test_required(id):
    for row in rows(id, "real", "int", "keyword", "string", "name", "reference", "file"):
        if not row.required:
            continue
        text = model(id, {}, without=(row.name,))
        # the specification requires both geoms of a pair; the reference takes nameless ones for the first geom
        assert (verdict(text) != "") == ((id, row.name[:4]) != ("contact.pair", "geom")), row.name
        diagnostics = Diagnostics()
        validate.validate(Document.from_string(text).merged, diagnostics)
        assert {item.code for item in diagnostics.errors} == {"missing-attribute"}, row.name


@pytest.mark.parametrize("id", PLACES)
def test_minimal_models_are_fine(id):
    text = model(id, {})
    assert verdict(text) == ""
    diagnostics = Diagnostics()
    validate.validate(Document.from_string(text).merged, diagnostics)
    assert [str(item) for item in diagnostics] == []
