"""Depth and normals with one value a pixel, from the multisampled ones, for effects and for whoever asks for
them.

Both are of the pixel's nearest sample: the mean of two surfaces would lie where neither is.
"""

from __future__ import annotations

import moderngl

from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.shader import SAMPLERS


def wanted(frame: FrameContext) -> bool:
    """Always; the graph leaves it out where nothing reads its images."""
    return True


def draw(job: PassJob) -> None:
    """Resolve depth and normals. Depth becomes the distance in metres along the viewing direction, infinite where there
    is nothing."""
    device, frame = job.device, job.frame
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "geometry.frag", (f"SAMPLES {frame.samples}",))
    job.written("depth").use(SAMPLERS["scene_depth"])
    job.written("normal").use(SAMPLERS["scene_normal"])
    projection = frame.scene.view.projection
    program["depth_rows"] = (*projection[2, 2:].tolist(), *projection[3, 2:].tolist())
    device.fill_screen(program)
