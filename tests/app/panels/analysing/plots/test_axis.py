"""Axes and read-outs of plots: the number that is drawn at a place is the value at that place, whatever its size, on one
axis or on four, and the legend, the axes and the lists agree."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from kinetree.app.widgets.readouts import number_text
from kinetree.app.workers.simulation import requests
from tests.app.conftest import MODEL

POWERS = (-14, -11, -9, -6, -4, -3, -1, 0, 2, 4, 6, 9, 14)


@pytest.fixture
def panel(qtbot, make_window, model_file):
    window = make_window(model_file, size=(1300, 800))
    window.docks["plots"].bring_up()
    panel = window.docks["plots"].panel
    qtbot.waitUntil(lambda: bool(panel.plots))
    panel.add_quantities(["time"])
    qtbot.waitUntil(lambda: panel.recording.series.count >= 100)
    return panel


def show(panel, texts, axes, qtbot):
    """A plot with these expressions on axes of their own, drawn."""
    plot = panel.plots[0]
    plot.remove(list(plot.curves))
    for text in texts:
        plot.add(text)
    assert len(plot.curves) == len(texts)
    for curve, axis in zip(plot.curves, axes, strict=True):
        curve.axis = axis
    plot.legend.changed.emit()
    recorded = panel.recording.series.count
    qtbot.waitUntil(lambda: panel.recording.series.count >= recorded + 20)

    def is_laid_out():
        redraw(panel)
        return all(len(drawn(axis)) >= 2 for axis in plot.canvas._axes[: len(texts)])

    qtbot.waitUntil(is_laid_out)
    return plot


def redraw(panel):
    panel.frames.outdate()
    panel.frames.now()
    panel.plots[0].canvas.grab()


def drawn(axis) -> list[tuple[float, str]]:
    """(value at the place, number that is drawn there) of an axis."""
    pixmap = QPixmap(10, 10)
    painter = QPainter(pixmap)
    if axis.style["tickFont"]:
        painter.setFont(axis.style["tickFont"])
    specs = axis.generateDrawSpecs(painter)
    painter.end()
    bounds = axis.mapRectFromParent(axis.geometry())
    low, high = axis.range
    found = []
    for rect, _flags, text in specs[2]:
        assert QRectF(axis.boundingRect()).contains(rect), "nothing is cut"
        if axis.orientation == "bottom":
            share = (rect.center().x() - bounds.left()) / bounds.width()
        else:
            share = (bounds.bottom() - rect.center().y()) / bounds.height()
        found.append((low + share * (high - low), text))
    return found


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_number_at_a_place_is_the_value_there(panel, qtbot, count):
    for power in POWERS:
        texts = [f"1.934e{power} * (1 + time)", f"-9.9e{-power} * time", f"4.5e{power}*time", "460 * time"][:count]
        plot = show(panel, texts, range(count), qtbot)
        canvas = plot.canvas
        for number, axis in enumerate(canvas._axes[:count]):
            low, high = axis.range
            found = drawn(axis)
            assert len(found) >= 2, (power, number)
            for value, text in found:
                assert float(text) == pytest.approx(value, abs=0.01 * (high - low)), (power, number, text)
            assert axis.labelText == "" and axis.labelUnits == "" and axis.labelUnitPrefix == ""
        for value, text in drawn(canvas.getAxis("bottom")):
            assert float(text) == pytest.approx(value, abs=0.01 * (canvas.end - canvas.start))


def test_a_unit_that_is_written_beside_an_axis_is_that_of_its_numbers(panel, qtbot):
    """A further axis came with a power of ten that nothing told: 0.00045 m read 460."""
    plot = panel.plots[0]
    plot.remove(list(plot.curves))
    names = ['joint("hinge").qpos', 'joint("hinge").qvel', 'body("box").xpos[2]', 'joint("hinge").qacc']
    for text in names:
        plot.add(text)
        recorded = panel.recording.series.count
        qtbot.waitUntil(lambda recorded=recorded: panel.recording.series.count >= recorded + 20)
        panel.frames.outdate()
        panel.frames.now()
        plot.canvas.grab()
    assert len({curve.unit for curve in plot.curves}) == 4
    plot.retheme()
    for degrees in (False, True):
        panel.units.set_degrees(degrees)
        for _ in range(3):
            panel.frames.outdate()
            panel.frames.now()
            plot.canvas.grab()
            QApplication.processEvents()
        for curve in plot.curves:
            axis = plot.canvas._axes[plot.canvas.axis_of(curve)]
            assert axis.labelText == panel.units.name(curve.unit) and axis.autoSIPrefixScale == 1.0
            low, high = axis.range
            for value, text in drawn(axis):
                assert float(text) == pytest.approx(value, abs=0.02 * (high - low)), curve.label


@pytest.mark.parametrize("power", POWERS)
def test_the_legend_and_the_lists_agree(panel, qtbot, power):
    panel.simulation.post(requests.Pause())
    plot = panel.plots[0]
    for mantissa in (1.934, -9.9):
        plot.legend.show_values(lambda _curve, value=mantissa * 10.0**power: value)
        (item,) = (plot.legend.topLevelItem(0),)
        text = item.text(1)
        number, unit = text.split()
        assert unit == "s" and float(number) == pytest.approx(mantissa * 10.0**power, rel=1e-12)
        assert number == number_text(mantissa * 10.0**power) and item.toolTip(1) == text


def test_left_axes_are_as_wide_as_the_widest_needs(panel, qtbot):
    other = panel.add_plot()
    other.add("-1.2345678e-14 * time")
    plot = show(panel, ["time"], [0], qtbot)

    def are_as_wide():
        redraw(panel)
        other.canvas.grab()
        return len({each.canvas._axes[0].width() for each in panel.plots}) == 1

    qtbot.waitUntil(are_as_wide)  # equal times stand below each other
    assert drawn(plot.canvas._axes[0]) and drawn(other.canvas._axes[0])


def test_the_right_axis_is_there_only_with_a_curve_of_its_own(panel, qtbot):
    plot = show(panel, ["time"], [0], qtbot)
    assert not plot.canvas.getAxis("right").isVisible()
    plot = show(panel, ["time", "2 * time"], [0, 1], qtbot)
    assert plot.canvas.getAxis("right").isVisible()


def test_values_of_a_narrow_legend_are_cut_behind(panel, qtbot):
    legend = panel.plots[0].legend
    legend.show_values(lambda _curve: -9.9e-14)
    for width in (320, 160, 100, 70):
        panel.plots[0].splitter.setSizes([900, width])
        legend.resize(width, 60)
        QApplication.processEvents()
        assert legend.visualItemRect(legend.topLevelItem(0)).isValid()
        right = legend.columnViewportPosition(1) + legend.columnWidth(1)
        assert right <= legend.viewport().width(), "no part of the column is outside"


def test_the_charts_of_the_profiler_have_no_hidden_powers_of_ten(make_window, tmp_path, qtbot):
    path = tmp_path / "rig.xml"
    path.write_text(MODEL)
    window = make_window(path, size=(1200, 760))
    window.docks["profiler"].bring_up()
    panel = window.docks["profiler"].panel
    qtbot.waitUntil(lambda: bool(getattr(panel, "charts", None)))
    charts = panel.charts.values() if isinstance(panel.charts, dict) else panel.charts
    for chart in charts:
        x = np.linspace(0.0, 4.5e-7, 50)
        chart.show_curves(x, [3e-11 * (1 + np.arange(50)) for _ in chart.curves])
        chart.plot.grab()
        for side in ("left", "bottom"):
            axis = chart.item.getAxis(side)
            low, high = axis.range
            if axis.logMode:
                continue
            for value, text in drawn(axis):
                assert float(text) == pytest.approx(value, abs=0.02 * (high - low)), (side, text)
