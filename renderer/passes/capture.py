"""Draws outdated local reflections of glossy objects (`renderer/captured.py`)."""

from __future__ import annotations

import moderngl

from kinetree.engine.scene.scene import Scene
from kinetree.renderer import viewpoint
from kinetree.renderer.captured import FACE, ROUGHNESS, SAMPLES, SIDE
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes.clusters import captured_number
from kinetree.renderer.passes.surfaces import draw_batches

AS_IT_IS = -1e-6  # of shaders/prefilter.frag: level 0 of the cube image


def wanted(frame: FrameContext) -> bool:
    """Whether the frame has local reflections to draw."""
    return bool(frame.captures)


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of the target of a cube face."""
    return FACE, FACE


def draw(job: PassJob) -> None:
    """Draw the local reflections that are due."""
    captured, scene = job.device.captured, job.frame.scene
    for number in captured.due():
        _draw_one(job, number, scene)
        captured.pending.remove(number)


def _draw_one(job: PassJob, number: int, scene: Scene) -> None:
    device, context = job.device, job.device.context
    captured, cube = device.captured, device.captured.cube()
    batches = captured.shown(number, scene)
    for face, view in enumerate(captured.views(number, scene)):
        job.target.use()
        job.target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST)
        here = viewpoint.of(view, number=captured_number(job.frame, number, face))
        draw_batches(job, batches, here, ("CAPTURE",), everything=True)
        cube.write(face, job.target.read(components=4, dtype="f2", alignment=1))
    cube.build_mipmaps()
    for level, (roughness, samples) in enumerate(zip(ROUGHNESS, SAMPLES)):
        side = SIDE >> level
        texels = device.surroundings.drawn(cube, side, roughness if level else AS_IT_IS, samples)
        captured.keep(number, level, texels)
    job.target.use()
