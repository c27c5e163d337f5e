"""Watches of the steps of the tour: each class sees in the state of the window that the user did one thing, and can do
it for the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog

from kinetree.app.actions.context import ActionContext
from kinetree.app.panels.plot_docks import PlotDocks
from kinetree.app.tour.pull import Pull
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.engine.document.element_edit import SetAttribute
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots.panel import PlotsPanel

BODY, GEOM, LARGER, QUANTITY = "head", "ball", "0.07", "sensor('turn')"
"""Objects that "Show Me" pulls, changes and plots."""


class StepWatch(QObject):
    """Waits for one thing that the user does. `done()`: it is done; may come more than once.

    can_show  whether `show_me` can do it for the user
    """

    done = Signal()

    def __init__(self, context: ActionContext, plots: PlotDocks, parent: QObject):
        super().__init__(parent)
        self.context, self.plots = context, plots
        self.workspace, self.simulation = context.workspace, context.workspace.simulation
        self.is_on = True
        self.begin()

    @property
    def can_show(self) -> bool:
        return True

    def begin(self) -> None:
        """Prepare the window, and look at the state from now on."""

    def show_me(self) -> None:
        """Do it for the user."""

    def end(self) -> None:
        """Wait no more, and end what `show_me` began."""
        self.is_on = False

    def number(self, kind: str, name: str) -> int:
        """The id of an object of the model, -1 if it has none of this name."""
        model = self.simulation.model
        names = [] if model is None else model.names[kind]
        return names.index(name) if name in names else -1

    @property
    def holds(self) -> bool:
        """Whether the mouse holds a body in any viewport."""
        return any(view.perturb is not None and bool(view.perturb.active) for view in self.workspace.views)


class _PullingWatch(StepWatch):
    """Pulls the head of the lamp to show it."""

    def begin(self) -> None:
        self.pull = Pull(self.workspace.view, self.context.viewport, self)
        self.simulation.snapshot_changed.connect(self.look)

    @property
    def can_show(self) -> bool:
        return self.number("body", BODY) > 0

    def look(self) -> None:
        """A new state of the simulation is there."""
        raise NotImplementedError

    def end(self) -> None:
        super().end()
        self.pull.end()


class PushWatch(_PullingWatch):
    """A body was pulled by a force while the simulation ran, and is free again."""

    def begin(self) -> None:
        super().begin()
        self._was_pulled = False

    def look(self) -> None:
        snapshot = self.simulation.snapshot
        if not self.is_on or snapshot is None:
            return
        self._was_pulled |= snapshot.running and bool(snapshot.xfrc_applied.any())
        if self._was_pulled and not self.holds:
            self.done.emit()

    def show_me(self) -> None:
        self.simulation.post(requests.Play())
        self.pull.begin(self.number("body", BODY))


class EditWatch(StepWatch):
    """The text was edited, and the simulation runs on with the new model."""

    def begin(self) -> None:
        self._is_edited = False
        number = self.number("geom", GEOM)
        if number >= 0:
            self.workspace.selection.select(Selection("geom", number))
        self.workspace.project.edited.connect(self._take_edit)
        self.simulation.model_changed.connect(self._take_model)

    @property
    def can_show(self) -> bool:
        return self.number("geom", GEOM) >= 0

    def _take_edit(self, _transaction: object, backward: bool) -> None:
        self._is_edited = not backward

    def _take_model(self, _old: object, keep: bool) -> None:
        if self.is_on and keep and self._is_edited:
            self.done.emit()

    def show_me(self) -> None:
        model, number = self.simulation.model, self.number("geom", GEOM)
        origin = None if model is None or model.provenance is None else model.provenance.origin("geom", number)
        if origin is not None:
            self.workspace.project.apply(tr("Change size"), [SetAttribute(origin.node, "size", LARGER)])


class PlotWatch(_PullingWatch):
    """Steps of a quantity were recorded that no plot had before."""

    def begin(self) -> None:
        super().begin()
        self._before = set(self._plotted())
        self._waits = False  # to pull the body as soon as steps are recorded

    def _plotted(self) -> list[str]:
        """The quantities in the panels of plots that steps were recorded of."""
        panels = [cast("PlotsPanel", dock.widget()) for dock in self.plots.all() if dock.widget() is not None]
        return [
            quantity.text
            for panel in panels
            for quantity in panel.recording.quantities
            if any(quantity in rows.columns for rows in panel.recording.series.rows())
        ]

    def look(self) -> None:
        if not self.is_on or self._before.issuperset(self._plotted()):
            return
        if self._waits:
            self._waits = False
            self.pull.begin(self.number("body", BODY))
        elif not self.holds:
            self.done.emit()

    def show_me(self) -> None:
        self._waits = True
        self.plots.show([QUANTITY])
        self.simulation.post(requests.Play())


class PoseWatch(_PullingWatch):
    """A pose was set by hand while the simulation stood still."""

    def begin(self) -> None:
        super().begin()
        snapshot = self.simulation.snapshot
        self._before = 0 if snapshot is None or snapshot.running else snapshot.poses[0]
        self._waits = False  # to pull the body as soon as the simulation stands still

    def look(self) -> None:
        snapshot = self.simulation.snapshot
        if not self.is_on or snapshot is None:
            return
        if snapshot.running:
            self._before = 0  # poses can be taken back until it runs on
        elif self._waits:
            self._waits = False
            self.pull.begin(self.number("body", BODY))
        elif snapshot.poses[0] > self._before and not self.holds:
            self.done.emit()

    def show_me(self) -> None:
        self._waits = True
        self.simulation.post(requests.Pause())
        self.simulation.post(requests.Publish())


class RecordWatch(StepWatch):
    """A dialog about a video or a motion was opened, or the window is being filmed."""

    ACTIONS = ("file.video", "file.film", "file.film_window", "sim.save_motion")

    def begin(self) -> None:
        for name in self.ACTIONS:
            self.context.actions[name].triggered.connect(self._look)

    def _look(self) -> None:
        dialogs = self.context.parent.findChildren(QDialog)
        is_filmed = not self.context.frame.recording.isHidden()
        if self.is_on and (is_filmed or any(dialog.isVisible() for dialog in dialogs)):
            self.done.emit()

    def show_me(self) -> None:
        self.context.actions["file.video"].trigger()
