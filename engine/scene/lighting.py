"""Lights, environment and shadow views of a Scene.

Authors chose MJCF's light colours for a renderer that adds sRGB-encoded colours. Here they are decoded like
any other colour and multiplied by `LIGHT_GAIN`: a surface under the headlight, or under the headlight and one
lamp, is then as bright as in MuJoCo's renderer, while gradients and sums are those of linear light.
"""

from __future__ import annotations

from math import cos, radians, sqrt, tan

import numpy as np

from engine.model.enums import LIGHT_DIRECTIONAL, LIGHT_IMAGE, LIGHT_POINT, LIGHT_SPOT
from engine.scene import scene as S
from engine.scene.camera import focus
from engine.scene.dialect import added
from engine.scene.options import MOST_EXPOSURE, ToneMapping
from engine.scene.rotation import look_at, orthographic, perspective
from engine.scene.scene import ShadowView, linear, shape_parts

MODEL_TONE = {-1: ToneMapping.KNEE, 0: ToneMapping.NONE, 1: ToneMapping.ACES}  # visual/tonemapping method
LIGHT_GAIN = 1.6  # factor on decoded light colours
DAYLIGHT = np.array([-0.35, 0.5, -0.8])  # the direction in which it shines
HAZE_HEIGHT = 0.13  # tangent of the haze's height over the horizon, per unit of visual/map haze
SPOT_RIM = 0.93  # part of the cutoff angle at which a spot's edge begins to fade
SHADOW_ANGLE = 80.0  # widest half-angle of a spot's shadow map, degrees
# of the map: the filter and the normal offset reach beyond the casters
RECT_MARGIN = 0.006 * np.array([-1, -1, 1, 1])
SHADOW_TEXELS = 1024  # directional shadow views move in steps of a texel of a map of this size
DEFAULT_HORIZON = linear([0.36, 0.42, 0.49])  # of the background of a model without a skybox


def light_rows(model) -> tuple[np.ndarray, list[int], list[bool]]:
    """The parts of the lights that no state changes: rows (n, NLIGHT_FIELD), their ids, whether they cast
    shadows.

    Image lights are left out.
    """
    rows, ids, casts = [], [], []
    inner_angles = added(model, "light_innerangle", model.nlight, -1)
    nearest = added(model, "light_nearz", model.nlight, -1)
    for i in range(int(model.nlight)):
        kind = int(model.light_type[i])
        if kind == LIGHT_IMAGE:
            continue
        row = np.zeros(S.NLIGHT_FIELD)
        cutoff = float(model.light_cutoff[i])
        if kind == LIGHT_SPOT and cutoff >= 179.9 and float(model.light_exponent[i]) == 0:
            kind = LIGHT_POINT
        row[S.L_TYPE] = kind
        rim = cos(radians(cutoff))
        row[S.L_COSCUT] = rim
        given = float(inner_angles[i])
        inner = min(given if given >= 0 else cutoff * SPOT_RIM, cutoff)
        row[S.L_RIM] = 1.0 / max(cos(radians(inner)) - rim, 1e-4)
        row[S.L_DIFFUSE : S.L_DIFFUSE + 3] = LIGHT_GAIN * linear(model.light_diffuse[i])
        row[S.L_SPECULAR : S.L_SPECULAR + 3] = LIGHT_GAIN * linear(model.light_specular[i])
        row[S.L_AMBIENT : S.L_AMBIENT + 3] = LIGHT_GAIN * linear(model.light_ambient[i])
        row[S.L_EXPONENT] = 0.0 if kind == LIGHT_POINT else model.light_exponent[i]
        row[S.L_ATTENUATION : S.L_ATTENUATION + 3] = model.light_attenuation[i]
        row[S.L_SHADOW] = -1
        row[S.L_NEAR] = max(float(nearest[i]), 0.0)
        rows.append(row)
        ids.append(i)
        casts.append(bool(model.light_castshadow[i]) and kind != LIGHT_POINT)
    return np.array(rows).reshape(-1, S.NLIGHT_FIELD), ids, casts


def daylight_row(model) -> np.ndarray | None:
    """A directional light for models of formats without lights (URDF); None for other models."""
    if model.nlight or getattr(model, "format", "MJCF") == "MJCF":
        return None
    row = np.zeros(S.NLIGHT_FIELD)
    row[S.L_TYPE] = LIGHT_DIRECTIONAL
    row[S.L_DIR : S.L_DIR + 3] = DAYLIGHT / np.linalg.norm(DAYLIGHT)
    row[S.L_DIFFUSE : S.L_DIFFUSE + 3] = LIGHT_GAIN * linear(np.full(3, 0.6))
    row[S.L_SPECULAR : S.L_SPECULAR + 3] = LIGHT_GAIN * linear(np.full(3, 0.3))
    row[S.L_AMBIENT : S.L_AMBIENT + 3] = LIGHT_GAIN * linear(np.full(3, 0.2))
    row[S.L_SHADOW] = -1
    row[S.L_ATTENUATION] = 1
    return row


