"""Handlers: what drives the controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinetree.app.workers import simulation
from kinetree.engine.run.signals import actuator_names

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore
    from kinetree.app.workers.simulation.loaded import Loaded
    from kinetree.app.workers.simulation.requests import (
        Awake,
        ClearControls,
        PlaySeries,
        SetController,
        SetNoise,
        SetSignals,
    )


def set_signals(_core: SimulationCore, loaded: Loaded, request: SetSignals) -> None:
    for actuator, signal in request.signals.items():
        loaded.drive.set_signal(actuator, signal, loaded.data.time)


def set_noise(_core: SimulationCore, loaded: Loaded, request: SetNoise) -> None:
    loaded.drive.set_noise(loaded.model, request.noise)


def play_series(_core: SimulationCore, loaded: Loaded, request: PlaySeries) -> None:
    loaded.drive.play(request.series, actuator_names(loaded.model), loaded.data.time, request.loops)


def set_controller(core: SimulationCore, loaded: Loaded, request: SetController) -> None:
    before, loaded.controller = loaded.controller, None
    if request.process is not None:
        loaded.controller = simulation.controlling.Controlling(request.process, core.wake)
        loaded.controller.show_model(loaded.model)
    if before is not None:
        before.process.kill()


def awake(_core: SimulationCore, _request: Awake) -> None:
    """The thread goes on by itself."""


def clear_controls(core: SimulationCore, loaded: Loaded, _request: ClearControls) -> None:
    loaded.drive.stop()
    controller, loaded.controller = loaded.controller, None
    if controller is not None:
        controller.process.kill()
    loaded.data.ctrl[:] = 0.0
    core.is_stale = core.is_dirty = True
