"""The panel of controls and joints by itself."""

import engine
from app.panels.values import ValuesPanel


def colours(panel) -> int:
    image = panel.controls.view.viewport().grab().toImage()
    return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())})


def test_a_model_without_actuators_says_so(qtbot):
    panel = ValuesPanel()
    qtbot.addWidget(panel)
    panel.resize(240, 120)
    panel.show()
    assert colours(panel) == 1
    panel.set_model(engine.load_string('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>'))
    assert panel.controls.view.empty == "This model has no actuators."
    assert panel.joints.view.empty == "This model has no joints."
    assert colours(panel) > 2


def test_a_tab_shows_the_newest_values_when_it_is_turned_to(make_window, model_file, rig, qtbot):
    window = make_window(model_file)
    simulation, panel = window.simulation, window.values
    qtbot.waitUntil(lambda: simulation.snapshot.time > 0.05, timeout=20_000)
    simulation.set_running(False)
    qtbot.waitUntil(lambda: not simulation.snapshot.running, timeout=10_000)
    panel.setCurrentWidget(panel.joints)
    hinge = panel.joints.model
    assert hinge.value(0) == simulation.snapshot.qpos[0] != 0
    panel.setCurrentWidget(panel.controls)
    simulation.reset()
    qtbot.waitUntil(lambda: simulation.snapshot.time == 0, timeout=10_000)
    panel.setCurrentWidget(panel.joints)
    assert hinge.value(0) == 0 and hinge.index(0, 1).data() == "0.000"


def test_a_panel_that_was_hidden_shows_the_newest_values(make_window, model_file, rig, qtbot):
    window = make_window(model_file)
    window.simulation.set_running(False)
    qtbot.waitUntil(lambda: not window.simulation.snapshot.running, timeout=10_000)
    window.docks["values"].hide()
    window.simulation.set_ctrl(0, 1.5)
    qtbot.waitUntil(lambda: window.simulation.snapshot.ctrl[0] == 1.5, timeout=10_000)
    window.docks["values"].show()
    assert window.values.controls.model.value(0) == 1.5
