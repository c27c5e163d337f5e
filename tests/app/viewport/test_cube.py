"""The view cube in the window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kinetree.app.viewport.cube import RADIUS, SIDE


@pytest.fixture
def cube(window, qtbot):
    window.view.flight = 0
    found = window.frame.cube
    qtbot.waitUntil(lambda: found.isVisible() and bool(found._cells))
    return found


def place(cube, direction) -> QPoint:
    middle = next(cell.corners for cell in cube._cells if cell.direction == direction).mean(axis=0)
    return QPoint(*(round(SIDE / 2 + RADIUS * value) for value in middle))


@pytest.mark.parametrize("direction", [(0, 0, 1), (1, -1, 1), (0, -1, 1)])
def test_a_click_looks_from_there(window, cube, direction):
    window.view.camera.azimuth, window.view.camera.elevation = 130.0, -30.0
    window.view.camera_changed.emit()
    QTest.mouseClick(cube, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place(cube, direction))
    forward = window.view.camera.axes()[0]
    assert np.allclose(forward, -np.array(direction) / np.linalg.norm(direction), atol=1e-6)


def test_a_drag_turns_the_camera_and_leaves_model_cameras(window, cube):
    window.view.set_fixed_camera(0)
    before = window.view.as_free()
    QTest.mousePress(cube, Qt.MouseButton.LeftButton, pos=QPoint(40, 40))
    QTest.mouseMove(cube, QPoint(60, 40))
    QTest.mouseMove(cube, QPoint(80, 40))
    QTest.mouseRelease(cube, Qt.MouseButton.LeftButton, pos=QPoint(80, 40))
    assert window.view.camera.type == "free"
    assert abs(window.view.camera.azimuth - before.azimuth) > 5


def test_the_text_changes_the_projection(window, cube):
    QTest.mouseClick(cube, Qt.MouseButton.LeftButton, pos=QPoint(SIDE // 2, SIDE + 10))
    assert window.view.camera.orthographic
    QTest.mouseClick(cube, Qt.MouseButton.LeftButton, pos=QPoint(SIDE // 2, SIDE + 10))
    assert not window.view.camera.orthographic


def test_the_cube_can_be_left_out_for_good(window, cube):
    window.actions_["camera.cube"].trigger()
    assert cube.isHidden() and not window.settings.view_cube
    window.actions_["viewports.columns"].trigger()
    assert window.viewports.frames[1].cube.isHidden()
