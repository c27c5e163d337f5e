"""Which lamps reach which part of the picture: clustered shading (Olsson, Billeter and Assarsson 2012).

A viewer's frustum is cut into tiles of the window, and each tile into slices of depth, each a constant factor deeper
than the last one. A texel of the target belongs to one such cluster and has a bit for each lamp that may reach it;
surfaces loop over the lamps of their own cluster (`shaders/include/lighting.glsl`). A lamp is left out only where it
adds nothing: outside of its cone, or beyond its reach (`engine/scene/lighting.py`).

The target has the clusters of the picture, and above them those of each mirror image.
"""

from __future__ import annotations

from math import log2

import moderngl
import numpy as np

from engine.scene.scene import Scene
from renderer.graph import Frame, Job
from renderer.viewpoint import Viewpoint, reflection

FEWEST = 3  # lamps below which surfaces loop over all of them
TILES = 20  # along the longer side of the window
SLICES = 32
AHEAD = 0.5  # depth up to which there is only one slice, in that of what is nearest
BEYOND = 1e4  # depth at which the last slice ends, in `far`


def wanted(frame: Frame) -> bool:
    """Whether there are so many lamps that it pays to look for those that reach a place."""
    scene = frame.scene
    return scene.nlight - scene.ndirectional >= FEWEST and not scene.segment


def grid(width: int, height: int) -> tuple[int, int]:
    """Tiles across and up a picture of this size."""
    longer = max(width, height)
    return max(1, round(TILES * width / longer)), max(1, round(TILES * height / longer))


def size(frame: Frame) -> tuple[int, int]:
    """Width and height of the target in clusters: slices side by side, viewers above each other."""
    across, up = grid(frame.width, frame.height)
    return across * SLICES, up * (1 + len(frame.scene.mirrors))


def depths(scene: Scene) -> tuple[float, float, float]:
    """Where the first slice ends (m), slices in each doubling of that depth (orthographic: in each metre), and 1 for an
    orthographic view."""
    nearest, farthest = scene.depths
    if scene.view.orthographic:
        return nearest, SLICES / max(farthest - nearest, 1e-6), 1.0
    first = max(AHEAD * nearest, 2.0 * scene.view.near)
    return first, (SLICES - 2) / log2(max(farthest / first, 2.0)), 0.0


def draw(job: Job) -> None:
    """Find the lamps of each cluster, of the picture and of the mirror images."""
    device, frame = job.device, job.frame
    view = frame.scene.view
    across, up = grid(frame.width, frame.height)
    device.context.enable_only(moderngl.NOTHING)
    program = device.programs.get("screen.vert", "clusters.frag")
    unit = 1.0 if view.orthographic else view.near
    frustum = view.left, view.bottom, view.rightmost - view.left, view.top - view.bottom
    program["frustum"] = tuple(value / unit for value in frustum)
    program["grid"] = across, up, SLICES
    program["depths"] = *depths(frame.scene), BEYOND * max(view.far, frame.scene.depths[1])
    for number, plane in enumerate([None, *(mirror.plane for mirror in frame.scene.mirrors)]):
        flip = np.eye(4) if plane is None else reflection(plane)
        program["eye"] = tuple((flip[:3, :3] @ view.pos + flip[:3, 3]).tolist())
        program["axes"] = tuple(value for axis in (view.right, view.up, view.forward) for value in flip[:3, :3] @ axis)
        program["first_row"] = number * up
        device.context.viewport = 0, number * up, across * SLICES, up
        device.fill_screen(program)


def tell(program: moderngl.Program, frame: Frame, viewpoint: Viewpoint, window: tuple[int, int, int, int]) -> None:
    """Tell a program how to find the cluster of a surface. `window`: where its picture lies in the target, pixels."""
    across, up = grid(frame.width, frame.height)
    left, bottom, width, height = window
    program["cluster_tile"] = across / width, up / height, -left * across / width, -bottom * up / height
    program["cluster_count"] = across, up, SLICES, viewpoint.number * up
    program["cluster_depths"] = depths(frame.scene)
