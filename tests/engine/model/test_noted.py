"""The stand-in for a model notes each field that is read or written, by whatever way."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kinetree.engine.model.model import Model
from kinetree.engine.model.noted import NotedModel
from kinetree.engine.storage.loading import load


@pytest.fixture
def model(tiny: Callable[[str], Path]) -> Model:
    return load(tiny("cone_elliptic"))


def noted(model: Model, use: Callable) -> set[str]:
    fields: set[str] = set()
    use(NotedModel(model, fields.add))
    return fields


def test_sizes_do_not_count(model):
    assert noted(model, lambda m: (m.nv, m.names, m.sizes)) == set()


def test_reading_arrays_cells_and_groups(model):
    def use(m) -> None:
        assert m.opt.timestep == model.opt.timestep and m.stat.extent == model.stat.extent
        assert (m.body_mass == model.body_mass).all() and m.jnt_limited is model.jnt_limited
        assert m._arrays["geom_size"] is model._arrays["geom_size"]
        assert m._cells["opt_density"] == model.opt.density

    assert noted(model, use) == {
        "opt_timestep", "stat_extent", "body_mass", "jnt_limited", "geom_size", "opt_density",
    }  # fmt: skip


def test_writing_is_noted_before_it_happens(model):
    mass = float(model.body_mass[1])
    seen: dict[str, float] = {}

    def note(name: str) -> None:
        seen[name] = float(model.opt.timestep if name == "opt_timestep" else model.body_mass[1])

    stand_in, step = NotedModel(model, note), model.opt.timestep
    stand_in.opt.timestep = 0.5
    stand_in.put({"body_mass": [7.0] * model.nbody})
    assert seen == {"opt_timestep": step, "body_mass": mass}
    assert model.opt.timestep == 0.5 and model.body_mass[1] == 7.0


def test_a_size_that_changes_notes_its_arrays(model):
    fields = noted(model, lambda m: m.resize("nnumericdata", 5))
    assert fields == {"numeric_data"} and model.numeric_data.shape == (5,)
