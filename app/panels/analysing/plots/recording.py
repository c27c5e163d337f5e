"""Records the quantities of plots at every step of the running simulation.

Steps that were not recorded come from the history (`past.py`). The simulation thread writes to a Recorder; with each
snapshot the new rows are computed and go to a Series. A quantity that several curves show is recorded once. An edit of
the model goes on with the recording, under the names that objects have now; another model begins a new one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kinetree.app.panels.analysing.plots.past import PlottedPast
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine import run
from kinetree.engine.run.capture import Capture
from kinetree.engine.run.expression import ExpressionError, parse
from kinetree.engine.run.expression_names import follow
from kinetree.engine.run.expression_tree import Expression
from kinetree.engine.run.quantity_units import is_count, units_of
from kinetree.engine.run.series import Series

MARKED = {"contact": "ncon", "limit": "nl"}
"""Events -> the count that grows with them."""


class Quantity:
    """An expression that is recorded. Its identity stays while an edit of the model changes its text.

    expression  None while the model does not have it; `error` says why
    units       of its columns as they are recorded, "" for none
    is_count    whether they are integers
    users       how many curves show it
    needs_other whether another choice of the model that is compared may change what it means
    """

    def __init__(self, text: str):
        self.text = text
        self.expression: Expression | None = None
        self.error = ""
        self.units: list[str] = []
        self.is_count = False
        self.users = 0

    @property
    def needs_other(self) -> bool:
        return self.expression is None or self.expression.reads_other

    @property
    def looks(self) -> tuple:
        """Properties of the quantity for a plot besides its values."""
        columns = () if self.expression is None else tuple(self.expression.labels)
        return self.text, self.error, tuple(self.units), self.is_count, columns

    def read(self, model, other) -> None:
        """Find out what the text means in a model and the one that is compared with it, None without."""
        self.expression, self.error, self.units = None, "", []
        if model is None:
            return
        try:
            self.expression = parse(model, self.text, other)
            self.units, self.is_count = units_of(model, self.expression, other), is_count(self.expression)
        except ExpressionError as error:
            self.error = str(error)


class PlotRecording(QObject):
    """Records the quantities of all plots. Lives in the GUI thread. `changed()`: other quantities are recorded, or they
    have other texts; `restarted()`: the recorded steps are gone.

    series  what was recorded; its keys are quantities
    """

    changed = Signal()
    restarted = Signal()

    def __init__(self, simulation: SimulationController, limit: int, parent: QObject | None = None):
        super().__init__(parent)
        self.simulation = simulation
        self.series = Series(limit)
        self.quantities: list[Quantity] = []
        self.refused = ""
        """Why nothing can be recorded, "" if it can."""
        self._capture: Capture | None = None
        self._on = False
        self._later = QTimer(self)  # several changes at once make one new recorder
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._renew)
        self.past = PlottedPast(simulation, self.series, self, self.drain)
        simulation.snapshot_changed.connect(self.drain)
        simulation.model_changed.connect(self._take_model)
        simulation.other_changed.connect(self._take_other)

    # ---- quantities --------------------------------------------------------------------------------------

    def use(self, text: str) -> Quantity:
        """The quantity of a text, recorded from now on."""
        for quantity in self.quantities:
            if quantity.text == text:
                break
        else:
            quantity = Quantity(text)
            quantity.read(self.simulation.model, self.simulation.other)
            self.quantities.append(quantity)
            self._renew_soon()
        quantity.users += 1
        return quantity

    def drop(self, quantity: Quantity) -> None:
        """Release a quantity for one curve; after the last curve it is not recorded any more."""
        quantity.users -= 1
        if not quantity.users:
            self.quantities.remove(quantity)
            self._renew_soon()

    def set_on(self, on: bool) -> None:
        """Record, or not while no plot is open."""
        if on != self._on:
            self._on = on
            self._renew()

    def _renew_soon(self) -> None:
        if not self._later.isActive():
            self._later.start(0)

    def _renew(self) -> None:
        """Record the present quantities with a new recorder."""
        self._later.stop()
        self._stop()
        model = self.simulation.model
        known = {each: each.expression for each in self.quantities if each.expression is not None}
        self.refused = ""
        if model is not None and self._on and known:
            marks = {kind: parse(model, count) for kind, count in MARKED.items()}
            try:
                self._capture = Capture(model, {**known, **marks}, self.simulation.other)
            except ValueError as error:
                self.refused, self._capture = str(error), None
            else:
                self.series.set_columns({each: expression.width for each, expression in known.items()})
                self.series.forget_all_but(self.quantities)
                self.simulation.post(requests.Record(self._capture.recorder))
                if self._capture.other_recorder is not None:
                    self.simulation.post(requests.RecordOther(self._capture.other_recorder))
                self.past.ask(self.quantities)
        self.changed.emit()

    def _stop(self) -> None:
        self.past.stop()
        if self._capture is not None:
            self.simulation.post(requests.StopRecording(self._capture.recorder))
            if self._capture.other_recorder is not None:
                self.simulation.post(requests.StopRecording(self._capture.other_recorder))
            self.drain()
            self._capture = None

    # ---- steps -------------------------------------------------------------------------------------------

    @Slot()
    def drain(self) -> None:
        """Take the steps that were recorded since the last time."""
        if self._capture is None:
            return
        rows = self._capture.read()
        if rows.lost:
            self.series.lost += rows.lost
            self.series.mark("lost")
        if len(rows.times):
            values, marks = np.split(rows.values, [-len(MARKED)], axis=1)
            rising = {kind: marks[:, k] for k, kind in enumerate(MARKED)}
            self.series.append(rows.times, rows.steps, np.ascontiguousarray(values), rising, self.past.resets)
            self.past.note_steps(int(rows.steps.min()))

    @property
    def begun_at(self) -> int:
        """The step at which the present run began: that of the last reset."""
        return (self.past.resets or [0])[-1]

    def compute_again(self, quantities: list[Quantity]) -> None:
        """Replace the recorded values of quantities by those that the history gives."""
        self.drain()
        for each in quantities:
            self.series.forget(each)
        self.past.ask(self.quantities)

    def clear(self) -> None:
        """Forget what was recorded."""
        self.past.stop()
        self.drain()
        self.series.clear()
        self.restarted.emit()

    @Slot(object, bool)
    def _take_model(self, old, keep: bool) -> None:
        model = self.simulation.model
        if not keep or old is None or model is None:
            self._stop()
            self.series.clear()
            for quantity in self.quantities:
                quantity.read(model, self.simulation.other)
            self._renew()
            self.restarted.emit()
            return

        self.drain()
        matching = run.matching.Matching(old, model)
        before = [each.looks for each in self.quantities]
        same = self._follow(lambda expression: follow(expression, matching), model) and matching.keeps_places
        self.series.mark("edit")
        if not same:
            self._renew()
        elif before != [each.looks for each in self.quantities]:
            self.changed.emit()

    @Slot()
    def _take_other(self) -> None:
        """Read the quantities that compare again: another model is compared, or none."""
        found = [each for each in self.quantities if each.needs_other]
        for quantity in found:
            quantity.read(self.simulation.model, self.simulation.other)
        if found:
            self._renew()

    def _follow(self, followed: Callable[[Expression], str], model) -> bool:
        """Parse the texts again; whether the recorder, which follows too, still records the same quantities."""
        same = True
        for quantity in self.quantities:
            before = quantity.expression
            if before is not None:
                quantity.text = followed(before)
            quantity.read(model, self.simulation.other)
            after = quantity.expression
            same = same and before is not None and after is not None and before.computes_as(after)
        return same
