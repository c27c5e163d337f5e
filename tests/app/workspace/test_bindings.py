"""The actions of the mouse are chosen in the settings; the viewport and the help follow."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kinetree.app.menus.help import help_sections
from kinetree.app.panels.dialogs.settings_dialog import SettingsDialog
from kinetree.app.settings.table import CLICKS, DRAGS, SETTINGS
from kinetree.app.workspace.bindings import CENTRE, ORBIT, PAN, SELECT, Bindings

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
NONE, CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def test_the_gestures_of_simulate_are_the_defaults():
    bindings = Bindings()
    assert bindings.drag(LEFT, NONE) == ORBIT and bindings.drag(RIGHT, SHIFT) == PAN
    assert bindings.drag(MIDDLE, NONE) == "mouse.zoom" and bindings.drag(LEFT, CTRL | SHIFT) == "mouse.turn"
    assert bindings.drag(RIGHT, CTRL) == "mouse.pull" and bindings.drag(LEFT, CTRL | ALT) == "mouse.pull_too"
    assert bindings.double_click(LEFT, NONE) == SELECT and bindings.double_click(RIGHT, NONE) == CENTRE
    assert bindings.drag(MIDDLE, ALT) == ""


@pytest.mark.parametrize("group", [DRAGS, CLICKS])
def test_no_two_defaults_are_the_same(group):
    values = [row.default for row in SETTINGS if row.group == group]
    assert len(set(values)) == len(values)


def test_of_two_with_one_gesture_the_first_has_it():
    assert Bindings({PAN: "left"}).drag(LEFT, NONE) == ORBIT
    assert Bindings({PAN: "left"}).drag(RIGHT, NONE) == ""


def drag(window, button) -> None:
    QTest.mousePress(window.viewport, button, NONE, QPoint(100, 100))
    QTest.mouseMove(window.viewport, QPoint(140, 130))
    QTest.mouseRelease(window.viewport, button, NONE, QPoint(140, 130))


def test_another_gesture_moves_the_camera(window, settings):
    camera = window.view.camera
    azimuth, lookat = camera.azimuth, camera.lookat.copy()
    settings.set("mouse.pan", "left")
    window.dialogs.show_settings("mouse.pan")
    (dialog,) = window.findChildren(SettingsDialog)
    assert "Rotate the camera" in dialog.rows["mouse.pan"].clash.text()
    settings.set("mouse.orbit", "right")
    assert not dialog.rows["mouse.pan"].clash.text()
    dialog.close()
    drag(window, LEFT)
    assert camera.azimuth == azimuth and (camera.lookat != lookat).any()
    lookat = camera.lookat.copy()
    drag(window, RIGHT)
    assert camera.azimuth != azimuth and (camera.lookat == lookat).all()
    rows = {row.text: row.keys for row in dict(help_sections(window.actions_))["Mouse"]}
    assert rows["Rotate the camera"] == "Right drag"
    assert rows["Pan the camera in the horizontal plane"] == "Shift + Left drag"
