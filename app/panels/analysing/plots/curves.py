"""Content of a plot, as data: curves, their looks, and the stored state."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from kinetree.app.panels.analysing.plots.recording import Quantity
from kinetree.app.settings.settings import parsed
from kinetree.engine.run.measured import ColumnMapping
from kinetree.engine.run.series import Series, SeriesRun
from kinetree.engine.translation import marked, tr

COLOURS = {
    "light": ("#1766d6", "#dc7304", "#10a25d", "#e0149a", "#6b4e00", "#5f1414", "#4a0a8a", "#4f4f4f"),
    "dark": ("#6db9ec", "#dd9339", "#33fb98", "#e13aa6", "#f2dc18", "#d42d3b", "#ad63fa", "#efefef"),
}
"""Colours of curves in each theme: they differ in hue and in lightness, so that each pair is told apart also with every
kind of colour blindness (`tests/app/panels/analysing/plots/test_colours.py`)."""
DASHES = 4
"""When the colours are used up, lines get dashes."""
MODES = {"time": marked("Over time"), "phase": marked("Phase plot: Y over X"), "spectrum": marked("Spectrum")}
AXES = (marked("Left axis"), marked("Right axis"), marked("Second right axis"), marked("Third right axis"))
Points = tuple[np.ndarray, np.ndarray]
MOST_COLUMNS = 64
"""Curves that one expression makes at most."""


NAMED = re.compile(r"""\b(?!contact\b)\w+\((["'])((?:(?!\1).)+)\1\)""")
"""An object in an expression, as `joint("knee")`."""
TOUCHING = re.compile(r"""\bcontact\(([^()]*)\)""")
"""Contacts in an expression, after their objects were shortened, as `contact("floor", foot)`."""


def _short(label: str) -> str:
    def sides(found: re.Match[str]) -> str:
        return "–".join(side.strip().strip("\"'") for side in found[1].split(","))

    return TOUCHING.sub(sides, NAMED.sub(r"\2", label))


def short_labels(labels: Sequence[str]) -> list[str]:
    """Labels with the names of objects alone, `knee.qpos` for `joint("knee").qpos` and `floor–foot.normal` for
    `contact("floor", "foot").normal`; the whole ones where two would be the same."""
    short = [_short(label) for label in labels]
    counts = Counter(short)
    return [short if counts[short] == 1 else label for label, short in zip(labels, short, strict=True)]


@dataclass(eq=False)
class Curve:
    """One column of a quantity in a plot.

    style  number of its colour, and of its dashes beyond the last colour
    axis   0: left, others: right, -1: chosen by its unit
    """

    quantity: Quantity
    column: int
    style: int
    axis: int = -1
    is_visible: bool = True

    @property
    def label(self) -> str:
        """Its expression."""
        expression = self.quantity.expression
        if expression is None or self.column >= expression.width:
            return self.quantity.text
        return expression.labels[self.column]

    @property
    def is_there(self) -> bool:
        """Whether the model has it."""
        expression = self.quantity.expression
        return expression is not None and self.column < expression.width

    @property
    def help(self) -> str:
        """The tooltip of its name."""
        return self.label

    @property
    def why_not_there(self) -> str:
        return self.quantity.error or tr("not in this model")

    @property
    def is_shown(self) -> bool:
        """Whether it is drawn."""
        return self.is_visible and self.is_there

    @property
    def unit(self) -> str:
        """Unit of the recorded curve, "" for none."""
        return self.quantity.units[self.column] if self.column < len(self.quantity.units) else ""

    is_measured: ClassVar[bool] = False
    """Whether it is read from a file, and not recorded."""

    def over_time(
        self, series: Series, start: float, end: float, most: int, timeline: list[SeriesRun] | None = None
    ) -> Points:
        """(times, values) between two times in about `most` points; by default of the newest timeline."""
        return series.curve(self.quantity, self.column, start, end, most, timeline)

    def raw(self, series: Series, start: float, end: float) -> Points:
        """(times, values) of every step of the newest timeline between two times."""
        return series.raw(self.quantity, self.column, start, end)

    def value_at(self, series: Series, time: float) -> float:
        return series.value_at(self.quantity, self.column, time)

    def begin(self, series: Series) -> tuple[float, int] | None:
        """Time and step of its first value in the newest timeline."""
        return series.begin_of(self.quantity)

    def colour(self, theme: str) -> str:
        """Colour of the curve, as #rrggbb."""
        colours = COLOURS[theme]
        return colours[self.style % len(colours)]

    @property
    def dashes(self) -> int:
        """0: a whole line; others: patterns."""
        return self.style // len(COLOURS["light"]) % DASHES


class MeasuredState(NamedTuple):
    """Stored state of a measured curve. beside: the label of the simulated curve, "" for none."""

    mapping: ColumnMapping
    beside: str
    style: int
    axis: int
    is_visible: bool


def read_measured(found: Sequence) -> MeasuredState:
    """The state that a stored list has. Raises ValueError or TypeError for something else."""
    mapping, beside, style, axis, visible = found
    path, time, value, offset, time_factor, factor, unit = mapping
    return MeasuredState(
        ColumnMapping(str(path), str(time), str(value), float(offset), float(time_factor), float(factor), str(unit)),
        str(beside), max(0, int(style)), int(axis), bool(visible),
    )  # fmt: skip


@dataclass
class PlotState:
    """Stored state of a plot. Curves: (text, column, style, axis, visible); measured: curves of files."""

    curves: list[tuple[str, int, int, int, bool]] = field(default_factory=list)
    mode: str = "time"
    measured: list[MeasuredState] = field(default_factory=list)


@dataclass
class PanelState:
    """Stored state of all plots of a model. span: visible seconds, 0 for all."""

    plots: list[PlotState] = field(default_factory=list)
    span: float = 10.0
    events: list[str] = field(default_factory=lambda: ["reset", "edit"])
    shows_earlier: bool = True

    def text(self) -> str:
        """Text of the state for the settings."""
        plots = [{"mode": plot.mode, "curves": plot.curves, "measured": plot.measured} for plot in self.plots]
        return json.dumps({"plots": plots, "span": self.span, "events": self.events, "earlier": self.shows_earlier})


def read_state(text: str) -> PanelState | None:
    """The state that a text tells; None where it tells none."""
    try:
        found = parsed(text)
        state = PanelState(
            [
                PlotState(
                    [
                        (str(text), int(column), int(style), int(axis), bool(visible))
                        for text, column, style, axis, visible in plot["curves"]
                    ],
                    plot["mode"] if plot["mode"] in MODES else "time",
                    [read_measured(each) for each in plot.get("measured", [])],
                )
                for plot in found["plots"]
            ],
            max(0.0, float(found["span"])),
            [str(kind) for kind in found["events"]],
            bool(found["earlier"]),
        )
        if any(min(column, style) < 0 for plot in state.plots for _, column, style, _, _ in plot.curves):
            return None
        return state
    except (ValueError, TypeError, KeyError):
        return None
