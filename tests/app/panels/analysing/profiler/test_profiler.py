"""The profiler panel: times of all stages while it runs, the solver at every step, nothing while it is hidden."""

import numpy as np
import pytest

from kinetree.app.panels.analysing.profiler.panel import FIGURES, Fields, time_text
from kinetree.app.workers.simulation import requests


@pytest.fixture
def panel(paused, qtbot):
    dock = paused.docks["profiler"]
    dock.bring_up()
    panel = dock.panel
    qtbot.waitUntil(lambda: panel._is_ready)
    qtbot.waitUntil(lambda: panel.profile is not None)
    return panel


def test_every_stage_is_timed_without_disturbing_the_simulation(panel, qtbot):
    names = [row.name for _, row in panel.stages.model.indices()]
    assert {"kinematics", "solve", "actuation"} <= set(names)
    shares = [panel.stages.model.value(row)[1] for _, row in panel.stages.model.indices()]
    assert sum(shares) == pytest.approx(1.0)
    assert panel.simulation.snapshot.time == 0.0, "only a copy is stepped"
    assert "steps a second" in panel.summary.text()


def test_the_solver_is_shown_at_every_step(panel, qtbot):
    simulation = panel.simulation
    qtbot.waitUntil(lambda: panel._capture is not None)
    simulation.post(requests.StepRequest(50))
    qtbot.waitUntil(lambda: len(panel._rows) == 50)
    np.testing.assert_allclose(panel._rows[:, 0], 0.002 * np.arange(1, 51))
    contacts = panel.solver.curves[list(FIGURES).index("Contacts")]
    qtbot.waitUntil(lambda: contacts.xData is not None and len(contacts.xData) == 50)
    assert contacts.getData()[1][-1] == simulation.snapshot.ncon
    simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: simulation.snapshot.time == 0.0)
    simulation.post(requests.StepRequest(3))
    qtbot.waitUntil(lambda: len(panel._rows) == 3)


def test_a_hidden_profiler_asks_and_records_nothing(panel, qtbot):
    panel.window().docks["profiler"].close()
    qtbot.waitUntil(lambda: panel._capture is None)
    assert not panel._timer.isActive()


def test_charts_stand_below_each_other_in_a_narrow_panel(panel):
    from PySide6.QtCore import Qt

    panel.resize(300, 600)
    panel._lay_out()
    assert panel.splitter.orientation() == Qt.Orientation.Vertical
    panel.resize(900, 300)
    panel._lay_out()
    assert panel.splitter.orientation() == Qt.Orientation.Horizontal


def test_digits_stay_where_they_are():
    assert [time_text(each) for each in (1.234e-7, 4.5e-5, 2.5e-3)] == ["0.12 µs", "45.00 µs", "2,500.00 µs"]
    fields = Fields()
    texts = [fields.padded("time", time_text(each)) for each in (4.5e-5, 1.5e-6, 9.9e-6)]
    assert len({len(text) for text in texts}) == 1 and texts[1].strip() == "1.50 µs"


def test_the_last_run_stays_while_the_simulation_is_paused(panel, qtbot):
    simulation = panel.simulation
    simulation.post(requests.Play())
    qtbot.waitUntil(lambda: len(panel._rows) > 50)
    simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not simulation.snapshot.running and not panel._asked)
    panel._follow()
    profile, rows, text = panel.profile, panel._rows.copy(), panel.summary.text()
    serial = simulation.snapshot.serial
    simulation.post(requests.Publish())  # as each change of the window does
    simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: simulation.snapshot.serial > serial and simulation.snapshot.time == 0.0)
    panel._ask()
    assert not panel._asked and panel.profile is profile and panel.summary.text() == text
    np.testing.assert_array_equal(panel._rows, rows)


def test_legends_stand_above_the_charts(panel, qtbot):
    from kinetree.app.panels.analysing.profiler.charts import Chart

    for chart in panel.charts:
        assert all(name in chart.legend.text() for name in chart.names)
        assert chart.legend.geometry().bottom() < chart.plot.geometry().top()
    chart = Chart("title", ("one", "two <b>"), "s", panel, True)
    chart.resize(300, 200)
    chart.show()
    assert "two&nbsp;&lt;b&gt;" in chart.legend.text()
    low, high = chart.item.getViewBox().viewRange()[1]
    assert high - low >= 8.0, "the exponents of an empty chart"
    chart.show_curves(np.arange(1.0, 6.0), [10.0 ** -np.arange(5.0), np.full(5, np.nan)])
    qtbot.waitUntil(lambda: chart.item.getViewBox().viewRange()[1][0] > -5.0)


def test_iterations_are_whole_numbers(panel, qtbot):
    qtbot.waitUntil(lambda: bool(panel.charts))
    axis = panel.convergence.item.getAxis("bottom")
    for high in (1.4, 3.0, 60.0):
        ticks = [value for _, values in axis.tickValues(0.6, high, 300) for value in values]
        assert ticks and all(value == round(value) for value in ticks)
