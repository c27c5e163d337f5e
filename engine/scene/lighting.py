"""Lights and environment of a Scene.

Authors chose MJCF's light colours for a renderer that adds and multiplies sRGB-encoded colours. They stay encoded here,
and the shader decodes their sum (`shaders/include/legacy.glsl`): falloffs, sums and shadows are those that they saw.

A light with an intensity (candela; lux if it is directional) is photometric: its light is linear, falls off with the
square of the distance, and ends at its range. `DAYLIGHT` is the intensity that makes the white of the screen. The
falloffs of the legacy model (exponent, attenuation other than 1 0 0) shape it further.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sqrt

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.lights import MAXLIGHT
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.dialect import added
from kinetree.engine.scene.options import MOST_EXPOSURE, ToneMapping
from kinetree.engine.scene.scene import encoded, linear

MODEL_TONE = {-1: ToneMapping.KNEE, 0: ToneMapping.NONE, 1: ToneMapping.ACES}  # visual/tonemapping method
LEGACY_HIGHLIGHT = 1.6  # linear light of a lamp of colour 1, as physically based materials reflect it
# photometric light that makes a white surface as bright as the screen's white: candela at one metre, lux of directional
# lights. Measured in pictures of Filament, whose camera is set for a sunny day (f/16, 1/125 s, ISO 100).
DAYLIGHT = 38400.0, np.pi * 38400.0
# sRGB-encoded light that no picture shows: half of the last bit of its colours. As matte surfaces and legacy highlights
# add up encoded light, that is what all lamps together may lack; the narrowest highlights of physically based materials
# are 300 times as bright as their lamp in linear light, which is decoded and encoded again along the tangents at black
UNSEEN = 0.5 / 255
UNSEEN_HIGHLIGHT = UNSEEN / (300 * LEGACY_HIGHLIGHT * 0.05954 * 12.92)
TRAITS = {"CONE": 1, "ATTENUATION": 2, "AMBIENT": 4, "HIGHLIGHT": 8}
TINY = 1e-6
FARTHEST = 1e15  # coordinates of lights beyond which single precision has no squares of distances
GLOWING = 0.4  # emission from which on light spreads around what emits it
STUDIO_LIGHT = 0.6  # intensity of the default surroundings under the default headlight
DIM_STUDIO = 0.25  # likewise, in a scene whose lamps give their intensity: Filament has no surroundings there
HEADLIGHT = (0.1, 0.4, 0.5)  # ambient, diffuse, specular of a headlight that a model does not change
LEGACY_SKY = 0.25  # of the sky's light on matte surfaces, which the authors of legacy lights did not count on
SUNSHINE = np.array([-0.35, 0.5, -0.8])  # the direction in which it shines
HORIZON = 0.7  # distance at which infinite planes end in haze, in zfar
DEFAULT_HAZE = 0.7  # part of that distance which haze covers under the default background, which has no colour to match
SPOT_RIM = 0.97  # part of the cutoff angle at which a spot's edge begins to fade
OCCLUSION_RADIUS = 0.075  # of ambient occlusion, in extents
NIGHT = 0.15  # least brightness of that background, which is as bright as the light from everywhere and from far away
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
        if kind == enums.LIGHT_IMAGE:
            continue
        row = np.zeros(S.NLIGHT_FIELD)
        cutoff = min(max(0.0, float(model.light_cutoff[i])), 180.0)
        if kind == enums.LIGHT_SPOT and cutoff >= 179.9 and float(model.light_exponent[i]) == 0:
            kind = enums.LIGHT_POINT
        row[S.L_TYPE] = kind
        rim = cos(radians(cutoff))
        row[S.L_COSCUT] = rim
        given = float(inner_angles[i])
        inner = min(given if given >= 0 else cutoff * SPOT_RIM, cutoff)
        row[S.L_RIM] = 1.0 / max(cos(radians(inner)) - rim, 1e-4)
        intensity = float(model.light_intensity[i])
        scale = intensity / DAYLIGHT[kind == enums.LIGHT_DIRECTIONAL] if intensity > 0 else 1.0
        row[S.L_DIFFUSE : S.L_DIFFUSE + 3] = scale * model.light_diffuse[i]
        row[S.L_SPECULAR : S.L_SPECULAR + 3] = scale * model.light_specular[i]
        row[S.L_AMBIENT : S.L_AMBIENT + 3] = 0.0 if intensity > 0 else model.light_ambient[i]
        row[S.L_PHOTOMETRIC] = intensity > 0
        row[S.L_RANGE] = 1.0 / model.light_range[i] if model.light_range[i] > 0 else 0.0
        row[S.L_BULB] = max(float(model.light_bulbradius[i]), 0.0)
        row[S.L_EXPONENT] = 0.0 if kind == enums.LIGHT_POINT else model.light_exponent[i]
        row[S.L_ATTENUATION : S.L_ATTENUATION + 3] = model.light_attenuation[i]
        row[S.L_SHADOW] = -1
        row[S.L_NEAR] = max(float(nearest[i]), 0.0)
        rows.append(row)
        ids.append(i)
        casts.append(bool(model.light_castshadow[i]))
    return np.array(rows).reshape(-1, S.NLIGHT_FIELD), ids, casts


def daylight_row(model) -> np.ndarray | None:
    """A directional light for models of formats without lights (URDF); None for other models."""
    if model.nlight or getattr(model, "format", "MJCF") == "MJCF":
        return None
    row = np.zeros(S.NLIGHT_FIELD)
    row[S.L_TYPE] = enums.LIGHT_DIRECTIONAL
    row[S.L_DIR : S.L_DIR + 3] = SUNSHINE / np.linalg.norm(SUNSHINE)
    row[S.L_DIFFUSE : S.L_DIFFUSE + 3] = 0.6
    row[S.L_SPECULAR : S.L_SPECULAR + 3] = 0.3
    row[S.L_AMBIENT : S.L_AMBIENT + 3] = 0.2
    row[S.L_SHADOW] = -1
    row[S.L_ATTENUATION] = 1
    return row


def headlight_row(model) -> tuple[np.ndarray, np.ndarray]:
    """The headlight's row, without position and direction, and its ambient colour."""
    head = model.vis.headlight
    row = np.zeros(S.NLIGHT_FIELD)
    row[S.L_TYPE] = enums.LIGHT_DIRECTIONAL
    row[S.L_DIFFUSE : S.L_DIFFUSE + 3] = head.diffuse
    row[S.L_SPECULAR : S.L_SPECULAR + 3] = head.specular
    row[S.L_SHADOW] = S.FILL_LIGHT
    row[S.L_ATTENUATION] = 1
    return row, np.array(head.ambient, float)


