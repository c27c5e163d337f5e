"""Actions that go through the recorded states of the simulation."""

from __future__ import annotations

from collections.abc import Callable

from kinetree.app.actions.context import ActionContext
from kinetree.app.actions.dialogs import Dialogs
from kinetree.app.panels.driving.timeline.bar import TimelineBar
from kinetree.app.workers.simulation import requests

NEWEST = 1 << 60
"""Greater than the number of any step."""


class SimulationHandlers:
    """`table()` maps the ids of actions to their handlers."""

    def __init__(self, context: ActionContext, timeline: TimelineBar, dialogs: Dialogs):
        self.context, self.timeline, self.dialogs = context, timeline, dialogs
        self.simulation, self.settings = context.workspace.simulation, context.settings

    def table(self) -> dict[str, Callable]:
        simulation, settings, timeline = self.simulation, self.settings, self.timeline
        return {
            "sim.step_many": lambda: simulation.post(requests.StepRequest(settings.step_size)),
            "sim.back_many": lambda: simulation.post(requests.StepBack(settings.step_size)),
            "sim.previous_mark": lambda: timeline.go_to_mark(-1),
            "sim.next_mark": lambda: timeline.go_to_mark(1),
            "sim.oldest": lambda: simulation.post(requests.Seek(0)),
            "sim.newest": lambda: simulation.post(requests.Seek(NEWEST)),
            "sim.step_size": lambda: self.dialogs.show_settings("step_size"),
            "sim.history": lambda: self.dialogs.show_settings("history_memory"),
            "sim.until": timeline.ask_until,
            "sim.noise": self.switch_noise,
            "view.timeline": self.show_timeline,
        }

    def switch_noise(self, on: bool) -> None:
        """Noise on all controls, or none; its numbers are in the controls panel."""
        self.simulation.switch_noise(on)
        if on:
            dock = self.context.docks["controls"]
            dock.show()
            dock.raise_()

    def show_timeline(self, on: bool) -> None:
        """Show the timeline, or not, now and in future."""
        self.settings.shows_timeline = on
