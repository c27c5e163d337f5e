"""How many threads share a step is set in the window and kept in the settings."""

import threading

from kinetree.app.panels.dialogs.settings_dialog import SettingsDialog
from kinetree.app.workers.simulation import requests


def helpers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name in ("step 1", "step 2")]


def test_threads_are_asked_for_kept_and_ended(make_window, model_file, qtbot, settings):
    window = make_window(model_file)
    window.simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not window.simulation.snapshot.running)
    window.actions_["sim.threads"].trigger()
    (dialog,) = window.findChildren(SettingsDialog)
    dialog.rows["physics_threads"].editor.setValue(2)
    assert settings.physics_threads == 2
    dialog.close()
    qtbot.waitUntil(lambda: len(helpers()) == 1)
    step_on(window, qtbot)
    settings.physics_threads = 1
    qtbot.waitUntil(lambda: not helpers())
    step_on(window, qtbot)
    settings.physics_threads = 2  # closing the window ends these
    qtbot.waitUntil(lambda: len(helpers()) == 1)


def step_on(window, qtbot) -> None:
    last = window.simulation.snapshot.step + 20
    window.simulation.post(requests.StepRequest(20))
    qtbot.waitUntil(lambda: window.simulation.snapshot.step == last)
