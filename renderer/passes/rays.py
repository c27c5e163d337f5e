"""Shared by the two passes that trace rays in screen space."""

from __future__ import annotations

import moderngl
import numpy as np

from kinetree.engine.scene.scene import ScreenLight
from kinetree.renderer import viewpoint
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes.occlusion import SAME_SURFACE
from kinetree.renderer.shader import SAMPLERS


def size(frame: FrameContext, smaller: int) -> tuple[int, int]:
    """Width and height of an image with a texel for `smaller` pixels in each direction."""
    return max(1, -(-frame.width // smaller)), max(1, -(-frame.height // smaller))


def follow(job: PassJob, fragment: str, light: ScreenLight, defines: tuple[str, ...]) -> moderngl.Program:
    """The program that follows the rays, ready to fill the screen."""
    device, view = job.device, job.frame.scene.view
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", fragment, defines)
    for name, sampler in (("seen", "scene_color"), ("seen normal", "scene_normal"), ("seen depth", "scene_depth")):
        job.written(name).use(SAMPLERS[sampler])
    viewpoint.set_eye(program, view)
    axes = np.column_stack([view.right, view.up, view.forward])  # rows of the matrix are columns of OpenGL's
    program["to_eye"] = tuple(axes.ravel().tolist())
    width, height = job.target.size
    program["texel"] = 1.0 / width, 1.0 / height
    program["depth_range"] = float(view.near), light.thickness
    return program


def spread(job: PassJob, name: str, light: ScreenLight, defines: tuple[str, ...] = ()) -> None:
    """Blur: average each texel with the texels of a square that are of the same surface."""
    device = job.device
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "found_blur.frag", (f"SAME_SURFACE {SAME_SURFACE}", *defines))
    job.written(name).use(SAMPLERS["scene_color"])
    program["spread"] = light.spread
    device.fill_screen(program)
