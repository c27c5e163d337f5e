"""The background, drawn after what is opaque, so that only its visible part costs time."""

from __future__ import annotations

import moderngl

from renderer.graph import Frame, Job
from renderer.shader import uniform
from renderer.viewpoint import Viewpoint


def wanted(frame: Frame) -> bool:
    """Whether a background is drawn."""
    return there_is(frame) and not frame.alpha


def there_is(frame: Frame) -> bool:
    """Whether the scene has a background."""
    environment = frame.scene.environment
    return environment.draw_sky or environment.fog


def draw(job: Job) -> None:
    """Fill what the opaque pass left."""
    job.device.context.enable_only(moderngl.DEPTH_TEST)
    fill(job, job.frame.viewpoint)


def fill(job: Job, viewpoint: Viewpoint, extra: tuple[str, ...] = ()) -> None:
    """Draw the background that a viewpoint sees into the framebuffer in use."""
    context = job.device.context
    defines = (("FOG",) if job.frame.scene.environment.fog else ()) + extra
    program = job.device.programs.get("sky.vert", "sky.frag", defines)
    if "window_to_direction" in program:
        uniform(program, "window_to_direction").write(viewpoint.directions)
    if "mirror_plane" in program:
        program["mirror_plane"] = viewpoint.plane
    context.disable(moderngl.CULL_FACE)
    context.wireframe = False
    job.device.fill_screen(program)
