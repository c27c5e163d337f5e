"""The controls panel: sliders, signals, recording and playing back."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from kinetree.app.panels.driving.controls.rows import PLAYED, SIGNS
from kinetree.app.workers.simulation import requests
from kinetree.engine.run.signals import Signal
from tests.app.conftest import save_over


@pytest.fixture
def panel(open_panel, qtbot):
    found = open_panel("controls")
    qtbot.waitUntil(lambda: found.model.rowCount() > 0)
    return found


def select(panel):
    panel.view.setCurrentIndex(panel.model.index(0, 0))
    return panel.model.rows[0]


def test_a_control_is_set_within_its_range(panel, paused, qtbot):
    row = select(panel)
    assert (row.low, row.high, row.limited) == (-2.0, 2.0, True)
    panel.sliders.step(row, 200, Qt.KeyboardModifier.NoModifier)
    qtbot.waitUntil(lambda: paused.simulation.snapshot.ctrl[0] == 2.0)


def test_a_signal_drives_until_a_hand_takes_over(panel, paused, qtbot):
    row = select(panel)
    bar = panel.bar
    assert bar.isVisible() and not bar.fields["amplitude"].isVisible()
    bar.shape.setCurrentIndex(bar.shape.findData("chirp"))
    bar.shape.activated.emit(bar.shape.currentIndex())
    assert paused.simulation.signals[0] == Signal("chirp", 0.0, 1.0) and row.mark() == SIGNS["chirp"]
    bar.fields["frequency"].typed.emit(0, "2")
    assert paused.simulation.signals[0].frequency == 2.0 and bar.fields["end_frequency"].isVisible()
    paused.simulation.post(requests.StepRequest(20))
    qtbot.waitUntil(lambda: paused.simulation.snapshot.ctrl[0] != 0.0)
    row.write(0.5)
    qtbot.waitUntil(lambda: paused.simulation.snapshot.ctrl[0] == 0.5)
    assert not paused.simulation.signals and row.mark() == "" and not bar.fields["frequency"].isVisible()


def test_signals_stay_over_an_edit_and_end_with_another_model(panel, paused, model_file, qtbot, tmp_path):
    signal = Signal("square", 0.0, 1.0)
    paused.simulation.post(requests.SetSignals({0: signal}))
    old = paused.simulation.model
    text = model_file.read_text()
    save_over(model_file, text.replace("<actuator>", '<actuator><motor name="other" joint="hinge"/>'))
    qtbot.waitUntil(lambda: paused.simulation.model is not old)
    assert paused.simulation.signals == {1: signal}
    other = tmp_path / "other.xml"
    other.write_text(text)
    paused.open(str(other))
    qtbot.waitUntil(lambda: paused.simulation.model.nu == 1)
    assert paused.simulation.signals == {}


def test_controls_are_recorded_saved_loaded_and_played_back(panel, paused, qtbot, tmp_path):
    simulation = paused.simulation
    simulation.post(requests.SetSignals({0: Signal("noise", 0.0, 1.0, 200.0)}))
    panel.toggle_recording()
    ready = []
    paused.workspace.questions.ask("ready", lambda: None, ready.append)
    qtbot.waitUntil(lambda: bool(ready))
    taken = simulation.snapshot.steps
    simulation.post(requests.StepRequest(25))
    qtbot.waitUntil(lambda: simulation.snapshot.steps == taken + 25)
    state = simulation.snapshot.qpos.copy()
    panel.toggle_recording()
    made = panel.series
    assert made.names == ("motor",) and len(made.times) == 25 and len(np.unique(made.values)) > 5
    panel.save_series(str(tmp_path / "controls.csv"))
    panel.series = None
    panel.load_series(str(tmp_path / "controls.csv"))
    qtbot.waitUntil(lambda: panel.series is not None)
    assert np.array_equal(panel.series.values, made.values)
    simulation.post(requests.ClearControls())
    simulation.post(requests.Reset())
    panel.toggle_playing()
    assert panel.play.isChecked() and panel.model.rows[0].mark() == PLAYED
    simulation.post(requests.StepRequest(25))
    qtbot.waitUntil(lambda: simulation.snapshot.steps == taken + 50)
    assert np.array_equal(simulation.snapshot.qpos, state)
    panel.toggle_playing()
    assert simulation.series is None
    said = []
    panel.said.connect(said.append)
    panel.load_series(str(tmp_path / "none.csv"))
    qtbot.waitUntil(lambda: bool(said))
    assert "cannot be read" in said[0]


def test_sliders_of_the_model_before_are_painted_while_the_new_one_has_none(panel, paused, model_file, qtbot):
    """The list follows a model when it has a turn; what was on the screen until then may have to be painted again."""
    simulation, painted = paused.simulation, []

    def paint() -> None:
        if simulation.snapshot is not None and simulation.snapshot.model.nu == 0 and panel.model.rowCount() == 1:
            painted.append(panel.view.grab())

    panel.workspace.idle_queue.ask = lambda _do: None  # no turn yet
    simulation.snapshot_changed.connect(paint)
    text = model_file.read_text()
    start, end = text.index("<actuator>"), text.index("</actuator>") + len("</actuator>")
    save_over(model_file, text[:start] + text[end:])
    qtbot.waitUntil(lambda: bool(painted))
    assert not painted[0].isNull()


def test_the_menu_of_a_row_of_the_model_before(panel, paused, qtbot, tmp_path):
    row, simulation = select(panel), paused.simulation
    bare = tmp_path / "bare.xml"
    bare.write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    paused.open(str(bare))
    qtbot.waitUntil(lambda: simulation.model.nu == 0 and simulation.snapshot.model is simulation.model)
    menu = QMenu()
    panel._add_to_menu(menu, [row])
    assert len(menu.actions()) == 3
