"""Depth maps of the shadow-casting lights, side by side in one atlas."""

from __future__ import annotations

import moderngl
import numpy as np

from engine.scene.scene import Batch, Kind, Scene

SINGLE, SEVERAL = 2048, 1024  # side of a light's map, alone and among others
NORMAL_OFFSET = 1.6  # in texels, against acne; small enough not to lift shadows off their casters
REACH = 3.0  # texels around a point that the filter reads


def wanted(scene: Scene) -> bool:
    """Whether any light's shadow is to be drawn."""
    return bool(scene.shadows)


def layout(count: int) -> tuple[int, int, int]:
    """(tile side, columns, rows) of the atlas for `count` maps."""
    if count == 1:
        return SINGLE, 1, 1
    columns = 2 if count <= 4 else 4
    return SEVERAL, columns, -(-count // columns)


def draw(frame, scene: Scene) -> None:
    """Fill the atlas and the shader's table of shadows."""
    context = frame.context
    side, columns, rows = layout(len(scene.shadows))
    width, height = side * columns, side * rows
    target = frame.targets.shadow(width, height)
    table = [np.zeros((8, size), np.float32) for size in (16, 4, 4, 4)]
    program_solid = frame.programs.get("instance.vert", "depth.frag", ("DEPTH_ONLY",))
    program_clear = frame.programs.get("instance.vert", "depth.frag", ("DEPTH_ONLY", "BLEND"))
    target.use()
    context.viewport = (0, 0, width, height)
    target.clear(depth=1.0)
    context.enable_only(moderngl.DEPTH_TEST)
    context.polygon_offset = 1.5, 2.0
    for i, shadow in enumerate(scene.shadows):
        x, y = i % columns, i // columns
        context.viewport = (x * side, y * side, side, side)
        matrix = np.ascontiguousarray(shadow.matrix.T, np.float32)
        table[0][i] = matrix.reshape(-1)
        table[1][i] = (x / columns, y / rows, 1 / columns, 1 / rows)
        margin = REACH / side  # the filter must not reach into the neighbour's map
        table[2][i, :2] = np.maximum(shadow.bounds[:2] - margin, margin)
        table[2][i, 2:] = np.minimum(shadow.bounds[2:] + margin, 1.0 - margin)
        table[3][i] = (NORMAL_OFFSET * shadow.width / side, 0.0 if shadow.directional else 1.0, 0.0, 0.0)
        for program, batches in ((program_solid, scene.opaque), (program_clear, scene.transparent)):
            program["pass_matrix"].write(matrix.tobytes())
            for batch in batches:
                if casts(batch):
                    program["base"].value = batch.first
                    frame.assets.geometry(batch.shape).array(program).render(instances=batch.count)
                    frame.calls += 1
    context.polygon_offset = 0.0, 0.0
    frame.buffers["Shadows"].write(b"".join(part.tobytes() for part in table))
    frame.shadows = target
    frame.shadow_texel = (float(width), float(height), 1.0 / width, 1.0 / height)


def casts(batch: Batch) -> bool:
    """Decor, infinite planes and materials that say so cast no shadow."""
    return not batch.kind & (Kind.DECOR | Kind.INFINITE | Kind.SHADOWLESS)
