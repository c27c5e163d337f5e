"""Memory that runs out in the middle of a step: Data grows, the stage is run again, and no bit of the result
changes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums
from kinetree.engine.model.fields import CAPACITIES, TABLES
from kinetree.engine.model.memory import ADDRESS
from tests.engine.dynamics.solver.test_primal import crowd

MODELS = Path(__file__).resolve().parents[3] / "resources" / "models"
RESULTS = [
    "time", "qpos", "qvel", "act", "qacc", "qacc_warmstart", "qfrc_constraint", "sensordata", "efc_force",
    "efc_pos", "contact_dist", "contact_pos", "contact_geom", "xpos", "solver_niter", "warning",
]  # fmt: skip
ELLIPSOID = '<body pos="0 3 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3" pos=".01 0 0"/></body>'
SLOTS = {field.name: slot for slot, field in enumerate(TABLES["Data"])}


def shrink(data: kinetree.Data, capacities) -> None:
    """Report almost no memory for these capacities. Existing arrays stay as they are."""
    for name in capacities:
        size = min(1, data._sizes[name])
        data._sizes[name] = data._dimensions[name] = data._table[SLOTS[name], ADDRESS] = size


def results(data: kinetree.Data) -> dict[str, bytes]:
    return {name: np.asarray(getattr(data, name)).tobytes() for name in RESULTS}


def load(name: str) -> kinetree.Model:
    """A bundled model; or a crowd, whose contacts make large islands: as it is, with elliptic cones, or under RK4, so
    that memory runs out between the evaluations of a step too.
    """
    if name not in ("crowd", "cones", "RK4"):
        return kinetree.load(MODELS / f"{name}.xml")
    model = kinetree.load_string(crowd(30))
    model.opt.cone = int(name == "cones")
    if name == "RK4":
        model.opt.integrator = enums.INT_RK4
    return model


@pytest.mark.parametrize("name", ["crowd", "cones", "RK4", "walker", "hand"])
@pytest.mark.parametrize(
    "capacities",
    [*[(name,) for name in CAPACITIES], CAPACITIES],
    ids=lambda c: c[-1] if len(c) == 1 else "all",
)
def test_memory_may_run_out_anywhere(name, capacities):
    model = load(name)
    ample, one_by_one, at_once = (kinetree.Data(model) for _ in range(3))
    for data in (ample, one_by_one, at_once):
        data.ctrl = np.linspace(-1, 1, model.nu)
    kinetree.step(model, ample, 6)
    shrink(at_once, capacities)
    kinetree.step(model, at_once, 6)
    for _ in range(6):
        shrink(one_by_one, capacities)
        kinetree.step(model, one_by_one)
    for data in (one_by_one, at_once):
        assert results(data) == results(ample)
        assert not data.needs_memory and not data.need.any()


def test_every_capacity_is_asked_for():
    """A crowd has contacts, rows, a large island, a dual solver, and two ellipsoids overlap: each capacity grows."""
    model = kinetree.load_string(
        crowd(30).replace("</worldbody>", ELLIPSOID + ELLIPSOID.replace(".01", "0") + "</worldbody>")
    )
    model.opt.noslip_iterations = 1
    data = kinetree.Data(model)
    kinetree.step(model, data)
    shrink(data, CAPACITIES)
    kinetree.step(model, data)
    assert {name for name in CAPACITIES if data._sizes[name] == 1} == set()


def test_what_arrays_hold_is_kept():
    model = load("walker")
    data = kinetree.Data(model)
    kinetree.step(model, data, 50)
    assert data.nefc > 0
    before = results(data)
    data.need[...] = [2 * data._sizes[name] for name in CAPACITIES]
    data.grow()
    assert results(data) == before
    assert (data._arrays["contact_pos"][data.ncon :] == 0).all() or data._sizes["nconmax"] > data.ncon


def test_warnings_count_once():
    """A control that is not a number is counted once a step, however often memory runs out in it."""
    text = crowd(12).replace("</mujoco>", "<actuator><motor joint='j'/></actuator></mujoco>")
    model = kinetree.load_string(text.replace('<joint axis="0 1 0"', '<joint name="j" axis="0 1 0"', 1))
    ample, small = kinetree.Data(model), kinetree.Data(model)
    for data in (ample, small):
        data.ctrl = np.nan
    shrink(small, CAPACITIES)
    kinetree.step(model, ample, 3)
    kinetree.step(model, small, 3)
    assert np.array_equal(small.warning, ample.warning) and ample.warning.any()
