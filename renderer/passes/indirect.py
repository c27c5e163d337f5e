"""Light that surfaces in the picture send to each other: a red wall makes the floor before it red.

Surfaces add it to the light that they get from lamps. What is not in the picture sends none.
"""

from __future__ import annotations

from kinetree.engine.scene.scene import ScreenLight, ShaderFeatures
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes import rays


def wanted(frame: FrameContext) -> bool:
    """Whether the effect is on, and there are surfaces."""
    scene = frame.scene
    return scene.indirect is not None and any(b.visible and not b.kind & ShaderFeatures.DECOR for b in scene.opaque)


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of the images."""
    light = frame.scene.indirect
    return rays.size(frame, light.smaller if light is not None else 1)


def draw(job: PassJob) -> None:
    """Look from each texel to both sides along its lines."""
    light = _light(job.frame)
    program = rays.follow(job, "indirect.frag", light, (f"RAYS {light.rays}", f"STEPS {light.steps}"))
    program["intensity"] = light.intensity
    job.device.fill_screen(program)


def spread(job: PassJob) -> None:
    """Filter what they found."""
    rays.spread(job, "raw indirect", _light(job.frame))


def _light(frame: FrameContext) -> ScreenLight:
    assert frame.scene.indirect is not None
    return frame.scene.indirect
