"""Lines of 1.5 pixels, antialiased, at the cost of thin ones.

Qt's raster engine strokes an antialiased line of more than one pixel as a polygon: eight noisy curves take half a
second. Lines of one pixel are drawn quickly. Three of them, half a pixel apart in both directions, look like
one of 1.5 pixels in each direction, and take a twentieth of the time.
"""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtGui import QPainter, QTransform

OFFSETS = ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5))
"""Where a line is drawn, device pixels."""


class PlotLine(pg.PlotCurveItem):
    """A curve of 1.5 pixels, or of one pixel where it is not `is_thick`. Its pen has the width 1."""

    def __init__(self, is_thick: bool):
        super().__init__(connect="finite", antialias=True)
        self.is_thick = is_thick

    def paint(self, p: QPainter, opt: Any, widget: Any) -> None:
        transform = p.transform()
        for x, y in OFFSETS if self.is_thick else OFFSETS[:1]:
            p.setTransform(transform * QTransform.fromTranslate(x, y))
            super().paint(p, opt, widget)
        p.setTransform(transform)
