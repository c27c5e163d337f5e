"""Pictures of the model's cameras in a corner of the viewport."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest

import kinetree
from kinetree.app.viewport.pictures import places


@pytest.mark.parametrize("size", [(300, 240), (900, 500), (2400, 1300)])
def test_pictures_are_inside_apart_and_as_wide_as_their_cameras(size):
    cameras = "".join(f'<camera resolution="{across} {down}"/>' for across, down in ((640, 480), (100, 300), (1, 1)))
    model = kinetree.load_string(f"<mujoco><worldbody>{cameras * 2}</worldbody></mujoco>")
    found = places(model, tuple(range(6)), QSize(*size))
    for area, (across, down) in zip(found, ((4, 3), (1, 3), (4, 3)) * 2, strict=True):
        assert area.right() < size[0] and area.bottom() < size[1] and area.top() > 0
        assert abs(area.width() / area.height() - across / down) < 0.1
    assert not any(a.intersects(b) for i, a in enumerate(found) for b in found[:i])


def test_a_picture_shows_what_the_camera_sees(window, qtbot):
    def shown():
        image = window.viewport.picture()
        ratio = window.viewport.devicePixelRatioF()
        area = places(window.simulation.model, (0,), window.viewport.size())[0]
        area = area.adjusted(2, 2, -2, -2)
        corners = (area.x(), area.y(), area.width(), area.height())
        part = image.copy(*(round(each * ratio) for each in corners))
        part = part.convertToFormat(part.Format.Format_RGB888)
        rows = np.frombuffer(part.constBits(), np.uint8).reshape(part.height(), part.bytesPerLine())
        return rows[:, : 3 * part.width()].reshape(part.height(), part.width(), 3).astype(int)

    qtbot.waitUntil(lambda: window.viewport.frame_seconds > 0)
    before = shown()
    window.actions_["camera.picture"].trigger()
    assert window.view.pictures == (0,)
    [frame] = window.frame.pictures
    assert frame.text() == "front"
    inside = shown()
    assert np.abs(inside - before).mean() > 5
    frame.close_button.click()
    assert window.view.pictures == () and window.frame.pictures == []
    assert np.abs(shown() - before).mean() < 2


def test_the_key_goes_through_the_cameras_and_a_double_click_looks_through_one(window):
    for expected in ((0,), (1,), (), (0,)):
        window.actions_["camera.picture"].trigger()
        assert window.view.pictures == expected
    QTest.mouseDClick(window.frame.pictures[0], Qt.MouseButton.LeftButton, pos=QPoint(20, 40))
    assert window.view.camera.type == "fixed" and window.view.camera.fixedcamid == 0
