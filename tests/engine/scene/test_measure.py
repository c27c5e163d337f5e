"""Distances and angles, and what the mouse snaps to."""

from math import pi

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.camera import Camera, view_of
from kinetree.engine.scene.measure import Measurement, Point, angle, lines, snap
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.pick import pick

TEXT = """<mujoco><worldbody>
  <body name="arm" pos="0 0 1"><joint name="hinge" pos="-.5 0 0" axis="0 0 1"/>
    <geom name="rod" type="capsule" fromto="-.5 0 0 .5 0 0" size=".05"/><site name="tip" pos=".5 0 .3"/></body>
  <body name="crate" pos="0 1 .25"><geom name="box" type="box" size=".25 .25 .25"/></body>
</worldbody></mujoco>"""
SIZE = 800, 600


@pytest.fixture(scope="module")
def scene():
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    camera = Camera(lookat=np.array([0, 0.5, 0.5]), distance=4.0, azimuth=120, elevation=-30)
    return model, data, view_of(camera, model, data, SIZE[0] / SIZE[1])


def snapped(scene, place, off=(3.0, 2.0)):
    model, data, view = scene
    x, y, _ = view.project(np.array([place]))[0]
    x, y = x * SIZE[0] + off[0], y * SIZE[1] + off[1]
    hit = pick(model, data, *view.ray(x / SIZE[0], y / SIZE[1]), VisOptions())
    return snap(model, data, view, x, y, SIZE, hit, VisOptions())


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ((-0.5, 0, 1), "anchor of hinge"),
        ((0.5, 0, 1.3), "site tip"),
        ((0, 0, 1), "centre of rod"),
        ((0.25, 0.75, 0.5), "corner of box"),
    ],
)
def test_the_mouse_snaps_to_what_is_near(scene, place, name):
    found = snapped(scene, place)
    assert found is not None and found.name == name
    assert np.allclose(found.place(scene[1]), place, atol=1e-9)


def test_between_them_it_takes_the_surface(scene):
    found = snapped(scene, (-0.1, 1.1, 0.5), off=(0, 0))
    assert found is not None and found.name == "geom box"
    assert np.allclose(found.place(scene[1]), (-0.1, 1.1, 0.5), atol=1e-6)


def test_beside_everything_there_is_no_point(scene):
    model, data, view = scene
    assert snap(model, data, view, 5.0, 5.0, SIZE, None, VisOptions()) is None


def test_points_move_with_their_bodies(scene):
    model, _, _ = scene
    data = kinetree.Data(model)
    data.qpos[0] = pi / 2
    kinetree.forward(model, data)
    arm = kinetree.name2id(model, "body", "arm")
    end, crate = Point(arm, (0.5, 0, 0), "end"), Point(kinetree.name2id(model, "body", "crate"), (0, 0, 0), "crate")
    assert np.allclose(end.place(data), (-0.5, 1, 1))
    assert np.isclose(Measurement((end, crate)).value(data), np.sqrt(0.25 + 0.75**2))


def test_angles_and_their_texts(scene):
    _, data, _ = scene
    points = tuple(Point(0, place, name) for place, name in (((1, 0, 0), "a"), ((0, 0, 0), "b"), ((0, 2, 0), "c")))
    found = Measurement(points)
    assert np.isclose(found.value(data), pi / 2)
    assert found.text(data) == "90°" and found.text(data, in_degrees=False) == "1.571 rad"
    distance = Measurement(points[::2])
    assert lines([found, distance], data).splitlines() == [
        "Angle a – b – c: 90°",
        "Distance a – c: 2.236 m (x -1, y 2, z 0)",
    ]


def test_an_angle_without_a_side_is_none():
    place = np.zeros(3)
    assert angle(place, place, np.ones(3)) == 0.0
    assert np.isclose(angle(np.ones(3), place, -np.ones(3)), pi)
