"""The uniform blocks that all programs share, filled from a scene: Frame, Lights and Shadows.

The layout is std140; `shaders/include` has the same blocks with a comment on each member.
"""

from __future__ import annotations

import moderngl
import numpy as np

from kinetree.engine.model.lights import MAXLIGHT, MAXSHADOW
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.scene import Ground, Scene, linear
from kinetree.renderer.captured import CapturedReflections
from kinetree.renderer.graph import FrameContext
from kinetree.renderer.passes import shadow
from kinetree.renderer.resources import GpuAssets
from kinetree.renderer.shader import BLOCKS, CAPTURES, SAMPLERS
from kinetree.renderer.surroundings import EnvironmentMaps

FRAME_ROWS = 14  # vec4 in the Frame block
SIZES = {
    "Frame": FRAME_ROWS * 16,
    "Lights": MAXLIGHT * S.NLIGHT_FIELD * 4,
    "Surroundings": (12 + CAPTURES) * 16,
    "Shadows": MAXSHADOW * shadow.VIEW_BYTES + 16,
}


class Blocks:
    """Owns the buffers behind the blocks."""

    def __init__(self, context: moderngl.Context):
        self._buffers = {name: context.buffer(reserve=size, dynamic=True) for name, size in SIZES.items()}

    def fill(
        self, frame: FrameContext, assets: GpuAssets, surroundings: EnvironmentMaps, captured: CapturedReflections
    ) -> None:
        """Upload a frame's values, and bind the textures that go with them (sky, ground)."""
        scene = frame.scene
        self._buffers["Frame"].write(frame_block(frame, assets).tobytes())
        self._buffers["Lights"].write(np.ascontiguousarray(scene.lights).tobytes())
        captured.bind()
        block = np.concatenate([surroundings.bind(scene, assets), captured.block()])
        self._buffers["Surroundings"].write(block.tobytes())
        if scene.shadows:
            self._buffers["Shadows"].write(shadow.block(frame))
        sky = scene.environment.sky
        (assets.texture(sky) if sky >= 0 else assets.blank_cube()).use(SAMPLERS["sky_map"])
        ground = -1 if scene.ground is None else scene.ground[0]
        (assets.texture(ground) if ground >= 0 else assets.blank_2d()).use(SAMPLERS["ground_map"])
        for name, binding in BLOCKS.items():
            self._buffers[name].bind_to_uniform_block(binding)

    def release(self) -> None:
        """Delete the buffers."""
        for buffer in self._buffers.values():
            buffer.release()
        self._buffers.clear()


@np.errstate(over="ignore")  # fog farther than single precision knows starts at infinity
def frame_block(frame: FrameContext, assets: GpuAssets) -> np.ndarray:
    """(FRAME_ROWS, 4) float32; the members are those of `shaders/include/frame.glsl`, in order."""
    scene, environment = frame.scene, frame.scene.environment
    block = np.zeros((FRAME_ROWS, 4), np.float32)
    block[0, :3] = environment.ambient
    block[1, :3], block[1, 3] = environment.fog_color, float(environment.fog)
    block[2, 0] = environment.fog_start
    block[2, 1] = 1.0 / (environment.fog_end - environment.fog_start)
    block[3, :3] = environment.haze_color
    block[3, 3] = environment.haze
    block[4] = (frame.width, frame.height, 1.0 / frame.width, 1.0 / frame.height)
    block[5, 0] = 1.0 / max(len(scene.mirrors), 1)
    block[6, 0] = environment.background
    block[6, 3] = environment.haze_part
    if environment.sky >= 0:
        block[6, 1] = np.log2(assets.texture(environment.sky).size[0])
        block[6, 2] = 1.0
    if scene.ground is not None:
        block[7:12] = _ground(scene, scene.ground)
    if scene.section is not None:
        block[13] = scene.section
    block[12] = np.array([scene.ndirectional, scene.nlight, 0, 0], np.int32).view(np.float32)
    return block


def _ground(scene: Scene, ground: Ground) -> np.ndarray:
    """(5, 4) the infinite plane as metals see it: plane, texture coordinates, lit colour, its x and y
    axes."""
    _, plane, row, axes = ground
    shown, light = np.array(scene.environment.ambient, float), np.zeros(3)
    for lamp in scene.lights[: scene.ndirectional]:
        facing = max(-float(lamp[S.L_DIR : S.L_DIR + 3] @ plane[:3]), 0.0)
        (light if lamp[S.L_PHOTOMETRIC] else shown)[:] += facing * lamp[S.L_DIFFUSE : S.L_DIFFUSE + 3]
    legacy = scene.lights[scene.ndirectional : scene.nlight]
    legacy = legacy[legacy[:, S.L_PHOTOMETRIC] == 0, S.L_DIFFUSE : S.L_DIFFUSE + 3]
    if len(legacy):
        shown += 0.3 * legacy.max(axis=0)
    light += linear(shown)
    centre = row[S.POS : S.POS + 3].astype(float)
    block = np.zeros((5, 4))
    block[0] = plane
    block[1, :2], block[1, 2:] = row[S.TEXTURE : S.TEXTURE + 2], row[S.TEXTURE + 2 : S.TEXTURE + 4]
    block[2, :3] = row[S.COLOR : S.COLOR + 3] * light
    block[3, :3], block[3, 3] = axes[:, 0], float(axes[:, 0] @ centre)
    block[4, :3], block[4, 3] = axes[:, 1], float(axes[:, 1] @ centre)
    return block