def headlight_row(model) -> tuple[np.ndarray, np.ndarray]:
    """The headlight's row, without position and direction, and its ambient colour."""
    head = model.vis.headlight
    row = np.zeros(S.NLIGHT_FIELD)
    row[S.L_TYPE] = LIGHT_DIRECTIONAL
    row[S.L_DIFFUSE : S.L_DIFFUSE + 3] = LIGHT_GAIN * linear(head.diffuse)
    row[S.L_SPECULAR : S.L_SPECULAR + 3] = LIGHT_GAIN * linear(head.specular)
    row[S.L_SHADOW] = -1
    row[S.L_ATTENUATION] = 1
    return row, LIGHT_GAIN * linear(head.ambient)


def fill_lights(scene: S.Scene, model, state, view, derived) -> None:
    """Headlight first, then the model's active lights; directional ones come before local ones."""
    directional: list[tuple[np.ndarray, bool]] = []
    local: list[tuple[np.ndarray, bool]] = []
    ambient = np.zeros(3)
    if int(model.vis.headlight.active):
        row, ambient = derived.headlight[0], derived.headlight[1].copy()
        row[S.L_DIR : S.L_DIR + 3], row[S.L_POS : S.L_POS + 3] = view.forward, view.pos
        directional.append((row, False))
    if derived.daylight is not None:
        ambient += derived.daylight[S.L_AMBIENT : S.L_AMBIENT + 3]
        directional.append((derived.daylight, True))
    rows, ids, casts = derived.lights
    for row, i, cast in zip(rows, ids, casts):
        if not model.light_active[i]:
            continue
        x, y, z = (float(value) for value in state.light_xdir[i])
        norm = max(sqrt(x * x + y * y + z * z), 1e-12)
        row[S.L_DIR : S.L_DIR + 3] = x / norm, y / norm, z / norm
        row[S.L_POS : S.L_POS + 3] = state.light_xpos[i]
        if row[S.L_TYPE] == LIGHT_DIRECTIONAL:
            ambient += row[S.L_AMBIENT : S.L_AMBIENT + 3]
            directional.append((row, cast))
        else:
            local.append((row, cast))
    if not directional and not local:
        ambient += LIGHT_GAIN * linear(np.full(3, 0.3))  # a scene without any light is not black
    everything = (directional + local)[: S.MAXLIGHT]
    scene.nlight = len(everything)
    scene.ndirectional = min(len(directional), S.MAXLIGHT)
    scene.lights[scene.nlight :] = 0.0
    scene.casters = []
    for index, (row, cast) in enumerate(everything):
        scene.lights[index] = row
        if cast:
            scene.casters.append(index)
    scene.environment.ambient = ambient


def fill_environment(scene: S.Scene, model, options, derived) -> None:
    """Sky, fog and haze."""
    environment = scene.environment
    visual = model.vis
    extent = float(model.stat.extent)
    environment.sky = derived.sky if options.skybox else -1
    environment.draw_sky = options.skybox and not options.segment
    environment.fog = options.fog and not options.segment
    environment.fog_color = derived.fog_color
    environment.fog_start = float(visual.map.fogstart) * extent
    environment.fog_end = max(float(visual.map.fogend) * extent, environment.fog_start + 1e-6)
    has_plane = bool(derived.infinite[derived.geoms.index].any())
    environment.haze = 0.0
    if options.haze and has_plane and environment.draw_sky and not scene.view.orthographic:
        environment.haze = HAZE_HEIGHT * float(visual.map.haze)
        environment.haze_color = derived.haze_color if environment.sky >= 0 else DEFAULT_HORIZON
    environment.env_intensity = 1.0 if environment.sky >= 0 else 0.6
    intensity = float(added(model, "map_envmapintensity", 1, -1)[0])
    if intensity >= 0:
        environment.env_intensity = intensity
    scene.tonemap = options.tonemap
    if scene.tonemap is ToneMapping.MODEL:
        scene.tonemap = MODEL_TONE[int(added(model, "tonemapping_method", 1, -1)[0])]
    scene.exposure = min(max(float(options.exposure), -MOST_EXPOSURE), MOST_EXPOSURE)


