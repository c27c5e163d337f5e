"""Depth maps of the shadow-casting lights, side by side in one atlas."""

from __future__ import annotations

import moderngl
import numpy as np

from engine.scene.scene import MAXSHADOW, Batch, Kind
from renderer.graph import Frame, Job
from renderer.shader import uniform

SINGLE, SEVERAL = 2048, 1024  # side of a light's map, alone and among others
NORMAL_OFFSET = 1.6  # in texels, against acne; small enough not to lift shadows off their casters
REACH = 3.0  # texels around a point that the filter reads


def wanted(frame: Frame) -> bool:
    """Whether any light's shadow is to be drawn."""
    return bool(frame.scene.shadows)


def layout(count: int) -> tuple[int, int, int]:
    """(tile side, columns, rows) of the atlas for `count` maps."""
    if count == 1:
        return SINGLE, 1, 1
    columns = 2 if count <= 4 else 4
    return SEVERAL, columns, -(-count // columns)


def size(frame: Frame) -> tuple[int, int]:
    """Width and height of the atlas in texels."""
    side, columns, rows = layout(len(frame.scene.shadows))
    return side * columns, side * rows


def block(frame: Frame) -> bytes:
    """The Shadows block (`shaders/include/shadow.glsl`)."""
    shadows = frame.scene.shadows
    side, columns, rows = layout(len(shadows))
    width, height = size(frame)
    matrices, tiles, bounds, biases = (np.zeros((MAXSHADOW, n), np.float32) for n in (16, 4, 4, 4))
    margin = REACH / side  # the filter must not reach into the neighbour's map
    for i, shadow in enumerate(shadows):
        matrices[i] = shadow.matrix.T.reshape(-1)
        tiles[i] = (i % columns / columns, i // columns / rows, 1 / columns, 1 / rows)
        bounds[i, :2] = np.maximum(shadow.bounds[:2] - margin, margin)
        bounds[i, 2:] = np.minimum(shadow.bounds[2:] + margin, 1.0 - margin)
        biases[i] = (NORMAL_OFFSET * shadow.width / side, 0.0 if shadow.directional else 1.0, 0.0, 0.0)
    texel = np.array([width, height, 1.0 / width, 1.0 / height], np.float32)
    return b"".join(part.tobytes() for part in (matrices, tiles, bounds, biases, texel))


def draw(job: Job) -> None:
    """Draw every caster into every light's tile."""
    device, scene = job.device, job.frame.scene
    context = device.context
    side, columns, _ = layout(len(scene.shadows))
    solid = device.programs.get("instance.vert", "depth.frag", ("DEPTH_ONLY",))
    clear = device.programs.get("instance.vert", "depth.frag", ("DEPTH_ONLY", "BLEND"))
    job.target.clear(depth=1.0)
    context.enable_only(moderngl.DEPTH_TEST)
    context.polygon_offset = 1.5, 2.0
    for i, shadow in enumerate(scene.shadows):
        context.viewport = (i % columns * side, i // columns * side, side, side)
        matrix = np.ascontiguousarray(shadow.matrix.T, np.float32).tobytes()
        for program, batches in ((solid, scene.opaque), (clear, scene.transparent)):
            uniform(program, "pass_matrix").write(matrix)
            for batch in batches:
                if casts(batch):
                    device.draw_shape(program, batch.shape, batch.first, batch.count)
    context.polygon_offset = 0.0, 0.0


def casts(batch: Batch) -> bool:
    """Decor, infinite planes and materials that say so cast no shadow."""
    return not batch.kind & (Kind.DECOR | Kind.INFINITE | Kind.SHADOWLESS)
