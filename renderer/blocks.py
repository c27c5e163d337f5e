"""The uniform blocks that all programs share, filled from a scene: Frame, Lights and Shadows.

The layout is std140; `shaders/include` has the same blocks with a comment on each member.
"""

from __future__ import annotations

import moderngl
import numpy as np

from engine.scene import scene as S
from engine.scene.scene import Ground, Scene
from renderer.graph import Frame
from renderer.passes import shadow
from renderer.resources import Assets
from renderer.shader import BLOCKS, SAMPLERS

FRAME_ROWS = 13  # vec4 in the Frame block
SHADOW_BYTES = 64 + 16 + 16 + 16  # of one shadow: matrix, tile, bounds, bias
SIZES = {
    "Frame": FRAME_ROWS * 16,
    "Lights": S.MAXLIGHT * S.NLIGHT_FIELD * 4,
    "Shadows": S.MAXSHADOW * SHADOW_BYTES + 16,
}


class Blocks:
    """Owns the buffers behind the blocks."""

    def __init__(self, context: moderngl.Context):
        self._buffers = {name: context.buffer(reserve=size, dynamic=True) for name, size in SIZES.items()}

    def fill(self, frame: Frame, assets: Assets) -> None:
        """Upload a frame's values, and bind the textures that go with them (sky, ground)."""
        scene = frame.scene
        self._buffers["Frame"].write(frame_block(frame, assets).tobytes())
        self._buffers["Lights"].write(np.ascontiguousarray(scene.lights).tobytes())
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


def frame_block(frame: Frame, assets: Assets) -> np.ndarray:
    """(FRAME_ROWS, 4) float32; the members are those of `shaders/include/frame.glsl`, in order."""
    scene, environment = frame.scene, frame.scene.environment
    block = np.zeros((FRAME_ROWS, 4), np.float32)
    block[0, :3] = environment.ambient
    block[1, :3], block[1, 3] = environment.fog_color, float(environment.fog)
    block[2, 0] = environment.fog_start
    block[2, 1] = 1.0 / (environment.fog_end - environment.fog_start)
    block[3, :3] = environment.haze_color
    block[3, 3] = 1.0 / environment.haze if environment.haze > 0 else 0.0
    block[4] = (frame.width, frame.height, 1.0 / frame.width, 1.0 / frame.height)
    if scene.mirror is not None:
        block[5] = scene.mirror.plane
    block[6, 0] = environment.env_intensity
    if environment.sky >= 0:
        block[6, 1] = np.log2(assets.texture(environment.sky).size[0])
        block[6, 2] = 1.0
    if scene.ground is not None:
        block[7:12] = _ground(scene, scene.ground)
    block[12] = np.array([scene.ndirectional, scene.nlight, 0, 0], np.int32).view(np.float32)
    return block


def _ground(scene: Scene, ground: Ground) -> np.ndarray:
    """(5, 4) the infinite plane as metals see it: plane, texture coordinates, lit colour, its x and y
    axes."""
    _, plane, row, axes = ground
    light = np.array(scene.environment.ambient, float)
    for lamp in scene.lights[: scene.ndirectional]:
        light += lamp[S.L_DIFFUSE : S.L_DIFFUSE + 3] * max(-float(lamp[S.L_DIR : S.L_DIR + 3] @ plane[:3]), 0.0)
    if scene.nlight > scene.ndirectional:
        local = scene.lights[scene.ndirectional : scene.nlight, S.L_DIFFUSE : S.L_DIFFUSE + 3]
        light += 0.15 * local.max(axis=0)
    centre = row[S.POS : S.POS + 3].astype(float)
    block = np.zeros((5, 4))
    block[0] = plane
    block[1, :2], block[1, 2:] = row[S.TEXTURE : S.TEXTURE + 2], row[S.TEXTURE + 2 : S.TEXTURE + 4]
    block[2, :3] = row[S.COLOR : S.COLOR + 3] * light
    block[3, :3], block[3, 3] = axes[:, 0], float(axes[:, 0] @ centre)
    block[4, :3], block[4, 3] = axes[:, 1], float(axes[:, 1] @ centre)
    return block
