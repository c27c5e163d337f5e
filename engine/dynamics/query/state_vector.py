"""The state of a simulation as one vector of numbers. Like mj_getState, mj_setState and mj_stateSize.

state = kinetree.get_state(model, data, kinetree.State.INTEGRATION)
kinetree.step(model, data, 100)
kinetree.set_state(model, data, state, kinetree.State.INTEGRATION)      # 100 steps back
"""

from __future__ import annotations

import enum
import functools

import numpy as np

from kinetree.engine.model.arguments import numbers, whole
from kinetree.engine.model.data import Data, check_pair
from kinetree.engine.model.model import Model, check_model


class State(enum.IntFlag):
    """Parts of a state, in the order of their bits, with MuJoCo's numbers. `|` joins them.

    PHYSICS       qpos, qvel, act: what a step advances
    FULLPHYSICS   also the time and the state of plugins
    USER          what is set from outside
    INTEGRATION   all: from it a simulation continues to the same bits

    Source: specification, Computation, "Physics state"; API reference, mjtState.

    Example:
        model = kinetree.load("walker.xml")
        assert kinetree.state_size(model, kinetree.State.QPOS | kinetree.State.QVEL) == model.nq + model.nv
    """

    TIME = 1 << 0
    QPOS = 1 << 1
    QVEL = 1 << 2
    ACT = 1 << 3
    WARMSTART = 1 << 4
    CTRL = 1 << 5
    QFRC_APPLIED = 1 << 6
    XFRC_APPLIED = 1 << 7
    EQ_ACTIVE = 1 << 8
    MOCAP_POS = 1 << 9
    MOCAP_QUAT = 1 << 10
    USERDATA = 1 << 11
    PLUGIN = 1 << 12
    PHYSICS = QPOS | QVEL | ACT
    FULLPHYSICS = TIME | PHYSICS | PLUGIN
    USER = CTRL | QFRC_APPLIED | XFRC_APPLIED | EQ_ACTIVE | MOCAP_POS | MOCAP_QUAT | USERDATA
    INTEGRATION = FULLPHYSICS | USER | WARMSTART


_FIELDS = {State.WARMSTART: "qacc_warmstart", State.PLUGIN: "plugin_state"}
_PARTS = [_FIELDS.get(State(1 << bit), str(State(1 << bit).name).lower()) for bit in range(13)]
"""By bit: the field of Data that holds the part."""


def _fields(parts: int) -> list[str]:
    return _names(whole(parts, "the parts of a state", 0, (1 << len(_PARTS)) - 1))


@functools.cache
def _names(parts: int) -> list[str]:
    return [name for bit, name in enumerate(_PARTS) if parts >> bit & 1]


def get_state(model: Model, data: Data, parts: int = State.FULLPHYSICS) -> np.ndarray:
    """Return parts of the state as one vector (state_size(model, parts),), in SI units; truth values as 0 and 1.

    parts   which (State)

    Raises ValueError for unknown parts and for a Data of another model.

    Source: specification, API reference, mj_getState.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        state = kinetree.get_state(model, data, kinetree.State.INTEGRATION)
        kinetree.step(model, data, 10)
        kinetree.set_state(model, data, state, kinetree.State.INTEGRATION)  # 10 steps back
        assert data.time == 0.0
    """
    check_pair(model, data)
    values = [np.ravel(np.asarray(getattr(data, name), float)) for name in _fields(parts)]
    return np.concatenate([np.zeros(0), *values])


def set_state(model: Model, data: Data, state, parts: int = State.FULLPHYSICS) -> None:
    """Set parts of the state. Nothing else changes.

    state   (state_size(model, parts),) vector as `get_state` makes it, in SI units
    parts   which (State)

    Raises ValueError for unknown parts, for a vector of another length and for a Data of another model; then nothing is
    set.

    Source: specification, API reference, mj_setState.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        kinetree.set_state(model, data, model.qpos0 + 0.1, kinetree.State.QPOS)
        assert np.allclose(data.qpos, model.qpos0 + 0.1)
    """
    check_pair(model, data)
    names, state, at = _fields(parts), numbers(state, (state_size(model, parts),), "the state"), 0
    for name in names:
        if name == "time":
            data.time = state[at]
            at += 1
            continue
        array = getattr(data, name)
        values = state[at : at + array.size].reshape(array.shape)
        array[...] = values != 0 if name == "eq_active" else values
        at += array.size


def state_size(model: Model, parts: int = State.FULLPHYSICS) -> int:
    """Return the length of the vector of some parts of the state.

    parts   which (State)

    Raises ValueError for unknown parts.

    Source: specification, API reference, mj_stateSize.

    Example:
        model = kinetree.load("walker.xml")
        assert kinetree.state_size(model, kinetree.State.CTRL) == model.nu
    """
    check_model(model)
    sizes = {
        "time": 1, "qpos": model.nq, "qvel": model.nv, "act": model.na, "qacc_warmstart": model.nv, "ctrl": model.nu,
        "qfrc_applied": model.nv, "xfrc_applied": 6 * model.nbody, "eq_active": model.neq,
        "mocap_pos": 3 * model.nmocap, "mocap_quat": 4 * model.nmocap, "userdata": model.nuserdata,
        "plugin_state": model.npluginstate,
    }  # fmt: skip
    return sum(sizes[name] for name in _fields(parts))
