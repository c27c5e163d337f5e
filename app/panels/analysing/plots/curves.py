"""Content of a plot, as data: curves, their looks, and the stored state."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from kinetree.app.panels.analysing.plots.recording import Quantity
from kinetree.app.settings.settings import parsed
from kinetree.engine.translation import marked

COLOURS = {
    "light": ("#0072b2", "#d55e00", "#007f5f", "#b5478b", "#8a6d00", "#3d5a80", "#7a4fb5", "#50555c"),
    "dark": ("#56b4e9", "#ff9d4d", "#35c79a", "#e58fc0", "#e8d44d", "#9fb8e0", "#b79cf0", "#c3c8ce"),
}
"""Colours of curves in each theme: told apart with every kind of colour blindness (after Okabe and Ito)."""
DASHES = 4
"""When the colours are used up, lines get dashes."""
MODES = {"time": marked("Over time"), "phase": marked("Phase plot: Y over X"), "spectrum": marked("Spectrum")}
AXES = (marked("Left axis"), marked("Right axis"), marked("Second right axis"), marked("Third right axis"))
MOST_COLUMNS = 64
"""Curves that one expression makes at most."""


NAMED = re.compile(r"""\b\w+\((["'])(.+?)\1\)""")
"""An object in an expression, as `joint("knee")`."""


def short_labels(labels: Sequence[str]) -> list[str]:
    """Labels with the names of objects alone, `knee.qpos` for `joint("knee").qpos`; the whole ones where two would be
    the same."""
    short = [NAMED.sub(r"\2", label) for label in labels]
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
    def unit(self) -> str:
        """Unit of the recorded curve, "" for none."""
        return self.quantity.units[self.column] if self.column < len(self.quantity.units) else ""

    def colour(self, theme: str) -> str:
        """Colour of the curve, as #rrggbb."""
        colours = COLOURS[theme]
        return colours[self.style % len(colours)]

    @property
    def dashes(self) -> int:
        """0: a whole line; others: patterns."""
        return self.style // len(COLOURS["light"]) % DASHES


@dataclass
class PlotState:
    """Stored state of a plot. Curves: (text, column, style, axis, visible)."""

    curves: list[tuple[str, int, int, int, bool]] = field(default_factory=list)
    mode: str = "time"


@dataclass
class PanelState:
    """Stored state of all plots of a model. span: visible seconds, 0 for all."""

    plots: list[PlotState] = field(default_factory=list)
    span: float = 10.0
    events: list[str] = field(default_factory=lambda: ["reset", "edit"])
    shows_earlier: bool = True

    def text(self) -> str:
        """Text of the state for the settings."""
        plots = [{"mode": plot.mode, "curves": plot.curves} for plot in self.plots]
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
