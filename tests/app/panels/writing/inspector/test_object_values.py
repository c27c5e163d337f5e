"""The arrays of an object, as the tables of Model and Data have them."""

import pytest

import kinetree
from kinetree.app.panels.writing.inspector.object_values import (
    _BY_ATTRIBUTE,
    _NOW_BY_ATTRIBUTE,
    compiled_row,
    current_row,
    data_rows,
    model_rows,
)
from kinetree.engine.model.fields import TABLES
from kinetree.engine.model.kinds import KINDS, ObjectId
from tests.app.conftest import MODEL


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(MODEL)


def texts(rows, source, model):
    return {row.name: row.text(source, model) for row in rows}


def test_a_joint_has_its_positions_and_velocities(model):
    data = kinetree.Data(model)
    data.qpos[0] = 0.25
    kinetree.forward(model, data)
    now = texts(data_rows(model, ObjectId("joint", 0)), data, model)
    assert now["qpos"] == "0.25" and now["qvel"] == "0" and "xaxis" in now
    compiled = texts(model_rows(model, ObjectId("joint", 0)), model, model)
    assert compiled["jnt_type"] == "hinge" and compiled["dof_damping"] == "0.1" and compiled["jnt_bodyid"] == "arm"
    free = texts(data_rows(model, ObjectId("joint", 1)), data, model)
    assert free["qpos"] == "0 1 0.5 1 0 0 0"


def test_attributes_lead_to_their_arrays(model):
    joint, geom = ObjectId("joint", 0), ObjectId("geom", 1)
    assert compiled_row(model, joint, "damping").name == "dof_damping"
    assert compiled_row(model, joint, "range").name == "jnt_range"
    assert compiled_row(model, geom, "size").name == "geom_size"
    assert compiled_row(model, geom, "name") is None


def test_the_tables_of_attributes_name_arrays_that_there_are(model):
    assert set(_NOW_BY_ATTRIBUTE.values()) <= {field.name for field in TABLES["Data"] if field.snapshot}
    assert set(_BY_ATTRIBUTE.values()) <= {field.name for field in TABLES["Model"]}
    assert {kind for kind, _ in [*_NOW_BY_ATTRIBUTE, *_BY_ATTRIBUTE]} <= set(KINDS)
    now = current_row(model, ObjectId("actuator", 0), "ctrlrange")
    assert now is not None and now.name == "ctrl"


def test_every_object_of_every_kind_can_be_shown(model):
    data = kinetree.Data(model)
    for kind in KINDS.values():
        for id in range(kind.count(model)):
            of = ObjectId(kind.name, id)
            assert all(isinstance(row.text(model, model), str) for row in model_rows(model, of))
            assert all(isinstance(row.text(data, model), str) for row in data_rows(model, of))
