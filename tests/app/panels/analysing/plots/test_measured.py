"""Measured data in a plot of a real window: dropped, mapped, compared, remembered, and refused with a reason."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from kinetree.app.panels.analysing.plots.curves import read_state
from kinetree.app.panels.analysing.plots.data_dialog import DataDialog
from kinetree.app.workers.simulation import requests

HINGE = 'joint("hinge").qpos'


@pytest.fixture
def panel(open_panel, qtbot):
    panel = open_panel("plots")
    qtbot.waitUntil(lambda: bool(panel.plots))
    return panel


@pytest.fixture
def plot(panel, qtbot):
    """A plot with the first second of the hinge."""
    plot = panel.plots[0]
    plot.add(HINGE)
    panel.simulation.post(requests.StepRequest(500))
    qtbot.waitUntil(lambda: panel.recording.series.end > 0.99)
    return plot


@pytest.fixture
def log(plot, panel, tmp_path):
    """A file with the angle of the hinge in degrees, 0.1 rad too much, on a clock that began 100 s earlier."""
    times, values = panel.recording.series.raw(plot.curves[0].quantity, 0, 0.0, 1e9)
    rows = [f"{1000 * (t + 100):.3f},{math.degrees(x + 0.1)!r}" for t, x in zip(times[::5], values[::5], strict=True)]
    path = tmp_path / "log.csv"
    path.write_text("t [ms],angle (deg)\n" + "\n".join(rows) + "\n")
    return str(path)


def dropped(plot, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path)])
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    plot.dropEvent(QDropEvent(QPointF(20, 20), Qt.DropAction.CopyAction, data, buttons, modifiers))


def dialog_of(panel, qtbot):
    def found():
        return [each for each in panel.findChildren(DataDialog) if each.isVisible()]

    qtbot.waitUntil(lambda: bool(found()))
    return found()[0]


def test_a_file_that_is_dropped_becomes_a_curve_beside_the_simulated_one(panel, plot, log, qtbot):
    dropped(plot, log)
    dialog = dialog_of(panel, qtbot)
    assert (dialog.time.currentText(), dialog.time_unit.currentText()) == ("t [ms]", "ms")
    assert (dialog.value.currentText(), dialog.unit.currentData()) == ("angle (deg)", "deg")
    assert dialog.beside.currentData() == HINGE
    dialog.offset.setValue(-100.0)
    dialog.accept()
    qtbot.waitUntil(lambda: len(plot.curves) == 2 and plot.curves[1].span is not None)
    simulated, measured = plot.curves
    assert measured.unit == simulated.unit == "rad"
    assert measured.colour("dark") == simulated.colour("dark") and measured.dashes and not simulated.dashes
    plot.refresh(values=True)
    difference = measured.difference(panel.recording.series, simulated)
    assert difference.rms == pytest.approx(0.1, rel=1e-3)
    row = plot.legend.topLevelItem(1)
    assert row.text(0) == "angle (measured)"
    assert row.text(1).startswith("RMS 0.1") and row.text(1).endswith("rad")
    assert "RMS difference 0.1" in row.toolTip(0) and log in row.toolTip(0)
    x, y = plot.canvas._items[measured][0].getData()
    assert len(x) == 100 and np.isfinite(y).all() and 0.0 <= x[0] < 0.01
    plot.set_cursor(0.5)
    assert not plot.legend.topLevelItem(1).text(1).startswith("RMS")


def test_the_mapping_is_remembered_and_the_file_read_again(panel, plot, log, qtbot):
    dropped(plot, log)
    dialog = dialog_of(panel, qtbot)
    dialog.offset.setValue(-100.0)
    dialog.accept()
    qtbot.waitUntil(lambda: len(plot.curves) == 2 and plot.curves[1].span is not None)
    panel.remembered.save()
    kept = read_state(panel.settings.of_model(panel.remembered.path, "plots"))
    assert kept.plots[0].measured == [plot.curves[1].state()]
    again = panel.add_plot(kept.plots[0])
    qtbot.waitUntil(lambda: again.curves[1].span == plot.curves[1].span)
    panel.remove_plot(again)


def test_a_mistake_in_a_file_is_told_with_its_line(panel, plot, tmp_path, qtbot):
    path = tmp_path / "bad.csv"
    path.write_text("time,angle\n" + "".join(f"{k},1\n" for k in range(20)) + "20,none\n")
    dropped(plot, str(path))
    dialog_of(panel, qtbot).accept()
    qtbot.waitUntil(lambda: len(plot.curves) == 2 and bool(plot.curves[1].error))
    assert "bad.csv:22: 'none' in the column 'angle' is not a number" in plot.curves[1].error
    assert plot.curves[1].error in plot.legend.topLevelItem(1).toolTip(0)


def test_a_file_that_is_no_table_is_refused_with_the_reason(panel, plot, tmp_path, qtbot):
    path = tmp_path / "picture.csv"
    path.write_bytes(bytes(range(256)))
    told = []
    panel.said.connect(told.append)
    dropped(plot, str(path))
    qtbot.waitUntil(lambda: bool(told))
    assert "is not a text" in told[0]
    assert len(plot.curves) == 1


def test_measured_data_alone_has_the_unit_of_the_file(panel, qtbot, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("time,height (mm)\n0,100\n1,200\n")
    plot = panel.plots[0]
    panel.data_files.ask_columns(plot, str(path))
    dialog = dialog_of(panel, qtbot)
    mapping = dialog.mapping()
    assert (mapping.unit, mapping.factor) == ("m", 0.001)
    dialog.accept()
    qtbot.waitUntil(lambda: bool(plot.curves) and plot.curves[0].span == (0.0, 1.0))
    plot.mode.setCurrentIndex(plot.mode.findData("phase"))
    plot.mode.setCurrentIndex(plot.mode.findData("spectrum"))
    plot.refresh(values=True)
    plot.remove(list(plot.curves))
