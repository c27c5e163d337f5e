"""Shadow views of a Scene: projection, range and resolution of each light's shadow map.

A directional light has two views: one of all casters, and before it a finer one of the part near the viewer, which is
empty where it would gain nothing. A spot has one view; a light that shines all around has six, the faces of a cube. A
view gets about one texel for each pixel of the picture, so that a shadow is as sharp as the picture.
"""

from __future__ import annotations

from math import ceil, log2, radians, tan

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.lights import MAXSHADOW, WIDEST_SPOT
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.camera import focus
from kinetree.engine.scene.lighting import FARTHEST
from kinetree.engine.scene.rotation import look_at, orthographic, perspective
from kinetree.engine.scene.scene import ShadowView, shape_parts

LEAST_SIDE, MOST_SIDE = 128, 4096  # of a view, texels
SNAP = (
    1024  # views of directional lights move in steps of 1/SNAP of their width, which are whole texels up to this side
)
NEARBY = 0.7, 0.65  # radius and distance of the ball that the finer view covers, in distances of the view's target
PAYS = 2.5  # how much wider than the finer view the view of all casters must be
CUBE_HALF = 1.06  # half the width of a cube's face at distance 1: neighbours overlap by the width of the filter
SUN = 0.008  # tangent of the angle under which half of a directional light is seen
# of the map: the filter and the normal offset reach beyond the casters
RECT_MARGIN = 0.006 * np.array([-1, -1, 1, 1])
FACES = (
    ([1, 0, 0], [0, 0, 1]),
    ([-1, 0, 0], [0, 0, 1]),
    ([0, 1, 0], [0, 0, 1]),
    ([0, -1, 0], [0, 0, 1]),
    ([0, 0, 1], [0, 1, 0]),
    ([0, 0, -1], [0, 1, 0]),
)
"""Directions and upward axes of a cube's views, in the order of `shaders/include/shadow.glsl`."""


def fill_shadows(scene: S.Scene, model, camera, rows, geoms, others: np.ndarray, enabled: bool, height: int) -> None:
    """Shadow views of the shadow-casting lights, of the most important ones if there are more than MAXSHADOW, in the
    order of the lights: programs know the views by their numbers, which no movement changes.

    `others`: (n, 3) points around the casters that are not geoms (sites, tendons, flexes, skins). `height`: of the
    window in device pixels.
    """
    scene.shadows = []
    scene.lights[scene.casters, S.L_SHADOW] = -1
    if not enabled or not scene.casters or not (geoms.caster.any() or len(others)):
        return
    extent = float(model.stat.extent)
    use = geoms.caster & (geoms.radius < 1e6) & ~(geoms.plane & (geoms.radius >= extent))
    if not use.any() and not len(others):
        use = geoms.caster & (geoms.radius < 1e6)
        if not use.any():
            return
    casters = rows[use]
    mats = casters[:, S.ROW0 : S.ROW2 + 4].reshape(-1, 3, 4)[:, :, :3].astype(float)
    points = geoms.corners[use] @ mats.transpose(0, 2, 1) + casters[:, None, S.POS : S.POS + 3]
    points = np.concatenate([points.reshape(-1, 3), others])
    points = points[(np.abs(points) < FARTHEST).all(axis=1)]  # what diverged casts none
    if not len(points):
        return
    seen = _Seen(
        scene.view, focus(model, camera, scene.view), height, extent * max(float(model.vis.map.shadowclip), 0.1)
    )
    colors = [*range(S.L_DIFFUSE, S.L_DIFFUSE + 3), *range(S.L_SPECULAR, S.L_SPECULAR + 3)]
    bright = [light for light in scene.casters if scene.lights[light, colors].any()]
    views = {light: _views(scene.lights[light], points, seen, extent) for light in bright}
    chosen: list[int] = []
    room = MAXSHADOW
    for light in sorted(bright, key=lambda light: _importance(scene.lights[light], views[light], seen), reverse=True):
        if len(views[light]) > room:
            continue
        room -= len(views[light])
        for view in views[light]:
            view.light, view.rank = light, len(chosen)
            if not view.directional:
                view.softness = float(scene.lights[light, S.L_BULB])
        chosen.append(light)
    for light in sorted(chosen):
        scene.lights[light, S.L_SHADOW] = len(scene.shadows)
        scene.shadows += views[light]
    for batch in scene.opaque:
        if batch.count == 1 and shape_parts(batch.shape)[0] in (S.ShapeKind.PLANE, S.ShapeKind.INFINITE):
            batch.shadow_rect = _shadow_rect(scene, scene.instances[batch.first])


