"""copy, deepcopy and pickle of Model and Data: they go on to the same bits, and share no memory."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import pickles
from kinetree.engine.model.fields import select
from kinetree.engine.run.snapshot import Snapshot

ROOT = Path(__file__).resolve().parents[3]
TEXT = """<mujoco model="mixed"><option integrator="implicitfast"/>
  <asset><mesh name="m" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2 .1 .1 .1"/><texture name="t" type="2d" builtin="checker"
    width="8" height="8" rgb1="1 0 0"/><material name="t" texture="t"/></asset>
  <worldbody><geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .12"><freejoint/><geom type="mesh" mesh="m"/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".05 0 .5"><joint type="ball" name="j" damping=".1" frictionloss=".01"/>
      <geom type="capsule" size=".05 .2" material="t"/></body>
    <body name="target" mocap="true" pos="1 0 1"/>
  </worldbody>
  <custom><text name="note" data="hello"/></custom>
  <actuator><general joint="j" dyntype="filter" dynprm=".1"/></actuator>
  <keyframe><key name="k"/></keyframe>
</mujoco>"""


def pickled(what: Any) -> Any:
    return pickle.loads(pickle.dumps(what))


COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": pickled, "method": lambda what: what.copy()}


def running() -> tuple[kinetree.Model, kinetree.Data]:
    model = kinetree.load_string(TEXT)
    model.opt.timestep, model.body_mass[1] = 0.003, 4.0
    data = kinetree.Data(model)
    data.ctrl[:] = 0.3
    kinetree.step(model, data, 60)
    assert data.ncon and data.nefc
    return model, data


def everything(data: kinetree.Data) -> dict[str, bytes]:
    fields = select(lambda field: field.role in ("state", "input", "output"))
    return {field.name: np.asarray(getattr(data, field.name)).tobytes() for field in fields}


@pytest.mark.parametrize("how", COPIES)
def test_copies_go_on_to_the_same_bits(how: str) -> None:
    model, data = running()
    other, twin = COPIES[how](model), COPIES[how](data)
    assert everything(twin) == everything(data)
    for m, d in ((model, data), (other, twin)):
        kinetree.step(m, d, 100)
    assert everything(twin) == everything(data) and data.time == pytest.approx(0.48)
    kinetree.step(model, twin, 5)  # a copied Data goes on with the first model too
    kinetree.step(other, data, 5)
    assert everything(twin) == everything(data)


@pytest.mark.parametrize("how", COPIES)
def test_copies_share_no_memory(how: str) -> None:
    model, data = running()
    for one in (model, data):
        twin = COPIES[how](one)
        for name in one._arrays:
            assert not np.shares_memory(one._arrays[name], twin._arrays[name]), name
        assert not np.shares_memory(one._cells.words, twin._cells.words)
        addresses = {int(address) for address in twin._table[:, 0] if address > 2**32}
        assert not addresses & {int(address) for address in one._table[:, 0] if address > 2**32}
    other, twin = COPIES[how](model), COPIES[how](data)
    before = everything(data), model.body_mass.copy(), model.opt.timestep, model.vis.map.zfar
    twin.qpos[:], other.body_mass[:], other.opt.timestep = 7.0, 9.0, 0.1
    other.names["body"][1], other.vis.map.zfar, other.vis.rgba.fog[:] = "renamed", 1.0, 0.5
    assert everything(data) == before[0] and (model.body_mass == before[1]).all()
    assert (model.opt.timestep, model.vis.map.zfar) == before[2:] and "renamed" not in model.names["body"]
    assert not (model.vis.rgba.fog == 0.5).all()


@pytest.mark.parametrize("how", COPIES)
def test_what_is_not_a_number_is_copied_too(how: str) -> None:
    model, _ = running()
    twin = COPIES[how](model)
    assert (twin.name, twin.texts, twin.names, twin.format) == (model.name, model.texts, model.names, model.format)
    assert [gap.text for gap in twin.gaps] == [gap.text for gap in model.gaps] and twin.gaps
    assert twin.structure == model.structure and twin.sizes == model.sizes
    if how == "pickle":
        assert twin.spec is None and twin.provenance is None
    else:
        assert twin.spec is model.spec and twin.provenance is model.provenance


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_is_reset_by_itself_to_where_the_first_one_began(how: str) -> None:
    """Start values that an automatic reset copies are the copy's own."""
    model, data = running()
    twin = COPIES[how](data)
    expected = kinetree.Data(model).qpos.copy()
    del data
    twin.qpos[0] = np.nan
    twin.ctrl[:] = 0.0
    model.opt.gravity[:] = 0.0
    kinetree.forward(model, twin)
    twin.qpos[0] = np.nan
    kinetree.step(model, twin)
    assert np.abs(twin.qpos - expected).max() < 0.01


