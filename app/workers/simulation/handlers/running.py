"""Handlers: running, pausing, and going through the timeline."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore
    from kinetree.app.workers.simulation.loaded import Loaded
    from kinetree.app.workers.simulation.requests import (
        End,
        Pause,
        Play,
        RunUntil,
        Seek,
        SetHistoryLimit,
        SetSpeed,
        SetThreads,
        StepBack,
        StepRequest,
    )
    from kinetree.engine.run.timeline import Mark


def play(core: SimulationCore, _request: Play) -> None:
    core.set_running(True)


def pause(core: SimulationCore, _request: Pause) -> None:
    core.set_running(False)


def step(core: SimulationCore, loaded: Loaded, request: StepRequest) -> None:
    if not core.running and core.ready:
        core.mode.step(core, loaded, request.count)


def step_back(core: SimulationCore, loaded: Loaded, request: StepBack) -> None:
    _seek(core, loaded, -request.count, relative=True)


def seek(core: SimulationCore, loaded: Loaded, request: Seek) -> None:
    _seek(core, loaded, request.to, relative=False)


def _seek(core: SimulationCore, loaded: Loaded, to: int | Mark, relative: bool) -> None:
    if core.ready:
        core.running, core.owed = False, 0
        core.mode.seek(core, loaded, to, relative)


def run_until(core: SimulationCore, loaded: Loaded, request: RunUntil) -> None:
    loaded.until = request.until
    core.is_dirty = True
    if request.until is not None:
        core.set_running(True)


def set_speed(core: SimulationCore, request: SetSpeed) -> None:
    loaded = core.loaded
    core.clock.set_speed(request.speed, time.perf_counter(), 0.0 if loaded is None else loaded.data.time)
    core.is_dirty = loaded is not None


def set_threads(core: SimulationCore, request: SetThreads) -> None:
    core.set_threads(request.number)


def set_history_limit(core: SimulationCore, request: SetHistoryLimit) -> None:
    core.history_limit = request.limit, request.seconds
    if core.loaded is not None:
        core.loaded.limit_history(request.limit, request.seconds)
        core.is_dirty = True


def end(core: SimulationCore, _request: End) -> None:
    core.is_ending = True
    core.set_threads(1)
