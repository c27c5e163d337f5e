"""No kernel writes beside an array: bytes behind each array of Data keep what they held, over steps with all solvers,
cones and integrators, in models of every kind. `tests/bounds.py` checks reading too, and tells the line."""

import ctypes
from pathlib import Path

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums, memory
from kinetree.engine.model.fields import TABLES
from tests.oracle.constrained import CONSTRAINED
from tests.oracle.models import SMOOTH_MODELS
from tests.oracle.test_stages import ADHESION, CABLE_TEXT, FLEXES, MEASURED, MEDIUM

ROOT = Path(__file__).parents[3]
FILES = sorted([*(ROOT / "tests" / "data" / "models").glob("*.xml"), *(ROOT / "resources" / "models").glob("*.xml")])
TEXTS = {
    **SMOOTH_MODELS,
    **CONSTRAINED,
    "adhesion": ADHESION,
    "cable": CABLE_TEXT,
    "flexes": FLEXES,
    "measured": MEASURED,
    "medium": MEDIUM,
}
GUARD, BYTE, STEPS = 1024, 0xA5, 12
WAYS = (
    (enums.SOL_NEWTON, enums.CONE_ELLIPTIC, enums.INT_EULER, 0),
    (enums.SOL_CG, enums.CONE_PYRAMIDAL, enums.INT_IMPLICITFAST, 2),
    (enums.SOL_PGS, enums.CONE_ELLIPTIC, enums.INT_RK4, 0),
    (enums.SOL_PGS, enums.CONE_PYRAMIDAL, enums.INT_EULER, 3),
)
"""Solver, cone, integrator, iterations of noslip."""


def _set_guard(table, name):
    array = table._arrays[name]
    ctypes.memset(array.ctypes.data + array.nbytes, BYTE, GUARD)


def _names(table):
    return [field.name for field in TABLES[table.kind] if field.kind == "array"]


def _damaged(table):
    """Arrays behind which something was written."""
    whole = bytes([BYTE]) * GUARD
    arrays = {name: table._arrays[name] for name in _names(table)}
    return [
        name for name, array in arrays.items() if ctypes.string_at(array.ctypes.data + array.nbytes, GUARD) != whole
    ]


@pytest.fixture
def guarded(monkeypatch):
    """guarded(model): its Data, with bytes behind each array, also behind one that grows."""
    monkeypatch.setattr(memory, "GUARD", GUARD)
    move = memory.AddressTable._move

    def moved(table, field, array):
        move(table, field, array)
        _set_guard(table, field.name)

    monkeypatch.setattr(memory.AddressTable, "_move", moved)

    def make(model):
        data = kinetree.Data(model)
        for name in _names(data):
            _set_guard(data, name)
        return data

    return make


def check(guarded, model):
    if model.unsimulated:
        pytest.skip("the model can be shown but not simulated")
    generator = np.random.default_rng(1)
    for solver, cone, integrator, noslip in WAYS:
        model.opt.solver, model.opt.cone, model.opt.integrator = solver, cone, integrator
        model.opt.noslip_iterations = noslip
        data = guarded(model)
        data.ctrl = generator.uniform(-1, 1, model.nu)
        kinetree.step(model, data, STEPS)
        assert _damaged(data) == [], (solver, cone, integrator, noslip)


@pytest.mark.parametrize("name", TEXTS)
def test_no_kernel_writes_behind_an_array(guarded, name):
    check(guarded, kinetree.load_string(TEXTS[name]))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_kernel_writes_behind_an_array_in_models_of_files(guarded, path):
    check(guarded, kinetree.load(path))


def test_a_write_behind_an_array_is_found(guarded):
    data = guarded(kinetree.load_string(CABLE_TEXT))
    place = data._arrays["qfrc_passive"]
    ctypes.memset(place.ctypes.data + place.nbytes + 8, 0, 8)
    assert _damaged(data) == ["qfrc_passive"]