def test_a_gap_is_pickled_with_its_place_and_its_condition() -> None:
    text = """<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>"""
    model = kinetree.load_string(text)
    twin = pickled(model)
    assert not twin.unsimulated
    for each in (model, twin):
        each.opt.integrator, each.opt.enableflags = 1, each.opt.enableflags | (1 << 2) | (1 << 3)
    assert [str(item) for item in twin.unsimulated] == [str(item) for item in model.unsimulated] != []
    with pytest.raises(kinetree.ModelError):
        kinetree.step(twin, kinetree.Data(twin))


def test_deepcopy_keeps_what_belongs_together() -> None:
    model, data = running()
    pair = {"model": model, "data": data, "again": data}
    twin = copy.deepcopy(pair)
    assert twin["data"] is twin["again"] and twin["data"] is not data and twin["model"] is not model
    kinetree.step(twin["model"], twin["data"])


# ---- hooks and threads -----------------------------------------------------------------------------------------------


def push(_model: kinetree.Model, data: kinetree.Data) -> None:
    data.ctrl[:] = -data.qpos[-1]


@pytest.mark.parametrize("how", COPIES)
def test_copies_call_the_same_hooks(how: str) -> None:
    model, data = running()
    data.hooks = kinetree.Hooks(control=push)
    twin = COPIES[how](data)
    assert twin.hooks == data.hooks
    for each in (data, twin):
        kinetree.step(model, each, 20)
    assert everything(twin) == everything(data)


def test_hooks_without_a_name_are_not_pickled() -> None:
    model, data = running()
    data.hooks = kinetree.Hooks(control=lambda model, data: None)
    assert copy.deepcopy(data).hooks is data.hooks
    with pytest.raises(pickle.PicklingError, match=r"hooks of this Data cannot be pickled .* data\.hooks = None"):
        pickle.dumps(data)
    data.hooks = None
    kinetree.step(model, pickled(data))


@pytest.mark.parametrize("how", COPIES)
def test_copies_have_no_threads(how: str) -> None:
    model, data = running()
    with kinetree.Threads(2) as threads:
        data.threads = threads
        kinetree.step(model, data)
        twin = COPIES[how](data)
        assert twin.threads is None and twin.pool == 0
        kinetree.step(model, data, 10)
    kinetree.step(model, twin, 10)
    assert everything(twin) == everything(data)


def test_a_copy_that_a_hook_makes_can_be_stepped() -> None:
    """In the middle of a step of RK4."""
    model = kinetree.load_string(TEXT.replace("implicitfast", "RK4"))
    data = kinetree.Data(model)
    made: list[kinetree.Data] = []
    data.hooks = kinetree.Hooks(control=lambda _, data: made.append(copy.copy(data)))
    kinetree.step(model, data)
    for twin in made:
        twin.hooks = None
        kinetree.step(model, twin, 5)
        assert np.isfinite(twin.qpos).all() and twin.time > 5 * model.opt.timestep - 1e-9


# ---- other processes and versions ------------------------------------------------------------------------------------


