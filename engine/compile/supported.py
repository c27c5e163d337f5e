"""What the format has and Kinetree does not do yet: told by name, never ignored.

Tables made to shrink, by schema id (ELEMENTS) and by element and attribute (VALUES). A row says what is missing in the
words of the message.

ELEMENTS, VALUES                   the compiler cannot do it: an error
LATER_ELEMENTS, LATER_VALUES       it is compiled and the physics cannot do it: a warning, `engine.step` refuses the model
UNDRAWN_ELEMENTS, UNDRAWN_VALUES   it is compiled and the renderer does not show it: a warning

Options of the physics and pairs of colliding geoms are in `engine/dynamics/missing.py`, `engine/collision/table.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dynamics import missing

CODE = "not-supported"

ELEMENTS: dict[str, str] = {}


def _is(*words: str) -> Callable[[Any], bool]:
    return lambda value: value in words


def _true(value: Any) -> bool:
    return value is True


def _colour(value: Any) -> bool:
    return np.size(value) > 1 and bool(np.any(value))


def _other(*numbers: float) -> Callable[[Any], bool]:
    return lambda value: list(value) != list(numbers)


def _nonzero(value: Any) -> bool:
    return value != 0


def _any(value: Any) -> bool:
    return True


# What is compiled and cannot be simulated or drawn yet: to allow something, remove its row.
LATER_ELEMENTS: dict[str, str] = {
    "body.plugin": "passive forces of plugins",
    "composite.plugin": "passive forces of plugins",
    "flexcomp.plugin": "passive forces of plugins",
    "actuator.plugin": "actuators of plugins",
    "sensor.plugin": "sensors of plugins",
    "body.flexcomp": "the physics of deformable objects",
    "deformable.flex": "the physics of deformable objects",
    "sensor.contact": "contact sensors",
    "sensor.rangefinder": "range finders",
    "sensor.distance": "distance sensors",
    "sensor.normal": "distance sensors",
    "sensor.fromto": "distance sensors",
}

# (element, attribute) -> (which values are refused, what is missing, what to do instead)
Refusal = tuple[Callable[[Any], bool], str, str]
VALUES: dict[tuple[str, str], Refusal] = {
    ("compiler", "coordinate"): (_is("global"), "global coordinates", "use local coordinates"),
}
LATER_VALUES: dict[tuple[str, str], Refusal] = {
    ("body.joint", "hardlimit"): (_true, "hard limits", "set hardlimit to false for MuJoCo's soft one"),
    ("body.geom", "hard"): (_true, "hard contacts", "set hard to false for MuJoCo's soft ones"),
}

UNDRAWN = "not-drawn"
UNDRAWN_ELEMENTS: dict[str, str] = {}
UNDRAWN_VALUES: dict[tuple[str, str], Refusal] = {
    ("asset.texture", "content_type"): (_is("image/ktx"), "KTX textures", "use PNG"),
    ("asset.texture", "file"): (lambda name: name.lower().endswith(".ktx"), "KTX textures", "use PNG"),
    ("body.light", "type"): (_is("image"), "image lights", "use another type"),
    ("visual.ssao", "active"): (_true, "shadows in corners (ssao)", "the picture lacks them"),
    ("visual.ssgi", "active"): (_true, "indirect light on the screen (ssgi)", "the picture lacks it"),
    ("visual.probe", "texture"): (_any, "reflection probes", "surfaces reflect the sky"),
    ("asset.texture", "type"): (
        _is("envdiff", "envspec", "probe"),
        "textures of type {value}",
        "the sky takes their place",
    ),
    ("asset.texture", "builtin"): (_is("dynamic"), "dynamic textures", "the texture is flat"),
    ("asset.material", "emission"): (
        _colour,
        "emitted colours",
        "give one number to let the own colour glow",
    ),
    ("asset.material", "detailpara"): (_other(1, 1, 1, 1), "detail normal maps", "the picture lacks them"),
    ("asset.material", "depthbias"): (_nonzero, "depth biases", "move surfaces that coincide apart"),
    ("body.camera", "trackposspeed"): (_nonzero, "cameras that lag behind", "the camera follows at once"),
    ("body.camera", "trackrotspeed"): (_nonzero, "cameras that lag behind", "the camera follows at once"),
    ("body.camera", "depth"): (_true, "depth pictures", "the camera gives colours"),
}


def element(id: str) -> str | None:
    """Why elements of this kind are refused, or None."""
    missing = ELEMENTS.get(id)
    return None if missing is None else f"Kinetree does not support {missing} yet; remove the element"


def value(id: str, attribute: str, given: Any) -> str | None:
    """Why this value of an attribute is refused, or None."""
    row = VALUES.get((id, attribute))
    if row is None or not row[0](given):
        return None
    return f"Kinetree does not support {row[1].format(value=given)} yet; {row[2]}"


def later(id: str, attribute: str = "", given: Any = None) -> tuple[str, str] | None:
    """(code, message) of the warning about an element, or about a value of its attribute; None if there is none."""
    for code, elements, values in (
        (missing.CODE, LATER_ELEMENTS, LATER_VALUES),
        (UNDRAWN, UNDRAWN_ELEMENTS, UNDRAWN_VALUES),
    ):
        if not attribute and id in elements:
            what, remedy = elements[id], "remove the element to simulate the model"
        elif (id, attribute) in values and values[id, attribute][0](given):
            what, remedy = values[id, attribute][1].format(value=given), values[id, attribute][2]
        else:
            continue
        if code == UNDRAWN:
            return code, f"{what} are not drawn yet; {remedy}"
        return code, missing.message(what, remedy)
    return None
