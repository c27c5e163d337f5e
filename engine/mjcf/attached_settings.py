"""What elements of attached models say, under the compiler settings of the model that they are part of now.

Compiler settings hold for the text that they stand in (XML reference, "attach"). Written, all is one text: angles change their unit,
Euler angles become quaternions, limits and alignments that followed from a setting are said, and where settings about masses differ,
masses are written as they were found. What each setting means: XML reference, "compiler".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.diagnostics import CannotSave
from engine.mjcf.elements import Element, Spec
from engine.mjcf.exceptions import ANGLES, WEIGHING
from engine.mjcf.joint_types import joint_type

_TURNED = ("axisangle", "euler")
"""Forms of an orientation that depend on settings."""
_JOINTS = ("body.joint", "body.freejoint")
_LIMITED, _RANGE = "limited", "range"


def differs(spec: Spec, element: Element, *settings: str) -> bool:
    """Whether one of these compiler settings is not the same where the element was written."""
    if element.scope is None:
        return False
    own, here = element.scope.compiler, spec.compiler
    return any(not np.array_equal(own.get(name), here.get(name)) for name in settings)


def weighs_otherwise(spec: Spec) -> bool:
    """Whether the masses of some bodies follow from other settings."""
    return any(differs(spec, body, *WEIGHING) for body in spec.world.walk() if body.parent is not None)


def turned(spec: Spec, element: Element) -> bool:
    """Whether the element's orientation has to be said in another way."""
    return any(element.get(form) is not None for form in _TURNED) and differs(
        spec, element, "angle", "eulerseq"
    )


def values(spec: Spec, element: Element, found: dict[str, Any]) -> dict[str, Any]:
    """The values of an element, `found`, as they are said here. Raises CannotSave where no text says the same."""
    if element.scope is None:
        return found
    row, changed = element.row, {}
    if differs(spec, element, "angle") and row.id in ANGLES and joint_type(element) in ("hinge", "ball"):
        unit = 180 / math.pi if spec.degree else math.pi / 180
        for name in ANGLES[row.id]:
            if found.get(name) is not None and (name != _RANGE or _in_force(element)):
                changed[name] = found[name] * unit
    if differs(spec, element, "autolimits") and not spec.compiler["autolimits"]:
        for flag in row.attributes:
            interval = flag.removesuffix(_LIMITED) + _RANGE
            if flag.endswith(_LIMITED) and interval in element.given and element.get(flag, "auto") == "auto":
                low, high = element[interval].tolist()
                if low < high:
                    changed[flag] = "true"
    if differs(spec, element, "alignfree") and row.id in _JOINTS and joint_type(element) == "free":
        aligned = "true" if element.scope.compiler["alignfree"] else "false"
        if "align" not in row.attributes:
            _cannot(element, aligned)
        elif found.get("align", "auto") == "auto":
            changed["align"] = aligned
    return {**found, **changed} if changed else found


def _in_force(joint: Element) -> bool:
    """Whether a joint's range counts: only then its numbers are angles."""
    low, high = joint[_RANGE].tolist()
    said = joint.get(_LIMITED, "auto")
    return said == "true" or (said == "auto" and low < high)


def _cannot(joint: Element, aligned: str) -> None:
    raise CannotSave(
        f"line {joint.node.line}: whether {joint.label()} of an attached model is aligned depends on compiler/alignfree, which is not "
        f'the same in the model around it; write it as <freejoint align="{aligned}"/>'
    )
