"""The memory of the history is set in the window and kept in the settings."""

from kinetree.app.panels.dialogs.settings_dialog import SettingsDialog
from kinetree.app.settings.table import SETTING_BY_NAME
from kinetree.app.workers.simulation import requests


def test_the_memory_of_the_history_is_asked_for_and_kept(make_window, model_file, qtbot, settings):
    window = make_window(model_file)
    window.simulation.post(requests.Pause())
    window.simulation.post(requests.StepRequest(20))
    qtbot.waitUntil(lambda: window.simulation.snapshot.step >= 20)
    window.actions_["sim.history"].trigger()
    (dialog,) = window.findChildren(SettingsDialog)
    field, row = dialog.rows["history_memory"].editor, SETTING_BY_NAME["history_memory"]
    assert dialog.focusWidget() is field
    assert (field.value(), field.minimum(), field.maximum()) == (row.default, row.least, row.most)
    field.setValue(300)
    assert settings.history_memory == 300
    window.simulation.post(requests.Seek(7))
    qtbot.waitUntil(lambda: window.simulation.snapshot.step == 7)
    window.simulation.post(requests.StepBack(2))
    qtbot.waitUntil(lambda: window.simulation.snapshot.step == 5)
