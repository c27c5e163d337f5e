"""Cameras: where the viewer stands, how the mouse moves it, and the matrices that follow.

Conventions: world units are metres with z up; angles in degrees; a camera looks along its -z axis, x right, y
up. Matrices are row-major numpy float64 that multiply column vectors (`clip = projection @ view @ point`);
clip space is OpenGL's (-w..w in all three axes). Mouse movements are fractions of the window's *height*, y
downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from math import atan, atan2, cos, degrees, hypot, log, radians, sin, tan

import numpy as np
from pyrr import ray

from kinetree.engine.scene.dialect import added
from kinetree.engine.scene.rotation import look_at, orthographic, perspective, turned_towards, unit

FREE, TRACKING, FIXED = "free", "tracking", "fixed"

ZOOM_RATE = 3.0  # at small distances, zooming by the whole window height changes the distance by this factor
TRACKING_RATE = 0.2  # part of the way to the tracked body's centre that `follow` goes
LEVEL = 1e-9  # below this horizontal part a unit direction is vertical
STEEPEST = 89.0  # elevation that orbiting reaches, degrees
CLOSEST, FARTHEST = 0.01, 100.0  # limits of the free camera's distance, in extents
BEGINNING = 1.5  # distance of the free camera with which a model opens, in extents
USUAL_FOVY = 45.0  # field of view in perspective of a model whose own camera is orthographic, degrees
ROOM = 1.15  # space around what a camera is fitted to, of its radius


class Mouse(IntEnum):
    """Meaning of a drag (MuJoCo's mjtMouse)."""

    NONE = 0
    ROTATE_V = 1
    ROTATE_H = 2
    MOVE_V = 3
    MOVE_H = 4
    ZOOM = 5
    SELECT = 6


@dataclass(frozen=True, slots=True)
class CameraLag:
    """Where a model camera that lags behind is: its number, the time (s), position (3,) and axes (3, 3) like
    cam_xmat."""

    camera: int
    time: float
    pos: np.ndarray
    mat: np.ndarray


@dataclass
class Camera:
    """The viewer's camera, for `kinetree.render`.

    type          "free", "tracking" (a body) or "fixed" (a camera of the model)
    fixedcamid    id of that camera
    trackbodyid   id of that body
    lookat        (3,) point that a free camera looks at, m
    distance      from that point, or from the body, m
    azimuth       0: towards +x, 90: towards +y, degrees
    elevation     negative: from above, degrees
    orthographic  whether there is no perspective
    lag           where a fixed camera is that does not follow its target at once

    Source: specification, API reference, mjvCamera.

    Example:
        model = kinetree.load("arm.xml")
        camera = kinetree.Camera(lookat=np.array([0.3, 0, 0.3]), distance=1.5, azimuth=120, elevation=-20)
        picture = kinetree.render(model, kinetree.Data(model), 160, 120, camera)
        assert picture.std() > 5
    """

    type: str = FREE
    fixedcamid: int = -1
    trackbodyid: int = -1
    lookat: np.ndarray = field(default_factory=lambda: np.zeros(3))
    distance: float = 2.0
    azimuth: float = 90.0
    elevation: float = -45.0
    orthographic: bool = False
    lag: CameraLag | None = None

    def copy(self) -> Camera:
        """An independent copy."""
        return Camera(
            self.type,
            self.fixedcamid,
            self.trackbodyid,
            np.array(self.lookat, float),
            self.distance,
            self.azimuth,
            self.elevation,
            self.orthographic,
            self.lag,
        )

    def axes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Unit vectors (forward, up, right) of the free or tracking camera, from azimuth and elevation."""
        ca, sa = cos(radians(self.azimuth)), sin(radians(self.azimuth))
        ce, se = cos(radians(self.elevation)), sin(radians(self.elevation))
        forward = np.array([ce * ca, ce * sa, se])
        up = np.array([-se * ca, -se * sa, ce])
        return forward, up, np.array([sa, -ca, 0.0])

    def follow(self, state, model) -> None:
        """Move a tracking camera's `lookat` part of the way to its body's centre, and a fixed one that lags behind as
        far as its speeds allow; call once a frame."""
        if self.type == FIXED:
            self.lag = lagging(self.lag, model, state, self.fixedcamid)
        if self.type == TRACKING and self.trackbodyid >= 0:
            target = np.asarray(state.subtree_com[self.trackbodyid], float)
            self.lookat = self.lookat + TRACKING_RATE * (target - self.lookat)

    def move(self, action: Mouse, dx: float, dy: float, model, view: View | None = None) -> None:
        """Apply a mouse movement (fractions of the window height) as `simulate` does; fixed cameras stay.

        Rotating turns by 180 degrees a window height, panning keeps the point at `lookat`'s depth under the
        cursor, and zooming changes the distance by 9 e log(1 + d / 3e) a window height (e: extent, d:
        distance).
        """
        if self.type == FIXED:
            return
        extent = float(model.stat.extent)
        if action in (Mouse.ROTATE_V, Mouse.ROTATE_H):
            self.azimuth = (self.azimuth - 180.0 * dx + 180.0) % 360.0 - 180.0
            self.elevation = min(STEEPEST, max(-STEEPEST, self.elevation - 180.0 * dy))
        elif action in (Mouse.MOVE_V, Mouse.MOVE_H):
            if self.type == TRACKING:
                return
            right, vertical, horizontal = drag_axes(self.axes()[0], self.axes()[2])
            height = self.height_at(self.distance, model)
            along = vertical if action == Mouse.MOVE_V else horizontal
            self.lookat = self.lookat + height * (-dx * right + dy * along)
        elif action == Mouse.ZOOM:
            scale = ZOOM_RATE * extent
            distance = self.distance - dy * ZOOM_RATE * scale * log(1.0 + self.distance / scale)
            self.distance = min(FARTHEST * extent, max(CLOSEST * extent, distance))

    def zoom(self, steps: float, model) -> None:
        """A wheel's `steps` (positive: nearer), about 5 % of the window height each, the same whichever
        way."""
        extent = float(model.stat.extent)
        for _ in range(int(abs(steps))):
            self.move(Mouse.ZOOM, 0.0, 0.05 if steps > 0 else -0.05, model)
        rest = abs(steps) - int(abs(steps))
        if rest:
            self.move(Mouse.ZOOM, 0.0, rest * (0.05 if steps > 0 else -0.05), model)
        self.distance = max(self.distance, CLOSEST * extent)

    def height_at(self, depth: float, model) -> float:
        """Height in metres of the visible area at `depth` (free and tracking cameras). An orthographic camera shows the
        same height as a perspective one does at the depth of `lookat`, so that zooming has the same effect; at the
        distance with which a model opens, that is the height that the model gives.
        """
        if not self.orthographic:
            return 2.0 * depth * tan(0.5 * radians(perspective_fovy(model)))
        if model.vis.global_.orthographic:
            return float(model.vis.global_.fovy) * self.distance / (BEGINNING * float(model.stat.extent))
        return 2.0 * self.distance * tan(0.5 * radians(perspective_fovy(model)))


def lagging(lag: CameraLag | None, model, state, index: int) -> CameraLag | None:
    """Where a model camera is at the time of `state`, coming from `lag`. None for a camera that does not lag.

    It moves and turns towards its target at the speeds trackposspeed (m/s) and trackrotspeed (rad/s) of the Motphys
    dialect, in simulated time; 0: at once. It begins at its target, and is there again when time has gone back.
    """
    if not 0 <= index < model.ncam:
        return None
    speed, turning = (float(added(model, f"cam_track{kind}speed", model.ncam, 0)[index]) for kind in ("pos", "rot"))
    if speed <= 0 and turning <= 0:
        return None
    time = float(state.time)
    pos, mat = np.array(state.cam_xpos[index], float), np.array(state.cam_xmat[index], float).reshape(3, 3)
    if lag is None or lag.camera != index or time < lag.time:
        return CameraLag(index, time, pos, mat)
    passed = time - lag.time
    if speed > 0:
        way = pos - lag.pos
        pos = lag.pos + way * min(1.0, speed * passed / max(float(np.linalg.norm(way)), 1e-12))
    if turning > 0:
        mat = turned_towards(lag.mat, mat, turning * passed)
    return CameraLag(index, time, pos, mat)


def drag_axes(forward: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """World directions of a drag: (right, up in the vertical plane, away in the horizontal plane)."""
    right = np.array([right[0], right[1], 0.0])
    norm = np.linalg.norm(right)
    right = right / norm if norm > 1e-9 else np.array([1.0, 0.0, 0.0])
    return right, np.array([0.0, 0.0, 1.0]), np.array([-right[1], right[0], 0.0])


def perspective_fovy(model) -> float:
    """Vertical field of view of the free camera in perspective, degrees. Models whose own camera is orthographic give
    metres in its place."""
    return USUAL_FOVY if model.vis.global_.orthographic else float(model.vis.global_.fovy)


def angles_from(direction) -> tuple[float, float | None]:
    """(elevation, azimuth) in degrees of a free camera that looks at its centre from a direction (3,). The azimuth is
    None where the direction is vertical: every one will do."""
    x, y, z = unit(direction).tolist()
    level = hypot(x, y)
    return degrees(atan2(-z, level)), None if level < LEVEL else degrees(atan2(-y, -x))


def seen_from(camera: Camera, direction) -> Camera:
    """A free camera that looks at the same point, from a direction (3,) of the world."""
    result = camera.copy()
    elevation, azimuth = angles_from(direction)
    result.type, result.elevation = FREE, elevation
    if azimuth is not None:
        result.azimuth = azimuth
    elif camera.type == FREE:  # seen from above and from below the axes of the world are upright
        result.azimuth = 90.0 * round(camera.azimuth / 90.0)
    return result


def fitted(camera: Camera, centre, radius: float, model, aspect: float) -> Camera:
    """A free camera in the same direction that shows a ball as large as the window allows; `aspect` is the window's
    width / height."""
    result = camera.copy()
    extent = float(model.stat.extent)
    result.type, result.lookat = FREE, np.array(centre, float)
    half = 0.5 * radians(perspective_fovy(model))
    narrow = min(half, atan(aspect * tan(half)))  # half of the smaller field of view
    distance = ROOM * radius / (tan(narrow) if camera.orthographic else sin(narrow))
    if camera.orthographic and model.vis.global_.orthographic:
        distance = 2 * ROOM * radius * BEGINNING * extent / float(model.vis.global_.fovy) / min(1.0, aspect)
    result.distance = min(FARTHEST * extent, max(CLOSEST * extent, distance))
    return result


def as_free(camera: Camera, view: View, centre) -> Camera:
    """A free camera where a model camera is, upright, that looks at what is as far as a point `centre` (3,)."""
    result = seen_from(camera, -view.forward)
    result.orthographic = view.orthographic
    result.distance = max(view.depth(centre), 2.0 * view.near)
    result.lookat = view.pos + result.distance * view.forward
    return result


def between(start: Camera, end: Camera, share: float) -> Camera:
    """A camera on the way from one free or tracking camera to another; `share` is from 0 to 1. It turns the shorter
    way, and comes nearer by equal factors in equal times."""
    result = end.copy()
    turn = (end.azimuth - start.azimuth + 180.0) % 360.0 - 180.0
    result.azimuth = start.azimuth + share * turn
    result.elevation = start.elevation + share * (end.elevation - start.elevation)
    result.distance = start.distance * (end.distance / start.distance) ** share
    result.lookat = (1.0 - share) * np.asarray(start.lookat, float) + share * np.asarray(end.lookat, float)
    return result


def default_free(model) -> Camera:
    """The camera with which a model opens: the file's azimuth, elevation and centre, at 1.5 extents."""
    settings = model.vis.global_
    return Camera(
        FREE,
        lookat=np.array(model.stat.center, float),
        distance=BEGINNING * float(model.stat.extent),
        azimuth=float(settings.azimuth),
        elevation=float(settings.elevation),
        orthographic=bool(settings.orthographic),
    )


def initial(model) -> Camera:
    """The camera that `visual/global cameraid` names, else the default free one."""
    camera = default_free(model)
    cameraid = int(model.vis.global_.cameraid)
    if 0 <= cameraid < model.ncam:
        camera.type, camera.fixedcamid = FIXED, cameraid
    return camera


@dataclass(frozen=True)
class View:
    """A camera in the world for one frame, with a frustum (metres at the near plane; y up, x right)."""

    pos: np.ndarray
    forward: np.ndarray
    up: np.ndarray
    right: np.ndarray
    bottom: float
    top: float
    left: float
    rightmost: float
    near: float
    far: float
    orthographic: bool
    bounded: bool = False  # nothing beyond `far` is seen, in perspective too

    @cached_property
    def view(self) -> np.ndarray:
        """(4, 4) world to camera."""
        return look_at(self.pos, self.forward, self.up)

    @cached_property
    def projection(self) -> np.ndarray:
        """(4, 4) camera to clip. Perspective has no far plane, so that an infinite plane reaches its horizon,
        unless the camera has one of its own."""
        bounds = (self.left, self.rightmost, self.bottom, self.top, self.near)
        if self.orthographic:
            return orthographic(*bounds, self.far)
        return perspective(*bounds, self.far if self.bounded else None)

    def ray(self, x: float, y: float) -> np.ndarray:
        """(2, 3) origin and unit direction of the ray through the window at fractions x from the left, y from
        the top."""
        across = self.left + x * (self.rightmost - self.left)
        upward = self.top + y * (self.bottom - self.top)
        offset = across * self.right + upward * self.up
        if self.orthographic:
            return ray.create(self.pos + offset, self.forward)
        return ray.create(self.pos, unit(self.near * self.forward + offset))

    def depth(self, point) -> float:
        """Distance of a world point along the viewing direction."""
        return float((np.asarray(point, float) - self.pos) @ self.forward)

    def height_at(self, depth: float) -> float:
        """Height in metres of the visible area at `depth`."""
        height = self.top - self.bottom
        return height if self.orthographic else height * depth / self.near

    def project(self, points: np.ndarray) -> np.ndarray:
        """World points (n, 3) to (n, 3): fractions of the window from left and top, and depth (<= 0:
        behind)."""
        points = np.atleast_2d(points)
        clip = np.column_stack([points, np.ones(len(points))]) @ (self.projection @ self.view).T
        w = np.where(np.abs(clip[:, 3]) < 1e-12, 1e-12, clip[:, 3])
        depth = (points - self.pos) @ self.forward
        return np.column_stack([0.5 + 0.5 * clip[:, 0] / w, 0.5 - 0.5 * clip[:, 1] / w, depth])


def view_of(camera: Camera, model, state, aspect: float) -> View:
    """The frame's view from `camera`, for a window of width / height = `aspect`.

    A model camera with a sensor size keeps the sensor's height, focal lengths and principal point; the width
    follows the window, so that nothing is stretched. Its own clipping distances, where it has them, take the
    place of the model's. Raises IndexError for a fixed camera that the model does not have.
    """
    near = float(model.vis.map.znear) * float(model.stat.extent)
    far = float(model.vis.map.zfar) * float(model.stat.extent)
    bounded = False
    if camera.type == FIXED:
        index = camera.fixedcamid
        if not 0 <= index < model.ncam:
            raise IndexError(f"camera {index} does not exist: the model has {model.ncam}")
        lag = camera.lag if camera.lag is not None and camera.lag.camera == index else None
        pos = np.array(state.cam_xpos[index] if lag is None else lag.pos, float)
        axes = np.asarray(state.cam_xmat[index] if lag is None else lag.mat, float).reshape(3, 3)
        right, up, forward = axes[:, 0].copy(), axes[:, 1].copy(), -axes[:, 2]
        orthographic = bool(model.cam_orthographic[index])
        fovy = float(model.cam_fovy[index])
        sensor = np.asarray(model.cam_sensorsize[index], float)
        near = float(added(model, "cam_znear", model.ncam, 0)[index]) or near
        own = float(added(model, "cam_zfar", model.ncam, 0)[index])
        bounded, far = own > near, own if own > near else max(far, 2 * near)
    else:
        forward, up, right = camera.axes()
        orthographic, sensor = camera.orthographic, np.zeros(2)
        fovy = camera.height_at(camera.distance, model) if orthographic else perspective_fovy(model)
        # an orthographic camera sees the same from farther away: what is before `lookat` is not cut off
        back = max(camera.distance, BEGINNING * float(model.stat.extent)) if orthographic else camera.distance
        pos = np.asarray(camera.lookat, float) - back * forward
        far = max(far, 2 * back) if orthographic else far
    if orthographic:
        half = 0.5 * fovy
        return View(pos, forward, up, right, -half, half, -half * aspect, half * aspect, near, far, True)
    if sensor[1] > 0:
        fx, fy, px, py = (float(value) for value in model.cam_intrinsic[index])
        bottom, top = near / fy * (-0.5 * sensor[1] + py), near / fy * (0.5 * sensor[1] + py)
        middle, half = near / fx * px, 0.5 * (top - bottom) * aspect * (fy / fx)
        return View(pos, forward, up, right, bottom, top, middle - half, middle + half, near, far, False, bounded)
    half = near * tan(0.5 * radians(fovy))
    return View(pos, forward, up, right, -half, half, -half * aspect, half * aspect, near, far, False, bounded)


def focus(model, camera: Camera | View, view: View) -> np.ndarray:
    """The point that the viewer looks at: `lookat`, or the point of the axis of a fixed camera or of a View nearest the
    centre."""
    if isinstance(camera, Camera) and camera.type != FIXED:
        return np.asarray(camera.lookat, float)
    depth = float((np.asarray(model.stat.center, float) - view.pos) @ view.forward)
    return view.pos + view.forward * max(depth, view.near)
