"""Where a pass looks from, in the form that shaders take: the camera's view, or its mirror image in a
plane."""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np

from kinetree.engine.scene.camera import View

ORTHOGRAPHIC_SLOPE = 0.4142  # tangent of half the field of view with which orthographic cameras show the sky


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """matrix      world to clip, float32 in OpenGL's order
    eye         x, y, z, and 1 for an orthographic view
    forward     x, y, z of the viewing direction, 0
    directions  window coordinates (x, y, 1, 1) to world directions, float32 in OpenGL's order
    plane       of the mirror that it looks into, None without one
    number      of that mirror, from 1 on; 0 without one; captured views have the numbers after those of all mirrors
    near        distance from the eye at which the view begins
    """

    matrix: bytes
    eye: tuple[float, float, float, float]
    forward: tuple[float, float, float, float]
    directions: bytes
    plane: tuple[float, float, float, float] | None = None
    number: int = 0
    near: float = 0.0


def of(view: View, plane: np.ndarray | None = None, number: int = 0) -> Viewpoint:
    """The viewpoint of `view`; with a `plane` (unit normal, offset), of its mirror image in it, the mirror's `number`
    counted from 1."""
    mirror = np.eye(4) if plane is None else reflection(plane)
    eye = mirror[:3, :3] @ view.pos + mirror[:3, 3]
    return Viewpoint(
        _bytes(view.projection @ view.view @ mirror),
        (*eye.tolist(), 1.0 if view.orthographic else 0.0),
        (*(mirror[:3, :3] @ view.forward).tolist(), 0.0),
        _bytes(_directions(view, mirror[:3, :3])),
        None if plane is None else tuple(plane.tolist()),
        number,
        view.near,
    )


def set_eye(program: moderngl.Program, view: View) -> None:
    """Set the uniforms for turning a depth image of `view` into positions (`shaders/include/eye.glsl`)."""
    program["depth_rows"] = (*view.projection[2, 2:].tolist(), *view.projection[3, 2:].tolist())
    unit = 1.0 if view.orthographic else view.near
    width, height = (view.rightmost - view.left) / unit, (view.top - view.bottom) / unit
    program["frustum"] = view.left / unit, view.bottom / unit, width, height
    program["orthographic"] = float(view.orthographic)


def reflection(plane: np.ndarray) -> np.ndarray:
    """(4, 4) matrix that mirrors points in a plane (unit normal, offset); pyrr has none."""
    normal, offset = plane[:3], plane[3]
    matrix = np.eye(4)
    matrix[:3, :3] -= 2.0 * np.outer(normal, normal)
    matrix[:3, 3] = -2.0 * offset * normal
    return matrix


def _directions(view: View, flip: np.ndarray) -> np.ndarray:
    """(4, 4) window coordinates (x, y, 1, 1) to world directions."""
    if view.orthographic:
        slope = ORTHOGRAPHIC_SLOPE
        aspect = (view.rightmost - view.left) / (view.top - view.bottom)
        left, rightmost, bottom, top = -slope * aspect, slope * aspect, -slope, slope
    else:
        left, rightmost = view.left / view.near, view.rightmost / view.near
        bottom, top = view.bottom / view.near, view.top / view.near
    middle = view.forward + view.right * (0.5 * (left + rightmost)) + view.up * (0.5 * (top + bottom))
    matrix = np.zeros((4, 4))
    matrix[:3, 0] = flip @ view.right * (0.5 * (rightmost - left))
    matrix[:3, 1] = flip @ view.up * (0.5 * (top - bottom))
    matrix[:3, 2] = flip @ middle
    return matrix


def _bytes(matrix: np.ndarray) -> bytes:
    return np.ascontiguousarray(matrix.T, np.float32).tobytes()
