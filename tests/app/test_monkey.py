"""A sample of the monkey at the window; `python -m tests.benchmark.monkey` goes on for 20,000 acts."""

import pytest
from PySide6.QtWidgets import QApplication

from tests.app.monkey import Monkey, close_all


@pytest.mark.slow("random input for a window")
@pytest.mark.parametrize("seed", [0])
def test_random_clicks_keys_and_drags_leave_a_window_that_answers(open_paused, model_file, rig, qtbot, seed):
    window = open_paused(model_file, size=(600, 400))
    failures = []
    window.workspace.failed.connect(lambda message, details: failures.append(f"{message}\n{details}"))
    monkey = Monkey(window, seed)
    for number in range(300):
        told = monkey.act()
        assert not failures, (number, told, failures[0])
    monkey.stop()
    close_all()
    QApplication.processEvents()
    window.workspace.opening.open(str(model_file))
    qtbot.waitUntil(lambda: window.simulation.snapshot is not None and window.simulation.snapshot.ready)
    assert not failures
