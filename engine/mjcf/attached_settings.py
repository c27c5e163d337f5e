"""Rewrites the attributes of attached elements for the compiler settings of the model they are attached to.

Compiler settings hold for one file (XML reference, "attach"). The writer puts all elements into one file, so that
angles change their unit, Euler angles become quaternions, limits and alignments that followed from a setting are
written out, and masses are written as computed where the settings for masses differ. Source: XML reference, "compiler".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kinetree.engine.diagnostics import CannotSave
from kinetree.engine.mjcf.elements import Element, Spec
from kinetree.engine.mjcf.exceptions import ANGLES, MASS_SETTINGS
from kinetree.engine.mjcf.joint_types import joint_type
from kinetree.engine.translation import tr

_BY_SETTINGS = ("axisangle", "euler")
"""Forms of an orientation whose meaning depends on compiler settings."""
_JOINTS = ("body.joint", "body.freejoint")
_LIMITED, _RANGE = "limited", "range"


def differs(spec: Spec, element: Element, *settings: str) -> bool:
    """Whether one of these compiler settings has another value in the file that the element comes from."""
    if element.scope is None:
        return False
    own, here = element.scope.compiler, spec.compiler
    return any(not np.array_equal(own[name], here[name]) for name in settings)


def has_other_mass_settings(spec: Spec) -> bool:
    """Whether some bodies come from a model with other settings for masses."""
    return any(differs(spec, body, *MASS_SETTINGS) for body in spec.world.walk() if body.parent is not None)


def needs_other_orientation(spec: Spec, element: Element) -> bool:
    """Whether the orientation of the element must be written in another form."""
    return any(element.get(form) is not None for form in _BY_SETTINGS) and differs(spec, element, "angle", "eulerseq")


def values(spec: Spec, element: Element, found: dict[str, Any]) -> dict[str, Any]:
    """The values `found` of an element, converted to the settings of this model.

    Raises CannotSave where no text has the same meaning.
    """
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
    """Whether the range of a joint is active; its numbers are angles only then."""
    low, high = joint[_RANGE].tolist()
    said = joint.get(_LIMITED, "auto")
    return said == "true" or (said == "auto" and low < high)


def _cannot(joint: Element, aligned: str) -> None:
    raise CannotSave(
        tr(
            "line {line}: {label} of an attached model takes its alignment from compiler/alignfree, "
            'which differs in the model around it; write it as <freejoint align="{aligned}"/>',
            line=joint.node.line,
            label=joint.label(),
            aligned=aligned,
        )
    )
