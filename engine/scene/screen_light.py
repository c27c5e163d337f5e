"""Light that is found on the screen: reflections, and light that surfaces send to each other.

A model asks for both by `visual/ssgi` (Motphys); where a number is 0 there, and for models that do not ask, the numbers
below hold.
"""

from __future__ import annotations

from kinetree.engine.scene.dialect import added
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import Scene, ScreenLight

REFLECTION_STEPS = 80
RAYS, STEPS = 1, 32  # of indirect light: with the filter each texel has 16 times as many rays
THICKNESS = 0.03  # of the visible scene, in extents
SMALLER = {"half": 2, "full": 1}
MOST_RAYS, MOST_STEPS = 16, 256  # more than these change no picture


def fill(scene: Scene, model, options: VisOptions) -> None:
    """Decide what of this the scene shows."""
    scene.reflections = scene.indirect = None
    if scene.segment or scene.wireframe:
        return
    if options.reflection:
        scene.reflections = _reflections(model, scene.effects.screenreflections)
    scene.indirect = _indirect(model, scene.effects.indirect)


def _asked(model, name: str):
    return added(model, f"ssgi_{name}", 1, 0)[0]


def _smaller(model, choice: str) -> int:
    """Pixels for a texel; 0 where the effect is off."""
    if choice == "model":
        return int(_asked(model, "resolutionscale")) if _asked(model, "active") else 0
    return SMALLER.get(choice, 0)


def _thickness(model) -> float:
    return float(_asked(model, "thickness")) or THICKNESS * float(model.stat.extent)


def _spread(model, name: str) -> int:
    """Pixels between the places of a filter. Here 0 means none, where the model asks for the effect."""
    return int(_asked(model, name)) if _asked(model, "active") else 1


def _reflections(model, choice: str) -> ScreenLight | None:
    smaller = _smaller(model, choice)
    if not smaller:
        return None
    steps = min(int(_asked(model, "rraycount")) or REFLECTION_STEPS, MOST_STEPS)
    return ScreenLight(smaller, 1, steps, _thickness(model), 1.0, _spread(model, "rdenoiseoffset"))


def _indirect(model, choice: str) -> ScreenLight | None:
    smaller = _smaller(model, choice)
    if not smaller:
        return None
    rays = min(int(_asked(model, "raycount")) or RAYS, MOST_RAYS)
    steps = min(int(_asked(model, "stepcount")) or STEPS, MOST_STEPS)
    intensity = float(_asked(model, "intensity")) or 1.0
    return ScreenLight(smaller, rays, steps, _thickness(model), intensity, _spread(model, "gidenoiseoffset"))
