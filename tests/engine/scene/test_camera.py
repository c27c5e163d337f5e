"""Camera: mouse mathematics and projections against the reference, rays against projections."""

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinetree
from kinetree.engine.scene.camera import (
    FIXED,
    TRACKING,
    Camera,
    Mouse,
    between,
    default_free,
    fitted,
    initial,
    seen_from,
    view_of,
)
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
        camera.follow(data, model)
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


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda d: np.linalg.norm(d) > 0.01))
def test_a_camera_looks_from_the_side_that_it_is_told(direction):
    camera = seen_from(Camera(lookat=np.array([1.0, 2.0, 3.0])), direction)
    assert np.allclose(camera.axes()[0], -np.array(direction) / np.linalg.norm(direction), atol=1e-6)
    assert np.allclose(camera.lookat, (1, 2, 3))


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("own", ["", '<global orthographic="true" fovy="3"/>'])
@pytest.mark.parametrize("aspect", [0.4, 1.0, 2.0])
def test_what_a_camera_is_fitted_to_fills_the_window(orthographic, own, aspect):
    model = kinetree.load_string(f"<mujoco><visual>{own}</visual><worldbody><geom size='1'/></worldbody></mujoco>")
    camera = default_free(model)
    camera.orthographic = orthographic
    centre = np.array([0.3, -0.2, 0.5])
    camera = fitted(camera, centre, 0.5, model, aspect)
    view = view_of(camera, model, kinetree.Data(model), aspect)
    ball = np.random.default_rng(1).normal(size=(500, 3))
    ball = centre + 0.5 * ball / np.linalg.norm(ball, axis=1)[:, None]
    places = view.project(ball)[:, :2]
    assert (places > 0).all() and (places < 1).all()
    assert np.ptp(places, axis=0).max() > 0.75


def test_perspective_and_orthographic_show_the_centre_in_one_size():
    model = kinetree.load_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    camera = default_free(model)
    heights = []
    for camera.orthographic in (False, True):
        for camera.distance in (2.0, 4.0):
            view = view_of(camera, model, kinetree.Data(model), 1.0)
            heights.append(view.height_at(view.depth(camera.lookat)))
    assert np.allclose(heights[:2], heights[2:])
    assert np.isclose(heights[1], 2 * heights[0])


def test_an_orthographic_model_opens_with_its_own_height():
    text = '<mujoco><visual><global orthographic="true" fovy="3"/></visual><worldbody><geom size="1"/></worldbody></mujoco>'
    model = kinetree.load_string(text)
    assert np.isclose(default_free(model).height_at(1.0, model), 3.0)


@given(st.floats(0, 1), st.floats(-180, 180), st.floats(-180, 180))
def test_a_flight_turns_the_shorter_way(share, one, other):
    start, end = Camera(azimuth=one, distance=1.0), Camera(azimuth=other, distance=4.0)
    middle = between(start, end, share)
    turned = abs(middle.azimuth - one)
    assert turned <= 180.0 + 1e-9
    assert np.isclose(middle.distance, 4.0**share)
    assert np.allclose(between(start, end, 1.0).axes()[0], end.axes()[0])


LAGGING = """<mujoco><worldbody><body mocap="true"><geom size="0.1"/>
<camera name="late" pos="0 -3 0" xyaxes="1 0 0 0 0 1" {}/></body></worldbody></mujoco>"""


def late(speeds: str):
    """A model whose camera is on a body that can be put anywhere."""
    model = kinetree.load_string(LAGGING.format(speeds))
    return model, kinetree.Data(model), Camera(FIXED, fixedcamid=0)


def put(model, data, time: float, pos, turn: float = 0.0) -> None:
    data.time = time
    data.mocap_pos[0], data.mocap_quat[0] = pos, (np.cos(turn / 2), 0, 0, np.sin(turn / 2))
    kinetree.kinematics(model, data)


def seen(camera, model, data):
    camera.follow(data, model)
    return view_of(camera, model, data, 1.0)


def test_a_camera_that_lags_moves_at_its_speed():
    """It begins at its target, comes nearer by speed times time, and does not go beyond."""
    model, data, camera = late('trackposspeed="2"')
    put(model, data, 1.0, (0, 0, 0))
    np.testing.assert_allclose(seen(camera, model, data).pos, [0, -3, 0], atol=1e-12)
    put(model, data, 1.5, (3, 0, 4))
    np.testing.assert_allclose(seen(camera, model, data).pos, [0.6, -3, 0.8], atol=1e-12)
    np.testing.assert_allclose(seen(camera, model, data).pos, [0.6, -3, 0.8], atol=1e-12)  # no time has passed
    put(model, data, 9.0, (3, 0, 4))
    np.testing.assert_allclose(seen(camera, model, data).pos, [3, -3, 4], atol=1e-12)
    put(model, data, 0.0, (5, 0, 0))  # a reset
    np.testing.assert_allclose(seen(camera, model, data).pos, [5, -3, 0], atol=1e-12)


def test_a_camera_that_lags_turns_at_its_speed():
    model, data, camera = late('trackrotspeed="0.5"')
    put(model, data, 0.0, (0, 0, 0))
    seen(camera, model, data)
    put(model, data, 1.0, (0, 0, 0), np.pi / 2)
    view = seen(camera, model, data)
    np.testing.assert_allclose(view.forward, [-np.sin(0.5), np.cos(0.5), 0], atol=1e-9)
    np.testing.assert_allclose(view.pos, [3, 0, 0], atol=1e-9)  # its place follows at once
    put(model, data, 9.0, (0, 0, 0), np.pi / 2)
    np.testing.assert_allclose(seen(camera, model, data).forward, [-1, 0, 0], atol=1e-9)


def test_other_cameras_do_not_lag():
    model, data, camera = late("")
    seen(camera, model, data)
    put(model, data, 1.0, (9, 0, 0))
    np.testing.assert_allclose(seen(camera, model, data).pos, [9, -3, 0], atol=1e-12)
    assert camera.lag is None
    model, data, camera = late('trackposspeed="2"')
    seen(camera, model, data)
    put(model, data, 0.1, (9, 0, 0))
    camera.follow(data, model)
    other = Camera(FIXED, fixedcamid=0)
    np.testing.assert_allclose(view_of(other, model, data, 1.0).pos, [9, -3, 0], atol=1e-12)
    assert camera.copy().lag is camera.lag
