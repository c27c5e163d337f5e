"""Quality of a picture: the table of effects, with the value of each in the presets.

    options = VisOptions()                       # every effect as in "balanced"
    options = with_preset(options, Preset.QUALITY)
    options.samples = 4                          # an effect is a field of the options
    scene.effects.samples                        # what passes of the renderer read

An effect that is off costs nothing: its pass does not run, its define is not set. The content of a picture (flags,
groups, labels) is in `options.py`. Menus, the display panel, settings and `kinetree render` are made from this table: a
new effect is a row here.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kinetree.engine.scene.options import VisOptions

Value = bool | int | str


class Preset(StrEnum):
    """A choice of all effects at once."""

    PERFORMANCE = "performance"
    BALANCED = "balanced"
    QUALITY = "quality"


PRESETS: dict[Preset, tuple[str, str]] = {
    Preset.PERFORMANCE: ("Performance", "Few effects: for computers without a graphics card and for very large models"),
    Preset.BALANCED: ("Balanced", "The effects that change a picture most"),
    Preset.QUALITY: ("Quality", "Every effect: for computers with a graphics card"),
}
"""Label and help of each preset."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect: its value in each preset. A switch has True and False, any other effect one of its `choices`."""

    name: str
    label: str
    help: str
    performance: Value
    balanced: Value
    quality: Value
    choices: tuple[tuple[Value, str], ...] = ()  # value and label

    def of(self, preset: Preset) -> Value:
        """Its value in a preset."""
        return getattr(self, preset.value)

    def accepts(self, value: object) -> bool:
        """Whether it can have this value."""
        if not self.choices:
            return isinstance(value, bool)
        return any(type(value) is type(each) and value == each for each, _ in self.choices)


EFFECTS: tuple[Effect, ...] = (
    Effect(
        "samples",
        "Smooth Edges",
        "Samples of each pixel, against jagged edges",
        1,
        4,
        8,
        ((1, "Off"), (2, "2 Samples"), (4, "4 Samples"), (8, "8 Samples")),
    ),
    Effect(
        "mirrors",
        "Reflecting Planes",
        "How many planes and tops of boxes with reflectance show a mirror image",
        1,
        2,
        4,
        ((1, "The Largest"), (2, "Two"), (4, "Four")),
    ),
    Effect(
        "mirrordetail",
        "Mirror Images",
        "Quality of the images in reflecting planes",
        "plain",
        "smooth",
        "full",
        (("plain", "Plain"), ("smooth", "Smooth Edges and Shadows"), ("full", "Full Resolution, with Shadows")),
    ),
    Effect(
        "fxaa",
        "Smooth Picture",
        "Smooth the edges of the finished picture, where pixels have one sample only",
        True,
        True,
        True,
    ),
    Effect(
        "shadowtexels",
        "Shadow Detail",
        "Side of the largest map that holds the shadows of all lights",
        2048,
        4096,
        8192,
        ((1024, "Low"), (2048, "Medium"), (4096, "High"), (8192, "Highest")),
    ),
    Effect(
        "shadowfilter",
        "Shadow Filter",
        "Edges of shadows are smoothed over several texels of their map",
        False,
        True,
        True,
    ),
    Effect(
        "softshadows",
        "Soft Shadows",
        "Shadows that get softer with the size of the light and the distance of their caster",
        False,
        False,
        True,
    ),
    Effect(
        "occlusion",
        "Ambient Occlusion",
        "Less light from all around in corners and under objects",
        "model",
        "half",
        "full",
        (("off", "Off"), ("model", "As the Model Says"), ("half", "Half Resolution"), ("full", "Full Resolution")),
    ),
    Effect(
        "captures",
        "Reflections of Things",
        "Glossy things show what stands around them, as it was when nothing moved",
        0,
        "floor",
        4,
        ((0, "Off"), ("floor", "Above Endless Floors"), (1, "As Seen From One Place"), (4, "As Seen From Four Places")),
    ),
    Effect(
        "screenreflections",
        "Screen Reflections",
        "Glossy surfaces show what else is in the picture",
        "off",
        "model",
        "full",
        (("off", "Off"), ("model", "As the Model Says"), ("half", "Half Resolution"), ("full", "Full Resolution")),
    ),
    Effect(
        "indirect",
        "Indirect Light",
        "Light that surfaces in the picture send to each other",
        "off",
        "model",
        "half",
        (("off", "Off"), ("model", "As the Model Says"), ("half", "Half Resolution"), ("full", "Full Resolution")),
    ),
    Effect(
        "bloom",
        "Bloom",
        "Light spreads around what shines by itself",
        False,
        True,
        True,
    ),
    Effect(
        "autoexposure",
        "Automatic Exposure",
        "The brightness of the picture adapts to the part of the scene in view",
        False,
        False,
        False,
    ),
    Effect(
        "peeling",
        "Exact Transparency",
        "Sort transparent surfaces pixel by pixel where they may be in each other, instead of shape by shape",
        False,
        True,
        True,
    ),
)

EFFECT_BY_NAME: dict[str, Effect] = {effect.name: effect for effect in EFFECTS}


class Effects:
    """The effects of one frame: a field for each row of the table, at first as in "balanced"."""

    __slots__ = tuple(EFFECT_BY_NAME)

    if TYPE_CHECKING:  # `EFFECTS` names the attributes

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, options: VisOptions | None = None):
        for effect in EFFECTS:
            setattr(self, effect.name, effect.balanced if options is None else getattr(options, effect.name))


def set_preset(options: VisOptions, preset: Preset) -> None:
    """Give every effect of the options its value in a preset."""
    for effect in EFFECTS:
        setattr(options, effect.name, effect.of(preset))


def with_preset(options: VisOptions, preset: Preset) -> VisOptions:
    """A copy of the options with the effects of a preset."""
    options = copy.copy(options)
    set_preset(options, preset)
    return options


def preset_of(options: VisOptions) -> Preset | None:
    """The preset whose values all effects have; None where they have been chosen one by one."""
    for preset in (Preset.BALANCED, Preset.PERFORMANCE, Preset.QUALITY):
        if all(getattr(options, effect.name) == effect.of(preset) for effect in EFFECTS):
            return preset
    return None
