"""Cameras of films."""

import numpy as np
import pytest

from kinetree.app.pictures.film import Film, around, turned
from kinetree.engine.scene.camera import FIXED, FREE, Camera, view_of


def test_a_turntable_begins_again_where_it_ends():
    film = Film(8, 25.0, 0.0, 360.0)
    angles = [each.azimuth for each in film.cameras(Camera(azimuth=90.0))]
    assert np.diff(np.unwrap(angles, period=360.0)) == pytest.approx([45.0] * 7)
    assert angles[0] == 90.0 and film.interval == 0.0


def test_a_fixed_camera_goes_around_from_where_it_stands(scene):
    model, data = scene
    fixed = Camera(FIXED, fixedcamid=0)
    free = around(model, data, fixed)
    before, after = view_of(fixed, model, data, 1.5), view_of(free, model, data, 1.5)
    assert free.type == FREE
    np.testing.assert_allclose(after.pos, before.pos, atol=1e-9)
    np.testing.assert_allclose(after.forward, before.forward, atol=1e-9)
    half = view_of(turned(free, 180.0), model, data, 1.5)
    np.testing.assert_allclose(half.pos[:2] - free.lookat[:2], free.lookat[:2] - before.pos[:2], atol=1e-9)


def test_a_free_camera_stays_itself(scene):
    camera = Camera(FREE, azimuth=12.0)
    assert around(*scene, camera) is camera
