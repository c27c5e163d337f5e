"""The charts of the profiler, drawn by pyqtgraph: the solver over time, and how its last step converged."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, cast

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from kinetree.app.panels.analysing.plots.axis import Axis
from kinetree.app.panels.analysing.plots.curves import COLOURS
from kinetree.app.panels.analysing.plots.drags import leave_to_parent
from kinetree.app.settings import theme


class _Counts(Axis):
    """An axis of whole numbers."""

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        return [(max(1.0, spacing), 0.0) for spacing, _ in super().tickSpacing(minVal, maxVal, size)][:1]


class Chart(QWidget):
    """Some curves below their legend. `names`: of the curves; `unit_x`: what is written below. On a logarithmic chart
    they are over whole numbers."""

    def __init__(self, title: str, names: Sequence[str], unit_x: str, parent: QWidget, logarithmic: bool = False):
        super().__init__(parent)
        self.names, self._unit = tuple(names), unit_x
        self.plot = pg.PlotWidget(
            self, axisItems={"left": Axis("left"), "bottom": (_Counts if logarithmic else Axis)("bottom")}
        )
        self.item = cast(Any, self.plot.getPlotItem())
        self._is_logarithmic = logarithmic
        self.setMinimumSize(120, 90)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setFrameShape(QFrame.Shape.NoFrame)
        leave_to_parent(self.plot)
        self.setAccessibleName(title)
        self.setToolTip(title)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAutoFillBackground(True)
        self.legend = QLabel(self)
        self.legend.setWordWrap(True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setContentsMargins(8, 4, 4, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.legend)
        column.addWidget(self.plot, 1)
        self.item.setMenuEnabled(False)
        self.item.hideButtons()
        self.item.setMouseEnabled(False, False)
        self.item.setLogMode(False, logarithmic)
        self.curves = [self.item.plot([], []) for _ in names]
        if logarithmic:  # powers of ten until there are curves, and not each number from 1 to 10
            self.item.getViewBox().setRange(yRange=(-8.0, 0.0), disableAutoRange=False)
        self.retheme()

    def retheme(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        self.plot.setBackground(colours.base)
        palette = self.palette()
        palette.setColor(self.backgroundRole(), QColor(colours.base))
        self.setPalette(palette)
        for side in ("left", "bottom"):
            axis = self.item.getAxis(side)
            axis.setPen(pg.mkPen(colours.line))
            axis.setTextPen(pg.mkPen(colours.dim))
        self.item.setLabel("bottom", self._unit, color=colours.dim)
        self.item.showGrid(x=False, y=True, alpha=0.15)
        marks = [
            f'<span style="color: {COLOURS[colours.name][number % len(COLOURS[colours.name])]}">■</span>&nbsp;'
            f"{escape(name).replace(' ', '&nbsp;')}"
            for number, name in enumerate(self.names)
        ]
        self.legend.setText(f'<span style="font-size: small">{" &nbsp; ".join(marks)}</span>')
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
