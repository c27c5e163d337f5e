"""Memory of plots over an hour of simulation. The steps are counted and not waited for: they are made up."""

import gc
import tracemalloc

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from kinetree.app.panels.analysing.plots.recording import Quantity

STEP = 0.005  # s
CHUNK = 10_000  # steps between two frames
TEXTS = ['joint("hinge").qpos', 'joint("hinge").qvel', "qpos[0:8]", "norm(qvel)"]
LIMIT = 10_000_000


@pytest.fixture
def panel(qtbot, paused):
    """Four plots of a simulation that stands still, with little memory."""
    paused.docks["plots"].bring_up()
    panel = paused.docks["plots"].panel
    qtbot.waitUntil(lambda: bool(panel.plots))
    while len(panel.plots) < len(TEXTS):
        panel.add_plot()
    for plot, text in zip(panel.plots, TEXTS, strict=True):
        plot.add(text)
    panel.recording.series.limit = LIMIT
    panel.recording.drain()
    qtbot.waitUntil(lambda: not panel.recording._later.isActive())
    return panel


def test_an_hour_of_four_plots_takes_no_more_memory_than_its_first_part(panel):
    series, random = panel.recording.series, np.random.default_rng(7)
    width = sum(quantity.expression.width for quantity in panel.recording.quantities)
    first = 1

    def run(minutes: float) -> int:
        """Go on for so long; the memory of the process that Python knows of, bytes."""
        nonlocal first
        for _ in range(round(60 * minutes / STEP / CHUNK)):
            steps = np.arange(first, first + CHUNK)
            values = random.normal(size=(CHUNK, width))
            counts = {"contact": random.integers(0, 3, CHUNK).astype(float)}
            series.append(steps * STEP, steps, values, counts)
            first += CHUNK
            panel.frames.now()
            QApplication.processEvents()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        early = run(20)
        late = run(40)
    finally:
        tracemalloc.stop()
    assert series.end == pytest.approx(3600.0, rel=1e-3)
    assert series.nbytes <= 1.1 * LIMIT  # the newest block is whole
    assert late - early < 1_000_000


def test_plots_that_come_and_go_leave_no_quantities(panel, qtbot):
    recording = panel.recording
    for number in range(5):
        plot = panel.add_plot()
        plot.add(f"qpos[{number % 2}:3] * {number + 2}")
        qtbot.waitUntil(lambda: not recording._later.isActive())
        steps = np.arange(1, 10) + 10 * number
        width = sum(each.expression.width for each in recording.quantities)
        recording.series.append(steps * STEP, steps, np.ones((9, width)))
        panel.remove_plot(plot)
        qtbot.waitUntil(lambda: not recording._later.isActive())
    qtbot.waitUntil(lambda: not recording.past.is_computing)
    del plot
    assert len(recording.quantities) == len(TEXTS)
    gc.collect()
    assert sum(isinstance(each, Quantity) for each in gc.get_objects()) == len(TEXTS)
