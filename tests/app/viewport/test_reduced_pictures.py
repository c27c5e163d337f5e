"""Slow frames in a real window: drawn with less while the picture moves, whole when nothing moves."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kinetree.app.viewport import pace
from kinetree.app.viewport.pace import WHOLE
from tests.app.session import pixels


@pytest.fixture
def slow(window, monkeypatch):
    """A window to which every frame is slow."""
    monkeypatch.setattr(pace, "LONGEST", 1e-6)
    return window


def move(window, qtbot, frames: int) -> list[pace.Quality]:
    """Turn the camera frame by frame; the qualities that were drawn."""
    found: list[pace.Quality] = []
    for _ in range(frames):
        window.view.camera.azimuth += 1.0
        with qtbot.waitSignal(window.viewport.frameSwapped):
            window.view.camera_changed.emit()
        found.append(window.viewport.quality)
    return found


def test_slow_pictures_are_reduced_and_then_whole(slow, qtbot):
    drawn = move(slow, qtbot, 12)
    assert drawn[-1] == pace.QUALITIES[-1]
    assert slow.frame.reduced.whole == drawn[-1].text
    qtbot.waitUntil(lambda: slow.viewport.quality == WHOLE)
    qtbot.waitUntil(lambda: slow.frame.reduced.whole == "")


def test_a_saved_picture_is_whole(slow, qtbot):
    move(slow, qtbot, 12)
    picture = pixels(slow.viewport.picture())
    qtbot.waitUntil(lambda: slow.viewport.quality == WHOLE)
    assert np.array_equal(picture, pixels(slow.viewport.picture()))


def test_reducing_can_be_switched_off(slow, qtbot):
    slow.actions_["view.reduce"].trigger()
    assert not slow.settings.reduce_pictures
    assert set(move(slow, qtbot, 8)) == {WHOLE}


def test_a_reduced_picture_shows_the_same(slow, qtbot):
    move(slow, qtbot, 12)
    whole = pixels(slow.viewport.picture()).astype(float)
    reduced = pixels(slow.viewport.grabFramebuffer()).astype(float)
    assert reduced.shape == whole.shape
    assert 0.0 < np.abs(reduced - whole).mean() < 12.0


def test_a_mouse_button_that_is_held_still_does_not_keep_the_picture_reduced(slow, qtbot):
    QTest.mousePress(slow.viewport, Qt.MouseButton.LeftButton, pos=slow.viewport.rect().center())
    try:
        move(slow, qtbot, 12)
        qtbot.waitUntil(lambda: slow.viewport.quality == WHOLE)
    finally:
        QTest.mouseRelease(slow.viewport, Qt.MouseButton.LeftButton, pos=slow.viewport.rect().center())
