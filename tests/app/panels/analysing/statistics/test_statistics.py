"""Statistics: what they read, and the drift of the energy."""

import pytest

from kinetree.app.workers.simulation import requests


@pytest.fixture
def panel(paused, qtbot):
    dock = paused.docks["statistics"]
    dock.bring_up()
    qtbot.waitUntil(lambda: dock.panel.in_view)
    dock.panel.refresh()
    return dock.panel


def values(panel):
    return {row.name: panel.model.value(row) for _, row in panel.model.indices()}


def test_the_figures_are_those_of_the_snapshot(panel, qtbot):
    simulation = panel.simulation
    simulation.post(requests.StepRequest(30))
    qtbot.waitUntil(lambda: simulation.snapshot.time > 0.05)
    panel.refresh()
    found, snapshot = values(panel), simulation.snapshot
    assert found["Time"] == snapshot.time and found["Contacts"] == snapshot.ncon
    assert found["Constraint rows"] == found["of equalities"] + found["of friction"] + found["of limits"] + (
        snapshot.nefc - snapshot.ne - snapshot.nf - snapshot.nl
    )
    assert found["Total"] is None and found["Applied error"] is None


def test_energy_is_switched_on_for_now_and_its_drift_told(panel, qtbot):
    simulation = panel.simulation
    text = panel.workspace.project.texts.text(panel.workspace.project.path)
    panel.energy.click()
    qtbot.waitUntil(lambda: bool(simulation.snapshot.opt.enableflags & 2))
    simulation.post(requests.StepRequest(1))
    qtbot.waitUntil(lambda: values(panel)["Total"] is not None and panel.zero is not None)
    begin = panel.zero
    simulation.post(requests.StepRequest(100))
    qtbot.waitUntil(lambda: simulation.snapshot.time > 0.2)
    panel.refresh()
    found = values(panel)
    assert found["Total"] == found["Potential"] + found["Kinetic"]
    assert found["Drift"] == found["Total"] - begin and found["Relative drift"].endswith("%")
    panel.again.click()
    assert values(panel)["Drift"] == 0.0
    panel.energy.click()
    qtbot.waitUntil(lambda: values(panel)["Total"] is None)
    assert panel.workspace.project.texts.text(panel.workspace.project.path) == text


def test_a_reset_begins_the_drift_anew(panel, qtbot):
    simulation = panel.simulation
    panel.energy.click()
    simulation.post(requests.StepRequest(50))
    qtbot.waitUntil(lambda: simulation.snapshot.time > 0.09 and panel.zero is not None)
    simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: simulation.snapshot.time == 0.0)
    simulation.post(requests.StepRequest(1))
    qtbot.waitUntil(lambda: 0 < simulation.snapshot.time < 0.01)
    panel.refresh()
    assert abs(values(panel)["Drift"]) < 1e-2
