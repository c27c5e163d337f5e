"""Depth maps of the shadow-casting lights: a tile for each view, side by side in one atlas.

A tile is as large as its view asks for, as long as the atlas has room; then the largest are halved. A tile whose view
and casters are those of the last frame is kept. Glass does not write depth: a second atlas with the same tiles has the
colour of the light that it lets through.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import moderngl
import numpy as np

from kinetree.engine.model.lights import MAXSHADOW
from kinetree.engine.scene.scene import ShaderFeatures, ShadowView
from kinetree.renderer.casters import InstanceRun, Tile, casts
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.passes.surfaces import choose_planes, is_cut
from kinetree.renderer.shader import SAMPLERS, uniform

NORMAL_OFFSET = 1.6  # in texels, against acne; small enough not to lift shadows off their casters
# colours are multiplied by those that are there, of the fourth channels the least stays
TINTING: Any = (moderngl.ZERO, moderngl.SRC_COLOR, moderngl.ONE, moderngl.ONE)  # moderngl annotates two of them
REACH = 3.0  # texels around a point that the filter reads
VIEW_BYTES = 64 + 4 * 16  # of one view in the block: matrix, tile, bounds, bias, range


def wanted(frame: FrameContext) -> bool:
    """Whether any light's shadow is to be drawn."""
    return bool(frame.scene.shadows)


def tint_wanted(frame: FrameContext) -> bool:
    """Whether glass casts a shadow."""
    scene = frame.scene
    return bool(scene.shadows) and any(casts(batch) for batch in scene.transparent)


@lru_cache(maxsize=16)
def layout(sides: tuple[int, ...], most: int) -> tuple[tuple[tuple[int, int, int], ...], int, int]:
    """Where tiles lie in an atlas: (x, y, side) of each, width and height of the atlas, in texels.

    All sides are powers of two. `most`: widest square atlas; the largest tiles are halved until all have room.
    """
    fitted = list(sides)
    while sum(side * side for side in fitted) > most * most:
        largest = max(fitted)
        fitted[max(number for number, side in enumerate(fitted) if side == largest)] //= 2
    places: list[tuple[int, int, int]] = [(0, 0, 0)] * len(fitted)
    filled = 0  # texels, along a curve that fills squares one after the other (Morton 1966)
    for number in sorted(range(len(fitted)), key=lambda number: -fitted[number]):
        side = fitted[number]
        x = sum((filled >> 2 * bit & 1) << bit for bit in range(16))
        y = sum((filled >> 2 * bit + 1 & 1) << bit for bit in range(16))
        places[number] = x, y, side
        filled += side * side
    width = max(x + side for x, _, side in places)
    height = max(y + side for _, y, side in places)
    return tuple(places), 1 << (width - 1).bit_length(), 1 << (height - 1).bit_length()


def _layout(frame: FrameContext) -> tuple[list[tuple[int, int, int]], int, int]:
    views = frame.scene.shadows
    order = sorted(range(len(views)), key=lambda number: views[number].rank)
    found, width, height = layout(tuple(views[number].side for number in order), frame.scene.effects.shadowtexels)
    places = [(0, 0, 0)] * len(views)
    for number, place in zip(order, found):
        places[number] = place
    return places, width, height


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of the atlas in texels."""
    _, width, height = _layout(frame)
    return width, height


def block(frame: FrameContext) -> bytes:
    """The Shadows block (`shaders/include/shadow.glsl`)."""
    shadows = frame.scene.shadows
    places, width, height = _layout(frame)
    matrices, tiles, bounds, biases, ranges = (np.zeros((MAXSHADOW, n), np.float32) for n in (16, 4, 4, 4, 4))
    for i, (view, (x, y, side)) in enumerate(zip(shadows, places)):
        matrices[i] = view.matrix.T.reshape(-1)
        biases[i] = 0.0, float(not view.directional), view.following, side
        if not side:
            continue
        margin = REACH / side  # the filter must not reach into the neighbour's map
        tiles[i] = x / width, y / height, side / width, side / height
        bounds[i, :2] = np.maximum(view.bounds[:2] - margin, margin)
        bounds[i, 2:] = np.minimum(view.bounds[2:] + margin, 1.0 - margin)
        biases[i, 0] = NORMAL_OFFSET * view.width / side
        ranges[i] = view.near, view.far, view.width, view.softness
    texel = np.array([width, height, 1.0 / width, 1.0 / height], np.float32)
    return b"".join(part.tobytes() for part in (matrices, tiles, bounds, biases, ranges, texel))


def draw(job: PassJob) -> None:
    """Draw the opaque casters of each view into its tile."""
    context = job.device.context
    context.enable_only(moderngl.DEPTH_TEST)
    context.polygon_offset = 1.5, 2.0
    _draw_tiles(job, job.device.casters.opaque, "depth.frag", ())
    context.polygon_offset = 0.0, 0.0


def draw_tint(job: PassJob) -> None:
    """Draw the transparent casters of each view into its tile, where nothing opaque is before them."""
    context = job.device.context
    context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
    context.blend_func = TINTING
    context.blend_equation = moderngl.FUNC_ADD, moderngl.MIN
    job.target.depth_mask = False
    _draw_tiles(job, job.device.casters.transparent, "tint.frag", ("TINT",))
    job.target.depth_mask = True
    context.blend_equation = moderngl.FUNC_ADD, moderngl.FUNC_ADD


def _draw_tiles(job: PassJob, casters: list[list[InstanceRun]], fragment: str, extra: tuple[str, ...]) -> None:
    """Draw each view's casters into its tile, unless they are there already."""
    device, frame = job.device, job.frame
    context, scene = device.context, frame.scene
    target = job.target.color_attachments[0] if extra else job.target.depth_attachment
    tiles = [Tile(target, *place) for place in _layout(frame)[0]]
    device.casters.keep_only(tiles)
    device.casters.bind(SAMPLERS["caster_map"])
    for view, tile, runs in zip(scene.shadows, tiles, casters):
        if not tile.side or device.casters.is_drawn(scene, tile, view, runs):
            continue
        square = tile.x, tile.y, tile.side, tile.side
        job.target.clear(1.0, 1.0, 1.0, 1.0, depth=1.0, viewport=square)
        context.viewport = square
        _draw_runs(job, view, runs, fragment, ("DEPTH_ONLY", "LISTED", *extra))
    if scene.section is not None:
        choose_planes(context, False, False)


def _draw_runs(
    job: PassJob, view: ShadowView, runs: list[InstanceRun], fragment: str, defines: tuple[str, ...]
) -> None:
    device, scene = job.device, job.frame.scene
    matrix = np.ascontiguousarray(view.matrix.T, np.float32).tobytes()
    for is_open in (False, True) if scene.section is not None else (False,):
        program = device.programs.get("instance.vert", fragment, (*defines, *(("SECTION",) if is_open else ())))
        uniform(program, "pass_matrix").write(matrix)
        if scene.section is not None:
            choose_planes(device.context, False, is_open)
        for batch, start, count in runs:
            if is_cut(scene, batch) == is_open:  # what is cut away casts no shadow
                cull = "TINT" in defines and not batch.kind & ShaderFeatures.TWO_SIDED and not is_open
                (device.context.enable if cull else device.context.disable)(moderngl.CULL_FACE)  # glass colours once
                device.draw_shape(program, batch.shape, start, count)
