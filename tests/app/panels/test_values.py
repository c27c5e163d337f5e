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
