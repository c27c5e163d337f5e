"""In which closed meshes the points of the section plane are that each pixel shows.

From a point of the plane on, a ray leaves a closed mesh once more often than it enters it if and only if the point is
inside. So the back faces behind the plane, less the front faces, count the meshes that a point is in; of the numbers of
the instances and their squares what entered and left cancels too. `shaders/include/section.glsl` asks whether an
instance is among them: exact for up to two meshes with a point in common.
"""

from __future__ import annotations

import moderngl

from kinetree.engine.scene.scene import Batch, Scene
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes.surfaces import choose_planes, closed_mesh, is_cut, meets
from kinetree.renderer.shader import uniform


def wanted(frame: FrameContext) -> bool:
    """Whether the section plane cuts a mesh."""
    scene = frame.scene
    return any(is_counted(scene, batch) for batch in scene.opaque)


def is_counted(scene: Scene, batch: Batch) -> bool:
    """Whether the plane goes through meshes of a batch."""
    return closed_mesh(batch) and is_cut(scene, batch) and meets(scene, batch)


def draw(job: PassJob) -> None:
    """Count the closed meshes at each pixel. Channels: number of meshes, sum of their numbers, sum of the squares of
    these."""
    device, context, scene = job.device, job.device.context, job.frame.scene
    job.target.clear(0.0, 0.0, 0.0, 0.0)
    context.enable_only(moderngl.BLEND)
    context.blend_func = moderngl.ONE, moderngl.ONE
    choose_planes(context, False, True)
    program = device.programs.get("instance.vert", "cut.frag", ("DEPTH_ONLY", "SECTION", "NUMBERED"))
    uniform(program, "pass_matrix").write(job.frame.viewpoint.matrix)
    for batch in scene.opaque:
        if is_counted(scene, batch) and device.assets.is_closed(batch.shape):
            device.draw_shape(program, batch.shape, batch.first, batch.visible)
    choose_planes(context, False, False)
