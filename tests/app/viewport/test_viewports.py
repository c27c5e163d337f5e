"""Several viewports in a window, and the cameras of each."""

from __future__ import annotations

import gc
from collections import Counter

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kinetree.app.viewport.overlay import ViewportFrame
from kinetree.app.workspace.selection import Selection


@pytest.fixture
def window(window):
    """The rig, paused, with a camera that is there at once."""
    window.view.flight = 0
    return window


def drawn(window, qtbot) -> None:
    qtbot.waitUntil(lambda: all(frame.viewport.frame_seconds > 0 for frame in window.viewports.frames))


@pytest.mark.parametrize(("name", "number"), [("columns", 2), ("rows", 2), ("grid", 4), ("single", 1)])
def test_viewports_share_the_room_and_all_draw(window, qtbot, name, number):
    window.actions_["viewports.grid"].trigger()
    window.actions_[f"viewports.{name}"].trigger()
    assert len(window.viewports.frames) == len(window.workspace.views) == number
    drawn(window, qtbot)
    places = [frame.geometry() for frame in window.viewports.frames]
    assert all(window.viewports.rect().contains(place) for place in places)
    assert not any(a.intersects(b) for i, a in enumerate(places) for b in places[:i])
    assert window.actions_[f"viewports.{name}"].isChecked()


def test_the_viewport_with_the_keyboard_is_active_and_has_its_own_camera(window, qtbot):
    window.actions_["viewports.columns"].trigger()
    drawn(window, qtbot)
    first, second = window.viewports.frames
    assert window.frame is first
    second.viewport.setFocus()
    qtbot.waitUntil(lambda: window.frame is second)
    QTest.keyClick(second.viewport, Qt.Key.Key_BracketRight)
    QTest.keyClick(second.viewport, Qt.Key.Key_T)
    assert second.view.camera.type == "fixed" and first.view.camera.type == "free"
    assert second.view.options.transparent and not first.view.options.transparent
    assert window.toolbar.cameras.currentText() == "front"
    assert window.actions_["flag.transparent"].isChecked()
    QTest.keyClick(second.viewport, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.frame is first)
    assert window.toolbar.cameras.currentText() == "Free camera"
    assert not window.actions_["flag.transparent"].isChecked()


def test_closing_the_active_viewport_makes_the_first_one_active(window, qtbot):
    window.actions_["viewports.columns"].trigger()
    drawn(window, qtbot)
    window.viewports.frames[1].viewport.setFocus()
    qtbot.waitUntil(lambda: window.frame is window.viewports.frames[1])
    window.actions_["viewports.single"].trigger()
    assert window.frame is window.viewports.frames[0] and window.view is window.workspace.views[0]
    assert window.viewport.hasFocus()


def test_further_viewports_of_a_grid_look_along_the_axes(window, qtbot):
    window.actions_["viewports.grid"].trigger()
    drawn(window, qtbot)
    looks = [frame.view.camera.axes()[0] for frame in window.viewports.frames[1:]]
    assert np.allclose(looks, [(0, 0, -1), (-1, 0, 0), (0, 1, 0)], atol=1e-9)
    assert all(frame.view.camera.orthographic for frame in window.viewports.frames[1:])


def test_fit_shows_the_selection_and_then_everything(window):
    body = window.simulation.model.names["body"].index("box")
    window.selection.select(Selection("body", body))
    window.actions_["camera.fit"].trigger()
    assert np.allclose(window.view.camera.lookat, window.simulation.snapshot.xpos[body], atol=0.02)
    near = window.view.camera.distance
    window.actions_["camera.fit_all"].trigger()
    assert window.view.camera.distance > 2 * near


def test_a_side_is_looked_from_and_orthographic_keeps_the_size(window):
    view = window.view
    window.actions_["camera.right"].trigger()
    assert np.allclose(view.camera.axes()[0], (0, 1, 0), atol=1e-9)
    before = view.camera.height_at(view.camera.distance, window.simulation.model)
    window.actions_["camera.orthographic"].trigger()
    assert view.camera.orthographic and window.actions_["camera.orthographic"].isChecked()
    assert np.isclose(view.camera.height_at(1.0, window.simulation.model), before)
    window.actions_["camera.orthographic"].trigger()
    assert not view.camera.orthographic


def test_the_box_offers_to_track_what_is_selected(window):
    box = window.toolbar.cameras
    assert [box.itemText(i) for i in range(box.count())] == ["Free camera", "front", "above"]
    window.selection.select(Selection("body", window.simulation.model.names["body"].index("box")))
    assert [box.itemText(i) for i in range(box.count())] == ["Free camera", "Track box", "front", "above"]
    box.activated.emit(1)
    assert window.view.camera.type == "tracking" and box.currentText() == "Track box"


def test_a_flight_ends_where_it_was_sent(window, qtbot):
    window.view.flight = 60
    window.actions_["camera.top"].trigger()
    qtbot.waitUntil(lambda: np.allclose(window.view.camera.axes()[0], (0, 0, -1)))


def test_closed_viewports_leave_no_objects(window, qtbot):
    """Something that outlives a viewport and calls it, such as the compiler, may not hold it."""

    def counted() -> Counter[str]:
        gc.collect()
        names = (f"{type(each).__module__}.{type(each).__name__}" for each in gc.get_objects())
        return Counter(
            name for name in names if name.startswith(("kinetree.app.viewport", "kinetree.app.workspace.view"))
        )

    viewports = window.viewports
    viewports.arrange("grid")
    viewports.arrange("single")
    qtbot.waitUntil(lambda: len(window.findChildren(ViewportFrame)) == 1)
    before = counted()
    assert before["kinetree.app.viewport.overlay.ViewportFrame"] == 1
    for _ in range(3):
        viewports.arrange("grid")
        viewports.arrange("single")
    qtbot.waitUntil(lambda: counted() == before)