def fill_shadows(scene: S.Scene, model, camera, rows, geoms, others: np.ndarray, enabled: bool) -> None:
    """Shadow views for the most important shadow-casting lights, at most MAXSHADOW.

    `others`: (n, 3) points around the casters that are not geoms (tendons, flexes, skins).
    """
    scene.shadows = []
    scene.lights[: scene.nlight, S.L_SHADOW] = -1
    if not enabled or not scene.casters or not (geoms.caster.any() or len(others)):
        return
    extent = float(model.stat.extent)
    target = focus(model, camera, scene.view)
    use = geoms.caster & (geoms.radius < 1e6) & ~(geoms.plane & (geoms.radius >= extent))
    if not use.any() and not len(others):
        use = geoms.caster & (geoms.radius < 1e6)
        if not use.any():
            return
    chosen = rows[use]
    mats = chosen[:, S.ROW0 : S.ROW2 + 4].reshape(-1, 3, 4)[:, :, :3].astype(float)
    points = geoms.corners[use] @ mats.transpose(0, 2, 1) + chosen[:, None, S.POS : S.POS + 3]
    points = np.concatenate([points.reshape(-1, 3), others])
    reach = max(extent * max(float(model.vis.map.shadowclip), 0.1), scene.view.height_at(scene.view.depth(target)))

    def importance(light: int) -> float:
        row = scene.lights[light]
        strength = float(row[S.L_DIFFUSE : S.L_DIFFUSE + 3].sum() + 0.2 * row[S.L_SPECULAR : S.L_SPECULAR + 3].sum())
        if row[S.L_TYPE] == LIGHT_DIRECTIONAL:
            return 2.0 * strength
        distance = float(np.linalg.norm(row[S.L_POS : S.L_POS + 3] - target))
        a0, a1, a2 = row[S.L_ATTENUATION : S.L_ATTENUATION + 3]
        return strength / max(a0 + a1 * distance + a2 * distance * distance, 1e-6)

    for light in sorted(scene.casters, key=importance, reverse=True)[: S.MAXSHADOW]:
        row = scene.lights[light]
        if not row[S.L_DIFFUSE : S.L_DIFFUSE + 3].any() and not row[S.L_SPECULAR : S.L_SPECULAR + 3].any():
            continue
        direction = row[S.L_DIR : S.L_DIR + 3].astype(float)
        sideways = [0.0, 1.0, 0.0] if abs(direction[1]) < 0.9 else [1.0, 0.0, 0.0]
        directional = row[S.L_TYPE] == LIGHT_DIRECTIONAL
        origin = np.zeros(3) if directional else row[S.L_POS : S.L_POS + 3].astype(float)
        view = look_at(origin, direction, sideways)
        if directional:
            shadow = _directional(view, points, target, reach)
        else:
            cutoff = np.degrees(np.arccos(np.clip(row[S.L_COSCUT], -1, 1)))
            near = max(float(row[S.L_NEAR]), 0.005 * extent)
            shadow = _spot(view, origin, float(cutoff), points, near)
        if shadow is None:
            continue
        shadow.light = light
        scene.lights[light, S.L_SHADOW] = len(scene.shadows)
        scene.shadows.append(shadow)
    for batch in scene.opaque:
        if batch.count == 1 and shape_parts(batch.shape)[0] in (S.Shape.PLANE, S.Shape.INFINITE):
            batch.shadow_rect = _shadow_rect(scene, scene.instances[batch.first])


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


def _quantised(half: float) -> float:
    """The next quarter power of two, so that a view does not change size with every movement."""
    return float(2.0 ** (np.ceil(4.0 * np.log2(max(half, 1e-6))) / 4.0))


def _directional(view, points, target, reach) -> ShadowView:
    axes = view[:3, :3] * np.array([[1.0], [1.0], [-1.0]])  # right, up, along the light
    local = points @ axes.T
    around = axes @ target
    low = np.maximum(local[:, :2].min(axis=0), around[:2] - reach)
    high = np.minimum(local[:, :2].max(axis=0), around[:2] + reach)
    high = np.maximum(high, low + 1e-6)
    half = _quantised(1.03 * 0.5 * float((high - low).max()))
    texel = 2.0 * half / SHADOW_TEXELS
    middle = np.round(0.5 * (low + high) / texel) * texel
    near, far = float(local[:, 2].min()), float(local[:, 2].max())
    step = max(0.05 * (far - near), 1e-6)
    near, far = (np.floor(near / step) - 1) * step, (np.ceil(far / step) + 1) * step
    bounds = (middle[0] - half, middle[0] + half, middle[1] - half, middle[1] + half, near, far)
    matrix = orthographic(*bounds) @ view
    start = np.array([middle[0], middle[1], near]) @ axes
    span = axes * np.array([[half], [half], [1.0]])
    return ShadowView(matrix, -1, True, 2.0 * half, start, span, _bounds(matrix, points))


def _spot(view, pos, cutoff, points, least) -> ShadowView | None:
    axes = view[:3, :3] * np.array([[1.0], [1.0], [-1.0]])  # right, up, along the light
    half = tan(radians(min(cutoff, SHADOW_ANGLE))) * 1.02
    depth = (points - pos) @ axes[2]
    far = 1.02 * float(depth.max())
    near = max(0.98 * float(depth.min()), least, 0.002 * far)
    if far <= near:
        return None
    edge = half * near
    matrix = perspective(-edge, edge, -edge, edge, near, far) @ view
    span = axes * np.array([[half], [half], [1.0]])
    return ShadowView(matrix, -1, False, 2.0 * half, pos, span, _bounds(matrix, points))


def _bounds(matrix, points) -> np.ndarray:
    """(4,) the rectangle of the map that the casters' corners span; all of it where one is beside the
    lamp."""
    clip = points @ matrix[:, :3].T + matrix[:, 3]
    if clip[:, 3].min() <= 1e-6:
        return np.array([0.0, 0.0, 1.0, 1.0])
    on_map = 0.5 * clip[:, :2] / clip[:, 3:] + 0.5
    return np.clip(np.concatenate([on_map.min(axis=0), on_map.max(axis=0)]), 0.0, 1.0)
