"""The memory of the history is set in the window and kept in the settings."""

from PySide6.QtWidgets import QInputDialog

from app.settings.settings import HISTORY_MEMORY


def test_the_memory_of_the_history_is_asked_for_and_kept(make_window, model_file, qtbot, settings):
    window = make_window(model_file)
    window.simulation.set_running(False)
    window.simulation.step(20)
    qtbot.waitUntil(lambda: window.simulation.snapshot.step >= 20, timeout=20_000)
    window.actions_["sim.history"].trigger()
    (dialog,) = window.findChildren(QInputDialog)
    assert dialog.intValue() == HISTORY_MEMORY[1] and dialog.intMinimum() == HISTORY_MEMORY[0]
    dialog.setIntValue(300)
    dialog.accept()
    qtbot.waitUntil(lambda: settings.history_memory == 300, timeout=5_000)
    window.simulation.seek(7)
    qtbot.waitUntil(lambda: window.simulation.snapshot.step == 7, timeout=20_000)
    window.simulation.back(2)
    qtbot.waitUntil(lambda: window.simulation.snapshot.step == 5, timeout=20_000)