class _Seen:
    """Point of interest of the viewer: the place `target`, and the length of a pixel there, in metres.

    `reach`: distance from the target within which casters count.
    """

    def __init__(self, view, target: np.ndarray, height: int, least: float):
        self.view, self.target = view, target
        self.depth = max(view.depth(target), view.near)
        across = view.height_at(self.depth)
        self.pixel = across / max(height, 1)
        self.reach = max(least, across)

    def side(self, width: float) -> int:
        """Texels of a view that is `width` metres wide, a power of two.

        A texel is smaller than a pixel, as a filter spreads over three."""
        wanted = 2 ** ceil(log2(max(width / self.pixel, 1.0)) + 0.25)
        return min(max(wanted, LEAST_SIDE), MOST_SIDE)


def _importance(row: np.ndarray, views: list[ShadowView], seen: _Seen) -> tuple[bool, float]:
    """Sort key of lights. Lights without visible casters sort last but keep their slots, since a caster may appear."""
    strength = float(row[S.L_DIFFUSE : S.L_DIFFUSE + 3].sum() + 0.2 * row[S.L_SPECULAR : S.L_SPECULAR + 3].sum())
    is_used = any(view.side for view in views)
    if row[S.L_TYPE] == enums.LIGHT_DIRECTIONAL:
        return is_used, 2.0 * strength
    distance = float(np.linalg.norm(row[S.L_POS : S.L_POS + 3] - seen.target))
    a0, a1, a2 = row[S.L_ATTENUATION : S.L_ATTENUATION + 3]
    return is_used, strength / max(a0 + a1 * distance + a2 * distance * distance, 1e-6)


def _views(row: np.ndarray, points: np.ndarray, seen: _Seen, extent: float) -> list[ShadowView]:
    """The views of one light; those that show no caster have side 0."""
    direction = row[S.L_DIR : S.L_DIR + 3].astype(float)
    sideways = [0.0, 1.0, 0.0] if abs(direction[1]) < 0.9 else [1.0, 0.0, 0.0]
    if row[S.L_TYPE] == enums.LIGHT_DIRECTIONAL:
        return _directional(look_at(np.zeros(3), direction, sideways), points, seen)
    origin = row[S.L_POS : S.L_POS + 3].astype(float)
    near = max(float(row[S.L_NEAR]), 0.005 * extent)
    cutoff = float(np.degrees(np.arccos(np.clip(row[S.L_COSCUT], -1, 1))))
    if row[S.L_TYPE] != enums.LIGHT_POINT and cutoff <= WIDEST_SPOT:
        return [_lamp(look_at(origin, direction, sideways), origin, 1.02 * tan(radians(cutoff)), points, near, seen)]
    views = [
        _lamp(look_at(origin, np.array(axis, float), np.array(up, float)), origin, CUBE_HALF, points, near, seen)
        for axis, up in FACES
    ]
    for number, view in enumerate(views):
        view.following = len(views) - number - 1
    return views


def _directional(view, points, seen: _Seen) -> list[ShadowView]:
    """Two shadow views: one of the part near the viewer, of side 0 unless it is much finer, and one of all casters near
    the target.
    """
    axes = view[:3, :3] * np.array([[1.0], [1.0], [-1.0]])  # right, up, along the light
    local = axes @ points.T  # rows of numbers that follow each other are searched thirty times as fast
    around = axes @ seen.target
    low = np.maximum(local[:2].min(axis=1), around[:2] - seen.reach)
    high = np.minimum(local[:2].max(axis=1), around[:2] + seen.reach)
    high = np.maximum(high, low + 1e-6)
    half = _quantised(1.03 * 0.5 * float((high - low).max()))
    near, far = float(local[2].min()), float(local[2].max())
    step = max(0.05 * (far - near), 1e-6)
    depths = (np.floor(near / step) - 1) * step, (np.ceil(far / step) + 1) * step
    if seen.view.orthographic:
        inner, middle = _quantised(NEARBY[0] * seen.view.height_at(1.0)), around[:2]
    else:
        inner = _quantised(NEARBY[0] * seen.depth)
        middle = (axes @ (seen.view.pos + NEARBY[1] * seen.depth * seen.view.forward))[:2]
    if half < PAYS * inner:
        nothing = ShadowView(np.eye(4), -1, True, 1.0, np.zeros(3), axes, np.zeros(4), 0, *depths, SUN, following=1)
        return [nothing, _parallel(view, axes, 0.5 * (low + high), half, depths, points, seen)]
    nearby = _parallel(view, axes, middle, inner, depths, points, seen)
    nearby.following = 1
    return [nearby, _parallel(view, axes, 0.5 * (low + high), half, depths, points, seen, 2 * nearby.side)]


def _parallel(view, axes, middle, half: float, depths, points, seen: _Seen, most: int = MOST_SIDE) -> ShadowView:
    side = min(seen.side(2.0 * half), most)
    texel = 2.0 * half / side  # steps in which the view moves, so that edges stay as they are
    middle = np.round(middle / texel) * texel
    near, far = depths
    bounds = (middle[0] - half, middle[0] + half, middle[1] - half, middle[1] + half, near, far)
    matrix = orthographic(*bounds) @ view
    start = np.array([middle[0], middle[1], near]) @ axes
    span = axes * np.array([[half], [half], [1.0]])
    return ShadowView(matrix, -1, True, 2.0 * half, start, span, _bounds(matrix, points), side, near, far, SUN)


