"""The background, drawn after opaque surfaces, so that only its visible part costs time."""

from __future__ import annotations

import moderngl
import numpy as np

from kinetree.engine.scene import scene as S
from kinetree.engine.scene.scene import Scene, ShaderFeatures
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.shader import uniform
from kinetree.renderer.viewpoint import Viewpoint

MARGIN = 1.05  # by which depths of a floor are kept away from the ends of the view


def wanted(frame: FrameContext) -> bool:
    """Whether the background is drawn: not where an endless floor covers the whole window."""
    return fills(frame) and not is_covered(frame.scene)


def fills(frame: FrameContext) -> bool:
    """Whether the sky fills the rest of the picture, so that the colours need not be cleared before."""
    return there_is(frame) and not frame.alpha


def is_covered(scene: Scene) -> bool:
    """Whether an endless floor is at every pixel of the window, or behind what is there.

    The inverse depth of a plane is linear over the window: what holds at its four corners holds everywhere.
    """
    view = scene.view
    if view.orthographic or scene.section is not None or scene.wireframe or scene.segment:
        return False
    sides = np.array([(x, y) for x in (view.left, view.rightmost) for y in (view.bottom, view.top)]) / view.near
    rays = view.forward + sides @ np.array([view.right, view.up])
    for batch in scene.opaque:
        if not batch.kind & ShaderFeatures.INFINITE:
            continue
        for row in scene.instances[batch.first : batch.first + batch.visible]:
            normal = row[[S.ROW0 + 2, S.ROW1 + 2, S.ROW2 + 2]].astype(float)
            height = float((view.pos - row[S.POS : S.POS + 3]) @ normal)
            falls = -(rays @ normal)
            if height > 0.0 and height > MARGIN * view.near * falls.max() and MARGIN * height < view.far * falls.min():
                return True
    return False


def there_is(frame: FrameContext) -> bool:
    """Whether the scene has a background."""
    environment = frame.scene.environment
    return environment.draw_sky or environment.fog


def draw(job: PassJob) -> None:
    """Fill what the opaque pass left."""
    job.device.context.enable_only(moderngl.DEPTH_TEST)
    fill(job, job.frame.viewpoint)


def fill(job: PassJob, viewpoint: Viewpoint, extra: tuple[str, ...] = ()) -> None:
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
