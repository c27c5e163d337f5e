"""The background, drawn last among what is opaque, so that only its visible part costs time."""

from __future__ import annotations

import moderngl
import numpy as np

from engine.scene.scene import Scene

ORTHOGRAPHIC_SLOPE = 0.4142  # tangent of half the angle of view that an orthographic camera's sky has


def wanted(scene: Scene) -> bool:
    """Whether there is a background."""
    return scene.environment.draw_sky or scene.environment.fog


def draw(frame, scene: Scene) -> None:
    """Fill what the opaque pass left."""
    sky_defines = ("FOG",) if scene.environment.fog else ()
    draw_into(frame, scene, np.eye(4), sky_defines)


def directions(view, mirror: np.ndarray) -> np.ndarray:
    """(4, 4) window coordinates (x, y, 1, 1) to world directions."""
    matrix = np.zeros((4, 4))
    if view.orthographic:
        slope = ORTHOGRAPHIC_SLOPE
        aspect = (view.rightmost - view.left) / (view.top - view.bottom)
        left, rightmost, bottom, top = -slope * aspect, slope * aspect, -slope, slope
    else:
        left, rightmost = view.left / view.near, view.rightmost / view.near
        bottom, top = view.bottom / view.near, view.top / view.near
    flip = mirror[:3, :3]
    matrix[:3, 0] = flip @ view.right * (0.5 * (rightmost - left))
    matrix[:3, 1] = flip @ view.up * (0.5 * (top - bottom))
    matrix[:3, 2] = flip @ (
        view.forward + view.right * (0.5 * (left + rightmost)) + view.up * (0.5 * (top + bottom))
    )
    return matrix


def draw_into(frame, scene: Scene, mirror: np.ndarray, defines: tuple[str, ...]) -> None:
    """Draw the background into the framebuffer in use."""
    context = frame.context
    program = frame.programs.get("sky.vert", "sky.frag", defines)
    if "window_to_direction" in program:
        matrix = np.ascontiguousarray(directions(scene.view, mirror).T, np.float32)
        program["window_to_direction"].write(matrix.tobytes())
    context.disable(moderngl.CULL_FACE)
    context.wireframe = False
    frame.sky_array(program).render(moderngl.TRIANGLES, vertices=3)
    frame.calls += 1
