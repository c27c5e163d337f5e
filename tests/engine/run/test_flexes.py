"""Flexes in history, snapshots, reloaded and saved models: any step comes back to the bit."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.run.history import History
from kinetree.engine.run.snapshot import Snapshot
from kinetree.engine.run.transfer import transfer
from tests.oracle import flexes


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(flexes.TEXT)


def fallen(model):
    """A state with contacts."""
    data = kinetree.Data(model)
    kinetree.step(model, data, 40)
    assert data.ncon > 20
    return data


@pytest.mark.parametrize("cost", [0.0, 1e-5])
def test_every_step_comes_back_to_the_bit(model, cost):
    """Whether the history keeps each state, or computes most again."""
    model, history = model.with_own_options(), History()
    data = kinetree.Data(model)
    states, places, contacts = {}, {}, {}
    for k in range(60):
        if k == 30:
            data.xfrc_applied[model.names["body"].index("solid_4"), 2] = 20.0
        history.before_step(model, data, cost)
        states[history.position] = data.block("history").copy()  # with the inputs that it goes on with
        kinetree.step(model, data)
        history.after_step(data, 1)
        states[history.position] = data.block("history").copy()
    assert len(history) == (60 if cost == 0 else 1)
    for step in (60, 59, 31, 30, 29, 1, 45):
        data.flexvert_xpos[...] = np.nan
        assert history.seek(model, data, step) == step
        np.testing.assert_array_equal(data.block("history"), states[step])
        places[step], contacts[step] = data.flexvert_xpos.copy(), data.contact.pos.copy()
        fresh = kinetree.Data(model)
        fresh.qpos = data.qpos
        kinetree.forward(model, fresh)
        np.testing.assert_array_equal(places[step], fresh.flexvert_xpos)
        assert len(contacts[step]) == fresh.ncon
    history.seek(model, data, 45)
    np.testing.assert_array_equal(data.contact.pos, contacts[45])


def test_a_simulation_goes_on_from_the_past_the_same_way(model):
    model, history = model.with_own_options(), History()
    data = kinetree.Data(model)
    for _ in range(40):
        history.before_step(model, data, 1e-5)
        kinetree.step(model, data)
        history.after_step(data, 1)
    end = data.qpos.tobytes(), data.qvel.tobytes()
    history.seek(model, data, 17)
    kinetree.step(model, data, 23)
    assert (data.qpos.tobytes(), data.qvel.tobytes()) == end


def test_snapshots_are_copies_with_what_is_drawn(model):
    data = fallen(model)
    snapshot = Snapshot(model, data, serial=1, running=True, speed=1.0)
    place, elements = data.flexvert_xpos.copy(), data.contact.elem.copy()
    data.flexvert_xpos[...] = np.nan
    data.contact.elem[...] = -7
    np.testing.assert_array_equal(snapshot.flexvert_xpos, place)
    np.testing.assert_array_equal(snapshot.contact.elem, elements)
    assert (snapshot.contact.flex >= 0).any() and (snapshot.contact.vert >= 0).any()
    with pytest.raises(ValueError, match="read-only"):
        snapshot.flexvert_xpos[0] = 0.0


def test_a_reload_keeps_where_the_flexes_are(model):
    data = fallen(model)
    changed = kinetree.load_string(flexes.TEXT.replace('young="2e3"', 'young="3e3"'))
    after = kinetree.Data(changed)
    transfer(model, data, changed, after)
    np.testing.assert_array_equal(after.qpos, data.qpos)
    np.testing.assert_array_equal(after.qvel, data.qvel)


def test_a_reload_with_more_points_keeps_the_other_flexes(model):
    """The line gets one point more: its points, and all other flexes, stay where they are."""
    data = fallen(model)
    changed = kinetree.load_string(flexes.TEXT.replace('count="5 1 1"', 'count="6 1 1"'))
    after = kinetree.Data(changed)
    transfer(model, data, changed, after)
    kinetree.kinematics(changed, after)
    for name in ("sheet", "shell", "solid", "cell"):
        old, new = (one.names["flex"].index(name) for one in (model, changed))
        rows = [
            data_.flexvert_xpos[one.flex_vertadr[i] : one.flex_vertadr[i] + one.flex_vertnum[i]]
            for one, data_, i in ((model, data, old), (changed, after, new))
        ]
        kinetree.kinematics(model, data)
        np.testing.assert_array_equal(rows[0], rows[1])


def test_a_saved_model_goes_on_from_a_keyframe_to_the_bit(model, tmp_path):
    """Bits of positions, sensors and contacts of a .kmodel and of the text that it was made from."""
    data = fallen(model)
    text = flexes.with_keyframe(data.qpos, data.qvel)
    first = kinetree.load_string(text)
    kinetree.save(first, tmp_path / "model.kmodel")
    ends = []
    for one in (first, kinetree.load(tmp_path / "model.kmodel")):
        again = kinetree.Data(one)
        kinetree.reset(one, again, key="fallen")
        np.testing.assert_array_equal(again.qpos, data.qpos)
        kinetree.step(one, again, 10)
        ends.append([a.tobytes() for a in (again.qpos, again.flexvert_xpos, again.sensordata, again.contact.dist)])
    assert ends[0] == ends[1]
