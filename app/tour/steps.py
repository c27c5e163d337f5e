"""The table of the tour's steps, in order. The mark, the watches and the tests read it."""

from __future__ import annotations

from dataclasses import dataclass

from kinetree.app.tour import watches
from kinetree.engine.packaged import packaged
from kinetree.engine.translation import marked

MODEL = packaged("resources", "tour", "lamp.xml")
"""The model of the tour: one file without others that it refers to."""


@dataclass(frozen=True, slots=True)
class TourStep:
    """One step.

    text    what to do. `{pull}` and other names of gestures, and ids of actions such as `{sim.toggle}`, stand for their
            present titles and keys
    place   where the mark points, see `app/tour/places.py`; "" for the middle of the viewport
    watch   makes what sees that the user did it
    panels  docks that the step needs in view
    runs    whether the simulation has to run
    """

    name: str
    title: str
    text: str
    place: str
    watch: type[watches.StepWatch]
    panels: tuple[str, ...] = ()
    runs: bool = False


STEPS: tuple[TourStep, ...] = (
    TourStep(
        "push",
        marked("Pull the lamp"),
        marked(
            "Select the head of the lamp ({mouse.select}), then pull it: {mouse.pull}, on trackpads {mouse.pull_too}. "
            "Its motors bring it back."
        ),
        "body:head",
        watches.PushWatch,
        runs=True,
    ),
    TourStep(
        "edit",
        marked("Change a value"),
        marked(
            "The ball is selected, and the Inspector shows its attributes. Type another number for size and press "
            "Enter: the simulation runs on with the new model. {edit.undo} takes it back."
        ),
        "attribute:size",
        watches.EditWatch,
        panels=("inspector",),
    ),
    TourStep(
        "plot",
        marked("Plot a sensor"),
        marked(
            "Drag “turn” from the Sensors into the Plots, or right-click it and choose Plot. Every step is recorded: "
            "pull the lamp again to see it swing."
        ),
        "dock:sensors",
        watches.PlotWatch,
        panels=("plots", "sensors"),
        runs=True,
    ),
    TourStep(
        "pose",
        marked("Pose it by hand"),
        marked(
            "Pause with {sim.toggle}. Now the same drag poses the lamp: its joints follow within their limits. "
            "{sim.toggle} again, and it runs on from there."
        ),
        "body:head",
        watches.PoseWatch,
    ),
    TourStep(
        "record",
        marked("Record it"),
        marked(
            "The past is kept: drag the timeline to go back. File > Save Video… makes a video of it, File > Record "
            "Viewport… records while you work."
        ),
        "menu:File",
        watches.RecordWatch,
    ),
)

END = (
    marked("That was the tour"),
    marked(
        "{help.keys} lists all keys and gestures, {view.palette} finds any action by its name. The lamp is a model "
        "like any other: go on with it, or close it."
    ),
)
"""Title and text after the last step."""
