"""Bookmarks, and what the viewports remember of each model file."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinetree
from kinetree.app.workspace.bookmarks import Bookmarks, camera_of, record_of
from kinetree.engine.scene.camera import Camera
from kinetree.engine.scene.measure import Point
from kinetree.engine.scene.section import across

TEXT = (
    """<mujoco><worldbody><camera name="eye"/><camera/><body name="arm"><geom size=".1"/></body></worldbody></mujoco>"""
)
finite = st.floats(-100, 100)
SPOILT = json.dumps(
    {
        "views": [{"section": [[0, 0, 0], [0, 0, 0]]}, {"section": 3}],
        "measurements": [
            3,
            [["arm", [0, 0, 0], "a"]],
            [["gone", [0, 0, 0], "a"], ["arm", [0, 0], "b"]],
            [[0, 1, 2]] * 2,
        ],
    }
)


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(TEXT)


@given(st.builds(Camera, distance=st.floats(0.01, 100), azimuth=finite, elevation=finite, orthographic=st.booleans()))
def test_a_camera_is_the_same_after_it_was_written(camera):
    model = kinetree.load_string(TEXT)
    for camera.type, camera.fixedcamid, camera.trackbodyid in (("free", -1, -1), ("fixed", 1, -1), ("tracking", -1, 1)):
        again = camera_of(json.loads(json.dumps(record_of(camera, model))), model)
        assert again is not None and record_of(again, model) == record_of(camera, model)


@pytest.mark.parametrize(
    "record",
    [
        None, 3, {}, {"type": "free"},
        {"type": "odd", "lookat": [0, 0, 0], "distance": 1, "azimuth": 0, "elevation": 0},
        {"type": "free", "lookat": [0, 0], "distance": 1, "azimuth": 0, "elevation": 0},
        {"type": "free", "lookat": [0, 0, 0], "distance": -1, "azimuth": 0, "elevation": 0},
        {"type": "free", "lookat": [0, 0, float("nan")], "distance": 1, "azimuth": 0, "elevation": 0},
        {"type": "fixed", "object": "gone", "lookat": [0, 0, 0], "distance": 1, "azimuth": 0, "elevation": 0},
        {"type": "fixed", "object": 7, "lookat": [0, 0, 0], "distance": 1, "azimuth": 0, "elevation": 0},
    ],
)  # fmt: skip
def test_a_record_that_makes_no_sense_is_no_camera(model, record):
    assert camera_of(record, model) is None


def test_bookmarks_are_renamed_moved_removed_and_replaced(model):
    found = Bookmarks()
    for name in ("a", "b", found.new_name()):
        found.add(name, Camera(), model)
    assert [each.name for each in found.items] == ["a", "b", "View 1"] and found.new_name() == "View 2"
    found.add("b", Camera(azimuth=33.0), model)
    found.move(1, -1)
    found.rename(1, "first")
    found.remove(2)
    assert [(each.name, each.camera["azimuth"]) for each in found.items] == [("b", 33.0), ("first", 90.0)]


def test_a_model_opens_as_it_was_left(window, make_window, tmp_path, model_file, qtbot):
    other = tmp_path / "other.xml"
    other.write_text('<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>')
    window.view.flight = 0
    window.actions_["viewports.columns"].trigger()
    first, second = (frame.view for frame in window.viewports.frames)
    first.camera.azimuth = 12.0
    second.set_fixed_camera(1)
    second.set_option("wireframe", True)
    first.set_pictures((1,))
    window.workspace.bookmarks.add("side", first.camera, window.simulation.model)
    cut = across((0.1, 0.2, 0.3), (1.0, 2.0, 3.0))
    second.set_section(cut)
    body = window.simulation.model.names["body"].index("arm")
    points = (Point(body, (0.1, 0.0, 0.0), "end"), Point(0, (1.0, 2.0, 3.0), "floor"))
    for each in (points, (*points, points[0])):
        window.workspace.measurements.begin(len(each))
        for point in each:
            window.workspace.measurements.pick(point)
    made = window.workspace.measurements.made

    def open(path):
        window.open(str(path))
        qtbot.waitUntil(lambda: window.project.path == str(path) and window.simulation.ready)

    open(other)
    assert window.viewports.arrangement == "single" and not window.workspace.bookmarks.items
    assert not window.view.pictures and not window.workspace.measurements.made
    open(model_file)
    assert window.viewports.arrangement == "columns"
    first, second = (frame.view for frame in window.viewports.frames)
    assert np.isclose(first.camera.azimuth, 12.0) and first.pictures == (1,) and not first.options.wireframe
    assert (second.camera.type, second.camera.fixedcamid) == ("fixed", 1) and second.options.wireframe
    assert second.options.section == cut and first.options.section is None
    assert len(made) == 2 and window.workspace.measurements.made == made
    window.view.camera.azimuth = 50.0
    window.actions_["bookmark.1"].trigger()
    qtbot.waitUntil(lambda: np.isclose(window.view.camera.azimuth, 12.0))


def test_spoilt_settings_are_left_out(window, settings, model_file, qtbot):
    for text in ("{", "[]", '{"views": 3, "bookmarks": [1, ["a"]], "share": "x", "arrangement": "odd"}', SPOILT):
        settings.set_of_model(str(model_file), "views", text)
        window.view_memory._path = ""
        window.project.changed.emit()
        assert window.viewports.arrangement == "single" and not window.workspace.bookmarks.items
        assert not window.workspace.measurements.made and window.view.options.section is None