def _is_default(headlight) -> bool:
    """Whether a model leaves the headlight as it is: it would spoil the light of photometric lamps."""
    colors = headlight.ambient, headlight.diffuse, headlight.specular
    return all(np.allclose(color, value) for color, value in zip(colors, HEADLIGHT))


def fill_lights(scene: S.Scene, model, state, view, derived) -> None:
    """Set the lights: headlight first, then the model's active lights; directional ones come before local ones."""
    directional: list[tuple[np.ndarray, bool]] = []
    local: list[tuple[np.ndarray, bool]] = []
    ambient = np.zeros(3)
    rows, ids, casts = derived.lights
    lit = [i for i in (*ids, derived.image.light) if i >= 0 and model.light_active[i]]
    scene.photometric = any(model.light_intensity[i] > 0 for i in lit)
    if int(model.vis.headlight.active) and not (scene.photometric and _is_default(model.vis.headlight)):
        row, ambient = derived.headlight[0], derived.headlight[1].copy()
        row[S.L_DIR : S.L_DIR + 3], row[S.L_POS : S.L_POS + 3] = view.forward, view.pos
        directional.append((row, False))
    if derived.daylight is not None:
        ambient += derived.daylight[S.L_AMBIENT : S.L_AMBIENT + 3]
        directional.append((derived.daylight, True))
    for row, i, cast in zip(rows, ids, casts):
        if not model.light_active[i]:
            continue
        x, y, z = (float(value) for value in state.light_xdir[i])
        norm = max(sqrt(x * x + y * y + z * z), 1e-12)
        row[S.L_DIR : S.L_DIR + 3] = x / norm, y / norm, z / norm
        row[S.L_POS : S.L_POS + 3] = state.light_xpos[i]
        if not np.isfinite(row[S.L_POS : S.L_DIR + 3]).all() or np.abs(row[S.L_POS : S.L_POS + 3]).max() > FARTHEST:
            continue  # a state that diverged
        if row[S.L_TYPE] == enums.LIGHT_DIRECTIONAL:
            ambient += row[S.L_AMBIENT : S.L_AMBIENT + 3]
            directional.append((row, cast))
        else:
            local.append((row, cast))
    if not directional and not local and not scene.photometric:
        ambient += 0.3  # a scene without any light is not black
    everything = (directional + local)[:MAXLIGHT]
    scene.nlight = len(everything)
    scene.ndirectional = min(len(directional), MAXLIGHT)
    scene.lights[scene.nlight :] = 0.0
    scene.casters = []
    for index, (row, cast) in enumerate(everything):
        scene.lights[index] = row
        if cast:
            scene.casters.append(index)
    scene.environment.ambient = ambient


