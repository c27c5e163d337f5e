"""Screen-space reflections on glossy surfaces that planar mirrors do not cover.

If a ray leaves the picture or hits a hidden surface, the surface reflects its surroundings instead.
"""

from __future__ import annotations

from kinetree.engine.scene import scene as S
from kinetree.engine.scene.scene import Batch, Scene, ScreenLight, ShaderFeatures
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes import rays
from kinetree.renderer.shader import ROUGHEST, SAMPLERS


def wanted(frame: FrameContext) -> bool:
    """Whether the effect is on, and something glossy is in view."""
    scene = frame.scene
    return scene.reflections is not None and any(_is_glossy(scene, batch) for batch in scene.opaque)


def _is_glossy(scene: Scene, batch: Batch) -> bool:
    if (
        not batch.visible
        or not batch.kind & ShaderFeatures.PBR
        or batch.kind & (ShaderFeatures.DECOR | ShaderFeatures.MIRROR)
    ):
        return False
    rows = scene.instances[batch.first : batch.first + batch.visible]
    return bool(batch.kind & ShaderFeatures.LAYERS or (rows[:, S.ROUGHNESS] < ROUGHEST).any())


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of the images."""
    light = frame.scene.reflections
    return rays.size(frame, light.smaller if light is not None else 1)


def draw(job: PassJob) -> None:
    """Follow a ray from each texel."""
    light = _light(job.frame)
    job.device.fill_screen(rays.follow(job, "reflection.frag", light, (f"STEPS {light.steps}",)))


def spread(job: PassJob) -> None:
    """Filter what they found."""
    job.written("seen normal").use(SAMPLERS["scene_normal"])
    rays.spread(job, "raw reflection", _light(job.frame), ("REFLECTION",))


def _light(frame: FrameContext) -> ScreenLight:
    assert frame.scene.reflections is not None
    return frame.scene.reflections
