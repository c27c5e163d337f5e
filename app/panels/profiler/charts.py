"""The charts of the profiler, drawn by pyqtgraph: the solver over time, and how its last step converged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from app.panels.plots.curves import COLOURS
from app.settings import theme


class Chart(pg.PlotWidget):
    """Some curves with a legend. `names`: of the curves; `unit_x`: what is written below."""

    def __init__(self, title: str, names: Sequence[str], unit_x: str, parent: QWidget, logarithmic: bool = False):
        super().__init__(parent)
        self.names, self._unit = tuple(names), unit_x
        self.item = cast(Any, self.getPlotItem())
        self._is_logarithmic = logarithmic
        self.setMinimumSize(120, 90)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(title)
        self.setToolTip(title)
        self.item.setMenuEnabled(False)
        self.item.hideButtons()
        self.item.setMouseEnabled(False, False)
        self.item.setLogMode(False, logarithmic)
        self.legend = self.item.addLegend(offset=(-6, 4), labelTextSize="8pt")
        self.curves = [self.item.plot([], [], name=name) for name in names]
        self.retheme()

    def retheme(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        self.setBackground(colours.base)
        for side in ("left", "bottom"):
            axis = self.item.getAxis(side)
            axis.setPen(pg.mkPen(colours.line))
            axis.setTextPen(pg.mkPen(colours.dim))
        self.item.setLabel("bottom", self._unit, color=colours.dim)
        self.item.showGrid(x=False, y=True, alpha=0.15)
        self.legend.setLabelTextColor(QColor(colours.text))
        for number, curve in enumerate(self.curves):
            colour = COLOURS[colours.name][number % len(COLOURS[colours.name])]
            curve.setPen(pg.mkPen(colour, width=1.5))
            if self._is_logarithmic:
                curve.setSymbol("o")
                curve.setSymbolSize(4)
                curve.setSymbolBrush(QColor(colour))
                curve.setSymbolPen(None)

    def show_curves(self, x: np.ndarray, values: Sequence[np.ndarray]) -> None:
        """Draw other numbers. On a logarithmic axis those that are not above 0 are left out."""
        for curve, y in zip(self.curves, values, strict=True):
            shown = y > 0 if self._is_logarithmic else np.isfinite(y)
            curve.setData(np.asarray(x, float)[shown], np.asarray(y, float)[shown])
