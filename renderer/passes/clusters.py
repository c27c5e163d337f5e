"""Assigns lamps to parts of the picture: clustered shading (Olsson, Billeter and Assarsson 2012).

A viewer's frustum is cut into tiles of the window, and each tile into slices of depth, each a constant factor deeper
than the last one. A texel of the target belongs to one such cluster and has a bit for each lamp that may reach it;
surfaces loop over the lamps of their own cluster (`shaders/include/lighting.glsl`). A lamp is left out only where it
adds nothing: outside of its cone, or beyond its reach (`engine/scene/lighting.py`).

The target has the clusters of the picture, above them those of each mirror image, then those of the local reflections,
six for each.
"""

from __future__ import annotations

from math import log2

import moderngl
import numpy as np

from kinetree.engine.scene.camera import View
from kinetree.engine.scene.scene import Scene
from kinetree.renderer.captured import captured_depth
from kinetree.renderer.graph import FrameContext, PassJob
from kinetree.renderer.viewpoint import Viewpoint, reflection

FEWEST = 3  # lamps below which surfaces loop over all of them
TILES = 20  # along the longer side of the window
SLICES = 32
AHEAD = 0.5  # depth up to which only one slice exists, relative to the nearest surface
BEYOND = 1e4  # depth at which the last slice ends, in `far`
CAPTURE_TILES = 8  # across and up the view of a local reflection


def wanted(frame: FrameContext) -> bool:
    """Whether the scene has so many lights that assigning them to clusters saves time."""
    scene = frame.scene
    return scene.nlight - scene.ndirectional >= FEWEST and not scene.segment


def grid(width: int, height: int) -> tuple[int, int]:
    """Tiles across and up a picture of this size."""
    longer = max(width, height)
    return max(1, round(TILES * width / longer)), max(1, round(TILES * height / longer))


def size(frame: FrameContext) -> tuple[int, int]:
    """Width and height of the target in clusters: slices side by side, viewers above each other."""
    across, _, top = _place(frame, 1 + len(frame.scene.mirrors) + 6 * frame.captures)
    return max(grid(frame.width, frame.height)[0] * SLICES, across * SLICES), top


def _place(frame: FrameContext, number: int) -> tuple[int, int, int]:
    """Place of a viewer's tiles in the target: (tiles across, tiles up, first row). Viewer 0 is the picture, then come
    the mirror images, then the sides of captured views."""
    across, up = grid(frame.width, frame.height)
    mirrors = 1 + len(frame.scene.mirrors)
    if number < mirrors:
        return across, up, number * up
    return CAPTURE_TILES, CAPTURE_TILES, mirrors * up + (number - mirrors) * CAPTURE_TILES


def captured_number(frame: FrameContext, which: int, face: int) -> int:
    """The viewer number of one side of a captured view."""
    return 1 + len(frame.scene.mirrors) + 6 * which + face


def depths(scene: Scene, near: float | None = None) -> tuple[float, float, float]:
    """Where the first slice ends (m), slices in each doubling of that depth (orthographic: in each metre), and 1 for an
    orthographic view. near: of a captured view, None for the picture and its mirror images."""
    if near is not None:
        return 2.0 * near, (SLICES - 2) / log2(max(captured_depth(scene.model) / near, 2.0)), 0.0
    nearest, farthest = scene.depths
    if scene.view.orthographic:
        return nearest, SLICES / max(farthest - nearest, 1e-6), 1.0
    first = max(AHEAD * nearest, 2.0 * scene.view.near)
    return first, (SLICES - 2) / log2(max(farthest / first, 2.0)), 0.0


def draw(job: PassJob) -> None:
    """Find the lamps of each cluster, for every viewer of this frame."""
    device, frame = job.device, job.frame
    scene = frame.scene
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "clusters.frag")
    for number, plane in enumerate([None, *(mirror.plane for mirror in scene.mirrors)]):
        flip = np.eye(4) if plane is None else reflection(plane)
        _draw_viewer(job, program, number, scene.view, flip, depths(scene))
    for which in device.captured.pending:
        for face, view in enumerate(device.captured.views(which, scene)):
            _draw_viewer(job, program, captured_number(frame, which, face), view, np.eye(4), depths(scene, view.near))


def _draw_viewer(job: PassJob, program: moderngl.Program, number: int, view: View, flip: np.ndarray, slices) -> None:
    device, frame = job.device, job.frame
    across, up, first_row = _place(frame, number)
    unit = 1.0 if view.orthographic else view.near
    frustum = view.left, view.bottom, view.rightmost - view.left, view.top - view.bottom
    program["frustum"] = tuple(value / unit for value in frustum)
    program["grid"] = across, up, SLICES
    program["depths"] = *slices, BEYOND * max(view.far, frame.scene.depths[1])
    program["eye"] = tuple((flip[:3, :3] @ view.pos + flip[:3, 3]).tolist())
    program["axes"] = tuple(value for axis in (view.right, view.up, view.forward) for value in flip[:3, :3] @ axis)
    program["first_row"] = first_row
    device.context.viewport = 0, first_row, across * SLICES, up
    device.fill_screen(program)


def tell(
    program: moderngl.Program, frame: FrameContext, viewpoint: Viewpoint, window: tuple[int, int, int, int]
) -> None:
    """Set the uniforms by which a program finds the cluster of a surface. `window`: where its picture is in the target,
    pixels."""
    across, up, first_row = _place(frame, viewpoint.number)
    left, bottom, width, height = window
    is_captured = viewpoint.number > len(frame.scene.mirrors)
    program["cluster_tile"] = across / width, up / height, -left * across / width, -bottom * up / height
    program["cluster_count"] = across, up, SLICES, first_row
    program["cluster_depths"] = depths(frame.scene, viewpoint.near if is_captured else None)