def fill_reach(scene: S.Scene) -> None:
    """Set the reach of the local lights: for photometric ones their range; for legacy ones the distance where
    attenuation leaves so little that a picture does not change, even if all of them end together. Call it when the
    scene's batches and its exposure are known."""
    rows = scene.lights[scene.ndirectional : scene.nlight]
    if not len(rows):
        return
    shiny = any(batch.kind & S.ShaderFeatures.PBR for batch in (*scene.opaque, *scene.transparent))
    stops = MOST_EXPOSURE if scene.effects.autoexposure else max(scene.exposure, 0.0)
    photometric = rows[:, S.L_PHOTOMETRIC] > 0
    unseen = (UNSEEN_HIGHLIGHT if shiny else UNSEEN) / 2.0**stops / max(int((~photometric).sum()), 1)
    colors = [rows[:, first : first + 3] for first in (S.L_DIFFUSE, S.L_SPECULAR, S.L_AMBIENT)]
    strength = np.sum(colors, axis=0).max(axis=1).astype(float)
    k0, k1, k2 = rows[:, S.L_ATTENUATION : S.L_ATTENUATION + 3].astype(float).T
    weakest = np.maximum(strength / unseen - k0, 0.0)  # k1 d + k2 d^2 from which on nothing is seen
    with np.errstate(divide="ignore", invalid="ignore"):
        far = 2.0 * weakest / (k1 + np.sqrt(k1 * k1 + 4.0 * k2 * weakest))
        reach = np.where(photometric, 1.0 / rows[:, S.L_RANGE], np.maximum(far, TINY))
    falls = (photometric | ((k0 >= 0) & (k1 >= 0) & (k2 >= 0))) & np.isfinite(reach)
    rows[:, S.L_REACH] = np.where(falls, reach, 0.0)


def traits(rows: np.ndarray) -> int:
    """Properties of lights for the shaders (`shaders/include/lighting.glsl`): bits of TRAITS."""
    if not len(rows):
        return 0
    found = {
        "CONE": rows[:, S.L_TYPE] == enums.LIGHT_SPOT,
        "ATTENUATION": (rows[:, S.L_ATTENUATION : S.L_ATTENUATION + 3] != (1, 0, 0)).any(axis=1),
        "AMBIENT": rows[:, S.L_AMBIENT : S.L_AMBIENT + 3].any(axis=1),
        "HIGHLIGHT": rows[:, S.L_SPECULAR : S.L_SPECULAR + 3].any(axis=1),
    }
    return sum(TRAITS[name] for name, rows_have in found.items() if rows_have.any())


def fill_environment(scene: S.Scene, model, state, options, derived) -> None:
    """Set sky, fog and haze."""
    environment = scene.environment
    visual = model.vis
    extent = float(model.stat.extent)
    environment.sky = derived.sky if options.skybox else -1
    environment.draw_sky = options.skybox and not options.segment
    environment.background = max(_general_light(scene), NIGHT) if environment.sky < 0 else 1.0
    environment.fog = options.fog and not options.segment
    environment.fog_color = derived.fog_color
    environment.fog_start = float(visual.map.fogstart) * extent
    environment.fog_end = max(float(visual.map.fogend) * extent, environment.fog_start + 1e-6)
    has_plane = bool(derived.infinite[derived.geoms.index].any())
    environment.haze = 0.0
    if options.haze and has_plane and environment.draw_sky and not scene.view.orthographic:
        plane = int(derived.geoms.index[derived.infinite[derived.geoms.index]][0])
        height = float(scene.view.pos[2]) - float(state.geom_xpos[plane][2])
        part = min(max(float(visual.map.haze) if environment.sky >= 0 else DEFAULT_HAZE, 0.0), 1.0)
        if height > 0 and part > 0:
            environment.haze = height / (HORIZON * float(visual.map.zfar) * extent)
            environment.haze_part = part
        horizon = environment.background * DEFAULT_HORIZON
        environment.haze_color = derived.haze_color if environment.sky >= 0 else horizon
    _fill_surroundings(scene, model, derived)
    scene.tonemap = options.tonemap
    if scene.tonemap is ToneMapping.MODEL:
        scene.tonemap = MODEL_TONE[int(added(model, "tonemapping_method", 1, -1)[0])]
    scene.exposure = min(max(float(options.exposure), -MOST_EXPOSURE), MOST_EXPOSURE)


def occlusion_radius(scene: S.Scene, model) -> float:
    """Distance in metres within which surfaces keep ambient light from each other; 0 where that is not drawn."""
    asked = scene.effects.occlusion
    if asked == "model":
        asked = "half" if added(model, "ssao_active", 1, 0)[0] else "off"
    if asked == "off" or scene.segment or scene.wireframe:
        return 0.0
    return OCCLUSION_RADIUS * float(model.stat.extent)


