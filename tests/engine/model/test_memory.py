"""The memory of models: what is set together, taken over, and looked at as a whole."""

from itertools import pairwise

import numpy as np
import pytest

import kinetree
from kinetree.engine.compile import memory_estimate
from kinetree.engine.model.fields import TABLES
from kinetree.engine.model.layout import layout_of
from kinetree.engine.model.model import Model

TEXT = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>"


def test_arrays_lie_apart_and_aligned():
    model = kinetree.load_string(TEXT)
    places = sorted((a.ctypes.data, a.nbytes) for _, a in model._arrays.items() if a.size)
    assert all(start % 64 == 0 for start, _ in places)
    assert all(one + size <= two for (one, size), (two, _) in pairwise(places))


def test_the_table_of_addresses_is_that_of_the_arrays():
    model = kinetree.load_string(TEXT)
    for slot, field in enumerate(TABLES["Model"]):
        address, length = model._table[slot].tolist()
        if field.kind == "size":
            assert address == model._sizes[field.name] == getattr(model, field.name)
        elif field.kind == "cell":
            assert address == model._cells[field.name].ctypes.data
        elif (array := model._arrays[field.name]).size:
            assert address == array.ctypes.data
            assert length == (len(array) if field.inner else array.size)


def test_columns_are_set_together_and_refused_where_they_do_not_fit():
    model = kinetree.load_string(TEXT)
    model.put({"body_mass": [3.0, 4.0], "geom_pos": [(1.0, 2.0, 3.0)]})
    assert model.body_mass.tolist() == [3, 4]
    assert model.geom_pos.tolist() == [[1, 2, 3]]
    with pytest.raises(ValueError):
        model.put({"body_mass": [1.0, 2.0, 3.0]})


def test_a_model_begins_like_another():
    one = kinetree.load_string("<mujoco><option timestep='0.5' gravity='1 2 3'/></mujoco>")
    two = Model({"nbody": 3})
    two.begin_like(one)
    assert two.opt.timestep == 0.5
    assert two.opt.gravity.tolist() == [1, 2, 3]
    two.opt.timestep = 1.0
    assert one.opt.timestep == 0.5


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_one_number_that_is_not_finite_is_seen(bad):
    model = kinetree.load_string(TEXT)
    assert model.all_finite()
    for name in ("opt_gravity", "jnt_range", "geom_fluid"):
        array = getattr(model, name)
        old = array.flat[-1]
        array.flat[-1] = bad
        assert not model.all_finite()
        array.flat[-1] = old


def test_the_room_of_arrays_is_their_number_of_bytes():
    sizes = {word: 3 + k for k, word in enumerate(layout_of("Model").dimensions) if isinstance(word, str)}
    assert layout_of("Model").nbytes(sizes) == sum(
        each * int(np.prod([sizes[word] for word in words]))
        for words, arrays in memory_estimate._shapes("Model").items()
        for each in arrays.values()
    )
