"""The distances and angles that the user measures between points of the model, shown in all viewports."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine import run, scene

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model
    from kinetree.engine.scene.measure import Measurement, Point


class Measurements(QObject):
    """The distances and angles that the user measures. Lives in the GUI thread.

    wanted   points that the next measurement needs: 2 for a distance, 3 for an angle; 0 while nothing is measured
    pending  those that were picked for it
    hover    the point that the mouse means now
    made     the measurements

    Signals: `changed()`.
    """

    changed = Signal()

    def __init__(self, simulation: SimulationController, parent: QObject | None = None):
        super().__init__(parent)
        self._simulation = simulation
        self.wanted = 0
        self.pending: tuple[Point, ...] = ()
        self.hover: Point | None = None
        self.made: tuple[Measurement, ...] = ()
        simulation.model_changed.connect(self._take_model)

    def begin(self, wanted: int) -> None:
        """Measure distances (2) or angles (3) from now on; 0: nothing."""
        self.wanted, self.pending, self.hover = wanted, (), None
        self.changed.emit()

    def point_at(self, point: Point | None) -> None:
        """Set the point under the mouse."""
        if point != self.hover:
            self.hover = point
            self.changed.emit()

    def pick(self, point: Point) -> None:
        """Take a point; with the last one that is needed there is a measurement."""
        self.pending = (*self.pending, point)
        if len(self.pending) >= self.wanted:
            self.made, self.pending = (*self.made, scene.measure.Measurement(self.pending)), ()
        self.changed.emit()

    def give_up(self) -> None:
        """Forget the points that were picked; without any end measuring."""
        self.begin(self.wanted if self.pending else 0)

    def remove_last(self) -> None:
        """Take away the last point, or the last measurement."""
        if self.pending:
            self.pending = self.pending[:-1]
        else:
            self.made = self.made[:-1]
        self.changed.emit()

    def clear(self) -> None:
        """Take away all measurements."""
        self.pending, self.made = (), ()
        self.changed.emit()

    def set_made(self, made: tuple[Measurement, ...]) -> None:
        """Replace all measurements."""
        if made != self.made:
            self.made = made
            self.changed.emit()

    def text(self, in_degrees: bool) -> str:
        """All measurements, one a line, at the newest state; "" without one."""
        snapshot = self._simulation.snapshot
        if snapshot is None or snapshot.model is not self._simulation.model:
            return ""
        return scene.measure.lines(self.made, snapshot, in_degrees)

    def _take_model(self, old: Model | None, keep: bool) -> None:
        """Keep the points on their bodies in the next version of the model."""
        model = self._simulation.model
        self.pending, self.hover = (), None
        if not keep or old is None or model is None:
            self.wanted, self.made = 0, ()
        elif self.made:
            matching = run.matching.Matching(old, model)
            found = []
            for each in self.made:
                points = [replace(point, body=matching.new_id("body", point.body)) for point in each.points]
                if all(point.body >= 0 for point in points):
                    found.append(replace(each, points=tuple(points)))
            self.made = tuple(found)
        self.changed.emit()
