"""The panels of sensors and of watched expressions: what they list, show, and hand to plots."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent

from kinetree.app.panels.analysing.sensors import sensed, type_title
from kinetree.app.panels.live.rows import MIME
from kinetree.app.widgets.readouts import number_text
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.engine.model.sensors import SENSORS

MEASURED = """<sensor>
  <jointpos name="angle" joint="hinge"/><framepos objtype="site" objname="tip" reftype="body" refname="base"/>
  <accelerometer name="shake" site="tip"/><clock name="clock"/><jointvel joint="hinge"/>
</sensor></mujoco>"""


@pytest.fixture
def with_sensors(make_window, model_file, qtbot):
    model_file.write_text(model_file.read_text().replace("</mujoco>", MEASURED))
    window = make_window(model_file, size=(1200, 760))
    window.simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not window.simulation.snapshot.running)
    return window


def opened(qtbot, window, name):
    dock = window.docks[name]
    dock.bring_up()
    qtbot.waitUntil(lambda: dock.panel.in_view)
    dock.panel.refresh()
    return dock.panel


def lines(panel):
    """(group, name, value, unit) of every row."""
    found = []
    for index, row in panel.model.indices():
        texts = [index.siblingAtColumn(column).data() for column in range(3)]
        found.append((row.group, *texts))
    return found


def test_sensors_stand_under_their_types_with_values_and_units(qtbot, with_sensors):
    panel = opened(qtbot, with_sensors, "sensors")
    found = lines(panel)
    assert [(group, name, unit) for group, name, _, unit in found] == [
        ("Accelerometer", "shake", "m/s²"),
        ("Clock", "clock", "s"),
        ("Frame Position", "site tip, in body base", "m"),
        ("Joint Position", "angle", "rad"),
        ("Joint Velocity", "joint hinge", "rad/s"),
    ]
    snapshot = with_sensors.simulation.snapshot
    assert float(found[1][2]) == pytest.approx(snapshot.sensordata[7], abs=1e-3)
    assert len(found[2][2].split()) == 3
    with_sensors.workspace.units.set_degrees(True)
    assert lines(panel)[3][3] == "°"


def test_a_sensor_is_selected_both_ways(qtbot, with_sensors):
    panel = opened(qtbot, with_sensors, "sensors")
    with_sensors.selection.select(Selection("sensor", 2))
    assert [row.name for row in panel.view.rows_selected()] == ["shake"]


def test_a_model_without_sensors_says_so(qtbot, make_window, model_file):
    window = make_window(model_file)
    panel = opened(qtbot, window, "sensors")
    assert panel.view.empty == "This model has no sensors."


def test_sensors_are_plotted_from_the_menu(qtbot, with_sensors):
    panel = opened(qtbot, with_sensors, "sensors")
    with_sensors.selection.select(Selection("sensor", 0))
    menu = panel.view.menu()
    next(action for action in menu.actions() if action.text() == "Plot").trigger()
    menu.close()
    plots = with_sensors.docks["plots"].panel
    qtbot.waitUntil(lambda: bool(plots.plots) and bool(plots.plots[0].curves))
    assert [curve.label for curve in plots.plots[0].curves] == ['sensor("angle")']


def test_every_type_has_a_title():
    titles = [row.title for row in SENSORS.values()]
    assert all(titles) and len(set(titles)) == len(titles)


def test_what_is_sensed_is_named(with_sensors):
    model = with_sensors.simulation.model
    assert [sensed(model, 1), sensed(model, 3), type_title(model, 3)] == ["site tip, in body base", "", "Clock"]


# ---- the watch list --------------------------------------------------------------------------------------------


def test_expressions_are_watched(qtbot, with_sensors):
    panel = opened(qtbot, with_sensors, "watch")
    for text in ("time", "ncon", "qpos[0:2]", "norm(qfrc_bias)"):
        panel.entry.line.setText(text)
        panel.entry.line.returnPressed.emit()
    qtbot.waitUntil(lambda: lines(panel)[3][2] != "")
    found = lines(panel)
    snapshot = with_sensors.simulation.snapshot
    assert [name for _, name, *_ in found] == ["time", "ncon", "qpos[0:2]", "norm(qfrc_bias)"]
    assert found[0][2:] == (number_text(snapshot.time), "s")
    assert found[1][2] == str(snapshot.ncon)
    assert len(found[2][2].split()) == 2
    assert float(found[3][2]) > 0.0


def test_the_watch_list_takes_drops_and_is_remembered(qtbot, with_sensors, tmp_path):
    panel = opened(qtbot, with_sensors, "watch")
    qtbot.waitUntil(lambda: panel._path != "")
    data = QMimeData()
    data.setData(MIME, b'sensor("angle")\nqvel[0]')
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    panel.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, modifiers))
    assert [name for _, name, *_ in lines(panel)] == ["angle", "qvel[0]"]
    panel.remove([row for _, row in panel.model.indices() if row.name == "qvel[0]"])
    first, other = panel._path, tmp_path / "other.xml"
    other.write_text("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    with_sensors.workspace.opening.open(str(other))
    qtbot.waitUntil(lambda: panel._path == str(other))
    assert lines(panel) == []
    with_sensors.workspace.opening.open(first)
    qtbot.waitUntil(lambda: panel._path == first)
    assert [name for _, name, *_ in lines(panel)] == ["angle"]


def test_what_an_edit_renames_is_watched_on(qtbot, with_sensors, model_file):
    panel = opened(qtbot, with_sensors, "watch")
    panel.add('sensor("angle")')
    panel.add('sensor("clock") * 2')
    before = with_sensors.simulation.model
    model_file.write_text(model_file.read_text().replace('"angle"', '"tilt"').replace('<clock name="clock"/>', ""))
    qtbot.waitUntil(lambda: with_sensors.simulation.model is not before)
    qtbot.waitUntil(lambda: lines(panel)[1][2] != "")  # values come with the first state
    found = lines(panel)
    assert found[0][1] == "tilt"
    assert "no sensor is named 'clock'" in found[1][2]
