"""How many textures one program may read. OpenGL 4.1 promises 16 a fragment shader, and some drivers have no more."""

from __future__ import annotations

from collections.abc import Iterable

from kinetree.engine.translation import marked, tr

TEXTURES = {
    "TEXTURE_2D": 1,
    "TEXTURE_CUBE": 1,
    "LAYER_OCCLUSION": 1,
    "LAYER_ROUGHNESS": 1,
    "LAYER_METALLIC": 1,
    "LAYER_NORMAL": 1,
    "LAYER_EMISSIVE": 1,
    "LAYER_ORM": 1,
    "PBR": 2,
    "MIRROR": 1,
    "INFINITE": 1,
    "SHADOWS": 1,
    "SOFT_SHADOWS": 1,
    "TINTED_SHADOWS": 1,
    "OCCLUSION": 1,
    "CAPTURED": 1,
    "SCREEN_REFLECTIONS": 1,
    "INDIRECT": 1,
    "CLUSTERS": 1,
    "PROBE": 2,
    "GROUND_TEXTURE": 1,
    "NUMBERED": 1,
}
"""Feature of a surface's program (`renderer/passes/surfaces.py`) -> textures that it reads, without those of others."""

DISPENSABLE = {
    "CAPTURED": marked("captured reflections"),
    "INDIRECT": marked("indirect light"),
    "SCREEN_REFLECTIONS": marked("reflections of the picture"),
    "TINTED_SHADOWS": marked("shadows tinted by glass"),
    "SOFT_SHADOWS": marked("soft shadows"),
}
"""Features that a surface goes without where the driver has too few textures, the first one first; what they are."""


def textures(features: Iterable[str]) -> int:
    """How many textures a fragment shader with these features reads."""
    return sum(TEXTURES.get(feature, 0) for feature in features)


def affordable(features: tuple[str, ...], most: int) -> tuple[str, ...]:
    """The features without as many of the dispensable ones as a driver with so many textures forces."""
    for feature in DISPENSABLE:
        if textures(features) <= most:
            break
        features = tuple(each for each in features if each != feature)
    return features


def remark(features: tuple[str, ...], afforded: tuple[str, ...], most: int) -> str:
    """What to tell the user who misses some of the features."""
    names = ", ".join(tr(DISPENSABLE[feature]) for feature in features if feature not in afforded)
    return tr(
        "the graphics driver gives a surface {most} textures: some are drawn without {names}", most=most, names=names
    )
