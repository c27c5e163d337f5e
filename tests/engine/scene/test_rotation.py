"""Rotations and camera matrices, against the reference and by their properties."""

import mujoco
import numpy as np
import pytest

from kinetree.engine.scene import rotation


@pytest.fixture(params=range(8))
def quats(request):
    values = np.random.default_rng(request.param).normal(size=(2, 4))
    return values / np.linalg.norm(values, axis=1, keepdims=True)


def test_quaternions_are_mujocos(quats):
    a, b = quats
    expected = np.empty(4)
    mujoco.mju_mulQuat(expected, a, b)
    np.testing.assert_allclose(rotation.quat_mul(a, b), expected, atol=1e-14)
    mujoco.mju_negQuat(expected, a)
    np.testing.assert_allclose(rotation.quat_conj(a), expected, atol=1e-14)
    mat = np.empty(9)
    mujoco.mju_quat2Mat(mat, a)
    np.testing.assert_allclose(rotation.quat_mat(a), mat.reshape(3, 3), atol=1e-14)
    mujoco.mju_axisAngle2Quat(expected, b[1:] / np.linalg.norm(b[1:]), 0.7)
    np.testing.assert_allclose(rotation.axis_quat(b[1:], 0.7), expected, atol=1e-14)


def test_a_camera_looks_along_its_forward():
    matrix = rotation.look_at([1.0, 2.0, 3.0], np.array([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0])
    points = np.array([[1, 2, 3, 1], [1, 5, 3, 1], [2, 2, 3, 1], [1, 2, 4, 1]], float)
    np.testing.assert_allclose((points @ matrix.T)[:, :3], [[0, 0, 0], [0, 0, -3], [1, 0, 0], [0, 1, 0]], atol=1e-12)


@pytest.mark.parametrize("distance", [1e8, 1e17, 1e25])
def test_look_at_from_far_away_is_a_rotation(distance):
    near = rotation.look_at([0.0, 0.0, 0.0], np.array([0.0, 0.6, -0.8]), [0.0, 0.0, 1.0])
    far = rotation.look_at([distance, 0.0, 0.0], np.array([0.0, 0.6, -0.8]), [0.0, 0.0, 1.0])
    np.testing.assert_array_equal(far[:3, :3], near[:3, :3])
    np.testing.assert_allclose(far @ [distance, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0])


@pytest.mark.parametrize("far", [7.0, None])
def test_perspective_maps_the_frustum_to_the_cube(far):
    matrix = rotation.perspective(-1.0, 2.0, -0.5, 0.5, 1.0, far)
    corners = np.array([[-1, -0.5, -1, 1], [2, 0.5, -1, 1]], float) @ matrix.T
    np.testing.assert_allclose(corners[:, :3] / corners[:, 3:], [[-1, -1, -1], [1, 1, -1]], atol=1e-12)
    distant = matrix @ [0.0, 0.0, -(far or 1e9), 1.0]
    assert distant[2] / distant[3] == pytest.approx(1.0, abs=1e-8)


def test_orthographic_maps_the_box_to_the_cube():
    matrix = rotation.orthographic(-1.0, 3.0, 0.0, 2.0, 0.5, 4.5)
    corners = np.array([[-1, 0, -0.5, 1], [3, 2, -4.5, 1]], float) @ matrix.T
    np.testing.assert_allclose(corners, [[-1, -1, -1, 1], [1, 1, 1, 1]], atol=1e-12)
