"""Results of a pass are used again where all fields that it reads are the same."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kinetree.engine.compile.derived.kept import PassCache
from kinetree.engine.jit.uncompiled import Lists
from kinetree.engine.model.model import Model
from kinetree.engine.storage.loading import load


@pytest.fixture
def model(tiny: Callable[[str], Path]) -> Model:
    return load(tiny("cone_elliptic"))


def run(kept: PassCache, model: Model, work: Callable) -> object:
    return kept.run(work, model, Lists(model), None)


def test_the_work_is_done_again_when_what_it_reads_differs(model):
    kept, done = PassCache(), []

    def work(model, lists) -> float:
        done.append(model)
        return float(model.body_mass[1])

    assert run(kept, model, work) == run(kept, model.copy(), work) and len(done) == 1
    heavier = model.copy()
    heavier.body_mass[1] = 2.0
    assert run(kept, heavier, work) == 2.0 and len(done) == 2


def test_options_count_as_fields_too(model):
    kept = PassCache()
    quicker = model.copy()
    quicker.opt.timestep = 0.125

    def work(model, lists) -> float:
        return model.opt.timestep

    assert run(kept, model, work) == model.opt.timestep
    assert run(kept, quicker, work) == 0.125


def test_what_the_work_wrote_is_copied(model):
    kept = PassCache()
    twin = model.copy()

    def work(model, lists) -> None:
        model.stat.extent = 3.5
        model.put({"body_mass": [4.0] * model.nbody})

    run(kept, model, work)
    run(kept, twin, work)
    assert twin.stat.extent == 3.5 and (twin.body_mass == 4.0).all()
