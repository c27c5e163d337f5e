"""Roles of the arrays of Data: whatever copies or resets a state finds them in the table."""

import os
import subprocess
import sys

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import fields, layout
from kinetree.engine.model.fields import TABLES, Field, select
from kinetree.engine.model.model import Options
from kinetree.engine.run.history import History
from kinetree.engine.run.snapshot import Snapshot
from kinetree.engine.run.transfer import transfer
from tests.conftest import ROOT
from tests.patience import LIMIT

TEXT = """<mujoco><worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>
 <body mocap="true" pos="1 2 3"><geom size=".1" pos="9 9 9"/></body></worldbody></mujoco>"""


@pytest.fixture
def made_up(monkeypatch):
    """Data with three more arrays: what no other code has heard of."""
    rows = [
        Field("made_state", "f8", ("nbody", 3), "made up", "array", "state", True),
        Field("made_input", "u1", ("nbody",), "made up", "array", "input", True),
        Field("made_output", "i4", ("nbody",), "made up", "array", "output", True),
        Field("made_scratch", "f8", ("nbody",), "made up", "array", "scratch"),
    ]
    monkeypatch.setitem(TABLES, "Data", [*TABLES["Data"], *rows])
    for cache in (layout.layout_of, fields.by_name):
        cache.cache_clear()
    yield kinetree.load_string(TEXT)
    for cache in (layout.layout_of, fields.by_name):
        cache.cache_clear()


def fill(data):
    data.made_state, data.made_input, data.made_output, data.made_scratch = 2.5, 3, 4, 5.5


def test_a_new_row_is_in_snapshots_by_its_role(made_up):
    data = kinetree.Data(made_up)
    fill(data)
    snapshot = Snapshot(made_up, data)
    fill(data)
    data.made_state = 0
    assert (snapshot.made_state == 2.5).all() and snapshot.made_state.shape == (made_up.nbody, 3)
    assert (snapshot.made_input == 3).all() and (snapshot.made_output == 4).all()
    with pytest.raises(AttributeError, match="made_scratch"):
        _ = snapshot.made_scratch


def test_a_new_row_is_in_the_history_by_its_role(made_up):
    data, history = kinetree.Data(made_up), History()
    history.before_step(made_up, data)
    kinetree.step(made_up, data)
    history.after_step(data, 1)
    fill(data)
    history.before_step(made_up, data)
    history.seek(made_up, data, 0)
    assert not data.made_state.any() and not data.made_input.any()
    assert (data.made_output == 4).all()
    history.seek(made_up, data, 1)
    assert (data.made_state == 2.5).all() and (data.made_input == 3).all()


def test_a_new_row_is_carried_over_by_a_reload(made_up):
    old, new = kinetree.Data(made_up), kinetree.Data(made_up)
    fill(old)
    transfer(made_up, old, made_up, new)
    assert (new.made_state == 2.5).all() and (new.made_input == 3).all()
    assert not new.made_output.any() and not new.made_scratch.any()


@pytest.mark.parametrize("automatic", [False, True])
def test_a_new_row_is_reset_by_its_role(made_up, automatic):
    data = kinetree.Data(made_up)
    fill(data)
    data.mocap_pos = 7.0
    if automatic:
        data.qpos[0] = np.nan
        kinetree.step(made_up, data)
        assert data.nreset == 1
    else:
        kinetree.reset(made_up, data)
    assert not data.made_state.any() and not data.made_input.any()
    assert data.mocap_pos.tolist() == [[1, 2, 3]]


def test_a_reset_keeps_addresses_and_nothing_else():
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    kinetree.step(model, data, 3)
    kept = {f.name: np.copy(getattr(data, f.name)) for f in select(lambda f: f.role == "address")}
    data.qfrc_bias = 1.0
    data.warning = 1
    kinetree.reset(model, data)
    for name, value in kept.items():
        np.testing.assert_array_equal(getattr(data, name), value)
    assert not data.qfrc_bias.any() and not data.warning.any()