def test_another_process_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    model, data = running()
    path = tmp_path / "both.pickle"
    path.write_bytes(pickle.dumps((model, data)))
    code = f"""
import pickle, sys
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
path = Path({str(path)!r})
model, data = pickle.loads(path.read_bytes())
import kinetree
kinetree.step(model, data, 50)
path.write_bytes(pickle.dumps(data))
"""
    done = subprocess.run([sys.executable, "-I", "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    kinetree.step(model, data, 50)
    assert everything(pickle.loads(path.read_bytes())) == everything(data)


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("change", ["VERSION", "fields"])
def test_pickles_of_another_version_are_refused_by_name(
    number: int, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    which = running()[number]
    kind = type(which).__name__
    if change == "VERSION":
        monkeypatch.setattr(pickles, "VERSION", 99)
    else:
        monkeypatch.setattr(pickles, "fingerprint", lambda kind: b"\1" * 16)
    old = pickle.dumps(which)
    monkeypatch.undo()
    with pytest.raises(pickle.UnpicklingError, match=rf"this pickle of a {kind} is of another version of Kinetree"):
        pickle.loads(old)


def test_pickles_of_later_versions_may_hold_anything() -> None:
    for restore, kind in (
        (kinetree.engine.model.model._unpickled, "Model"),
        (kinetree.engine.model.data._unpickled, "Data"),
    ):
        with pytest.raises(pickle.UnpicklingError, match=kind):
            restore((2, "ab"), 1, 2, 3)


# ---- contacts --------------------------------------------------------------------------------------------------------


MUJOCO_NAMES = {
    "dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp", "mu", "H", "dim",
    "geom1", "geom2", "geom", "flex", "elem", "vert", "exclude", "efc_address",
}  # fmt: skip


def test_contacts_have_the_names_of_mujoco() -> None:
    import mujoco

    assert {name for name in dir(mujoco.MjContact) if not name.startswith("_")} <= MUJOCO_NAMES
    model, data = running()
    theirs = mujoco.MjModel.from_xml_string(TEXT)
    state = mujoco.MjData(theirs)
    state.qpos[:] = data.qpos
    mujoco.mj_forward(theirs, state)
    kinetree.forward(model, data)
    assert {name for name in dir(data.contact) if not name.startswith("_")} == MUJOCO_NAMES
    for name in MUJOCO_NAMES:
        assert hasattr(data.contact, name) and hasattr(data.contact[0], name), name
        assert getattr(data.contact, name).shape == (data.ncon, *np.shape(getattr(data.contact[0], name)))
        assert np.shape(getattr(state.contact, name))[1:] == getattr(data.contact, name).shape[1:], name
    assert (data.contact.geom1 == state.contact.geom1).all() and (data.contact.geom2 == state.contact.geom2).all()
    for contact, i in zip(data.contact, range(len(data.contact)), strict=True):
        assert (contact.geom1, contact.geom2) == tuple(data.contact.geom[i])
        assert contact.dist == data.contact.dist[i] and type(contact.dim) is int
    assert not hasattr(data.contact, "geom3") and not hasattr(data.contact[0], "geom3")
    assert data.contact[-1].dist == data.contact.dist[-1]


def test_contacts_can_be_written() -> None:
    _, data = running()
    data.contact.mu = 3.0
    data.contact[0].dist = -1.0
    assert (data.contact_mu == 3.0).all() and data.contact_dist[0] == -1.0
    with pytest.raises(AttributeError, match="a contact has no 'dst'"):
        data.contact[0].dst = 1.0
    for i, error in ((data.ncon, IndexError), (-data.ncon - 1, IndexError), (1.5, TypeError), ("geom", TypeError)):
        with pytest.raises(error, match="contact"):
            data.contact[i]


def test_contacts_of_a_snapshot_have_the_names_that_it_keeps() -> None:
    model, data = running()
    snapshot = Snapshot(model, data)
    kinetree.reset(model, data)
    names = {name for name in dir(snapshot.contact) if not name.startswith("_")}
    assert names == MUJOCO_NAMES - {"solref", "solreffriction", "solimp", "H"} and len(snapshot.contact) > 0
    assert snapshot.contact.geom1.tolist() == snapshot.contact.geom[:, 0].tolist()
    assert not hasattr(snapshot.contact, "solref")
    with pytest.raises(ValueError, match="read-only"):
        snapshot.contact.dist = 0.0


def test_statistics_of_the_solver_have_names() -> None:
    _, data = running()
    assert {"niter", "improvement"} <= set(dir(data.solver)) and hasattr(data.solver, "niter")
    assert not hasattr(data.solver, "nothing")


def test_no_copy_waits_for_the_garbage_collector(tiny: Callable[[str], Path]) -> None:
    import gc
    import weakref

    model, data = running()
    gc.collect()
    gc.disable()
    try:
        twin, other = copy.copy(data), copy.copy(model)
        gone = [weakref.ref(twin), weakref.ref(other)]
        _ = twin.contact[0].dist
        del twin, other
        assert [each() for each in gone] == [None, None]
    finally:
        gc.enable()
