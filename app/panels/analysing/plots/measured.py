"""Curves of measured data: columns of CSV files beside the simulated curves, read in a thread."""

from __future__ import annotations

import math
import time
from typing import ClassVar

import numpy as np

from kinetree.app.panels.analysing.plots.curves import Curve, MeasuredState, Points
from kinetree.app.panels.analysing.plots.recording import Quantity
from kinetree.engine.run.measured import (
    ColumnMapping,
    Difference,
    MeasuredData,
    decimated,
    difference,
    mapped,
    without_unit,
)
from kinetree.engine.run.series import Series, SeriesRun
from kinetree.engine.translation import tr

DIFFERENCE_EVERY = 1.0  # time between two computations of a difference while the simulation runs, s


class MeasuredCurve(Curve):
    """A column of a file as a curve.

    mapping  where its numbers are from
    beside   the label of the simulated curve that it is compared with, "" for none
    error    why there are no numbers, "" while there are, or are still to come
    """

    is_measured: ClassVar[bool] = True

    def __init__(self, state: MeasuredState):
        super().__init__(Quantity(state.mapping.value), 0, state.style, state.axis, state.is_visible)
        self.mapping, self.beside = state.mapping, state.beside
        self.error = ""
        self._times = self._values = np.empty(0)
        self._difference: Difference | None = None
        self._compared_at = -math.inf
        self._compared_end = math.nan

    def state(self) -> MeasuredState:
        """The stored state."""
        return MeasuredState(self.mapping, self.beside, self.style, self.axis, self.is_visible)

    def change(self, mapping: ColumnMapping, beside: str) -> None:
        """Use another mapping, until `show` brings its numbers."""
        self.mapping, self.beside, self.error = mapping, beside, ""
        self._compared_at = -math.inf

    def show(self, data: MeasuredData) -> None:
        """Show the numbers that were read."""
        self._times, self._values = mapped(data, self.mapping)
        self.error = ""
        self._compared_at = -math.inf

    def fail(self, reason: str) -> None:
        """Show why there are no numbers."""
        self._times = self._values = np.empty(0)
        self.error = reason

    @property
    def label(self) -> str:
        return tr("{name} (measured)", name=without_unit(self.mapping.value))

    @property
    def is_there(self) -> bool:
        return not self.error

    @property
    def unit(self) -> str:
        return self.mapping.unit

    @property
    def why_not_there(self) -> str:
        return self.error

    @property
    def span(self) -> tuple[float, float] | None:
        """First and last time, s."""
        return (float(self._times[0]), float(self._times[-1])) if len(self._times) else None

    def over_time(
        self, series: Series, start: float, end: float, most: int, timeline: list[SeriesRun] | None = None
    ) -> Points:
        if timeline is not None:  # an earlier run has the same data
            return np.empty(0), np.empty(0)
        return decimated(self._times, self._values, start, end, most)

    def raw(self, series: Series, start: float, end: float) -> Points:
        chosen = slice(np.searchsorted(self._times, start), np.searchsorted(self._times, end, "right"))
        return self._times[chosen], self._values[chosen]

    def value_at(self, series: Series, time: float) -> float:
        place = int(np.searchsorted(self._times, time, "right")) - 1
        return float(self._values[place]) if 0 <= place and math.isfinite(time) else math.nan

    def begin(self, series: Series) -> tuple[float, int] | None:
        return None

    def difference(self, series: Series, simulated: Curve | None) -> Difference | None:
        """The difference to the simulated curve, in MuJoCo's unit; computed again now and then while steps come."""
        if simulated is None or not len(self._times):
            return None
        now = time.monotonic()
        if series.end != self._compared_end and now - self._compared_at > DIFFERENCE_EVERY:
            self._compared_at, self._compared_end = now, series.end
            self._difference = difference(self._times, self._values, *simulated.raw(series, *self._range))
        return self._difference

    @property
    def _range(self) -> tuple[float, float]:
        edge = 1.0  # beyond the samples, s, so that they are between steps
        return float(self._times[0]) - edge, float(self._times[-1]) + edge

    @property
    def help(self) -> str:
        """The file, the column, and the mapping."""
        lines = [self.mapping.path, tr("column {name}", name=self.mapping.value)]
        if self.mapping.offset:
            lines.append(tr("times moved by {offset:g} s", offset=self.mapping.offset))
        if self.mapping.factor != 1.0:
            lines.append(tr("values times {factor:.6g}", factor=self.mapping.factor))
        if self.span is not None:
            lines.append(tr("from {start:.6g} s to {end:.6g} s", start=self.span[0], end=self.span[1]))
        return "\n".join(lines)
