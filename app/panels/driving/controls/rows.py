"""The sliders of controls, one for each actuator."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from kinetree.app.panels.live.rows import entries
from kinetree.app.panels.live.sliders import SliderRow
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.workspace.simulation_controller import SimulationController
    from kinetree.engine.model.model import Model

SIGNS = {"sine": "∿", "square": "⊓", "chirp": "≋", "noise": "⁙"}
PLAYED = "▶"


def control_rows(model: Model, simulation: SimulationController) -> Iterator[SliderRow]:
    """The sliders of all controls. Without a control range the slider goes from -1 to 1."""
    for actuator in range(model.nu):
        low, high = control_range(model, actuator)
        limited = bool(model.actuator_ctrllimited[actuator]) and low < high
        yield SliderRow(
            name_of(model, "actuator", actuator), entries("ctrl", actuator), "", Selection("actuator", actuator),
            f"ctrl[{actuator}]", low=low, high=high, limited=limited,
            write=lambda value, actuator=actuator: simulation.post(requests.SetControl(actuator, value)),
            mark=partial(_mark, simulation, actuator, int(model.actuator_group[actuator])),
        )  # fmt: skip


def control_range(model: Model, actuator: int) -> tuple[float, float]:
    """The control range; -1 to 1 without one."""
    low, high = (float(value) for value in model.actuator_ctrlrange[actuator])
    return (low, high) if model.actuator_ctrllimited[actuator] and low < high else (-1.0, 1.0)


def is_off(simulation: SimulationController, group: int) -> bool:
    """Whether a group of actuators is switched off: they produce no force."""
    snapshot = simulation.snapshot
    if snapshot is None or snapshot.model is not simulation.model:
        return False
    return 0 <= group <= 30 and bool(int(snapshot.opt.disableactuator) >> group & 1)


def _mark(simulation: SimulationController, actuator: int, group: int) -> str:
    # Nothing is looked up in the newest model: it may have fewer actuators than the rows that are painted.
    if is_off(simulation, group):
        return tr("off")
    signal = simulation.signals.get(actuator)
    if signal is not None:
        return SIGNS[signal.shape]
    return PLAYED if simulation.series is not None else ""
