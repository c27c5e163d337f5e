"""Actions that go through the recorded states of the simulation."""

from __future__ import annotations

from collections.abc import Callable

from kinetree.app.actions.context import ActionContext
from kinetree.app.actions.dialogs import Dialogs
from kinetree.app.panels.driving.timeline.bar import TimelineBar
from kinetree.app.workers.simulation import requests
from kinetree.engine.editing.key_states import add_key, next_name, state_of
from kinetree.engine.translation import tr

NEWEST = 1 << 60
"""Greater than the number of any step."""


class SimulationHandlers:
    """Handlers that go through the recorded states of the simulation. `table()` maps ids of actions to them."""

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
            "sim.loop_span": timeline.play_loop,
            "sim.clear_span": timeline.track.clear,
            "sim.save_key": self.save_key,
            "view.timeline": self.show_timeline,
        }

    def switch_noise(self, on: bool) -> None:
        """Switch the noise on all controls on or off; the controls panel sets its parameters."""
        self.simulation.switch_noise(on)
        if on:
            dock = self.context.docks["controls"]
            dock.show()
            dock.raise_()

    def save_key(self) -> None:
        """Save the state that is shown into the text as a new keyframe."""
        project, snapshot = self.context.workspace.project, self.simulation.snapshot
        document = project.document
        if document is None or snapshot is None or snapshot.model is not self.simulation.model:
            return
        name = next_name(document)
        try:
            project.apply(tr("Keyframe {name}", name=name), add_key(document, name, state_of(snapshot)))
        except ValueError as error:
            self.context.report(str(error))
        else:
            self.context.say(tr("Saved the keyframe {name} into the model; Keyframes renames it", name=name))

    def show_timeline(self, on: bool) -> None:
        """Show the timeline, or not, now and in future."""
        self.settings.shows_timeline = on
