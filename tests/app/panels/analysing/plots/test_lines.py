"""Lines of plots look 1.5 pixels wide in each direction, and are drawn by Qt's quick way for thin lines."""

import numpy as np
import pyqtgraph as pg
import pytest

from kinetree.app.panels.analysing.plots.lines import PlotLine


def ink(qtbot, is_thick: bool, slope: float) -> float:
    """The area of a line that is drawn across a picture, per pixel of its length."""
    view = pg.PlotWidget()
    qtbot.addWidget(view)
    view.hideAxis("left")
    view.hideAxis("bottom")
    view.resize(200, 200)
    view.setBackground("k")
    view.setRange(xRange=(0, 1), yRange=(0, 1), padding=0)
    line = PlotLine(is_thick)
    line.setPen(pg.mkPen("w", width=1))
    view.addItem(line)
    line.setData(np.array([0.2, 0.6]), np.array([0.5 - 0.2 * slope, 0.5 + 0.2 * slope]))
    image = view.grab().toImage()
    area = sum(image.pixelColor(x, y).lightnessF() for x in range(60, 100) for y in range(image.height()))
    return area / (40 * np.hypot(1.0, slope))


@pytest.mark.parametrize("slope", [0.0, 1.0, -1.0, 2.0])
def test_a_line_is_a_half_wider_than_a_thin_one(qtbot, slope):
    thin, thick = ink(qtbot, False, slope), ink(qtbot, True, slope)
    assert 1.2 < thick / thin < 2.1


def test_the_pen_is_one_pixel_wide_which_is_the_quick_way(qtbot, open_panel):
    panel = open_panel("plots")
    qtbot.waitUntil(lambda: bool(panel.plots))
    panel.plots[0].add("qpos[0]")
    item, earlier = panel.plots[0].canvas._items[panel.plots[0].curves[0]]
    assert item.opts["pen"].widthF() == 1.0 and item.opts["antialias"] and item.is_thick
    assert not earlier.is_thick
