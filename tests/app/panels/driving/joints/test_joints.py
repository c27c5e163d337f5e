"""The joints panel: sliders, keyboard, wheel, typing, units, free and ball joints."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

import kinetree
from kinetree.app.panels.driving.joints.range_dialog import RangeDialog
from kinetree.app.panels.driving.joints.rows import SEQUENCE, joint_rows, roll_pitch_yaw
from kinetree.app.panels.live.sliders import track
from kinetree.engine.geometry.orientation import from_euler

LEFT, MIDDLE, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier
ANGLE = st.floats(-math.pi, math.pi)


@given(ANGLE, ANGLE, ANGLE)
def test_angles_give_the_orientation_that_they_were_read_from(roll, pitch, yaw):
    quat = np.array(from_euler((roll, pitch, yaw), SEQUENCE, False))
    again = np.array(from_euler(roll_pitch_yaw(quat), SEQUENCE, False))
    assert 1.0 - abs(quat @ again) < 1e-9


@pytest.fixture
def panel(open_panel, qtbot):
    found = open_panel("joints")
    qtbot.waitUntil(lambda: found.model.rowCount() > 0)
    return found


def index_of(panel, name):
    return next(index for index, row in panel.model.indices() if row.name == name)


def drag(view, index, pixels, modifiers=NONE):
    area = track(view.visualRect(index)).toRect()
    begin = area.center()
    port = view.viewport()
    QTest.mousePress(port, LEFT, modifiers, begin)
    for part in (0.25, 0.5, 1.0):
        QTest.mouseMove(port, begin + QPoint(round(part * pixels), 0))
    QTest.mouseRelease(port, LEFT, modifiers, begin + QPoint(pixels, 0))
    return area.width()


def test_a_click_selects_and_a_drag_sets(panel, paused, qtbot):
    hinge = index_of(panel, "hinge")
    QTest.mouseClick(panel.view.viewport(), LEFT, NONE, track(panel.view.visualRect(hinge)).toRect().center())
    assert paused.selection.current.kind == "joint" and paused.simulation.snapshot.qpos[0] == 0.0
    width = drag(panel.view, hinge, 40)
    expected = 40 * math.pi / width
    qtbot.waitUntil(lambda: abs(paused.simulation.snapshot.qpos[0] - expected) < 0.02)
    QTest.mouseClick(panel.view.viewport(), MIDDLE, NONE, track(panel.view.visualRect(hinge)).toRect().center())
    qtbot.waitUntil(lambda: paused.simulation.snapshot.qpos[0] == 0.0)


def test_a_drag_stops_at_the_limit(panel, paused, qtbot):
    hinge = index_of(panel, "hinge")
    drag(panel.view, hinge, 2000)
    qtbot.waitUntil(lambda: paused.simulation.snapshot.qpos[0] == pytest.approx(math.pi / 2))


def test_keys_and_the_wheel_step(panel, paused, qtbot):
    hinge, step = index_of(panel, "hinge"), math.pi / 100
    panel.view.setCurrentIndex(hinge)
    QTest.keyClick(panel.view, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: paused.simulation.snapshot.qpos[0] == pytest.approx(step))
    QTest.keyClick(panel.view, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: paused.simulation.snapshot.qpos[0] == pytest.approx(0.9 * step))
    QTest.keyClick(panel.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: paused.simulation.snapshot.qpos[0] == 0.0)
    where = QPointF(track(panel.view.visualRect(hinge)).center())
    event = QWheelEvent(
        where, panel.view.viewport().mapToGlobal(where), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(panel.view.viewport(), event)
    qtbot.waitUntil(lambda: paused.simulation.snapshot.qpos[0] == pytest.approx(2 * step))


def test_a_value_is_typed_in_the_unit_that_is_shown(panel, paused, qtbot):
    hinge = index_of(panel, "hinge")
    paused.workspace.units.set_degrees(True)
    panel.view.setCurrentIndex(hinge)
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_3)
    line = panel.view.viewport().findChild(QLineEdit)
    QTest.keyClicks(line, "0/")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert line.isVisible() and line.property("wrong") is True  # what is typed stays
    QTest.keyClicks(line, "2")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: paused.simulation.snapshot.qpos[0] == pytest.approx(math.radians(15)))
    qtbot.waitUntil(lambda: panel.model.line(panel.model.row(hinge)) == "hinge\t15.000\t°")


def test_a_free_joint_has_a_place_and_angles(panel, paused, qtbot):
    rows = [row for row in panel.model.rows if row.group == "float"]
    assert [row.name for row in rows] == ["x", "y", "z", "roll", "pitch", "yaw"]
    rows[2].write(0.8)
    rows[4].write(2.0)  # beyond 90°, where other angles describe the same orientation
    snapshot = lambda: paused.simulation.snapshot  # noqa: E731
    qtbot.waitUntil(lambda: snapshot().qpos[3] == 0.8 and snapshot().qpos[4] != 1.0)
    assert snapshot().qpos[4:8] == pytest.approx([math.cos(1.0), 0, math.sin(1.0), 0])
    assert [row.read(snapshot()) for row in rows[3:]] == [0.0, 2.0, 0.0]
    panel.reset_rows(rows)
    qtbot.waitUntil(lambda: snapshot().qpos[1:8].tolist() == [0, 1, 0.5, 1, 0, 0, 0])


def test_rows_of_every_kind():
    model = kinetree.load_string(
        '<mujoco><worldbody><body name="b"><joint type="slide"/><joint type="ball"/><geom size=".1"/></body>'
        '<body><joint name="turn" range="-1 1" limited="false"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    rows = list(joint_rows(model, None))
    assert [(row.group, row.name, row.unit) for row in rows] == [
        ("", "b (slide z)", "m"), ("b (ball)", "roll", "rad"), ("b (ball)", "pitch", "rad"), ("b (ball)", "yaw", "rad"),
        ("", "turn", "rad"),
    ]  # fmt: skip
    assert not rows[-1].limited and rows[-1].high == math.pi


def entries_of(panel, rows):
    """The entries that write a range, of the menu of some rows."""
    menu = QMenu()
    panel.view.add_to_menu(menu, rows)
    write = next(each.menu() for each in menu.actions() if each.menu() is not None)
    return menu, write


def test_the_range_is_written_into_the_model_as_one_step(panel, paused, qtbot):
    hinge = panel.model.row(index_of(panel, "hinge"))
    hinge.write(0.5)
    qtbot.waitUntil(lambda: paused.simulation.snapshot.qpos[0] == 0.5)
    menu, write = entries_of(panel, [hinge])
    assert write.isEnabled() and [each.isEnabled() for each in write.actions()] == [True, True, True]
    said = []
    panel.said.connect(said.append)
    write.actions()[1].trigger()
    texts = paused.project.texts
    assert 'range="-90 28.6' in texts.text(paused.project.path) and texts.undo_name == "Set range of joint"
    assert said and "Undo" in said[0]
    qtbot.waitUntil(lambda: paused.simulation.model.jnt_range[0, 1] == pytest.approx(0.5, abs=1e-3))
    paused.project.undo()
    assert 'range="-90 90"' in texts.text(paused.project.path)
    assert menu


def test_the_dialog_writes_both_ends(panel, paused, qtbot):
    hinge = panel.model.row(index_of(panel, "hinge"))
    panel.units.set_degrees(True)
    menu, write = entries_of(panel, [hinge])
    write.actions()[2].trigger()
    dialog = panel.findChild(RangeDialog)
    assert dialog.low.value() == pytest.approx(-90) and dialog.low.suffix() == " °"
    dialog.low.setValue(100)
    assert not dialog.button.isEnabled()
    dialog.low.setValue(-45)
    dialog.button.click()
    assert not dialog.isVisible()
    assert 'range="-45 90"' in paused.project.texts.text(paused.project.path)
    assert menu


def test_a_free_joint_has_no_range_to_write(panel):
    group = [row for row in panel.model.rows if row.group]
    for rows in (group[:1], []):
        menu, write = entries_of(panel, rows)
        assert not write.isEnabled()
        assert menu
