"""How many lights and shadows a picture can have: what fits into the uniform blocks of every driver (16 KiB)."""

from __future__ import annotations

from kinetree.engine.model import enums

MAXLIGHT = 128  # model lights and headlight (MuJoCo draws 100)
MAXSHADOW = 126  # views of lights whose shadow is drawn
WIDEST_SPOT = 75.0  # half-angle of a spot in degrees above which it is seen in six views


def shadow_views(kind: int, cutoff: float) -> int:
    """Most views that the shadow of a light takes; kind: its type, cutoff: half-angle of its cone in degrees."""
    if kind == enums.LIGHT_IMAGE:
        return 0
    if kind == enums.LIGHT_DIRECTIONAL:
        return 2
    return 6 if kind == enums.LIGHT_POINT or cutoff > WIDEST_SPOT else 1