def _lamp(view, pos, half: float, points, least: float, seen: _Seen) -> ShadowView:
    """The view of a lamp; `half`: half of its width at distance 1. Its side is 0 where it shows no caster."""
    axes = view[:3, :3] * np.array([[1.0], [1.0], [-1.0]])  # right, up, along the light
    depth = axes[2] @ (points - pos).T
    far = 1.02 * float(depth.max())
    near = max(0.98 * float(depth.min()), least, 0.002 * far)
    span = axes * np.array([[half], [half], [1.0]])
    none = ShadowView(np.eye(4), -1, False, 2.0 * half, pos, span, np.zeros(4), 0, near, far)
    if far <= near:
        return none
    edge = half * near
    matrix = perspective(-edge, edge, -edge, edge, near, far) @ view
    bounds = _bounds(matrix, points)
    if (bounds[2:] <= bounds[:2]).any():
        return none
    distance = max(float(np.linalg.norm(seen.target - pos)), near)
    return ShadowView(matrix, -1, False, 2.0 * half, pos, span, bounds, seen.side(2.0 * half * distance), near, far)


def _quantised(half: float) -> float:
    """The next quarter power of two, so that a view does not change size with every movement."""
    return float(2.0 ** (np.ceil(4.0 * np.log2(max(half, 1e-6))) / 4.0))


def _bounds(matrix, points) -> np.ndarray:
    """(4,) the rectangle of the map that the casters' corners span; all of it where one is beside the lamp."""
    clip = matrix[:, :3] @ points.T + matrix[:, 3:]
    if clip[3].min() <= 1e-6:
        return np.array([0.0, 0.0, 1.0, 1.0])
    on_map = 0.5 * clip[:2] / clip[3] + 0.5
    return np.clip(np.concatenate([on_map.min(axis=1), on_map.max(axis=1)]), 0.0, 1.0)


def _shadow_rect(scene: S.Scene, row: np.ndarray) -> tuple[float, float, float, float] | None:
    """The part of the window in which shadows can fall on a plane: the maps' bounds projected on the plane.

    Most of a floor is out of reach of every shadow. Drawing that part without sampling shadow maps halves the
    time of a frame on software OpenGL.
    """
    normal, origin = (
        row[[S.ROW0 + 2, S.ROW1 + 2, S.ROW2 + 2]].astype(float),
        row[S.POS : S.POS + 3].astype(float),
    )
    outlines = []
    for shadow in scene.shadows:
        if not shadow.side or (shadow.directional and shadow.following):
            continue  # it shows nothing, or the next one more
        left, bottom, right, top = (2.0 * (shadow.bounds + RECT_MARGIN) - 1.0).tolist()
        corners = np.array([[left, bottom, 0.0], [right, bottom, 0.0], [right, top, 0.0], [left, top, 0.0]])
        if shadow.directional:
            starts, rays = shadow.start + corners @ shadow.axes, shadow.axes[2:].repeat(4, axis=0)
        else:
            corners[:, 2] = 1.0
            starts, rays = shadow.start, corners @ shadow.axes
        heights, slopes = (origin - starts) @ normal, rays @ normal
        if abs(slopes).min() < 1e-6:
            return None
        steps = heights / slopes
        if not shadow.directional:
            if steps.max() <= 0:
                continue  # the plane is behind the lamp
            if steps.min() <= 0:
                return None
        polygon = _in_front(starts + steps[:, None] * rays, scene.view)
        if len(polygon):
            outlines.append(scene.view.project(polygon)[:, :2])
    if not outlines:
        return 0.0, 0.0, 0.0, 0.0
    outline = np.concatenate(outlines)
    (left, top), (right, bottom) = outline.min(axis=0).tolist(), outline.max(axis=0).tolist()
    return max(left, 0.0), max(1.0 - bottom, 0.0), min(right, 1.0), min(1.0 - top, 1.0)


def _in_front(polygon: np.ndarray, view) -> np.ndarray:
    """The part of a convex polygon in front of the viewer (Sutherland and Hodgman 1974)."""
    if view.orthographic:
        return polygon
    depth = ((polygon - view.pos) @ view.forward - view.near).tolist()
    if min(depth) >= 0:
        return polygon
    points = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if depth[i] >= 0:
            points.append(polygon[i])
        if (depth[i] >= 0) != (depth[j] >= 0):
            points.append(polygon[i] + (polygon[j] - polygon[i]) * (depth[i] / (depth[i] - depth[j])))
    return np.array(points)
