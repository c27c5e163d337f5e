"""Panels of a window whose simulation is paused."""

import pytest

from kinetree.app.workers.simulation import requests


@pytest.fixture
def paused(make_window, model_file, rig, qtbot):
    """The window with the rig, paused at its start."""
    window = make_window(model_file, size=(1000, 700))
    window.simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not window.simulation.snapshot.running)
    window.simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: window.simulation.snapshot.time == 0.0)
    return window


@pytest.fixture
def open_panel(paused, qtbot):
    """open_panel(name): the panel of a dock, in view."""

    def open(name: str):
        dock = paused.docks[name]
        dock.bring_up()
        qtbot.waitUntil(lambda: dock.in_view and (not hasattr(dock.panel, "in_view") or dock.panel.in_view))
        return dock.panel

    return open
