"""Adds an array of Model and one of Data that do not exist, by one row each, and uses them as if they did. Run by
test_fields.py in a process of its own, as everything derives from the table when it is imported."""

from kinetree.engine.model import data_rows, model_rows

model_rows.ARRAYS += "geom_friend | i4 | ngeom | of geom? | geom that it likes\ngeom_pull | f8 | ngeom | N | its pull\n"
data_rows.ARRAYS += "geom_heat | f8 | ngeom | output snapshot | K | temperatures of geoms\n"

import pytest  # noqa: E402

import kinetree  # noqa: E402
from kinetree.app.panels.writing.inspector.object_values import data_rows as now  # noqa: E402
from kinetree.app.panels.writing.inspector.object_values import model_rows as compiled  # noqa: E402
from kinetree.engine.model.compare import differing  # noqa: E402
from kinetree.engine.model.kinds import ObjectId  # noqa: E402
from kinetree.engine.run.expression import parse  # noqa: E402
from kinetree.engine.run.quantity_units import units_of  # noqa: E402
from kinetree.engine.run.snapshot import Snapshot  # noqa: E402

PATH = "made_up.kmodel"


def saved(model: kinetree.Model) -> kinetree.Model:
    kinetree.save(model, PATH)
    return kinetree.load(PATH)


def is_kept_compared_and_checked(model: kinetree.Model) -> None:
    assert model.geom_friend.tolist() == [0, 0] and model.geom_pull.dtype == float
    model.geom_friend, model.geom_pull = [1, -1], [2.5, 0]
    assert not differing(model, saved(model)) and saved(model).geom_friend.tolist() == [1, -1]
    for name, bad in (("geom_friend", 2), ("geom_friend", -2), ("geom_pull", float("nan"))):
        other = saved(model)
        getattr(other, name)[1] = bad
        assert name in differing(model, other)
        with pytest.raises(kinetree.ModelError, match=name):
            saved(other)


def is_shown(model: kinetree.Model) -> None:
    of = ObjectId("geom", 0)
    data = kinetree.Data(model)
    data.geom_heat = [300, 20]
    rows = {row.name: row for row in compiled(model, of)}
    assert rows["geom_friend"].text(model, model) == "ball" and rows["geom_pull"].help == "its pull, N"
    snapshot = Snapshot(model, data)
    assert {row.name: row.text(snapshot) for row in now(model, of)}["geom_heat"] == "300"
    expression = parse(model, 'geom("ball").geom_heat')
    assert units_of(model, expression) == ["K"]


if __name__ == "__main__":
    made = kinetree.load_string(
        '<mujoco><worldbody><geom name="box" type="box" size="1 1 1"/><geom name="ball" size="1"/></worldbody></mujoco>'
    )
    is_kept_compared_and_checked(made)
    is_shown(made)
    print("all is well")
