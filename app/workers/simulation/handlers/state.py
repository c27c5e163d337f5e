"""Handlers: the state, the inputs and the options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

import kinetree
from kinetree.app.workers.simulation.poser import POSE_FIELDS
from kinetree.engine import dynamics
from kinetree.engine.model.arguments import object_id
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore
    from kinetree.app.workers.simulation.loaded import Loaded
    from kinetree.app.workers.simulation.requests import (
        LoadKeyframe,
        Reset,
        SetControl,
        SetOption,
        SetState,
        SetValues,
    )


def reset_state(core: SimulationCore, loaded: Loaded, _request: Reset) -> None:
    _reset(core, loaded, None)


def load_keyframe(core: SimulationCore, loaded: Loaded, request: LoadKeyframe) -> None:
    _reset(core, loaded, request.key)


def _reset(core: SimulationCore, loaded: Loaded, key: int | str | None) -> None:
    kinetree.reset(loaded.model, loaded.data, key)
    if loaded.companion is not None:
        loaded.companion.reset(loaded.data, key)
    core.take_state(loaded, "" if key is None else name_of(loaded.model, "key", object_id(loaded.model, "key", key)))


def set_state(core: SimulationCore, loaded: Loaded, request: SetState) -> None:
    kinetree.reset(loaded.model, loaded.data)
    for name, value in request.state.items():
        if name == "time":
            loaded.data.time = float(value)
        else:
            getattr(loaded.data, name)[...] = value
    core.take_state(loaded, request.name)


def set_values(core: SimulationCore, loaded: Loaded, request: SetValues) -> None:
    _put(core, loaded, request.field, request.start, request.values)


def set_control(core: SimulationCore, loaded: Loaded, request: SetControl) -> None:
    _put(core, loaded, "ctrl", request.actuator, (request.value,))


def _put(core: SimulationCore, loaded: Loaded, field: str, start: int, values: Sequence[float]) -> None:
    if field in POSE_FIELDS and core.mode.refuses_poses(core):
        return
    core.is_stale = core.is_dirty = core.mouse.put(loaded, field, start, values, core.moves)
    if field == "ctrl":
        for actuator in range(start, start + len(values)):
            loaded.drive.set_signal(actuator, None, loaded.data.time)


def set_option(core: SimulationCore, loaded: Loaded, request: SetOption) -> None:
    name, value = request.name, request.value
    before = core.options(loaded)
    try:
        if not np.isfinite(value).all() or (name == "timestep" and not value > 0):
            raise ValueError(tr("the option {name} cannot be {value}", name=name, value=value))
        setattr(loaded.model.opt, name, value)
        if not loaded.shared.unsimulated:
            dynamics.unsimulated.refuse(loaded.model)
    except Exception:
        before.restore(loaded.model)
        raise
    core.is_stale = core.is_dirty = True
