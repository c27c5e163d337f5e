"""Recorded values equal those read step by step, to the bit; memory is fixed, readers never wait."""

import sys
import threading

import numpy as np
import pytest

import kinetree
from kinetree.engine.model.fields import select
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.recorder import IN_USE, Recorder, channel, step

TEXT = """<mujoco><option><flag energy="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="1 0 .5"><joint name="j" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/><site name="s"/></body>
</worldbody><actuator><motor joint="j"/></actuator>
<sensor><jointpos joint="j"/><framelinacc objtype="site" objname="s"/></sensor></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(TEXT)


FIELDS = [
    "time", "qpos", "qvel[2:5]", "xpos[1]", "geom_xpos[1,2]", "sensordata", "energy", "ncon", "solver_niter",
    "eq_active", "warning[4,1]", "contact_dist[2]", "efc_type[0]", "contact_geom[1]", "cvel[2,0:3]",
]  # fmt: skip
SUMS = [
    "sum(efc_force)",
    "norm(qvel)",
    "min(contact_dist)",
    "max(xpos)",
    "sum(contact_dim)",
    "norm(sensordata[1:4])",
]


def expected(data, text):
    """The value of a channel, computed in Python."""
    operation, _, inner = text.partition("(")
    name, _, index = (inner.rstrip(")") if inner else text).partition("[")
    value = np.asarray(getattr(data, name), float)
    if index:
        try:
            value = eval(f"value[{index}", {"value": value})
        except IndexError:  # a contact that is not there
            value = np.full(value.shape[1:], np.nan)
    value = np.ravel(value)
    if not inner:
        return value
    if operation in ("min", "max"):
        return [getattr(np, operation)(value) if value.size else np.nan]
    total = 0.0
    for x in value:
        total += x * x if operation == "norm" else x
    return [np.sqrt(total) if operation == "norm" else total]


@pytest.mark.parametrize("calls", [[50], [1] * 50, [7, 3, 40]])
def test_rows_are_what_stepping_one_by_one_reads(model, calls):
    data, other = kinetree.Data(model), kinetree.Data(model)
    recorder = Recorder(model, [*FIELDS, *SUMS], capacity=100)
    for each in (data, other):
        each.ctrl[0], each.qvel[0] = 0.5, 1.0
    for count in calls:
        step(model, data, count, [recorder])
    chunk = recorder.read()
    assert chunk.values.shape == (50, len(recorder.columns)) and chunk.first == chunk.lost == 0
    for i in range(50):
        kinetree.step(model, other)
        row = np.concatenate([expected(other, text) for text in FIELDS])
        np.testing.assert_array_equal(chunk.values[i, : len(row)], row)
        sums = np.concatenate([expected(other, text) for text in SUMS])
        np.testing.assert_allclose(chunk.values[i, len(row) :], sums, rtol=1e-14)
        assert chunk.times[i] == other.time and chunk.steps[i] == i + 1
    assert data.block("history").tobytes() == other.block("history").tobytes()


def test_it_goes_on_when_arrays_grow_and_over_an_automatic_reset(model):
    data = kinetree.Data(model)
    for name in ("nconmax", "njmax"):
        data.resize(name, 1)
    recorder = Recorder(model, ["ncon", "sum(efc_force)", "nreset"])
    step(model, data, 20, [recorder])
    data.qvel[0] = np.nan
    step(model, data, 20, [recorder])
    values = recorder.read().values
    assert len(values) == 40 and values[:, 0].max() >= 4 and values[-1, 2] == 1
    fresh = kinetree.Data(model)
    kinetree.step(model, fresh, 20)
    assert values[19, 1] == fresh.efc_force.sum()


def test_the_ring_keeps_the_newest_and_counts_what_is_lost(model):
    data = kinetree.Data(model)
    recorder = Recorder(model, ["time"], capacity=16)
    bytes_before = recorder.nbytes
    step(model, data, 10, [recorder])
    chunk = recorder.read()
    assert (chunk.first, chunk.lost, chunk.next, len(chunk.times)) == (0, 0, 10, 10)
    step(model, data, 30, [recorder])
    chunk = recorder.read(chunk.next)
    assert (chunk.first, chunk.lost, chunk.next) == (24, 14, 40)
    np.testing.assert_array_equal(chunk.steps, np.arange(25, 41))
    assert len(recorder.read(chunk.next).times) == 0
    assert recorder.nbytes == bytes_before
    with pytest.raises(ValueError, match="read-only"):
        chunk.values[0, 0] = 1


def test_every_so_many_steps_only(model):
    data = kinetree.Data(model)
    recorder = Recorder(model, ["time"], every=5)
    step(model, data, 12, [recorder])
    step(model, data, 9, [recorder])
    assert recorder.read().steps.tolist() == [5, 10, 15, 20]


def test_several_recorders_and_none(model):
    data = kinetree.Data(model)
    one, two = Recorder(model, ["time"]), Recorder(model, ["qpos[0]"], capacity=3)
    step(model, data, 4, [one, two])
    step(model, data, 4)
    step(model, data, 1, [two])
    assert one.read().steps.tolist() == [1, 2, 3, 4]
    assert two.read().steps.tolist() == [3, 4, 5]
    assert data.recorder == 0
    one.step = 100
    step(model, data, 1, [one])
    assert one.read(4).steps.tolist() == [101]


def test_a_reader_in_another_thread_never_sees_a_row_being_written(model):
    data = kinetree.Data(model)
    recorder = Recorder(model, ["time", "qpos[0]", "time"], capacity=64)
    done, wrong, rows = threading.Event(), [], [0]

    def read():
        first = 0
        while not done.is_set():
            chunk = recorder.read(first)
            first = chunk.next
            rows[0] += len(chunk.times)
            if not (
                np.array_equal(chunk.values[:, 0], chunk.times)
                and np.array_equal(chunk.values[:, 2], chunk.times)
                and np.array_equal(chunk.steps, np.arange(chunk.first + 1, chunk.next + 1))
            ):
                wrong.append(chunk)

    old = sys.getswitchinterval()
    thread = threading.Thread(target=read)
    thread.start()
    try:
        sys.setswitchinterval(1e-5)
        for _ in range(300):
            step(model, data, 50, [recorder])
    finally:
        sys.setswitchinterval(old)
        done.set()
        thread.join()
    assert not wrong and rows[0] > 0


def test_every_output_can_be_recorded(model):
    names = [
        f.name if not f.grows else f"{f.name}[0]" for f in select(lambda f: f.role in ("state", "input", "output"))
    ]
    recorder = Recorder(model, names, capacity=4)
    data = kinetree.Data(model)
    step(model, data, 2, [recorder])
    assert recorder.read().values.shape[1] == len(recorder.columns) == len(set(recorder.columns))
    capacities = {f.shape[0] for f in select(lambda f: f.grows and f.role == "output")}
    assert capacities <= set(IN_USE)


def test_columns_follow_their_objects_through_an_edit(model):
    new = kinetree.load_string(
        TEXT.replace(
            "<worldbody>",
            "<worldbody><body name='b' pos='9 9 9'><freejoint name='f'/><geom name='g' size='.1'/></body>",
        ).replace("<jointpos", "<clock name='c'/><jointpos")
    )
    channels = ["time", "qpos", "sensordata", "geom_xpos[1:3]", "sum(qvel)", "norm(sensordata[1:4])", "ncon"]
    recorder, data = Recorder(model, channels, 100), kinetree.Data(model)
    step(model, data, 3, [recorder])
    recorder.follow(Matching(model, new))
    after = kinetree.Data(new)
    after.qpos[-3:] = 0.3
    for number in range(4):
        step(new, after, 1, [recorder])
        row = recorder.read(3 + number).values[0]
        own = np.concatenate([after.qpos[7:], after.sensordata[1:], after.geom_xpos[2:4].ravel()])
        np.testing.assert_array_equal(row[1 : 1 + len(own)], own)
        assert row[1 + len(own)] == pytest.approx(after.qvel.sum())
    recorder.follow(Matching(new, model))
    recorder.follow(Matching(model, kinetree.load_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")))
    assert recorder.read().values.shape == (7, len(recorder.columns))


def test_columns_of_what_is_gone_are_nan(model):
    bare = kinetree.load_string(TEXT[: TEXT.index("<sensor>")] + "</mujoco>")
    recorder = Recorder(model, ["sensordata", "qpos[0]"], 100)
    recorder.follow(Matching(model, bare))
    data = kinetree.Data(bare)
    step(bare, data, 2, [recorder])
    values = recorder.read().values
    assert np.isnan(values[:, :-1]).all() and values[1, -1] == data.qpos[0]


def test_columns_are_named(model):
    recorder = Recorder(model, ["qpos[7]", "xpos[1,0:2]", "max(ctrl)", "time"])
    assert recorder.columns == ["qpos[7]", "xpos[1,0]", "xpos[1,1]", "max(ctrl)", "time"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nothing", "no field"), ("seg_J[0]", "no field"), ("collision_function", "no field"), ("qpos[", "like"),
        ("qpos[99]", "0 to 7"), ("qpos[-1]", "0 to 7"), ("qpos[a]", "like"), ("qpos[3:2]", "0 to 7"),
        ("qpos[1,2]", "1 dimensions"), ("xpos[0:2,1]", "last"), ("mean(qpos)", "not one of"), ("sum(qpos", "not a field"),
        ("qpos)", "not a field"), ("efc_force", "changes"), ("", "not a field"), ("time[0]", "dimensions"),
    ],
)  # fmt: skip
def test_what_cannot_be_recorded_is_refused(model, text, says):
    with pytest.raises((ValueError, KeyError), match=says):
        channel(model, text)


def test_memory_and_numbers_out_of_range_are_refused(model):
    with pytest.raises(ValueError, match="MB"):
        Recorder(model, ["xpos"], capacity=1 << 40)
    for bad in ({"capacity": 0}, {"every": 0}):
        with pytest.raises(ValueError, match="at least 1"):
            Recorder(model, ["time"], **bad)