def test_what_a_step_starts_from_is_what_mujoco_lists():
    """mjSTATE_INTEGRATION."""
    assert {f.name for f in select(lambda f: f.history)} == {
        "time", "qpos", "qvel", "act", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active",
        "mocap_pos", "mocap_quat", "userdata", "plugin_state",
    }  # fmt: skip


# ---- options of one simulation
# -----------------------------------------------------------------------------------------


def test_own_options_leave_the_shared_model_alone():
    model = kinetree.load_string(TEXT)
    own = model.with_own_options()
    own.opt.timestep, own.opt.gravity[2] = 0.5, 3.0
    assert model.opt.timestep == 0.002 and model.opt.gravity[2] == -9.81
    assert (own.opt.timestep, own.opt_gravity[2]) == (0.5, 3.0)
    assert all(
        np.shares_memory(array, own._arrays[name])
        for name, array in model._arrays.items()
        if array.size and name not in ("opt_gravity", *(n for n in own._arrays.moved))
    )
    model.body_mass = 3.0
    assert (own.body_mass == 3.0).all()


def test_kernels_read_the_own_options_and_the_pipeline_follows_them():
    model = kinetree.load_string(TEXT)
    own = model.with_own_options()
    data, other = kinetree.Data(model), kinetree.Data(model)
    own.opt.timestep, own.opt.gravity[:] = 0.01, 0
    own.opt.integrator = 3
    for _ in range(2):
        kinetree.step(own, data, 3)
        kinetree.step(model, other, 3)
        assert data.time == pytest.approx(0.03) and not data.qvel.any()
        assert other.time == pytest.approx(0.006) and other.qvel[0] != 0
        assert "implicitfast" in own.pipeline.names and "implicitfast" not in model.pipeline.names
        for each in (data, other):
            kinetree.reset(model, each)


def test_options_are_kept_and_restored():
    model = kinetree.load_string(TEXT)
    options = Options(model)
    model.opt.timestep, model.opt.wind[:] = 0.25, 7
    assert options.timestep == 0.002 and not options.wind.any() and not options.is_current(model)
    assert Options(model).wind.tolist() == [7, 7, 7]
    options.restore(model)
    assert options.is_current(model) and model.opt.timestep == 0.002 and not model.opt.wind.any()
    with pytest.raises(ValueError, match="read-only"):
        options.wind[0] = 1
    with pytest.raises(AttributeError):
        _ = options.nothing
    assert {"timestep", "gravity"} <= set(dir(options))


def test_a_made_up_array_needs_one_row(tmp_path):
    run = [sys.executable, "-m", "tests.engine.model.made_up_array"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, "all is well\n"), done.stderr


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("x", "i4", "nbody", "", "help", "array"), "x: say what its numbers may be"),
        (("x", "i4", "nbody", "below many", "help", "array"), "x: say what its numbers may be"),
        (("x", "f8", "nbody", "m (large)", "help", "array"), "x: no such unit"),
    ],
)
def test_a_row_that_says_nothing_sensible_is_refused(row, message):
    with pytest.raises(ValueError, match=message):
        fields._model_row(*row)


@pytest.mark.parametrize("role", ["nonsense", "output later", "output snapshot thread"])
def test_a_role_that_is_none_is_refused(role):
    with pytest.raises(ValueError, match="no such role"):
        fields._data_row("x", "f8", "nbody", role, "", "help", "array")


def test_two_units_need_dofs_or_six_numbers():
    assert fields._data_row("x", "f8", "nv", "output", "N m, N", "forces", "array").help == "forces, N m or N"
    assert fields._data_row("x", "f8", "nbody 6", "output", "N m, N", "forces", "array").help == "forces, N m and N"
    with pytest.raises(ValueError, match="2 units"):
        fields._data_row("x", "f8", "nbody 3", "output", "N m, N", "forces", "array")


def test_help_ends_with_the_unit_and_begins_with_the_constants():
    rows = fields.by_name("Model")
    assert rows["body_pos"].help == "position in the parent, m" and rows["body_pos"].units == ("m",)
    assert rows["geom_type"].help == "GEOM_" and rows["opt_gravity"].help == "gravity, m/s^2"
    assert rows["flex_vert0"].may_be_nan and rows["mesh_box"].derived and not rows["body_pos"].derived
