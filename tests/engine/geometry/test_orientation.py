"""Orientations: every form against what it says, and poses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kinetree.engine.geometry import orientation as o

HALF = math.sqrt(0.5)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, (1, 0, 0, 0)),
        ({"quat": np.array([2.0, 0, 0, 0])}, (1, 0, 0, 0)),
        ({"axisangle": np.array([0, 0, 3.0, 90])}, (HALF, 0, 0, HALF)),
        ({"euler": np.array([0, 90.0, 0])}, (HALF, 0, HALF, 0)),
        ({"xyaxes": np.array([0, 1.0, 0, -1, 1, 0])}, (HALF, 0, 0, HALF)),
        ({"zaxis": np.array([1.0, 0, 0])}, (HALF, 0, HALF, 0)),
        ({"zaxis": np.array([0, 0, -1.0])}, (0, 1, 0, 0)),
        ({"quat": np.array([1.0, 0, 0, 0]), "euler": np.array([0, 0, 90.0])}, (HALF, 0, 0, HALF)),
    ],
)
def test_forms(values, expected):
    np.testing.assert_allclose(o.orientation(values, True, "xyz"), expected, atol=1e-12)


def test_intrinsic_and_extrinsic_euler():
    angles = (0.3, -0.4, 0.5)
    moving = o.from_euler(angles, "xyz", False)
    fixed = o.from_euler(angles[::-1], "ZYX", False)
    np.testing.assert_allclose(moving, fixed, atol=1e-12)


def test_poses_compose_and_invert():
    a = ((1.0, 2.0, 3.0), o.unit((1, 2, 3, 4)))
    b = ((-1.0, 0.5, 2.0), o.unit((4, -3, 2, 1)))
    there = o.compose(a, b)
    back = o.compose(o.invert(a), there)
    np.testing.assert_allclose(back[0], b[0], atol=1e-12)
    np.testing.assert_allclose(back[1], b[1], atol=1e-12)
    np.testing.assert_allclose(np.array(o.matrix(a[1])) @ b[0], o.rotate(a[1], b[0]), atol=1e-12)


@pytest.mark.parametrize(
    "values",
    [{"axisangle": np.zeros(4)}, {"zaxis": np.zeros(3)}, {"xyaxes": np.array([1.0, 0, 0, 2, 0, 0])}],
)
def test_nothing_to_go_by(values):
    with pytest.raises(o.BadOrientation):
        o.orientation(values, True, "xyz")


@pytest.mark.parametrize("angle", [0.0, 1e-14, 1e-9, 1e-4, 1.0, 3.1])
@pytest.mark.parametrize("axis", [(0.6, 0.0, 0.8), (0.0, -1.0, 0.0), (-2 / 3, 1 / 3, 2 / 3)])
def test_rotation_vectors_keep_the_digits_of_small_angles(axis, angle):
    vector = angle * np.array(axis)
    quat = o.from_rotation_vector(vector)
    np.testing.assert_allclose(quat, [math.cos(angle / 2), *(math.sin(angle / 2) * np.array(axis))], atol=1e-15)
    np.testing.assert_allclose(o.rotation_vector(quat), vector, rtol=1e-9, atol=1e-30)
    np.testing.assert_allclose(o.rotation_vector([-each for each in quat]), vector, rtol=1e-9, atol=1e-30)
