"""An axis whose numbers are the values that are drawn, in the unit of its name, for all plots and charts.

pyqtgraph scales the numbers of an axis by a power of ten. In 0.14 `enableAutoSIPrefix(False)` computes a scale
once more if the axis has a name already, and keeps it; the name does not tell it. This axis has no scale: small and
large numbers have a power of ten each. An axis at the side says how wide its numbers are, so that none is cut.
"""

from __future__ import annotations

import math
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Signal

from kinetree.app.widgets.readouts import tick_texts

BESIDE = 6  # the numbers of an axis at the side, pixels


class Axis(pg.AxisItem):
    """Axis of a plot. `needed(width)`: an axis at the side was painted, and its numbers and name need so many
    pixels.
    """

    needed = Signal(int)

    def __init__(self, orientation: str, **options: Any):
        super().__init__(orientation, **options)
        self._needed = 0
        self.autoSIPrefix = False

    def updateAutoSIPrefix(self) -> None:
        """Keep the scale of the axis at 1: no SI prefixes."""
        self.autoSIPrefixScale = 1.0

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.logMode:
            return super().tickStrings(values, 1.0, spacing)
        return tick_texts(values, spacing)

    def _updateMaxTextSize(self, x: Any) -> None:
        """Emit the width that the axis needs. pyqtgraph calls this with the widest number, also of those that it leaves
        out for want of room."""
        super()._updateMaxTextSize(x)
        if self.orientation in ("left", "right"):
            style: Any = self.style
            label: Any = self.label
            name = 0.8 * label.boundingRect().height() if label.isVisible() else 0.0
            width = math.ceil(x + max(0, style["tickLength"]) + style["tickTextOffset"][0] + name) + BESIDE
            if width != self._needed:
                self._needed = width
                self.needed.emit(width)
