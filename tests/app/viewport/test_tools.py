"""Tools of the viewport: the section plane with its handle, the ruler, marks of single objects."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kinetree.app.workspace.selection import NOTHING, Selection

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(window, qtbot):
    """The rig, paused, with a camera that is there at once."""
    window.view.flight = 0
    qtbot.waitUntil(lambda: window.viewport.frame_seconds > 0)
    return window


def chosen(window, kind, name) -> Selection:
    return Selection(kind, window.simulation.model.names[kind].index(name))


def place(window, point) -> QPoint:
    x, y, _ = window.viewport.eye().project(np.array([point]))[0]
    return QPoint(round(x * window.viewport.width()), round(y * window.viewport.height()))


def test_the_model_is_cut_open_before_the_viewer_and_shown_whole_again(window):
    QTest.keyClick(window.viewport, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    section = window.view.options.section
    assert section is not None and np.dot(section.normal, window.view.camera.axes()[0]) < -0.99
    window.actions_["section.y"].trigger()
    assert np.allclose(np.abs(window.view.options.section.normal), (0, 1, 0))
    assert np.dot(window.view.options.section.normal, window.view.camera.axes()[0]) < 0
    before = window.view.options.section.normal
    window.actions_["section.flip"].trigger()
    assert np.allclose(window.view.options.section.normal, -np.array(before))
    window.actions_["section.toggle"].trigger()
    assert window.view.options.section is None and window.frame.section.isHidden()


def test_the_handle_moves_the_plane_along_its_normal_and_esc_puts_it_back(window):
    window.actions_["section.z"].trigger()
    start = window.view.options.section
    handle = window.frame.section._handle()
    grip = handle[1].toPoint()
    QTest.mousePress(window.viewport, LEFT, NONE, grip)
    QTest.mouseMove(window.viewport, grip + QPoint(0, -30))
    QTest.mouseMove(window.viewport, grip + QPoint(0, -40))
    moved = window.view.options.section
    shift = np.array(moved.point) - start.point
    assert shift[2] > 0.05 and np.allclose(shift[:2], 0) and moved.normal == start.normal
    QTest.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert window.view.options.section == start
    QTest.mouseRelease(window.viewport, LEFT, NONE, grip + QPoint(0, -40))


def test_the_ring_tilts_the_plane_and_ctrl_snaps_it(window):
    window.actions_["section.z"].trigger()
    start = window.view.options.section
    ring = window.frame.section._handle()[2].toPoint()
    QTest.mousePress(window.viewport, LEFT, NONE, ring)
    QTest.mouseMove(window.viewport, ring + QPoint(30, 5))
    QTest.mouseMove(window.viewport, ring + QPoint(60, 20))
    tilted = window.view.options.section
    assert tilted.point == start.point
    angle = np.degrees(np.arccos(np.dot(tilted.normal, start.normal)))
    assert 10.0 < angle < 80.0 and np.linalg.norm(tilted.normal) == pytest.approx(1.0)
    there = window.frame.section._handle()[2]  # the ring is under the mouse
    assert (there - QPointF(ring + QPoint(60, 20))).manhattanLength() < 3.0
    QTest.mouseRelease(window.viewport, LEFT, NONE, ring + QPoint(60, 20))
    QTest.mousePress(window.viewport, LEFT, NONE, there.toPoint())
    move = QMouseEvent(
        QEvent.Type.MouseMove, there + QPointF(7, 3), window.viewport.mapToGlobal(there), LEFT, LEFT,
        Qt.KeyboardModifier.ControlModifier,
    )  # fmt: skip
    QApplication.sendEvent(window.viewport, move)
    elevation = np.degrees(np.arcsin(window.view.options.section.normal[2])) / 15.0
    assert abs(elevation - round(elevation)) < 1e-6
    QTest.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert window.view.options.section == tilted


def test_a_new_model_is_whole(window, tmp_path, qtbot):
    window.actions_["section.z"].trigger()
    other = tmp_path / "other.xml"
    other.write_text('<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>')
    old = window.simulation.model
    window.open(str(other))
    qtbot.waitUntil(lambda: window.simulation.model is not old)
    assert window.view.options.section is None


def test_two_clicks_measure_a_distance_and_esc_ends(window, qtbot):
    model, snapshot = window.simulation.model, window.simulation.snapshot
    window.actions_["measure.distance"].trigger()
    tip = snapshot.site_xpos[model.names["site"].index("tip")]
    hub = snapshot.xanchor[model.names["joint"].index("hinge")]
    for point in (tip, hub):
        QTest.mouseMove(window.viewport, place(window, point))
        QTest.mouseClick(window.viewport, LEFT, NONE, place(window, point))
    [made] = window.workspace.measurements.made
    assert {point.name for point in made.points} <= {"site tip", "anchor of hinge", "centre of hub"}
    assert np.isclose(made.value(snapshot), np.linalg.norm(tip - hub), atol=1e-6)
    assert window.selection.current == NOTHING, "a click that measures selects nothing"
    QTest.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert window.workspace.measurements.wanted == 0 and window.workspace.measurements.made
    window.actions_["measure.copy"].trigger()
    assert QGuiApplication.clipboard().text().startswith("Distance ")
    window.actions_["measure.clear"].trigger()
    assert not window.workspace.measurements.made and window.frame.measures.isHidden()


def test_measurements_stay_on_their_bodies_in_the_next_version(window, qtbot):
    from kinetree.engine.scene.measure import Measurement, Point

    names = window.simulation.model.names["body"]
    points = (Point(names.index("box"), (0, 0, 0), "box"), Point(names.index("arm"), (0, 0, 0), "arm"))
    window.workspace.measurements.made = (Measurement(points),)
    old = window.simulation.model
    path = window.project.path
    text = window.project.texts.text(path)
    with open(path, "w") as file:
        file.write(
            text.replace(
                '<body name="base"', '<body name="first" pos="0 0 3"><geom size=".1"/></body><body name="base"'
            )
        )
    window.workspace.disk.reload()
    qtbot.waitUntil(lambda: window.simulation.model is not old)
    now = window.simulation.model.names["body"]
    [made] = window.workspace.measurements.made
    assert [now[point.body] for point in made.points] == ["box", "arm"]


@pytest.mark.parametrize(("action", "option"), [("fade", "faded"), ("frame_of", "framed"), ("label_of", "labelled")])
def test_single_objects_are_marked_and_no_more(window, action, option):
    window.selection.select(chosen(window, "body", "arm"))
    window.actions_[f"show.{action}"].trigger()
    marked = getattr(window.view.options, option)
    kinds = {each.kind for each in marked}
    assert kinds == ({"geom", "site"} if action == "fade" else {"body"})
    window.selection.select(chosen(window, "geom", "cube"))
    window.actions_[f"show.{action}"].trigger()
    assert len(getattr(window.view.options, option)) == len(marked) + 1
    window.actions_[f"show.{action}"].trigger()
    assert getattr(window.view.options, option) == marked
    window.actions_["show.all" if action == "fade" else "show.unmark"].trigger()
    assert not getattr(window.view.options, option)
