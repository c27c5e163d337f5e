"""A compiled model is freed with the last reference to it: nobody has to wait for Python's garbage collector."""

import gc
import weakref
from collections.abc import Callable
from pathlib import Path

from kinetree.engine.jit.uncompiled import Lists, ListState
from kinetree.engine.model.noted import NotedModel
from kinetree.engine.storage.loading import load


def test_a_model_goes_with_its_last_reference(tiny: Callable[[str], Path]):
    gc.collect()
    gc.disable()
    try:
        model = load(tiny("cone_elliptic"))
        assert model.opt.timestep > 0 and model.stat.extent > 0 and model.mpex is not None
        fields = set()
        noted = NotedModel(model, fields.add)
        assert noted.opt.timestep == model.opt.timestep and "opt_timestep" in fields
        state = ListState(Lists(model))
        assert state.arrays.qpos.shape == (model.nq,) and state.arrays.qpos is state.arrays.qpos
        gone = [weakref.ref(each) for each in (model, noted, state)]
        del model, noted, state
        assert [each() for each in gone] == [None] * 3
    finally:
        gc.enable()