def _fill_surroundings(scene: S.Scene, model, derived) -> None:
    """Fill in the environment that physically based materials reflect, and its ambient light."""
    environment = scene.environment
    image = derived.image
    environment.source, environment.matte = image.reflected, image.matte
    if environment.source < 0:
        environment.source = environment.sky
    lit = 1.0
    if environment.source < 0:
        lit = (DIM_STUDIO if scene.photometric else STUDIO_LIGHT) * _general_light(scene)
    environment.env_intensity = lit
    environment.diffuse = lit * (1.0 if scene.photometric and environment.source >= 0 else LEGACY_SKY)
    environment.image_light = environment.numbers = False
    if image.light >= 0 and model.light_active[image.light]:
        environment.image_light = bool(model.light_intensity[image.light] > 0)
        environment.numbers = environment.image_light and image.numbers
        scale = float(model.light_intensity[image.light]) / DAYLIGHT[0] or 1.0
        environment.diffuse = scale
        if environment.source != environment.sky:  # what is seen behind a mirror is seen in it
            environment.env_intensity = scale
    given = float(added(model, "map_envmapintensity", 1, -1)[0])
    if given >= 0:
        environment.env_intensity = given
        environment.diffuse *= given
    environment.probe = derived.probe


@dataclass(frozen=True, slots=True)
class ImageSources:
    """Texture ids of the cube images that light a model, -1: none, and the image light among them.

    reflected  the reflected image
    matte      the image that lights matte surfaces, if another
    light      id of the image light
    numbers    whether the image light shines with the numbers of its image: Filament decodes only an image that says
               that it is sRGB, and authors set intensities by eye
    """

    reflected: int = -1
    matte: int = -1
    light: int = -1
    numbers: bool = False


def image_sources(model) -> ImageSources:
    """An image light's texture, else textures of the types envspec and envdiff."""
    kinds = np.asarray(added(model, "tex_environment", model.ntex, 0)).reshape(-1)
    is_cube = np.asarray(model.tex_type).reshape(-1) != enums.TEXTURE_2D
    found = {
        kind: next((int(i) for i in np.flatnonzero(is_cube & (kinds == kind))), -1)
        for kind in (enums.ENVIRONMENT_ENVDIFF, enums.ENVIRONMENT_ENVSPEC)
    }
    for i in range(int(model.nlight)):
        if int(model.light_type[i]) == enums.LIGHT_IMAGE:
            texture = int(model.light_texid[i])
            source = texture if texture >= 0 and is_cube[texture] else found[enums.ENVIRONMENT_ENVSPEC]
            lighting = found[enums.ENVIRONMENT_ENVDIFF] if found[enums.ENVIRONMENT_ENVDIFF] >= 0 else source
            return ImageSources(
                source, found[enums.ENVIRONMENT_ENVDIFF], i, lighting >= 0 and _of_numbers(model, lighting)
            )
    return ImageSources(found[enums.ENVIRONMENT_ENVSPEC], found[enums.ENVIRONMENT_ENVDIFF])


def _of_numbers(model, texture: int) -> bool:
    """Whether nothing says that a texture's colours are sRGB. A KTX file, kept as one row of bytes, says it itself."""
    return int(model.tex_height[texture]) > 1 and int(model.tex_colorspace[texture]) != enums.COLORSPACE_SRGB


def probe_of(model) -> tuple[int, np.ndarray, np.ndarray] | None:
    """Texture, centre and half size of the model's first reflection probe."""
    for i in range(int(getattr(model, "nprobe", 0))):
        texture = int(model.mpex_probe_texture[i])
        if texture >= 0 and int(model.tex_type[texture]) != enums.TEXTURE_2D:
            return texture, np.array(model.mpex_probe_position[i]), 0.5 * np.abs(model.mpex_probe_scale[i])
    return None


def _general_light(scene: S.Scene) -> float:
    """How bright a model's light from everywhere and from far away is; 1 is that of the default headlight."""
    far = scene.lights[: scene.ndirectional]
    legacy = far[far[:, S.L_PHOTOMETRIC] == 0, S.L_DIFFUSE : S.L_DIFFUSE + 3].sum(axis=0)
    linear_light = far[far[:, S.L_PHOTOMETRIC] > 0, S.L_DIFFUSE : S.L_DIFFUSE + 3].sum(axis=0)
    shown = float((scene.environment.ambient + legacy + encoded(linear_light)).max())
    return min(shown / (HEADLIGHT[0] + HEADLIGHT[1]), 1.0)
