"""Camera: mouse mathematics and projections against the reference, rays against projections."""

import mujoco
import numpy as np
import pytest

from engine.scene.camera import FIXED, TRACKING, Camera, Mouse, default_free, initial, view_of
from tests.engine.scene.worlds import load

CAMERAS = """
<mujoco>
  <statistic extent="3" center="0.1 0.2 0.3"/>
  <visual><global azimuth="120" elevation="-25" fovy="40"/></visual>
  <worldbody>
    <camera name="plain" pos="1 -2 3" euler="40 10 5" fovy="30"/>
    <camera name="ortho" pos="1 -2 3" euler="40 10 5" orthographic="true" fovy="2.5"/>
    <camera name="lens" pos="0 -4 1" euler="80 0 0" sensorsize="0.032 0.02" focal="0.03 0.03"
      principal="0.004 0.002" resolution="960 600"/>
    <body name="b"><freejoint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def world():
    return load(CAMERAS)


def reference(model, data, camera=None):
    """The reference's abstract camera: (MjvScene, MjvCamera)."""
    scene = mujoco.MjvScene(model, 100)
    if camera is None:
        camera = mujoco.MjvCamera()
        mujoco.mjv_defaultFreeCamera(model, camera)
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, 7, scene)
    return scene, camera


def middle(scene) -> np.ndarray:
    """Between the reference's two eyes."""
    return 0.5 * (np.asarray(scene.camera[0].pos) + np.asarray(scene.camera[1].pos))


def test_default_free_camera(world):
    model, data = world
    scene, camera = reference(model, data)
    ours = default_free(model)
    assert (ours.azimuth, ours.elevation, ours.distance) == (
        camera.azimuth,
        camera.elevation,
        camera.distance,
    )
    np.testing.assert_allclose(ours.lookat, camera.lookat)
    view = view_of(ours, model, data, 1.6)
    np.testing.assert_allclose(view.pos, middle(scene), atol=1e-5)
    np.testing.assert_allclose(view.forward, scene.camera[0].forward, atol=1e-6)
    np.testing.assert_allclose(view.up, scene.camera[0].up, atol=1e-6)
    np.testing.assert_allclose(view.right, np.cross(view.forward, view.up), atol=1e-12)


@pytest.mark.parametrize("action", ["ROTATE_V", "ROTATE_H", "MOVE_V", "MOVE_H", "ZOOM"])
@pytest.mark.parametrize("move", [(0.05, 0.0), (0.0, 0.07), (-0.2, 0.1), (0.0, -0.6), (0.0, 0.4)])
@pytest.mark.parametrize("distance", [0.05, 4.5, 80.0])
def test_mouse_is_simulates(world, action, move, distance):
    model, data = world
    theirs = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, theirs)
    theirs.distance = distance
    scene, _ = reference(model, data, theirs)
    ours = default_free(model)
    ours.distance = distance
    mujoco.mjv_moveCamera(model, getattr(mujoco.mjtMouse, f"mjMOUSE_{action}"), *move, scene, theirs)
    ours.move(Mouse[action], *move, model)
    np.testing.assert_allclose(ours.lookat, theirs.lookat, rtol=1e-5, atol=1e-6)
    assert ours.distance == pytest.approx(theirs.distance, rel=1e-6)
    assert ours.elevation == pytest.approx(theirs.elevation, abs=1e-6)
    assert (ours.azimuth - theirs.azimuth + 180) % 360 - 180 == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("index", [0, 1, 2])
def test_model_cameras(world, index):
    model, data = world
    camera = mujoco.MjvCamera()
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, index
    scene, _ = reference(model, data, camera)
    theirs = scene.camera[0]
    view = view_of(Camera(FIXED, fixedcamid=index), model, data, 1.6)
    np.testing.assert_allclose(view.pos, middle(scene), atol=1e-5)
    np.testing.assert_allclose(view.forward, theirs.forward, atol=1e-6)
    np.testing.assert_allclose([view.bottom, view.top], [theirs.frustum_bottom, theirs.frustum_top], rtol=1e-5)
    assert view.orthographic == bool(theirs.orthographic)
    if theirs.frustum_width:
        assert 0.5 * (view.left + view.rightmost) == pytest.approx(theirs.frustum_center, rel=1e-4)
        assert 0.5 * (view.rightmost - view.left) == pytest.approx(theirs.frustum_width, rel=1e-4)


def test_camera_that_does_not_exist(world):
    with pytest.raises(IndexError, match="camera 7 does not exist: the model has 3"):
        view_of(Camera(FIXED, fixedcamid=7), *world, 1.0)


@pytest.mark.parametrize("index", [0, 1, 2])
def test_rays_project_back(world, index):
    view = view_of(Camera(FIXED, fixedcamid=index), *world, 1.6)
    for x, y in ((0.5, 0.5), (0.1, 0.9), (0.93, 0.2)):
        origin, direction = view.ray(x, y)
        px, py, depth = view.project(origin + 3.7 * direction)[0]
        assert (px, py) == pytest.approx((x, y), abs=1e-9)
        assert depth > 0
        clip = view.projection @ view.view @ np.append(origin + 3.7 * direction, 1.0)
        assert clip[0] / clip[3] == pytest.approx(2 * x - 1, abs=1e-9)
        assert clip[1] / clip[3] == pytest.approx(1 - 2 * y, abs=1e-9)
        assert -1 <= clip[2] / clip[3] <= 1


def test_tracking_follows(world):
    model, data = world
    camera = Camera(TRACKING, trackbodyid=1)
    data.qpos[:3] = 1, 2, 3
    mujoco.mj_forward(model, data)
    theirs = mujoco.MjvCamera()
    theirs.type, theirs.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, 1
    for _ in range(4):
        camera.follow(data)
        reference(model, data, theirs)
        np.testing.assert_allclose(camera.lookat, theirs.lookat, atol=1e-9)
    camera.move(Mouse.MOVE_V, 0.1, 0.1, model)
    np.testing.assert_allclose(camera.lookat, theirs.lookat, atol=1e-9)


def test_initial_camera_is_the_files():
    model, _ = load(CAMERAS.replace('fovy="40"/>', 'fovy="40" cameraid="1"/>'))
    assert (initial(model).type, initial(model).fixedcamid) == (FIXED, 1)


def test_wheel_stays_in_limits(world):
    model, _ = world
    camera = default_free(model)
    camera.zoom(1000, model)
    assert camera.distance == pytest.approx(0.01 * model.stat.extent)
    camera.zoom(-2000.5, model)
    assert camera.distance == pytest.approx(100 * model.stat.extent)
