"""The view cube: what is seen of it, and what a point on it stands for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.scene.camera import Camera, seen_from
from kinetree.engine.scene.viewcube import cell_at, cells, faces

cameras = st.builds(Camera, azimuth=st.floats(-180, 180), elevation=st.floats(-89, 89))


def axes(camera):
    _, up, right = camera.axes()
    return right, up


@given(cameras)
def test_the_middle_of_each_cell_stands_for_its_direction(camera):
    found = cells(*axes(camera))
    assert found
    for cell in found:
        size = np.ptp(cell.corners, axis=0).min()
        if size > 0.02:  # seen at a grazing angle a cell is a line
            assert cell_at(found, *cell.corners.mean(axis=0)) == cell.direction


@given(cameras)
def test_one_to_three_faces_are_seen_and_none_from_behind(camera):
    right, up = axes(camera)
    seen = faces(right, up)
    assert 1 <= len(seen) <= 3
    for face in seen:
        assert np.dot(face.direction, np.cross(right, up)) > 0
        (ax, ay), (bx, by), (cx, cy), _ = face.corners
        assert (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > -1e-9, "the text would be mirrored"
    assert all(np.linalg.norm(face.corners, axis=1).max() <= 1 + 1e-9 for face in seen)


@given(cameras)
def test_beside_the_cube_is_nothing(camera):
    assert cell_at(cells(*axes(camera)), 1.01, 1.01) is None


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, -1, 0), (0, 0, 1), (1, 1, 0), (-1, 1, 1)])
def test_from_a_direction_its_own_cell_is_in_the_middle(direction):
    camera = seen_from(Camera(), direction)
    right, up = axes(camera)
    found = cells(right, up)
    own = [cell for cell in found if cell.direction == direction]
    assert np.allclose(np.mean([cell.corners.mean(axis=0) for cell in own], axis=0), 0, atol=0.2)
